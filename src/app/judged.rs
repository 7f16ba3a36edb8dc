//! The results of a submission of a class.

use super::check::{AnswerRow, Grade, Judged};
use crate::board::problem::Problem;

/// A submission with its results.
#[derive(Debug)]
pub struct JudgedSubmission {
    /// The name of its file or folder, safe to print on a terminal.
    pub name: String,
    /// The name of the student: that of the file without its extension, if no other submission has it.
    pub student: String,
    /// The result at each of its sizes; none if it was not run.
    pub results: Vec<JudgedProblem>,
    /// If the submission was not run, and gets neither points nor a verdict: the reason.
    pub not_run: Option<String>,
}

/// The result of a submission at one size.
#[derive(Debug)]
pub struct JudgedProblem {
    /// The problem.
    pub problem: Problem,
    /// The result.
    pub judged: Judged,
}

impl JudgedSubmission {
    /// The number of correct answers.
    pub fn points(&self) -> usize {
        self.results.iter().filter(|one| one.judged.grade == Grade::Correct).count()
    }

    /// The worst of its grades: wrong, then unreadable, then unfinished. A submission that was not run is unreadable.
    pub fn worst(&self) -> Grade {
        if self.not_run.is_some() {
            return Grade::Unreadable;
        }
        let grades = self.results.iter().map(|one| one.judged.grade);
        grades.max_by_key(|grade| *grade as u8).unwrap_or(Grade::Correct)
    }

    /// The rows of `--csv`.
    pub fn answers(&self) -> impl Iterator<Item = AnswerRow<'_>> {
        self.results.iter().map(|one| one.judged.answer(Some(&self.name), &one.problem))
    }
}
