//! Whether a cell is repeated further: until its median is known to the precision that the experiment wants.
//!
//! Whether another run of a cell is needed follows from its earlier timed runs alone, so that a sweep that is resumed
//! decides as one that was never interrupted.

use std::collections::HashMap;

use super::plan::{Plan, Run};
use crate::record::{Kind, Row};
use timestats::{MEDIAN_INTERVAL_RUNS, Sample, Time};

/// The timed runs of each cell so far, which decide whether it is repeated.
#[derive(Default)]
pub struct Precision {
    until: Option<f64>,
    cells: HashMap<String, Times>,
}

#[derive(Default)]
struct Times {
    runs: usize,
    answered: usize,
    /// Times of the answered runs, and of the runs that a limit stopped.
    known: Vec<Time>,
    /// Whether these runs suffice, once it was asked.
    suffices: Option<bool>,
}

impl Precision {
    /// The runs of these rows.
    pub fn of(plan: &Plan, rows: &[Row]) -> Self {
        let mut precision = Self { until: plan.repeat.until, ..Self::default() };
        rows.iter().for_each(|row| precision.observe(row));
        precision
    }

    /// Records a run. Warm-up and counting runs do not count, nor does a run that another one replaces.
    pub fn observe(&mut self, row: &Row) {
        if self.until.is_none() || row.kind != Kind::Timed || row.is_replaced() {
            return;
        }
        let times = self.cells.entry(row.cell_id.clone()).or_default();
        times.runs += 1;
        times.answered += usize::from(row.is_answered());
        times.known.extend(row.time());
        times.suffices = None;
    }

    /// Whether this run is not needed any more: it is a further timed run of a cell whose runs suffice. They do after at
    /// least [`MEDIAN_INTERVAL_RUNS`] runs, when the interval of the median is narrow enough, or when fewer than half of them have
    /// an answer.
    pub fn leaves_out(&mut self, plan: &Plan, run: &Run) -> bool {
        let Some(percent) = self.until else { return false };
        let Some(times) = self.cells.get_mut(&plan.cells[run.cell].id) else { return false };
        if run.kind != Kind::Timed {
            return false;
        }
        let suffices = times.suffices.unwrap_or_else(|| times.suffice(percent));
        times.suffices = Some(suffices);
        suffices
    }
}

impl Times {
    fn suffice(&self, percent: f64) -> bool {
        if self.runs < MEDIAN_INTERVAL_RUNS || 2 * self.answered < self.runs {
            return self.runs >= MEDIAN_INTERVAL_RUNS;
        }
        let sample: Sample = self.known.iter().copied().collect();
        let Some((low, high)) = sample.median_interval(0.95) else { return false };
        let exact = [Some(low), sample.median(), Some(high)].map(|time| time.and_then(Time::exact));
        let [Some(low), Some(median), Some(high)] = exact else { return false };
        let farthest = (high - median).max(median - low) as f64;
        farthest <= median as f64 * percent / 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Status, Verdict};
    use crate::solver::Goal;

    fn suffice(times: &[u64], unanswered: usize) -> bool {
        let timed = |status, time| Row {
            status,
            verdict: Verdict::Correct,
            solve_ns: Some(time),
            ..Row::skipped("r".into(), "c".into(), 8, Goal::Count, "s".into())
        };
        let answered = times.iter().map(|&time| timed(Status::Complete, time));
        let mut precision = Precision { until: Some(2.0), ..Precision::default() };
        let failed = std::iter::repeat_n(timed(Status::Timeout, 0), unanswered);
        answered.chain(failed).for_each(|row| precision.observe(&row));
        let times = precision.cells.get("c").expect("timed runs");
        times.suffice(2.0)
    }

    #[test]
    fn a_cell_is_repeated_until_the_interval_of_its_median_is_within_the_percentage() {
        assert!(!suffice(&[1000; 5], 0), "no interval is given for five runs");
        assert!(suffice(&[1000; 6], 0));
        // Of seven runs, the interval of the median reaches from the smallest to the largest.
        assert!(suffice(&[980, 990, 1000, 1000, 1000, 1010, 1020], 0));
        assert!(!suffice(&[979, 990, 1000, 1000, 1000, 1010, 1020], 0));
        assert!(!suffice(&[980, 990, 1000, 1000, 1000, 1010, 1021], 0));
        assert!(suffice(&[0; 6], 0), "the clock does not show a difference");
    }

    #[test]
    fn a_cell_without_answers_is_not_repeated_to_the_end() {
        assert!(!suffice(&[], 5));
        assert!(suffice(&[], 6));
        assert!(suffice(&[1000, 2000], 4), "two of six");
        assert!(
            !suffice(&[1000, 1000, 1000, 2000], 2),
            "four of six have a median, and its interval has no end"
        );
        assert!(!suffice(&[1000, 1000, 1000], 3), "half of six have no median");
    }
}
