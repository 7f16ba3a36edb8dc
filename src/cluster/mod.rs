//! Splits a count, an enumeration or a sweep into shards that a batch engine runs on any node, in any order.
//!
//! ```text
//! plan.rs         the partition and the number of shards: a small JSON file with its own digest
//! shard.rs        runs one shard: takes over earlier attempts, searches the rest, publishes the result
//!   log.rs        the finished subproblems: one file per attempt, one line per subproblem
//!   outcome.rs      the result of a shard: a JSON file under 1 KB, written once
//!   cells.rs        a shard of a sweep: an ordinary result directory of some of its cells
//! missing.rs      the shards without a valid result, as ranges of indices
//! merge.rs        combines the shards, each exactly once, into a total or an ordinary result directory
//! ```
//!
//! Subproblems and cells are assigned round-robin: shard i of K has the numbers i, i + K, i + 2K, and so on.
//! No lock guards a shard, because two nodes may not see each other's locks: attempts write to separate
//! files, and the result appears by one rename that replaces nothing. Scheduling, retries and waiting are the
//! task of the batch engine. docs/CLUSTER.md is the guide for users; docs/FORMATS.md describes the files.

mod cells;
mod log;
mod merge;
mod missing;
mod outcome;
mod plan;
mod shard;

use std::path::{Path, PathBuf};

pub use crate::board::sizes::ranges;
use crate::experiment::ExperimentError;
use crate::experiment::spec::SpecError;
use crate::record::RecordError;
pub use merge::{Merged, SWEEP_DIRECTORY, Summary, Tables, merge};
pub use missing::missing;
pub use outcome::ShardResult;
pub use plan::{Deal, MAX_SUBPROBLEMS, Partition, ShardPlan, Symmetry, TaskKind};
pub use shard::{Options, Ran, run};

/// Why a plan, a shard or a merge failed.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The request cannot be planned.
    #[error("{0}")]
    Request(String),
    /// The spec of a sweep has an error.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A file is not a plan, or was changed after it was made.
    #[error("{}: {reason}", path.display())]
    Plan {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The plan has no shard with this index.
    #[error("there is no shard {index}: the plan has shards 0 to {}", shards - 1)]
    Index {
        /// The requested index.
        index: usize,
        /// Number of shards in the plan.
        shards: usize,
    },
    /// Another version made the plan, or splits the board differently.
    #[error(
        "the plan {reason}; use the queenlab version that made the plan, or make a new plan and choose a new --out"
    )]
    Version {
        /// Description of the difference.
        reason: String,
    },
    /// The directory holds work of another plan.
    #[error("shard {index}: {} belongs to another plan; choose another --out", path.display())]
    Foreign {
        /// The shard.
        index: usize,
        /// The file.
        path: PathBuf,
    },
    /// A shard failed.
    #[error("shard {index}: {reason}")]
    Shard {
        /// The shard.
        index: usize,
        /// What happened.
        reason: String,
    },
    /// Two results of one shard differ in more than their times.
    #[error("shard {index}: two results differ: {first}; {second}")]
    Disagree {
        /// The shard.
        index: usize,
        /// One of the results, and its origin.
        first: String,
        /// The other result, and its origin.
        second: String,
    },
    /// Not every shard has a valid result.
    #[error("{} of {shards} shards have no valid result: {}{}", missing.len(), ranges(missing), listed(invalid))]
    Incomplete {
        /// Number of shards in the plan.
        shards: usize,
        /// The shards without a valid result.
        missing: Vec<usize>,
        /// What is wrong with invalid result files.
        invalid: Vec<String>,
    },
    /// The total of the shards differs from the published number.
    #[error("n={n}: the shards add up to {total}, but {source} has {published}", source = crate::board::known::SOLUTIONS_SOURCE)]
    WrongTotal {
        /// The board.
        n: usize,
        /// What the shards say.
        total: u128,
        /// The number published in A000170.
        published: u64,
    },
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
    fn io(index: usize, path: &Path, error: impl std::fmt::Display) -> Self {
        Self::Shard { index, reason: format!("{}: {error}", path.display()) }
    }
}

/// The first few reasons.
fn listed(reasons: &[String]) -> String {
    let shown: Vec<String> = reasons.iter().take(5).map(|reason| format!("\n  {reason}")).collect();
    let more = reasons.len().saturating_sub(shown.len());
    shown.concat() + &if more > 0 { format!("\n  and {more} more") } else { String::new() }
}
