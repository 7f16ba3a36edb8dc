//! Top halves of a column set: pairs of top quarters whose rows complete each other.
//! In: a column set. Out: the crossing diagonals of each legal top half, in ranges of equal weight.
//! Cost: one vector comparison for an entry of the side that has fewer and [`Isa::LANES`] entries of the other.

use std::ops::Range;

use super::isa::Isa;
use super::pieces::lanes;
use super::quarters::{Subsets, TopQuarter};
use super::symmetry::{ColumnSet, Weigher, Weights};

/// Tags stand in the highest bits of [`TopHalves::low`]: a set has at most seven ranges of equal weight
/// (three rows end one each, and stand alone), and diagonals take at most 25 bits.
const TAG: u32 = 29;

/// Top halves of one column set.
#[derive(Default)]
pub struct TopHalves {
    /// S_low and T_low of each top half.
    pub low: Vec<u32>,
    /// S_high and T_high of each top half.
    pub high: Vec<u32>,
    /// How many there are; the vectors are longer, to be written past the end.
    pub len: usize,
    /// Where ranges of equal weight end.
    pub ranges: Vec<(usize, Weights)>,
}

impl TopHalves {
    /// Lists the top halves of a column set that count for something.
    #[inline(always)]
    pub fn generate<K: Isa>(
        &mut self,
        k: K,
        odd: bool,
        weigher: &Weigher,
        subsets: &Subsets,
        [left, right]: [&TopQuarter; 2],
        set: ColumnSet,
    ) {
        self.len = 0;
        self.ranges.clear();
        let rows = subsets.like(set.left);
        let left = Side::new(left, subsets, set.left);
        let right = Side::new(right, subsets, set.right);
        for (range, weights) in weigher.tops(rows) {
            self.join(k, &left, 0, &right, range);
            self.end_range(weights);
        }
        let weights = weigher.centre();
        if odd && weights.iter().any(|&weight| weight > 0) {
            self.join(k, &left, 1, &right, 0..rows.len());
            self.end_range(weights);
        }
    }

    /// Writes the number of its range into each top half, above its diagonals, to be sorted along.
    pub fn tag(&mut self) {
        let mut from = 0;
        for (tag, &(to, _)) in self.ranges.iter().enumerate() {
            self.low[from..to].iter_mut().for_each(|low| *low |= (tag as u32) << TAG);
            from = to;
        }
    }

    /// The lanes of a piece of tagged top halves, by weight.
    #[inline(always)]
    pub fn tagged<K: Isa>(&self, k: K, from: usize, to: usize) -> Vec<([u64; 8], Weights)> {
        if let [(_, weights)] = self.ranges[..] {
            return vec![([!0; 8], weights)];
        }
        // The bits of the tags, a lane each.
        let mut bits = [[0_u64; 8]; (32 - TAG) as usize];
        for (at, words) in self.low[from..to].chunks(K::LANES).enumerate() {
            let mut v = k.load(words);
            for bit in bits.iter_mut().rev() {
                let lane = at * K::LANES;
                bit[lane / 64] |= u64::from(k.signs(v)) << (lane % 64);
                v = k.shl(v, 1);
            }
        }
        let present = lanes(0, to - from);
        let mut tagged = Vec::new();
        for (tag, &(_, weights)) in self.ranges.iter().enumerate() {
            let mut lanes = present;
            for (word, lanes) in lanes.iter_mut().enumerate() {
                for (i, bit) in bits.iter().enumerate() {
                    *lanes &= if tag >> i & 1 == 1 { bit[word] } else { !bit[word] };
                }
            }
            if lanes != [0; 8] {
                tagged.push((lanes, weights));
            }
        }
        tagged
    }

    fn end_range(&mut self, weights: Weights) {
        match self.ranges.last_mut() {
            Some(last) if last.1 == weights => last.0 = self.len,
            _ => self.ranges.push((self.len, weights)),
        }
    }

    /// Joins entries of this kind of the left, with these ranks, with those of the right that complete them.
    #[inline(always)]
    fn join<K: Isa>(&mut self, k: K, left: &Side<'_>, kind: usize, right: &Side<'_>, ranks: Range<usize>) {
        let all = left.starts.len() / 2;
        let (a, b) = (left.cells(kind, ranks.clone()), right.cells(0, all - ranks.end..all - ranks.start));
        let pairs = a.windows(2).zip(b.windows(2).rev()).map(|(a, b)| (a[1] - a[0]) * (b[1] - b[0]));
        let room = self.len + pairs.sum::<u32>() as usize + K::LANES;
        if self.low.len() < room {
            self.low.resize(2 * room, 0);
            self.high.resize(2 * room, 0);
        }
        let entries = |starts: &[u32]| starts[starts.len() - 1] - starts[0];
        if entries(a) <= entries(b) {
            self.join_each(k, left, a, ranks.end - 1, right, b);
        } else {
            self.join_each(k, right, b, all - 1 - ranks.start, left, a);
        }
    }

    /// Joins each entry of `one` with those of the cell of `other` whose rank and its own add up to `last`.
    #[inline(always)]
    fn join_each<K: Isa>(
        &mut self,
        k: K,
        one: &Side<'_>,
        cells: &[u32],
        last: usize,
        other: &Side<'_>,
        starts: &[u32],
    ) {
        let range = cells[0] as usize..cells[cells.len() - 1] as usize;
        let entries = one.quarter.low[range.clone()].iter().zip(&one.quarter.high[range.clone()]);
        let (lows, highs) = (&other.quarter.low[..], &other.quarter.high[..]);
        let (out_low, out_high) = (self.low.as_mut_slice(), self.high.as_mut_slice());
        let mut len = self.len;
        for ((&low, &high), &rank) in entries.zip(&one.quarter.cells.ranks[range]) {
            let (low, high) = (k.splat(low), k.splat(high));
            let cell = last - usize::from(rank);
            let (mut from, to) = (starts[cell] as usize, starts[cell + 1] as usize);
            loop {
                let (other_low, other_high) =
                    (k.load(&lows[from..from + K::LANES]), k.load(&highs[from..from + K::LANES]));
                let legal = k.disjoint(low, other_low) & first_lanes(to - from);
                k.store(k.compress(legal, k.or(low, other_low)), &mut out_low[len..]);
                k.store(k.compress(legal, k.or(high, other_high)), &mut out_high[len..]);
                len += legal.count_ones() as usize;
                if to - from <= K::LANES {
                    break;
                }
                from += K::LANES;
            }
        }
        self.len = len;
    }
}

/// The entries of a quarter that use one set of columns.
struct Side<'a> {
    quarter: &'a TopQuarter,
    /// Where cells begin, of kind 0 and then of kind 1.
    starts: &'a [u32],
}

impl<'a> Side<'a> {
    fn new(quarter: &'a TopQuarter, subsets: &Subsets, columns: u32) -> Self {
        Self { quarter, starts: quarter.cells.starts(subsets, columns) }
    }

    /// Where the cells of these ranks begin, and the end.
    fn cells(&self, kind: usize, ranks: Range<usize>) -> &'a [u32] {
        let first = kind * (self.starts.len() / 2);
        &self.starts[first + ranks.start..=first + ranks.end]
    }
}

/// One bit for each of the first lanes.
#[inline(always)]
pub fn first_lanes(lanes: usize) -> u32 {
    if lanes >= 16 { 0xffff } else { (1 << lanes) - 1 }
}
