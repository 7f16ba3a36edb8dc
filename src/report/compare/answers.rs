//! What of a cell should not depend on time, machine or load, and whether it changed: the answers as `judging` compares them,
//! and how the runs ended.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::judging::{self, Answers, Evidence};
use crate::model::{Answer, Kind, Verdict};
use crate::report::ReportRun;
use crate::report::tables::ReportCell;
use crate::solver::Goal;

/// A change of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change<'a> {
    /// The cell.
    #[serde(flatten)]
    pub cell: ReportCell<'a>,
    /// What changed.
    pub what: String,
}

/// The columns of `runs.csv` that have the same values on every machine.
pub fn deterministic() -> impl Iterator<Item = &'static str> {
    judging::deterministic().map(judging::Column::name)
}

/// What changed in the answers of a cell, as lists of messages.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// An answer is wrong and was not, or two answers contradict each other.
    pub wrong: Option<String>,
    /// Deterministic columns that both results have and that differ: `nodes: 2057, now 2056`.
    pub changed: Vec<String>,
    /// What only one of the two results has. A cell that is lost or gained is not among it.
    pub one_sided: Vec<String>,
}

impl Changes {
    /// Compares the runs of a cell in two results.
    pub fn of(old: &[ReportRun<'_>], new: &[ReportRun<'_>]) -> Self {
        let all = judging::changes(&answers(old), &answers(new));
        if let Some(wrong) = all.iter().find(|change| change.is_wrong()) {
            return Self { wrong: Some(wrong.to_string()), ..Self::default() };
        }
        let mut one_sided = one_sided_endings(old, new);
        let has_endings = !one_sided.is_empty();
        let mut changed = Vec::new();
        for change in all {
            match change {
                // Runs that did not end the same way explain why a column is empty.
                judging::Change::Values { .. } if change.is_one_sided() && has_endings => {}
                change if change.is_one_sided() => one_sided.push(change.to_string()),
                change => changed.push(change.to_string()),
            }
        }
        Self { wrong: None, changed, one_sided }
    }
}

/// The answers of runs as evidence. Which of several threads finds the first solution, and after how much work, depends on the
/// machine.
fn answers(runs: &[ReportRun<'_>]) -> Answers {
    let answered = runs.iter().filter(|run| run.status.is_solved() || run.verdict == Verdict::Wrong);
    Answers::of(answered.map(|run| {
        let evidence = run.row.evidence();
        let is_reproducible = run.goal != Goal::First || run.threads == 1;
        let digest = evidence.answer.digest.filter(|_| is_reproducible);
        let answer = Answer { digest, ..evidence.answer };
        let statistics = evidence.statistics.filter(|_| is_reproducible);
        (Evidence { answer, statistics, ..evidence }, run.row.reason())
    }))
}

/// Kinds of runs that were answered on one side only.
fn one_sided_endings(old: &[ReportRun<'_>], new: &[ReportRun<'_>]) -> Vec<String> {
    let of_kind = |rows: &[ReportRun<'_>], is_counting: bool| {
        let runs =
            rows.iter().filter(|row| (row.kind == Kind::Counting) == is_counting && row.kind != Kind::Warmup);
        let endings: BTreeSet<&str> = runs.clone().map(|row| row.status.name()).collect();
        (runs.clone().any(|row| row.is_answered()), endings.into_iter().collect::<Vec<_>>().join(", "))
    };
    let mut changes = Vec::new();
    for (kind, is_counting) in [("counting run", true), ("timed runs", false)] {
        let ((was, before), (is, now)) = (of_kind(old, is_counting), of_kind(new, is_counting));
        let is_lost_or_gained = !is_counting && (is_lost(old, new) || is_lost(new, old));
        if was != is && !before.is_empty() && !now.is_empty() && !is_lost_or_gained {
            changes.push(format!("{kind}: {before}, now {now}"));
        }
    }
    changes
}

/// Whether all timed runs were answered before, and half of them or more are not now.
pub fn is_lost(old: &[ReportRun<'_>], new: &[ReportRun<'_>]) -> bool {
    let timed = |runs: &[ReportRun<'_>]| {
        let answered = runs.iter().filter(|run| run.is_timed()).map(|run| run.is_answered());
        (answered.clone().filter(|answered| *answered).count(), answered.count())
    };
    let ((before, all_before), (now, all_now)) = (timed(old), timed(new));
    all_before > 0 && before == all_before && all_now > 0 && 2 * now <= all_now
}

/// How the timed runs of a cell ended.
pub fn endings(rows: &[ReportRun<'_>]) -> String {
    let timed = rows.iter().filter(|row| row.is_timed());
    let endings: BTreeSet<&str> = timed.map(|row| row.status.name()).collect();
    endings.into_iter().collect::<Vec<_>>().join(", ")
}
