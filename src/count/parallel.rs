//! Divides a board into independent subproblems, and runs threads that count them.
//!
//! Subproblems are column sets (meet in the middle) or prefixes of two rows (block search). Any share of them
//! can be counted anywhere, in any order, and the sum over all of them is the number of solutions. Threads
//! share only the tables and a counter of the next subproblem.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::block::Block;
use super::column_set::{Instance, Scratch, Tuning, Work};
use super::geometry::Geometry;
use super::isa::Isa;
use super::symmetry::ColumnSet;
use crate::board::prefix::Prefix;
use crate::solver::{Budget, Stop};

/// The counting method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Block depth-first search below prefixes.
    Block,
    /// Meet in the middle, column set by column set.
    Meet,
}

impl Method {
    /// The faster method for a board size.
    pub fn for_size(n: usize) -> Self {
        if n < 14 { Method::Block } else { Method::Meet }
    }
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
    /// Its index, below [`Problem::len`].
    pub subproblem: usize,
    /// Number of solutions that it represents, including images under symmetry.
    pub solutions: u64,
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

enum Subproblems {
    /// The fixed queens, and the factor for their solutions.
    Prefixes(Vec<(Prefix, u64)>),
    ColumnSets(Box<Instance>, Vec<ColumnSet>),
}

/// A board with its tables, divided into subproblems.
pub struct Problem<K: Isa> {
    k: K,
    n: usize,
    subproblems: Subproblems,
    pool: rayon::ThreadPool,
}

/// Buffers of a thread, allocated when they are first needed.
struct Buffers<K: Isa> {
    block: Option<Block>,
    scratch: Option<Box<Scratch<K>>>,
}

/// The error if the sum of a subproblem does not fit into 64 bits, or if threads cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RunError(pub String);

impl<K: Isa> Problem<K> {
    /// Divides the board and builds its tables; n is at least 1.
    pub fn new(
        k: K,
        n: usize,
        method: Method,
        tuning: Tuning,
        threads: NonZeroUsize,
    ) -> Result<Self, RunError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
        let pool = pool.map_err(|error| RunError(format!("cannot start {threads} threads: {error}")))?;
        let subproblems = match method {
            Method::Block => Subproblems::Prefixes(prefixes(n)),
            Method::Meet => {
                let instance = pool.install(|| Instance::new(n, tuning));
                let sets = instance.column_sets();
                Subproblems::ColumnSets(Box::new(instance), sets)
            }
        };
        Ok(Self { k, n, subproblems, pool })
    }

    /// The number of subproblems.
    pub fn len(&self) -> usize {
        match &self.subproblems {
            Subproblems::Prefixes(prefixes) => prefixes.len(),
            Subproblems::ColumnSets(_, sets) => sets.len(),
        }
    }

    /// Whether there are no subproblems.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Estimated work of a subproblem, in an arbitrary unit: top halves times pairs, before diagonals are
    /// checked.
    pub fn cost(&self, subproblem: usize) -> f64 {
        match &self.subproblems {
            Subproblems::Prefixes(_) => 1.0,
            Subproblems::ColumnSets(instance, sets) => instance.cost(sets[subproblem]),
        }
    }

    /// Bytes of the tables that subproblems share; 0 for the block search.
    pub fn table_bytes(&self) -> u64 {
        match &self.subproblems {
            Subproblems::Prefixes(_) => 0,
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
        let next = AtomicUsize::new(0);
        let halt = AtomicBool::new(false);
        let total = Mutex::new(Ok(Total::default()));
        let work = || {
            let mut mine = Total::default();
            let mut buffers = Buffers { block: None, scratch: None };
            let mut failed = None;
            while !halt.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(subproblem) = at.checked_mul(share.of).map(|at| at + share.index) else { break };
                if subproblem >= self.len() {
                    break;
                }
                if skip(subproblem) {
                    continue;
                }
                mine.stopped = budget.exceeded(0);
                if mine.stopped.is_some() {
                    halt.store(true, Ordering::Relaxed);
                    break;
                }
                let Some(solutions) = self.count(subproblem, &mut buffers) else {
                    failed = Some(RunError(format!("subproblem {subproblem} has 2^64 solutions or more")));
                    halt.store(true, Ordering::Relaxed);
                    break;
                };
                mine.solutions += u128::from(solutions);
                mine.finished += 1;
                finished(Finished { subproblem, solutions });
            }
            if let Some(scratch) = buffers.scratch {
                mine.work = scratch.work;
            }
            let mut total = total.lock().expect("no thread panics while it adds");
            match (&mut *total, failed) {
                (total, Some(error)) => *total = Err(error),
                (Ok(total), None) => {
                    total.solutions += mine.solutions;
                    total.finished += mine.finished;
                    total.stopped = total.stopped.or(mine.stopped);
                    total.work.add(&mine.work);
                }
                (Err(_), None) => {}
            }
        };
        self.pool.broadcast(|_| work());
        total.into_inner().expect("no thread panics while it adds")
    }

    fn count(&self, subproblem: usize, buffers: &mut Buffers<K>) -> Option<u64> {
        match &self.subproblems {
            Subproblems::Prefixes(prefixes) => {
                let (prefix, weight) = &prefixes[subproblem];
                let block = buffers.block.get_or_insert_with(|| Block::new(self.n));
                block.fix(prefix.columns());
                self.k.search_block(block, None).checked_mul(*weight)
            }
            Subproblems::ColumnSets(instance, sets) => {
                let scratch = buffers.scratch.get_or_insert_with(|| Box::new(Scratch::new(self.k)));
                self.k.count_column_set(instance, scratch, sets[subproblem])
            }
        }
    }
}

/// Prefixes of up to two rows whose first queen is in the left half, the middle column included. The mirror
/// image of each prefix counts as well.
fn prefixes(n: usize) -> Vec<(Prefix, u64)> {
    let depth = if n < 6 { 0 } else { 2 };
    let weighted = Prefix::all(n, depth).into_iter().map(|prefix| {
        let weight = match prefix.columns().first() {
            None => 1,
            Some(&column) => match (2 * usize::from(column) + 1).cmp(&n) {
                std::cmp::Ordering::Less => 2,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 0,
            },
        };
        (prefix, weight)
    });
    weighted.filter(|&(_, weight)| weight > 0).collect()
}

/// Board sizes for meeting in the middle.
pub fn meets(n: usize) -> bool {
    Geometry::SIZES.contains(&n)
}
