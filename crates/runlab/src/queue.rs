//! Decides which run begins next, and which runs are skipped.
//!
//! A round begins only after all runs of the previous round have ended. If sizes can be skipped, a run also waits for the smaller sizes
//! of the same series in its round, because their timeouts may cause it to be skipped.
//!
//! Within a round, the runs of a series go from small to large sizes. After timeouts at K consecutive sizes in one round, all larger
//! sizes are skipped, also in later rounds. This decision depends only on rows. Counting runs are slower than timed runs; therefore,
//! timeouts of counting runs affect only counting runs, and timeouts of timed and warm-up runs affect only timed and warm-up runs.

use std::collections::{HashMap, VecDeque};

use crate::finished::RunOutcome;
use crate::plan::{Kind, Run, RunPlan};

/// The remaining runs, in the order of the plan. Runs are identified by their indices in the plan.
pub struct Queue<'a> {
    plan: &'a RunPlan,
    series: Vec<usize>,
    pending: VecDeque<usize>,
    active: Vec<usize>,
}

impl<'a> Queue<'a> {
    pub fn new(plan: &'a RunPlan, pending: Vec<usize>) -> Self {
        let series = plan.grouped(|cell| &cell.series);
        Self { plan, series, pending: pending.into(), active: Vec::new() }
    }

    /// The runs that have not begun.
    pub fn pending(&self) -> impl Iterator<Item = &'a Run> {
        self.pending.iter().map(|&run| &self.plan.runs[run])
    }

    /// Begins the next run. Returns `None` if all remaining runs must wait, or no run remains.
    pub fn next(&mut self) -> Option<usize> {
        let round = |run: usize| self.plan.runs[run].round;
        let current = round(*self.active.first().or(self.pending.front())?);
        let mut of_round = self.pending.iter().take_while(|&&run| round(run) == current);
        let place = of_round.position(|&run| !self.waits(run))?;
        let run = self.pending.remove(place)?;
        self.active.push(run);
        Some(run)
    }

    /// Records that a run has ended, with or without a row.
    pub fn ended(&mut self, run: usize) {
        self.active.retain(|&other| other != run);
    }

    fn waits(&self, run: usize) -> bool {
        let series = |run: usize| self.series[self.plan.runs[run].cell];
        self.plan.schedule.stop_after_timeouts.is_some()
            && self.active.iter().any(|&other| series(other) == series(run))
    }
}

/// The timeouts of each series.
pub struct Skips {
    series: Vec<usize>,
    timeouts: Option<usize>,
    tracks: HashMap<(usize, bool), Track>,
}

#[derive(Default)]
struct Track {
    round: u32,
    /// The last consecutive sizes with timeouts in this round.
    consecutive: Vec<u64>,
    /// The sizes whose timeouts cause larger sizes to be skipped.
    decided_by: Option<Vec<u64>>,
}

impl Skips {
    pub fn new(plan: &RunPlan) -> Self {
        let series = plan.grouped(|cell| &cell.series);
        Self { series, timeouts: plan.schedule.stop_after_timeouts, tracks: HashMap::new() }
    }

    /// Records the ending of a run. The runs of a series must be recorded in the order of the plan.
    pub fn observe(&mut self, plan: &RunPlan, run: &Run, outcome: RunOutcome) {
        let Some(timeouts) = self.timeouts.filter(|_| outcome != RunOutcome::Skipped) else { return };
        let size = plan.cell(run).size;
        let track = self.tracks.entry(self.key(run)).or_default();
        if track.round != run.round {
            track.round = run.round;
            track.consecutive.clear();
        }
        if outcome != RunOutcome::TimedOut {
            track.consecutive.clear();
            return;
        }
        track.consecutive.push(size);
        let is_smaller = track.decided_by.as_ref().is_none_or(|sizes| sizes.last() > Some(&size));
        if track.consecutive.len() >= timeouts && is_smaller {
            track.decided_by = Some(track.consecutive[track.consecutive.len() - timeouts..].to_vec());
        }
    }

    /// If this run is skipped: the sizes whose timeouts are the reason.
    pub fn decided_by(&self, plan: &RunPlan, run: &Run) -> Option<&[u64]> {
        let sizes = self.tracks.get(&self.key(run))?.decided_by.as_deref()?;
        (sizes.last() < Some(&plan.cell(run).size)).then_some(sizes)
    }

    fn key(&self, run: &Run) -> (usize, bool) {
        (self.series[run.cell], run.kind == Kind::Counting)
    }
}
