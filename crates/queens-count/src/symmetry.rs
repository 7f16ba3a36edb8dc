//! Eight-fold symmetry: selects the column sets to count, and the weight of each pair of halves.
//!
//! A column set X = (left, right) has h columns: the columns of the top half (even n), or the columns that
//! the bottom half leaves free (odd n; one of them belongs to the middle row). Each half of X is numbered in
//! the columns of its quarter. R is the set of rows that the top-left quarter uses, and S the set of rows that the bottom-left
//! quarter uses.
//!
//! Odd n: the middle queens are placed such that each orbit of eight boards is counted once, with weight 8. With the
//! centre queen, the mirror images of X remain: the weight is 4, times 2 or 1 for the least X and 0 for
//! its images.
//!
//! Even n: a reflection in one long diagonal moves the queen on the other long diagonal into the bottom half. Therefore only
//! top halves without a queen on a long diagonal are counted, and each queen on a long diagonal in the bottom half doubles the
//! weight. The mirror image of X doubles the weight again. The remaining symmetries depend on the long diagonals:
//!
//! - both occupied: no symmetry remains, weight 4 for each of X and its mirror image;
//! - falling only: the reflection in it swaps X's left half with R. Boards with R > left count twice, boards
//!   with R = left once, and other boards do not count. Rising only: the mirror image of this case;
//! - none: the upside-down image (X becomes its complement) and the reflection remain. X is the least of its
//!   four images, and K = its left half. The reflected board's K is the least of R, not R, S reversed and not
//!   S reversed. Boards whose four values are all above K count twice, boards with all values at least K
//!   count once, and other boards do not count.
//!
//! In every case, the counted boards are a range of R times a range of S, so ranges of top halves are joined with ranges of bottom
//! halves.

use std::ops::Range;

use super::geometry::Geometry;

/// The columns of the top half. The columns of each quarter are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnSet {
    /// The columns of the top-left quarter.
    pub left: u32,
    /// The columns of the top-right quarter.
    pub right: u32,
}

/// Classes of bottom halves with the same weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairClass {
    /// No long diagonal is occupied, and S is strictly inside its range. For odd n, all halves are in this class.
    Inner,
    /// No long diagonal is occupied, and S is at an end of its range.
    Edge,
    /// Only the falling long diagonal is occupied.
    Falling,
    /// Only the rising long diagonal is occupied.
    Rising,
    /// Both long diagonals are occupied.
    Both,
}

impl ColumnSet {
    /// The estimated work of this column set in an arbitrary unit: the expected number of pairs of halves, if any two queens of a
    /// quarter shared a diagonal with probability 4 / 3h, independently of other pairs.
    pub fn cost(self) -> f64 {
        let (left, right) = (self.left.count_ones(), self.right.count_ones());
        let apart = 1.0 - 4.0 / (3.0 * f64::from(left + right));
        let pairs = |queens: u32| queens * queens.saturating_sub(1);
        apart.powf(f64::from(pairs(left) + pairs(right)))
    }
}

impl PairClass {
    /// The number of classes.
    pub const COUNT: usize = 5;
}

/// The weight of a pair of a top half and a bottom half, by [`PairClass`] of the bottom half.
pub type Weights = [u64; PairClass::COUNT];

/// The action of the symmetries of a board on its column sets.
impl Geometry {
    fn mirror(&self, set: ColumnSet) -> ColumnSet {
        ColumnSet { left: self.reversed(set.right), right: self.reversed(set.left) }
    }

    /// The complement of a column set: the columns of the bottom half.
    pub fn complement(&self, set: ColumnSet) -> ColumnSet {
        ColumnSet { left: self.full() ^ set.left, right: self.full() ^ set.right }
    }

    /// The number of distinct images of the set under mirror and complement, if the set is the least of them, and 0 otherwise.
    fn orbit_if_least(&self, set: ColumnSet) -> u64 {
        let complement = self.complement(set);
        let mut images = [set, self.mirror(set), complement, self.mirror(complement)];
        images.sort_unstable();
        if images[0] < set {
            return 0;
        }
        1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64
    }

    /// The weights of one column set.
    pub fn weigh(&self, set: ColumnSet) -> Weigher {
        Weigher {
            full: self.full(),
            odd: self.odd(),
            orbit: self.orbit_if_least(set),
            mirrors: if set == self.mirror(set) { 1 } else { 2 },
            left: set.left,
            right_reversed: self.reversed(set.right),
        }
    }
}

/// The column sets to count on an n by n board, in ascending order of their left halves.
pub fn column_sets(n: usize) -> Vec<ColumnSet> {
    let geometry = Geometry::new(n);
    let (h, full, odd) = (geometry.h, geometry.full(), geometry.odd());
    // The right halves in ascending order, by number of columns.
    let mut rights = vec![Vec::new(); h as usize + 1];
    (0..=full).for_each(|right| rights[right.count_ones() as usize].push(right));
    let all = (0..=full).flat_map(|left| {
        rights[(h - left.count_ones()) as usize].iter().map(move |&right| ColumnSet { left, right })
    });
    all.filter(|&set| odd || set <= geometry.mirror(set)).collect()
}

/// The weights of the halves and pairs of one column set.
#[derive(Clone, Copy, Debug)]
pub struct Weigher {
    full: u32,
    odd: bool,
    /// The number of distinct images of the set under mirror and complement, if the set is the least of them, and 0 otherwise.
    orbit: u64,
    mirrors: u64,
    left: u32,
    right_reversed: u32,
}

impl Weigher {
    /// The weights of top halves with the centre queen; `None` if these halves are not counted.
    pub fn centre(&self) -> Option<Weights> {
        (self.odd && self.orbit > 0).then_some([self.orbit, 0, 0, 0, 0])
    }

    /// The weights of top halves, as ranges of `rows` with equal weight. `rows` contains the row sets of the left quarter of one size, in
    /// ascending order.
    pub fn tops(&self, rows: &[u32]) -> impl Iterator<Item = (Range<usize>, Weights)> {
        // Weights change at three row sets, each of which has an individual weight.
        let least = [self.left, self.full ^ self.left, self.full ^ self.right_reversed];
        let least = if self.odd { &[] } else { &least[..] };
        let mut ends = [rows.len(); 7];
        for (ends, &least) in ends.chunks_exact_mut(2).zip(least) {
            let below = rows.partition_point(|&rows| rows < least);
            ends.copy_from_slice(&[below, below + usize::from(rows.get(below) == Some(&least))]);
        }
        ends.sort_unstable();
        let mut from = 0;
        let ranges = ends.map(|end| std::mem::replace(&mut from, end)..end);
        let ranges = ranges.into_iter().filter(|range| !range.is_empty());
        ranges.map(|range| (range.clone(), self.weights(rows[range.start])))
    }

    fn weights(&self, rows: u32) -> Weights {
        if self.odd {
            return [8, 0, 0, 0, 0];
        }
        // The factor of a value: 2 above the least counted value, 1 if equal to it, 0 below it.
        let above = |value: u32, least: u32| u64::from(value >= least) + u64::from(value > least);
        let other = self.full ^ rows;
        let inside = above(rows, self.left).min(above(other, self.left));
        [
            self.orbit * inside,
            self.orbit * inside.min(1),
            2 * self.mirrors * above(rows, self.left),
            2 * self.mirrors * above(other, self.right_reversed),
            4 * self.mirrors,
        ]
    }

    /// The classes of bottom halves without queens on long diagonals that have a non-zero weight, as ranges of `rows`. `rows` contains the
    /// reversed row sets of the left quarter of one size, in ascending order.
    pub fn without_long(&self, rows: &[u32]) -> [(Range<usize>, PairClass); 3] {
        if self.odd {
            return [(0..0, PairClass::Edge), (0..rows.len(), PairClass::Inner), (0..0, PairClass::Edge)];
        }
        let (least, most) = (self.left, self.full ^ self.left);
        let counted = self.orbit > 0 && least < most;
        let below = |limit: u32| if counted { rows.partition_point(|&rows| rows < limit) } else { 0 };
        let inner = below(least + 1)..below(most);
        [
            (below(least)..inner.start, PairClass::Edge),
            (inner.clone(), PairClass::Inner),
            (inner.end..below(most + 1), PairClass::Edge),
        ]
    }
}
