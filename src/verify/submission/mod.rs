//! A submission: boards that somebody else's program printed, judged as a whole.
//!
//! Each board is judged by [`is_solution`](crate::board::is_solution) as it is read. Legal ones are
//! kept as packed keys (16 bytes a board up to n = 20), sorted at the end: repeated ones lie side by
//! side, and the missing ones come out of one pass beside `backtrack/bitmask`, which is asked only
//! when some are missing. How many there should be is A000170, how many classes A002562.

mod judge;
mod key;
mod missing;
mod program;
mod text;

use std::time::Duration;

use crate::board::notation::{Notation, NotationError, ReadError};
use crate::board::{BoardSize, Placement, Square};
use crate::solver::Goal;
pub use judge::judge;
pub use missing::{Group, Missing, Pattern};
pub use program::judge_program;

/// So many illegal, repeated and missing boards are kept to be shown.
pub const SHOWN: usize = 3;

/// What is expected of a submission.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The side of the boards.
    pub n: BoardSize,
    /// How they are written; `None`: found out.
    pub notation: Option<Notation>,
    /// What was asked for: all solutions; one, and only the first board is judged; or their number.
    pub goal: Goal,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The side of the boards.
    pub n: usize,
    /// What was asked for.
    pub goal: Goal,
    /// The number of solutions that the text states, where that was asked for.
    pub stated: Option<u64>,
    /// How the boards are written, if there were any.
    pub reading: Option<Notation>,
    /// Whether that was given, not found out.
    pub given: bool,
    /// Boards read, malformed ones included.
    pub boards: u64,
    /// Boards that are no solutions.
    pub illegal: u64,
    /// Those of them that are not one queen a row on the board.
    pub malformed: u64,
    /// The first illegal ones.
    pub illegal_shown: Vec<Illegal>,
    /// Legal boards that had been printed before.
    pub duplicates: u64,
    /// The first of those.
    pub duplicates_shown: Vec<Duplicate>,
    /// Different solutions.
    pub distinct: u64,
    /// Their number up to symmetry; `None` where one solution was asked for.
    pub fundamental: Option<u64>,
    /// The order of the legal boards.
    pub order: Order,
    /// How many solutions there are (A000170), where that is published.
    pub expected: Option<u64>,
    /// How many there are up to symmetry (A002562), where that is published.
    pub expected_fundamental: Option<u64>,
    /// What is missing; `None`: nothing, or nobody knows.
    pub missing: Option<Missing>,
    /// Why reading ended before the submission did.
    pub cut: Option<Cut>,
}

/// A board that is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// Its first line, from 1.
    pub line: u64,
    /// Why it is not even a queen a row.
    pub fault: Option<String>,
    /// Its queens, from 0; they may stand beside the board.
    pub queens: Vec<Square>,
    /// Queens that attack each other.
    pub attacks: Vec<(Square, Square)>,
}

/// A solution that was printed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The line where it is repeated, from 1.
    pub line: u64,
    /// The line where it was first printed.
    pub first_line: u64,
    /// The board.
    pub board: Placement,
}

/// The order of boards, by columns from the top row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Fewer than two boards.
    None,
    /// None comes before its predecessor.
    Lexicographic,
    /// None comes after its predecessor.
    Reversed,
    /// Neither.
    Other,
}

/// Why not everything was read, or the end of it cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The program was ended after so long.
    Timeout(Duration),
    /// The program failed.
    Died {
        /// Its exit code, unless a signal ended it.
        exit_code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// The last line of its standard error.
        said: Option<String>,
    },
    /// More boards than this, twice as many as there are.
    Boards(u64),
    /// More bytes than this without a board.
    Text(u64),
    /// More different boards than this are not kept in memory.
    Memory(u64),
}

/// The judgement in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All solutions, each once; or one solution where one was asked for.
    Correct,
    /// A fault is shown.
    Wrong,
    /// The program or the text came to no good end, and no board up to there is wrong.
    Unfinished,
    /// Nothing is wrong, and nobody knows how many there are.
    Unknown,
}

impl Verdict {
    /// The word for scripts.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Correct => "correct",
            Verdict::Wrong => "wrong",
            Verdict::Unfinished => "unfinished",
            Verdict::Unknown => "unknown",
        }
    }
}

impl Report {
    /// The judgement. What is missing where a program was cut short is no fault of its boards.
    pub fn verdict(&self) -> Verdict {
        let miscounted = self.stated.is_some() && self.expected.is_some() && self.stated != self.expected;
        if miscounted || self.illegal > 0 || self.duplicates > 0 {
            Verdict::Wrong
        } else if self.cut.is_some() {
            Verdict::Unfinished
        } else if self.missing.is_some() {
            Verdict::Wrong
        } else if self.expected.is_none() && self.goal != Goal::First {
            Verdict::Unknown
        } else {
            Verdict::Correct
        }
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum SubmissionError {
    /// The text cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// So much text and no board in it.
    #[error("no board in the first {} MiB: check n, or give --notation", .0 >> 20)]
    NoBoard(u64),
    /// No number of solutions where one was asked for, or several.
    #[error("{0}")]
    NoCount(String),
    /// The notation does not fit the question.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The program cannot be started.
    #[error("cannot start '{program}': {source}")]
    Start {
        /// Its name.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
}

#[cfg(test)]
mod tests;
