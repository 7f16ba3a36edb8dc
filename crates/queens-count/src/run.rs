//! Counts the subproblems of a job on several threads.
//!
//! The subproblems are column sets, or the whole board if it is too small to be divided. Subproblems are independent and can be
//! counted in any order; the sum of their counts is the number of solutions. Threads share only the tables and the number of
//! the next subproblem.

#![expect(clippy::disallowed_methods, reason = "the checkpoint is saved every two seconds")]

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::checkpoint::{Checkpoint, identity};
use super::column_set::{self, Instance, Scratch, Tuning, Work};
use super::error::{CountError, JobError};
use super::geometry::Geometry;
use super::isa::Isa;
use super::kernel::{Kernel, dispatch};
use super::one_word::OneWord;
use super::shard::Shard;
use super::symmetry::{ColumnSet, column_sets};
use super::{ShouldStop, memory};

/// The size of the smallest board that is divided into subproblems. Smaller boards are counted as a whole, by a search with bit masks.
const MIN_DIVIDED_SIZE: usize = 12;

/// The size of the largest board that can be counted.
pub const MAX_SIZE: usize = *Geometry::SIZES.end();

/// The time between two writes of the checkpoint. A process that is killed loses its work since the last write.
const SAVE_INTERVAL: Duration = Duration::from_secs(2);

/// A job: a count, or a shard of a count, and its resources.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The side length of the board, at most 28.
    pub n: usize,
    /// The shard of the subproblems to count.
    pub shard: Shard,
    /// The instruction set. A kernel that this machine does not support is an error.
    pub kernel: Kernel,
    /// The number of threads that build the tables and count.
    pub threads: NonZeroUsize,
    /// The available memory in bytes; `None` if unknown. A board that needs more memory is an error.
    pub memory: Option<u64>,
}

/// The result of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The finished subproblems and their number of solutions. Some subproblems are missing if the count was stopped.
    pub checkpoint: Checkpoint,
    /// The number of subproblems that earlier sessions finished.
    pub earlier: usize,
    /// The statistics of this session; all 0 for a board that is not divided.
    pub work: Work,
}

/// The progress of a count, reported at its beginning and after each subproblem.
#[derive(Clone, Copy, Debug)]
pub struct JobProgress<'a> {
    /// The finished part, including earlier sessions.
    pub checkpoint: &'a Checkpoint,
    /// The estimated work of the subproblems that this session finished, in an arbitrary unit.
    pub finished_work: f64,
    /// The estimated work of the remaining subproblems, in the same unit.
    pub remaining_work: f64,
}

/// A callback that receives the progress.
pub type ProgressObserver<'a> = dyn FnMut(&JobProgress<'_>) + Send + 'a;

impl Job {
    /// A job for a whole board, on one thread, with the fastest kernel that this machine supports.
    pub fn new(n: usize) -> Self {
        Self { n, shard: Shard::WHOLE, kernel: Kernel::best(), threads: NonZeroUsize::MIN, memory: None }
    }

    /// Checks that the job is possible. Returns the identity of the job and the column sets of its shard.
    pub(super) fn divide(&self) -> Result<(String, Vec<ColumnSet>), CountError> {
        let Self { n, shard, kernel, threads, memory } = *self;
        let sets = division(n)?;
        let max_shards = sets.len().max(1);
        if shard.total() > max_shards {
            return Err(JobError::Shards { n, max_shards }.into());
        }
        kernel.detect().map_err(JobError::Kernel)?;
        if !sets.is_empty() {
            check_memory(n, threads, memory)?;
        }
        let shard_sets = shard.subproblems(sets.len()).map(|index| sets[index]).collect();
        Ok((identity(n, shard, &sets), shard_sets))
    }
}

/// Refuses a board that needs more memory than is available. `available` is in bytes, and `None` if unknown.
fn check_memory(n: usize, threads: NonZeroUsize, available: Option<u64>) -> Result<(), JobError> {
    let needed = memory::peak_bytes(n, threads);
    match available {
        Some(available) if available < needed => Err(JobError::Memory { n, threads, needed, available }),
        _ => Ok(()),
    }
}

/// The column sets of a board; empty if the board is too small to be divided.
pub(super) fn division(n: usize) -> Result<Vec<ColumnSet>, CountError> {
    match n {
        ..MIN_DIVIDED_SIZE => Ok(Vec::new()),
        MIN_DIVIDED_SIZE..=MAX_SIZE => Ok(column_sets(n)),
        _ => Err(JobError::TooLarge(n).into()),
    }
}

/// Counts the unfinished subproblems of a job until `stop` returns true (see [`ShouldStop`]), and reports the progress to `observer`. If
/// `file` is given, the count resumes from this file if the file exists, and writes a checkpoint to the file every two seconds and at
/// the end.
///
/// # Errors
///
/// A board that is too large; instructions, memory or threads that this machine does not have; a file that cannot be read
/// or written, that is not a checkpoint, or that belongs to another job; 2^64 solutions or more.
pub fn count(
    job: &Job,
    file: Option<&Path>,
    stop: ShouldStop<'_>,
    observer: &mut ProgressObserver<'_>,
) -> Result<Counted, CountError> {
    let (identity, sets) = job.divide()?;
    let subproblems = sets.len().max(1);
    let checkpoint = file.map(|file| Checkpoint::resume(file, &identity)).transpose()?.flatten();
    let checkpoint = checkpoint.unwrap_or_else(|| Checkpoint::new(identity, subproblems));
    let earlier = checkpoint.finished;
    let is_unfinished = |index: &usize| !checkpoint.is_finished[*index];
    let remaining_work = (0..subproblems).filter(is_unfinished).map(|index| cost(&sets, index)).sum();
    let (earlier_wall, start) = (checkpoint.wall, Instant::now());
    let mut session = Session {
        checkpoint,
        sets: &sets,
        finished_work: 0.0,
        remaining_work,
        observer,
        file,
        earlier_wall,
        start,
        last_save: start,
    };
    session.report();
    let work = match (session.checkpoint.is_complete() || stop(), sets.is_empty()) {
        (true, _) => Work::default(),
        (_, true) => session.add(0, count_small(job.n).into()).map(|()| Work::default())?,
        _ => count_column_sets(job, &mut session, stop)?,
    };
    session.save()?;
    Ok(Counted { checkpoint: session.checkpoint, earlier, work })
}

/// The estimated work of a subproblem.
fn cost(sets: &[ColumnSet], subproblem: usize) -> f64 {
    sets.get(subproblem).map_or(1.0, |set| set.cost())
}

/// The state of a running count.
struct Session<'a, 'w> {
    checkpoint: Checkpoint,
    sets: &'a [ColumnSet],
    finished_work: f64,
    remaining_work: f64,
    observer: &'a mut ProgressObserver<'w>,
    file: Option<&'a Path>,
    /// The wall time of earlier sessions.
    earlier_wall: Duration,
    start: Instant,
    last_save: Instant,
}

impl Session<'_, '_> {
    fn report(&mut self) {
        let (finished_work, remaining_work) = (self.finished_work, self.remaining_work);
        (self.observer)(&JobProgress { checkpoint: &self.checkpoint, finished_work, remaining_work });
    }

    fn add(&mut self, subproblem: usize, solutions: u128) -> Result<(), CountError> {
        self.checkpoint.add(subproblem, solutions)?;
        let cost = cost(self.sets, subproblem);
        self.finished_work += cost;
        self.remaining_work -= cost;
        self.report();
        if self.file.is_some() && self.last_save.elapsed() >= SAVE_INTERVAL { self.save() } else { Ok(()) }
    }

    /// Writes the checkpoint to its file, if a file was given.
    fn save(&mut self) -> Result<(), CountError> {
        self.checkpoint.wall = self.earlier_wall + self.start.elapsed();
        self.last_save = Instant::now();
        self.file.map_or(Ok(()), |file| self.checkpoint.write(file))
    }
}

/// Counts the unfinished column sets on several threads.
fn count_column_sets(
    job: &Job,
    session: &mut Session<'_, '_>,
    stop: ShouldStop<'_>,
) -> Result<Work, CountError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads.get()).build();
    let pool = pool.map_err(|error| JobError::Threads { threads: job.threads, reason: error.to_string() })?;
    let (tuning, has_failed) = (Tuning::for_size(job.n), AtomicBool::new(false));
    let stop = || has_failed.load(Ordering::Relaxed) || stop();
    let Some(instance) = pool.install(|| Instance::new(job.n, tuning, &stop)) else {
        return Ok(Work::default());
    };
    let (sets, is_finished) = (session.sets, session.checkpoint.is_finished.clone());
    let session = Mutex::new((session, None));
    let on_count = |subproblem, solutions| {
        let (session, failure) = &mut *session.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = session.add(subproblem, solutions) {
            has_failed.store(true, Ordering::Relaxed);
            failure.get_or_insert(error);
        }
    };
    let next_index = AtomicUsize::new(0);
    let next_subproblem = || loop {
        let index = next_index.fetch_add(1, Ordering::Relaxed);
        if is_finished.get(index) != Some(&true) {
            return sets.get(index).filter(|_| !stop()).map(|&set| (index, set));
        }
    };
    let threads = Threads { instance: &instance, next_subproblem: &next_subproblem, on_count: &on_count };
    let thread_statistics = pool.broadcast(
        |_| dispatch!(job.kernel, k => if tuning.one_word { threads.count(OneWord(k)) } else { threads.count(k.wide()) }),
    );
    if let (_, Some(failure)) = session.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    let mut total = Work { table_bytes: instance.table_bytes(), ..Work::default() };
    thread_statistics.iter().flatten().for_each(|work| total.add(work));
    Ok(total)
}

/// The state that the threads of a count share.
struct Threads<'a> {
    instance: &'a Instance<'a>,
    /// Returns the index of the next subproblem and its column set; `None` if all subproblems are taken or the count is stopped.
    next_subproblem: &'a (dyn Fn() -> Option<(usize, ColumnSet)> + Sync),
    /// Is called with the index of a subproblem and its number of solutions.
    on_count: &'a (dyn Fn(usize, u128) + Sync),
}

impl Threads<'_> {
    fn count<K: Isa>(&self, k: K) -> Work {
        let mut scratch = Scratch::new(k);
        while let Some((index, set)) = (self.next_subproblem)() {
            match column_set::count(k, self.instance, &mut scratch, set) {
                Some(solutions) => (self.on_count)(index, solutions),
                None => break,
            }
        }
        scratch.work
    }
}

/// Counts the solutions of a board of up to 31 rows by backtracking with bit masks. Solutions whose first queen is in one half of the
/// first row are counted twice, because their mirror images have the first queen in the other half.
fn count_small(n: usize) -> u64 {
    let all_columns = (1_u32 << n) - 1;
    if n < 2 {
        return 1;
    }
    let solutions_from = |first_column: u32| {
        let queen = 1 << first_column;
        count_completions(all_columns, queen, queen << 1, queen >> 1)
    };
    let half = n as u32 / 2;
    let middle = if n.is_multiple_of(2) { 0 } else { solutions_from(half) };
    2 * (0..half).map(solutions_from).sum::<u64>() + middle
}

/// The number of ways to complete a placement. `columns` are the occupied columns; `rising` and `falling` are the columns of the next
/// row that are attacked along diagonals.
fn count_completions(all_columns: u32, columns: u32, rising: u32, falling: u32) -> u64 {
    if columns == all_columns {
        return 1;
    }
    let mut free_columns = all_columns & !(columns | rising | falling);
    let mut solutions = 0;
    while free_columns != 0 {
        let queen = free_columns & free_columns.wrapping_neg();
        free_columns ^= queen;
        solutions +=
            count_completions(all_columns, columns | queen, (rising | queen) << 1, (falling | queen) >> 1);
    }
    solutions
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_THREAD: NonZeroUsize = NonZeroUsize::MIN;

    #[test]
    fn count_that_exceeds_memory_is_refused() {
        assert_eq!(check_memory(20, ONE_THREAD, None), Ok(()));
        assert_eq!(check_memory(20, ONE_THREAD, Some(memory::peak_bytes(20, ONE_THREAD))), Ok(()));
        let four_threads = NonZeroUsize::new(4).expect("not 0");
        for (n, threads, available) in
            [(20, ONE_THREAD, 100 << 20), (26, four_threads, memory::peak_bytes(26, ONE_THREAD))]
        {
            let needed = memory::peak_bytes(n, threads);
            let refusal = JobError::Memory { n, threads, needed, available };
            assert_eq!(check_memory(n, threads, Some(available)), Err(refusal));
        }
        assert_eq!(memory::peak_bytes(20, ONE_THREAD) >> 20, 297);
    }
}
