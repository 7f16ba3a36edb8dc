//! The shards that have no valid result yet, as an array job wants them: `3,9-14`.

use std::path::Path;

use super::{ClusterError, ShardPlan, outcome};

/// The indices without a valid result, ascending, at most so many. A truncated result counts as none: it
/// will be made anew. A result of another plan is an error, for no shard replaces it.
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
