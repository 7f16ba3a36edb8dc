//! The results of a submission.

use super::check::{AnswerRow, Grade, JudgedAnswer};
use crate::board::problem::Problem;

/// A submission with its results.
#[derive(Debug)]
pub struct JudgedSubmission {
    /// The name of the file or folder, with unprintable characters escaped.
    pub name: String,
    /// The name of the student: the name of the file without its extension, unless two submissions would have the same name.
    pub student: String,
    /// The result at each size; empty if the submission was not run.
    pub results: Vec<JudgedProblem>,
    /// The reason why the submission was not run; `None` if it was run. Such a submission gets neither points nor a verdict.
    pub not_run: Option<String>,
}

/// The result of a submission at one size.
#[derive(Debug)]
pub struct JudgedProblem {
    /// The problem.
    pub problem: Problem,
    /// The result.
    pub judged: JudgedAnswer,
}

impl JudgedSubmission {
    /// The number of correct answers.
    pub fn points(&self) -> usize {
        self.results.iter().filter(|result| result.judged.grade == Grade::Correct).count()
    }

    /// The worst grade: wrong, then unreadable, then unfinished. A submission that was not run counts as unreadable.
    pub fn worst_grade(&self) -> Grade {
        if self.not_run.is_some() {
            return Grade::Unreadable;
        }
        let grades = self.results.iter().map(|result| result.judged.grade);
        grades.max_by_key(|grade| *grade as u8).unwrap_or(Grade::Correct)
    }

    /// The rows of `--csv`.
    pub fn answers(&self) -> impl Iterator<Item = AnswerRow<'_>> {
        self.results.iter().map(|result| result.judged.answer(Some(&self.name), &result.problem))
    }
}
