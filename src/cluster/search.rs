//! Searches the subproblems of a shard that no earlier attempt finished, on several threads. Each result is
//! written to the log before it is added to the sums.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::log::{Detail, Done, Found, Log};
use super::partition::Partition;
use super::{ClusterError, Job, ShardPlan, lex};
use crate::count::{Count, Counted, Finished, Kernel, Method, Sample, Setup, Share, Thin, Tuning, Work};
use crate::os;
use crate::solver::Budget;

/// The finished subproblems of a shard, and their sums.
#[derive(Clone, Debug)]
pub struct Tally {
    shards: usize,
    /// Whether each subproblem is finished, in the order of the shard.
    pub done: Vec<bool>,
    /// Number of finished subproblems.
    pub finished: usize,
    /// Their solutions; their nodes, where the first solution is searched.
    pub number: u128,
    /// The sum of their digests; 0 for other tasks than an enumeration.
    pub digest: u128,
    /// The smallest solution that was found, where none is expected that is smaller than the known one.
    pub smaller: Option<Vec<u16>>,
    /// What was found in each finished subproblem; only for a sample.
    sampled: BTreeMap<usize, Counted>,
}

impl Tally {
    fn new(plan: &ShardPlan, index: usize, done: &Done) -> Self {
        let nothing = vec![false; plan.len_of(index)];
        let mut tally = Self {
            shards: plan.shards,
            done: nothing,
            finished: 0,
            number: 0,
            digest: 0,
            smaller: None,
            sampled: BTreeMap::new(),
        };
        done.iter().for_each(|(&subproblem, found)| tally.add(subproblem, found));
        tally
    }

    fn add(&mut self, subproblem: usize, found: &Found) {
        self.done[subproblem / self.shards] = true;
        self.finished += 1;
        self.number += u128::from(found.number);
        self.digest = self.digest.wrapping_add(found.detail.digest());
        match &found.detail {
            Detail::Queens(queens) if self.smaller.as_ref().is_none_or(|smaller| queens < smaller) => {
                self.smaller = Some(queens.clone());
            }
            &Detail::Sampled(cpu) => {
                self.sampled.insert(subproblem, Counted { solutions: found.number, cpu });
            }
            _ => {}
        }
    }

    fn has(&self, subproblem: usize) -> bool {
        self.done[subproblem / self.shards]
    }

    /// Whether all subproblems are finished.
    pub fn is_complete(&self) -> bool {
        self.finished == self.done.len()
    }
}

/// Receives the tally after each subproblem, and a function that estimates the cost of any subproblem.
pub type Watch<'a> = dyn FnMut(&Tally, &dyn Fn(usize) -> f64) + Send + 'a;

/// A shard of a search; `count` is a shard of its own.
pub struct Search<'a> {
    plan: &'a ShardPlan,
    index: usize,
    tally: Tally,
    log: Option<Log<'a>>,
}

impl<'a> Search<'a> {
    fn new(plan: &'a ShardPlan, index: usize, log: Option<(Log<'a>, Done)>) -> Result<Self, ClusterError> {
        if plan.job.n().is_none() {
            return Err(ClusterError::Request("a sweep has no subproblems to search".to_owned()));
        }
        let (log, done) = log.map_or((None, Done::new()), |(log, done)| (Some(log), done));
        Ok(Self { plan, index, tally: Tally::new(plan, index, &done), log })
    }

    /// The count or the sample of a plan of one shard. With a checkpoint and the SHA-256 of this executable, it
    /// resumes from that file, or creates it.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or written, that is not a checkpoint, or that belongs to another count.
    pub fn single(plan: &'a ShardPlan, checkpoint: Option<(&Path, &str)>) -> Result<Self, ClusterError> {
        let log = checkpoint.map(|(path, executable)| Log::resume(path, plan, executable));
        Self::new(plan, 0, log.transpose()?)
    }

    /// A new attempt at a shard, with what earlier attempts have finished.
    pub(super) fn attempt(plan: &'a ShardPlan, index: usize, work: &Path) -> Result<Self, ClusterError> {
        Self::new(plan, index, Some(Log::begin(work, plan, index)?))
    }

    /// The finished subproblems, including those of earlier attempts.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Wall time since the log was opened, and of earlier sessions; `None` without a log.
    pub fn wall(&self) -> Option<Duration> {
        self.log.as_ref().map(Log::wall)
    }

    /// Prepares the board: builds its tables. Fails if they do not fit into the memory of this machine.
    pub fn open(&self, kernel: Kernel, threads: NonZeroUsize) -> Result<Count, String> {
        let (n, partition) = self.plan.job.board().ok_or("the plan has no board to count")?;
        let method = match partition {
            Partition::ColumnSets => Method::Meet(Tuning::for_size(n)),
            Partition::Prefixes { depth } => {
                Method::Block { depth, digest: matches!(self.plan.job, Job::Enumerate { .. }) }
            }
        };
        let board = Setup { n, kernel, method, threads }.open().map_err(|error| error.to_string())?;
        if board.subproblems() != self.plan.subproblems && !matches!(self.plan.job, Job::Sample { .. }) {
            return Err("the counter divides the board differently than the plan".to_owned());
        }
        Ok(board)
    }

    /// Searches the subproblems that are not finished until the budget is exceeded; returns the work done.
    /// Fails if the log cannot be written, or if a subproblem has 2^64 solutions or more.
    pub fn run(&mut self, board: &Count, budget: &Budget, watch: &mut Watch<'_>) -> Result<Work, String> {
        let share = Share { index: self.index, of: self.plan.shards };
        let cost = |subproblem| board.cost(subproblem);
        self.collect(&cost, watch, |skip, add| {
            let add = |Finished { subproblem, solutions, digest, .. }: Finished| {
                let detail = digest.map_or(Detail::Nothing, Detail::Digest);
                add(subproblem, Found { number: solutions, detail });
            };
            Ok(board.run(share, budget, skip, &add).map_err(|error| error.to_string())?.work)
        })
    }

    /// The sample of this shard, of the column sets of a board; from now on, the board is counted as the sample says.
    /// `None` for the reason [`TOO_MANY`].
    pub fn draw(&self, board: &mut Count) -> Option<Sample> {
        let (mut seed, mut step) = (0, 1);
        if let Job::Sample { seed: first, thin, .. } = self.plan.job {
            (seed, step) = (first.wrapping_add(self.index as u64), thin);
        }
        board.thin(Thin { step, seed });
        board.measure(os::thread_cpu_time);
        let sample = board.sample(self.plan.len_of(self.index), seed);
        if step == 1 { Some(sample) } else { sample.thinned() }
    }

    /// Counts the column sets of the sample that are not finished until the budget is exceeded. Their numbers are those
    /// of the drawn column sets in ascending order. Fails like [`Search::run`].
    pub fn run_sample(
        &mut self,
        board: &Count,
        sample: &Sample,
        budget: &Budget,
        watch: &mut Watch<'_>,
    ) -> Result<(), String> {
        let (drawn, shards, index) = (ascending(sample), self.plan.shards, self.index);
        let number = |set| drawn.binary_search(&set).map_or(0, |at| at * shards + index);
        let cost = |number: usize| board.cost(drawn[number / shards]);
        self.collect(&cost, watch, |skip, add| {
            let add = |set, Counted { solutions, cpu }: Counted| {
                add(number(set), Found { number: solutions, detail: Detail::Sampled(cpu) });
            };
            let skip = |set| skip(number(set));
            sample.count(board, budget, &skip, &add).map_err(|error| error.to_string())
        })
    }

    /// What was found in each column set of the sample that is finished.
    pub fn sampled(&self, sample: &Sample) -> BTreeMap<usize, Counted> {
        let drawn = ascending(sample);
        let found = self.tally.sampled.iter();
        found.map(|(number, counted)| (drawn[number / self.plan.shards], *counted)).collect()
    }

    /// Searches the smaller prefixes that are not finished, each to its end.
    pub(super) fn run_lex(&mut self, threads: NonZeroUsize) -> Result<(), String> {
        let (plan, index) = (self.plan, self.index);
        self.collect(&|_| 1.0, &mut |_, _| {}, |skip, add| lex::run(plan, index, threads.get(), skip, add))
    }

    /// Calls `run` with a function that tells whether a subproblem needs no search, and one that writes a result to
    /// the log and adds it to the sums.
    fn collect<T>(
        &mut self,
        cost: &(dyn Fn(usize) -> f64 + Sync),
        watch: &mut Watch<'_>,
        run: impl FnOnce(&(dyn Fn(usize) -> bool + Sync), &(dyn Fn(usize, Found) + Sync)) -> Result<T, String>,
    ) -> Result<T, String> {
        let before = self.tally.clone();
        let failed = AtomicBool::new(false);
        let state = Mutex::new((&mut *self, watch, None));
        let add = |subproblem, found: Found| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (search, watch, failure) = &mut *state;
            match search.log.as_mut().map_or(Ok(()), |log| log.append(subproblem, &found)) {
                Ok(()) => {
                    search.tally.add(subproblem, &found);
                    watch(&search.tally, cost);
                }
                Err(reason) => {
                    failed.store(true, Ordering::Relaxed);
                    failure.get_or_insert(reason);
                }
            }
        };
        let skip = |subproblem| failed.load(Ordering::Relaxed) || before.has(subproblem);
        let ran = run(&skip, &add);
        match state.into_inner().unwrap_or_else(PoisonError::into_inner).2 {
            Some(reason) => Err(reason),
            None => ran,
        }
    }

    /// Appends the wall time to the log, and flushes it to disk.
    pub fn save(&mut self) -> Result<(), String> {
        self.log.as_mut().map_or(Ok(()), Log::save)
    }
}

/// Why a sample cannot leave out parts of its column sets.
pub const TOO_MANY: &str = "the sample draws every column set of some size, and then --thin says nothing about the error: \
                            leave out --thin, or choose a smaller --sample";

/// The column sets that a sample draws, in ascending order.
fn ascending(sample: &Sample) -> Vec<usize> {
    let mut drawn: Vec<usize> = sample.drawn().collect();
    drawn.sort_unstable();
    drawn
}
