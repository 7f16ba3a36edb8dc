//! The subproblems of a count or an enumeration, and the number of them that a plan needs.
//!
//! A subproblem is a column set of the top half, or a prefix: queens on the first rows. A prefix that is
//! ordered before its mirror image (left and right swapped) represents both and counts twice. A prefix that
//! is its own image (only the empty one, or a single queen in the middle column) counts once.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::ClusterError;
use crate::board::prefix::each_up_to_mirror;
use crate::board::sizes::ranges;
use crate::count::{better_meets, column_sets, meets};
use crate::record::sha256_hex;

/// The smallest number of subproblems per shard at which shards cost about the same.
pub(super) const A_SHARD: usize = 64;

/// The largest number of subproblems of a plan: n = 28 has 20,060,016 column sets.
pub const MAX_SUBPROBLEMS: usize = 1 << 25;

/// The largest number of prefixes of a plan: more would only make the logs longer.
pub const MAX_PREFIXES: usize = 1 << 22;

/// How a board is divided into subproblems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Partition {
    /// Column sets of the top half: meeting in the middle.
    ColumnSets,
    /// Queens on the first rows.
    Prefixes {
        /// Number of rows.
        depth: usize,
    },
}

impl Partition {
    /// Checks that an n by n board has this partition: below a prefix, a search needs at least one free row.
    pub(super) fn check(self, n: usize) -> Result<(), ClusterError> {
        let deepest = n.saturating_sub(1);
        let reason = match self {
            Partition::ColumnSets => return Self::check_meets(n, meets),
            Partition::Prefixes { depth } if depth > deepest => {
                format!("--depth {depth}: for n = {n}, choose a depth from 0 to {deepest}")
            }
            _ => return Ok(()),
        };
        Err(ClusterError::Request(reason))
    }

    /// Checks that an n by n board is one of those that are divided into column sets.
    pub(super) fn check_meets(n: usize, divides: fn(usize) -> bool) -> Result<(), ClusterError> {
        if divides(n) {
            return Ok(());
        }
        let sizes: Vec<usize> = (0..=32).filter(|&n| better_meets(n)).collect();
        let sizes = ranges(&sizes);
        Err(ClusterError::Request(format!("n = {n} cannot be divided into column sets: choose n = {sizes}")))
    }

    /// The number of subproblems of an n by n board, and the digest of their list.
    pub(super) fn list(self, n: usize) -> Result<(usize, String), ClusterError> {
        self.check(n)?;
        let (subproblems, list) = match self {
            Partition::ColumnSets => {
                let sets = column_sets(n);
                let words = sets.iter().flat_map(|set| [set.left, set.right]);
                (sets.len(), words.flat_map(u32::to_le_bytes).collect())
            }
            // If a level above has too many prefixes, reaching the deeper ones takes too long as well.
            Partition::Prefixes { depth } => {
                let levels = (0..=depth).map_while(|level| prefixes(n, level));
                levels.enumerate().find(|&(level, _)| level == depth).map(|(_, list)| list).ok_or_else(|| {
                    ClusterError::Request(format!(
                        "--depth {depth}: n = {n} has more than {MAX_PREFIXES} prefixes up to this depth; \
                         choose a smaller depth"
                    ))
                })?
            }
        };
        Ok((subproblems, sha256_hex(&list)))
    }
}

/// The number of prefixes of a depth and the bytes of their list; `None` for more than [`MAX_PREFIXES`].
fn prefixes(n: usize, depth: usize) -> Option<(usize, Vec<u8>)> {
    let (mut found, mut list) = (0, Vec::new());
    let walk = each_up_to_mirror(n, depth, &mut |number, columns, weight| {
        list.extend(columns.iter().flat_map(|column| column.to_le_bytes()));
        list.push(u8::try_from(weight).expect("a weight is at most 2"));
        found = number + 1;
        if found > MAX_PREFIXES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    walk.is_continue().then_some((found, list))
}

/// The smallest depth that gives each shard enough prefixes, or the depth with the most prefixes: the last
/// levels of small boards have fewer nodes again.
pub(super) fn enough_prefixes(n: usize, shards: usize) -> usize {
    let wanted = shards.saturating_mul(A_SHARD);
    let mut best = (0, 0);
    for (depth, (found, _)) in (0..n.max(1)).map_while(|depth| prefixes(n, depth)).enumerate() {
        if found > best.1 {
            best = (depth, found);
        }
        if found >= wanted {
            break;
        }
    }
    best.0
}
