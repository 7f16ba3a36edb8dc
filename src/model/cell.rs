//! The key of a cell, and the key of the series that the cell belongs to.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ProblemRef, SolverRef};
use crate::solver::Goal;

/// Identifies a cell, without its limits. The order is that of the rows in tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CellKey {
    /// Board size.
    pub n: usize,
    /// The problem, without its size.
    #[serde(rename = "variant")]
    pub problem: ProblemRef,
    /// What the solver has to find.
    pub goal: Goal,
    /// The solver with its options or factors.
    pub solver: SolverRef,
    /// Threads that the solver may use.
    pub threads: usize,
    /// Seed for solvers that use random numbers.
    pub seed: u64,
}

impl CellKey {
    /// The series that the cell belongs to.
    pub fn series(&self) -> SeriesKey<'_> {
        let Self { problem, goal, solver, threads, seed, .. } = self;
        SeriesKey { solver, problem, goal: *goal, threads: *threads, seed: *seed }
    }
}

/// A [`CellKey`] without its size: what the runs of a series have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the fields are those of CellKey")]
pub struct SeriesKey<'a> {
    pub solver: &'a SolverRef,
    pub problem: &'a ProblemRef,
    pub goal: Goal,
    pub threads: usize,
    pub seed: u64,
}

impl fmt::Display for SeriesKey<'_> {
    /// Prints all fields, so that different series have different texts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { solver, problem, goal, threads, seed } = self;
        write!(f, "{solver} {problem} {goal} {threads} {seed}")
    }
}
