//! A strategy: how the solutions of a board are divided among calls of a SAT solver, and the symmetries that are broken.

use crate::am1::AtMostOne;
use crate::backend::{BackendError, BackendKind, IncrementalSolver};
use crate::symmetry::SymmetryGroup;
use queens_solver::{Outcome, Sink, Stat, Task};

/// A division of solutions among solver calls.
pub struct Division {
    /// Its part of a solver id. If [`Self::is_default`], the id has it with a symmetry only.
    pub name: &'static str,
    /// Description in one line for `queenlab list`.
    pub about: &'static str,
    /// Whether it is what a backend does without a name of a strategy.
    pub is_default: bool,
    /// Whether it passes the formula of the whole board to the solver, and so depends on no search of ours.
    pub encodes_whole_board: bool,
    /// Whether it takes the threads of the task.
    pub uses_threads: bool,
    /// Its statistics, without those of the backend.
    pub statistics: &'static [Stat],
    /// Whether it is one of the strategies of a backend.
    pub is_for: fn(&BackendKind) -> bool,
    /// Finds the solutions.
    pub run: fn(&Enumeration<'_>, &mut dyn Sink) -> Result<Outcome, BackendError>,
}

/// The input of a division.
pub struct Enumeration<'a> {
    /// The encoding.
    pub am1: &'static AtMostOne,
    /// Gives a new solver.
    pub open: &'a (dyn Fn() -> Box<dyn IncrementalSolver> + Sync),
    /// The symmetries to break.
    pub symmetry: SymmetryGroup,
    /// The task.
    pub task: &'a Task<'a>,
}

/// A division, and the symmetries to break.
#[derive(Clone, Copy)]
pub struct Strategy {
    /// The division.
    pub division: &'static Division,
    /// The symmetries.
    pub symmetry: SymmetryGroup,
}

impl Strategy {
    /// The strategy's part of a solver id; `None` for all models of the whole formula.
    pub fn name(self) -> Option<String> {
        let name = self.division.name;
        match self.symmetry {
            SymmetryGroup::None => (!self.division.is_default).then(|| name.to_owned()),
            symmetry => Some(format!("{name}-{symmetry}")),
        }
    }

    /// Description in one line for `queenlab list`.
    pub fn about(self) -> String {
        let division = self.division.about;
        match self.symmetry {
            SymmetryGroup::None => division.to_owned(),
            symmetry => format!("{division}; {symmetry} symmetry breaking, solutions expanded"),
        }
    }
}
