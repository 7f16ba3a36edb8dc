//! Compares the parts of a cell that should not depend on time, machine or load: the answers, by the rules of `judging`, and the
//! statuses of the runs.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::judging::{self, Answers, Evidence};
use crate::model::{Answer, Kind, Verdict};
use crate::report::ReportRun;
use crate::report::tables::ReportCell;
use crate::solver::Goal;

/// A change of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CellChange<'a> {
    /// The cell.
    #[serde(flatten)]
    pub cell: ReportCell<'a>,
    /// A description of the change.
    pub what: String,
}

/// The columns of `runs.csv` that should have the same values on every machine.
pub fn compared_columns() -> impl Iterator<Item = &'static str> {
    judging::compared_columns().map(judging::ComparedColumn::name)
}

/// Descriptions of the changes in the answers of a cell.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CellChanges {
    /// An answer that is wrong only in the second result, or answers that contradict each other.
    pub wrong: Option<String>,
    /// Values that differ in both results: `nodes: 2057, now 2056`.
    pub changed: Vec<String>,
    /// Values that only one of the two results has. Cells that are lost or gained ([`Comparison`](super::Comparison)) are left out.
    pub one_sided: Vec<String>,
}

impl CellChanges {
    /// Compares the runs of a cell in two results.
    pub fn of(old: &[ReportRun<'_>], new: &[ReportRun<'_>]) -> Self {
        let changes = judging::changes(&answers(old), &answers(new));
        if let Some(wrong) = changes.iter().find(|change| change.is_wrong()) {
            return Self { wrong: Some(wrong.to_string()), ..Self::default() };
        }
        let mut one_sided = one_sided_statuses(old, new);
        let has_different_statuses = !one_sided.is_empty();
        let mut changed = Vec::new();
        for change in changes {
            match change {
                // If the runs have different statuses, these explain why one of the two values is missing.
                judging::AnswerChange::Values { .. } if change.is_one_sided() && has_different_statuses => {}
                change if change.is_one_sided() => one_sided.push(change.to_string()),
                change => changed.push(change.to_string()),
            }
        }
        Self { wrong: None, changed, one_sided }
    }
}

/// The answers of runs as evidence. For a first solution with several threads, the solution and the statistics are left out,
/// because they depend on the machine.
fn answers(runs: &[ReportRun<'_>]) -> Answers {
    let answered_runs = runs.iter().filter(|run| run.status.is_solved() || run.verdict == Verdict::Wrong);
    Answers::of(answered_runs.map(|run| {
        let evidence = run.row.evidence();
        let is_reproducible = run.goal != Goal::First || run.threads == 1;
        let digest = evidence.answer.digest.filter(|_| is_reproducible);
        let answer = Answer { digest, ..evidence.answer };
        let statistics = evidence.statistics.filter(|_| is_reproducible);
        (Evidence { answer, statistics, ..evidence }, run.row.reason())
    }))
}

/// Descriptions of the kinds of runs that were answered in only one of the two results.
fn one_sided_statuses(old: &[ReportRun<'_>], new: &[ReportRun<'_>]) -> Vec<String> {
    let statuses_of_kind = |rows: &[ReportRun<'_>], is_counting: bool| {
        let runs =
            rows.iter().filter(|row| (row.kind == Kind::Counting) == is_counting && row.kind != Kind::Warmup);
        let statuses: BTreeSet<&str> = runs.clone().map(|row| row.status.name()).collect();
        (runs.clone().any(|row| row.is_answered()), statuses.into_iter().collect::<Vec<_>>().join(", "))
    };
    let mut changes = Vec::new();
    for (kind, is_counting) in [("counting run", true), ("timed runs", false)] {
        let (is_answered_before, before) = statuses_of_kind(old, is_counting);
        let (is_answered_now, now) = statuses_of_kind(new, is_counting);
        let is_lost_or_gained = !is_counting && (is_lost(old, new) || is_lost(new, old));
        if is_answered_before != is_answered_now
            && !before.is_empty()
            && !now.is_empty()
            && !is_lost_or_gained
        {
            changes.push(format!("{kind}: {before}, now {now}"));
        }
    }
    changes
}

/// Whether the first result answered all timed runs, and the second result at most half of them.
pub fn is_lost(old: &[ReportRun<'_>], new: &[ReportRun<'_>]) -> bool {
    let timed_counts = |runs: &[ReportRun<'_>]| {
        let is_answered = runs.iter().filter(|run| run.is_timed()).map(|run| run.is_answered());
        (is_answered.clone().filter(|is_answered| *is_answered).count(), is_answered.count())
    };
    let ((before, all_before), (now, all_now)) = (timed_counts(old), timed_counts(new));
    all_before > 0 && before == all_before && all_now > 0 && 2 * now <= all_now
}

/// The statuses of the timed runs of a cell, in words.
pub fn statuses_in_words(rows: &[ReportRun<'_>]) -> String {
    let timed_runs = rows.iter().filter(|row| row.is_timed());
    let statuses: BTreeSet<&str> = timed_runs.map(|row| row.status.name()).collect();
    statuses.into_iter().collect::<Vec<_>>().join(", ")
}
