//! Halves of the board: pairs of a left and a right quarter whose rows are complementary and that share no diagonal. Input: a
//! column set. Output: the crossing diagonals of each half, with top halves in ranges of equal weight, and bottom
//! halves by [`PairClass`]. Cost: one vector comparison per entry of a cell and [`Isa::LANES`] entries of the
//! complementary cell.

use std::ops::Range;

use super::geometry::Mask;
use super::isa::{Bits, Isa, MAX_LANES, first_lanes, lanes};
use super::placements::Subsets;
use super::quarters::Quarter;
use super::symmetry::{ColumnSet, PairClass, Weigher, Weights};

/// The lowest bit of the tag of a top half: its range of equal weight, in the highest three bits of its low word. The three bits are
/// enough: a column set has at most seven ranges of equal weight (at most three row sets have an individual weight, and they split the
/// others into at most four ranges), and diagonals use at most 29 bits.
const TAG: u32 = 29;

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
pub fn with_room(len: usize) -> usize {
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
        for (a, b) in left.cells(right, ranks) {
            if a.is_empty() || b.is_empty() {
                continue;
            }
            self.reserve::<K>(self.len + a.len() * b.len());
            // The loop over vectors is over the longer side.
            let ((few, a), (many, b)) = if a.len() > b.len() {
                ((right.quarter, b), (left.quarter, a))
            } else {
                ((left.quarter, a), (right.quarter, b))
            };
            let mut len = self.len;
            let (out_low, out_high) = (&mut self.low[..], &mut self.high[..]);
            // Indexing a `Vec` would be a function call here, before which all vector registers are saved; slices are indexed inline.
            let (few_high, all_high) = (few.high.as_slice(), many.high.as_slice());
            let (few_low, all_low) =
                (low_words::<K>(&few.low, few_high), low_words::<K>(&many.low, all_high));
            for at in b.clone().step_by(K::LANES) {
                let (many_low, many_high) = (load_low(k, &all_low[at..]), k.load(&all_high[at..]));
                let present = first_lanes(b.end - at);
                for (&low, &high) in few_low[a.clone()].iter().zip(&few_high[a.clone()]) {
                    let (low, high) = (k.splat(low), k.splat(high));
                    let common = k.or(k.and(low, many_low), k.and(high, many_high));
                    let legal = k.zero_lanes(common) & present;
                    if K::WORDS == 2 {
                        k.compress_store(legal, k.or(low, many_low), &mut out_low[len..]);
                    }
                    k.compress_store(legal, k.or(high, many_high), &mut out_high[len..]);
                    len += legal.count_ones() as usize;
                }
            }
            self.len = len;
        }
    }

    /// Reserves memory for `len` halves, and for vectors that are written past the last half.
    #[inline(always)]
    fn reserve<K: Isa>(&mut self, len: usize) {
        if self.high.len() < len + K::LANES {
            self.grow(with_room(len + K::LANES));
        }
    }

    /// Allocates zeroed memory. Its pages become resident only when they are written; a filtered list often uses only a part of them.
    #[cold]
    fn grow(&mut self, len: usize) {
        for words in [&mut self.low, &mut self.high] {
            let mut larger = vec![0; len];
            larger[..self.len].copy_from_slice(&words[..self.len]);
            *words = larger;
        }
    }

    /// Replaces the content by the halves of another list that use none of these diagonals.
    #[inline(always)]
    pub fn keep<K: Isa>(&mut self, k: K, of: &Self, ruled_out: Mask) {
        self.len = 0;
        self.reserve::<K>(of.len);
        let of_high = of.high.as_slice();
        let of_low = low_words::<K>(&of.low, of_high);
        let (out_low, out_high) = (&mut self.low[..], &mut self.high[..]);
        let (no_low, no_high) = (k.splat(ruled_out.low), k.splat(ruled_out.high));
        let mut len = 0;
        for at in (0..of.len).step_by(K::LANES) {
            let here = at..at + K::LANES;
            let (low, high) = (load_low(k, &of_low[here.clone()]), k.load(&of_high[here]));
            let used = k.or(k.and(low, no_low), k.and(high, no_high));
            let kept = k.zero_lanes(used) & first_lanes(of.len - at);
            if K::WORDS == 2 {
                k.compress_store(kept, low, &mut out_low[len..]);
            }
            k.compress_store(kept, high, &mut out_high[len..]);
            len += kept.count_ones() as usize;
        }
        self.len = len;
    }
}

/// Bottom halves of one column set, by [`PairClass`].
pub type BottomHalves = [Halves; PairClass::COUNT];

/// Lists the bottom halves of a column set with a non-zero weight. `rows` contains the row sets of the left quarter.
#[inline(always)]
pub fn list_bottoms<K: Isa>(
    k: K,
    weigher: &Weigher,
    rows: &[u32],
    [left, right]: [[Side<'_>; 2]; 2],
    classes: &mut BottomHalves,
) {
    classes.iter_mut().for_each(|halves| halves.len = 0);
    for (ranks, class) in weigher.without_long(rows) {
        classes[class as usize].join(k, &left[0], &right[0], ranks);
    }
    for (class, l, r) in [(PairClass::Falling, 0, 1), (PairClass::Rising, 1, 0), (PairClass::Both, 1, 1)] {
        classes[class as usize].join(k, &left[l], &right[r], 0..rows.len());
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
    tagged: bool,
}

impl TopHalves {
    /// Lists the top halves of a column set with a non-zero weight. `rows` contains the row sets of the left quarter.
    #[inline(always)]
    pub fn generate<K: Isa>(
        &mut self,
        k: K,
        weigher: &Weigher,
        rows: &[u32],
        [left, right]: [[Side<'_>; 2]; 2],
    ) {
        self.halves.len = 0;
        self.ranges.clear();
        self.tagged = false;
        let without_centre = weigher.tops(rows).map(|(ranks, weights)| (0, ranks, weights));
        let with_centre = weigher.centre().map(|weights| (1, 0..rows.len(), weights));
        for (kind, ranks, weights) in without_centre.chain(with_centre) {
            self.halves.join(k, &left[kind], &right[0], ranks);
            self.end_range(weights);
        }
    }

    /// Writes the tag of each top half, the index of its range, so that the weight of a half is known after sorting.
    pub fn tag(&mut self) {
        self.tagged = true;
        let mut from = 0;
        for (tag, &(to, _)) in self.ranges.iter().enumerate() {
            self.halves.low[from..to].iter_mut().for_each(|low| *low |= (tag as u32) << TAG);
            from = to;
        }
    }

    /// For each weight in a piece, the line of the top halves with this weight. If all halves of the piece have the same weight, all bits
    /// are set, because the counters of unused bits are 0.
    #[inline(always)]
    pub fn weighting<K: Isa>(&self, k: K, piece: Range<usize>) -> Vec<(Bits, Weights)> {
        if let [(_, weights)] = self.ranges[..] {
            return vec![([!0; MAX_LANES], weights)];
        }
        if self.tagged { self.by_tags(k, piece) } else { self.by_ranges::<K>(piece) }
    }

    fn by_ranges<K: Isa>(&self, piece: Range<usize>) -> Vec<(Bits, Weights)> {
        let mut weighting = Vec::new();
        let mut start = 0;
        for &(end, weights) in &self.ranges {
            let (first, last) = (start.max(piece.start), end.min(piece.end));
            if (first..last) == piece {
                return vec![([!0; MAX_LANES], weights)];
            }
            if first < last {
                weighting.push((lanes::<K>(first - piece.start..last - piece.start), weights));
            }
            start = end;
        }
        weighting
    }

    #[inline(always)]
    fn by_tags<K: Isa>(&self, k: K, piece: Range<usize>) -> Vec<(Bits, Weights)> {
        // For each tag bit, the line of the top halves whose tag has this bit.
        let mut bits = [k.splat(0); (32 - TAG) as usize];
        for (at, words) in self.halves.low[piece.clone()].chunks(K::LANES).enumerate() {
            let v = k.load(words);
            for (tag_bit, bits) in (TAG..).zip(&mut bits) {
                *bits = k.or(*bits, k.shl(k.and(k.shr(v, tag_bit), k.splat(1)), at as u32));
            }
        }
        let present = k.load(&lanes::<K>(0..piece.len()));
        let mut weighting = Vec::new();
        for (tag, &(_, weights)) in self.ranges.iter().enumerate() {
            let mut line = present;
            for (i, &bits) in bits.iter().enumerate() {
                line = if tag >> i & 1 == 1 { k.and(line, bits) } else { k.and_not(line, bits) };
            }
            if !k.is_zero(line) {
                let mut lanes = Bits::default();
                k.store(line, &mut lanes);
                weighting.push((lanes, weights));
            }
        }
        weighting
    }

    fn end_range(&mut self, weights: Weights) {
        match self.ranges.last_mut() {
            Some(last) if last.1 == weights => last.0 = self.halves.len,
            _ => self.ranges.push((self.halves.len, weights)),
        }
    }
}

/// The entries of a quarter with one set of columns and one kind.
pub struct Side<'a> {
    quarter: &'a Quarter,
    /// The start of each cell by rank, and the end of the last cell.
    starts: &'a [u32],
}

impl<'a> Side<'a> {
    /// The entries of the left and of the right quarter for a column set, by kind.
    pub fn both([left, right]: &'a [Quarter; 2], subsets: &Subsets, set: ColumnSet) -> [[Self; 2]; 2] {
        let kinds = |quarter: &'a Quarter, columns| {
            quarter.starts(subsets, columns).map(|starts| Self { quarter, starts })
        };
        [kinds(left, set.left), kinds(right, set.right)]
    }

    /// For each of these ranks, the cell of this side and the cell of the right side with the complementary rows, as ranges of entries.
    #[inline(always)]
    fn cells(&self, right: &Self, ranks: Range<usize>) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let last = self.starts.len() - 1;
        let a = &self.starts[ranks.start..=ranks.end];
        let b = &right.starts[last - ranks.end..=last - ranks.start];
        let range = |ends: &[u32]| ends[0] as usize..ends[1] as usize;
        a.windows(2).zip(b.windows(2).rev()).map(move |(a, b)| (range(a), range(b)))
    }
}
