//! Searches the subproblems of a shard that no earlier attempt finished, on several threads. Each result is
//! written to the log before it is added to the sums.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::log::{Done, Found, Log};
use super::partition::{Partition, each_prefix};
use super::{ClusterError, Job, ShardPlan};
use crate::count::block::Block;
use crate::count::column_set::{Tuning, Work};
use crate::count::parallel::{Method, Share};
use crate::count::{Count, Kernel};
use crate::solver::Budget;
use crate::solver::sink::hash;

/// The finished subproblems of a shard, and their sums.
#[derive(Clone, Debug)]
pub struct Tally {
    shards: usize,
    /// Whether each subproblem is finished, in the order of the shard.
    pub done: Vec<bool>,
    /// Number of finished subproblems.
    pub finished: usize,
    /// Their solutions.
    pub solutions: u128,
    /// The sum of their digests; 0 for a count.
    pub digest: u128,
}

impl Tally {
    fn new(plan: &ShardPlan, index: usize, done: &Done) -> Self {
        let nothing = vec![false; plan.len_of(index)];
        let mut tally = Self { shards: plan.shards, done: nothing, finished: 0, solutions: 0, digest: 0 };
        done.iter().for_each(|(&subproblem, &found)| tally.add(subproblem, found));
        tally
    }

    fn add(&mut self, subproblem: usize, found: Found) {
        self.done[subproblem / self.shards] = true;
        self.finished += 1;
        self.solutions += u128::from(found.solutions);
        self.digest = self.digest.wrapping_add(found.digest.unwrap_or(0));
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

/// A shard of a count or an enumeration; `count` is a shard of its own.
pub struct Search<'a> {
    plan: &'a ShardPlan,
    index: usize,
    n: usize,
    partition: Partition,
    tally: Tally,
    log: Option<Log<'a>>,
}

/// A board that is ready to be searched.
pub struct Board {
    kernel: Kernel,
    threads: NonZeroUsize,
    /// The counter of column sets with its tables, or nothing and the prefixes.
    counter: Option<Box<dyn Count>>,
    prefixes: Vec<Prefix>,
}

/// The queens of a prefix, and the weight by which its solutions are multiplied.
struct Prefix {
    subproblem: usize,
    columns: Vec<u16>,
    weight: u64,
}

impl Board {
    /// Bytes of the tables that subproblems share.
    pub fn table_bytes(&self) -> u64 {
        self.counter.as_ref().map_or(0, |counter| counter.table_bytes())
    }
}

impl<'a> Search<'a> {
    fn new(plan: &'a ShardPlan, index: usize, log: Option<(Log<'a>, Done)>) -> Result<Self, ClusterError> {
        let board = plan.job.board();
        let sweep = || ClusterError::Request("a sweep has no subproblems to search".to_owned());
        let (n, partition) = board.ok_or_else(sweep)?;
        let (log, done) = log.map_or((None, Done::new()), |(log, done)| (Some(log), done));
        Ok(Self { plan, index, n, partition, tally: Tally::new(plan, index, &done), log })
    }

    /// The count of a plan of one shard. With a checkpoint and the SHA-256 of this executable, it resumes from
    /// that file, or creates it.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or written, that is not a checkpoint, or that belongs to another count.
    pub fn whole(plan: &'a ShardPlan, checkpoint: Option<(&Path, &str)>) -> Result<Self, ClusterError> {
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
    pub fn open(&self, kernel: Kernel, threads: NonZeroUsize) -> Result<Board, String> {
        let (plan, n) = (self.plan, self.n);
        let mut board = Board { kernel, threads, counter: None, prefixes: Vec::new() };
        match self.partition {
            Partition::ColumnSets => {
                let counter = kernel.open_with(n, Method::Meet, Tuning::for_size(n), threads);
                let counter = counter.map_err(|error| error.to_string())?;
                if counter.subproblems() != plan.subproblems {
                    return Err("the counter divides the board differently than the plan".to_owned());
                }
                board.counter = Some(counter);
            }
            Partition::Prefixes { depth } => {
                let _ = each_prefix(n, depth, &mut |subproblem, columns, weight| {
                    if subproblem % plan.shards == self.index && !self.tally.has(subproblem) {
                        board.prefixes.push(Prefix { subproblem, columns: columns.to_vec(), weight });
                    }
                    ControlFlow::Continue(())
                });
            }
        }
        Ok(board)
    }

    /// Searches the subproblems that are not finished until the budget is exceeded; returns the work done.
    /// Fails if the log cannot be written, or if a subproblem has 2^64 solutions or more.
    pub fn run(&mut self, board: &Board, budget: &Budget, watch: &mut Watch<'_>) -> Result<Work, String> {
        let (plan, n, share) = (self.plan, self.n, Share { index: self.index, of: self.plan.shards });
        let before = self.tally.clone();
        let failed = AtomicBool::new(false);
        let cost = |subproblem| board.counter.as_ref().map_or(1.0, |counter| counter.cost(subproblem));
        let state = Mutex::new((&mut *self, watch, None));
        let add = |subproblem, found: Result<Found, String>| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (search, watch, failure) = &mut *state;
            let logged = found.and_then(|found| {
                search.log.as_mut().map_or(Ok(()), |log| log.append(subproblem, found))?;
                search.tally.add(subproblem, found);
                watch(&search.tally, &cost);
                Ok(())
            });
            if let Err(reason) = logged {
                failed.store(true, Ordering::Relaxed);
                failure.get_or_insert(reason);
            }
        };
        let mut work = Work::default();
        if let Some(counter) = &board.counter {
            let skip = |subproblem| failed.load(Ordering::Relaxed) || before.has(subproblem);
            let total = counter.run(share, budget, &skip, &|found| {
                add(found.subproblem, Ok(Found { solutions: found.solutions, digest: None }));
            });
            work = total.map_err(|error| error.to_string())?.work;
        } else {
            let digests = matches!(plan.job, Job::Enumerate { .. });
            let next = AtomicUsize::new(0);
            let work = || {
                let mut block = Block::new(n.max(1));
                while let Some(prefix) = board.prefixes.get(next.fetch_add(1, Ordering::Relaxed))
                    && !failed.load(Ordering::Relaxed)
                    && budget.exceeded(0).is_none()
                {
                    add(prefix.subproblem, below(board.kernel, &mut block, n, prefix, digests));
                }
            };
            std::thread::scope(|scope| {
                for _ in 1..board.threads.get().min(board.prefixes.len()) {
                    scope.spawn(work);
                }
                work();
            });
        }
        match state.into_inner().unwrap_or_else(PoisonError::into_inner).2 {
            Some(reason) => Err(reason),
            None => Ok(work),
        }
    }

    /// Appends the wall time to the log, and flushes it to disk.
    pub fn save(&mut self) -> Result<(), String> {
        self.log.as_mut().map_or(Ok(()), Log::save)
    }
}

/// Searches below one prefix, and counts the solutions of its mirror image too.
fn below(
    kernel: Kernel,
    block: &mut Block,
    n: usize,
    prefix: &Prefix,
    digests: bool,
) -> Result<Found, String> {
    if n == 0 {
        // The only solution for n = 0 is the empty board.
        return Ok(Found { solutions: 1, digest: digests.then(|| hash(&[])) });
    }
    block.fix(&prefix.columns);
    let mut digest = 0_u128;
    let (mut board, mut image) = (vec![0; n], vec![0; n]);
    let mut batch = |block: &Block| {
        for solution in 0..block.solutions() {
            block.read(solution, &mut board);
            digest = digest.wrapping_add(hash(&board));
            if prefix.weight == 2 {
                for (to, from) in image.iter_mut().zip(&board) {
                    *to = n as u16 - 1 - from;
                }
                digest = digest.wrapping_add(hash(&image));
            }
        }
        true
    };
    let found = kernel.search(block, if digests { Some(&mut batch) } else { None })?;
    let solutions = found.checked_mul(prefix.weight);
    let solutions =
        solutions.ok_or_else(|| format!("subproblem {} has 2^64 solutions or more", prefix.subproblem))?;
    Ok(Found { solutions, digest: digests.then_some(digest) })
}
