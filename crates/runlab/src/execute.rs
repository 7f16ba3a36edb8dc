//! Executes the remaining runs of a plan. Passes each run to a job, and each result to the recorder.
//!
//! The calling thread starts and records runs. Each job has a thread that waits for its run. A run is recorded as soon as it has
//! ended.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::estimate::{Estimator, Remaining};
use crate::finished::FinishedRun;
use crate::history::History;
use crate::machine;
use crate::plan::{Kind, Run, RunPlan};
use crate::precision::Precision;
use crate::queue::{Queue, Skips};

/// The minimum time between two estimates of the remaining time.
const ESTIMATE_INTERVAL: Duration = Duration::from_millis(500);

/// Executes runs, one at a time. Each parallel job has its own executor.
pub trait Executor: Send {
    /// The result of a run.
    type Measured: Send;

    /// Executes a run of a cell. `cell` is an index into [`RunPlan::cells`]. If `cancel` becomes true, stops the run and returns
    /// `None`; the run is repeated when the experiment is resumed. A failure of the run is a result, not an error.
    ///
    /// # Errors
    ///
    /// The run could not be started. This ends the experiment.
    fn run(&mut self, cell: usize, kind: Kind, cancel: &AtomicBool) -> io::Result<Option<Self::Measured>>;
}

/// Makes the rows of runs and writes them.
pub trait Recorder<M> {
    /// The row of a run.
    type Row: FinishedRun;
    /// An error while writing a row.
    type Error;

    /// Makes the row of a run that ended, and writes the row. Afterwards, the run counts as done.
    ///
    /// # Errors
    ///
    /// The row could not be written. This ends the experiment.
    fn record(&mut self, ended: EndedRun<'_, M>) -> Result<Self::Row, Self::Error>;

    /// Called when all runs have ended or the experiment was cancelled.
    ///
    /// # Errors
    ///
    /// Rows were not written, or another program changed them.
    fn finish(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// A run that ended.
#[derive(Debug)]
pub struct EndedRun<'a, M> {
    /// The run.
    pub run: &'a Run,
    /// The number of the attempt at this run, from 1.
    pub attempt: u32,
    /// The start of the run, as text (RFC 3339).
    pub started_at: String,
    /// The result of the run.
    pub result: RunResult<'a, M>,
}

/// The result of a run.
#[derive(Debug)]
pub enum RunResult<'a, M> {
    /// The run was executed.
    Measured(M),
    /// The run was skipped for this reason, which the plan gives for its cell.
    Skipped(&'a str),
    /// The run was skipped because of timeouts at these smaller sizes.
    SkippedAfterTimeouts(&'a [u64]),
}

/// An event of an experiment.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunEvent<'a, R> {
    /// The experiment begins.
    Begins {
        /// The number of runs of the plan that are done already.
        done: usize,
        /// The remaining work.
        remaining: Remaining,
    },
    /// A run begins. The receiver should not use the CPU until the next event, because this would disturb the measurement.
    RunBegins {
        /// The run.
        run: &'a Run,
        /// The remaining work, including this run.
        remaining: Remaining,
    },
    /// A run is not needed, because the median of its cell is precise enough.
    RunNotNeeded {
        /// The run.
        run: &'a Run,
    },
    /// A run ended or was skipped, and its row was written.
    RunEnds {
        /// The run.
        run: &'a Run,
        /// Its row.
        row: &'a R,
    },
}

/// An error that ends an experiment. The recorded rows are kept.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError<E> {
    /// A run could not be started.
    #[error("cannot start a run: {0}")]
    Start(io::Error),
    /// A row could not be written.
    #[error(transparent)]
    Record(E),
}

/// Executes the runs of a plan that `history` lacks, with one parallel job per executor, until `cancel` becomes true. Adds the
/// rows to `history` as they are written. Returns whether all runs are done.
///
/// # Errors
///
/// A run could not be started, or a row could not be written; then `cancel` is true.
pub fn execute<X, R, E>(
    plan: &RunPlan,
    history: &mut History<R>,
    executors: &mut [X],
    recorder: &mut dyn Recorder<X::Measured, Row = R, Error = E>,
    cancel: &AtomicBool,
    observe: &mut dyn FnMut(RunEvent<'_, R>),
) -> Result<bool, ExecuteError<E>>
where
    X: Executor,
    R: FinishedRun,
{
    let mut experiment = Experiment::new(plan, history, recorder, executors.len(), observe);
    let is_complete = thread::scope(|scope| {
        let (sender, messages) = channel();
        let mut jobs = Vec::new();
        for (job, executor) in executors.iter_mut().enumerate() {
            let (start, runs) = channel();
            let sender = sender.clone();
            let work = move || execute_runs(job, executor, plan, cancel, &runs, &sender);
            // After an error, the threads of earlier jobs end, because their channels are closed.
            thread::Builder::new().spawn_scoped(scope, work).map_err(|error| {
                let reason =
                    format!("cannot create a thread for job {}: {error}; choose fewer jobs", job + 1);
                ExecuteError::Start(io::Error::new(error.kind(), reason))
            })?;
            jobs.push(start);
        }
        drop(sender);
        let is_complete = experiment.drive(&jobs, &messages, cancel);
        if is_complete.is_err() {
            // The active runs are stopped, because their results will not be recorded.
            cancel.store(true, Ordering::Relaxed);
        }
        is_complete
    })?;
    recorder.finish().map_err(ExecuteError::Record)?;
    Ok(is_complete)
}

/// A run that a job executed. `measured` has no result if the run was cancelled.
struct ExecutedRun<M> {
    job: usize,
    run: usize,
    started_at: String,
    measured: io::Result<Option<M>>,
}

/// The thread of a job, which executes runs until there are no more.
fn execute_runs<X: Executor>(
    job: usize,
    executor: &mut X,
    plan: &RunPlan,
    cancel: &AtomicBool,
    runs: &Receiver<usize>,
    sender: &Sender<ExecutedRun<X::Measured>>,
) {
    for run in runs {
        let started_at = machine::now();
        let Run { cell, kind, .. } = plan.runs[run];
        let measured = executor.run(cell, kind, cancel);
        if sender.send(ExecutedRun { job, run, started_at, measured }).is_err() {
            return;
        }
    }
}

/// An experiment in progress.
struct Experiment<'a, M, R, E> {
    plan: &'a RunPlan,
    history: &'a mut History<R>,
    recorder: &'a mut dyn Recorder<M, Row = R, Error = E>,
    observe: &'a mut dyn FnMut(RunEvent<'_, R>),
    queue: Queue<'a>,
    skips: Skips,
    precision: Precision,
    estimator: Estimator,
    jobs: usize,
    remaining: Remaining,
    /// The time of the last estimate of the remaining work.
    estimated_at: Instant,
}

impl<'a, M, R: FinishedRun, E> Experiment<'a, M, R, E> {
    fn new(
        plan: &'a RunPlan,
        history: &'a mut History<R>,
        recorder: &'a mut dyn Recorder<M, Row = R, Error = E>,
        jobs: usize,
        observe: &'a mut dyn FnMut(RunEvent<'_, R>),
    ) -> Self {
        let (skips, estimator) = history.skips_and_estimator(plan);
        let mut precision = history.precision(plan);
        let queue = Queue::new(plan, history.pending(plan, &mut precision));
        let remaining = estimator.remaining(plan, &skips, queue.pending(), jobs);
        let estimated_at = Instant::now();
        Self {
            plan,
            history,
            recorder,
            observe,
            queue,
            skips,
            precision,
            estimator,
            jobs,
            remaining,
            estimated_at,
        }
    }

    /// Executes the runs. Returns whether all runs are done.
    fn drive(
        &mut self,
        jobs: &[Sender<usize>],
        executed: &Receiver<ExecutedRun<M>>,
        cancel: &AtomicBool,
    ) -> Result<bool, ExecuteError<E>> {
        let finished_runs = self.plan.runs.len() - self.queue.pending().count();
        (self.observe)(RunEvent::Begins { done: finished_runs, remaining: self.remaining });
        let mut idle_jobs: Vec<usize> = (0..jobs.len()).rev().collect();
        // `Ok(false)` after a run was cancelled, or the error that ends the experiment.
        let mut outcome = Ok(true);
        loop {
            while let Some(&job) = idle_jobs.last() {
                let must_stop = !matches!(outcome, Ok(true)) || cancel.load(Ordering::Relaxed);
                let Some(run) = (if must_stop { None } else { self.queue.next() }) else { break };
                if self.begin(run)? {
                    idle_jobs.pop();
                    jobs[job].send(run).map_err(|_| thread_has_ended())?;
                }
            }
            if idle_jobs.len() == jobs.len() {
                return outcome
                    .map(|no_cancelled_run| no_cancelled_run && self.queue.pending().next().is_none());
            }
            let ExecutedRun { job, run, started_at, measured } =
                executed.recv().map_err(|_| thread_has_ended())?;
            idle_jobs.push(job);
            match measured {
                Ok(Some(measured)) => self.end(run, started_at, measured)?,
                Ok(None) => outcome = outcome.map(|_| false),
                Err(error) => {
                    // The active runs are cancelled. Rows that were written are kept.
                    cancel.store(true, Ordering::Relaxed);
                    outcome = Err(ExecuteError::Start(error));
                }
            }
        }
    }

    /// Prepares the run with this index in the plan, and returns whether a job must execute it. If the run is skipped, its row is
    /// written immediately.
    fn begin(&mut self, index: usize) -> Result<bool, ExecuteError<E>> {
        let plan = self.plan;
        let run = &plan.runs[index];
        let is_first_attempt = self.history.next_attempt(index) == 1;
        if is_first_attempt && self.precision.is_not_needed(run) {
            self.queue.record_end(index);
            (self.observe)(RunEvent::RunNotNeeded { run });
            return Ok(false);
        }
        if self.estimated_at.elapsed() > ESTIMATE_INTERVAL {
            let pending = std::iter::once(run).chain(self.queue.pending());
            self.remaining = self.estimator.remaining(plan, &self.skips, pending, self.jobs);
            self.estimated_at = Instant::now();
        }
        (self.observe)(RunEvent::RunBegins { run, remaining: self.remaining });
        let result = match (&plan.cell(run).skip, self.skips.deciding_sizes(plan, run)) {
            (Some(reason), _) => RunResult::Skipped(reason),
            (None, Some(sizes)) => RunResult::SkippedAfterTimeouts(sizes),
            (None, None) => return Ok(true),
        };
        let attempt = self.history.next_attempt(index);
        let ended = EndedRun { run, attempt, started_at: machine::now(), result };
        let row = self.recorder.record(ended).map_err(ExecuteError::Record)?;
        self.queue.record_end(index);
        self.add_row(index, row);
        Ok(false)
    }

    fn end(&mut self, index: usize, started_at: String, measured: M) -> Result<(), ExecuteError<E>> {
        let run = &self.plan.runs[index];
        let attempt = self.history.next_attempt(index);
        let ended = EndedRun { run, attempt, started_at, result: RunResult::Measured(measured) };
        let row = self.recorder.record(ended).map_err(ExecuteError::Record)?;
        self.estimator.observe(run, row.outcome(), row.wall());
        self.skips.observe(self.plan, run, row.outcome());
        self.queue.record_end(index);
        self.add_row(index, row);
        Ok(())
    }

    fn add_row(&mut self, index: usize, row: R) {
        let run = &self.plan.runs[index];
        (self.observe)(RunEvent::RunEnds { run, row: &row });
        self.precision.observe(run, &row);
        self.history.push(index, row);
    }
}

/// The error for a job whose thread has ended, which happens only after a panic in the thread.
fn thread_has_ended<E>() -> ExecuteError<E> {
    ExecuteError::Start(io::Error::other("the thread of a job has ended unexpectedly"))
}

#[cfg(test)]
mod tests;
