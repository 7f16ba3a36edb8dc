//! Counters built for speed: meet in the middle, and a block search that can also list boards.
//!
//! [`Setup`] says what to count and how; [`Setup::open`] divides it into the subproblems of a [`Count`], and
//! [`Count::run`] counts a share of them with threads. It skips subproblems that are known and reports each
//! result as it arrives, which is all that progress and checkpoints need.
//!
//! ```text
//! solvers.rs      the counters as solvers
//! setup.rs        a board as subproblems, counted by threads
//! column_set.rs   one column set: its top halves against its bottom halves
//!   geometry.rs     quarters and crossing diagonals       symmetry.rs  column sets and weights
//!   quarters.rs     tables of partial placements          halves.rs    pairs of quarters: halves
//!   pieces.rs       512 tops against all bottoms          keys.rs      which bottoms can be skipped
//! memory.rs       memory of the tables, estimated beforehand
//! block.rs        block depth-first search
//! kernel.rs       the instruction sets by name
//! isa.rs          operations of an instruction set; portable.rs is the reference, arch/ has the others
//! fundamental.rs  the number of solutions up to symmetry
//! ```
//!
//! A file imports only files below it. docs/COUNTING.md explains the algorithm. It does not visit boards, so it
//! has no nodes.

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
mod pieces;
mod portable;
mod quarters;
mod setup;
mod solvers;
mod symmetry;
#[cfg(test)]
mod tests;

pub use column_set::{Tuning, Work};
pub use kernel::Kernel;
pub use memory::table_bytes;
pub use setup::{Count, Finished, Method, RunError, Setup, Share, Total, meets};
pub use solvers::{counter, solvers};
pub use symmetry::{ColumnSet, column_sets};
