#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! fundamental.rs  the number of solutions up to symmetry
//! merge.rs        shards: files of results, and their sum
//! run.rs          a job: its subproblems, counted by threads
//! checkpoint.rs   what is done of a job, as a file
//! shard.rs        which subproblems a shard has         error.rs       why a count failed
//! kernel.rs       the instruction sets by name
//! column_set.rs   one column set: its top halves against its bottom halves
//!   keys.rs         which bottoms can be skipped          pieces.rs      512 tops against all bottoms
//!   halves.rs       pairs of quarters: halves             quarters.rs    tables of partial placements
//!   placements.rs   placements on a quarter               memory.rs      memory of a count
//!   symmetry.rs     column sets and weights               geometry.rs    quarters and crossing diagonals
//! arch/           instruction sets; portable.rs is the reference, pair.rs makes two vectors one, one_word.rs leaves out
//!                 the low word of masks
//! isa.rs          the operations that an instruction set provides
//! ```
//!
//! No imports lead back to a file. docs/COUNTING.md explains the algorithm. It does not
//! visit boards, so it has no nodes.

#![cfg_attr(test, allow(clippy::disallowed_methods))]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "its words of lanes are narrowed and widened on purpose; tests compare every kernel with the portable one"
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
pub use run::{Counted, Job, JobProgress, count};
pub use shard::{NotAShard, Shard};

/// Whether a count has to end; it is asked often, on every thread, and its answer must not change back.
pub type ShouldStop<'a> = &'a (dyn Fn() -> bool + Sync);
