//! Counters built for speed: meet in the middle, and a block search that can also list boards.
//!
//! [`Setup`] says what to count and how; [`Setup::open`] divides it into the subproblems of a [`Count`], and
//! [`Count::run`] counts a share of them with threads. It skips subproblems that are known and reports each
//! result as it arrives, which is all that progress and checkpoints need.
//!
//! ```text
//! fundamental.rs  the number of solutions up to symmetry
//! solvers.rs      the counters as solvers
//! sample.rs       estimates from some of the subproblems
//! setup.rs        a board as subproblems, counted by threads
//! kernel.rs       the instruction sets by name
//! block.rs        block depth-first search
//! column_set.rs   one column set: its top halves against its bottom halves
//!   keys.rs         which bottoms can be skipped          pieces.rs      512 tops against all bottoms
//!   halves.rs       pairs of quarters: halves             quarters.rs    tables of partial placements
//!   placements.rs   placements on a quarter               memory.rs      memory of a count
//!   symmetry.rs     column sets and weights               geometry.rs    quarters and crossing diagonals
//! arch/           instruction sets; portable.rs is the reference, pair.rs makes two vectors one
//! isa.rs          the operations that an instruction set provides
//! ```
//!
//! Each file imports only files that are listed after it. docs/COUNTING.md explains the algorithm. It does not
//! visit boards, so it has no nodes.

#[cfg(target_arch = "x86_64")]
mod arch;
mod block;
mod column_set;
pub mod fundamental;
mod geometry;
mod halves;
mod isa;
mod kernel;
mod keys;
mod memory;
mod pair;
mod pieces;
mod placements;
mod portable;
mod quarters;
mod sample;
mod setup;
mod solvers;
mod symmetry;
#[cfg(test)]
mod tests;

pub use column_set::{Clock, Counted, Thin, Tuning, Work};
pub use halves::Pairs;
pub use kernel::Kernel;
pub use memory::peak_bytes;
pub use sample::{Estimate, Sample, Schedule, pooled};
pub use setup::{Count, Finished, Method, RunError, Setup, Share, Total, better_meets, meets};
pub use solvers::{counter, solvers};
pub use symmetry::{ColumnSet, column_sets};
