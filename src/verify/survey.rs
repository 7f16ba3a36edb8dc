//! One pass over a solver's solutions in constant memory, and the exact difference of two solvers
//! whose digests differ.

use std::ops::ControlFlow;

use super::Shown;
use crate::board::Placement;
use crate::board::problem::Problem;
use crate::board::symmetry::is_canonical;
use crate::solver::sink::Digest;
use crate::solver::{Goal, Outcome, Sink, SolveError, Solver, Task};

/// A summary of an enumeration. Memory: O(n^2), for any number of solutions.
pub struct Survey {
    problem: Problem,
    /// One digest per pair of columns of the first two queens: to compare two surveys, only the boards
    /// of the buckets that differ are stored.
    buckets: Vec<Digest>,
    /// Boards that are not solutions.
    pub illegal: u64,
    /// The first board that is not a solution.
    pub first_illegal: Option<Placement>,
    /// Solutions that are the canonical member of their orbit.
    pub fundamental: u64,
}

impl Survey {
    /// Enumerates with a solver and summarises what it finds.
    pub fn of(solver: &dyn Solver, task: &Task<'_>) -> Result<(Self, Outcome), SolveError> {
        let n = task.n().get();
        let mut survey = Self {
            problem: task.problem.clone(),
            buckets: vec![Digest::of(&task.problem); n * n + 1],
            illegal: 0,
            first_illegal: None,
            fundamental: 0,
        };
        let outcome = solver.solve(task, &mut survey)?;
        Ok((survey, outcome))
    }

    /// Digest of all boards received.
    pub fn all(&self) -> Digest {
        self.buckets.iter().copied().sum()
    }

    /// Boards with a queen outside the board, or with fewer than two queens, share the last bucket.
    fn bucket(n: usize, columns: &[u16]) -> usize {
        match columns {
            [first, second, ..] if usize::from(*first) < n && usize::from(*second) < n => {
                usize::from(*first) * n + usize::from(*second)
            }
            _ => n * n,
        }
    }
}

impl Sink for Survey {
    fn solution(&mut self, columns: &[u16]) -> ControlFlow<()> {
        let n = self.problem.n().get();
        self.buckets[Self::bucket(n, columns)].add(columns);
        if !self.problem.is_solution(columns) {
            self.illegal += 1;
            self.first_illegal.get_or_insert_with(|| Placement::new(columns));
        } else if is_canonical(columns) {
            self.fundamental += 1;
        }
        ControlFlow::Continue(())
    }
}

/// How the boards of one solver differ from those of another.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// Boards that only the other solver found.
    pub missing: u64,
    /// Legal boards that only this solver found.
    pub extra: u64,
    /// Boards of this solver that are not solutions.
    pub illegal: u64,
    /// Repeated boards of this solver.
    pub duplicates: u64,
    /// The lexicographically first board that shows a difference; illegal boards come first.
    pub first: Option<(Shown, Placement)>,
}

/// The most boards of one solver that are stored to find the difference: about 300 MB.
const MOST_BOARDS: usize = 4_000_000;

/// The exact difference of two solvers whose surveys differ: enumerates with both again and stores the
/// boards of the buckets that differ. `None` if there are more than `MOST_BOARDS`, or the budget runs out.
pub fn difference(
    (solver, survey): (&dyn Solver, &Survey),
    (against, reference): (&dyn Solver, &Survey),
    task: &Task<'_>,
) -> Result<Option<Difference>, SolveError> {
    let problem = &survey.problem;
    let n = problem.n().get();
    let differs = |bucket: usize| survey.buckets[bucket] != reference.buckets[bucket];
    let boards = |solver: &dyn Solver| {
        let mut kept: Vec<Placement> = Vec::new();
        let mut sink = |columns: &[u16]| {
            if differs(Survey::bucket(n, columns)) {
                kept.push(Placement::new(columns));
            }
            if kept.len() < MOST_BOARDS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let task = Task { goal: Goal::Enumerate, counting: false, ..task.clone() };
        if solver.solve(&task, &mut sink)?.stopped.is_some() {
            return Ok(None);
        }
        kept.sort_unstable();
        Ok(Some(kept))
    };
    let Some(own) = boards(solver)? else { return Ok(None) };
    let Some(mut other) = boards(against)? else { return Ok(None) };
    other.dedup();
    let mut difference = Difference::default();
    let mut illegal = None;
    let mut note = |shown: Shown, board: &Placement| match shown {
        Shown::Illegal => drop(illegal.get_or_insert_with(|| (shown, board.clone()))),
        _ => match &difference.first {
            Some((_, first)) if first <= board => {}
            _ => difference.first = Some((shown, board.clone())),
        },
    };
    for repeated in own.chunk_by(|a, b| a == b) {
        let (board, again) = (&repeated[0], repeated.len() as u64 - 1);
        let legal = problem.is_solution(board.columns());
        if again > 0 {
            difference.duplicates += again;
            note(Shown::Duplicate, board);
        }
        if !legal {
            difference.illegal += 1;
            note(Shown::Illegal, board);
        } else if other.binary_search(board).is_err() {
            difference.extra += 1;
            note(Shown::Extra, board);
        }
    }
    for board in other.iter().filter(|board| own.binary_search(board).is_err()) {
        difference.missing += 1;
        note(Shown::Missing, board);
    }
    difference.first = illegal.or(difference.first);
    Ok(Some(difference))
}
