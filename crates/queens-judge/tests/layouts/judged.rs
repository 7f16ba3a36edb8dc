//! Calls the judge and reduces its judgement to an outcome.

use std::io::BufRead;
use std::ops::ControlFlow;

use queens_board::BoardSize;
use queens_board::problem::Problem;
use queens_judge::notation::Symbols;
use queens_judge::{AnswerKind, Question, SolutionSource, SubmissionVerdict, judge};

/// The outcome of judging a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Correct,
    Wrong(Faults),
    /// The text is unreadable, or the verdict is neither correct nor wrong.
    Unreadable,
}

/// The faults of a wrong text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    pub illegal: u64,
    pub repeated: u64,
    pub missing: u64,
}

impl Outcome {
    pub fn is_wrong(self) -> bool {
        matches!(self, Self::Wrong(_))
    }
}

/// A reference without solutions. The judge uses only the published numbers of solutions.
struct NoSolutions;

impl SolutionSource for NoSolutions {
    fn enumerate(&self, _: &Problem, _: &mut dyn FnMut(&[u32]) -> ControlFlow<()>) -> Option<&'static str> {
        None
    }

    fn decide(&self, _: &Problem) -> Option<(bool, &'static str)> {
        None
    }
}

/// The outcome for plain queens.
pub fn outcome(mut text: &[u8], n: usize, answer_kind: AnswerKind) -> Outcome {
    outcome_of(&mut text, n, answer_kind)
}

/// The outcome for plain queens, with a text that is read from a source.
pub fn outcome_of(source: &mut dyn BufRead, n: usize, answer_kind: AnswerKind) -> Outcome {
    let problem = Problem::queens(BoardSize::new(n).expect("a board size"));
    let question = Question { problem, notation: None, symbols: Symbols::default(), answer_kind };
    match judge(source, &question, Some(&NoSolutions), &mut |_| ()) {
        Ok(judgement) => match judgement.verdict() {
            SubmissionVerdict::Correct => Outcome::Correct,
            SubmissionVerdict::Wrong => Outcome::Wrong(Faults {
                illegal: judgement.illegal_count,
                repeated: judgement.duplicate_count,
                missing: judgement.missing.and_then(|missing| missing.count).unwrap_or(0),
            }),
            _ => Outcome::Unreadable,
        },
        Err(_) => Outcome::Unreadable,
    }
}
