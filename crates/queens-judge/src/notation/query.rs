//! What boards are read from a text.

use super::Notation;
use super::roles::Symbols;
use queens_board::problem::Problem;

/// The known facts about a text before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// The notation; `None` to detect it.
    pub notation: Option<Notation>,
    /// The symbols of queens and empty squares.
    pub symbols: Symbols,
    /// Whether nothing is read behind the first board.
    pub first_only: bool,
}

/// What boards are read: those of a problem, written in a certain way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query<'p> {
    pub problem: &'p Problem,
    pub hints: Hints,
}

impl Query<'_> {
    /// The side of the boards.
    pub fn n(self) -> usize {
        self.problem.n().get()
    }

    /// The notation that is read, if it is given: several notations are read alike.
    pub fn family(self) -> Option<Notation> {
        self.hints.notation.map(Notation::family)
    }
}
