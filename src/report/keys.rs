//! The series of a result, with the names and styles that they have in every plot.

use std::collections::{BTreeSet, HashSet};

use super::instances::family;
use super::plots::Style;
use crate::record::Status;
use crate::report::{Run, counted};
use crate::solver::Goal;

/// The properties that identify a series of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key<'a> {
    /// The solver's id.
    pub solver: &'a str,
    /// The variant of the problem, or `instances`.
    pub variant: &'a str,
    /// The goal of the runs.
    pub goal: Goal,
    /// The number of threads.
    pub threads: usize,
}

impl<'a> Key<'a> {
    /// The series that a run belongs to.
    pub fn of(row: &'a Run) -> Self {
        let variant = family(&row.variant);
        Self { solver: &row.solver, variant, goal: row.goal, threads: row.threads }
    }
}

/// The series of all runs that were attempted, sorted.
#[derive(Debug)]
pub struct Keys<'a>(Vec<Key<'a>>);

impl<'a> Keys<'a> {
    /// The series of these runs.
    pub fn of(rows: &'a [Run]) -> Self {
        let attempted = rows.iter().filter(|row| row.status != Status::Skipped);
        let keys: HashSet<Key<'_>> = attempted.map(Key::of).collect();
        let mut keys: Vec<Key<'_>> = keys.into_iter().collect();
        keys.sort_unstable();
        Self(keys)
    }

    /// All series, sorted, with their styles.
    pub fn iter(&self) -> impl Iterator<Item = (Key<'a>, Style)> + '_ {
        self.0.iter().enumerate().map(|(rank, &key)| (key, Style(rank)))
    }

    /// One for each solver, variant and goal, whatever the number of threads.
    pub fn without_threads(&self) -> impl Iterator<Item = (Key<'a>, Style)> + '_ {
        let mut last: Option<Key<'a>> = None;
        self.iter().filter(move |&(key, _)| {
            let same = |other: &Key<'_>| {
                (other.solver, other.variant, other.goal) == (key.solver, key.variant, key.goal)
            };
            !last.replace(key).as_ref().is_some_and(same)
        })
    }

    /// The solver's id, and the properties that distinguish the series from others of the same solver.
    pub fn name(&self, key: &Key<'_>, with_threads: bool) -> String {
        let mut parts = vec![key.solver.to_owned()];
        if self.differ(|key| key.variant) {
            parts.push(key.variant.to_owned());
        }
        if self.differ(|key| key.goal) {
            parts.push(key.goal.to_string());
        }
        if with_threads && self.differ_in_threads() {
            parts.push(counted(key.threads, "thread"));
        }
        parts.join(" · ")
    }

    /// The goals, separated by commas.
    pub fn goals(&self) -> String {
        let goals: BTreeSet<Goal> = self.0.iter().map(|key| key.goal).collect();
        goals.iter().map(Goal::to_string).collect::<Vec<_>>().join(", ")
    }

    /// Whether the series differ in their number of threads.
    pub fn differ_in_threads(&self) -> bool {
        self.differ(|key| key.threads)
    }

    fn differ<T: PartialEq>(&self, part: impl Fn(&Key<'a>) -> T) -> bool {
        self.0.windows(2).any(|pair| part(&pair[0]) != part(&pair[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;

    fn run(solver: &str, goal: Goal, threads: usize) -> Row {
        let row = Row::skipped("r".into(), "c".into(), 8, goal, solver.into());
        Row { status: Status::Complete, threads, ..row }
    }

    #[test]
    fn a_name_says_only_what_tells_series_apart() {
        let alike = Run::all(&[run("a", Goal::Count, 4), run("b", Goal::Count, 4)]);
        let keys = Keys::of(&alike);
        assert_eq!(keys.iter().map(|(key, _)| keys.name(&key, true)).collect::<Vec<_>>(), ["a", "b"]);
        let rows = Run::all(&[run("a", Goal::Count, 4), run("a", Goal::Count, 1), run("a", Goal::First, 1)]);
        let keys = Keys::of(&rows);
        let names: Vec<_> = keys.iter().map(|(key, _)| keys.name(&key, true)).collect();
        assert_eq!(names, ["a · first · 1 thread", "a · count · 1 thread", "a · count · 4 threads"]);
        let names: Vec<_> = keys.without_threads().map(|(key, _)| keys.name(&key, false)).collect();
        assert_eq!(names, ["a · first", "a · count"]);
        assert_eq!(keys.goals(), "first, count");
    }

    #[test]
    fn skipped_runs_make_no_series() {
        let rows = Run::all(&[Row::skipped("r".into(), "c".into(), 8, Goal::Count, "s".into())]);
        assert_eq!(Keys::of(&rows).iter().count(), 0);
    }
}
