//! One pass over a solver's solutions in constant memory, and the exact difference of two solvers
//! whose digests differ.

use std::ops::ControlFlow;

use super::Shown;
use crate::board::Placement;
use crate::board::symmetry::is_canonical;
use crate::solver::sink::Judge;
use crate::solver::{Outcome, Sink, SolveError, Solver, Task};

/// A summary of an enumeration, for any number of solutions.
pub struct Survey {
    /// The boards, and which of them are not solutions.
    pub judge: Judge,
    /// Solutions that are the canonical member of their orbit.
    pub fundamental: u64,
}

impl Survey {
    /// Enumerates with a solver and summarises what it finds.
    pub fn of(solver: &dyn Solver, task: &Task<'_>) -> Result<(Self, Outcome), SolveError> {
        let mut survey = Self { judge: Judge::of(&task.problem), fundamental: 0 };
        let outcome = solver.solve(task, &mut survey)?;
        Ok((survey, outcome))
    }
}

impl Sink for Survey {
    fn solution(&mut self, columns: &[u32]) -> ControlFlow<()> {
        let illegal = self.judge.illegal;
        let flow = self.judge.solution(columns);
        self.fundamental += u64::from(self.judge.illegal == illegal && is_canonical(columns));
        flow
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

/// The exact difference of two solvers: enumerates with both again and stores their boards. `None` if there are more than
/// `MOST_BOARDS`, or the budget runs out.
pub fn difference(
    solver: &dyn Solver,
    against: &dyn Solver,
    task: &Task<'_>,
) -> Result<Option<Difference>, SolveError> {
    let boards = |solver: &dyn Solver| {
        let mut kept: Vec<Placement> = Vec::new();
        let mut sink = |columns: &[u32]| {
            kept.push(Placement::new(columns));
            if kept.len() < MOST_BOARDS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        if solver.solve(task, &mut sink)?.stopped.is_some() {
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
        let legal = task.problem.is_solution(board.columns());
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
