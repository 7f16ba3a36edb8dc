//! A count, an enumeration or a sweep as shards that a batch engine runs anywhere, in any order.
//!
//! ```text
//! plan.rs         what is cut, how, into how many shards: a small JSON file with its own digest
//! prefixes.rs     the subproblems of a search below prefixes, up to a mirror
//! shard.rs        one shard: what is left of it, its log, its result
//!   log.rs          what finished subproblems came to: a line each, a file an attempt
//!   outcome.rs      the result of a shard: a JSON file under 1 KB, written once
//!   cells.rs        a shard of a sweep: an ordinary result directory of some of its cells
//! missing.rs      the shards without a valid result, as ranges of indices
//! merge.rs        every shard exactly once: the total, or one ordinary result directory
//! ```
//!
//! Subproblems and cells are dealt in strides: shard i of K has number i, i + K, i + 2K ... No lock
//! guards a shard, for two nodes may not see each other's: attempts share no file that they write, and
//! the result appears by one rename that replaces nothing. The engine schedules, retries and waits.
//! docs/CLUSTER.md is for users, docs/FORMATS.md has the files.

mod cells;
mod log;
mod merge;
mod missing;
mod outcome;
mod plan;
mod prefixes;
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

/// What keeps a shard or a merge from its end.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// Nothing can be planned like this.
    #[error("{0}")]
    Request(String),
    /// The spec of a sweep.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A file is no plan, or was changed after it was made.
    #[error("{}: {reason}", path.display())]
    Plan {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no such shard.
    #[error("there is no shard {index}: the plan has 0 to {}", shards - 1)]
    Index {
        /// What was asked for.
        index: usize,
        /// How many there are.
        shards: usize,
    },
    /// Another version made the plan, or cuts the board differently.
    #[error("the plan {reason}; use the queenlab that made it, or make a new plan and a new --out")]
    Version {
        /// In words.
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
        /// One of them, and where.
        first: String,
        /// The other one.
        second: String,
    },
    /// Not every shard has a valid result.
    #[error("{} of {shards} shards have no valid result: {}{}", missing.len(), ranges(missing), listed(invalid))]
    Incomplete {
        /// How many there should be.
        shards: usize,
        /// Those without one.
        missing: Vec<usize>,
        /// What is wrong with files that should be results.
        invalid: Vec<String>,
    },
    /// The shards add up to something else than what is published.
    #[error("n={n}: the shards add up to {total}, {source} says {published}", source = crate::board::known::SOLUTIONS_SOURCE)]
    WrongTotal {
        /// The board.
        n: usize,
        /// What the shards say.
        total: u128,
        /// What A000170 says.
        published: u64,
    },
    /// The user ended a shard of a sweep.
    #[error("shard {index}: interrupted; repeat the same command to resume")]
    Interrupted {
        /// The shard.
        index: usize,
    },
    /// A file of the output directory.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A shard of a sweep.
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

/// The first few of what is wrong.
fn listed(reasons: &[String]) -> String {
    let shown: Vec<String> = reasons.iter().take(5).map(|reason| format!("\n  {reason}")).collect();
    let more = reasons.len().saturating_sub(shown.len());
    shown.concat() + &if more > 0 { format!("\n  and {more} more") } else { String::new() }
}
