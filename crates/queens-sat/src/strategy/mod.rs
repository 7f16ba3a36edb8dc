//! Strategies: how the solutions of a board are divided among calls of a SAT solver.
//! Each file has one strategy; this file has their table, and the code that handles models in all of them.

mod cubes;
mod lookahead;
mod residual;
mod whole;

use std::ops::ControlFlow;

use super::am1::AtMostOne;
use super::backend::{Backend, BackendError, BackendKind};
use super::cnf::variable;
use super::symmetry::{Breaking, SymmetryGroup};
use queens_board::{Square, place};
use queens_solver::{Goal, Outcome, Sink, Stat, Stop, Task};

/// How solutions are divided among solver calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// One formula, one solver, and a blocking clause for each model: the baseline.
    Blocking,
    /// One formula, one solver, and no blocking clauses.
    Whole,
    /// A hybrid: queenlab enumerates placements on some rows, and a fresh solver completes each placement.
    Cubes,
}

/// A method, and the symmetries to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The method.
    pub method: Division,
    /// The symmetries.
    pub symmetry: SymmetryGroup,
}

impl Strategy {
    /// Every strategy, the baseline first.
    pub fn all() -> impl Iterator<Item = Strategy> {
        Self::by([Division::Blocking, Division::Whole, Division::Cubes])
    }

    /// The strategies of a solver.
    pub fn of(backend: &BackendKind) -> impl Iterator<Item = Strategy> + use<> {
        Self::by([backend.whole_formula, Division::Cubes])
    }

    fn by<const N: usize>(methods: [Division; N]) -> impl Iterator<Item = Strategy> {
        methods
            .into_iter()
            .flat_map(|method| SymmetryGroup::ALL.map(|symmetry| Strategy { method, symmetry }))
    }

    /// The strategy's part of a solver id; `None` for all models of the whole formula.
    pub fn name(self) -> Option<&'static str> {
        match (self.method, self.symmetry) {
            (Division::Blocking | Division::Whole, SymmetryGroup::None) => None,
            (Division::Blocking, SymmetryGroup::Mirror) => Some("blocking-mirror"),
            (Division::Blocking, SymmetryGroup::Full) => Some("blocking-full"),
            (Division::Whole, SymmetryGroup::Mirror) => Some("whole-mirror"),
            (Division::Whole, SymmetryGroup::Full) => Some("whole-full"),
            (Division::Cubes, SymmetryGroup::None) => Some("cubes"),
            (Division::Cubes, SymmetryGroup::Mirror) => Some("cubes-mirror"),
            (Division::Cubes, SymmetryGroup::Full) => Some("cubes-full"),
        }
    }

    /// Description in one line for `queenlab list`.
    pub fn about(self) -> String {
        let method = match self.method {
            Division::Blocking => "all solutions by blocking clauses",
            Division::Whole => "all solutions without blocking clauses",
            Division::Cubes => "hybrid: queenlab enumerates the middle rows, SAT the rest of each board",
        };
        match self.symmetry {
            SymmetryGroup::None => method.to_string(),
            symmetry => format!("{method}; {symmetry} symmetry breaking, solutions expanded"),
        }
    }

    /// The statistics of this strategy, without those of the backend.
    pub fn statistics(self) -> &'static [Stat] {
        match self.method {
            Division::Blocking | Division::Whole => {
                &[Stat::Vars, Stat::AuxVars, Stat::Clauses, Stat::SolverCalls]
            }
            Division::Cubes => &[Stat::SolverCalls, Stat::Cubes],
        }
    }

    /// Carries out a task; `open` gives a new solver.
    pub fn run(
        self,
        am1: &'static AtMostOne,
        open: &(dyn Fn() -> Box<dyn Backend> + Sync),
        task: &Task<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, BackendError> {
        match self.method {
            Division::Blocking | Division::Whole => whole::run(am1, open, self.symmetry, task, sink),
            Division::Cubes => cubes::run(am1, open, self.symmetry, task, sink),
        }
    }
}

/// Models between two progress reports.
const REPORT: u64 = 1024;

/// Receives models: expands them to their orbits, counts them, and passes them to the sink if the goal needs it.
struct Models<'a> {
    task: &'a Task<'a>,
    breaking: Breaking,
    sink: &'a mut dyn Sink,
    solutions: u64,
    found: u64,
}

impl<'a> Models<'a> {
    fn new(task: &'a Task<'a>, breaking: Breaking, sink: &'a mut dyn Sink) -> Self {
        Self { task, breaking, sink, solutions: 0, found: 0 }
    }

    /// Takes every model of a solver whose variables are these squares; `columns` has the queens that are placed
    /// already. Returns the number of solver calls, and why the search ended.
    fn take_all(
        &mut self,
        solver: &mut dyn Backend,
        squares: &[Square],
        columns: &mut [u32],
    ) -> Result<(u64, ControlFlow<Option<Stop>>), BackendError> {
        solver.models(variable(squares.len()), &mut |queens| {
            place(columns, queens.iter().map(|&variable| squares[variable as usize - 1]));
            self.take(columns)
        })
    }

    /// Takes one model. `Break` ends the search: with a reason to stop, or because the goal is reached.
    fn take(&mut self, columns: &[u32]) -> ControlFlow<Option<Stop>> {
        self.found += 1;
        let Self { breaking, sink, solutions, .. } = self;
        let flow = match self.task.goal {
            Goal::First => {
                *solutions = 1;
                // The goal is reached, whatever the sink returns.
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
        if self.found.is_multiple_of(REPORT) {
            self.task.progress.advance(0, self.solutions);
        }
        match self.task.budget.exceeded(0) {
            Some(stop) => ControlFlow::Break(Some(stop)),
            None => ControlFlow::Continue(()),
        }
    }
}
