//! Selects the column sets to count and the weight of each pair of halves, by the eight symmetries of the board. The *weight* of a pair
//! is the number that the pair adds to the count if its halves are compatible.
//!
//! A column set X consists of `left`, a set of columns of the left quarters, and `right`, a set of columns of the right quarters. The
//! columns of each quarter are numbered from 0. X has h columns. On even boards, these are the columns of the top half. On odd boards,
//! they are the columns of the quarters that the bottom half does not use; one of them has the queen of the middle row, unless this queen
//! is in the centre. R is the set of rows that the top-left quarter uses, and S is the set of rows that the bottom-left quarter uses.
//!
//! # Odd boards
//!
//! Of eight boards that are images of each other, exactly one has queens in the middle row and the middle column as in
//! [`super::placements::middle_queens`], unless there is a queen in the centre. This board is counted with weight 8.
//!
//! With a queen in the centre, reflecting a board left to right replaces X by its mirror image, and reflecting it top to bottom replaces
//! X by its complement. Of these up to four images of X, only the least is counted. The weight is the number of distinct images.
//!
//! # Even boards
//!
//! A reflection in one long diagonal moves a queen on the other long diagonal from one half into the other. Therefore, only boards whose
//! top half has no queen on a long diagonal are counted, and each queen on a long diagonal in the bottom half doubles the weight.
//! Of X and its mirror image, only the smaller one is counted, which doubles the weight unless both are equal. The other factors of the
//! weight depend on the long diagonals that have a queen:
//!
//! - Both diagonals: no other symmetry remains, and the factor is 1.
//! - Only the falling diagonal: the reflection in this diagonal exchanges `left` and R. The factor is 2 if R > `left`, 1 if R = `left`, and
//!   0 if R < `left`.
//! - Only the rising diagonal: the condition is the mirror image of the previous one.
//! - None: the top-to-bottom reflection, which replaces X by its complement, and the reflection in a long diagonal remain. X is counted
//!   only if none of its mirror image, its complement and the mirror image of its complement is smaller. This doubles the weight again,
//!   unless the mirror image of X is its complement. The reflection replaces `left` by R. The images of the reflected board then have
//!   the left parts R, the complement of R, the reversed S and the complement of the reversed S. The last factor is 2 if all four are
//!   greater than `left`, 1 if the least of them equals `left`, and 0 otherwise.
//!
//! In every case, the conditions restrict R to a range of row sets and S to another range, so ranges of top halves are joined with ranges
//! of bottom halves.

use std::ops::Range;

use super::geometry::Geometry;

/// A column set: X in the documentation of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnSet {
    /// The columns of the left quarters, from 0.
    pub left: u32,
    /// The columns of the right quarters, from 0.
    pub right: u32,
}

/// A class of bottom halves that have the same weight with a given top half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairClass {
    /// No long diagonal has a queen, and S is strictly inside its range. On odd boards, all halves are in this class.
    Inner,
    /// No long diagonal has a queen, and S is at an end of its range.
    Edge,
    /// Only the falling long diagonal has a queen.
    Falling,
    /// Only the rising long diagonal has a queen.
    Rising,
    /// Both long diagonals have a queen.
    Both,
}

impl ColumnSet {
    /// The estimated work of this column set in an arbitrary unit. The estimate is proportional to the expected number of pairs of halves
    /// if any two queens of a quarter share a diagonal with probability 4 / 3h, independently of other pairs.
    pub fn cost(self) -> f64 {
        let (left, right) = (self.left.count_ones(), self.right.count_ones());
        let legal_probability = 1.0 - 4.0 / (3.0 * f64::from(left + right));
        let ordered_pairs = |queens: u32| queens * queens.saturating_sub(1);
        // A column set and its complement divide each side into quarters with `left` and `right` queens.
        legal_probability.powf(f64::from(ordered_pairs(left) + ordered_pairs(right)))
    }
}

impl PairClass {
    /// The number of classes.
    pub const COUNT: usize = 5;
}

/// The weights of the pairs of a given top half, by [`PairClass`] of the bottom half.
pub type Weights = [u64; PairClass::COUNT];

/// The action of the symmetries of a board on its column sets.
impl Geometry {
    fn mirror(&self, set: ColumnSet) -> ColumnSet {
        ColumnSet { left: self.mirrored_set(set.right), right: self.mirrored_set(set.left) }
    }

    /// The complement of a column set, which contains the columns of the bottom half.
    pub fn complement(&self, set: ColumnSet) -> ColumnSet {
        ColumnSet { left: self.full_set() ^ set.left, right: self.full_set() ^ set.right }
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
            full_set: self.full_set(),
            is_odd: self.is_odd(),
            orbit: self.orbit_if_least(set),
            mirror_images: if set == self.mirror(set) { 1 } else { 2 },
            left: set.left,
            right_reversed: self.mirrored_set(set.right),
        }
    }
}

/// The column sets to count on an n by n board, in ascending order.
pub fn column_sets(n: usize) -> Vec<ColumnSet> {
    let geometry = Geometry::new(n);
    let (h, full_set) = (geometry.h, geometry.full_set());
    // The right parts of column sets in ascending order, by number of columns.
    let mut right_sets = vec![Vec::new(); h as usize + 1];
    (0..=full_set).for_each(|right| right_sets[right.count_ones() as usize].push(right));
    let all_column_sets = (0..=full_set).flat_map(|left| {
        right_sets[(h - left.count_ones()) as usize].iter().map(move |&right| ColumnSet { left, right })
    });
    all_column_sets.filter(|&set| geometry.is_odd() || set <= geometry.mirror(set)).collect()
}

/// The weights of the halves and pairs of one column set.
#[derive(Clone, Copy, Debug)]
pub struct Weigher {
    full_set: u32,
    is_odd: bool,
    /// The number of distinct images of the set under mirror and complement, if the set is the least of them, and 0 otherwise.
    orbit: u64,
    /// The number of distinct sets among the column set and its mirror image.
    mirror_images: u64,
    left: u32,
    right_reversed: u32,
}

impl Weigher {
    /// The weights of top halves with a queen in the centre; `None` if these halves are not counted.
    pub fn centre_weights(&self) -> Option<Weights> {
        (self.is_odd && self.orbit > 0).then_some([self.orbit, 0, 0, 0, 0])
    }

    /// The ranges of `rows` whose top halves have equal weights, and these weights. `rows` contains all possible values of R in ascending
    /// order.
    pub fn top_ranges(&self, rows: &[u32]) -> impl Iterator<Item = (Range<usize>, Weights)> {
        // Weights change at three row sets of even boards, each of which has an individual weight.
        let boundaries = [self.left, self.full_set ^ self.left, self.full_set ^ self.right_reversed];
        let boundaries = if self.is_odd { &[] } else { &boundaries[..] };
        let mut ends = [rows.len(); 7];
        for (ends, &boundary) in ends.chunks_exact_mut(2).zip(boundaries) {
            let index = rows.partition_point(|&rows| rows < boundary);
            ends.copy_from_slice(&[index, index + usize::from(rows.get(index) == Some(&boundary))]);
        }
        ends.sort_unstable();
        let mut start = 0;
        let ranges = ends.map(|end| std::mem::replace(&mut start, end)..end);
        let ranges = ranges.into_iter().filter(|range| !range.is_empty());
        ranges.map(|range| (range.clone(), self.weights(rows[range.start])))
    }

    fn weights(&self, rows: u32) -> Weights {
        if self.is_odd {
            return [8, 0, 0, 0, 0];
        }
        // The factor is 2 above the least counted set, 1 at this set, and 0 below it.
        let factor = |set: u32, least: u32| u64::from(set >= least) + u64::from(set > least);
        let right_rows = self.full_set ^ rows;
        let top_factor = factor(rows, self.left).min(factor(right_rows, self.left));
        [
            self.orbit * top_factor,
            self.orbit * top_factor.min(1),
            2 * self.mirror_images * factor(rows, self.left),
            2 * self.mirror_images * factor(right_rows, self.right_reversed),
            4 * self.mirror_images,
        ]
    }

    /// The ranges of `rows` whose bottom halves have a non-zero weight if no queen is on a long diagonal, and the classes of these bottom
    /// halves. `rows` contains all possible values of the reversed S in ascending order.
    pub fn ranges_without_long_diagonals(&self, rows: &[u32]) -> [(Range<usize>, PairClass); 3] {
        if self.is_odd {
            return [(0..0, PairClass::Edge), (0..rows.len(), PairClass::Inner), (0..0, PairClass::Edge)];
        }
        let (min, max) = (self.left, self.full_set ^ self.left);
        let is_counted = self.orbit > 0 && min < max;
        let count_below =
            |limit: u32| if is_counted { rows.partition_point(|&rows| rows < limit) } else { 0 };
        let inner = count_below(min + 1)..count_below(max);
        [
            (count_below(min)..inner.start, PairClass::Edge),
            (inner.clone(), PairClass::Inner),
            (inner.end..count_below(max + 1), PairClass::Edge),
        ]
    }
}
