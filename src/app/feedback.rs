//! The feedback to a student: one sentence about all results of a submission.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use super::check::{Grade, JudgedAnswer, Refusal};
use super::judged::{JudgedProblem, JudgedSubmission};
use crate::board::Square;
use crate::judge::{CutReason, IllegalBoard, Judgement, SubmissionVerdict};
use crate::words::seconds;
use serde::Serialize;

/// A row of `--grades`.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "docs/CLASS.md describes the columns")]
pub struct GradeRow<'a> {
    pub student: &'a str,
    pub points: Option<usize>,
    pub of: Option<usize>,
    pub feedback: String,
}

/// The row of a submission. The columns `points` and `of` are empty if it was not run.
pub fn grade_row(submission: &JudgedSubmission) -> GradeRow<'_> {
    let is_run = submission.not_run.is_none();
    GradeRow {
        student: &submission.student,
        points: is_run.then(|| submission.points()),
        of: is_run.then_some(submission.results.len()),
        feedback: sentence(submission),
    }
}

/// One sentence about a submission.
fn sentence(submission: &JudgedSubmission) -> String {
    if let Some(reason) = &submission.not_run {
        return capitalize(reason);
    }
    let results = &submission.results;
    let incorrect_results: Vec<&JudgedProblem> =
        results.iter().filter(|result| result.judged.grade != Grade::Correct).collect();
    if incorrect_results.is_empty() {
        let exit_code = results.iter().find_map(|result| result.judged.exit_code());
        return exit_code.map_or("Correct".to_owned(), |code| format!("Correct, but exit code {code}"));
    }
    if let Some(sentence) = one_size_only(results, &incorrect_results) {
        return capitalize(&sentence);
    }
    let mut grades: Vec<Grade> = Vec::new();
    for result in &incorrect_results {
        if !grades.contains(&result.judged.grade) {
            grades.push(result.judged.grade);
        }
    }
    let clauses = grades.into_iter().map(|grade| {
        let results_with_grade: Vec<&JudgedProblem> =
            incorrect_results.iter().filter(|result| result.judged.grade == grade).copied().collect();
        clause(grade, &sizes(results, &results_with_grade), &results_with_grade)
    });
    capitalize(&clauses.collect::<Vec<_>>().join("; "))
}

fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// The sentence about a program that prints boards of the same size for every n, if these boards are wrong even at this size.
fn one_size_only(all_results: &[JudgedProblem], incorrect_results: &[&JudgedProblem]) -> Option<String> {
    let (wrong_results, unreadable_results): (Vec<&JudgedProblem>, Vec<&JudgedProblem>) =
        incorrect_results.iter().partition(|result| result.judged.grade == Grade::Wrong);
    let (side, [result]) = (fixed_size(&unreadable_results)?, &wrong_results[..]) else { return None };
    let pattern = pattern(&[result.judged.report.as_ref()?])?;
    (result.problem.n().get() == side).then(|| {
        let at_sizes = sizes(all_results, incorrect_results);
        format!("wrong {at_sizes}: prints boards of size {side}, whatever n is, and at n = {side} {pattern}")
    })
}

/// The clause about the sizes with one grade.
fn clause(grade: Grade, at_sizes: &str, results: &[&JudgedProblem]) -> String {
    let first = &results[0].judged;
    match first.refusal {
        Some(Refusal::NotCompiled) => return first.message.clone(),
        Some(Refusal::NotJudged) => return format!("not judged: {}", first.message),
        Some(Refusal::NoSize) => {
            return "not judged: the name of the file does not end with the board size".to_owned();
        }
        Some(Refusal::OnlyCount(_)) => {
            let is_right =
                |result: &&JudgedProblem| result.judged.refusal == Some(Refusal::OnlyCount(Some(true)));
            let remark = if results.iter().all(is_right) { " (which is right)" } else { "" };
            return format!(
                "unreadable {at_sizes}: prints only the number of solutions{remark}, and no board"
            );
        }
        _ => {}
    }
    if let Some(side) = fixed_size(results) {
        return format!("wrong {at_sizes}: prints boards of size {side}, whatever n is");
    }
    let cut_reason = first.report.as_ref().and_then(|report| report.cut_reason.as_ref());
    match (grade, cut_reason) {
        (Grade::Unfinished, Some(CutReason::Timeout(limit))) => {
            format!("not finished {at_sizes}: stopped after {}", seconds(*limit))
        }
        (Grade::Unfinished, Some(CutReason::CpuTime(limit))) => {
            format!("not finished {at_sizes}: stopped after {} of CPU time", seconds(*limit))
        }
        (Grade::Unfinished, Some(CutReason::Failed { exit_code, signal, message })) => {
            let cause = match (exit_code, signal) {
                (Some(code), _) => format!("exit code {code}"),
                // The text of `ExitStatus` includes the name of the signal: `signal: 11 (SIGSEGV)`.
                (None, Some(signal)) => {
                    let status = ExitStatus::from_raw(*signal).to_string();
                    status.replacen(':', "", 1)
                }
                (None, None) => "no exit code".to_owned(),
            };
            let message = message.as_ref().map_or_else(String::new, |message| format!(": {message}"));
            format!("failed {at_sizes} with {cause}{message}")
        }
        (Grade::Unfinished, Some(CutReason::Files(limit))) => {
            format!(
                "not finished {at_sizes}: stopped because it wrote more than {} MiB into files",
                limit >> 20
            )
        }
        (Grade::Unfinished, Some(CutReason::ProgramMemory(limit))) => {
            format!(
                "not finished {at_sizes}: stopped because it used more than {} MiB of memory",
                limit >> 20
            )
        }
        (Grade::Unfinished, Some(CutReason::Processes(limit))) => {
            format!("not finished {at_sizes}: stopped because it started more than {limit} processes")
        }
        (Grade::Unfinished, _) => format!("not finished {at_sizes}: {}", first.message),
        (Grade::Unreadable, _) => format!("unreadable {at_sizes}: {}", first.message),
        (Grade::Wrong | Grade::Correct, _) => {
            let reports: Vec<&Judgement> =
                results.iter().filter_map(|result| result.judged.report.as_ref()).collect();
            let pattern = pattern(&reports).unwrap_or_else(|| first.message.clone());
            format!("wrong {at_sizes}: {pattern}")
        }
    }
}

/// The sizes as text: `from n = 4 on`, `at n = 5`, `at n = 5 and 7`.
fn sizes(all_results: &[JudgedProblem], selected: &[&JudgedProblem]) -> String {
    let n = |result: &JudgedProblem| result.problem.n();
    let are_last_results = selected.len() > 1
        && all_results[all_results.len() - selected.len()..]
            .iter()
            .map(n)
            .eq(selected.iter().map(|result| n(result)));
    let names: Vec<String> = selected.iter().map(|result| n(result).to_string()).collect();
    match &names[..] {
        [first, ..] if are_last_results => format!("from n = {first} on"),
        [others @ .., last] if !others.is_empty() => format!("at n = {} and {last}", others.join(", ")),
        names => format!("at n = {}", names.concat()),
    }
}

/// The size of the printed boards, if it is the same for every n and differs from n.
fn fixed_size(results: &[&JudgedProblem]) -> Option<usize> {
    let size = |result: &&JudgedProblem| match result.judged.refusal {
        Some(Refusal::OtherSize(side)) => Some(side),
        _ => None,
    };
    let sizes: BTreeSet<Option<usize>> = results.iter().map(size).collect();
    match sizes.into_iter().collect::<Vec<_>>()[..] {
        [side] => side,
        _ => None,
    }
}

/// A simple explanation of what is wrong with all these answers; `None` if there is none.
fn pattern(reports: &[&Judgement]) -> Option<String> {
    let all_reports_satisfy = |condition: fn(&Judgement) -> bool| {
        !reports.is_empty() && reports.iter().all(|report| condition(report))
    };
    if !all_reports_satisfy(|report| report.verdict() == SubmissionVerdict::Wrong) {
        return None;
    }
    let has_miscounted =
        |report: &Judgement| report.stated_total.is_some() && report.stated_total != report.expected_count;
    if reports.iter().any(|report| has_miscounted(report) || report.stated_count.is_some()) {
        return None;
    }
    if all_reports_satisfy(|report| report.board_count == 0) {
        return Some("prints no board".to_owned());
    }
    if reports.iter().any(|report| report.illegal_count > 0) {
        return untested_rule(reports);
    }
    if all_reports_satisfy(|report| report.duplicate_count > 0 && report.missing.is_none()) {
        return Some("prints some solutions more than once".to_owned());
    }
    if reports.iter().any(|report| report.duplicate_count > 0) {
        return None;
    }
    if all_reports_satisfy(|report| report.board_count == 1) {
        return Some("prints only one solution".to_owned());
    }
    // The pattern of the largest board is used, because it is the least likely to be a coincidence.
    let missing_pattern = |report: &&Judgement| report.missing.as_ref()?.pattern;
    let pattern = reports.iter().rev().find_map(missing_pattern)?;
    Some(format!("prints {}", pattern.printed_boards()))
}

/// A line on which queens attack each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AttackLine {
    Row,
    Column,
    Falling,
    Rising,
}

/// The line on which two queens attack each other; `None` if they attack each other in another way.
fn line(&(first, second): &(Square, Square)) -> Option<AttackLine> {
    let (rows, columns) = (first.row.abs_diff(second.row), first.column.abs_diff(second.column));
    match (rows, columns) {
        (0, _) => Some(AttackLine::Row),
        (_, 0) => Some(AttackLine::Column),
        _ if rows != columns => None,
        _ if (first.row < second.row) == (first.column < second.column) => Some(AttackLine::Falling),
        _ => Some(AttackLine::Rising),
    }
}

/// The rule that a program does not test. It is inferred from the lines on which queens of illegal boards attack each other.
fn untested_rule(reports: &[&Judgement]) -> Option<String> {
    let boards: Vec<&IllegalBoard> = reports.iter().flat_map(|report| &report.illegal_examples).collect();
    if let Some(base) = reports.iter().find_map(|report| mixed_bases(report)) {
        return Some(base.to_owned());
    }
    if boards.iter().any(|board| board.attacks.is_empty()) {
        return None;
    }
    let lines = boards.iter().flat_map(|board| &board.attacks).map(line);
    let lines: BTreeSet<AttackLine> = lines.collect::<Option<_>>()?;
    let untested_lines = match lines.into_iter().collect::<Vec<_>>()[..] {
        [AttackLine::Row] => "the rows are",
        [AttackLine::Column] => "the columns are",
        [AttackLine::Falling] => "the falling diagonal (\\) is",
        [AttackLine::Rising] => "the rising diagonal (/) is",
        [AttackLine::Falling, AttackLine::Rising] => "the diagonals are",
        [AttackLine::Column, AttackLine::Falling, AttackLine::Rising] => "the columns and diagonals are",
        _ => return None,
    };
    Some(format!("prints illegal boards: {untested_lines} not tested"))
}

/// The explanation that some boards count columns from 0 and others from 1. `None` unless every illegal board becomes legal if its
/// columns are shifted by one.
fn mixed_bases(report: &Judgement) -> Option<&'static str> {
    let n = report.n();
    let shift_columns = |board: &IllegalBoard, by: usize, up: bool| -> Option<Vec<u32>> {
        let shift = |column: usize| if up { Some(column + by) } else { column.checked_sub(by) };
        let columns = board.queens.iter().map(|queen| u32::try_from(shift(queen.column)?).ok());
        columns.collect::<Option<Vec<u32>>>().filter(|columns| columns.len() == n)
    };
    let becomes_legal = |board: &IllegalBoard| {
        let shifted_boards = [shift_columns(board, 1, true), shift_columns(board, 1, false)];
        shifted_boards.iter().flatten().any(|columns| {
            columns.iter().all(|&column| (column as usize) < n) && report.problem.is_solution(columns)
        })
    };
    let is_explained =
        !report.illegal_examples.is_empty() && report.illegal_examples.iter().all(becomes_legal);
    is_explained.then_some("counts the columns of some boards from 0 and those of others from 1")
}

impl JudgedAnswer {
    /// The exit code of a program that ended with an error.
    fn exit_code(&self) -> Option<i32> {
        match self.report.as_ref()?.cut_reason {
            Some(CutReason::Failed { exit_code, .. }) => exit_code,
            _ => None,
        }
    }
}
