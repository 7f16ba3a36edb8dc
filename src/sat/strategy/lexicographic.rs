//! The lexicographically first solution, for the goal first: every smaller prefix is refuted.
//!
//! A solver finds some solution. Then, row by row from the top, each column to the left of the known queen is tried: a
//! fresh solver gets the rest of the board below the queens above and this one. A model is the new known solution;
//! otherwise the prefix is refuted.
//! Memory: one residual formula. The budget is checked between two calls of a solver.

use super::residual::{Lines, Residual};
use crate::board::{Square, place};
use crate::sat::am1::AtMostOne;
use crate::sat::backend::{Backend, BackendError};
use crate::sat::cnf::variable;
use crate::solver::{Outcome, Phase, Sink, Stat, Task};

pub fn run(
    am1: &AtMostOne,
    open: &dyn Fn() -> Box<dyn Backend>,
    task: &Task<'_>,
    sink: &mut dyn Sink,
) -> Result<Outcome, BackendError> {
    let lines = Lines::new(&task.problem);
    let residual = Residual::new(&lines);
    let mut search = Prefixes { am1, open, task, residual, outcome: Outcome::default() };
    task.progress.phase(Phase::Solve);
    match search.first() {
        Ok(Some(columns)) => {
            search.outcome.solutions = 1;
            // The goal is reached, whatever the sink returns.
            let _ = sink.solution(&columns);
        }
        Ok(None) => {}
        Err(BackendError::Stopped(stop)) => search.outcome.stopped = Some(stop),
        Err(error) => return Err(error),
    }
    Ok(search.outcome)
}

struct Prefixes<'a> {
    am1: &'a AtMostOne,
    open: &'a dyn Fn() -> Box<dyn Backend>,
    task: &'a Task<'a>,
    residual: Residual<'a>,
    outcome: Outcome,
}

impl Prefixes<'_> {
    fn first(&mut self) -> Result<Option<Vec<u16>>, BackendError> {
        let Some(mut known) = self.complete(&[])? else { return Ok(None) };
        let mut queens = Vec::new();
        for row in 0..known.len() {
            for column in 0..usize::from(known[row]) {
                let queen = Square { row, column };
                let problem = &self.task.problem;
                let attacked = |&above: &Square| problem.variant().attacks(known.len(), above, queen);
                if !problem.is_open(queen) || queens.iter().any(attacked) {
                    continue;
                }
                queens.push(queen);
                let completion = self.complete(&queens)?;
                queens.pop();
                if let Some(smaller) = completion {
                    known = smaller;
                    break;
                }
            }
            queens.push(Square { row, column: known[row].into() });
        }
        Ok(Some(known))
    }

    /// The columns of a solution with these queens, if there is one.
    fn complete(&mut self, queens: &[Square]) -> Result<Option<Vec<u16>>, BackendError> {
        if let Some(stop) = self.task.budget.exceeded(0) {
            return Err(BackendError::Stopped(stop));
        }
        self.residual.restrict(queens, |square| self.task.problem.is_open(square));
        self.residual.look_ahead();
        self.residual.encode(self.am1);
        let Residual { cnf, squares, .. } = &self.residual;
        let last = variable(squares.len());
        let mut solver = (self.open)();
        solver.prefer_true(last);
        solver.add_formula(cnf);
        let is_solvable = solver.solve();
        if self.task.counting {
            let stats = &mut self.outcome.stats;
            if queens.is_empty() {
                stats.set(Stat::Vars, u64::from(cnf.variables()));
                stats.set(Stat::AuxVars, u64::from(cnf.variables() - last));
                stats.set(Stat::Clauses, cnf.len() as u64);
            }
            stats.add(&[(Stat::SolverCalls, 1)].into());
            stats.add(&solver.statistics());
        }
        if !is_solvable? {
            return Ok(None);
        }
        let mut found = Vec::new();
        solver.true_variables(last, &mut found);
        let mut columns = vec![0; self.task.n().get()];
        let found = found.iter().map(|&variable| squares[variable as usize - 1]);
        place(&mut columns, found.chain(queens.iter().copied()));
        Ok(Some(columns))
    }
}
