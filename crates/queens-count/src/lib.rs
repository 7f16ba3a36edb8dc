#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! fundamental.rs  the number of solutions up to symmetry
//! merge.rs        result files of shards, and their sum
//! run.rs          counts the subproblems of a job on several threads
//! checkpoint.rs   the finished part of a job, as a file
//! shard.rs        the subproblems of a shard            error.rs       errors
//! kernel.rs       the instruction sets by name
//! column_set.rs   counts the compatible pairs of halves of one column set
//!   keys.rs         excludes many bottom halves at once   pieces.rs      compares up to 512 top halves at once
//!   halves.rs       pairs of quarters: halves             quarters.rs    tables of placements on quarters
//!   placements.rs   placements on a quarter               memory.rs      memory of a count
//!   symmetry.rs     column sets and weights               geometry.rs    quarters and crossing diagonals
//! isa.rs          the operations that an instruction set provides
//! arch/           instruction sets of x86-64            portable.rs    the kernel for any machine
//! pair.rs         two vectors as one                    one_word.rs    masks without a low word
//! ```
//!
//! There are no circular imports. docs/COUNTING.md explains the algorithm. It is not a tree search, so a count reports no nodes.

#![cfg_attr(test, allow(clippy::disallowed_methods))]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "integers are narrowed and widened on purpose; tests compare every kernel with the portable kernel"
)]

#[cfg(target_arch = "x86_64")]
mod arch;
mod checkpoint;
mod column_set;
mod error;
pub mod fundamental;
mod geometry;
mod halves;
mod isa;
mod kernel;
mod keys;
mod memory;
mod merge;
mod one_word;
mod pair;
mod pieces;
mod placements;
mod portable;
mod quarters;
mod run;
mod shard;
mod symmetry;
#[cfg(test)]
mod tests;

pub use checkpoint::Checkpoint;
pub use column_set::Work;
pub use error::{CountError, JobError};
pub use kernel::Kernel;
pub use memory::peak_bytes;
pub use merge::{Merged, count_shard, merge};
pub use run::{Counted, Job, JobProgress, MAX_SIZE, count};
pub use shard::{NotAShard, Shard};

/// A function that returns whether a count must end. Every thread calls the function often. After the first call that returns true, all
/// later calls must return true.
pub type ShouldStop<'a> = &'a (dyn Fn() -> bool + Sync);
