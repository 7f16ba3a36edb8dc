//! Lists the shards without a valid result, in the notation of array jobs: `3,9-14`.

use std::path::Path;

use super::{ClusterError, ShardPlan, outcome};

/// The indices of shards without a valid result, ascending, at most `most` of them. A truncated result counts
/// as missing, because running the shard replaces it.
///
/// # Errors
///
/// A result of another plan, because no shard replaces it.
pub fn missing(plan: &ShardPlan, out: &Path, most: usize) -> Result<Vec<usize>, ClusterError> {
    let mut missing = Vec::new();
    for index in 0..plan.shards {
        if missing.len() == most {
            break;
        }
        if outcome::valid(plan, index, out)?.is_none() {
            missing.push(index);
        }
    }
    Ok(missing)
}
