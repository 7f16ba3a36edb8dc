//! Splits a search or a sweep into shards that a batch engine runs on any node, in any order.
//!
//! ```text
//! plan.rs         the plan: a small JSON file with its own digest
//!   job.rs          what the shards compute together
//!   partition.rs    the subproblems of a count: column sets, or prefixes up to mirror images
//!   lex.rs          those of a search for the first solution: prefixes smaller than a known solution
//! shard.rs        runs one shard: one attempt at a time, which publishes the result
//!   search.rs       every job but a sweep: searches the subproblems that are not finished
//!   log.rs          the finished subproblems, one per line; also the checkpoint of `queenlab count`
//!   cells.rs        a sweep: an ordinary result directory of some of its cells
//! outcome.rs      the result of a shard: a JSON file under 1 KB, written once
//! merge.rs        combines the shards, each exactly once, into a total or an ordinary result directory
//! ```
//!
//! A shard goes to the merged total in six steps:
//!
//! ```text
//! ShardPlan -> Search -> Log (each subproblem) -> Tally (their sum) -> ShardResult -> Summary (the total)
//! ```
//!
//! Subproblems and cells are assigned round-robin: shard i of K has the numbers i, i + K, i + 2K, and so on.
//! No lock guards a shard, because two nodes may not see each other's locks: attempts write to separate
//! files, and the result appears by one rename that replaces nothing. Scheduling, retries and waiting are the
//! task of the batch engine. docs/CLUSTER.md is the guide for users; docs/FORMATS.md describes the files.

mod cells;
mod job;
pub mod lex;
mod log;
mod merge;
mod outcome;
mod partition;
mod plan;
mod search;
mod shard;

use std::fmt::Display;
use std::path::{Path, PathBuf};

pub use crate::board::sizes::ranges;
use crate::experiment::ExperimentError;
use crate::experiment::spec::SpecError;
use crate::record::RecordError;
pub use cells::sweep;
pub use job::Job;
pub use merge::{Merged, SWEEP_DIRECTORY, Summary, Tables, merge};
pub use outcome::{Estimated, ShardResult, missing};
pub use partition::{MAX_PREFIXES, MAX_SUBPROBLEMS, Partition};
pub use plan::ShardPlan;
pub use search::{Search, TOO_MANY, Tally};
pub use shard::{Ran, search};

/// Why a plan, a shard or a merge failed. Messages name the shard or the file.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The request cannot be planned, or the plan has no such shard.
    #[error("{0}")]
    Request(String),
    /// The spec of a sweep has an error.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A file is not a plan or a checkpoint, or was changed after it was made.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A plan of another version, or files of another plan or count.
    #[error("{0}")]
    Foreign(String),
    /// Two results of one shard differ in more than their times, or the total differs from the published number.
    #[error("{0}")]
    Wrong(String),
    /// A shard failed, or not every shard has a valid result.
    #[error("{0}")]
    Failed(String),
    /// The user ended a shard of a sweep.
    #[error("shard {index}: interrupted; repeat the same command to resume")]
    Interrupted {
        /// The shard.
        index: usize,
    },
    /// A file of the output directory could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A shard of a sweep failed.
    #[error("shard {index}: {error}")]
    Experiment {
        /// The shard.
        index: usize,
        /// What happened.
        error: ExperimentError,
    },
}

impl ClusterError {
    fn shard(index: usize, reason: impl Display) -> Self {
        Self::Failed(format!("shard {index}: {reason}"))
    }

    fn io(index: usize, path: &Path, error: impl Display) -> Self {
        Self::shard(index, format_args!("{}: {error}", path.display()))
    }

    fn file(path: &Path, reason: impl Display) -> Self {
        Self::File { path: path.to_owned(), reason: reason.to_string() }
    }

    fn foreign(index: usize, path: &Path) -> Self {
        let path = path.display();
        Self::Foreign(format!("shard {index}: {path} belongs to another plan; choose another --out"))
    }

    fn disagree(index: usize, first: impl Display, second: impl Display) -> Self {
        Self::Wrong(format!("shard {index}: two results differ: {first}; {second}"))
    }

    fn version(difference: impl Display) -> Self {
        Self::Foreign(format!(
            "the plan {difference}; use the queenlab version that made the plan, or make a new plan and choose \
             a new --out"
        ))
    }
}
