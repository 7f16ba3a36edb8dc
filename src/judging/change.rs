//! Compares the answers of a cell in two results. Answers should not depend on the time, the machine or its load.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use super::evidence::Evidence;
use crate::model::Verdict;
use crate::solver::{Goal, Stat};

/// A column of `runs.csv` that should have the same value on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ComparedColumn {
    /// The number of solutions.
    Solutions,
    /// The digest of the boards.
    Digest,
    /// A statistic of the solver.
    Stat(Stat),
}

impl ComparedColumn {
    /// The name of the column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solutions => "solutions",
            Self::Digest => "digest",
            Self::Stat(stat) => stat.name(),
        }
    }

    /// Whether the column belongs to the answer. Statistics do not.
    fn is_answer(self) -> bool {
        !matches!(self, Self::Stat(_))
    }
}

/// All compared columns, in the order of the table.
pub fn compared_columns() -> impl Iterator<Item = ComparedColumn> {
    [ComparedColumn::Solutions, ComparedColumn::Digest]
        .into_iter()
        .chain(Stat::ALL.iter().copied().map(ComparedColumn::Stat))
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColumnValue {
    /// A number.
    Number(u64),
    /// A digest.
    Digest(String),
}

impl Display for ColumnValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => Display::fmt(number, f),
            Self::Digest(digest) => f.write_str(digest),
        }
    }
}

/// The answers of a cell in one result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// The values of each column.
    values: BTreeMap<ComparedColumn, BTreeSet<ColumnValue>>,
    /// The verdict of the first answer that is wrong or disagrees, with its reason.
    fault: Option<(Verdict, Option<String>)>,
    /// Whether an answer has the verdict `correct`.
    has_correct: bool,
    /// Whether the goal was to count or list all solutions.
    is_complete: bool,
    /// Whether there is an answer whose verdict is not `wrong`.
    is_answered: bool,
}

impl Answers {
    /// Collects the answers, each with the recorded reason of its verdict.
    pub fn of<'a>(answers: impl IntoIterator<Item = (Evidence<'a>, Option<&'a str>)>) -> Self {
        let mut collected = Self::default();
        for (evidence, reason) in answers {
            let Evidence { answer, verdict, statistics, .. } = evidence;
            if verdict.is_fault() && collected.fault.is_none() {
                collected.fault = Some((verdict, reason.map(ToOwned::to_owned)));
            }
            collected.has_correct |= verdict == Verdict::Correct;
            collected.is_complete |= answer.goal != Goal::First;
            if verdict == Verdict::Wrong {
                continue;
            }
            collected.is_answered = true;
            let mut add_value = |column, value| {
                collected.values.entry(column).or_default().insert(value);
            };
            answer
                .solutions
                .into_iter()
                .for_each(|number| add_value(ComparedColumn::Solutions, ColumnValue::Number(number)));
            let digest = answer.digest.map(ToOwned::to_owned);
            digest
                .into_iter()
                .for_each(|digest| add_value(ComparedColumn::Digest, ColumnValue::Digest(digest)));
            let statistics = statistics.into_iter().flat_map(|statistics| statistics.iter());
            statistics.for_each(|(stat, number)| {
                add_value(ComparedColumn::Stat(stat), ColumnValue::Number(number))
            });
        }
        collected
    }
}

/// How the answers of a cell changed from one result to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerChange {
    /// The new answer is wrong or disagrees, and the old answer was not wrong and did not disagree.
    BecameWrong {
        /// Whether the old answer had the verdict `correct`.
        was_correct: bool,
        /// The new verdict.
        verdict: Verdict,
        /// The recorded reason of the verdict.
        reason: Option<String>,
    },
    /// The old answer was wrong or disagreed, and the new answer is not wrong and does not disagree.
    NoLongerWrong,
    /// The values of a column differ.
    Values {
        /// The column.
        column: ComparedColumn,
        /// The values of the old and of the new result. A list is empty if the result has no value.
        values: [Vec<ColumnValue>; 2],
        /// Whether both answers are complete, so that one of them is wrong.
        is_contradiction: bool,
    },
}

impl AnswerChange {
    /// Whether the new answer became wrong, or the two answers contradict each other.
    pub fn is_wrong(&self) -> bool {
        matches!(self, Self::BecameWrong { .. } | Self::Values { is_contradiction: true, .. })
    }

    /// Whether only one of the results has a value.
    pub fn is_one_sided(&self) -> bool {
        match self {
            Self::NoLongerWrong => true,
            Self::Values { values, .. } => values.iter().any(Vec::is_empty),
            Self::BecameWrong { .. } => false,
        }
    }
}

/// How the new answers of a cell differ from the old ones. If the new answer became wrong, or if the two answers contradict each
/// other, only this change is returned. For the goals `count` and `enumerate`, different answers are contradictions; different
/// first solutions are not.
pub fn changes(old: &Answers, new: &Answers) -> Vec<AnswerChange> {
    if let (None, Some((verdict, reason))) = (&old.fault, &new.fault) {
        let (was_correct, verdict, reason) = (old.has_correct, *verdict, reason.clone());
        return vec![AnswerChange::BecameWrong { was_correct, verdict, reason }];
    }
    // Both results have the same goal for this cell.
    let are_complete = new.is_complete && old.fault.is_none() && new.fault.is_none();
    let mut changes = Vec::new();
    changes.extend((old.fault.is_some() && new.fault.is_none()).then_some(AnswerChange::NoLongerWrong));
    for column in compared_columns() {
        let values = [old, new].map(|answers| answers.values.get(&column));
        if old.is_answered && new.is_answered && values[0] != values[1] {
            let is_contradiction = are_complete && column.is_answer() && values.iter().all(Option::is_some);
            let values = values.map(|values| values.into_iter().flatten().cloned().collect());
            changes.push(AnswerChange::Values { column, values, is_contradiction });
        }
    }
    if let Some(contradiction) = changes.iter().position(AnswerChange::is_wrong) {
        return vec![changes.swap_remove(contradiction)];
    }
    if changes.first() == Some(&AnswerChange::NoLongerWrong) {
        // The values of a wrong answer are not collected, so a missing value is not a change.
        changes.retain(|change| *change == AnswerChange::NoLongerWrong || !change.is_one_sided());
    }
    changes
}

impl Display for AnswerChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::BecameWrong { was_correct, verdict, reason } => {
                let old_verdict = if *was_correct { "correct" } else { "unchecked" };
                let new_verdict = match verdict {
                    Verdict::Disagree => "in disagreement with another solver",
                    _ => "wrong",
                };
                write!(f, "was {old_verdict}, is {new_verdict}")?;
                reason.iter().try_for_each(|reason| write!(f, ": {reason}"))
            }
            Self::NoLongerWrong => f.write_str("was wrong, is no longer wrong"),
            Self::Values { column, values: [old, new], is_contradiction } => {
                let text = |values: &[ColumnValue]| match values {
                    [] => "none".to_owned(),
                    values => values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and "),
                };
                let start = if *is_contradiction { "one of the two is wrong: " } else { "" };
                write!(f, "{start}{}: {}, now {}", column.name(), text(old), text(new))
            }
        }
    }
}
