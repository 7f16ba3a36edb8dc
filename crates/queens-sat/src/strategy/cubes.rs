//! Cube and conquer: the problem is divided into many subproblems (the cubes), each of which is solved by a SAT solver. A cube is a
//! legal placement of queens on the middle third of the rows. For each cube, a new SAT solver enumerates the placements on the other
//! rows. The strategy is a hybrid, because backtracking, and not SAT, finds the queens of the cubes.
//!
//! The *residual formula* of a cube has a variable for each free square, which no queen of the cube attacks, and constraints for the
//! lines without a queen of the cube. If more than `MAX_FREE_SQUARES` squares are free, the cube is divided further, into one cube
//! for each free square of the line with the fewest free squares. Otherwise, look-ahead excludes squares and finds forced queens, and
//! the solver gets the residual formula, even if look-ahead has solved it already.
//!
//! Queens on middle rows attack most of the board, so residual formulas are small. Memory is bounded by the models of one cube.
//! Symmetry is broken on a middle row, because the condition then prunes many cubes early. Threads take the next cube from a shared
//! queue. The budget is checked before each cube and after each model.
//! Source: Heule, Kullmann, Wieringa & Biere, HVC 2011 (cube and conquer).

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::{mem, thread};

use super::division::{Division, DivisionInput};
use super::models::ModelReceiver;
use super::residual::ResidualProblem;
use crate::am1::AtMostOne;
use crate::backend::{BackendError, IncrementalSolver};
use crate::cnf::variable;
use crate::symmetry::SymmetryBreaking;
use queens_board::open_board::OpenBoard;
use queens_board::prefix::Placements;
use queens_board::problem::Problem;
use queens_board::{Square, place};
use queens_solver::{Goal, Outcome, Phase, Sink, Stat, Statistics, Stop, Task};

/// The maximum number of queens of a cube.
const MAX_QUEENS: usize = 6;

/// The maximum number of free squares of a cube that is not divided. With varisat at n = 12, a maximum of 32 takes 1.18 times as long as
/// this value, because more clauses are learned per cube, and a maximum of 20 takes 1.06 times as long, because there are more cubes. At n = 13,
/// the three maxima take the same time.
const MAX_FREE_SQUARES: usize = 24;

/// The number of boards in each message of a thread.
const BOARDS_PER_BATCH: usize = 256;

/// The entry of this strategy in [`super::ALL`].
pub const CUBES: Division = Division {
    name: "cubes",
    about: "hybrid: backtracking fills the middle rows, and SAT completes each board",
    is_default: false,
    encodes_whole_board: false,
    uses_threads: true,
    statistics: &[Stat::SolverCalls, Stat::Cubes],
    supports_backend: |_| true,
    run,
};

fn run(input: &DivisionInput<'_>, sink: &mut dyn Sink) -> Result<Outcome, BackendError> {
    let &DivisionInput { at_most_one, open, symmetry, task } = input;
    let n = task.n().get();
    let breaking = SymmetryBreaking::on_middle_row(n, symmetry).with_shifts_of(&task.problem);
    let board = OpenBoard::new(&task.problem);
    let cubes = Mutex::new(cubes(&task.problem, breaking));
    let search =
        CubeSearch { n, at_most_one, open, task, breaking, board, cubes, is_done: AtomicBool::new(false) };
    task.progress.phase(Phase::Solve);
    // For n = 0, one thread is used, because a batch of boards without columns does not show how many boards it contains.
    if task.threads.get() > 1 && n > 0 {
        return search.solve_on_threads(sink);
    }
    let (solutions, stopped, stats) = search.solve_cubes(sink)?;
    Ok(Outcome { solutions, stopped, stats, ..Outcome::default() })
}

/// The state shared by all threads.
struct CubeSearch<'a, C> {
    n: usize,
    at_most_one: &'static AtMostOne,
    open: &'a (dyn Fn() -> Box<dyn IncrementalSolver> + Sync),
    task: &'a Task<'a>,
    breaking: SymmetryBreaking,
    /// The board without queens.
    board: OpenBoard,
    /// The cubes that no thread has taken yet.
    cubes: Mutex<C>,
    /// Whether the threads should end: the sink needs no further boards, or a thread has failed.
    is_done: AtomicBool,
}

impl<C: Iterator<Item = Vec<Square>> + Send> CubeSearch<'_, C> {
    /// Solves cubes until all cubes are solved or the search stops. Returns the number of solutions, the reason if the search stopped
    /// early, and the statistics.
    fn solve_cubes(&self, sink: &mut dyn Sink) -> Result<(u64, Option<Stop>, Statistics), BackendError> {
        let mut receiver = ModelReceiver::new(self.task, self.breaking, sink);
        let mut residual = ResidualProblem::new(self.board.clone());
        let mut columns = vec![0; self.n];
        let mut smaller_cubes: Vec<Vec<Square>> = Vec::new();
        let mut stats = Statistics::default();
        let (mut solved_cubes, mut calls) = (0, 0);
        let stopped = loop {
            if let Some(stop) = self.task.budget.exceeded(0) {
                break Some(stop);
            }
            let next_cube = smaller_cubes.pop().or_else(|| self.cubes.lock().ok()?.next());
            let Some(cube) = next_cube.filter(|_| !self.is_done.load(Ordering::Relaxed)) else { break None };
            let leading_square = leading_queen(&cube, &self.breaking);
            residual.restrict(&cube, |square| {
                leading_square.is_some_and(|leading_square| self.breaking.forbids(leading_square, square))
            });
            if is_divided(residual.squares.len(), cube.len()) {
                smaller_cubes
                    .extend(residual.branching_squares().map(|square| [&cube[..], &[square]].concat()));
                continue;
            }
            residual.look_ahead();
            residual.encode(self.at_most_one);
            let mut solver = (self.open)();
            // A queen on a square determines more variables than an empty square.
            solver.prefer_true(variable(residual.squares.len()));
            solver.add_formula(&residual.cnf);
            place(&mut columns, cube.iter().chain(&residual.forced).copied());
            let (new_calls, flow) = receiver.enumerate(&mut *solver, &residual.squares, &mut columns)?;
            solved_cubes += 1;
            calls += new_calls;
            if self.task.counting {
                stats.add(&solver.statistics());
            }
            if let ControlFlow::Break(reason) = flow {
                break reason;
            }
        };
        if self.task.counting {
            stats.set(Stat::Cubes, solved_cubes);
            stats.set(Stat::SolverCalls, calls);
        }
        Ok((receiver.solutions, stopped, stats))
    }

    /// Solves cubes on several threads; the calling thread passes the boards to the sink.
    fn solve_on_threads(&self, sink: &mut dyn Sink) -> Result<Outcome, BackendError> {
        let threads = self.task.threads.get();
        let (sender, batches) = sync_channel(2 * threads);
        thread::scope(|scope| {
            let worker = |_| {
                let sender = sender.clone();
                thread::Builder::new().spawn_scoped(scope, move || self.solve_and_send(sender))
            };
            // If the system refuses to start a thread, the threads that have started solve all cubes.
            let workers: Vec<_> = (0..threads).map_while(|number| worker(number).ok()).collect();
            drop(sender);
            if workers.is_empty() {
                return Err(BackendError::NoThread);
            }
            let (delivered, stopped) = self.deliver(batches, sink);
            let mut outcome = Outcome { stopped, ..Outcome::default() };
            for worker in workers {
                let worker = worker.join().map_err(|_| BackendError::Panicked)?;
                let (solutions, stopped, stats) = worker?;
                outcome.solutions += solutions;
                outcome.stopped = outcome.stopped.or(stopped);
                outcome.stats.add(&stats);
            }
            if self.task.goal != Goal::Count {
                // Boards that the sink did not receive are not part of the result.
                outcome.solutions = delivered;
            }
            if self.task.goal == Goal::First && delivered > 0 {
                // A first solution reaches the goal, even if the other threads were stopped before they had solved their cubes.
                outcome.stopped = None;
            }
            Ok(outcome)
        })
    }

    /// Solves cubes and sends the boards, until all cubes are solved or the receiver has been dropped.
    fn solve_and_send(
        &self,
        sender: SyncSender<Vec<u32>>,
    ) -> Result<(u64, Option<Stop>, Statistics), BackendError> {
        let mut batch: Vec<u32> = Vec::new();
        let mut send = |columns: &[u32]| {
            batch.extend_from_slice(columns);
            if batch.len() < BOARDS_PER_BATCH * self.n && self.task.goal != Goal::First {
                return ControlFlow::Continue(());
            }
            match sender.send(mem::take(&mut batch)) {
                Ok(()) if !self.is_done.load(Ordering::Relaxed) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        };
        let result = self.solve_cubes(&mut send);
        if result.is_err() {
            self.is_done.store(true, Ordering::Relaxed);
        }
        // Sending fails only if the receiver has been dropped, and then no more boards are needed.
        let _ = sender.send(batch);
        result
    }

    /// Passes boards to the sink until the goal is reached or the sink breaks. Returns the number of boards, and `Stop::Sink` if the sink
    /// broke before the goal was reached.
    fn deliver(&self, batches: Receiver<Vec<u32>>, sink: &mut dyn Sink) -> (u64, Option<Stop>) {
        let mut delivered = 0;
        for batch in batches {
            for columns in batch.chunks(self.n) {
                let flow = sink.solution(columns);
                delivered += 1;
                let needs_one_board = self.task.goal == Goal::First;
                if needs_one_board || flow.is_break() {
                    self.is_done.store(true, Ordering::Relaxed);
                    return (delivered, (!needs_one_board).then_some(Stop::Sink));
                }
            }
            self.task.progress.advance(0, delivered);
        }
        (delivered, None)
    }
}

/// An iterator over the cubes: the legal placements on the middle third of the rows that satisfy the symmetry condition. The row of
/// the condition comes first.
fn cubes(problem: &Problem, breaking: SymmetryBreaking) -> impl Iterator<Item = Vec<Square>> + Send + use<> {
    let n = problem.n().get();
    let mut rows: Vec<usize> = (0..n).collect();
    rows.sort_by_key(|&row| (row != breaking.row, (2 * row + 1).abs_diff(n)));
    rows.truncate((n / 3).min(MAX_QUEENS));
    Placements::new(problem, rows, move |queens, square| {
        // If no leading queen is placed yet, the new queen is the leading queen.
        let leading_square = leading_queen(queens, &breaking).unwrap_or(square);
        !breaking.forbids(leading_square, square)
    })
}

/// Whether a cube with this number of queens and of free squares is divided.
fn is_divided(squares: usize, queens: usize) -> bool {
    squares > MAX_FREE_SQUARES && queens < MAX_QUEENS
}

/// The leading queen of a cube; `None` if it is not placed yet. The symmetry condition compares all other queens with the leading queen.
fn leading_queen(cube: &[Square], breaking: &SymmetryBreaking) -> Option<Square> {
    let first = *cube.first()?;
    if breaking.is_tie(first) { cube.get(1).copied() } else { Some(first) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::num::NonZeroUsize;
    use std::sync::Arc;
    use std::thread::ThreadId;

    use super::*;
    use crate::am1::PAIRWISE;
    use crate::backend::{self, BackendOptions};
    use crate::symmetry::SymmetryGroup;
    use queens_board::BoardSize;
    use queens_solver::{Budget, sink::Discard};

    /// Runs a task with the first backend. Returns the outcome and the threads that opened solvers.
    fn run_on_threads(task: &Task<'_>, sink: &mut dyn Sink) -> (Outcome, Vec<ThreadId>) {
        let threads = Mutex::new(Vec::new());
        let open = || {
            threads.lock().expect("no panic").push(thread::current().id());
            (backend::ALL[0].open)(&BackendOptions::default())
        };
        let input =
            DivisionInput { at_most_one: &PAIRWISE, open: &open, symmetry: SymmetryGroup::None, task };
        let outcome = run(&input, sink).expect("no failure");
        (outcome, threads.into_inner().expect("no panic"))
    }

    fn task(n: usize, goal: Goal, threads: usize) -> Task<'static> {
        let threads = NonZeroUsize::new(threads).expect("not 0");
        Task { threads, ..Task::of(&plain_problem(n), goal) }
    }

    /// For 10 queens, there are 724 solutions, which is more than a batch.
    #[test]
    fn cubes_are_solved_on_all_requested_threads() {
        for threads in [1, 2] {
            let mut boards = BTreeSet::new();
            let mut collect = |columns: &[u32]| {
                boards.insert(columns.to_vec());
                ControlFlow::Continue(())
            };
            let (outcome, thread_ids) = run_on_threads(&task(10, Goal::Enumerate, threads), &mut collect);
            assert_eq!((outcome.solutions, outcome.stopped, boards.len()), (724, None, 724));
            let is_caller: BTreeSet<bool> =
                thread_ids.iter().map(|&id| id == thread::current().id()).collect();
            assert_eq!(is_caller, [threads == 1].into(), "{threads} threads");
        }
    }

    #[test]
    fn limit_before_first_solution_leaves_result_unknown() {
        for threads in [1, 2] {
            let cancel = Some(Arc::new(AtomicBool::new(true)));
            let task =
                Task { budget: Budget { cancel, ..Budget::default() }, ..task(8, Goal::First, threads) };
            let (outcome, _) = run_on_threads(&task, &mut Discard);
            assert_eq!((outcome.solutions, outcome.stopped), (0, Some(Stop::Cancelled)), "{threads} threads");
        }
    }

    #[test]
    fn large_cubes_are_divided() {
        assert_eq!(
            [(24, 3), (25, 3), (25, 5), (25, 6)].map(|(squares, queens)| is_divided(squares, queens)),
            [false, true, true, false]
        );
    }

    fn plain_problem(n: usize) -> Problem {
        Problem::queens(BoardSize::new(n).expect("a small board"))
    }

    fn cubes(n: usize, symmetry: SymmetryGroup) -> Vec<Vec<Square>> {
        super::cubes(&plain_problem(n), SymmetryBreaking::on_middle_row(n, symmetry)).collect()
    }

    /// Of the n^2 pairs of squares on two rows at distance d, n are in one column and 2(n - d) on one diagonal.
    #[test]
    fn cubes_are_legal_placements_on_middle_rows() {
        assert_eq!([0, 1, 2].map(|n| cubes(n, SymmetryGroup::None)), [[[]], [[]], [[]]]);
        assert_eq!([3, 4, 5].map(|n| cubes(n, SymmetryGroup::None).len()), [3, 4, 5]);
        assert_eq!(
            [6, 7, 8].map(|n| cubes(n, SymmetryGroup::None).len()),
            [6, 7, 8].map(|n| n * n - n - 2 * (n - 1))
        );
        let first = &cubes(12, SymmetryGroup::None)[0];
        assert_eq!(first.iter().map(|queen| queen.row).collect::<Vec<_>>(), [5, 6, 4, 7]);
    }

    #[test]
    fn symmetry_breaking_gives_fewer_cubes() {
        for n in 6..=13 {
            let total = cubes(n, SymmetryGroup::None).len();
            assert_eq!(cubes(n, SymmetryGroup::Mirror).len() * 2, total, "n = {n}");
            let full_count = cubes(n, SymmetryGroup::Full).len();
            assert!(full_count * 3 < total || n < 9, "n = {n}: {full_count} of {total}");
        }
    }
}
