//! Selects the column sets to join and the weight of each joined pair: eight-fold symmetry.
//!
//! A column set X = (left, right) has h columns: the columns of the top half (even n), or the columns that
//! the bottom half leaves free (odd n; one of them belongs to the middle row). Each half of X is numbered in
//! its quarter's own columns. R is the set of rows that the top-left quarter uses, S the same for the bottom
//! left.
//!
//! Odd n: the middle queens are placed so that each orbit of eight boards is counted once: weight 8. With the
//! centre queen, the mirror images of X remain: weight 4, with a factor of 2 or 1 for the least X and 0 for
//! its images.
//!
//! Even n: a reflection in a long diagonal moves the other long diagonal's queen into the bottom half. The
//! top half therefore has no queen on a long diagonal, and each such queen in the bottom half doubles the
//! weight. The mirror image of X doubles it again. The remaining symmetries depend on the long diagonals:
//!
//! - both occupied: no symmetry remains, weight 4 for each of X and its mirror image;
//! - falling only: the reflection in it swaps X's left half with R. Boards with R > left count twice, boards
//!   with R = left once, and other boards do not count. Rising only: the mirror image of this case;
//! - none: the upside-down image (X becomes its complement) and the reflection remain. X is the least of its
//!   four images, and K = its left half. The reflected board's K is the least of R, not R, S reversed and not
//!   S reversed. Boards whose four values are all above K count twice, boards with all values at least K
//!   count once, and other boards do not count.
//!
//! Every rule is a range of R times a range of S, so ranges of top halves are joined with ranges of pairs.

use std::ops::Range;

use super::geometry::Geometry;

/// Columns of the top half, each side in its own numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnSet {
    /// Columns of the left quarters.
    pub left: u32,
    /// Columns of the right quarters.
    pub right: u32,
}

/// Classes of bottom halves with the same weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairClass {
    /// No long diagonal occupied, S strictly inside its range. All halves for odd n.
    Inner,
    /// No long diagonal occupied, S at an end of its range.
    Edge,
    /// The falling long diagonal occupied.
    Falling,
    /// The rising long diagonal occupied.
    Rising,
    /// Both occupied.
    Both,
}

impl ColumnSet {
    /// About the work of this column set, in an arbitrary unit: the pairs of its halves, as if two queens of a quarter shared
    /// a diagonal with a probability of 4 / 3h, independently of other pairs of queens.
    pub fn cost(self) -> f64 {
        let (left, right) = (self.left.count_ones(), self.right.count_ones());
        let apart = 1.0 - 4.0 / (3.0 * f64::from(left + right));
        let pairs = |queens: u32| queens * queens.saturating_sub(1);
        apart.powf(f64::from(pairs(left) + pairs(right)))
    }
}

impl PairClass {
    /// Number of classes.
    pub const COUNT: usize = 5;
}

/// The weight of a top half with each [`PairClass`].
pub type Weights = [u64; PairClass::COUNT];

/// The mirror images of a board, as they act on its column sets.
impl Geometry {
    fn mirror(&self, set: ColumnSet) -> ColumnSet {
        ColumnSet { left: self.reversed(set.right), right: self.reversed(set.left) }
    }

    /// The columns that are not in the set: those of the bottom half.
    pub fn complement(&self, set: ColumnSet) -> ColumnSet {
        ColumnSet { left: self.full() ^ set.left, right: self.full() ^ set.right }
    }

    /// Number of images of the set under mirror and complement if it is the least of them, else 0.
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

/// The column sets to join on an n by n board, in order of their left halves.
pub fn column_sets(n: usize) -> Vec<ColumnSet> {
    let geometry = Geometry::new(n);
    let (h, full, odd) = (geometry.h, geometry.full(), geometry.odd());
    // By their number of columns, in order. A half has h columns, so that no left half has more than h.
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
    /// Number of images of the set under mirror and complement if it is the least of them, else 0.
    orbit: u64,
    mirrors: u64,
    left: u32,
    right_reversed: u32,
}

impl Weigher {
    /// Weights of top halves with the centre queen, if they count.
    pub fn centre(&self) -> Option<Weights> {
        (self.odd && self.orbit > 0).then_some([self.orbit, 0, 0, 0, 0])
    }

    /// The weights of top halves, by ranges of the row sets that their left quarter uses; `rows` has the row
    /// sets of one size, in order.
    pub fn tops(&self, rows: &[u32]) -> impl Iterator<Item = (Range<usize>, Weights)> {
        // Weights change at three row sets, which have weights of their own.
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
        // 2 above, 1 at, 0 below the least value that counts.
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

    /// The pairs without long diagonals that have a non-zero weight, by the row sets that their left quarter
    /// uses; `rows` has the row sets of one size, reversed and then in order.
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
