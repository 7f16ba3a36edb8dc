//! Top halves of a column set: pairs of top quarters whose rows complete each other.
//! In: a column set. Out: the crossing diagonals of each legal top half, in ranges of equal weight.
//! Cost: one vector comparison per [`Isa::LANES`] pairs of entries of matching cells.

use super::geometry::Geometry;
use super::isa::Isa;
use super::pieces::lanes;
use super::quarters::TopQuarter;
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
        geometry: &Geometry,
        weigher: &Weigher,
        quarters: (&TopQuarter, &TopQuarter),
        set: ColumnSet,
        subsets: &[u32],
    ) {
        self.len = 0;
        self.ranges.clear();
        for &rows in subsets {
            self.join(k, geometry, quarters, set, rows, 0);
            self.end_range(weigher.tops(rows));
        }
        if geometry.odd() {
            let weights = weigher.centre();
            if weights.iter().any(|&weight| weight > 0) {
                for &rows in subsets {
                    self.join(k, geometry, quarters, set, rows, 1);
                }
                self.end_range(weights);
            }
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

    /// Joins the two cells in which the left quarter uses these rows.
    #[inline(always)]
    fn join<K: Isa>(
        &mut self,
        k: K,
        geometry: &Geometry,
        (left, right): (&TopQuarter, &TopQuarter),
        set: ColumnSet,
        rows: u32,
        kind: usize,
    ) {
        let a = left.cells.range(set.left, rows, kind);
        let b = right.cells.range(set.right, geometry.full() ^ rows, 0);
        if a.is_empty() || b.is_empty() {
            return;
        }
        let room = self.len + a.len() * b.len() + K::LANES;
        if self.low.len() < room {
            self.low.resize(2 * room, 0);
            self.high.resize(2 * room, 0);
        }
        let (a_low, a_high) = (&left.low[a.clone()], &left.high[a]);
        let (b_low, b_high) = (&right.low[b.clone()], &right.high[b]);
        // Vectors run over the longer side.
        let ((a_low, a_high), (b_low, b_high)) = if a_low.len() > b_low.len() {
            ((b_low, b_high), (a_low, a_high))
        } else {
            ((a_low, a_high), (b_low, b_high))
        };
        let mut len = self.len;
        let (out_low, out_high) = (self.low.as_mut_slice(), self.high.as_mut_slice());
        for at in (0..b_low.len()).step_by(K::LANES) {
            let (lows, highs) = (k.load(&b_low[at..]), k.load(&b_high[at..]));
            let present = first_lanes(b_low.len() - at);
            for (&low, &high) in a_low.iter().zip(a_high) {
                let (low, high) = (k.splat(low), k.splat(high));
                let legal = k.disjoint(low, lows) & present;
                k.store(k.compress(legal, k.or(low, lows)), &mut out_low[len..]);
                k.store(k.compress(legal, k.or(high, highs)), &mut out_high[len..]);
                len += legal.count_ones() as usize;
            }
        }
        self.len = len;
    }
}

/// One bit for each of the first lanes.
#[inline(always)]
pub fn first_lanes(lanes: usize) -> u32 {
    if lanes >= 16 { 0xffff } else { (1 << lanes) - 1 }
}
