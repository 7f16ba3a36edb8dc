//! One pass over a solver's solutions in constant memory, and the real difference of two solvers
//! where their digests differ.

use std::ops::ControlFlow;

use super::Shown;
use crate::board::symmetry::is_canonical;
use crate::board::{Placement, is_solution};
use crate::solver::sink::{Digest, hash};
use crate::solver::{Goal, Outcome, Sink, SolveError, Solver, Task};

/// What is remembered of an enumeration: O(n^2), whatever the number of solutions.
pub struct Survey {
    n: usize,
    /// Digest of everything that arrived.
    pub all: Digest,
    /// One digest per pair of columns of the first two queens: where two surveys differ, only boards
    /// of the buckets that differ need to be kept.
    buckets: Vec<Digest>,
    /// Boards that are no solutions.
    pub illegal: u64,
    /// The first of those.
    pub first_illegal: Option<Placement>,
    /// Solutions that are canonical in their orbit.
    pub fundamental: u64,
}

impl Survey {
    /// Enumerates with a solver, counting.
    pub fn of(solver: &dyn Solver, task: &Task<'_>) -> Result<(Self, Outcome), SolveError> {
        let n = task.n.get();
        let mut survey = Self {
            n,
            all: Digest::default(),
            buckets: vec![Digest::default(); n * n + 1],
            illegal: 0,
            first_illegal: None,
            fundamental: 0,
        };
        let outcome = solver.solve(task, &mut survey)?;
        Ok((survey, outcome))
    }

    /// Boards with a queen beside the board, or fewer than two queens, share the last bucket.
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
        let hash = hash(columns);
        self.all.add_hash(hash);
        self.buckets[Self::bucket(self.n, columns)].add_hash(hash);
        if columns.len() != self.n || !is_solution(columns) {
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
    /// Boards of the other one only.
    pub missing: u64,
    /// Legal boards of this one only.
    pub extra: u64,
    /// Boards of this one that are no solutions.
    pub illegal: u64,
    /// Boards that this one found again.
    pub duplicates: u64,
    /// The lexicographically first board that shows a difference; illegal ones first.
    pub first: Option<(Shown, Placement)>,
}

/// Boards of one solver that are kept to find the difference: some 300 MB.
const MOST_BOARDS: usize = 4_000_000;

/// The real difference of two solvers whose surveys differ: enumerates both again and keeps the
/// boards of those buckets that differ. `None` where they are more than fit into memory, or the budget ends it.
pub fn difference(
    (solver, survey): (&dyn Solver, &Survey),
    (against, reference): (&dyn Solver, &Survey),
    task: &Task<'_>,
) -> Result<Option<Difference>, SolveError> {
    let differs = |bucket: usize| survey.buckets[bucket] != reference.buckets[bucket];
    let boards = |solver: &dyn Solver| {
        let mut kept: Vec<Placement> = Vec::new();
        let mut sink = |columns: &[u16]| {
            if differs(Survey::bucket(survey.n, columns)) {
                kept.push(Placement::new(columns));
            }
            if kept.len() < MOST_BOARDS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let task = Task { goal: Goal::Enumerate, counting: false, budget: task.budget.clone(), ..*task };
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
        let legal = board.size() == survey.n && board.is_solution();
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
