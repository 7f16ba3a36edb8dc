//! Runs solvers, and compares their answers with each other, as sets of boards, and with published values. The module
//! `judging` defines these comparisons.
//!
//! ```text
//! crosscheck.rs  compares the answers of solvers  survey.rs     one enumeration in constant memory; its boards
//! levels.rs      proofs of node counts            program.rs    a program of the user as a solver
//! ```

pub mod crosscheck;
pub mod levels;
pub mod program;
mod survey;

use std::fmt;

use crate::board::Placement;
use crate::judging::{BoardDifference, BoardFault, Finding};
use crate::model::SolverRef;
pub use crosscheck::crosscheck_runs;

/// A failed comparison.
#[derive(Clone, Debug)]
pub struct Discrepancy {
    /// Board size.
    pub n: usize,
    /// The solver that disagrees.
    pub solver: SolverRef,
    /// How the solver differs.
    pub finding: Finding,
    /// The boards that show the difference.
    pub boards: DiscrepancyBoards,
}

/// The boards that show a discrepancy.
#[derive(Clone, Debug)]
pub enum DiscrepancyBoards {
    /// The discrepancy does not concern boards.
    None,
    /// One board shows the discrepancy.
    Single(BoardFault, Placement),
    /// Two sets of boards differ.
    Differ(BoardDifference),
    /// Two sets of boards differ, but are not available.
    Unknown(NotShown),
}

/// Why the boards of a discrepancy are not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotShown {
    /// A solver cannot run again, because it is not in the registry.
    NotRepeated(SolverRef),
    /// There are too many boards, or there is not enough time to run the solvers again.
    TooMany,
    /// When both solvers ran again, the boards were the same.
    Same,
}

impl Discrepancy {
    /// The first board that shows the difference.
    pub fn board(&self) -> Option<(BoardFault, &Placement)> {
        match &self.boards {
            DiscrepancyBoards::Single(fault, board) => Some((*fault, board)),
            DiscrepancyBoards::Differ(difference) => {
                difference.first.as_ref().map(|(fault, board)| (*fault, board))
            }
            DiscrepancyBoards::None | DiscrepancyBoards::Unknown(_) => None,
        }
    }

    /// The first board that shows the difference, with its kind, as in `missing: 1 3 0 2` (columns from 0); without boards, the
    /// finding.
    pub fn first_difference(&self) -> String {
        self.board().map_or_else(|| self.in_words(), |(fault, board)| format!("{fault}: {board}"))
    }

    fn in_words(&self) -> String {
        let Self { finding, boards, .. } = self;
        match boards {
            DiscrepancyBoards::None | DiscrepancyBoards::Single(..) => finding.to_string(),
            DiscrepancyBoards::Differ(BoardDifference { missing, extra, illegal, duplicates, .. }) => {
                format!(
                    "{finding}: {missing} missing, {extra} extra, {illegal} illegal, {duplicates} duplicate"
                )
            }
            DiscrepancyBoards::Unknown(reason) => format!("{finding}; {reason}"),
        }
    }
}

impl fmt::Display for NotShown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRepeated(solver) => {
                write!(f, "the boards are not shown, because {solver} cannot run again")
            }
            Self::TooMany => f.write_str(
                "the boards are not shown, because there are too many, or because there is no time to run both solvers again",
            ),
            Self::Same => f.write_str("when both solvers ran again, their boards were the same"),
        }
    }
}

impl fmt::Display for Discrepancy {
    /// Prints one line and, below it, a picture of the first board. The board may have fewer rows than columns, and queens
    /// outside the picture.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n={}: {} {}", self.n, self.solver, self.in_words())?;
        let Some((fault, board)) = self.board() else { return Ok(()) };
        write!(f, "; first {fault}: {board}")?;
        board.columns().iter().try_for_each(|&queen| {
            let cells = (0..self.n).map(|column| if column == queen as usize { "Q" } else { "." });
            write!(f, "\n  {}", cells.collect::<Vec<_>>().join(" "))
        })
    }
}
