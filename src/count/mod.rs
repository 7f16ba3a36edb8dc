//! Counters built for speed: meet in the middle, and a block search that can also list boards.
//!
//! ```text
//! mod.rs          the table of counters, and the dispatch to instruction sets
//! parallel.rs     a board as subproblems, counted by threads
//! column_set.rs   one column set: its top halves against its bottom halves
//!   geometry.rs     quarters and crossing diagonals       symmetry.rs  column sets and weights
//!   quarters.rs     tables of partial placements          halves.rs    pairs of quarters: halves
//!   pieces.rs       512 tops against all bottoms          keys.rs      which bottoms can be skipped
//! memory.rs       memory of the tables, estimated beforehand
//! fundamental.rs  the number of solutions up to symmetry
//! block.rs        block depth-first search
//! isa.rs          operations of an instruction set; portable.rs is the oracle, arch/ has the others
//! ```
//!
//! docs/COUNTING.md explains the algorithm. It does not visit boards, so it has no nodes.

#[cfg(target_arch = "x86_64")]
mod arch;
pub mod block;
pub mod column_set;
pub mod fundamental;
pub mod geometry;
pub mod halves;
pub mod isa;
pub mod keys;
pub mod memory;
pub mod parallel;
pub mod pieces;
pub mod portable;
pub mod quarters;
mod solvers;
pub mod symmetry;
#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;

use crate::solver::Budget;
use block::{Batch, Block};
use column_set::Tuning;
use isa::Isa;
use parallel::{Finished, Method, Problem, RunError, Share, Total};
pub use solvers::{BlockCounter, MeetCounter, counter, solvers};

/// An instruction set that the counters are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Safe code for any machine.
    Portable,
    /// x86-64 with AVX2, BMI and POPCNT.
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ, VL, BMI and POPCNT.
    Avx512,
}

/// Calls generic code with the token of a kernel; an error if the machine does not support it.
macro_rules! dispatch {
    ($kernel:expr, $k:ident => $body:expr) => {
        match $kernel {
            Kernel::Portable => {
                let $k = portable::Portable;
                Ok($body)
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => arch::avx2::Avx2::detect().map(|$k| $body),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => arch::avx512::Avx512::detect().map(|$k| $body),
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx2 | Kernel::Avx512 => Err("only x86-64 has these instructions"),
        }
    };
}

impl Kernel {
    /// All kernels, the fastest last.
    pub const ALL: [Kernel; 3] = [Kernel::Portable, Kernel::Avx2, Kernel::Avx512];

    /// The name of the kernel in a solver id.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            Kernel::Avx2 => "avx2",
            Kernel::Avx512 => "avx512",
        }
    }

    /// Whether this machine has the instructions; the error names what is missing.
    pub fn detect(self) -> Result<(), &'static str> {
        dispatch!(self, k => {
            let _ = k;
        })
    }

    /// The fastest kernel of this machine.
    pub fn best() -> Self {
        let usable = Self::ALL.into_iter().rev().find(|kernel| kernel.detect().is_ok());
        usable.unwrap_or(Kernel::Portable)
    }

    /// Prepares the board for counting: builds its tables. n is at least 1.
    pub fn open(self, n: usize, threads: NonZeroUsize) -> Result<Box<dyn Count>, RunError> {
        self.open_with(n, Method::for_size(n), Tuning::for_size(n), threads)
    }

    /// Prepares the board with a given method and tuning.
    pub fn open_with(
        self,
        n: usize,
        method: Method,
        tuning: Tuning,
        threads: NonZeroUsize,
    ) -> Result<Box<dyn Count>, RunError> {
        if method == Method::Meet {
            memory::check(n)?;
        }
        let opened = dispatch!(self, k => {
            Problem::new(k, n, method, tuning, threads).map(|problem| Box::new(problem) as Box<dyn Count>)
        });
        opened.map_err(|reason| RunError(reason.to_owned()))?
    }

    /// Searches a block; see [`block::search`].
    pub fn search(self, block: &mut Block, batch: Option<&mut Batch<'_>>) -> Result<u64, &'static str> {
        dispatch!(self, k => k.search_block(block, batch))
    }
}

/// A board that is ready to be counted; [`Problem`] without its kernel.
pub trait Count: Send + Sync {
    /// The number of subproblems.
    fn subproblems(&self) -> usize;

    /// Estimated work of a subproblem, in an arbitrary unit.
    fn cost(&self, subproblem: usize) -> f64;

    /// Bytes of the tables that subproblems share.
    fn table_bytes(&self) -> u64;

    /// Counts a share of the subproblems; see [`Problem::run`].
    fn run(
        &self,
        share: Share,
        budget: &Budget,
        skip: &(dyn Fn(usize) -> bool + Sync),
        finished: &(dyn Fn(Finished) + Sync),
    ) -> Result<Total, RunError>;
}

impl<K: Isa> Count for Problem<K> {
    fn subproblems(&self) -> usize {
        self.len()
    }

    fn cost(&self, subproblem: usize) -> f64 {
        Problem::cost(self, subproblem)
    }

    fn table_bytes(&self) -> u64 {
        Problem::table_bytes(self)
    }

    fn run(
        &self,
        share: Share,
        budget: &Budget,
        skip: &(dyn Fn(usize) -> bool + Sync),
        finished: &(dyn Fn(Finished) + Sync),
    ) -> Result<Total, RunError> {
        Problem::run(self, share, budget, skip, finished)
    }
}
