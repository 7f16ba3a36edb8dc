//! Decides which run begins next, and which runs are skipped.
//!
//! A round begins only after all runs of the previous round have ended. If sizes can be skipped, a run also waits for the smaller
//! sizes of the same series in its round, because timeouts at these sizes may cause the run to be skipped.
//!
//! Within a round, the runs of a series go from small to large sizes. After timeouts at K consecutive sizes in one round, all
//! larger sizes are skipped, also in later rounds. This decision depends only on rows of earlier runs. Counting runs are slower
//! than timed runs; therefore, timeouts of counting runs affect only counting runs, and timeouts of timed and warm-up runs affect
//! only timed and warm-up runs.

use std::collections::{HashMap, VecDeque};

use crate::finished::RunOutcome;
use crate::plan::{Kind, Run, RunPlan};

/// The remaining runs, in the order of the plan. Runs are identified by their indices in the plan.
pub struct Queue<'a> {
    plan: &'a RunPlan,
    /// The number of the series of each cell.
    series: Vec<usize>,
    pending: VecDeque<usize>,
    active: Vec<usize>,
}

impl<'a> Queue<'a> {
    pub fn new(plan: &'a RunPlan, pending: Vec<usize>) -> Self {
        let series = plan.group_numbers(|cell| &cell.series);
        Self { plan, series, pending: pending.into(), active: Vec::new() }
    }

    /// The runs that have not begun.
    pub fn pending(&self) -> impl Iterator<Item = &'a Run> {
        self.pending.iter().map(|&run| &self.plan.runs[run])
    }

    /// Begins the next run. Returns `None` if all remaining runs must wait, or no run remains.
    pub fn next(&mut self) -> Option<usize> {
        let round = |run: usize| self.plan.runs[run].round;
        let current_round = round(*self.active.first().or(self.pending.front())?);
        let mut runs_of_round = self.pending.iter().take_while(|&&run| round(run) == current_round);
        let position = runs_of_round.position(|&run| !self.must_wait(run))?;
        let run = self.pending.remove(position)?;
        self.active.push(run);
        Some(run)
    }

    /// Records that a run has ended, with or without a row.
    pub fn record_end(&mut self, run: usize) {
        self.active.retain(|&active| active != run);
    }

    fn must_wait(&self, run: usize) -> bool {
        let series = |run: usize| self.series[self.plan.runs[run].cell];
        self.plan.schedule.stop_after_timeouts.is_some()
            && self.active.iter().any(|&active| series(active) == series(run))
    }
}

/// Decides which runs are skipped because of timeouts at smaller sizes.
pub struct Skips {
    /// The number of the series of each cell.
    series: Vec<usize>,
    /// The number of consecutive sizes with timeouts after which larger sizes are skipped.
    stop_after: Option<usize>,
    /// The timeouts of each series, separately for counting runs and other runs.
    timeouts: HashMap<(usize, bool), SeriesTimeouts>,
}

#[derive(Default)]
struct SeriesTimeouts {
    round: u32,
    /// The last consecutive sizes with timeouts in this round.
    consecutive_sizes: Vec<u64>,
    /// The sizes whose timeouts cause larger sizes to be skipped.
    deciding_sizes: Option<Vec<u64>>,
}

impl Skips {
    pub fn new(plan: &RunPlan) -> Self {
        let series = plan.group_numbers(|cell| &cell.series);
        Self { series, stop_after: plan.schedule.stop_after_timeouts, timeouts: HashMap::new() }
    }

    /// Records how a run ended. The runs of a series must be recorded in the order of the plan.
    pub fn observe(&mut self, plan: &RunPlan, run: &Run, outcome: RunOutcome) {
        let Some(stop_after) = self.stop_after.filter(|_| outcome != RunOutcome::Skipped) else { return };
        let size = plan.cell(run).size;
        let timeouts = self.timeouts.entry(self.key(run)).or_default();
        if timeouts.round != run.round {
            timeouts.round = run.round;
            timeouts.consecutive_sizes.clear();
        }
        if outcome != RunOutcome::TimedOut {
            timeouts.consecutive_sizes.clear();
            return;
        }
        timeouts.consecutive_sizes.push(size);
        let is_smaller = timeouts.deciding_sizes.as_ref().is_none_or(|sizes| sizes.last() > Some(&size));
        if timeouts.consecutive_sizes.len() >= stop_after && is_smaller {
            timeouts.deciding_sizes =
                Some(timeouts.consecutive_sizes[timeouts.consecutive_sizes.len() - stop_after..].to_vec());
        }
    }

    /// The sizes whose timeouts are the reason for skipping this run; `None` if the run is not skipped because of timeouts.
    pub fn deciding_sizes(&self, plan: &RunPlan, run: &Run) -> Option<&[u64]> {
        let sizes = self.timeouts.get(&self.key(run))?.deciding_sizes.as_deref()?;
        (sizes.last() < Some(&plan.cell(run).size)).then_some(sizes)
    }

    fn key(&self, run: &Run) -> (usize, bool) {
        (self.series[run.cell], run.kind == Kind::Counting)
    }
}
