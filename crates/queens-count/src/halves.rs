//! Lists the top halves and the bottom halves of a column set. A half consists of an entry of a left quarter and an entry of a right
//! quarter, whose rows are complementary and whose queens share no diagonal. It is represented by its crossing diagonals. Top halves
//! are in ranges of equal weight, and bottom halves are divided by [`PairClass`]. Cost: one vector comparison for each entry of a cell
//! and each [`Isa::LANES`] entries of the complementary cell.

use std::ops::Range;

use super::geometry::Mask;
use super::isa::{Bits, Isa, MAX_LANES, first_lanes, line_of_range};
use super::placements::Subsets;
use super::quarters::Quarter;
use super::symmetry::{ColumnSet, PairClass, Weigher, Weights};

/// The lowest bit of the tag of a top half. The tag is the index of the half's range of equal weight, and is stored in the highest
/// three bits of the low word, because diagonals use at most 29 bits. Three bits are enough for the at most seven ranges of a column
/// set: at most three row sets have an individual weight, and they split the other row sets into at most four ranges.
const TAG_SHIFT: u32 = 29;

/// A list of halves, represented by their crossing diagonals.
#[derive(Default)]
pub struct Halves {
    /// The word [`Mask::low`] of each half, and unused words so that vectors may be written past the last half.
    pub low: Vec<u32>,
    /// The word [`Mask::high`] of each half; as long as `low`.
    pub high: Vec<u32>,
    /// The number of halves.
    pub len: usize,
}

/// The capacity of a buffer for `len` elements: 25 % more than needed, so that the buffer is rarely reallocated.
pub fn buffer_capacity(len: usize) -> usize {
    len + len / 4
}

/// The low words of masks. If masks have one word, returns the high words as a placeholder, which is not read.
#[inline(always)]
pub fn low_words<'a, K: Isa>(low: &'a [u32], high: &'a [u32]) -> &'a [u32] {
    if K::WORDS == 2 { low } else { high }
}

/// A vector of low words, which are 0 in masks of one word.
#[inline(always)]
fn load_low<K: Isa>(k: K, words: &[u32]) -> K::Vector {
    if K::WORDS == 2 { k.load(words) } else { k.splat(0) }
}

impl Halves {
    /// Adds the halves that consist of a left entry with one of these ranks and a right entry with complementary rows.
    #[inline(always)]
    fn join<K: Isa>(&mut self, k: K, left: &Side<'_>, right: &Side<'_>, ranks: Range<usize>) {
        for (left_cell, right_cell) in left.cells(right, ranks) {
            if left_cell.is_empty() || right_cell.is_empty() {
                continue;
            }
            self.reserve::<K>(self.len + left_cell.len() * right_cell.len());
            // The entries of the larger cell are read as vectors.
            let ((small, small_cell), (large, large_cell)) = if left_cell.len() > right_cell.len() {
                ((right.quarter, right_cell), (left.quarter, left_cell))
            } else {
                ((left.quarter, left_cell), (right.quarter, right_cell))
            };
            let mut len = self.len;
            let (out_low, out_high) = (&mut self.low[..], &mut self.high[..]);
            // Indexing a `Vec` would be a function call here, before which all vector registers are saved; slices are indexed inline.
            let (small_high, large_high) = (small.high.as_slice(), large.high.as_slice());
            let (small_low, large_low) =
                (low_words::<K>(&small.low, small_high), low_words::<K>(&large.low, large_high));
            for at in large_cell.clone().step_by(K::LANES) {
                let (lows, highs) = (load_low(k, &large_low[at..]), k.load(&large_high[at..]));
                let used_lanes = first_lanes(large_cell.end - at);
                let small_words = small_low[small_cell.clone()].iter().zip(&small_high[small_cell.clone()]);
                for (&low, &high) in small_words {
                    let (low, high) = (k.splat(low), k.splat(high));
                    let common_diagonals = k.or(k.and(low, lows), k.and(high, highs));
                    let legal_lanes = k.zero_lanes(common_diagonals) & used_lanes;
                    if K::WORDS == 2 {
                        k.compress_store(legal_lanes, k.or(low, lows), &mut out_low[len..]);
                    }
                    k.compress_store(legal_lanes, k.or(high, highs), &mut out_high[len..]);
                    len += legal_lanes.count_ones() as usize;
                }
            }
            self.len = len;
        }
    }

    /// Reserves memory for `len` halves, and for vectors that are written past the last half.
    #[inline(always)]
    fn reserve<K: Isa>(&mut self, len: usize) {
        if self.high.len() < len + K::LANES {
            self.grow(buffer_capacity(len + K::LANES));
        }
    }

    /// Allocates zeroed memory, whose pages become resident only when they are written. A filtered list often uses only a part of them.
    #[cold]
    fn grow(&mut self, len: usize) {
        for words in [&mut self.low, &mut self.high] {
            let mut larger = vec![0; len];
            larger[..self.len].copy_from_slice(&words[..self.len]);
            *words = larger;
        }
    }

    /// Replaces the content by the halves of `source` that use no diagonal in `excluded`.
    #[inline(always)]
    pub fn filter_from<K: Isa>(&mut self, k: K, source: &Self, excluded: Mask) {
        self.len = 0;
        self.reserve::<K>(source.len);
        let source_high = source.high.as_slice();
        let source_low = low_words::<K>(&source.low, source_high);
        let (out_low, out_high) = (&mut self.low[..], &mut self.high[..]);
        let (excluded_low, excluded_high) = (k.splat(excluded.low), k.splat(excluded.high));
        let mut len = 0;
        for at in (0..source.len).step_by(K::LANES) {
            let range = at..at + K::LANES;
            let (low, high) = (load_low(k, &source_low[range.clone()]), k.load(&source_high[range]));
            let common_diagonals = k.or(k.and(low, excluded_low), k.and(high, excluded_high));
            let accepted_lanes = k.zero_lanes(common_diagonals) & first_lanes(source.len - at);
            if K::WORDS == 2 {
                k.compress_store(accepted_lanes, low, &mut out_low[len..]);
            }
            k.compress_store(accepted_lanes, high, &mut out_high[len..]);
            len += accepted_lanes.count_ones() as usize;
        }
        self.len = len;
    }
}

/// Bottom halves of one column set, by [`PairClass`].
pub type BottomHalves = [Halves; PairClass::COUNT];

/// Lists the bottom halves of a column set with a non-zero weight. `rows` contains the possible row sets of the left quarter.
#[inline(always)]
pub fn list_bottoms<K: Isa>(
    k: K,
    weigher: &Weigher,
    rows: &[u32],
    [left, right]: [[Side<'_>; 2]; 2],
    classes: &mut BottomHalves,
) {
    classes.iter_mut().for_each(|halves| halves.len = 0);
    for (ranks, class) in weigher.ranges_without_long_diagonals(rows) {
        classes[class as usize].join(k, &left[0], &right[0], ranks);
    }
    for (class, left_kind, right_kind) in
        [(PairClass::Falling, 0, 1), (PairClass::Rising, 1, 0), (PairClass::Both, 1, 1)]
    {
        classes[class as usize].join(k, &left[left_kind], &right[right_kind], 0..rows.len());
    }
}

/// The number of bottom halves of all classes.
pub fn count(bottoms: &BottomHalves) -> usize {
    bottoms.iter().map(|halves| halves.len).sum()
}

/// The top halves of one column set.
#[derive(Default)]
pub struct TopHalves {
    /// The halves. On even boards, they have no queen on a long diagonal.
    pub halves: Halves,
    /// The ends of the ranges of equal weight, with their weights.
    ranges: Vec<(usize, Weights)>,
    has_tags: bool,
}

impl TopHalves {
    /// Lists the top halves of a column set with a non-zero weight. `rows` contains the possible row sets of the left quarter.
    #[inline(always)]
    pub fn list<K: Isa>(&mut self, k: K, weigher: &Weigher, rows: &[u32], [left, right]: [[Side<'_>; 2]; 2]) {
        self.halves.len = 0;
        self.ranges.clear();
        self.has_tags = false;
        let without_centre = weigher.top_ranges(rows).map(|(ranks, weights)| (0, ranks, weights));
        let with_centre = weigher.centre_weights().map(|weights| (1, 0..rows.len(), weights));
        for (kind, ranks, weights) in without_centre.chain(with_centre) {
            self.halves.join(k, &left[kind], &right[0], ranks);
            self.end_range(weights);
        }
    }

    /// Writes the tag of each top half, so that its range of equal weight can be read after sorting.
    pub fn write_tags(&mut self) {
        self.has_tags = true;
        let mut start = 0;
        for (tag, &(end, _)) in self.ranges.iter().enumerate() {
            self.halves.low[start..end].iter_mut().for_each(|low| *low |= (tag as u32) << TAG_SHIFT);
            start = end;
        }
    }

    /// For each weight in a piece, the line of the top halves with this weight. If all halves of the piece have the same weight, all bits
    /// are set, because the counters of unused bits are 0.
    #[inline(always)]
    pub fn weighting<K: Isa>(&self, k: K, piece: Range<usize>) -> Vec<(Bits, Weights)> {
        if let [(_, weights)] = self.ranges[..] {
            return vec![([!0; MAX_LANES], weights)];
        }
        if self.has_tags { self.weighting_by_tags(k, piece) } else { self.weighting_by_ranges::<K>(piece) }
    }

    fn weighting_by_ranges<K: Isa>(&self, piece: Range<usize>) -> Vec<(Bits, Weights)> {
        let mut weighting = Vec::new();
        let mut start = 0;
        for &(end, weights) in &self.ranges {
            let overlap = start.max(piece.start)..end.min(piece.end);
            if overlap == piece {
                return vec![([!0; MAX_LANES], weights)];
            }
            if !overlap.is_empty() {
                let tops = overlap.start - piece.start..overlap.end - piece.start;
                weighting.push((line_of_range::<K>(tops), weights));
            }
            start = end;
        }
        weighting
    }

    #[inline(always)]
    fn weighting_by_tags<K: Isa>(&self, k: K, piece: Range<usize>) -> Vec<(Bits, Weights)> {
        // For each tag bit, the line of the top halves whose tag has this bit.
        let mut tag_lines = [k.splat(0); (32 - TAG_SHIFT) as usize];
        for (row, words) in self.halves.low[piece.clone()].chunks(K::LANES).enumerate() {
            let v = k.load(words);
            for (tag_bit, line) in (TAG_SHIFT..).zip(&mut tag_lines) {
                *line = k.or(*line, k.shl(k.and(k.shr(v, tag_bit), k.splat(1)), row as u32));
            }
        }
        let all_tops = k.load(&line_of_range::<K>(0..piece.len()));
        let mut weighting = Vec::new();
        for (tag, &(_, weights)) in self.ranges.iter().enumerate() {
            let mut line = all_tops;
            for (i, &tag_line) in tag_lines.iter().enumerate() {
                line = if tag >> i & 1 == 1 { k.and(line, tag_line) } else { k.and_not(line, tag_line) };
            }
            if !k.is_zero(line) {
                let mut bits = Bits::default();
                k.store(line, &mut bits);
                weighting.push((bits, weights));
            }
        }
        weighting
    }

    /// Ends a range at the last half, or extends the last range if it has the same weights.
    fn end_range(&mut self, weights: Weights) {
        match self.ranges.last_mut() {
            Some(last) if last.1 == weights => last.0 = self.halves.len,
            _ => self.ranges.push((self.halves.len, weights)),
        }
    }
}

/// The left or the right side of halves: the entries of a quarter with one set of columns and one kind.
pub struct Side<'a> {
    quarter: &'a Quarter,
    /// The start of each cell by rank, and the end of the last cell.
    starts: &'a [u32],
}

impl<'a> Side<'a> {
    /// The two sides of the halves of a column set, each by kind.
    pub fn left_and_right(
        [left, right]: &'a [Quarter; 2],
        subsets: &Subsets,
        set: ColumnSet,
    ) -> [[Self; 2]; 2] {
        let kinds = |quarter: &'a Quarter, columns| {
            quarter.starts(subsets, columns).map(|starts| Self { quarter, starts })
        };
        [kinds(left, set.left), kinds(right, set.right)]
    }

    /// For each rank, the cell of this side and the cell of the right side with the complementary rows, as ranges of entries.
    #[inline(always)]
    fn cells(&self, right: &Self, ranks: Range<usize>) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let last_index = self.starts.len() - 1;
        let left_starts = &self.starts[ranks.start..=ranks.end];
        let right_starts = &right.starts[last_index - ranks.end..=last_index - ranks.start];
        let range = |ends: &[u32]| ends[0] as usize..ends[1] as usize;
        left_starts.windows(2).zip(right_starts.windows(2).rev()).map(move |(a, b)| (range(a), range(b)))
    }
}
