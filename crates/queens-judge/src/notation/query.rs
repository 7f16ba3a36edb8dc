//! The boards that are searched for in a text.

use super::Notation;
use super::roles::Symbols;
use queens_board::problem::Problem;

/// What the caller knows about a text before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// The notation; `None` to detect it.
    pub notation: Option<Notation>,
    /// The symbols of queens and empty squares, if they cannot be detected.
    pub symbols: Symbols,
    /// Whether reading ends after the first board.
    pub first_only: bool,
}

/// The boards that are searched for: boards of a problem, with hints about the way they are written.
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

    /// If a notation is given, the notation that represents all notations that are read in the same way.
    pub fn family(self) -> Option<Notation> {
        self.hints.notation.map(Notation::family)
    }
}
