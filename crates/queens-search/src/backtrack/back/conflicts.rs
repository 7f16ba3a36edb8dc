//! The conflict sets of rows, and the row to which conflict-directed backjumping returns.
//! A set of rows is a bit mask on boards up to 64, and a `BTreeSet` on larger boards.

use std::collections::BTreeSet;

/// The largest board whose sets of rows fit into a bit mask.
pub const MAX_MASK: usize = 64;

/// A set of rows.
pub trait RowSet: Clone + Default {
    /// Adds a row.
    fn insert(&mut self, row: usize);

    /// Removes a row, if it is in the set.
    fn remove(&mut self, row: usize);

    /// Adds the rows of another set.
    fn unite(&mut self, other: &Self);

    /// Adds all rows above `row`.
    fn insert_above(&mut self, row: usize);

    /// Removes the deepest row and returns it.
    fn pop_deepest(&mut self) -> Option<usize>;
}

impl RowSet for u64 {
    #[inline]
    fn insert(&mut self, row: usize) {
        *self |= 1 << row;
    }

    #[inline]
    fn remove(&mut self, row: usize) {
        *self &= !(1 << row);
    }

    #[inline]
    fn unite(&mut self, other: &Self) {
        *self |= other;
    }

    #[inline]
    fn insert_above(&mut self, row: usize) {
        *self |= (1 << row) - 1;
    }

    #[inline]
    fn pop_deepest(&mut self) -> Option<usize> {
        let deepest = self.checked_ilog2()? as usize;
        self.remove(deepest);
        Some(deepest)
    }
}

impl RowSet for BTreeSet<usize> {
    fn insert(&mut self, row: usize) {
        self.insert(row);
    }

    fn remove(&mut self, row: usize) {
        self.remove(&row);
    }

    fn unite(&mut self, other: &Self) {
        self.extend(other);
    }

    fn insert_above(&mut self, row: usize) {
        self.extend(0..row);
    }

    fn pop_deepest(&mut self) -> Option<usize> {
        self.pop_last()
    }
}

/// The conflict sets of all rows.
pub struct Conflicts<R> {
    /// The conflict set of each row, which contains rows above this row.
    pub by_row: Vec<R>,
}

impl<R: RowSet> Conflicts<R> {
    /// Creates `n` empty conflict sets.
    pub fn empty(n: usize) -> Self {
        Self { by_row: vec![R::default(); n] }
    }

    /// The row to which the search returns from a solution: the last row. Its conflict set becomes the set of all rows above it,
    /// because the next solution may differ in any row, so the search must not jump over a row.
    pub fn after_solution(&mut self) -> Option<usize> {
        let last_row = self.by_row.len().checked_sub(1)?;
        self.by_row[last_row].insert_above(last_row);
        Some(last_row)
    }

    /// The row to which the search returns from `row`: the deepest row of the conflict set of `row`. Adds the other rows of this set
    /// to the conflict set of the returned row. `None` if the conflict set is empty: the search is complete.
    pub fn leave(&mut self, row: usize) -> Option<usize> {
        let mut conflicts = std::mem::take(&mut self.by_row[row]);
        let deepest = conflicts.pop_deepest()?;
        self.by_row[deepest].unite(&conflicts);
        Some(deepest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_sets_as_masks_and_trees_agree() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut mask, mut tree) = ([0_u64; 2], [BTreeSet::new(), BTreeSet::new()]);
        let rows = |set: u64| (0..MAX_MASK).filter(move |row| set >> row & 1 == 1).collect::<BTreeSet<_>>();
        for _ in 0..10_000 {
            let row = random.usize(..MAX_MASK);
            match random.u8(..20) {
                0..8 => {
                    RowSet::insert(&mut mask[0], row);
                    RowSet::insert(&mut tree[0], row);
                }
                8..13 => {
                    RowSet::remove(&mut mask[0], row);
                    RowSet::remove(&mut tree[0], row);
                }
                13..18 => assert_eq!(mask[0].pop_deepest(), tree[0].pop_deepest()),
                18 => {
                    let [first, second] = &mut mask;
                    first.unite(second);
                    let [first, second] = &mut tree;
                    first.unite(second);
                }
                _ => {
                    mask[0].insert_above(row / 8);
                    tree[0].insert_above(row / 8);
                    mask.swap(0, 1);
                    tree.swap(0, 1);
                }
            }
            assert_eq!(mask.map(rows), tree);
        }
        assert_eq!([0_u64.pop_deepest(), (1 << 63).pop_deepest()], [None, Some(63)]);
    }
}
