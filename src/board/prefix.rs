//! Prefixes: legal queens on the first rows of a board. The prefixes of one depth divide the solutions into
//! disjoint subproblems: each solution begins with exactly one of them.

use std::ops::ControlFlow;

use super::{Square, column, squares};

/// Legal queens on the first `depth` rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(Vec<u16>);

impl Prefix {
    /// Every prefix of `depth` rows on an `n` by `n` board, in lexicographic order; see [`each`].
    pub fn all(n: usize, depth: usize) -> Vec<Prefix> {
        let mut prefixes = Vec::new();
        let _ = each(n, depth, &mut |columns| {
            prefixes.push(Prefix(columns.to_vec()));
            ControlFlow::Continue(())
        });
        prefixes
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

/// Passes every prefix of `depth` rows on an `n` by `n` board to `show`, in lexicographic order, until `show`
/// ends the walk. A depth above `n` counts as `n`. Memory: one prefix. Cost: the tree down to that depth,
/// O(n) per cell.
pub fn each(n: usize, depth: usize, show: &mut dyn FnMut(&[u16]) -> ControlFlow<()>) -> ControlFlow<()> {
    below(n, depth.min(n), &mut Vec::new(), show)
}

fn below(
    n: usize,
    depth: usize,
    prefix: &mut Vec<u16>,
    show: &mut dyn FnMut(&[u16]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if prefix.len() == depth {
        return show(prefix);
    }
    for column in 0..column(n) {
        let square = Square { row: prefix.len(), column: usize::from(column) };
        if !squares(prefix).any(|queen| queen.attacks(square)) {
            prefix.push(column);
            below(n, depth, prefix, show)?;
            prefix.pop();
        }
    }
    ControlFlow::Continue(())
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
