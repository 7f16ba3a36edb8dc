//! A submission: the boards printed by another program, judged as a whole.
//!
//! Each board is judged by [`Problem::is_solution`] as it is read. Legal boards are stored as packed keys (16 bytes
//! per board up to n = 20) and sorted at the end, so that duplicates are adjacent. If solutions are missing, one
//! enumeration finds them: by `backtrack/bitmask` for plain queens, by `backtrack/dlx` for other problems.
//! The number of solutions is the published one. Where none is published, that enumeration gives it.
//! For plain queens, A002562 gives the number of classes.

mod judge;
mod key;
mod missing;
mod program;
mod text;

use std::time::Duration;

use crate::board::notation::{Notation, NotationError, ReadError};
use crate::board::problem::Problem;
use crate::board::{Placement, Square};
use crate::solver::Goal;
pub use judge::judge;
pub use missing::{Group, Missing, Pattern};
pub use program::judge_program;

/// The number of illegal, repeated and missing boards that are shown, of each kind.
pub const SHOWN: usize = 3;

/// What is expected of a submission.
#[derive(Clone, Debug)]
pub struct Question {
    /// The problem whose solutions the boards should be.
    pub problem: Problem,
    /// The notation of the boards; `None` to detect it.
    pub notation: Option<Notation>,
    /// The task of the program: to print all solutions, one solution (only the first board is judged), or the
    /// number of solutions.
    pub goal: Goal,
}

/// The result of judging a submission.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The problem whose solutions the boards should be.
    pub problem: Problem,
    /// The task of the program.
    pub goal: Goal,
    /// The number of solutions that the text states, if that was the task.
    pub stated: Option<u64>,
    /// The notation of the boards, if there were any.
    pub reading: Option<Notation>,
    /// Whether the notation was given rather than detected.
    pub given: bool,
    /// Boards read, malformed ones included.
    pub boards: u64,
    /// Boards that are not solutions.
    pub illegal: u64,
    /// Illegal boards that do not have one queen per row, on the board.
    pub malformed: u64,
    /// The first illegal boards.
    pub illegal_shown: Vec<Illegal>,
    /// Legal boards that repeat an earlier one.
    pub duplicates: u64,
    /// The first duplicates.
    pub duplicates_shown: Vec<Duplicate>,
    /// Different solutions.
    pub distinct: u64,
    /// Different solutions up to symmetry, for plain queens; `None` if the task was to print one solution.
    pub fundamental: Option<u64>,
    /// The order of the legal boards.
    pub order: PrintedOrder,
    /// The number of solutions that exist, if it is known.
    pub expected: Option<u64>,
    /// Where this number comes from: an OEIS sequence, or the solver that enumerated the solutions.
    pub expected_source: Option<&'static str>,
    /// The number of solutions up to symmetry (A002562), if published.
    pub expected_fundamental: Option<u64>,
    /// The missing solutions; `None` if there are none, or if that is not known.
    pub missing: Option<Missing>,
    /// Why reading stopped before the end of the submission.
    pub cut: Option<Cut>,
}

/// A board that is not a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// Its first line, from 1.
    pub line: u64,
    /// Why it does not have one queen per row, or which squares contradict the problem; `None` if neither is so.
    pub fault: Option<String>,
    /// Its queens, from 0; they may be outside the board.
    pub queens: Vec<Square>,
    /// The queens on squares that must not hold one.
    pub forbidden: Vec<Square>,
    /// The pairs of queens that attack each other.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrintedOrder {
    /// Fewer than two boards.
    #[default]
    None,
    /// Ascending.
    Lexicographic,
    /// Descending.
    Reversed,
    /// Neither.
    Other,
}

/// Why the submission was not read completely, or its end cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The program was stopped after this time.
    Timeout(Duration),
    /// The program failed.
    Died {
        /// Its exit code, unless a signal ended it.
        exit_code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// The last line of its standard error.
        message: Option<String>,
    },
    /// More boards than this limit, which is far above the number of solutions.
    Boards(u64),
    /// More bytes than this limit without a board.
    Text(u64),
    /// More boards than this limit, which bounds the memory.
    Memory(u64),
}

words! {
    /// The verdict.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Verdict {
        /// All solutions, each once; or one solution if that was the task.
        Correct = "correct",
        /// A mistake was found.
        Wrong = "wrong",
        /// The program failed or the output was cut short, and no board before that is wrong.
        Unfinished = "unfinished",
        /// No mistake was found, and the number of solutions is not known.
        Unknown = "unknown",
    }
}

impl Judgement {
    /// The side of the boards.
    pub fn n(&self) -> usize {
        self.problem.n().get()
    }

    /// The verdict. If the program was cut short, missing boards do not count against it.
    pub fn verdict(&self) -> Verdict {
        let miscounted = self.stated.is_some() && self.expected.is_some() && self.stated != self.expected;
        if miscounted || self.illegal > 0 || self.duplicates > 0 {
            Verdict::Wrong
        } else if self.cut.is_some() {
            Verdict::Unfinished
        } else if self.missing.is_some() {
            Verdict::Wrong
        } else if self.expected.is_none() && (self.goal != Goal::First || self.boards == 0) {
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
    /// No board in this many bytes of text.
    #[error("no board in the first {} MiB: check n, or name the notation with --notation", .0 >> 20)]
    NoBoard(u64),
    /// The task was to state the number of solutions, and the text states none or several.
    #[error("{0}")]
    NoCount(String),
    /// The notation cannot be used for this task.
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
