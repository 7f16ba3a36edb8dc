//! The finished runs of this session and of earlier sessions.

use std::collections::HashMap;

use crate::estimate::{Estimator, Remaining};
use crate::finished::FinishedRun;
use crate::plan::{Run, RunPlan};
use crate::precision::Precision;
use crate::queue::Skips;

/// The rows of a plan. A run has one row for each attempt. The row of the last attempt is used.
#[derive(Debug)]
pub struct History<R> {
    rows: Vec<R>,
    /// For each run of the plan, the number of attempts and the index of the last row.
    runs: Vec<(u32, Option<usize>)>,
    /// For each run, whether it is marked for another attempt.
    is_marked: Vec<bool>,
}

impl<R: FinishedRun> History<R> {
    /// Creates the history from stored rows, in the order in which they were written. Rows of other plans are kept, but not used.
    pub fn new(plan: &RunPlan, rows: Vec<R>) -> Self {
        let mut runs = vec![(0, None); plan.runs.len()];
        if !rows.is_empty() {
            let indices: HashMap<String, usize> =
                plan.runs.iter().map(|run| plan.run_id(run)).zip(0..).collect();
            for (row_index, row) in rows.iter().enumerate() {
                if let Some(&run) = indices.get(row.run_id()) {
                    runs[run] = (runs[run].0 + 1, Some(row_index));
                }
            }
        }
        let is_marked = vec![false; runs.len()];
        Self { rows, runs, is_marked }
    }

    /// Marks each finished run whose row `filter` accepts for another attempt. Returns the number of marked runs. Their rows are
    /// kept.
    pub fn retry(&mut self, filter: impl Fn(&R) -> bool) -> usize {
        let is_selected = |&(_, row): &(u32, Option<usize>)| row.is_some_and(|row| filter(&self.rows[row]));
        self.is_marked = self.runs.iter().map(is_selected).collect();
        self.is_marked.iter().filter(|&&is_marked| is_marked).count()
    }

    /// All rows, in the order in which they were written.
    pub fn rows(&self) -> &[R] {
        &self.rows
    }

    /// All rows, in the order in which they were written.
    pub fn into_rows(self) -> Vec<R> {
        self.rows
    }

    /// The number of runs of the plan that are finished or not needed.
    pub fn done(&self, plan: &RunPlan) -> usize {
        plan.runs.len() - self.pending(plan, &mut self.precision(plan)).len()
    }

    /// The remaining work of the plan with this many parallel jobs.
    pub fn remaining(&self, plan: &RunPlan, jobs: usize) -> Remaining {
        let (skips, estimator) = self.skips_and_estimator(plan);
        let pending = self.pending(plan, &mut self.precision(plan));
        estimator.remaining(plan, &skips, pending.iter().map(|&run| &plan.runs[run]), jobs)
    }

    /// The timeouts and the durations of the finished runs, for decisions about the remaining ones.
    pub(crate) fn skips_and_estimator(&self, plan: &RunPlan) -> (Skips, Estimator) {
        let (mut skips, mut estimator) = (Skips::new(plan), Estimator::default());
        for (run, row) in self.finished(plan) {
            skips.observe(plan, run, row.outcome());
            estimator.observe(run, row.outcome(), row.wall());
        }
        (skips, estimator)
    }

    /// The last row of each finished run that is not marked for another attempt, in the order of the plan.
    pub(crate) fn finished<'a>(&'a self, plan: &'a RunPlan) -> impl Iterator<Item = (&'a Run, &'a R)> {
        let runs = plan.runs.iter().zip(&self.runs).zip(&self.is_marked);
        let runs = runs.filter(|(_, is_marked)| !**is_marked);
        runs.filter_map(|((run, &(_, row)), _)| Some((run, &self.rows[row?])))
    }

    /// The precision of each cell, from the finished runs.
    pub(crate) fn precision(&self, plan: &RunPlan) -> Precision {
        let mut precision = Precision::new(plan.schedule.repeat, plan.cells.len());
        self.finished(plan).for_each(|(run, row)| precision.observe(run, row));
        precision
    }

    /// The indices of the runs that are needed and not finished, in the order of the plan.
    pub(crate) fn pending(&self, plan: &RunPlan, precision: &mut Precision) -> Vec<usize> {
        let is_pending = |run: &usize| {
            self.is_marked[*run]
                || (self.runs[*run].1.is_none() && !precision.is_not_needed(&plan.runs[*run]))
        };
        (0..plan.runs.len()).filter(is_pending).collect()
    }

    /// The number of the next attempt at a run, from 1.
    pub(crate) fn next_attempt(&self, run: usize) -> u32 {
        self.runs[run].0 + 1
    }

    /// Adds the row of a run that ended.
    pub(crate) fn push(&mut self, run: usize, row: R) {
        self.runs[run] = (self.next_attempt(run), Some(self.rows.len()));
        self.is_marked[run] = false;
        self.rows.push(row);
    }
}
