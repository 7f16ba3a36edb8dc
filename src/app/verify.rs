//! Compares solvers with each other and with published values, and proves the number of search nodes on each level.

use super::{AppError, Event, InputError, Observer};
use crate::backtrack::Bitmask;
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::board::published;
use crate::model::SolverRef;
use crate::registry::Registry;
use crate::solver::{self, ConfiguredSolver, Solver};
use crate::verify::crosscheck::{Crosscheck, Entrant, crosscheck};
use crate::verify::levels::{self, MAX_SIZE, ProvedLevels};

/// The default reference.
pub const DEFAULT_REFERENCE: &str = "sat/pairwise/varisat";

/// The pattern of the solvers that are compared by default.
pub const BACKTRACKERS: &str = "backtrack/*";

/// The solvers to compare, and the problems.
pub struct VerifyInput<'a> {
    /// The solvers, each with the maximum size at which it is compared.
    pub entrants: Vec<Entrant<'a>>,
    /// The problems.
    pub problems: Vec<Problem>,
}

/// Compares the boards of solvers.
///
/// Searchers and the strategy `cubes` share the code that tracks attacked lines, so a bug in it could make all of them wrong.
/// Therefore [`DEFAULT_REFERENCE`] is added if no solver is a built-in SAT solver on the formula of the whole board.
///
/// # Errors
///
/// No solver enumerates these problems, or one failed. A disagreement is not an error.
pub fn verify(
    input: VerifyInput<'_>,
    registry: &Registry,
    observe: Observer<'_>,
) -> Result<Crosscheck, AppError> {
    let VerifyInput { mut entrants, problems } = input;
    let enumerations = |entrants: &[Entrant<'_>]| -> usize {
        let entrant_count = |problem| entrants.iter().filter(|entrant| entrant.takes_part(problem)).count();
        problems.iter().map(entrant_count).sum()
    };
    if enumerations(&entrants) == 0 {
        let mut sizes: Vec<usize> = problems.iter().map(|problem| problem.n().get()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        return Err(InputError::NoEnumeration(sizes).into());
    }
    let is_independent = |entrant: &Entrant<'_>| {
        let solver = SolverRef::of(&entrant.solver.info().id, []);
        solver.encodes_whole_board() && !solver.starts_programs()
    };
    if !entrants.iter().any(is_independent) {
        entrants.push(Entrant::new(registry.get(DEFAULT_REFERENCE)?));
    }
    observe(Event::EnumerationsBegin {
        total: enumerations(&entrants),
        long_sizes: &sizes_with_many_solutions(&problems),
    });
    let progress_forwarder = ProgressForwarder(observe);
    let on_begin = |n: BoardSize, solver: &str| {
        observe(Event::EnumerationBegins { n, solver });
        &progress_forwarder as &dyn solver::Progress
    };
    let report = crosscheck(&entrants, problems, &on_begin)?;
    observe(Event::EnumerationsEnd);
    Ok(report)
}

/// Forwards the progress of a solver as events.
struct ProgressForwarder<'a>(Observer<'a>);

impl solver::Progress for ProgressForwarder<'_> {
    fn advance(&self, nodes: u64, solutions: u64) {
        self.0(Event::EnumerationAdvances { nodes, solutions });
    }
}

/// With more than this number of solutions, a SAT solver takes hours to enumerate them.
pub const MANY_SOLUTIONS: u64 = 300_000;

/// The sizes of the problems with more than [`MANY_SOLUTIONS`] solutions, or with an unknown number of solutions.
fn sizes_with_many_solutions(problems: &[Problem]) -> Vec<usize> {
    let has_many_solutions =
        |problem: &&Problem| published::of_problem(problem).is_none_or(|(count, _)| count > MANY_SOLUTIONS);
    let mut sizes: Vec<usize> =
        problems.iter().filter(has_many_solutions).map(|problem| problem.n().get()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Proves the number of search nodes on each level of these boards, and compares it with searchers.
///
/// # Errors
///
/// A board is too large, or a solver failed. A difference is not an error.
pub fn prove_levels(
    solvers: &[(ConfiguredSolver<'_>, Option<usize>)],
    sizes: &[BoardSize],
) -> Result<ProvedLevels, AppError> {
    if let Some(n) = sizes.iter().find(|n| n.get() > MAX_SIZE) {
        return Err(InputError::TooLargeForLevels(n.get()).into());
    }
    let solvers: Vec<&dyn Solver> = solvers.iter().map(|(solver, _)| solver as &dyn Solver).collect();
    Ok(levels::levels(&Bitmask, &solvers, sizes.iter().copied())?)
}
