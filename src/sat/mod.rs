//! SAT: N-Queens as a formula, solved by somebody else's solver.
//!
//! [`encoding`] turns a board into a [`cnf::Cnf`] with the help of an at-most-one encoding
//! ([`am1`]); a SAT solver ([`backend`]) finds models; [`enumerate`] finds them all. [`dimacs`]
//! writes and reads formulas. Solver ids are `sat/<encoding>/<backend>`.

pub mod am1;
pub mod backend;
pub mod cnf;
pub mod dimacs;
pub mod encoding;
pub mod enumerate;
pub mod symmetry;

use crate::solver::{Info, Outcome, Sink, SolveError, Solver, Stat, Task};
use am1::AtMostOne;
use backend::BackendKind;

/// Every solver of this family.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    let pairs =
        am1::ALL.into_iter().flat_map(|am1| backend::ALL.into_iter().map(move |backend| (am1, backend)));
    pairs.map(|(am1, backend)| Box::new(SatSolver { am1, backend }) as Box<dyn Solver>).collect()
}

/// N-Queens by an encoding and a SAT solver.
#[derive(Clone, Copy)]
pub struct SatSolver {
    am1: &'static dyn AtMostOne,
    backend: BackendKind,
}

impl Solver for SatSolver {
    fn info(&self) -> Info {
        let SatSolver { am1, backend } = self;
        let mut statistics = vec![Stat::Vars, Stat::AuxVars, Stat::Clauses, Stat::SolverCalls];
        statistics.extend(backend.capabilities.statistics);
        Info {
            about: format!(
                "direct encoding, at most one by {}; all solutions by blocking clauses; {}",
                am1.name(),
                backend.about
            ),
            sizes: 0..=am1.largest_board(),
            sizes_reason: "a larger formula and its solver exceed 1 GiB",
            statistics,
            ..Info::named(format!("sat/{}/{}", am1.name(), backend.name))
        }
    }

    fn solve(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let info = self.info();
        if let Some(refusal) = info.refusal(task.n, task.goal) {
            return Err(refusal);
        }
        let encode = || encoding::direct(task.n.get(), self.am1);
        let open = || (self.backend.open)(task.counting);
        enumerate::run(task, sink, encode, open)
            .map_err(|error| SolveError::Failed { id: info.id, reason: error.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::board::BoardSize;
    use crate::board::prefix::Prefix;
    use crate::solver::sink::{Collect, Discard};
    use crate::solver::{Goal, SatStats, Stop};

    fn task(n: usize, goal: Goal) -> Task<'static> {
        Task::new(BoardSize::new(n).expect("a small board"), goal)
    }

    fn counting(n: usize, goal: Goal) -> Task<'static> {
        Task { counting: true, ..task(n, goal) }
    }

    fn solutions(n: usize) -> Vec<Vec<u16>> {
        Prefix::all(n, n).iter().map(|prefix| prefix.columns().to_vec()).collect()
    }

    #[test]
    fn every_solver_enumerates_exactly_the_solutions() {
        for solver in solvers() {
            for n in 0..=7 {
                for task in [task(n, Goal::Enumerate), counting(n, Goal::Enumerate)] {
                    let mut found = Collect::default();
                    let outcome = solver.solve(&task, &mut found).expect("within its sizes");
                    let mut found: Vec<_> =
                        found.0.iter().map(|placement| placement.columns().to_vec()).collect();
                    found.sort();
                    assert_eq!(found, solutions(n), "{}, n = {n}", solver.info().id);
                    assert_eq!((outcome.solutions, outcome.stopped), (found.len() as u64, None));
                }
            }
        }
    }

    #[test]
    fn counting_visits_no_board_and_first_at_most_one() {
        for solver in solvers() {
            for n in 0..=7 {
                let expected = solutions(n);
                let mut visited = Collect::default();
                let outcome = solver.solve(&task(n, Goal::Count), &mut visited).expect("within its sizes");
                assert_eq!((outcome.solutions, visited.0.len()), (expected.len() as u64, 0));
                let outcome = solver.solve(&task(n, Goal::First), &mut visited).expect("within its sizes");
                assert_eq!(outcome.solutions, expected.len().min(1) as u64);
                assert_eq!(outcome.stopped, None);
                assert_eq!(visited.0.len(), expected.len().min(1));
                assert!(visited.0.iter().all(|placement| placement.is_solution()));
            }
        }
    }

    #[test]
    fn a_sink_that_breaks_ends_the_search() {
        for solver in solvers() {
            let mut visits = 0;
            let mut sink = |_: &[u16]| {
                visits += 1;
                if visits == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let outcome = solver.solve(&task(8, Goal::Enumerate), &mut sink).expect("within its sizes");
            assert_eq!((outcome.solutions, outcome.stopped, visits), (3, Some(Stop::Sink), 3));
        }
    }

    #[test]
    fn a_cancelled_search_ends_between_two_calls() {
        for solver in solvers() {
            let cancel = Arc::new(AtomicBool::new(false));
            let mut task = task(8, Goal::Enumerate);
            task.budget.cancel = Some(Arc::clone(&cancel));
            let mut sink = |_: &[u16]| {
                cancel.store(true, Ordering::Relaxed);
                ControlFlow::Continue(())
            };
            let outcome = solver.solve(&task, &mut sink).expect("within its sizes");
            assert_eq!((outcome.solutions, outcome.stopped), (1, Some(Stop::Cancelled)));
        }
    }

    #[test]
    fn exactly_the_declared_statistics_are_reported_and_none_without_counting() {
        for solver in solvers() {
            let outcome = solver.solve(&task(6, Goal::Enumerate), &mut Discard).expect("within its sizes");
            assert_eq!(outcome.sat, SatStats::default());
            let outcome =
                solver.solve(&counting(6, Goal::Enumerate), &mut Discard).expect("within its sizes");
            let sat = outcome.sat;
            let declared = solver.info().statistics;
            for (stat, reported) in [
                (Stat::Vars, sat.vars),
                (Stat::AuxVars, sat.aux_vars),
                (Stat::Clauses, sat.clauses),
                (Stat::SolverCalls, sat.solver_calls),
                (Stat::Cubes, sat.cubes),
                (Stat::LearnedClauses, sat.learned_clauses),
                (Stat::Decisions, sat.decisions),
                (Stat::Conflicts, sat.conflicts),
                (Stat::Propagations, sat.propagations),
                (Stat::ProofBytes, sat.proof_bytes),
            ] {
                assert_eq!(reported.is_some(), declared.contains(&stat), "{} {stat:?}", solver.info().id);
            }
        }
    }

    /// One call a solution and one that says there are no more; 8 * 8 squares, 744 clauses.
    #[test]
    fn the_statistics_of_8_queens_are_those_of_the_formula_and_repeat() {
        let solver = &solvers()[0];
        assert_eq!(solver.info().id, "sat/pairwise/varisat");
        let run = || solver.solve(&counting(8, Goal::Enumerate), &mut Discard).expect("within its sizes");
        let outcome = run();
        assert_eq!(outcome.solutions, 92);
        assert_eq!(
            (outcome.sat.vars, outcome.sat.aux_vars, outcome.sat.clauses),
            (Some(64), Some(0), Some(744))
        );
        assert_eq!(outcome.sat.solver_calls, Some(93));
        assert!(outcome.sat.learned_clauses > Some(0));
        assert_eq!(run().sat, outcome.sat);
    }

    #[test]
    fn a_board_beyond_the_limit_is_refused_with_the_reason() {
        for solver in solvers() {
            let Some(n) = solver.info().sizes.end().checked_add(1).filter(|&n| n <= BoardSize::MAX) else {
                continue;
            };
            let error = solver.solve(&task(n, Goal::First), &mut Discard).expect_err("too large");
            assert!(error.to_string().contains("exceed 1 GiB"), "{error}");
        }
    }
}
