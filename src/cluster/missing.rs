//! The shards that have no valid result yet, as an array job wants them: `3,9-14`.

use std::fmt::Write;
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

/// Ascending indices as a list of ranges: `3,9-14`.
pub fn ranges(indices: &[usize]) -> String {
    let mut text = String::new();
    for run in indices.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
        let separator = if text.is_empty() { "" } else { "," };
        // Writing to a String cannot fail.
        let _ = match run {
            [one] => write!(text, "{separator}{one}"),
            [first, .., last] => write!(text, "{separator}{first}-{last}"),
            [] => Ok(()),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_make_ranges() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[0]), "0");
        assert_eq!(ranges(&[3, 9, 10, 11, 12, 13, 14]), "3,9-14");
        assert_eq!(ranges(&[0, 1, 3, 4, 7]), "0-1,3-4,7");
    }
}
