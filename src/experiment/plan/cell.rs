//! A cell: one thing to measure, with the id that follows from its fields.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::record::{Row, VARIANT, label, sha256_hex};
use crate::solver::Goal;

/// One thing to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Digest of the fields below; independent of repetition, order, executable, machine, path and time.
    pub id: String,
    /// Board size.
    pub n: usize,
    /// The canonical text of the problem, or `instance:NAME`.
    pub variant: String,
    /// The problem of `instance:NAME`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<CellInstance>,
    /// The goal of the solver.
    pub goal: Goal,
    /// Solver id, or `program/<id>`.
    pub solver: String,
    /// Options of the solver, or factors of the program, that are not the default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Version of the solver, to be recorded in the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver_version: Option<String>,
    /// The user's program to start, for `program/<id>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramCall>,
    /// The command of an external SAT solver, for example `clasp {cnf}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external: Option<String>,
    /// The SHA-256 of each file named by the command of the program or of the external solver.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Threads that the solver may use.
    pub threads: usize,
    /// Seed for solvers that use random numbers.
    pub seed: u64,
    /// Limit of wall time, in nanoseconds.
    pub time_limit_ns: u64,
    /// Limit of the CPU time of all its processes, in nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_limit_ns: Option<u64>,
    /// Limit of address space, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit_bytes: Option<u64>,
    /// Whether statistics are collected; the times of such runs are not used.
    pub counting: bool,
    /// Why the cell is skipped; `None` if it is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
}

/// A problem that was read from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellInstance {
    /// The canonical text of the problem.
    pub problem: String,
    /// SHA-256 of the file.
    pub digest: String,
}

/// A user's program with the board size filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramCall {
    /// Program and arguments.
    pub command: Vec<String>,
    /// A notation's name, or `auto`.
    pub notation: String,
    /// Exit codes that mean success.
    #[serde(default = "only_zero", skip_serializing_if = "is_only_zero")]
    pub accept_exit_codes: Vec<i32>,
}

/// The exit codes that mean success unless a spec names others.
pub fn only_zero() -> Vec<i32> {
    vec![0]
}

fn is_only_zero(codes: &[i32]) -> bool {
    codes == [0]
}

/// Solver, options, variant, goal, threads and seed.
pub type Series<'a> = (&'a str, &'a BTreeMap<String, String>, &'a str, Goal, usize, u64);

impl Cell {
    /// Limit of wall time.
    pub fn time_limit(&self) -> Duration {
        Duration::from_nanos(self.time_limit_ns)
    }

    /// The problem. An error if its text is damaged.
    pub fn problem(&self) -> Result<Problem, String> {
        let text = self.instance.as_ref().map_or(&self.variant, |instance| &instance.problem);
        let n = BoardSize::large(self.n).map_err(|error| error.to_string())?;
        Problem::from_text(n, text).map_err(|error| error.to_string())
    }

    /// The solver with its options, as for `--solver`.
    pub fn label(&self) -> String {
        label(&self.solver, &options_text(&self.options))
    }

    /// The cells of a series differ in their size only, and in whether they count.
    pub fn series(&self) -> Series<'_> {
        (&self.solver, &self.options, &self.variant, self.goal, self.threads, self.seed)
    }

    /// The problem and the solver, as in `n=8 toroidal backtrack/dlx`.
    pub fn name(&self) -> String {
        let variant = if self.variant == VARIANT { String::new() } else { format!("{} ", self.variant) };
        format!("n={} {variant}{}", self.n, self.label())
    }

    /// Whether this cell is run to measure its time.
    pub(super) fn is_timed(&self) -> bool {
        !self.counting && self.skip.is_none()
    }

    /// Whether the process of a run starts other programs.
    pub fn starts_programs(&self) -> bool {
        self.program.is_some() || self.external.is_some()
    }

    /// Computes the id from the other fields.
    pub(super) fn digest(&self) -> String {
        // The keys of a JSON value are sorted, whatever the order of the fields.
        let program = self.program.as_ref().map(|program| serde_json::json!(program));
        let identity = (
            self.n,
            &self.variant,
            self.goal,
            &self.solver,
            program,
            &self.external,
            self.threads,
            self.seed,
            self.time_limit_ns,
            self.memory_limit_bytes,
            self.counting,
        );
        let mut identity =
            serde_json::to_string(&identity).expect("a cell has no maps with other keys than texts");
        // What a cell does not have leaves its id as it was before there were such cells.
        let later = [
            (!self.files.is_empty()).then(|| serde_json::json!(self.files)),
            self.instance.as_ref().map(|instance| serde_json::json!({ "instance": instance })),
            self.cpu_limit_ns.map(|limit| serde_json::json!({ "cpu_limit_ns": limit })),
            (!self.options.is_empty()).then(|| serde_json::json!({ "options": self.options })),
        ];
        for part in later.into_iter().flatten() {
            identity.pop();
            identity += &format!(",{part}]");
        }
        sha256_hex(identity.as_bytes())[..16].to_owned()
    }

    pub(super) fn with_id(mut self) -> Self {
        self.id = self.digest();
        self
    }

    /// The cell described by the fields of a row, with the id that follows from them. A row does not contain
    /// the command of a program or the problem of an instance; they are taken from `like`.
    pub fn of_row(row: &Row, like: Option<&Cell>) -> Self {
        let cell = Self {
            id: String::new(),
            n: row.n,
            variant: row.variant.clone(),
            instance: row.instance_digest.clone().map(|digest| CellInstance {
                problem: like
                    .and_then(|cell| cell.instance.clone())
                    .map_or(String::new(), |like| like.problem),
                digest,
            }),
            goal: row.goal,
            solver: row.solver.clone(),
            options: read_options(row.options.as_deref().unwrap_or_default()),
            solver_version: row.solver_version.clone(),
            program: like.and_then(|cell| cell.program.clone()),
            external: like.and_then(|cell| cell.external.clone()),
            files: like.map(|cell| cell.files.clone()).unwrap_or_default(),
            threads: row.threads,
            seed: row.seed,
            time_limit_ns: row.time_limit_ns.unwrap_or(0),
            cpu_limit_ns: row.cpu_limit_ns,
            memory_limit_bytes: row.memory_limit_bytes,
            counting: row.counting,
            skip: None,
        };
        cell.with_id()
    }
}

/// The name of the SAT solver in a solver id.
pub fn sat_program(solver: &str) -> &str {
    solver.split('/').nth(2).unwrap_or_default()
}

/// Options as in the column `options`: `items=natural,rows=first`, sorted by name.
pub fn options_text(options: &BTreeMap<String, String>) -> String {
    options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}

fn read_options(text: &str) -> BTreeMap<String, String> {
    owned(text.split(',').filter_map(|pair| pair.split_once('=')))
}

pub(super) fn owned<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> BTreeMap<String, String> {
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
