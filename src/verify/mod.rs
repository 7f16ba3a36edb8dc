//! Checks of correctness: solvers against each other (as sets of boards) and against published values,
//! and the output of other programs.
//!
//! ```text
//! crosscheck.rs  solvers as sets of boards       survey.rs     one enumeration in constant memory, differences
//! levels.rs      proofs of node counts
//! ```

pub mod crosscheck;
pub mod levels;
pub mod program;
mod survey;

use std::fmt;

use crate::board::Placement;
pub use crosscheck::crosscheck_runs;

/// A disagreement.
#[derive(Clone, Debug)]
pub struct Discrepancy {
    /// Board size.
    pub n: usize,
    /// The solver that disagrees.
    pub solver: String,
    /// The difference, in words.
    pub what: String,
    /// The first board that shows the difference, if a board can show it.
    pub board: Option<(Shown, Placement)>,
}

/// What is wrong, and the first board that shows it.
#[derive(Debug)]
struct Fault {
    what: String,
    board: Option<(Shown, Placement)>,
}

impl Fault {
    fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), board: None }
    }

    fn shown(what: impl Into<String>, shown: Shown, board: &Placement) -> Self {
        Self { what: what.into(), board: Some((shown, board.clone())) }
    }
}

crate::board::words! {
    /// How the board of a discrepancy is wrong.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Shown {
        /// A solution that the solver did not find.
        Missing = "missing",
        /// A solution that only this solver found.
        Extra = "extra",
        /// A board that is not a solution.
        Illegal = "illegal",
        /// A solution that the solver found more than once.
        Duplicate = "duplicate",
    }
}

impl Discrepancy {
    /// The first board that shows the difference, after a word, with columns from 0; otherwise the difference in words.
    pub fn first_difference(&self) -> String {
        self.board.as_ref().map_or_else(|| self.what.clone(), |(shown, board)| format!("{shown}: {board}"))
    }
}

impl fmt::Display for Discrepancy {
    /// One line, with the board drawn below it. It may have fewer rows than columns, and queens outside.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n={}: {} {}", self.n, self.solver, self.what)?;
        let Some((shown, board)) = &self.board else { return Ok(()) };
        write!(f, "; first {shown}: {board}")?;
        board.columns().iter().try_for_each(|&queen| {
            let cells = (0..self.n).map(|column| if column == queen as usize { "Q" } else { "." });
            write!(f, "\n  {}", cells.collect::<Vec<_>>().join(" "))
        })
    }
}
