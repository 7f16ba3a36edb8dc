//! The columns of `runs.csv`, in order: one row per run. docs/FORMATS.md defines each column; a test keeps
//! the two consistent. The struct is flat because the csv crate does not support serde's `flatten`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::table::Table;
use crate::solver::{Goal, SatStats, SearchStats};

/// Version of every table's layout.
pub const SCHEMA_VERSION: u32 = 1;

/// The only variant of the problem so far.
pub const VARIANT: &str = "queens";

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Status {
    /// A count or an enumeration was completed.
    Complete,
    /// Goal first: a solution was found.
    Sat,
    /// Goal first: no solution exists.
    Unsat,
    /// The run hit the time limit.
    Timeout,
    /// The run hit the memory limit.
    Memout,
    /// The process died, failed, or sent an invalid report.
    Crashed,
    /// A program exited successfully, but its output could not be read.
    Unreadable,
    /// The run was skipped; the column `error` gives the reason.
    #[default]
    Skipped,
}

impl Status {
    /// Whether the goal was reached.
    pub fn is_solved(self) -> bool {
        matches!(self, Status::Complete | Status::Sat | Status::Unsat)
    }

    /// Whether the run ended without an answer for a reason other than a limit.
    pub fn is_failure(self) -> bool {
        matches!(self, Status::Crashed | Status::Unreadable)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Status::Complete => "complete",
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Timeout => "timeout",
            Status::Memout => "memout",
            Status::Crashed => "crashed",
            Status::Unreadable => "unreadable",
            Status::Skipped => "skipped",
        })
    }
}

/// Whether the answer of a run is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Verdict {
    /// The answer agrees with a published value or with the boards that were found.
    Correct,
    /// The answer contradicts a published value or the boards that were found.
    Wrong,
    /// The answer contradicts only that of another solver.
    Disagree,
    /// There is nothing to check the answer against.
    #[default]
    Unchecked,
}

impl Verdict {
    /// Whether the answer is wrong or contradicts another one.
    pub fn is_fault(self) -> bool {
        matches!(self, Verdict::Wrong | Verdict::Disagree)
    }
}

/// What ended a run that did not exit normally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Termination {
    /// The wall-time limit.
    Walltime,
    /// The memory limit.
    Memory,
    /// A signal that this program did not send.
    Killed,
    /// An exit code that is not accepted, or an invalid report.
    Failed,
}

/// Whether this solver id belongs to a program that is not part of queenlab: a `[[program]]`, or the SAT
/// solver of `--external`.
pub fn is_foreign(solver: &str) -> bool {
    solver.starts_with("program/")
        || (solver.starts_with("sat/") && solver.split('/').nth(2) == Some("external"))
}

/// A row of `runs.csv`. Times in nanoseconds, memory in bytes; `None` means "not measured".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each column")]
pub struct Row {
    pub schema_version: u32,
    pub run_id: String,
    pub cell_id: String,
    pub seq: u64,
    pub round: u32,
    pub started_at: String,
    pub n: usize,
    pub variant: String,
    pub goal: Goal,
    pub solver: String,
    pub solver_version: Option<String>,
    pub threads: usize,
    pub seed: u64,
    pub repetition: u32,
    pub warmup: bool,
    pub counting: bool,
    pub status: Status,
    pub verdict: Verdict,
    pub termination: Option<Termination>,
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub solutions: Option<u64>,
    pub expected_solutions: Option<u64>,
    pub expected_source: Option<String>,
    pub solutions_digest: Option<String>,
    pub encode_ns: Option<u64>,
    pub solve_ns: Option<u64>,
    pub verify_ns: Option<u64>,
    pub wall_ns: Option<u64>,
    pub cpu_user_ns: Option<u64>,
    pub cpu_sys_ns: Option<u64>,
    pub peak_rss_bytes: Option<u64>,
    pub nodes: Option<u64>,
    pub dead_ends: Option<u64>,
    pub cells_tested: Option<u64>,
    pub comparisons: Option<u64>,
    pub candidates: Option<u64>,
    pub max_depth: Option<u64>,
    pub vars: Option<u64>,
    pub aux_vars: Option<u64>,
    pub clauses: Option<u64>,
    pub solver_calls: Option<u64>,
    pub cubes: Option<u64>,
    pub learned_clauses: Option<u64>,
    pub decisions: Option<u64>,
    pub conflicts: Option<u64>,
    pub propagations: Option<u64>,
    pub proof_bytes: Option<u64>,
    pub time_limit_ns: Option<u64>,
    pub memory_limit_bytes: Option<u64>,
    pub cpu: Option<String>,
    pub error: Option<String>,
    pub jobs: Option<u32>,
}

impl Row {
    /// A run without any results: all fields are empty except those that define the run.
    pub fn skipped(run_id: String, cell_id: String, n: usize, goal: Goal, solver: String) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            run_id,
            cell_id,
            n,
            variant: VARIANT.to_owned(),
            goal,
            solver,
            threads: 1,
            seed: 1,
            ..Self::default()
        }
    }

    /// Copies the counters of a searcher.
    pub fn set_search(&mut self, stats: &SearchStats) {
        self.nodes = stats.nodes;
        self.dead_ends = stats.dead_ends;
        self.cells_tested = stats.cells_tested;
        self.comparisons = stats.comparisons;
        self.candidates = stats.candidates;
        self.max_depth = stats.max_depth;
    }

    /// Copies the statistics of a SAT solver.
    pub fn set_sat(&mut self, stats: &SatStats) {
        self.vars = stats.vars;
        self.aux_vars = stats.aux_vars;
        self.clauses = stats.clauses;
        self.solver_calls = stats.solver_calls;
        self.cubes = stats.cubes;
        self.learned_clauses = stats.learned_clauses;
        self.decisions = stats.decisions;
        self.conflicts = stats.conflicts;
        self.propagations = stats.propagations;
    }

    /// Time of encoding plus solving; `None` if there is no solving time.
    pub fn job_ns(&self) -> Option<u64> {
        Some(self.encode_ns.unwrap_or(0).saturating_add(self.solve_ns?))
    }

    /// Whether the run was a timed one, solved or not: neither skipped, nor a warm-up, nor a counting run.
    pub fn is_timed(&self) -> bool {
        !self.counting && !self.warmup && self.status != Status::Skipped
    }
}

impl Table for Row {
    const FILE: &'static str = "runs.csv";
    /// `jobs`.
    const ADDED: usize = 1;
    const COLUMNS: &'static [&'static str] = &[
        "schema_version",
        "run_id",
        "cell_id",
        "seq",
        "round",
        "started_at",
        "n",
        "variant",
        "goal",
        "solver",
        "solver_version",
        "threads",
        "seed",
        "repetition",
        "warmup",
        "counting",
        "status",
        "verdict",
        "termination",
        "exit_code",
        "signal",
        "solutions",
        "expected_solutions",
        "expected_source",
        "solutions_digest",
        "encode_ns",
        "solve_ns",
        "verify_ns",
        "wall_ns",
        "cpu_user_ns",
        "cpu_sys_ns",
        "peak_rss_bytes",
        "nodes",
        "dead_ends",
        "cells_tested",
        "comparisons",
        "candidates",
        "max_depth",
        "vars",
        "aux_vars",
        "clauses",
        "solver_calls",
        "cubes",
        "learned_clauses",
        "decisions",
        "conflicts",
        "propagations",
        "proof_bytes",
        "time_limit_ns",
        "memory_limit_bytes",
        "cpu",
        "error",
        "jobs",
    ];
}
