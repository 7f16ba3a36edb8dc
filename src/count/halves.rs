//! Top halves of a column set: pairs of top quarters whose rows complete each other.
//! In: a column set. Out: the crossing diagonals of each legal top half, in ranges of equal weight.
//! Cost: one vector comparison per [`Isa::LANES`] pairs of entries of matching cells.

use super::geometry::Geometry;
use super::isa::Isa;
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
    pub fn tagged(&self, from: usize, to: usize) -> Vec<([u64; 8], Weights)> {
        let mut lanes = [[0_u64; 8]; 1 << (32 - TAG)];
        for (lane, low) in self.low[from..to].iter().enumerate() {
            lanes[(low >> TAG) as usize][lane / 64] |= 1 << (lane % 64);
        }
        let used = lanes.into_iter().zip(&self.ranges).filter(|(lanes, _)| *lanes != [0; 8]);
        used.map(|(lanes, &(_, weights))| (lanes, weights)).collect()
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
                k.compress(legal, k.or(low, lows), &mut out_low[len..]);
                k.compress(legal, k.or(high, highs), &mut out_high[len..]);
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
