//! Whether solvers are right: against each other, set against set, and against published values;
//! and whether what some other program printed is.

pub mod certificate;
pub mod crosscheck;
pub mod levels;
pub mod lrat;
pub mod mutants;
pub mod submission;
mod survey;

use std::fmt;

use crate::board::Placement;
pub use crosscheck::{Entrant, Report, crosscheck, crosscheck_runs};

/// Something that does not agree.
#[derive(Clone, Debug)]
pub struct Discrepancy {
    /// Board size.
    pub n: usize,
    /// The solver that is at odds.
    pub solver: String,
    /// With what: another solver, or a published sequence.
    pub against: String,
    /// How, in words.
    pub what: String,
    /// The first board that shows it, if a board does.
    pub board: Option<(Shown, Placement)>,
}

/// What the board of a discrepancy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A solution that the solver did not find.
    Missing,
    /// A solution that only this solver found.
    Extra,
    /// No solution at all.
    Illegal,
    /// A solution that it found more than once.
    Duplicate,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shown::Missing => "missing",
            Shown::Extra => "extra",
            Shown::Illegal => "illegal",
            Shown::Duplicate => "duplicate",
        })
    }
}

impl Discrepancy {
    /// The rows of a placement on a board of `n` columns; it may have fewer rows, and queens beside the board.
    pub fn drawn(n: usize, placement: &Placement) -> Vec<String> {
        let row = |&queen: &u16| {
            let cells = (0..n).map(|column| if column == usize::from(queen) { "Q" } else { "." });
            cells.collect::<Vec<_>>().join(" ")
        };
        placement.columns().iter().map(row).collect()
    }

    /// The first difference as a word and the columns from 0.
    pub fn first_difference(&self) -> Option<String> {
        self.board.as_ref().map(|(shown, board)| format!("{shown}: {board}"))
    }
}

impl fmt::Display for Discrepancy {
    /// A line, and the board drawn below it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n={}: {} {}", self.n, self.solver, self.what)?;
        let Some((shown, board)) = &self.board else { return Ok(()) };
        write!(f, "; first {shown}: {board}")?;
        Self::drawn(self.n, board).into_iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}
