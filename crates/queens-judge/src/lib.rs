#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! notation/      reads and writes boards as text         statement/    finds the number of solutions that a text states
//! submission.rs  judges a text board by board            missing.rs    finds missing solutions and their pattern
//! key.rs         packs boards into keys                  text.rs       describes a judgement in words
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

/// The maximum number of illegal boards that a judgement lists, and of duplicates and missing boards.
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

/// The task that a submission should solve.
#[derive(Clone, Debug)]
pub struct Question {
    /// The problem whose solutions the boards should be.
    pub problem: Problem,
    /// The notation of the boards; `None` to detect it.
    pub notation: Option<Notation>,
    /// The symbols of queens and empty squares, if they cannot be detected.
    pub symbols: Symbols,
    /// What the program should print.
    pub answer_kind: AnswerKind,
}

/// The result of judging a submission.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// The problem whose solutions the boards should be.
    pub problem: Problem,
    /// What the program should print.
    pub answer_kind: AnswerKind,
    /// The number of solutions that the text states, if the task was to state it.
    pub stated_count: Option<u64>,
    /// The notation of the boards, if there are any.
    pub notation: Option<Notation>,
    /// Whether the caller gave the notation; otherwise it was detected.
    pub is_notation_given: bool,
    /// The number of solutions that the text states in addition to its boards.
    pub stated_total: Option<u64>,
    /// The boards of other sizes, which were skipped.
    pub skipped_sizes: Vec<SkippedSize>,
    /// The number of boards in the text, malformed boards included.
    pub board_count: u64,
    /// The number of boards that are not solutions.
    pub illegal_count: u64,
    /// The number of illegal boards without exactly one queen in each row, or with a queen outside the board.
    pub malformed_count: u64,
    /// The first illegal boards, at most [`MAX_EXAMPLES`].
    pub illegal_examples: Vec<IllegalBoard>,
    /// The number of legal boards that repeat an earlier board.
    pub duplicate_count: u64,
    /// The first duplicates, at most [`MAX_EXAMPLES`].
    pub duplicate_examples: Vec<Duplicate>,
    /// The number of different solutions in the text.
    pub distinct_count: u64,
    /// The number of different solutions up to symmetry, for plain queens; `None` if it was not determined.
    pub fundamental_count: Option<u64>,
    /// The number of solutions that exist, if it is known.
    pub expected_count: Option<u64>,
    /// The source of `expected_count`: an OEIS sequence, or the solver that enumerated the solutions.
    pub expected_source: Option<&'static str>,
    /// The number of solutions up to symmetry (A002562), if it is published.
    pub expected_fundamental_count: Option<u64>,
    /// The missing solutions. `None` if no solution is missing, if the submission is incomplete, or if it is unknown whether a
    /// solution is missing.
    pub missing: Option<Missing>,
    /// Why the submission was not read completely, or may be incomplete.
    pub cut_reason: Option<CutReason>,
}

/// The boards of one other size in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkippedSize {
    /// The side of these boards.
    pub side: usize,
    /// The number of these boards.
    pub board_count: u64,
    /// The line where the first of these boards begins, from 1.
    pub first_line: u64,
}

/// A board that is not a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalBoard {
    /// The line where the board begins, from 1.
    pub line: u64,
    /// Why the board does not have one queen per row, or which squares contradict the problem. `None` if attacks are its only
    /// fault.
    pub fault: Option<String>,
    /// The squares of its queens, from 0; they may be outside the board.
    pub queens: Vec<Square>,
    /// The first pairs of queens that attack each other.
    pub attacks: Vec<(Square, Square)>,
}

/// A solution that was printed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The line where the solution is repeated, from 1.
    pub line: u64,
    /// The line where the solution was first printed.
    pub first_line: u64,
    /// The solution.
    pub board: Placement,
}

/// Why the submission was not read completely, or may be incomplete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutReason {
    /// The program was stopped after this time.
    Timeout(Duration),
    /// The program was stopped after it had used this much CPU time.
    CpuTime(Duration),
    /// The program was stopped because its files were larger than this number of bytes.
    Files(u64),
    /// The program was stopped because it used more memory than this number of bytes.
    ProgramMemory(u64),
    /// The program was stopped because it had more than this number of processes.
    Processes(u64),
    /// The program failed.
    Failed {
        /// Its exit code, unless a signal ended it.
        exit_code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// The last line of its standard error.
        message: Option<String>,
    },
    /// The text has more boards than this limit, which is at least twice the number of solutions.
    TooManyBoards(u64),
    /// The text has more bytes than this limit without a board.
    TextWithoutBoard(u64),
    /// The text has more legal boards than this limit, which bounds the memory. Later boards were not checked for duplicates.
    BoardMemory(u64),
}

queens_board::words! {
    /// The verdict on a submission.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SubmissionVerdict {
        /// The submission is what the task asks for: all solutions, each once; one solution; or the number of solutions.
        Correct = "correct",
        /// A board is illegal, repeated or missing, or a stated number is wrong.
        Wrong = "wrong",
        /// The program failed or its output was cut short, and nothing in the output is wrong.
        Unfinished = "unfinished",
        /// Nothing is wrong as far as is known, but the number of solutions is unknown.
        Unknown = "unknown",
    }
}

impl Judgement {
    /// The side of the boards.
    pub fn n(&self) -> usize {
        self.problem.n().get()
    }

    /// The verdict. In an incomplete submission, missing boards are not wrong.
    pub fn verdict(&self) -> SubmissionVerdict {
        let is_wrong = |count: Option<u64>| {
            count.is_some() && self.expected_count.is_some() && count != self.expected_count
        };
        let has_miscounted = is_wrong(self.stated_count) || is_wrong(self.stated_total);
        let needs_count = self.answer_kind != AnswerKind::One || self.board_count == 0;
        if has_miscounted || self.illegal_count > 0 || self.duplicate_count > 0 {
            SubmissionVerdict::Wrong
        } else if self.cut_reason.is_some() {
            SubmissionVerdict::Unfinished
        } else if self.missing.is_some() {
            SubmissionVerdict::Wrong
        } else if self.expected_count.is_none() && needs_count {
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
    #[error("line {line}: '{text}' may or may not be a board: print boards on separate lines")]
    Doubtful {
        /// The number of the line, from 1.
        line: u64,
        /// The beginning of the line.
        text: String,
    },
    /// The text states the number of solutions and has no board.
    #[error(
        "no boards, only the number of solutions: {}{}; if the task was to print this number, use --count \
         (in an experiment: goal = \"count\")",
        thousands(*stated_count),
        count_remark(*stated_count, *expected_count)
    )]
    OnlyCount {
        /// The number that the text states.
        stated_count: u64,
        /// The number of solutions that exist, if it is published.
        expected_count: Option<u64>,
    },
    /// The task was to print one solution, and the text is empty.
    #[error("empty text: if there is no solution, print for example 'no solution' or 0")]
    EmptyText,
    /// The task was to state the number of solutions, and the text states none or several numbers.
    #[error(transparent)]
    NoCount(#[from] StatementError),
    /// The notation cannot be used for this task.
    #[error(transparent)]
    Notation(#[from] NotationError),
}

/// A remark on whether a stated count is correct; empty if this is unknown.
fn count_remark(stated_count: u64, expected_count: Option<u64>) -> String {
    match expected_count {
        Some(count) if count == stated_count => " (correct)".to_owned(),
        Some(1) => " (wrong: 1 exists)".to_owned(),
        Some(count) => format!(" (wrong: {} exist)", thousands(count)),
        None => String::new(),
    }
}
