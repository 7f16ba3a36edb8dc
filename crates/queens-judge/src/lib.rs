#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! notation/      boards as text: writing and reading     statement/   what a text without boards states
//! submission.rs  judges board by board                   missing.rs    the missing solutions, and their pattern
//! key.rs         packed boards                           text.rs       the judgement in words
//! ```

// Tests convert small numbers freely, and may set a deadline.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod key;
mod missing;
pub mod notation;
mod statement;
mod submission;
#[cfg(test)]
mod tests;
mod text;

use std::time::Duration;

pub use missing::{Missing, Pattern, SolutionSource};
use notation::{Notation, NotationError, ReadError, Symbols};
use queens_board::number::thousands;
use queens_board::problem::Problem;
use queens_board::{Placement, Square};
pub use statement::StatementError;
pub use submission::{judge, judge_until};

/// The number of illegal, repeated and missing boards that are shown, of each kind.
pub const MAX_EXAMPLES: usize = 3;

/// What a program should print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerKind {
    /// All solutions.
    #[default]
    All,
    /// One solution; only the first board is judged.
    One,
    /// The number of solutions.
    Count,
}

/// The task of a submission.
#[derive(Clone, Debug)]
pub struct Question {
    /// The problem whose solutions the boards should be.
    pub problem: Problem,
    /// The notation of the boards; `None` to detect it.
    pub notation: Option<Notation>,
    /// The symbols of queens and empty squares, if they cannot be detected.
    pub symbols: Symbols,
    /// The task of the program.
    pub answer_kind: AnswerKind,
}

/// The result of judging a submission.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// The problem whose solutions the boards should be.
    pub problem: Problem,
    /// The task of the program.
    pub answer_kind: AnswerKind,
    /// The number of solutions that the text states, if that was the task or if there are no boards.
    pub stated: Option<u64>,
    /// The notation of the boards, if there were any.
    pub reading: Option<Notation>,
    /// Whether the notation was given rather than detected.
    pub given: bool,
    /// The number of solutions that the text states besides its boards.
    pub total: Option<u64>,
    /// Boards of another size, which were skipped: their side, how many there were, and the line of the first.
    pub skipped: Vec<(usize, u64, u64)>,
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
    /// Different solutions up to symmetry, for plain queens; `None` if they were not counted.
    pub fundamental: Option<u64>,
    /// The number of solutions that exist, if it is known.
    pub expected: Option<u64>,
    /// Where this number comes from: an OEIS sequence, or the solver that enumerated the solutions.
    pub expected_source: Option<&'static str>,
    /// The number of solutions up to symmetry (A002562), if published.
    pub expected_fundamental: Option<u64>,
    /// The missing solutions; `None` if no solution is missing, or if it is not known whether one is.
    pub missing: Option<Missing>,
    /// Why reading stopped before the end of the submission.
    pub cut: Option<CutReason>,
}

/// A board that is not a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// Its first line, from 1.
    pub line: u64,
    /// Why it does not have one queen per row, or which squares contradict the problem; `None` if it only has attacks.
    pub fault: Option<String>,
    /// Its queens, from 0; they may be outside the board.
    pub queens: Vec<Square>,
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

/// Why the submission was not read completely, or may be incomplete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutReason {
    /// The program was stopped after this time.
    Timeout(Duration),
    /// The program was stopped when it had used this much CPU time.
    CpuTime(Duration),
    /// The program was stopped because its files were larger than this number of bytes.
    Files(u64),
    /// The program was stopped because it used more memory than this number of bytes.
    ProgramMemory(u64),
    /// The program was stopped because it had more than this number of processes.
    Processes(u64),
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
    /// More boards than this limit, which bounds the memory. The other boards were not compared with each other.
    Memory(u64),
}

queens_board::words! {
    /// The verdict.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SubmissionVerdict {
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
    pub fn verdict(&self) -> SubmissionVerdict {
        let is_wrong =
            |stated: Option<u64>| stated.is_some() && self.expected.is_some() && stated != self.expected;
        let miscounted = is_wrong(self.stated) || is_wrong(self.total);
        if miscounted || self.illegal > 0 || self.duplicates > 0 {
            SubmissionVerdict::Wrong
        } else if self.cut.is_some() {
            SubmissionVerdict::Unfinished
        } else if self.missing.is_some() {
            SubmissionVerdict::Wrong
        } else if self.expected.is_none() && (self.answer_kind != AnswerKind::One || self.boards == 0) {
            SubmissionVerdict::Unknown
        } else {
            SubmissionVerdict::Correct
        }
    }
}

/// Why there is no judgement.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The text cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A line may or may not be a board, so that no verdict is certain.
    #[error("line {line}: '{text}' may be a board, or not: print boards on lines of their own")]
    Doubtful {
        /// The line, from 1.
        line: u64,
        /// Its beginning.
        text: String,
    },
    /// The text states the number of solutions and has no board.
    #[error("it prints only the number {}{}, no boards; if that was the task: --count (in an experiment: goal = \"count\")",
        thousands(*stated), compared(*stated, *expected))]
    OnlyCount {
        /// The number.
        stated: u64,
        /// The number of solutions that exist, if it is published.
        expected: Option<u64>,
    },
    /// The task was to print one solution, and nothing was printed.
    #[error(
        "it printed nothing: where there is no solution, a program must say so, for example 'no solution' or 0"
    )]
    Silent,
    /// The task was to state the number of solutions, and the text states none or several.
    #[error(transparent)]
    NoCount(#[from] StatementError),
    /// The notation cannot be used for this task.
    #[error(transparent)]
    Notation(#[from] NotationError),
}

fn compared(stated: u64, expected: Option<u64>) -> String {
    match expected {
        Some(expected) if expected == stated => " (right)".to_owned(),
        Some(expected) => format!(" (wrong: {} exist)", thousands(expected)),
        None => String::new(),
    }
}
