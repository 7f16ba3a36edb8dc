//! Judges the output of another program.

use std::ffi::OsString;
use std::io::BufRead;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::programs::{FileKind, kind_of};
use crate::board::problem::Problem;
use crate::judge::notation::{Notation, ReadError};
use crate::judge::{AnswerKind, CutReason, JudgeError, Judgement, Question, SubmissionVerdict};
pub use crate::submission::{Conditions, DEFAULT_INPUT, DEFAULT_MEMORY_BYTES};
use crate::submission::{SubmissionError, judge_program, judge_text};
use serde::Serialize;

/// The source of the boards.
pub enum CheckInput<'a> {
    /// A text, and the file that contains it, if there is one.
    Text(&'a mut dyn BufRead, Option<&'a Path>),
    /// The output of a command. `{n}` in its words stands for the board size.
    Command(&'a [OsString], Conditions<'a>),
}

/// The grade of a submission, from the best to the worst. The numbers are the exit codes of `queenlab check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// The answer consists of exactly the solutions.
    Correct = 0,
    /// The program failed or was stopped, and nothing that it printed is wrong.
    Unfinished = 1,
    /// There is no board of this size, or the text is ambiguous.
    Unreadable = 2,
    /// A board is illegal, repeated or missing.
    Wrong = 3,
}

/// The answer of a submission at one size.
#[derive(Debug)]
pub struct JudgedAnswer {
    /// The verdict.
    pub grade: Grade,
    /// The verdict in one or two words.
    pub verdict: &'static str,
    /// The reason of the verdict in one line.
    pub message: String,
    /// The detailed result; `None` if the answer could not be judged.
    pub report: Option<Judgement>,
    /// Why the answer could not be judged. `None` if the feedback is only the message.
    pub refusal: Option<Refusal>,
}

/// Why an answer could not be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// All boards have this size instead of the requested one.
    OtherSize(usize),
    /// The program was not started, because it did not finish at a smaller size.
    NotStarted,
    /// The source code does not compile.
    NotCompiled,
    /// The text states only a number of solutions. The value tells whether the number is right; `None` if this is unknown.
    OnlyCount(Option<bool>),
    /// The submission has nothing that can be judged.
    NotJudged,
    /// The name of the text file does not contain a size.
    NoSize,
}

/// The size of a read buffer, in bytes. The buffer is large because enumerations may have gigabytes.
pub const BUFFER_BYTES: usize = 1 << 18;

/// The placeholder for the board size in a command.
pub const SIZE_PLACEHOLDER: &str = "{n}";

/// Judges one submission. Setting `cancel` to true ends a command, and the result is `None`.
pub fn check(question: &Question, boards: CheckInput<'_>, cancel: &AtomicBool) -> Option<JudgedAnswer> {
    match boards {
        CheckInput::Text(text, file) => {
            let judged =
                JudgedAnswer::from_result(judge_text(text, question).map_err(SubmissionError::Judge))?;
            // The source code of a program may contain text that looks like an answer.
            let has_no_answer = judged.report.as_ref().is_some_and(|report| {
                report.board_count == 0
                    && report.stated_count.is_none()
                    && report.verdict() == SubmissionVerdict::Wrong
            });
            let is_program =
                || file.is_some_and(|file| matches!(kind_of(file), FileKind::Program(_) | FileKind::Source));
            if has_no_answer && is_program() {
                let reason = "this file is a program and contains no board";
                return Some(JudgedAnswer::refused("unreadable", Grade::Unreadable, reason.to_owned()));
            }
            Some(judged)
        }
        CheckInput::Command(command, conditions) => {
            let command: Vec<OsString> = command.iter().map(|word| with_size(word, question)).collect();
            JudgedAnswer::from_result(judge_program(&command, conditions, cancel, question))
        }
    }
}

/// A word of a command with the placeholder `{n}` replaced by the board size.
fn with_size(word: &OsString, question: &Question) -> OsString {
    let word_with_size =
        word.to_str().map(|word| word.replace(SIZE_PLACEHOLDER, &question.problem.n().to_string()));
    word_with_size.map_or_else(|| word.clone(), OsString::from)
}

impl JudgedAnswer {
    /// Converts a judgement or an error; `None` if the user interrupted the command.
    pub(super) fn from_result(judged: Result<Judgement, SubmissionError>) -> Option<Self> {
        let error = match judged {
            Ok(report) => {
                let grade = match report.verdict() {
                    SubmissionVerdict::Correct => Grade::Correct,
                    SubmissionVerdict::Wrong => Grade::Wrong,
                    SubmissionVerdict::Unfinished | SubmissionVerdict::Unknown => Grade::Unfinished,
                };
                let remark = report.cut_remark().map_or(String::new(), |reason| format!("; {reason}"));
                let message = report.summary() + &remark;
                let (verdict, report) = (report.verdict().name(), Some(report));
                return Some(Self { verdict, grade, message, report, refusal: None });
            }
            Err(SubmissionError::Interrupted) => return None,
            Err(error) => error,
        };
        let message = error.to_string();
        Some(match error {
            SubmissionError::Judge(JudgeError::Read(ReadError::OtherSize { side, .. })) => {
                Self { refusal: Some(Refusal::OtherSize(side)), ..Self::unreadable(message) }
            }
            SubmissionError::Judge(JudgeError::OnlyCount { stated_count, expected_count }) => Self {
                refusal: Some(Refusal::OnlyCount(expected_count.map(|count| count == stated_count))),
                ..Self::refused("count only", Grade::Unreadable, message)
            },
            SubmissionError::NotFound { .. }
            | SubmissionError::Unusable(_)
            | SubmissionError::Start { .. }
            | SubmissionError::Judge(JudgeError::Read(ReadError::Io(_))) => Self::failed(message),
            _ => Self::unreadable(message),
        })
    }

    pub(super) fn failed(message: String) -> Self {
        Self::refused("failed", Grade::Unfinished, message)
    }

    pub(super) fn refused(verdict: &'static str, grade: Grade, message: String) -> Self {
        Self { verdict, grade, message, report: None, refusal: None }
    }

    pub(super) fn unreadable(message: String) -> Self {
        Self::refused("unreadable", Grade::Unreadable, message)
    }

    /// Whether the program was stopped because it reached a limit of time, memory, files or processes.
    pub(super) fn has_reached_limit(&self) -> bool {
        let cut_reason = self.report.as_ref().and_then(|report| report.cut_reason.as_ref());
        let Some(cut_reason) = cut_reason else { return false };
        matches!(
            cut_reason,
            CutReason::Timeout(_)
                | CutReason::CpuTime(_)
                | CutReason::ProgramMemory(_)
                | CutReason::Files(_)
                | CutReason::Processes(_)
        )
    }

    /// Returns the result as correct if the exit code of the program is the only error, and otherwise unchanged.
    pub(super) fn ignoring_exit_code(self) -> Self {
        let Some(report) = &self.report else { return self };
        let Some(CutReason::Failed { exit_code: Some(code), .. }) = report.cut_reason else { return self };
        let is_right = report.verdict() == SubmissionVerdict::Unfinished
            && match report.answer_kind {
                AnswerKind::All => {
                    report.board_count > 0 && report.expected_count == Some(report.distinct_count)
                }
                AnswerKind::One => report.distinct_count > 0,
                AnswerKind::Count => {
                    report.stated_count.is_some() && report.stated_count == report.expected_count
                }
            };
        if !is_right {
            return self;
        }
        let judgement_without_cut = Judgement { cut_reason: None, ..report.clone() };
        let message = format!("{}, but exit code {code}", judgement_without_cut.summary());
        Self { grade: Grade::Correct, verdict: SubmissionVerdict::Correct.name(), message, ..self }
    }

    /// The fields that are the columns of `--csv` and the keys of `--json`.
    pub fn answer<'a>(&'a self, submission: Option<&'a str>, problem: &Problem) -> AnswerRow<'a> {
        let report = self.report.as_ref();
        let boards = report.filter(|report| report.answer_kind != AnswerKind::Count);
        let missing = report.and_then(|report| report.missing.as_ref());
        let complete_boards = boards.filter(|report| {
            let is_completely_judged =
                report.cut_reason.is_none() && report.verdict() != SubmissionVerdict::Unknown;
            is_completely_judged && report.missing.is_none() && report.answer_kind == AnswerKind::All
        });
        AnswerRow {
            submission,
            n: problem.n().get(),
            verdict: self.verdict,
            points: u8::from(self.grade == Grade::Correct),
            boards: boards.map(|report| report.board_count),
            solutions: boards.map(|report| report.distinct_count),
            expected: report.and_then(|report| report.expected_count),
            illegal: boards.map(|report| report.illegal_count),
            duplicates: boards.map(|report| report.duplicate_count),
            missing: missing.map_or(complete_boards.map(|_| 0), |missing| missing.count),
            stated: report.and_then(|report| report.stated_count),
            variant: problem.to_string(),
            exit_code: self.grade as u8,
            notation: report.and_then(|report| report.notation).map(Notation::name),
            malformed: boards.map(|report| report.malformed_count),
            fundamental: report.and_then(|report| report.fundamental_count),
            expected_source: report.and_then(|report| report.expected_source),
            pattern: missing.and_then(|missing| missing.pattern).map(|pattern| pattern.to_string()),
            message: &self.message,
        }
    }

    /// The fields of [`Self::answer`] with the first boards of each kind, for the JSON of one submission.
    pub fn answer_with_boards(&self, problem: &Problem) -> AnswerWithBoards<'_> {
        let report = self.report.as_ref();
        let illegal = report.iter().flat_map(|report| &report.illegal_examples);
        let missing = report.and_then(|report| report.missing.as_ref());
        let duplicates = report.iter().flat_map(|report| &report.duplicate_examples);
        AnswerWithBoards {
            answer: self.answer(None, problem),
            total: report.and_then(|report| report.stated_total),
            skipped: report
                .map_or(0, |report| report.skipped_sizes.iter().map(|size| size.board_count).sum()),
            first_illegal: illegal
                .map(|board| FirstIllegalBoard {
                    line: board.line,
                    queens: board.queens.iter().map(|queen| [queen.row, queen.column]).collect(),
                    reason: board.fault.as_deref(),
                })
                .collect(),
            first_missing: missing
                .into_iter()
                .flat_map(|missing| &missing.examples)
                .map(|board| board.columns())
                .collect(),
            first_duplicates: duplicates
                .map(|board| FirstDuplicateBoard {
                    line: board.line,
                    first_line: board.first_line,
                    columns: board.board.columns(),
                })
                .collect(),
        }
    }
}

/// A submission at one size, as a row of a table or as JSON.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "docs/FORMATS.md describes the columns")]
pub struct AnswerRow<'a> {
    pub submission: Option<&'a str>,
    pub n: usize,
    pub verdict: &'static str,
    pub points: u8,
    pub boards: Option<u64>,
    pub solutions: Option<u64>,
    pub expected: Option<u64>,
    pub illegal: Option<u64>,
    pub duplicates: Option<u64>,
    pub missing: Option<u64>,
    pub stated: Option<u64>,
    pub variant: String,
    pub exit_code: u8,
    pub notation: Option<&'static str>,
    pub malformed: Option<u64>,
    pub fundamental: Option<u64>,
    pub expected_source: Option<&'static str>,
    pub pattern: Option<String>,
    pub message: &'a str,
}

/// The answer with the first boards of each kind.
#[derive(Debug, Serialize)]
pub struct AnswerWithBoards<'a> {
    #[serde(flatten)]
    answer: AnswerRow<'a>,
    /// The number of solutions that the text states, if it also has boards.
    total: Option<u64>,
    /// The number of skipped boards of other sizes.
    skipped: u64,
    first_illegal: Vec<FirstIllegalBoard<'a>>,
    /// The columns of each board.
    first_missing: Vec<&'a [u32]>,
    first_duplicates: Vec<FirstDuplicateBoard<'a>>,
}

#[derive(Debug, Serialize)]
struct FirstIllegalBoard<'a> {
    line: u64,
    /// The row and column of each queen, from 0.
    queens: Vec<[usize; 2]>,
    reason: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct FirstDuplicateBoard<'a> {
    line: u64,
    first_line: u64,
    columns: &'a [u32],
}
