//! The rows that each row is in conflict with, and the row to which conflict-directed backjumping returns.
//! A set of rows is a bit mask on boards up to 64, and a tree on larger ones.

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

    /// Adds all rows above one.
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

/// The conflicts of the rows.
pub struct Conflicts<R> {
    /// The rows above that each row is in conflict with.
    pub of: Vec<R>,
}

impl<R: RowSet> Conflicts<R> {
    /// None yet, for this number of rows.
    pub fn none(n: usize) -> Self {
        Self { of: vec![R::default(); n] }
    }

    /// Returns from a solution to the last row. Nothing may be jumped over: other solutions may have other queens in any row.
    pub fn after_solution(&mut self) -> Option<usize> {
        let last = self.of.len().checked_sub(1)?;
        self.of[last].insert_above(last);
        Some(last)
    }

    /// Returns from a row to the deepest one in conflict with it, which inherits the other conflicts; `None` if there is none.
    pub fn leave(&mut self, row: usize) -> Option<usize> {
        let mut conflicts = std::mem::take(&mut self.of[row]);
        let deepest = conflicts.pop_deepest()?;
        self.of[deepest].unite(&conflicts);
        Some(deepest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_masks_and_trees_are_the_same_sets() {
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
