#![doc = include_str!("../README.md")]
// Tests convert small numbers freely, and may set a deadline.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod am1;
pub mod answer_pattern;
pub mod backend;
pub mod cnf;
pub mod counter;
pub mod dimacs;
pub mod encoding;
pub mod program;
pub mod strategy;
pub mod symmetry;

use am1::AtMostOne;
use backend::{Backend, BackendError, BackendKind};
use program::DimacsProgram;
use queens_solver::{Info, Outcome, Sink, SolveError, Solver, Task};
use strategy::{DivisionInput, Strategy};

/// All SAT solvers. The solvers `sat/*/external` have no command, so they are unavailable.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    let combine_with_backends =
        |at_most_one| backend::ALL.iter().flat_map(move |&kind| combine(at_most_one, Backend::new(kind)));
    am1::ALL.into_iter().flat_map(combine_with_backends).collect()
}

/// The solvers `sat/*/NAME`, which run an external SAT solver with this name.
pub fn external_solvers(program: &DimacsProgram) -> Vec<Box<dyn Solver>> {
    am1::ALL
        .into_iter()
        .flat_map(|at_most_one| combine(at_most_one, Backend::from(program.clone())))
        .collect()
}

/// Combines an encoding and a backend with each strategy that the backend supports.
fn combine(at_most_one: &'static AtMostOne, backend: Backend) -> Vec<Box<dyn Solver>> {
    let kind = *backend.kind();
    let solver =
        |strategy| Box::new(SatSolver::new(at_most_one, backend.clone(), strategy)) as Box<dyn Solver>;
    Strategy::of(&kind).map(solver).collect()
}

/// A solver for N-Queens, made of an encoding, a SAT solver and a strategy.
///
/// ```
/// use queens_board::BoardSize;
/// use queens_sat::{SatSolver, am1, backend::{self, Backend}, strategy::Strategy};
/// use queens_solver::{Goal, Solver, Task, sink::Discard};
///
/// let chrono = backend::ALL.iter().find(|backend| backend.name == "chrono").expect("it is there");
/// for strategy in Strategy::of(chrono) {
///     let solver = SatSolver::new(&am1::PAIRWISE, Backend::new(*chrono), strategy);
///     let outcome = solver.solve(&Task::new(BoardSize::new(6)?, Goal::Count), &mut Discard)?;
///     assert_eq!(outcome.solutions, 4);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SatSolver {
    at_most_one: &'static AtMostOne,
    backend: Backend,
    strategy: Strategy,
}

impl SatSolver {
    /// Combines an encoding, a backend and a strategy. The strategy should be one of those that [`Strategy::of`] returns for the backend.
    /// With another strategy, the solver finds the same solutions, but its id names a method that it does not use.
    pub fn new(at_most_one: &'static AtMostOne, backend: Backend, strategy: Strategy) -> Self {
        Self { at_most_one, backend, strategy }
    }
}

impl Solver for SatSolver {
    fn info(&self) -> Info {
        let SatSolver { at_most_one, backend, strategy } = self;
        let BackendKind { about, statistics, largest_board, .. } = backend.kind();
        Info {
            about: format!("at most one by {}; {}; {about}", at_most_one.name, strategy.about()),
            version: backend.version().to_owned(),
            any_problem: true,
            symmetries: strategy.symmetry.group(),
            uses_threads: strategy.division.uses_threads,
            uses_external: backend.kind().name == "external",
            sizes: 0..=largest_board(at_most_one.largest_board),
            sizes_reason: "for a larger board, the formula and its solver exceed 2 GiB",
            unavailable: backend.unavailable(),
            statistics: [strategy.division.statistics, statistics].concat(),
            ..Info::named(self.id())
        }
    }

    fn id(&self) -> String {
        let id = ["sat", self.at_most_one.name, self.backend.name()].join("/");
        match self.strategy.name() {
            Some(strategy) => id + "/" + &strategy,
            None => id,
        }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let SatSolver { at_most_one, backend, strategy } = self;
        let open = &|| backend.open(task.counting, &task.budget);
        let input = DivisionInput { at_most_one, open, symmetry: strategy.symmetry, task };
        let outcome = (strategy.division.run)(&input, sink);
        outcome.map_err(|error| match error {
            BackendError::Program(program_error) if program_error.is_unknown() => {
                SolveError::Unknown { id: self.id(), reason: program_error.to_string() }
            }
            BackendError::Program(ref program_error) if program_error.is_fault_of_machine() => {
                SolveError::Machine { id: self.id(), reason: error.to_string() }
            }
            BackendError::NoThread => SolveError::Machine { id: self.id(), reason: error.to_string() },
            BackendError::WrongModel { .. } => SolveError::Wrong { id: self.id(), reason: error.to_string() },
            error => SolveError::Failed { id: self.id(), reason: error.to_string() },
        })
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::ops::{ControlFlow, RangeInclusive};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use queens_board::BoardSize;
    use queens_board::prefix::Prefix;
    use queens_board::problem::Problem;
    use queens_solver::sink::{Collect, Discard};
    use queens_solver::{Budget, Goal, Stat, Stop};

    fn task(n: usize, goal: Goal) -> Task<'static> {
        Task::new(BoardSize::new(n).expect("a small board"), goal)
    }

    fn counting_task(n: usize, goal: Goal) -> Task<'static> {
        Task { counting: true, ..task(n, goal) }
    }

    fn solutions(n: usize) -> Vec<Vec<u32>> {
        Prefix::all(n, n).iter().map(|prefix| prefix.columns().to_vec()).collect()
    }

    /// There is one call per solution, and one call for the answer that there is no further solution.
    #[test]
    fn statistics_of_8_queens_are_reproducible() {
        let solver = &solvers()[0];
        assert_eq!(solver.id(), "sat/pairwise/varisat");
        let run =
            || solver.solve(&counting_task(8, Goal::Enumerate), &mut Discard).expect("within its sizes");
        let outcome = run();
        assert_eq!(outcome.solutions, 92);
        let mut stats = outcome.stats.clone();
        assert!(stats.get(Stat::LearnedClauses) > Some(0));
        stats.set(Stat::LearnedClauses, None);
        let formula = [(Stat::Vars, 64), (Stat::AuxVars, 0), (Stat::Clauses, 744), (Stat::SolverCalls, 93)];
        assert_eq!(stats, formula.into());
        assert_eq!(run().stats, outcome.stats);
    }

    #[test]
    fn number_of_solver_calls_is_independent_of_backend() {
        for (n, goal, calls) in [(6, Goal::Enumerate, 5), (3, Goal::Enumerate, 1), (6, Goal::First, 1)] {
            for solver in solvers() {
                if solver.info().unavailable.is_some() || solver.id().matches('/').count() != 2 {
                    continue;
                }
                let outcome = solver.solve(&counting_task(n, goal), &mut Discard).expect("within its sizes");
                assert_eq!(outcome.stats.get(Stat::SolverCalls), Some(calls), "{} n = {n}", solver.id());
            }
        }
    }

    /// The 88 solutions for 11 toroidal queens form 4 orbits of 22 shifts and mirror images, so the SAT solver finds 4 models.
    #[test]
    fn symmetry_breaking_includes_shifts_of_the_torus() {
        let problem = Problem::from_text(BoardSize::new(11).expect("small"), "toroidal").expect("a problem");
        for solver in solvers() {
            let id = solver.id();
            let models = match id.as_str() {
                "sat/pairwise/varisat/cubes" => 88,
                "sat/pairwise/varisat/cubes-mirror" => 44,
                "sat/pairwise/varisat/cubes-full"
                | "sat/pairwise/varisat/blocking-full"
                | "sat/pairwise/chrono/whole-full" => 4,
                _ => continue,
            };
            let task = Task { counting: true, ..Task::of(&problem, Goal::Count) };
            let outcome = solver.solve(&task, &mut Discard).expect("any problem");
            let [calls, cubes] = [Stat::SolverCalls, Stat::Cubes].map(|stat| outcome.stats.get(stat));
            // The last call for each formula answers that there is no further model.
            assert_eq!(calls, Some(models + cubes.unwrap_or(1)), "{id}");
            assert_eq!(outcome.solutions, 88, "{id}");
        }
    }

    /// With three queens on the middle rows of 11 rows, 33 to 46 squares are free, so all cubes are divided.
    #[test]
    fn dividing_cubes_loses_no_solution() {
        for solver in solvers().iter().filter(|solver| solver.id().starts_with("sat/pairwise/batsat/cubes")) {
            assert_eq!(sorted_boards(&**solver, 11), solutions(11), "{}", solver.id());
        }
    }

    fn solver_with_symmetry_breaking() -> SatSolver {
        let strategy = Strategy::all().last().expect("one");
        let solver = SatSolver::new(&am1::PAIRWISE, Backend::new(backend::ALL[0]), strategy);
        assert_eq!(solver.id(), "sat/pairwise/varisat/cubes-full");
        solver
    }

    /// Compares the number of models with the number of solutions that satisfy the symmetry condition.
    #[test]
    fn models_of_cubes_are_exactly_the_allowed_boards() {
        let solver = solver_with_symmetry_breaking();
        for n in 6..=9 {
            let breaking = symmetry::SymmetryBreaking::on_middle_row(n, symmetry::SymmetryGroup::Full);
            let allowed_count = solutions(n).iter().filter(|columns| breaking.allows(columns)).count() as u64;
            let outcome =
                solver.solve(&counting_task(n, Goal::Count), &mut Discard).expect("within its sizes");
            let [calls, cubes] = [Stat::SolverCalls, Stat::Cubes].map(|stat| outcome.stats.get(stat));
            assert_eq!(calls, cubes.map(|cubes| cubes + allowed_count), "n = {n}");
        }
    }

    #[test]
    fn cancelled_task_reports_its_cancellation() {
        for solver in solvers().iter().filter(|solver| solver.info().unavailable.is_none()) {
            let cancel = Some(Arc::new(AtomicBool::new(true)));
            let budget = Budget { cancel, ..Budget::default() };
            let task = Task { budget, ..task(6, Goal::Enumerate) };
            let outcome = solver.solve(&task, &mut Discard).expect("within its sizes");
            assert_eq!(outcome.stopped, Some(Stop::Cancelled), "{}", solver.id());
        }
    }

    #[test]
    fn threads_share_cubes_and_report_solutions_once() {
        let solver = solver_with_symmetry_breaking();
        for (n, threads) in (0..=8).flat_map(|n| [1, 2, 3].map(|threads| (n, threads))) {
            let run = |goal, sink: &mut dyn Sink| {
                let threads = NonZeroUsize::new(threads).expect("not 0");
                solver.solve(&Task { threads, ..counting_task(n, goal) }, sink).expect("within its sizes")
            };
            let context = format!("n = {n}, {threads} threads");
            let expected = solutions(n);
            let mut boards = Collect::default();
            let enumeration = run(Goal::Enumerate, &mut boards);
            let mut boards: Vec<Vec<u32>> = boards.0.iter().map(|board| board.columns().to_vec()).collect();
            boards.sort();
            assert_eq!(boards, expected, "{context}");
            let count = run(Goal::Count, &mut Discard);
            assert_eq!([enumeration.solutions, count.solutions], [expected.len() as u64; 2], "{context}");
            assert_eq!([enumeration.stopped, count.stopped], [None; 2], "{context}");
            let serial_count =
                solver.solve(&counting_task(n, Goal::Count), &mut Discard).expect("within its sizes");
            assert_eq!(count.stats, serial_count.stats, "{context}");
            let mut boards = Collect::default();
            let first_outcome = run(Goal::First, &mut boards);
            assert_eq!(
                (first_outcome.solutions, first_outcome.stopped),
                (expected.len().min(1) as u64, None),
                "{context}"
            );
            assert!(
                boards.0.len() as u64 == first_outcome.solutions
                    && boards.0.iter().all(|board| board.is_solution()),
                "{context}"
            );
            let mut remaining = 3;
            let mut take_three = |_: &[u32]| {
                remaining -= 1;
                if remaining == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let stopped_outcome = run(Goal::Enumerate, &mut take_three);
            let reason = (expected.len() >= 3).then_some(Stop::Sink);
            assert_eq!(
                (stopped_outcome.solutions, stopped_outcome.stopped),
                (expected.len().min(3) as u64, reason),
                "{context}"
            );
        }
    }

    #[test]
    fn external_solver_without_a_program_is_unavailable() {
        let unavailable_solvers: Vec<_> =
            solvers().into_iter().filter(|s| s.id().contains("/external")).collect();
        assert_eq!(unavailable_solvers.len(), am1::ALL.len() * Strategy::of(&backend::EXTERNAL).count());
        for solver in unavailable_solvers {
            let error = solver.solve(&task(4, Goal::First), &mut Discard).expect_err("no program");
            let message = "is unavailable: no program is given: name one with --sat external='CMD {cnf}'";
            assert_eq!(error.to_string(), format!("{} {message}", solver.id()));
            // Sweeps measure the time of `search`, which does not check first whether the program exists.
            let error = solver.search(&task(4, Goal::First), &mut Discard).expect_err("no program");
            assert!(matches!(error, SolveError::Failed { .. }), "{error}");
        }
    }

    /// The external solvers that run this command and whose ids satisfy the predicate; none if the program is not installed.
    fn installed_solvers(command: &str, is_selected: impl Fn(&str) -> bool) -> Vec<Box<dyn Solver>> {
        let is_selected = |id: String| id.contains("/external") && is_selected(&id);
        let mut solvers: Vec<_> = external_solvers(&DimacsProgram::new("external", command))
            .into_iter()
            .filter(|solver| is_selected(solver.id()))
            .collect();
        if let Some(reason) = solvers.first().and_then(|solver| solver.info().unavailable) {
            println!("skipped: {reason}");
            solvers.clear();
        }
        solvers
    }

    fn sorted_boards(solver: &dyn Solver, n: usize) -> Vec<Vec<u32>> {
        let mut boards = Collect::default();
        solver.solve(&task(n, Goal::Enumerate), &mut boards).expect("within its sizes");
        let mut boards: Vec<_> = boards.0.iter().map(|board| board.columns().to_vec()).collect();
        boards.sort();
        boards
    }

    /// Each call of clasp finds one model, which a blocking clause then forbids, until clasp prints UNSATISFIABLE.
    fn clasp_finds_exactly_the_solutions(sizes: RangeInclusive<usize>, is_selected: impl Fn(&str) -> bool) {
        for solver in installed_solvers("clasp {cnf}", is_selected) {
            for n in sizes.clone() {
                assert_eq!(sorted_boards(&*solver, n), solutions(n), "{}, n = {n}", solver.id());
            }
        }
    }

    #[test]
    fn clasp_finds_exactly_the_solutions_in_every_encoding() {
        clasp_finds_exactly_the_solutions(0..=5, |id| !id.contains("cubes"));
        clasp_finds_exactly_the_solutions(0..=5, |id| {
            id.starts_with("sat/pairwise/") && id.contains("cubes")
        });
    }

    #[test]
    #[ignore = "long: thousands of runs of clasp"]
    fn clasp_finds_exactly_the_solutions_of_small_boards() {
        clasp_finds_exactly_the_solutions(6..=7, |id| !id.contains("cubes"));
        clasp_finds_exactly_the_solutions(6..=6, |id| {
            id.starts_with("sat/pairwise/") && id.contains("cubes")
        });
    }

    fn minisat_and_cadical_find_first_solutions(sizes: RangeInclusive<usize>) {
        for command in ["minisat {cnf} {result}", "cadical -q {cnf}"] {
            for solver in installed_solvers(command, |id| id.ends_with("/external")) {
                for n in sizes.clone() {
                    let mut boards = Collect::default();
                    let outcome = solver.solve(&task(n, Goal::First), &mut boards).expect("within its sizes");
                    assert_eq!(outcome.solutions, u64::from(n != 2 && n != 3), "{command}, n = {n}");
                    assert!(boards.0.iter().all(|board| board.size() == n && board.is_solution()));
                }
            }
        }
    }

    #[test]
    fn minisat_and_cadical_solve_exactly_the_solvable_sizes() {
        minisat_and_cadical_find_first_solutions(0..=8);
    }

    #[test]
    #[ignore = "long: hundreds of runs of minisat and cadical"]
    fn minisat_and_cadical_solve_larger_boards() {
        minisat_and_cadical_find_first_solutions(9..=20);
    }
}
