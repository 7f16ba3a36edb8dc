//! The part of a row of `runs.csv` that a report needs. It takes a quarter of the memory: a table may have a million rows.

use std::collections::HashSet;
use std::sync::Arc;

use super::tables::nodes_row;
use crate::record::{Disturbed, Kind, NodesRow, Row, Status, Verdict};
use crate::solver::Goal;

/// A run as reports see it. Times in nanoseconds.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "fields without a comment are those of Row")]
#[non_exhaustive]
pub struct Run {
    pub n: usize,
    pub variant: Arc<str>,
    pub goal: Goal,
    pub solver: Arc<str>,
    pub threads: usize,
    pub seed: u64,
    pub round: u32,
    pub repetition: u32,
    /// [`Row::is_timed`].
    pub is_timed: bool,
    /// Whether others held the CPU.
    pub is_disturbed: bool,
    /// [`Row::is_answered`].
    pub is_answered: bool,
    pub status: Status,
    pub verdict: Verdict,
    /// [`Row::answered_ns`].
    pub answered_ns: Option<u64>,
    pub time_limit_ns: Option<u64>,
    pub wall_ns: Option<u64>,
    /// User and system time.
    pub cpu_ns: Option<u64>,
    pub peak_rss_bytes: Option<u64>,
    pub solutions: Option<u64>,
    /// The counts of an answered counting run.
    pub counts: Option<Box<NodesRow>>,
    /// The explanation of a wrong answer or a failed run.
    pub fault: Option<Box<Fault>>,
}

/// The explanation of a wrong answer or a failed run.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are those of Row")]
#[non_exhaustive]
pub struct Fault {
    pub expected_solutions: Option<u64>,
    pub error: Option<Arc<str>>,
}

/// Texts that runs share.
#[derive(Default)]
struct Texts(HashSet<Arc<str>>);

impl Texts {
    fn shared(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let text: Arc<str> = text.into();
        self.0.insert(text.clone());
        text
    }
}

impl Run {
    /// The run of a row; its texts are shared with those of other runs.
    fn of(row: &Row, texts: &mut Texts) -> Self {
        let is_fault = row.verdict.is_fault() || row.status.is_failure();
        let mut fault = || Fault {
            expected_solutions: row.expected_solutions,
            error: row.error.as_deref().map(|error| texts.shared(error)),
        };
        Self {
            fault: is_fault.then(|| Box::new(fault())),
            n: row.n,
            variant: texts.shared(&row.variant),
            goal: row.goal,
            solver: texts.shared(&row.solver),
            threads: row.threads,
            seed: row.seed,
            round: row.round,
            repetition: row.repetition,
            is_timed: row.is_timed(),
            is_disturbed: row.disturbed == Some(Disturbed::Yes),
            is_answered: row.is_answered(),
            status: row.status,
            verdict: row.verdict,
            answered_ns: row.answered_ns(),
            time_limit_ns: row.time_limit_ns,
            wall_ns: row.wall_ns,
            cpu_ns: row.cpu_user_ns.zip(row.cpu_sys_ns).map(|(user, system)| user.saturating_add(system)),
            peak_rss_bytes: row.peak_rss_bytes,
            solutions: row.solutions,
            counts: (row.kind == Kind::Counting && row.is_answered()).then(|| Box::new(nodes_row(row))),
        }
    }

    /// How long a run without an answer was allowed to take, at least; `None` if it was not stopped. A run that was stopped
    /// for its CPU time did not reach its limit of wall time.
    pub(super) fn timeout_ns(&self) -> Option<u64> {
        let least = [self.time_limit_ns, self.wall_ns].into_iter().flatten().min();
        least.filter(|_| self.status == Status::Timeout)
    }

    /// The runs of rows, in their order.
    pub fn all(rows: &[Row]) -> Vec<Self> {
        let mut texts = Texts::default();
        rows.iter().map(|row| Self::of(row, &mut texts)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_takes_little_memory_and_shares_its_texts() {
        assert!(size_of::<Run>() <= 240, "{} bytes: a table may have a million rows", size_of::<Run>());
        let row = Row::skipped("r".into(), "c".into(), 8, Goal::Count, "s".into());
        let failed = Row { status: Status::Crashed, error: Some("it died".into()), ..row };
        let runs = Run::all(&[failed.clone(), failed]);
        assert!(Arc::ptr_eq(&runs[0].solver, &runs[1].solver));
        assert!(Arc::ptr_eq(&runs[0].variant, &runs[1].variant));
        let error = |run: &Run| run.fault.as_ref().and_then(|fault| fault.error.clone()).expect("an error");
        assert!(Arc::ptr_eq(&error(&runs[0]), &error(&runs[1])));
        assert!(runs.iter().all(|run| run.counts.is_none()), "counts are boxed for counting runs only");
    }
}
