//! A job: its subproblems, counted by threads.
//!
//! Subproblems are column sets, or the whole board if it is too small to be divided. Any of them can be counted
//! anywhere, in any order, and their sum is the number of solutions. Threads share only the tables and the number of
//! the next subproblem.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::checkpoint::{Checkpoint, CountError, Identity, Saving};
use super::column_set::{self, Instance, Scratch, Tuning, Work};
use super::geometry::Geometry;
use super::isa::Isa;
use super::kernel::{Kernel, dispatch};
use super::shard::Shard;
use super::symmetry::{ColumnSet, column_sets};
use super::{Stop, memory, small};

/// Smaller boards are counted as a whole, by bit masks.
const LEAST: usize = 13;

/// The largest board.
const LARGEST: usize = *Geometry::SIZES.end();

/// What to count, and how.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// Side of the board, at most 28.
    pub n: usize,
    /// The part of its subproblems to count.
    pub shard: Shard,
    /// The instruction set; one that this machine lacks is an error.
    pub kernel: Kernel,
    /// Threads that build the tables and count.
    pub threads: NonZeroUsize,
    /// Bytes of memory that are available, if this is known: a board that needs more is an error.
    pub memory: Option<u64>,
}

/// What a count found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// What is done, and its solutions: not everything, if the count was stopped.
    pub checkpoint: Checkpoint,
    /// The subproblems that earlier sessions finished.
    pub earlier: usize,
    /// The work of this session; zeros for a small board.
    pub work: Work,
}

/// The progress of a count: when it begins, and after each subproblem.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Subproblems of the job.
    pub subproblems: usize,
    /// Finished subproblems, with those of earlier sessions.
    pub finished: usize,
    /// Their solutions.
    pub solutions: u64,
    /// The estimated work of the subproblems that this session finished, in an arbitrary unit.
    pub done: f64,
    /// The estimated work of those that are left, in the same unit.
    pub left: f64,
}

/// Receives the progress.
pub type Watch<'a> = dyn FnMut(&Progress) + Send + 'a;

impl Job {
    /// A whole board, on one thread, with the best kernel of this machine.
    pub fn new(n: usize) -> Self {
        Self { n, shard: Shard::WHOLE, kernel: Kernel::best(), threads: NonZeroUsize::MIN, memory: None }
    }

    /// Checks that the job is possible, and returns its identity and its column sets.
    pub(super) fn divide(&self) -> Result<(Identity, Vec<ColumnSet>), CountError> {
        let Self { n, shard, kernel, threads, memory } = *self;
        let sets = division(n)?;
        let subproblems = sets.len().max(1);
        if shard.of() > subproblems {
            let counted =
                if subproblems == 1 { "one subproblem" } else { &format!("{subproblems} subproblems") };
            return Err(CountError::Job(format!("n = {n} has only {counted}: choose fewer shards")));
        }
        kernel.detect().map_err(|reason| CountError::Job(reason.to_owned()))?;
        if !sets.is_empty() {
            memory::check(n, threads, memory).map_err(CountError::Job)?;
        }
        let own = shard.of_all(sets.len()).map(|at| sets[at]).collect();
        Ok((Identity::new(n, shard, &sets), own))
    }
}

/// The column sets of a board; none if it is too small.
pub(super) fn division(n: usize) -> Result<Vec<ColumnSet>, CountError> {
    match n {
        ..LEAST => Ok(Vec::new()),
        LEAST..=LARGEST => Ok(column_sets(n)),
        _ => Err(CountError::Job(format!("n = {n} is too large for this counter: choose n up to {LARGEST}"))),
    }
}

/// Counts the subproblems of a job that are not finished yet, until `stop` says so: it is asked often, on every thread,
/// and its answer must not change back. With a file, the count resumes from it if it exists, and saves its checkpoint
/// there every two seconds and at its end.
///
/// # Errors
///
/// A board that is too large; instructions, memory or threads that this machine does not have; a file that cannot be read
/// or written, that is no checkpoint, or that belongs to another job; 2^64 solutions or more.
pub fn count(
    job: &Job,
    file: Option<&Path>,
    stop: Stop<'_>,
    watch: &mut Watch<'_>,
) -> Result<Counted, CountError> {
    let (identity, sets) = job.divide()?;
    session(job, identity, &sets, file, stop, watch)
}

/// [`count`] for a job that is divided already.
pub(super) fn session(
    job: &Job,
    identity: Identity,
    sets: &[ColumnSet],
    file: Option<&Path>,
    stop: Stop<'_>,
    watch: &mut Watch<'_>,
) -> Result<Counted, CountError> {
    let costs = if sets.is_empty() { vec![1.0] } else { sets.iter().map(|set| set.cost()).collect() };
    let checkpoint = file.map(|file| Checkpoint::resume(file, &identity)).transpose()?.flatten();
    let checkpoint = checkpoint.unwrap_or_else(|| Checkpoint::new(identity, costs.len()));
    let earlier = checkpoint.finished;
    let mut tally = Tally::begin(file, checkpoint, costs, watch);
    let mut work = Work::default();
    if !tally.checkpoint.is_complete() && !stop() {
        match sets {
            [] => tally.add(0, small::count(job.n).into())?,
            sets => work = run(job, sets, &mut tally, stop)?,
        }
    }
    tally.saving.save(&mut tally.checkpoint)?;
    Ok(Counted { checkpoint: tally.checkpoint, earlier, work })
}

/// The checkpoint of a running count, and what depends on it.
struct Tally<'a, 'w> {
    checkpoint: Checkpoint,
    saving: Saving,
    /// The estimated work of each subproblem.
    costs: Vec<f64>,
    progress: Progress,
    watch: &'a mut Watch<'w>,
}

impl<'a, 'w> Tally<'a, 'w> {
    fn begin(file: Option<&Path>, checkpoint: Checkpoint, costs: Vec<f64>, watch: &'a mut Watch<'w>) -> Self {
        let left = costs.iter().zip(&checkpoint.done).filter(|(_, done)| !**done).map(|(cost, _)| cost).sum();
        let (finished, solutions) = (checkpoint.finished, checkpoint.solutions);
        let progress = Progress { subproblems: costs.len(), finished, solutions, done: 0.0, left };
        watch(&progress);
        Self { saving: Saving::begin(file, &checkpoint), checkpoint, costs, progress, watch }
    }

    fn add(&mut self, subproblem: usize, solutions: u128) -> Result<(), CountError> {
        self.checkpoint.add(subproblem, solutions)?;
        let Self { checkpoint, costs, progress, .. } = self;
        (progress.finished, progress.solutions) = (checkpoint.finished, checkpoint.solutions);
        progress.done += costs[subproblem];
        progress.left -= costs[subproblem];
        (self.watch)(&self.progress);
        self.saving.save_sometimes(&mut self.checkpoint)
    }
}

/// What the threads of a count share.
struct Threads<'a> {
    instance: &'a Instance,
    sets: &'a [ColumnSet],
    /// Whether each subproblem was finished in an earlier session.
    done: &'a [bool],
    /// The next subproblem.
    next: AtomicUsize,
    add: &'a (dyn Fn(usize, u128) + Sync),
    stop: Stop<'a>,
}

/// Counts the column sets that are not done, with threads.
fn run(job: &Job, sets: &[ColumnSet], tally: &mut Tally<'_, '_>, stop: Stop<'_>) -> Result<Work, CountError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads.get()).build();
    let pool =
        pool.map_err(|error| CountError::Job(format!("cannot start {} threads: {error}", job.threads)))?;
    let tuning = Tuning::for_size(job.n);
    let Some(instance) = pool.install(|| Instance::new(job.n, tuning, stop)) else {
        return Ok(Work::default());
    };
    let done = tally.checkpoint.done.clone();
    let failed = AtomicBool::new(false);
    let tally = Mutex::new((tally, None));
    let add = |subproblem, solutions| {
        let (tally, failure) = &mut *tally.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = tally.add(subproblem, solutions) {
            failed.store(true, Ordering::Relaxed);
            failure.get_or_insert(error);
        }
    };
    let stop = || failed.load(Ordering::Relaxed) || stop();
    let next = AtomicUsize::new(0);
    let threads = Threads { instance: &instance, sets, done: &done, next, add: &add, stop: &stop };
    let works = pool.broadcast(
        |_| dispatch!(job.kernel, k => if tuning.wide { threads.work(k.wide()) } else { threads.work(k) }),
    );
    if let (_, Some(failure)) = tally.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    let mut all = Work { table_bytes: instance.table_bytes(), ..Work::default() };
    for work in works {
        all.add(&work.map_err(|reason| CountError::Job(reason.to_owned()))?);
    }
    Ok(all)
}

impl Threads<'_> {
    /// What one thread does: counts the next column set, until none is left or it has to stop.
    fn work<K: Isa>(&self, k: K) -> Work {
        let mut scratch = Scratch::new(k);
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            if at >= self.sets.len() || (self.stop)() {
                return scratch.work;
            }
            if self.done[at] {
                continue;
            }
            match column_set::count(k, self.instance, &mut scratch, self.sets[at], self.stop) {
                Some(solutions) => (self.add)(at, solutions),
                None => return scratch.work,
            }
        }
    }
}
