//! Estimates the size of a search tree and the number of solutions by random probes.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use super::{AppError, Event, InputError, Observer};
use crate::backtrack::probe::{self, Tree};
use crate::board::problem::Problem;
use crate::registry::Registry;
use crate::solver::{ConfiguredSolver, Goal, Solver, Task};

/// The input of an estimate.
pub struct EstimateInput<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The solver whose tree is probed.
    pub solver: &'a ConfiguredSolver<'a>,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The seed of the probes.
    pub seed: u64,
    /// The number of probes.
    pub probes: u64,
}

/// The result of an estimate.
#[derive(Clone, Debug)]
pub struct TreeEstimate {
    /// The estimates of the levels of the tree. Level n contains the solutions.
    pub tree: Tree,
    /// The time that the probes took.
    pub wall: Duration,
}

/// The default solver whose tree is probed.
pub fn default_solver(problem: &Problem) -> &'static str {
    if problem.is_plain() { "backtrack/column-scan" } else { "backtrack/forward-checking" }
}

/// Probes the tree of a solver.
///
/// # Errors
///
/// The tree of the solver cannot be probed, the solver does not support the problem, or the numbers are too large.
pub fn estimate(
    input: &EstimateInput<'_>,
    registry: &Registry,
    observe: Observer<'_>,
) -> Result<TreeEstimate, AppError> {
    let &EstimateInput { problem, solver: configured_solver, threads, seed, probes } = input;
    let info = configured_solver.solver.info();
    let options = configured_solver.options.clone();
    let task = Task { seed, threads, options, ..Task::of(problem, Goal::Count) };
    let Some(pruning) = info.pruning else {
        let infos = registry.iter().map(Solver::info);
        let ids = infos.filter(|info| info.pruning.is_some()).map(|info| info.id);
        let solvers = ids.collect::<Vec<_>>().join(", ");
        return Err(InputError::NoProbes { id: configured_solver.info().id, solvers }.into());
    };
    if let Some(refusal) = info.refusal(problem, task.goal) {
        return Err(InputError::OtherSolver(refusal).into());
    }
    if let Some(reason) = probe::objection(&task) {
        return Err(InputError::NoFixedTree { id: info.id, reason: reason.to_string() }.into());
    }
    let started = Instant::now();
    let mut report_progress =
        |completed: u64, tree: &Tree| observe(Event::Probed { completed, probes, tree });
    let tree = probe::estimate(&task, pruning, probes, &mut report_progress)
        .map_err(|error| AppError::Threads { threads: threads.get(), reason: error.to_string() })?;
    let tree = tree.ok_or(InputError::TooLargeToEstimate(task.n().get()))?;
    Ok(TreeEstimate { tree, wall: started.elapsed() })
}
