//! Divisions and strategies. A division says how the solutions of a board are divided among calls of a SAT solver; a strategy is a
//! division and the symmetries to break.

use crate::am1::AtMostOne;
use crate::backend::{BackendError, BackendKind, IncrementalSolver};
use crate::symmetry::SymmetryGroup;
use queens_solver::{Outcome, Sink, Stat, Task};

/// A division of solutions among solver calls.
pub struct Division {
    /// The name of the division in solver ids. For the default division, the id contains the name only if a symmetry is broken.
    pub name: &'static str,
    /// Description in one line for `queenlab list`.
    pub about: &'static str,
    /// Whether solver ids without a strategy mean this division.
    pub is_default: bool,
    /// Whether the SAT solver gets the formula of the whole board, so that the result does not depend on another search.
    pub encodes_whole_board: bool,
    /// Whether the division uses the threads of the task.
    pub uses_threads: bool,
    /// The statistics that the division reports in addition to the statistics of the backend.
    pub statistics: &'static [Stat],
    /// Whether a backend supports this division.
    pub supports_backend: fn(&BackendKind) -> bool,
    /// Finds the solutions.
    pub run: fn(&DivisionInput<'_>, &mut dyn Sink) -> Result<Outcome, BackendError>,
}

/// The input of a division.
pub struct DivisionInput<'a> {
    /// The encoding.
    pub at_most_one: &'static AtMostOne,
    /// Creates a new solver.
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
    /// The name of the strategy in solver ids; `None` for the default division without symmetry breaking.
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
