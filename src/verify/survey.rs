//! Enumerates with a solver in constant memory, or collects the boards of a solver whose digest differs.

use std::ops::ControlFlow;

use crate::board::Placement;
use crate::board::symmetry::is_canonical;
use crate::solver::sink::Judge;
use crate::solver::{Outcome, Sink, SolveError, Solver, Task};

/// A summary of an enumeration, for any number of solutions.
pub struct Survey {
    /// The judge of the boards. It has their number and digest, and counts illegal boards.
    pub judge: Judge,
    /// The number of fundamental solutions: solutions that are the canonical members of their orbits.
    pub fundamental: u64,
}

impl Survey {
    /// Enumerates with a solver and summarises the boards.
    pub fn of(solver: &dyn Solver, task: &Task<'_>) -> Result<(Self, Outcome), SolveError> {
        let mut survey = Self { judge: Judge::of(&task.problem), fundamental: 0 };
        let outcome = solver.solve(task, &mut survey)?;
        Ok((survey, outcome))
    }
}

impl Sink for Survey {
    fn solution(&mut self, columns: &[u32]) -> ControlFlow<()> {
        let previous_illegal = self.judge.illegal;
        let flow = self.judge.solution(columns);
        self.fundamental += u64::from(self.judge.illegal == previous_illegal && is_canonical(columns));
        flow
    }
}

/// The number of boards at which collecting boards stops. They take about 300 MB.
const MAX_BOARDS: usize = 4_000_000;

/// All boards of a solver; `None` if there are [`MAX_BOARDS`] or more, or if the budget is exceeded.
pub fn boards(solver: &dyn Solver, task: &Task<'_>) -> Result<Option<Vec<Placement>>, SolveError> {
    let mut collected_boards: Vec<Placement> = Vec::new();
    let mut sink = |columns: &[u32]| {
        collected_boards.push(Placement::new(columns));
        if collected_boards.len() < MAX_BOARDS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let outcome = solver.solve(task, &mut sink)?;
    Ok(outcome.stopped.is_none().then_some(collected_boards))
}
