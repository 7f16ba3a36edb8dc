//! A cell: one thing to measure, with the id that follows from its fields.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::command::CommandLine;
use crate::record::{InstanceText, Row, Series, VARIANT, sha256_hex};
use crate::solver::Goal;

/// One thing to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Digest of the fields below; independent of repetition, order, executable, machine, path and time.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Board size.
    pub n: usize,
    /// The canonical text of the problem, or `instance:NAME`.
    pub variant: String,
    /// The problem of `instance:NAME`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<InstanceText>,
    /// The goal of the solver.
    pub goal: Goal,
    /// The full name of the solver: `ID:key=value,key=value`, or `program/ID` with its factors.
    pub solver: String,
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
    /// Why the cell is skipped; `None` if it is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
}

/// A user's program with the board size filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramCall {
    /// Program and arguments.
    pub command: Vec<String>,
    /// A notation's name, or `auto`.
    pub notation: String,
    /// Exit codes that mean success.
    pub accept_exit_codes: Vec<i32>,
}

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

    /// The series that the cell belongs to.
    pub fn series(&self) -> Series<'_> {
        let Self { solver, variant, goal, threads, seed, .. } = self;
        Series { solver, variant, goal: *goal, threads: *threads, seed: *seed }
    }

    /// The problem and the solver, as in `n=8 toroidal backtrack/dlx`.
    pub fn name(&self) -> String {
        let variant = if self.variant == VARIANT { String::new() } else { format!("{} ", self.variant) };
        format!("n={} {variant}{}", self.n, self.solver)
    }

    /// Whether the process of a run starts other programs.
    pub fn starts_programs(&self) -> bool {
        self.program.is_some() || self.external.is_some()
    }

    /// The words of the command that its runs start; none if they start no program.
    pub fn command(&self) -> Vec<String> {
        match (&self.program, &self.external) {
            (Some(call), _) => call.command.clone(),
            (None, Some(command)) => CommandLine::parse(command).map(|line| line.words()).unwrap_or_default(),
            (None, None) => Vec::new(),
        }
    }

    /// Whether the fields that a row has are those of this cell.
    pub fn is_of(&self, row: &Row) -> bool {
        let limits = (Some(self.time_limit_ns), self.cpu_limit_ns, self.memory_limit_bytes);
        row.n == self.n
            && row.series() == self.series()
            && (row.time_limit_ns, row.cpu_limit_ns, row.memory_limit_bytes) == limits
    }

    /// Sets the id, which follows from the other fields.
    pub(super) fn with_id(mut self) -> Self {
        let identity = Cell {
            id: String::new(),
            instance: self.instance.clone().map(|instance| InstanceText {
                problem: String::new(),
                path: String::new(),
                ..instance
            }),
            skip: None,
            ..self.clone()
        };
        // The keys of a JSON value are sorted, whatever the order of the fields.
        let identity =
            serde_json::to_value(&identity).expect("a cell has no maps with other keys than texts");
        self.id = sha256_hex(identity.to_string().as_bytes())[..16].to_owned();
        self
    }
}
