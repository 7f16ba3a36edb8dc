//! A board as independent subproblems, counted by threads.
//!
//! Subproblems are column sets (meet in the middle) or prefixes (block search). Any share of them can be
//! counted anywhere, in any order, and the sum over all of them is the number of solutions. Threads share
//! only the tables and the number of the next subproblem.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::block::{self, Block};
use super::column_set::{self, Clock, Counted, Instance, Scratch, Thin, Tuning, Work};
use super::geometry::Geometry;
use super::halves::Pairs;
use super::isa::Isa;
use super::kernel::{Kernel, dispatch};
use super::memory;
use super::symmetry::{ColumnSet, column_sets};
use crate::board::prefix::{each_up_to_mirror, mirror_weight};
use crate::solver::sink::hash;
use crate::solver::{Budget, Stop};

/// The counting method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Block depth-first search below the prefixes of `depth` rows, up to mirror images; 1 <= n <= 32 and
    /// depth < n, or n = depth = 0.
    Block {
        /// Rows of a prefix.
        depth: usize,
        /// Whether to sum the hashes of all boards, too.
        digest: bool,
    },
    /// Meet in the middle, column set by column set; n from 10 to 28.
    Meet(Tuning),
}

impl Method {
    /// The faster method for a board size. Block search needs wide vectors more than meeting in the middle does.
    pub fn for_size(n: usize, kernel: Kernel) -> Self {
        let least = if kernel == Kernel::Portable { 13 } else { LEAST };
        if n < least { Self::block(n) } else { Method::Meet(Tuning::for_size(n)) }
    }

    /// Block search with a few prefixes for each thread.
    pub fn block(n: usize) -> Self {
        Method::Block { depth: if n < 6 { 0 } else { 2 }, digest: false }
    }
}

/// The smallest board on which most kernels are fastest by column sets.
const LEAST: usize = 14;

/// The largest board that one process counts. Larger ones would take it years; they can be divided into shards, and a
/// sample of their column sets can be counted.
pub const LARGEST: usize = 25;

/// Whether a board of this size can be divided into column sets.
pub fn meets(n: usize) -> bool {
    Geometry::SIZES.contains(&n)
}

/// Whether a board of this size had better be divided into column sets, on whatever machine.
pub fn better_meets(n: usize) -> bool {
    meets(n) && n >= LEAST
}

/// What to count, and how.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Side of the board.
    pub n: usize,
    /// The instruction set; one that this machine lacks is an error.
    pub kernel: Kernel,
    /// The method.
    pub method: Method,
    /// Threads that build the tables and count.
    pub threads: NonZeroUsize,
}

/// A board that is ready to be counted: its tables and its subproblems.
pub struct Count {
    setup: Setup,
    subproblems: Subproblems,
    pool: rayon::ThreadPool,
    thin: Thin,
    clock: Clock,
}

enum Subproblems {
    /// The columns of all prefixes, one after the other, and the number of prefixes.
    Prefixes(Vec<u16>, usize),
    ColumnSets(Box<Instance>, Vec<ColumnSet>),
}

/// Every `of`-th subproblem, starting at `index`: share 0 of 1 is all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Number of the share, below `of`.
    pub index: usize,
    /// Number of shares.
    pub of: usize,
}

impl Share {
    /// All subproblems.
    pub const ALL: Share = Share { index: 0, of: 1 };
}

/// A finished subproblem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its index, below [`Count::subproblems`].
    pub subproblem: usize,
    /// Number of solutions that it represents, including images under symmetry.
    pub solutions: u64,
    /// The sum of the hashes of these solutions, if the method has a digest.
    pub digest: Option<u128>,
    /// The CPU time of a column set, if the count has a clock.
    pub cpu: Option<Duration>,
}

/// The totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Solutions of the finished subproblems.
    pub solutions: u128,
    /// Subproblems finished.
    pub finished: usize,
    /// Why the run ended before all subproblems were finished.
    pub stopped: Option<Stop>,
    /// Statistics; zeros for the block search.
    pub work: Work,
}

/// The error if a board cannot be prepared, or if the sum of a subproblem does not fit into 64 bits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RunError(pub String);

impl Setup {
    /// Divides the board, and builds the tables. Errors: no such instructions or threads, too little memory, or
    /// a board size that the method does not support.
    pub fn open(self) -> Result<Count, RunError> {
        let Self { n, kernel, method, threads } = self;
        kernel.detect().map_err(|reason| RunError(reason.to_owned()))?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
        let pool = pool.map_err(|error| RunError(format!("cannot start {threads} threads: {error}")))?;
        let subproblems = match method {
            Method::Block { depth, .. } => {
                let (mut prefixes, mut len) = (Vec::new(), 0);
                let _ = each_up_to_mirror(n, depth, &mut |number, columns, _| {
                    prefixes.extend(columns);
                    len = number + 1;
                    ControlFlow::Continue(())
                });
                Subproblems::Prefixes(prefixes, len)
            }
            Method::Meet(tuning) => {
                memory::check(n, threads).map_err(RunError)?;
                let instance = pool.install(|| Instance::new(n, tuning));
                Subproblems::ColumnSets(Box::new(instance), column_sets(n))
            }
        };
        Ok(Count { setup: self, subproblems, pool, thin: Thin::NOT, clock: || None })
    }
}

/// A run: what its threads share.
struct Run<'a> {
    share: Share,
    budget: &'a Budget,
    skip: &'a (dyn Fn(usize) -> bool + Sync),
    finished: &'a (dyn Fn(Finished) + Sync),
    /// Subproblems of the share that were started.
    started: AtomicUsize,
    halted: AtomicBool,
}

impl Count {
    /// Estimates column sets instead of counting them: see [`Thin`]. Prefixes are counted as before.
    pub fn thin(&mut self, thin: Thin) {
        self.thin = thin;
    }

    /// Measures the CPU time of each column set with a clock.
    pub fn measure(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// The number of subproblems.
    pub fn subproblems(&self) -> usize {
        match &self.subproblems {
            Subproblems::Prefixes(_, len) => *len,
            Subproblems::ColumnSets(_, sets) => sets.len(),
        }
    }

    /// Estimated work of a subproblem, in an arbitrary unit: pairs of halves, before diagonals are checked.
    pub fn cost(&self, subproblem: usize) -> f64 {
        self.pairs(subproblem).number
    }

    /// Calls `f` on the threads of this count.
    pub(super) fn install<T: Send>(&self, f: impl FnOnce() -> T + Send) -> T {
        self.pool.install(f)
    }

    /// The pairs of halves of a subproblem, before diagonals are checked; 1 for a prefix.
    pub fn pairs(&self, subproblem: usize) -> Pairs {
        match &self.subproblems {
            Subproblems::Prefixes(..) => Pairs { number: 1.0, weight: 1.0 },
            Subproblems::ColumnSets(instance, sets) => instance.pairs(sets[subproblem]),
        }
    }

    /// Bytes of the tables that subproblems share; 0 for the block search.
    pub fn table_bytes(&self) -> u64 {
        match &self.subproblems {
            Subproblems::Prefixes(..) => 0,
            Subproblems::ColumnSets(instance, _) => instance.table_bytes(),
        }
    }

    /// Counts the subproblems of a share, except the ones to `skip`, and passes each result to `finished` as
    /// it arrives, from any thread. Checks the budget between subproblems.
    pub fn run(
        &self,
        share: Share,
        budget: &Budget,
        skip: &(dyn Fn(usize) -> bool + Sync),
        finished: &(dyn Fn(Finished) + Sync),
    ) -> Result<Total, RunError> {
        let (started, halted) = (AtomicUsize::new(0), AtomicBool::new(false));
        let run = Run { share, budget, skip, finished, started, halted };
        let totals = self.pool.broadcast(|_| dispatch!(self.setup.kernel, k => self.work(k, &run)));
        let mut sum = Total::default();
        for total in totals {
            let total = total.map_err(|reason| RunError(reason.to_owned()))??;
            sum.solutions += total.solutions;
            sum.finished += total.finished;
            sum.stopped = sum.stopped.or(total.stopped);
            sum.work.add(&total.work);
        }
        Ok(sum)
    }

    /// The part of a run that one thread does.
    fn work<K: Isa>(&self, k: K, run: &Run<'_>) -> Result<Total, RunError> {
        match &self.subproblems {
            Subproblems::Prefixes(prefixes, len) => {
                let mut block = Block::new(self.setup.n.max(1));
                run.each(*len, |at| {
                    let depth = prefixes.len() / len;
                    let below = self.below(k, &mut block, &prefixes[at * depth..(at + 1) * depth])?;
                    let (solutions, digest) = below;
                    Some(Finished { subproblem: at, solutions, digest, cpu: None })
                })
            }
            Subproblems::ColumnSets(instance, sets) => {
                if instance.tuning().wide {
                    return self.join(k.wide(), instance, sets, run);
                }
                self.join(k, instance, sets, run)
            }
        }
    }

    /// [`Count::work`] for column sets.
    fn join<K: Isa>(
        &self,
        k: K,
        instance: &Instance,
        sets: &[ColumnSet],
        run: &Run<'_>,
    ) -> Result<Total, RunError> {
        let mut scratch = Scratch::new(k, self.thin, self.clock);
        let total = run.each(sets.len(), |set| {
            let Counted { solutions, cpu } = column_set::count(k, instance, &mut scratch, sets[set])?;
            Some(Finished { subproblem: set, solutions, digest: None, cpu })
        })?;
        Ok(Total { work: scratch.work, ..total })
    }

    /// The solutions below a prefix and below its mirror image, and their digest; `None` beyond 2^64.
    fn below<K: Isa>(&self, k: K, block: &mut Block, prefix: &[u16]) -> Option<(u64, Option<u128>)> {
        let n = self.setup.n;
        let boards = matches!(self.setup.method, Method::Block { digest: true, .. });
        if n == 0 {
            // The only solution for n = 0 is the empty board.
            return Some((1, boards.then(|| hash::<u16>(&[]))));
        }
        let weight = mirror_weight(n, prefix);
        let mut digest = 0_u128;
        let (mut board, mut image) = (vec![0; n], vec![0; n]);
        let mut batch = |block: &Block| {
            for solution in 0..block.solutions() {
                block.read(solution, &mut board);
                digest = digest.wrapping_add(hash(&board));
                if weight == 2 {
                    image.iter_mut().zip(&board).for_each(|(to, from)| *to = n as u16 - 1 - from);
                    digest = digest.wrapping_add(hash(&image));
                }
            }
            true
        };
        block.fix(prefix);
        let found = block::search(k, block, if boards { Some(&mut batch) } else { None });
        Some((found.checked_mul(weight)?, boards.then_some(digest)))
    }
}

impl Run<'_> {
    /// Counts subproblems of the share, of `len` in all, until none is left or the run is stopped.
    fn each(&self, len: usize, mut count: impl FnMut(usize) -> Option<Finished>) -> Result<Total, RunError> {
        let Share { index, of } = self.share;
        let mut total = Total::default();
        while !self.halted.load(Ordering::Relaxed) {
            let started = self.started.fetch_add(1, Ordering::Relaxed);
            let next = started.checked_mul(of).map(|at| at + index).filter(|&next| next < len);
            let Some(subproblem) = next else { break };
            if (self.skip)(subproblem) {
                continue;
            }
            total.stopped = self.budget.exceeded(0);
            if total.stopped.is_some() {
                self.halted.store(true, Ordering::Relaxed);
                break;
            }
            let Some(finished) = count(subproblem) else {
                self.halted.store(true, Ordering::Relaxed);
                return Err(RunError(format!("subproblem {subproblem} has 2^64 solutions or more")));
            };
            total.solutions += u128::from(finished.solutions);
            total.finished += 1;
            (self.finished)(finished);
        }
        Ok(total)
    }
}
