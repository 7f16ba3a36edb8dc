//! Decides whether a cell needs further runs. The decision depends only on the earlier timed runs of the cell, so that it is the
//! same after an interruption.

use timestats::{MEDIAN_INTERVAL_RUNS, Sample, Time};

use crate::finished::{FinishedRun, RunOutcome};
use crate::plan::{Kind, Run};
use crate::repeat::Repeat;

/// The timed runs of each cell so far.
pub(crate) struct Precision {
    /// The precision in percent; `None` if the number of runs is fixed.
    percent: Option<f64>,
    cells: Vec<Times>,
}

#[derive(Clone, Default)]
struct Times {
    runs: usize,
    answered_runs: usize,
    /// The times of the runs, except runs without a known time.
    times: Vec<Time>,
    /// Whether these runs suffice; `None` if this was not computed yet.
    suffices: Option<bool>,
}

impl Precision {
    /// Creates the state for this number of cells, without runs.
    pub fn new(repeat: Repeat, cells: usize) -> Self {
        Self { percent: repeat.until, cells: vec![Times::default(); cells] }
    }

    /// Records a run. Warm-up runs, counting runs and replaced runs are ignored.
    pub fn observe(&mut self, run: &Run, row: &impl FinishedRun) {
        if self.percent.is_none() || run.kind != Kind::Timed || row.is_replaced() {
            return;
        }
        let cell = &mut self.cells[run.cell];
        cell.runs += 1;
        cell.answered_runs += usize::from(row.outcome() == RunOutcome::Answered);
        cell.times.extend(row.time());
        cell.suffices = None;
    }

    /// Whether this run is not needed, because it is a timed run of a cell whose earlier runs suffice. At least
    /// [`MEDIAN_INTERVAL_RUNS`] runs suffice if the interval of their median is narrow enough, or if fewer than half of them have
    /// an answer.
    pub fn is_not_needed(&mut self, run: &Run) -> bool {
        let Some(percent) = self.percent.filter(|_| run.kind == Kind::Timed) else { return false };
        let cell = &mut self.cells[run.cell];
        let suffices = cell.suffices.unwrap_or_else(|| cell.is_sufficient(percent));
        cell.suffices = Some(suffices);
        suffices
    }
}

impl Times {
    fn is_sufficient(&self, percent: f64) -> bool {
        if self.runs < MEDIAN_INTERVAL_RUNS || 2 * self.answered_runs < self.runs {
            return self.runs >= MEDIAN_INTERVAL_RUNS;
        }
        let sample: Sample = self.times.iter().copied().collect();
        let Some((low, high)) = sample.median_interval(0.95) else { return false };
        let exact_times = [Some(low), sample.median(), Some(high)].map(|time| time.and_then(Time::exact));
        let [Some(low), Some(median), Some(high)] = exact_times else { return false };
        let max_distance = (high - median).max(median - low) as f64;
        max_distance <= median as f64 * percent / 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Row(RunOutcome, Option<Time>);

    impl FinishedRun for Row {
        fn run_id(&self) -> &str {
            ""
        }

        fn outcome(&self) -> RunOutcome {
            self.0
        }

        fn time(&self) -> Option<Time> {
            self.1
        }

        fn wall(&self) -> std::time::Duration {
            std::time::Duration::ZERO
        }
    }

    fn runs_suffice(times: &[u64], unanswered: usize) -> bool {
        let mut precision = Precision::new(Repeat { maximum: 50, until: Some(2.0) }, 1);
        let run = Run { cell: 0, round: 1, kind: Kind::Timed, repetition: 1 };
        let answered_rows = times.iter().map(|&time| Row(RunOutcome::Answered, Some(Time::Exact(time))));
        let stopped_rows = (0..unanswered).map(|_| Row(RunOutcome::TimedOut, Some(Time::Censored(10_000))));
        answered_rows.chain(stopped_rows).for_each(|row| precision.observe(&run, &row));
        precision.is_not_needed(&run)
    }

    #[test]
    fn repetition_ends_when_the_median_interval_is_narrow() {
        assert!(!runs_suffice(&[1000; 5], 0), "five runs are too few for an interval");
        assert!(runs_suffice(&[1000; 6], 0));
        // With seven runs, the interval of the median reaches from the shortest to the longest time.
        assert!(runs_suffice(&[980, 990, 1000, 1000, 1000, 1010, 1020], 0));
        assert!(!runs_suffice(&[979, 990, 1000, 1000, 1000, 1010, 1020], 0));
        assert!(!runs_suffice(&[980, 990, 1000, 1000, 1000, 1010, 1021], 0));
        assert!(runs_suffice(&[0; 6], 0), "all times are 0");
    }

    #[test]
    fn unanswered_cells_are_not_repeated_to_the_maximum() {
        assert!(!runs_suffice(&[], 5));
        assert!(runs_suffice(&[], 6));
        assert!(runs_suffice(&[1000, 2000], 4), "two of six runs have an answer");
        assert!(!runs_suffice(&[1000, 1000, 1000, 2000], 2), "the interval has no upper end");
        assert!(
            !runs_suffice(&[1000, 1000, 1000], 3),
            "the median of six runs is unknown if three have no answer"
        );
    }
}
