//! What of a cell should not depend on time, machine or load, and whether it changed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Cell, Run};
use crate::record::{Kind, Status, Verdict};
use crate::solver::{Goal, Stat};

/// A change of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change<'a> {
    /// The cell.
    #[serde(flatten)]
    pub cell: Cell<'a>,
    /// What changed.
    pub what: String,
}

/// The columns that are the answer itself.
const ANSWER: [&str; 2] = ["solutions", "digest"];

/// The columns of `runs.csv` that the same plan gives again, whatever the machine.
pub fn deterministic() -> impl Iterator<Item = &'static str> {
    ANSWER.into_iter().chain(Stat::ALL.iter().map(|stat| stat.name()))
}

/// The values of the deterministic columns among the answered runs of a cell.
pub struct Values(BTreeMap<&'static str, BTreeSet<String>>);

impl Values {
    /// Collects the values. Which of several threads finds the first solution, and after how much work, depends on the machine.
    pub fn of(rows: &[Run<'_>]) -> Self {
        let mut solutions = BTreeSet::new();
        let mut digests = BTreeSet::new();
        let mut statistics = BTreeSet::new();
        for row in rows.iter().filter(|row| row.is_answered()) {
            solutions.extend(row.solutions);
            if row.goal != Goal::First || row.threads == 1 {
                digests.extend(row.digest.as_deref());
                statistics.extend(row.stats.iter());
            }
        }
        let mut values: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        values.insert("solutions", solutions.into_iter().map(|value| value.to_string()).collect());
        values.insert("digest", digests.into_iter().map(ToOwned::to_owned).collect());
        for (stat, value) in statistics {
            values.entry(stat.name()).or_default().insert(value.to_string());
        }
        values.retain(|_, values| !values.is_empty());
        Self(values)
    }
}

/// Deterministic columns that both cells have and that differ: `nodes: 2057, now 2056`.
pub fn differing(old: &Values, new: &Values) -> Vec<String> {
    deterministic().filter_map(|column| differs(column, old, new)).collect()
}

fn differs(column: &str, old: &Values, new: &Values) -> Option<String> {
    let (was, is) = (old.0.get(column)?, new.0.get(column)?);
    (was != is).then(|| format!("{column}: {}, now {}", text(was), text(is)))
}

/// Runs that were answered on one side only, and deterministic columns that one side lacks: `nodes: 2057, now none`.
/// A cell that is lost or gained is not among them.
pub fn one_sided([old, new]: [&[Run<'_>]; 2], [was, is]: [&Values; 2]) -> Vec<String> {
    let mut found = Vec::new();
    for (kind, counting) in [("counting run", true), ("timed runs", false)] {
        let of_kind = |rows: &[Run<'_>]| {
            let own = rows
                .iter()
                .filter(|row| (row.kind == Kind::Counting) == counting && row.kind != Kind::Warmup);
            let endings: BTreeSet<&str> = own.clone().map(|row| row.status.name()).collect();
            (own.clone().any(|row| row.is_answered()), endings.into_iter().collect::<Vec<_>>().join(", "))
        };
        let ((was, before), (is, now)) = (of_kind(old), of_kind(new));
        let told_elsewhere = !counting && (is_lost(old, new) || is_lost(new, old));
        if was != is && !before.is_empty() && !now.is_empty() && !told_elsewhere {
            found.push(format!("{kind}: {before}, now {now}"));
        }
    }
    if old.iter().any(|row| row.verdict.is_fault()) && !new.iter().any(|row| row.verdict.is_fault()) {
        found.push("a wrong answer, now none".to_owned());
    }
    let answers = |rows: &[Run<'_>]| rows.iter().any(|row| row.is_answered());
    if found.is_empty() && answers(old) && answers(new) {
        found.extend(deterministic().filter_map(|column| match (was.0.get(column), is.0.get(column)) {
            (Some(was), None) => Some(format!("{column}: {}, now none", text(was))),
            (None, Some(is)) => Some(format!("{column}: none, now {}", text(is))),
            _ => None,
        }));
    }
    found
}

/// Values in words.
fn text(values: &BTreeSet<String>) -> String {
    values.iter().map(String::as_str).collect::<Vec<_>>().join(" and ")
}

/// Why the new answer is wrong and the old one was not; or how two complete answers contradict each other.
pub fn wrong([old, new]: [&[Run<'_>]; 2], [was, is]: [&Values; 2]) -> Option<String> {
    let fault = |rows: &[Run<'_>]| rows.iter().find(|row| row.verdict.is_fault()).map(|row| row.verdict);
    match (fault(old), fault(new)) {
        (Some(_), _) => None,
        (None, Some(_)) => {
            let was =
                if old.iter().any(|row| row.verdict == Verdict::Correct) { "correct" } else { "unchecked" };
            let row = new.iter().find(|row| row.verdict.is_fault())?;
            let reason = row.reason().map_or(String::new(), |reason| format!(": {reason}"));
            let word =
                if row.verdict == Verdict::Wrong { "wrong" } else { "in disagreement with another solver" };
            Some(format!("was {was}, is {word}{reason}"))
        }
        (None, None) => {
            // A first solution may be another one; all solutions are the same ones everywhere.
            let complete = |rows: &[Run<'_>]| rows.iter().any(|row| row.status == Status::Complete);
            let both = complete(old) && complete(new);
            let differs = ANSWER.iter().find_map(|column| differs(column, was, is));
            differs.filter(|_| both).map(|what| format!("one of the two is wrong: {what}"))
        }
    }
}

/// Whether all timed runs were answered before, and half of them or more are not now.
pub fn is_lost(old: &[Run<'_>], new: &[Run<'_>]) -> bool {
    let timed = |runs: &[Run<'_>]| {
        let answered = runs.iter().filter(|run| run.is_timed()).map(|run| run.is_answered());
        (answered.clone().filter(|answered| *answered).count(), answered.count())
    };
    let ((before, all_before), (now, all_now)) = (timed(old), timed(new));
    all_before > 0 && before == all_before && all_now > 0 && 2 * now <= all_now
}

/// How the timed runs of a cell ended.
pub fn endings(rows: &[Run<'_>]) -> String {
    let timed = rows.iter().filter(|row| row.is_timed());
    let endings: BTreeSet<&str> = timed.map(|row| row.status.name()).collect();
    endings.into_iter().collect::<Vec<_>>().join(", ")
}
