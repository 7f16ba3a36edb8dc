//! Finds solutions of a problem, and judges their number.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::{AppError, InputError};
use crate::board::problem::Problem;
use crate::board::symmetry::is_canonical;
use crate::board::{BoardSize, Placement, published};
use crate::experiment::reference;
use crate::registry::Registry;
use crate::solver::{ConfiguredSolver, Goal, Solver, Task};

/// A problem to solve.
pub struct SolveInput<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The solver.
    pub solver: &'a ConfiguredSolver<'a>,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The seed of a randomized solver.
    pub seed: u64,
    /// The requested solutions.
    pub requested: RequestedSolutions,
}

/// The requested solutions.
#[derive(Clone, Copy, Debug)]
pub struct RequestedSolutions {
    /// The maximum number of solutions.
    pub limit: u64,
    /// Whether only the lexicographically first board of each set of rotations and reflections is requested.
    pub canonical_only: bool,
}

impl RequestedSolutions {
    /// The goal of the solver.
    pub fn goal(self) -> Goal {
        if self.limit == 1 && !self.canonical_only { Goal::First } else { Goal::Enumerate }
    }
}

/// The outcome of solving.
#[derive(Clone, Debug)]
pub struct SolveOutcome {
    /// The number of solutions that were found, including those that were not requested.
    pub solutions: u64,
    /// Whether the solver reported that there are no more solutions.
    pub is_all: bool,
    /// The judgement of the number of solutions.
    pub number_verdict: NumberVerdict,
}

/// The judgement of a number of solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberVerdict {
    /// The search ended because a board is not a solution. The board is `None` if it is too large to print.
    NotASolution(Option<Placement>),
    /// No solution was found, but the board has solutions.
    HasSolutions,
    /// The number differs from the reference. The fields are the number of the reference and its source.
    Contradicts(u64, &'static str),
    /// No number to compare with is published.
    NotPublished,
    /// An external program found the solutions, and there is no other number to compare with. Solutions may be missing.
    Unchecked,
    /// The problem has no solution.
    NoSolution,
    /// The number is as expected.
    AsExpected,
}

/// The default solvers in order of preference. The first one that supports the task is used; `backtrack/bitmask` is used only up to
/// n = 32. `sat/product/varisat` finds a solution for n = 33 in 0.2 s and for n = 200 in 2 s.
pub const DEFAULTS: [&str; 2] = ["backtrack/bitmask", "sat/product/varisat"];

/// The maximum size for which the first default solver is used. Larger boards would take minutes.
const MAX_BACKTRACKED_SIZE: usize = 32;

/// The solver that is used without --solver.
///
/// # Errors
///
/// The board is too large for all default solvers.
pub fn default_solver<'r>(
    registry: &'r Registry,
    problem: &Problem,
    goal: Goal,
) -> Result<ConfiguredSolver<'r>, AppError> {
    let n = problem.n();
    for id in DEFAULTS {
        let solver = registry.choose(id)?;
        let is_slow = id == DEFAULTS[0] && n.get() > MAX_BACKTRACKED_SIZE;
        if !is_slow && solver.info().refusal(problem, goal).is_none() {
            return Ok(solver);
        }
    }
    Err(InputError::TooLargeForDefaults { n: n.get(), solvers: DEFAULTS.join(" and ") }.into())
}

/// Finds solutions, and calls `show` for each requested solution.
///
/// # Errors
///
/// The solver does not support this problem or failed, or `show` returned an error. A wrong number is not an error; see
/// [`SolveOutcome::number_verdict`].
pub fn solve(
    input: &SolveInput<'_>,
    show: &mut dyn FnMut(&[u32]) -> io::Result<()>,
) -> Result<SolveOutcome, AppError> {
    let &SolveInput { problem, solver, threads, seed, requested } = input;
    let info = solver.info();
    let task = Task { threads, seed, ..Task::of(problem, requested.goal()) };
    if let Some(refusal) = info.refusal(problem, task.goal) {
        return Err(InputError::OtherSolver(refusal).into());
    }
    let (mut solutions, mut printed) = (0, 0);
    let (mut not_a_solution, mut print_error) = (None, None);
    let mut sink = |columns: &[u32]| {
        if !problem.is_solution(columns) {
            let is_printable = problem.n().get() <= BoardSize::MAX;
            not_a_solution = Some(is_printable.then(|| Placement::new(columns)));
            return ControlFlow::Break(());
        }
        solutions += 1;
        if requested.canonical_only && !is_canonical(columns) {
            return ControlFlow::Continue(());
        }
        if printed >= requested.limit {
            return ControlFlow::Break(());
        }
        if let Err(error) = show(columns) {
            print_error = Some(error);
            return ControlFlow::Break(());
        }
        printed += 1;
        if printed >= requested.limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let search_result = solver.solve(&task, &mut sink);
    if let Some(error) = print_error {
        return Err(AppError::Io { what: "cannot print".to_owned(), error });
    }
    if let Some(board) = not_a_solution {
        return Ok(SolveOutcome {
            solutions,
            is_all: false,
            number_verdict: NumberVerdict::NotASolution(board),
        });
    }
    let is_complete = search_result?.stopped.is_none() && printed < requested.limit;
    let is_all = is_complete && (task.goal == Goal::Enumerate || solutions == 0);
    let number_verdict = number_verdict(problem, info.uses_external, solutions, is_all);
    Ok(SolveOutcome { solutions, is_all, number_verdict })
}

fn number_verdict(problem: &Problem, uses_external: bool, solutions: u64, is_all: bool) -> NumberVerdict {
    let is_plain = problem.is_plain();
    if is_plain && solutions == 0 && published::has_solution(problem.n().get()) {
        return NumberVerdict::HasSolutions;
    }
    // If no number is published, the answer of an external program is compared with the number of boards that satisfy the rules, if
    // counting them is fast.
    let reference = if uses_external { reference::count(problem) } else { published::of_problem(problem) };
    match reference {
        Some((count, source)) if is_all && count != solutions => NumberVerdict::Contradicts(count, source),
        None if is_plain && is_all => NumberVerdict::NotPublished,
        None if uses_external && is_all => NumberVerdict::Unchecked,
        _ if solutions == 0 => NumberVerdict::NoSolution,
        _ => NumberVerdict::AsExpected,
    }
}
