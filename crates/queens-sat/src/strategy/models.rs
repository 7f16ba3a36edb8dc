//! Converts the models of a formula to boards, expands the boards by symmetry, and passes them to the sink.

use std::ops::ControlFlow;

use crate::backend::{BackendError, IncrementalSolver};
use crate::cnf::variable;
use crate::symmetry::SymmetryBreaking;
use queens_board::{Square, place};
use queens_solver::{Goal, Sink, Stop, Task};

/// The number of models between two progress reports.
const REPORT_INTERVAL: u64 = 1024;

/// Receives models: expands them to their orbits, counts them, and passes them to the sink if the goal needs it.
pub struct ModelReceiver<'a> {
    task: &'a Task<'a>,
    breaking: SymmetryBreaking,
    sink: &'a mut dyn Sink,
    /// The number of solutions so far.
    pub solutions: u64,
    /// The number of models so far.
    models: u64,
}

impl<'a> ModelReceiver<'a> {
    /// Creates a receiver that has no models yet.
    pub fn new(task: &'a Task<'a>, breaking: SymmetryBreaking, sink: &'a mut dyn Sink) -> Self {
        Self { task, breaking, sink, solutions: 0, models: 0 }
    }

    /// Enumerates every model of a solver. Variable `v` represents the square `squares[v - 1]`; in rows without variables, `columns`
    /// contains the queens. Returns the number of solver calls, and `Break` with a reason if the enumeration ended early.
    ///
    /// # Errors
    ///
    /// The solver failed.
    pub fn enumerate(
        &mut self,
        solver: &mut dyn IncrementalSolver,
        squares: &[Square],
        columns: &mut [u32],
    ) -> Result<(u64, ControlFlow<Option<Stop>>), BackendError> {
        solver.models(variable(squares.len()), &mut |queens| {
            place(columns, queens.iter().map(|&variable| squares[variable as usize - 1]));
            self.receive(columns)
        })
    }

    /// Receives one model. Returns `Break` to end the search: with a reason, or with `None` if the goal is reached.
    fn receive(&mut self, columns: &[u32]) -> ControlFlow<Option<Stop>> {
        self.models += 1;
        let Self { breaking, sink, solutions, .. } = self;
        let flow = match self.task.goal {
            Goal::First => {
                *solutions = 1;
                // The goal is reached whether or not the sink breaks.
                let _ = sink.solution(columns);
                return ControlFlow::Break(None);
            }
            Goal::Count => breaking.expand(columns, &mut |_| {
                *solutions += 1;
                ControlFlow::Continue(())
            }),
            Goal::Enumerate => breaking.expand(columns, &mut |image| {
                *solutions += 1;
                sink.solution(image)
            }),
        };
        if flow.is_break() {
            return ControlFlow::Break(Some(Stop::Sink));
        }
        if self.models.is_multiple_of(REPORT_INTERVAL) {
            self.task.progress.advance(0, self.solutions);
        }
        match self.task.budget.exceeded(0) {
            Some(stop) => ControlFlow::Break(Some(stop)),
            None => ControlFlow::Continue(()),
        }
    }
}
