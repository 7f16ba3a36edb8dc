//! Local search: starts from a full board and moves queens until none attacks another. It proves nothing, so it has
//! goal first only, and sizes for which every board has a solution. It ends with a solution or at a limit of its budget.
//!
//! `Attacks` counts the queens on each line of a board, and `Effort` what a search does.

mod min_conflicts;
mod queen_search;

use std::ops::RangeInclusive;

use crate::board::BoardSize;
use crate::solver::sink::deliver;
use crate::solver::{Outcome, Sink, Solver, Stat, Stop, Task};

/// Every local search.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    vec![Box::new(min_conflicts::MinConflicts), Box::new(queen_search::QueenSearch)]
}

/// The sizes of local search, and why it supports no others.
const SIZES: (RangeInclusive<usize>, &str) =
    (4..=BoardSize::LARGEST, "boards of 2 and 3 have no solution, which local search cannot prove");

/// The steps between two checks of the budget, at which progress is also reported.
const POLL_INTERVAL: u64 = 1 << 12;

/// The number of queens on each column and diagonal.
struct Attacks {
    n: usize,
    columns: Vec<u32>,
    rising: Vec<u32>,
    falling: Vec<u32>,
}

impl Attacks {
    fn empty(n: usize) -> Self {
        let diagonals = vec![0; 2 * n];
        Self { n, columns: vec![0; n], rising: diagonals.clone(), falling: diagonals }
    }

    fn put(&mut self, row: usize, column: usize) {
        self.columns[column] += 1;
        self.rising[row + column] += 1;
        self.falling[self.n + column - row] += 1;
    }

    fn remove(&mut self, row: usize, column: usize) {
        self.columns[column] -= 1;
        self.rising[row + column] -= 1;
        self.falling[self.n + column - row] -= 1;
    }

    /// The queens on the column and the diagonals of a square, each once per line, one on the square itself included.
    fn on(&self, row: usize, column: usize) -> u32 {
        self.columns[column] + self.rising[row + column] + self.falling[self.n + column - row]
    }

    /// Whether another queen attacks the queen on a square.
    fn attacked(&self, row: usize, column: usize) -> bool {
        self.on(row, column) > 3
    }
}

/// What a local search counts, and its limits.
struct Effort<'a> {
    task: &'a Task<'a>,
    repairs: u64,
    restarts: u64,
    steps: u64,
}

impl<'a> Effort<'a> {
    fn of(task: &'a Task<'a>) -> Self {
        Self { task, repairs: 0, restarts: 0, steps: 0 }
    }

    /// One more look for a better place; the reason to give up, if there is one.
    fn step(&mut self) -> Option<Stop> {
        self.steps += 1;
        if !self.steps.is_multiple_of(POLL_INTERVAL) {
            return None;
        }
        self.task.progress.advance(self.steps, 0);
        self.task.budget.exceeded(self.steps)
    }

    /// The outcome: a solution, or the reason for giving up.
    fn outcome(&self, found: Result<Vec<u32>, Stop>, sink: &mut dyn Sink) -> Outcome {
        let mut outcome = Outcome::default();
        match found {
            Ok(columns) => {
                let _ = deliver(sink, &columns);
                outcome.solutions = 1;
            }
            Err(stop) => outcome.stopped = Some(stop),
        }
        if self.task.counting {
            outcome.stats = [(Stat::Restarts, self.restarts), (Stat::Repairs, self.repairs)].into();
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::is_large_solution;
    use crate::solver::sink::Large;
    use crate::solver::{Goal, Options};

    fn first(solver: &dyn Solver, n: usize, seed: u64, options: &str) -> (Vec<u32>, Outcome) {
        let options = Options::parse(options, &solver.info()).expect("declared");
        let task = Task::new(BoardSize::large(n).expect("a size"), Goal::First);
        let mut found = Large::default();
        let outcome =
            solver.solve(&Task { counting: true, seed, options, ..task }, &mut found).expect("solved");
        (found.0.expect("a board"), outcome)
    }

    #[test]
    fn every_small_board_is_solved_for_every_seed_and_the_seed_decides() {
        for solver in solvers() {
            for n in 4..=40 {
                for seed in 0..10 {
                    let (board, outcome) = first(solver.as_ref(), n, seed, "");
                    assert!(board.len() == n && is_large_solution(&board), "{}, n = {n}", solver.info().id);
                    let again = first(solver.as_ref(), n, seed, "");
                    assert_eq!((board, outcome.stats), (again.0, again.1.stats));
                }
            }
        }
    }

    /// Minton et al. 1992: about 50 repairs from a greedy start whatever n is; growing like n from a random one.
    #[test]
    fn a_greedy_start_needs_far_fewer_repairs_than_a_random_one() {
        let repairs = |start| {
            let runs = (0..5).map(|seed| first(&min_conflicts::MinConflicts, 500, seed, start).1);
            runs.map(|outcome| outcome.stats.get(Stat::Repairs).expect("counted")).sum::<u64>()
        };
        assert!(repairs("start=greedy") * 2 < repairs("start=random"));
    }

    #[test]
    fn a_board_of_a_hundred_thousand_is_solved() {
        let (board, _) = first(&queen_search::QueenSearch, 100_000, 1, "");
        assert!(board.len() == 100_000 && is_large_solution(&board));
    }

    #[test]
    fn a_search_that_reaches_its_limit_claims_nothing() {
        for solver in solvers() {
            let budget = crate::solver::Budget { node_limit: Some(1), ..Default::default() };
            let task = Task { budget, ..Task::new(BoardSize::large(50_000).expect("a size"), Goal::First) };
            let outcome = solver.solve(&task, &mut Large::default()).expect("no failure");
            assert_eq!((outcome.solutions, outcome.stopped), (0, Some(Stop::NodeLimit)));
        }
    }
}
