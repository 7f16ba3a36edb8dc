//! Prefixes: legal queens on the first rows of a board. The prefixes of one depth cut the
//! solutions into disjoint subproblems: each solution begins with exactly one of them.

use super::{Square, squares};

/// Legal queens on the first `depth` rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(Vec<u16>);

impl Prefix {
    /// Every prefix of `depth` rows on an `n` by `n` board, in lexicographic order.
    /// Cost: the tree down to that depth, O(n) a cell. Depths above `n` count as `n`.
    pub fn all(n: usize, depth: usize) -> Vec<Prefix> {
        let mut prefixes = vec![Vec::new()];
        for row in 0..depth.min(n) {
            prefixes = prefixes
                .into_iter()
                .flat_map(|prefix: Vec<u16>| {
                    (0..n as u16).filter_map(move |column| {
                        let square = Square { row, column: usize::from(column) };
                        let free = !squares(&prefix).any(|queen| queen.attacks(square));
                        free.then(|| prefix.iter().copied().chain([column]).collect())
                    })
                })
                .collect();
        }
        prefixes.into_iter().map(Prefix).collect()
    }

    /// The column of each fixed row.
    pub fn columns(&self) -> &[u16] {
        &self.0
    }

    /// Whether a placement begins with this prefix.
    pub fn begins(&self, columns: &[u16]) -> bool {
        columns.starts_with(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A319284, rows 4 and 8: legal placements of k queens on the first k rows.
    #[test]
    fn there_are_as_many_prefixes_as_nodes_on_each_level() {
        let levels = |n: usize| (0..=n).map(|k| Prefix::all(n, k).len()).collect::<Vec<_>>();
        assert_eq!(levels(4), [1, 4, 6, 4, 2]);
        assert_eq!(levels(8), [1, 8, 42, 140, 344, 568, 550, 312, 92]);
        assert_eq!(levels(0), [1]);
    }

    #[test]
    fn a_depth_beyond_the_board_gives_the_solutions() {
        let solutions: Vec<Vec<u16>> = Prefix::all(4, 9).into_iter().map(|p| p.0).collect();
        assert_eq!(solutions, [[1, 3, 0, 2], [2, 0, 3, 1]]);
    }
}
