//! What of a cell should not depend on time, machine or load, and whether it changed.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Cell;
use crate::record::{Kind, Row, Status, Verdict};
use crate::solver::{Goal, Stat};

/// A change of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The cell.
    #[serde(flatten)]
    pub cell: Cell,
    /// What changed.
    pub what: String,
}

/// The columns that are the answer itself.
const ANSWER: [&str; 2] = ["solutions", "digest"];

/// The columns of `runs.csv` that the same plan gives again, whatever the machine.
pub fn deterministic() -> impl Iterator<Item = &'static str> {
    ANSWER.into_iter().chain(Stat::ALL.iter().map(|stat| stat.name()))
}

/// The value of a deterministic column; `None` if it is empty. Which of several threads finds the first solution, and
/// after how much work, depends on the machine.
fn value(row: &Row, column: &str) -> Option<String> {
    match column {
        "solutions" => row.solutions.map(|solutions| solutions.to_string()),
        _ if row.goal == Goal::First && row.threads > 1 => None,
        "digest" => row.digest.clone(),
        _ => row.stats.get(Stat::named(column)?).map(|value| value.to_string()),
    }
}

/// The values of a column among the answered runs of a cell.
fn values(rows: &[&Row], column: &str) -> BTreeSet<String> {
    rows.iter().filter(|row| row.is_answered()).filter_map(|row| value(row, column)).collect()
}

/// Deterministic columns that both cells have and that differ: `nodes: 2057, now 2056`.
pub fn differing(old: &[&Row], new: &[&Row]) -> Vec<String> {
    deterministic().filter_map(|column| differs(column, old, new)).collect()
}

fn differs(column: &str, old: &[&Row], new: &[&Row]) -> Option<String> {
    let (was, is) = (values(old, column), values(new, column));
    (!was.is_empty() && !is.is_empty() && was != is)
        .then(|| format!("{column}: {}, now {}", told(was), told(is)))
}

/// Runs that were answered on one side only, and deterministic columns that one side lacks: `nodes: 2057, now none`.
/// Timed runs that were all answered before and none of them now, or the other way round, are not among them.
pub fn one_sided(old: &[&Row], new: &[&Row]) -> Vec<String> {
    let mut found = Vec::new();
    for (kind, counting) in [("counting run", true), ("timed runs", false)] {
        let of_kind = |rows: &[&Row]| {
            let own = rows
                .iter()
                .filter(|row| (row.kind == Kind::Counting) == counting && row.kind != Kind::Warmup);
            let endings: BTreeSet<String> = own.clone().map(|row| row.status.to_string()).collect();
            (own.clone().any(|row| row.is_answered()), endings.into_iter().collect::<Vec<_>>().join(", "))
        };
        let ((was, before), (is, now)) = (of_kind(old), of_kind(new));
        let told_elsewhere = !counting && answered(old).is_some() && answered(new).is_some();
        if was != is && !before.is_empty() && !now.is_empty() && !told_elsewhere {
            found.push(format!("{kind}: {before}, now {now}"));
        }
    }
    if old.iter().any(|row| row.verdict.is_fault()) && !new.iter().any(|row| row.verdict.is_fault()) {
        found.push("a wrong answer, now none".to_owned());
    }
    let answers = |rows: &[&Row]| rows.iter().any(|row| row.is_answered());
    if found.is_empty() && answers(old) && answers(new) {
        for column in deterministic() {
            let (was, is) = (values(old, column), values(new, column));
            if was.is_empty() != is.is_empty() {
                found.push(format!("{column}: {}, now {}", told(was), told(is)));
            }
        }
    }
    found
}

/// Values in words.
fn told(values: BTreeSet<String>) -> String {
    if values.is_empty() { "none".to_owned() } else { values.into_iter().collect::<Vec<_>>().join(" and ") }
}

/// Why the new answer is wrong and the old one was not; or how two complete answers contradict each other.
pub fn wrong(old: &[&Row], new: &[&Row]) -> Option<String> {
    let fault = |rows: &[&Row]| rows.iter().find(|row| row.verdict.is_fault()).map(|row| row.verdict);
    match (fault(old), fault(new)) {
        (Some(_), _) => None,
        (None, Some(_)) => {
            let was =
                if old.iter().any(|row| row.verdict == Verdict::Correct) { "correct" } else { "unchecked" };
            let row = new.iter().find(|row| row.verdict.is_fault())?;
            let said = row.error.as_deref().map_or(String::new(), |said| format!(": {said}"));
            let word =
                if row.verdict == Verdict::Wrong { "wrong" } else { "in disagreement with another solver" };
            Some(format!("was {was}, is {word}{said}"))
        }
        (None, None) => {
            // A first solution may be another one; all solutions are the same ones everywhere.
            let complete = |rows: &[&Row]| rows.iter().any(|row| row.status == Status::Complete);
            let both = complete(old) && complete(new);
            let differs = ANSWER.iter().find_map(|column| differs(column, old, new));
            differs.filter(|_| both).map(|what| format!("one of the two is wrong: {what}"))
        }
    }
}

/// Whether all timed runs were answered, or none; `None` if some were, or there are none.
pub fn answered(rows: &[&Row]) -> Option<bool> {
    let mut timed = rows.iter().filter(|row| row.is_timed()).map(|row| row.is_answered());
    let first = timed.next()?;
    timed.all(|answered| answered == first).then_some(first)
}

/// How the timed runs of a cell ended.
pub fn endings(rows: &[&Row]) -> String {
    let timed = rows.iter().filter(|row| row.is_timed());
    let endings: BTreeSet<String> = timed.map(|row| row.status.to_string()).collect();
    endings.into_iter().collect::<Vec<_>>().join(", ")
}
