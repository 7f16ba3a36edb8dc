//! Estimates the remaining time of an experiment from the runs that have ended.

use std::collections::HashMap;
use std::time::Duration;

use crate::finished::RunOutcome;
use crate::plan::{Kind, Run, RunPlan};
use crate::queue::Skips;

/// The remaining work of an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remaining {
    /// The number of runs, without runs that will be skipped.
    pub runs: usize,
    /// The expected time, estimated from earlier runs of the same cells; `None` if one of these cells has no earlier run, for
    /// example before the end of the first timed round.
    pub expected: Option<Duration>,
    /// The maximum time, if each run reaches its time limit; `None` if a run has no time limit.
    pub maximum: Option<Duration>,
}

/// Estimates the duration of a run from the mean of the earlier runs of the same cell. Counting runs and other runs are estimated
/// separately, because counting runs take longer.
#[derive(Default)]
pub struct Estimator {
    /// The total wall time and the number of runs of each cell, separately for counting runs and other runs.
    observed: HashMap<(usize, bool), (Duration, u32)>,
}

impl Estimator {
    /// Records the wall time of a run.
    pub fn observe(&mut self, run: &Run, outcome: RunOutcome, wall: Duration) {
        if outcome != RunOutcome::Skipped {
            let (total, runs) = self.observed.entry(estimate_key(run)).or_default();
            *total = total.saturating_add(wall);
            *runs += 1;
        }
    }

    /// The remaining work if only the `pending` runs remain, with this many parallel jobs. The runs are in the order of the plan.
    pub fn remaining<'r>(
        &self,
        plan: &RunPlan,
        skips: &Skips,
        pending: impl Iterator<Item = &'r Run>,
        jobs: usize,
    ) -> Remaining {
        let is_run = |run: &&Run| plan.cell(run).skip.is_none() && skips.deciding_sizes(plan, run).is_none();
        let runs: Vec<&Run> = pending.filter(is_run).collect();
        let mean_time =
            |run: &&Run| self.observed.get(&estimate_key(run)).map(|(total, runs)| *total / *runs);
        let expected_sum: Option<Duration> = runs.iter().map(mean_time).sum();
        let divisor = u32::try_from(jobs).unwrap_or(u32::MAX).max(1);
        Remaining {
            runs: runs.len(),
            expected: expected_sum.map(|total| total / divisor),
            maximum: plan.worst_case(&runs, jobs),
        }
    }
}

fn estimate_key(run: &Run) -> (usize, bool) {
    (run.cell, run.kind == Kind::Counting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlannedCell, Repeat, Schedule};

    /// Cells of sizes 8 to 11 with limits of 100 s, each counted once and timed three times.
    fn plan() -> RunPlan {
        let limit = Duration::from_secs(100);
        let cell = |size: u64| PlannedCell::new(format!("a{size}")).in_series("a", size).time_limit(limit);
        let cells = (8..=11).map(|size| PlannedCell { is_counted: true, ..cell(size) }).collect();
        let schedule =
            Schedule { repeat: Repeat::times(3), stop_after_timeouts: Some(1), ..Schedule::default() };
        RunPlan::new(cells, schedule)
    }

    /// The remaining work at the beginning of a round. In the earlier rounds, a run of size n took n seconds, and a counting run
    /// of size n took 10 n seconds.
    fn remaining_before_round(plan: &RunPlan, round: u32, jobs: usize) -> Remaining {
        let (mut estimator, skips) = (Estimator::default(), Skips::new(plan));
        for run in plan.runs.iter().filter(|run| run.round < round) {
            let factor = if run.kind == Kind::Counting { 10 } else { 1 };
            estimator.observe(run, RunOutcome::Answered, factor * Duration::from_secs(plan.cell(run).size));
        }
        let pending = plan.runs.iter().filter(|run| run.round >= round);
        estimator.remaining(plan, &skips, pending, jobs)
    }

    #[test]
    fn estimate_is_missing_until_a_timed_round_ends() {
        let plan = plan();
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(
            remaining_before_round(&plan, 0, 1),
            Remaining { runs: 16, expected: None, maximum: seconds(1600) }
        );
        assert_eq!(
            remaining_before_round(&plan, 1, 1),
            Remaining { runs: 12, expected: None, maximum: seconds(1200) }
        );
        let two_rounds = 2 * (8 + 9 + 10 + 11);
        assert_eq!(
            remaining_before_round(&plan, 2, 1),
            Remaining { runs: 8, expected: seconds(two_rounds), maximum: seconds(800) }
        );
        assert_eq!(remaining_before_round(&plan, 2, 2).expected, seconds(two_rounds / 2));
        let no_work = Remaining { runs: 0, expected: seconds(0), maximum: seconds(0) };
        assert_eq!(remaining_before_round(&plan, 9, 1), no_work);
    }

    #[test]
    fn skipped_runs_add_nothing_to_the_estimate() {
        let plan = plan();
        let (mut estimator, mut skips) = (Estimator::default(), Skips::new(&plan));
        for run in plan.runs.iter().filter(|run| run.round == 1) {
            let outcome = match plan.cell(run).size {
                8 | 9 => RunOutcome::Answered,
                10 => RunOutcome::TimedOut,
                _ => RunOutcome::Skipped,
            };
            estimator.observe(run, outcome, Duration::from_secs(1));
            skips.observe(&plan, run, outcome);
        }
        let pending = || plan.runs.iter().filter(|run| run.round > 1);
        let remaining = estimator.remaining(&plan, &skips, pending(), 1);
        // Two rounds remain, each with three sizes.
        assert_eq!((remaining.runs, remaining.expected), (6, Some(Duration::from_secs(6))));
        let without_skips = estimator.remaining(&plan, &Skips::new(&plan), pending(), 1);
        assert_eq!((without_skips.runs, without_skips.expected), (8, None), "size 11 was only skipped");
    }

    #[test]
    fn maximum_duration_is_unknown_without_a_time_limit() {
        let mut plan = plan();
        plan.cells[0].limits.time = None;
        assert_eq!(remaining_before_round(&plan, 2, 1).maximum, None);
    }
}
