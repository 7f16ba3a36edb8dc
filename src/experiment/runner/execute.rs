//! Carries out the runs of a plan that are not done: hands them to jobs, judges their answers, writes their
//! rows.
//!
//! The calling thread starts runs and writes rows; each job has a thread that waits for the process of its
//! run. A row is written as soon as its run has ended.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::attempt::{disturbance, judge, levels, refuse_contradictions, row_of};
use super::queue::{Queue, Skips};
use super::verdict::References;
use super::{Attempt, Logs, Observer, Runner};
use plaintext::one_line;

use crate::experiment::ExperimentError;
use crate::experiment::estimate::Estimator;
use crate::experiment::plan::{Cell, Plan, Run};
use crate::experiment::repeat::Precision;
use crate::record::{LevelRow, Row};
use runlab::machine;

/// How often the remaining time is estimated again.
const ESTIMATE_INTERVAL: Duration = Duration::from_millis(500);

/// Carries out the runs of a plan that have no row in `rows`, which were read from the log, with one parallel
/// job per runner, until `cancel` becomes true. Adds their rows as they are written, and returns whether there are all.
pub fn execute<R: Runner + Send>(
    plan: &Plan,
    rows: &mut Vec<Row>,
    logs: &mut Logs,
    runners: &mut [R],
    cancel: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<bool, ExperimentError> {
    let mut sweep = Sweep::new(plan, rows, logs, runners.len(), observer);
    let done = thread::scope(|scope| {
        let (sender, messages) = channel();
        let mut jobs = Vec::new();
        for (job, runner) in runners.iter_mut().enumerate() {
            let (start, runs) = channel();
            let sender = sender.clone();
            let work = move || work(job, runner, plan, cancel, &runs, &sender);
            // The threads that were started end because nothing can be sent to them any more.
            thread::Builder::new().spawn_scoped(scope, work).map_err(|error| {
                let reason = format!("no thread for job {}: {error}; choose fewer jobs", job + 1);
                ExperimentError::Start(io::Error::new(error.kind(), reason))
            })?;
            jobs.push(start);
        }
        drop(sender);
        let done = sweep.drive(&jobs, &messages, cancel);
        if done.is_err() {
            // The rows of runs that are still active could not be written.
            cancel.store(true, Ordering::Relaxed);
        }
        done
    });
    let is_complete = done?;
    sweep.logs.finish()?;
    Ok(is_complete)
}

/// A run that a job carried out; it has no outcome if it was cancelled.
struct Ended<'a> {
    job: usize,
    run: &'a Run,
    started_at: String,
    attempt: io::Result<Option<Attempt>>,
}

/// The thread of a job: carries out runs until there are no more.
fn work<'a>(
    job: usize,
    runner: &mut dyn Runner,
    plan: &Plan,
    cancel: &AtomicBool,
    runs: &Receiver<&'a Run>,
    sender: &Sender<Ended<'a>>,
) {
    for run in runs {
        let started_at = machine::now();
        let attempt = runner.run(&plan.cells[run.cell], run.kind, cancel);
        if sender.send(Ended { job, run, started_at, attempt }).is_err() {
            return;
        }
    }
}

/// A sweep in progress.
struct Sweep<'a> {
    plan: &'a Plan,
    logs: &'a mut Logs,
    observer: &'a mut dyn Observer,
    rows: &'a mut Vec<Row>,
    queue: Queue<'a>,
    references: References,
    skips: Skips,
    precision: Precision,
    estimator: Estimator,
    jobs: u32,
    remaining: Duration,
    estimated: Instant,
}

impl<'a> Sweep<'a> {
    fn new(
        plan: &'a Plan,
        rows: &'a mut Vec<Row>,
        logs: &'a mut Logs,
        jobs: usize,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let done: HashMap<&str, &Row> = rows.iter().map(|row| (row.run_id.as_str(), row)).collect();
        let mut skips = Skips::new(plan.stop_after_timeouts);
        for run in &plan.runs {
            if let Some(row) = done.get(plan.run_id(run).as_str()) {
                skips.observe(&plan.cells[run.cell], run, row.status);
            }
        }
        let mut precision = Precision::of(plan, rows);
        let pending = pending(plan, rows, &mut precision);
        let mut estimator = Estimator::default();
        rows.iter().for_each(|row| estimator.observe(row));
        let queue = Queue::new(plan, pending);
        let jobs = u32::try_from(jobs).unwrap_or(u32::MAX).max(1);
        let remaining = estimator.total(plan, queue.pending()) / jobs;
        let estimated = Instant::now();
        Self {
            plan,
            logs,
            observer,
            rows,
            queue,
            references: References::default(),
            skips,
            precision,
            estimator,
            jobs,
            remaining,
            estimated,
        }
    }

    /// Carries out the runs; returns whether all of them were carried out.
    fn drive(
        &mut self,
        jobs: &[Sender<&'a Run>],
        ended: &Receiver<Ended<'a>>,
        cancel: &AtomicBool,
    ) -> Result<bool, ExperimentError> {
        let done_before = self.plan.runs.len() - self.queue.pending().count();
        self.observer.begins(self.plan, done_before, self.remaining);
        let mut idle: Vec<usize> = (0..jobs.len()).rev().collect();
        let mut stopped = Ok(true);
        loop {
            while let Some(&job) = idle.last() {
                let stops = !matches!(stopped, Ok(true)) || cancel.load(Ordering::Relaxed);
                let Some(run) = (if stops { None } else { self.queue.next() }) else { break };
                if self.begin(run)? {
                    idle.pop();
                    jobs[job].send(run).map_err(|_| lost())?;
                }
            }
            if idle.len() == jobs.len() {
                return stopped.map(|all| all && self.queue.pending().next().is_none());
            }
            let Ended { job, run, started_at, attempt } = ended.recv().map_err(|_| lost())?;
            idle.push(job);
            match attempt {
                Ok(Some(attempt)) => self.end(run, started_at, attempt)?,
                Ok(None) => stopped = stopped.map(|_| false),
                Err(error) => {
                    // The other runs are cancelled; rows written so far are kept.
                    cancel.store(true, Ordering::Relaxed);
                    stopped = Err(ExperimentError::Start(error));
                }
            }
        }
    }

    /// Prepares a run for a job. If the run is skipped, writes its row at once and returns false; if it is not needed,
    /// returns false.
    fn begin(&mut self, run: &'a Run) -> Result<bool, ExperimentError> {
        let cell = &self.plan.cells[run.cell];
        if self.precision.leaves_out(self.plan, run) {
            self.queue.ended(run);
            self.observer.leaves_out(cell);
            return Ok(false);
        }
        if self.estimated.elapsed() > ESTIMATE_INTERVAL {
            let pending = self.queue.pending().chain(std::iter::once(run));
            self.remaining = self.estimator.total(self.plan, pending) / self.jobs;
            self.estimated = Instant::now();
        }
        self.observer.run_begins(cell, run, self.remaining);
        let Some(reason) = cell.skip.clone().or_else(|| self.skips.reason(cell, run.kind)) else {
            return Ok(true);
        };
        let skipped = Row { outcome_reason: Some(reason), ..Row::default() };
        let row = row_of(self.plan, run, machine::now(), skipped);
        self.queue.ended(run);
        self.write(cell, row, &[])?;
        Ok(false)
    }

    fn end(&mut self, run: &'a Run, started_at: String, attempt: Attempt) -> Result<(), ExperimentError> {
        let cell = &self.plan.cells[run.cell];
        let row = row_of(self.plan, run, started_at, attempt.row);
        let mut row = refuse_contradictions(row, &attempt.levels);
        judge(&mut row, cell, &attempt.seen, &self.references);
        row.disturbed = disturbance(&row, self.plan);
        self.estimator.observe(&row);
        let wall = Duration::from_nanos(row.wall_ns.unwrap_or(0));
        self.remaining = self.remaining.saturating_sub(wall / self.jobs);
        self.skips.observe(cell, run, row.status);
        self.queue.ended(run);
        let levels = levels(&row, &attempt.levels);
        self.write(cell, row, &levels)
    }

    fn write(&mut self, cell: &Cell, mut row: Row, levels: &[LevelRow]) -> Result<(), ExperimentError> {
        // As it will be read: a program may have printed anything.
        for reason in [&mut row.outcome_reason, &mut row.verdict_reason] {
            *reason = reason.take().map(|reason| one_line(&reason).into_owned());
        }
        self.logs.write(&row, levels)?;
        self.observer.run_ends(cell, &row);
        self.precision.observe(&row);
        self.rows.push(row);
        Ok(())
    }
}

/// The error for a job whose thread has ended, which happens only after a panic in it.
fn lost() -> ExperimentError {
    ExperimentError::Start(io::Error::other("the thread of a job has ended unexpectedly"))
}

/// The runs of a plan that have no row and are needed.
fn pending<'p>(plan: &'p Plan, rows: &[Row], precision: &mut Precision) -> Vec<&'p Run> {
    let known: HashSet<&str> = rows.iter().map(|row| row.run_id.as_str()).collect();
    let has_row = |run: &Run| known.contains(plan.run_id(run).as_str());
    plan.runs.iter().filter(|run| !has_row(run) && !precision.leaves_out(plan, run)).collect()
}

/// Number of a plan's runs that have a row or are not needed.
pub fn done(plan: &Plan, rows: &[Row]) -> usize {
    plan.runs.len() - pending(plan, rows, &mut Precision::of(plan, rows)).len()
}
