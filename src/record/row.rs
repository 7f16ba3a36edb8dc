//! The columns of `runs.csv`, in order: one row per run. docs/FORMATS.md defines each column; a test keeps
//! the two consistent.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::table::table;
use crate::solver::{Goal, Stat};

/// Version of every table's layout.
pub const SCHEMA_VERSION: u32 = 1;

/// The variant of the plain problem.
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
        self.serialize(f)
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
    /// The CPU-time limit.
    Cputime,
    /// The memory limit.
    Memory,
    /// A signal that this program did not send.
    Killed,
    /// An exit code that is not accepted, or an invalid report.
    Failed,
}

/// Whether others held the CPU during a run; docs/METHODOLOGY.md defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Disturbed {
    /// Nobody did, for long enough to matter.
    No,
    /// Others did.
    Yes,
    /// Others did, and another run takes the place of this one, whose time no table uses.
    Replaced,
}

/// The SAT solvers that are part of queenlab.
pub const OWN_SAT_SOLVERS: [&str; 3] = ["varisat", "batsat", "cadical"];

/// The beginning of the ids of programs.
pub const PROGRAM: &str = "program/";

/// Whether this solver id, perhaps with options, belongs to a program that is not part of queenlab: a `[[program]]`, or a SAT solver of
/// `--external` or `[[sat]]`.
pub fn is_foreign(solver: &str) -> bool {
    let is_own =
        |solver: &str| solver.split(['/', ':']).nth(2).is_some_and(|name| OWN_SAT_SOLVERS.contains(&name));
    solver.starts_with(PROGRAM) || (solver.starts_with("sat/") && !is_own(solver))
}

/// A solver with its options, as for `--solver`: `backtrack/dlx:items=natural`.
pub fn label(solver: &str, options: &str) -> String {
    if options.is_empty() { solver.to_owned() } else { format!("{solver}:{options}") }
}

/// The factors of a label of a program; `None` for other solvers.
pub(super) fn factors_of_label(label: &str) -> Option<&str> {
    label.strip_prefix(PROGRAM)?.split_once(':').map(|(_, factors)| factors)
}

fn factors_of_row(row: &Row) -> Option<&str> {
    row.options.as_deref().filter(|_| row.solver.starts_with(PROGRAM))
}

table! {
    /// A row of `runs.csv`. Times in nanoseconds, memory in bytes; `None` means "not measured".
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    Row in "runs.csv" since "jobs" with factors_of_row {
        schema_version: u32,
        run_id: String,
        cell_id: String,
        seq: u64,
        round: u32,
        started_at: String,
        n: usize,
        variant: String,
        goal: Goal,
        solver: String,
        solver_version: Option<String>,
        threads: usize,
        seed: u64,
        repetition: u32,
        warmup: bool,
        counting: bool,
        status: Status,
        verdict: Verdict,
        termination: Option<Termination>,
        exit_code: Option<i32>,
        signal: Option<i32>,
        solutions: Option<u64>,
        expected_solutions: Option<u64>,
        expected_source: Option<String>,
        solutions_digest: Option<String>,
        encode_ns: Option<u64>,
        solve_ns: Option<u64>,
        verify_ns: Option<u64>,
        wall_ns: Option<u64>,
        cpu_user_ns: Option<u64>,
        cpu_sys_ns: Option<u64>,
        peak_rss_bytes: Option<u64>,
        ..stats = FIRST_STATS,
        time_limit_ns: Option<u64>,
        memory_limit_bytes: Option<u64>,
        cpu: Option<String>,
        error: Option<String>,
        jobs: Option<u32>,
        encoding: Option<String>,
        backend: Option<String>,
        strategy: Option<String>,
        options: Option<String>,
        instance_digest: Option<String>,
        ..LATER_STATS,
        voluntary_switches: Option<u64>,
        involuntary_switches: Option<u64>,
        minor_faults: Option<u64>,
        major_faults: Option<u64>,
        cpu_stall_ns: Option<u64>,
        disturbed: Option<Disturbed>,
        cpu_limit_ns: Option<u64>,
        ..NEWEST_STATS,
    }
}

/// The statistics in three places of the table: a new one is always in its last column.
const FIRST_STATS: &[Stat] = Stat::ALL.split_at(Stat::ProofBytes as usize + 1).0;
const LATER_STATS: &[Stat] =
    Stat::ALL.split_at(Stat::Repairs as usize + 1).0.split_at(Stat::ProofBytes as usize + 1).1;
const NEWEST_STATS: &[Stat] = Stat::ALL.split_at(Stat::Repairs as usize + 1).1;

impl Row {
    /// A run without any results: only the fields that define the run are set.
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

    /// The solver with its options, as for `--solver`: the name of its series.
    pub fn label(&self) -> String {
        label(&self.solver, self.options.as_deref().unwrap_or_default())
    }

    /// Time of encoding plus solving; `None` if there is no solving time.
    pub fn job_ns(&self) -> Option<u64> {
        Some(self.encode_ns.unwrap_or(0).saturating_add(self.solve_ns?))
    }

    /// Whether it reached its goal, with an answer that is not known to be wrong.
    pub fn is_answered(&self) -> bool {
        self.status.is_solved() && self.verdict != Verdict::Wrong
    }

    /// The time of its job, if it is answered.
    pub fn answered_ns(&self) -> Option<u64> {
        if self.is_answered() { self.job_ns() } else { None }
    }

    /// Whether another run takes the place of this one, because others held the CPU.
    pub fn is_replaced(&self) -> bool {
        self.disturbed == Some(Disturbed::Replaced)
    }

    /// Whether the run was a timed one, solved or not: neither skipped, nor replaced, nor a warm-up, nor a counting run.
    pub fn is_timed(&self) -> bool {
        !self.counting && !self.warmup && !self.is_replaced() && self.status != Status::Skipped
    }
}
