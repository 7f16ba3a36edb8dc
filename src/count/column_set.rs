//! One column set, start to end: its top halves, its pairs of bottom quarters, and their compatible meetings.
//! Column sets are independent; the quarter tables are shared and only read.

use super::geometry::Geometry;
use super::halves::{TopHalves, first_lanes};
use super::isa::Isa;
use super::keys::{Keys, Sorter};
use super::pairs::{BottomPairs, Entries};
use super::pieces::{All, Chosen, Counter, Lookups, Piece, lanes};
use super::quarters::{Cells, Quarters, Subsets};
use super::symmetry::{ColumnSet, PairClass, Symmetry, Weights};

/// The tables of a board: everything that column sets share.
pub struct Instance {
    geometry: Geometry,
    symmetry: Symmetry,
    lookups: Lookups,
    subsets: Subsets,
    quarters: Quarters,
    keys: Keys,
    capacity: usize,
}

/// How a board is counted; every choice gives the same count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Key diagonals, at most [`super::keys::MAX_KEYS`].
    pub keys: usize,
    /// Stored entries of a group.
    pub capacity: usize,
}

impl Tuning {
    /// What was fastest for a board size; docs/COUNTING.md has the measurements.
    pub fn for_size(n: usize) -> Self {
        match n {
            ..=18 => Self { keys: 0, capacity: 256 },
            19 => Self { keys: 6, capacity: 400 },
            20 => Self { keys: 10, capacity: 400 },
            _ => Self { keys: 12, capacity: 400 },
        }
    }
}

/// What was done, to be told beside a count. None of these are nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Column sets joined.
    pub column_sets: u64,
    /// Top halves listed.
    pub top_halves: u64,
    /// Pairs of bottom quarters listed.
    pub bottom_pairs: u64,
    /// Pieces of top halves.
    pub pieces: u64,
    /// Accumulators of stored entries computed.
    pub accumulators: u64,
    /// Units, of one or two pairs, counted against a piece.
    pub meetings: u64,
}

impl Work {
    /// Adds another's work.
    pub fn add(&mut self, other: &Work) {
        self.column_sets += other.column_sets;
        self.top_halves += other.top_halves;
        self.bottom_pairs += other.bottom_pairs;
        self.pieces += other.pieces;
        self.accumulators += other.accumulators;
        self.meetings += other.meetings;
    }
}

impl Instance {
    /// Builds the tables of an n by n board and chooses its keys from a sample of column sets.
    pub fn new<K: Isa>(k: K, n: usize, tuning: Tuning) -> Self {
        let geometry = Geometry::new(n);
        let lookups = Lookups::new(&geometry, K::WORDS);
        let symmetry = Symmetry::new(&geometry);
        let subsets = Subsets::new(geometry.h);
        let quarters = Quarters::new(&geometry, &subsets, |mask, right| lookups.of_mask(mask, right));
        let capacity = tuning.capacity;
        let keys = Keys::default();
        let mut instance = Self { geometry, symmetry, lookups, subsets, quarters, keys, capacity };
        if tuning.keys > 0 {
            instance.choose_keys(k, tuning.keys);
        }
        instance
    }

    /// The column sets to count; their counts add up to the number of solutions.
    pub fn column_sets(&self) -> Vec<ColumnSet> {
        self.symmetry.column_sets()
    }

    /// Bytes of the quarter tables.
    pub fn table_bytes(&self) -> u64 {
        self.quarters.bytes() as u64
    }

    /// Pairs of entries that a column set's top halves are made of, times those of its bottom pairs.
    pub fn cost(&self, set: ColumnSet) -> f64 {
        let full = self.geometry.full();
        let sum = |columns: ColumnSet, [left, right]: [&Cells; 2]| -> f64 {
            let (left, right) =
                (left.lens(&self.subsets, columns.left), right.lens(&self.subsets, columns.right));
            left.zip(right.rev()).map(|(left, right)| left as f64 * right as f64).sum()
        };
        let bottom = ColumnSet { left: full ^ set.left, right: full ^ set.right };
        let tops = sum(set, self.quarters.top.each_ref().map(|quarter| &quarter.cells));
        tops * sum(bottom, self.quarters.bottom.each_ref().map(|quarter| &quarter.cells))
    }

    fn choose_keys<K: Isa>(&mut self, k: K, count: usize) {
        let sets = self.column_sets();
        let mut scratch = Scratch::new(k);
        let (mut tops, mut pairs) = (Vec::new(), Vec::new());
        for &set in sets.iter().step_by(sets.len() / 16 + 1) {
            self.list_tops(k, &mut scratch, set);
            self.list_bottoms(k, &mut scratch, set);
            let found = &scratch.tops;
            let step = found.len / 1000 + 1;
            let words = found.low[..found.len].iter().zip(&found.high).step_by(step);
            tops.extend(
                words.map(|(&low, &high)| u64::from(high) | u64::from(low) << (2 * self.geometry.high)),
            );
            let bottoms = &scratch.bottoms;
            let step = bottoms.total as usize / 2000 + 1;
            let listed = bottoms.groups.iter().flat_map(|group| {
                let classes = group.units.iter().zip(&bottoms.units);
                let units = classes.flat_map(|(range, units)| {
                    units.lookups[range.clone()].iter().zip(&units.slots[range.clone()])
                });
                units.flat_map(move |(&lookups, &slots)| {
                    let slots = [slots & 0xffff, slots >> 16].map(|place| place as usize / K::WORDS);
                    let stored = slots.into_iter().filter(|&slot| slot > 0);
                    stored.map(move |slot| (lookups, bottoms.stored[group.stored.start + slot - 1]))
                })
            });
            let uses = |(lead, stored)| {
                let right_leads = bottoms.right_leads;
                self.lookups.uses(lead, right_leads) | self.lookups.uses(stored, !right_leads)
            };
            pairs.extend(listed.step_by(step).map(uses));
        }
        self.keys = Keys::choose(&tops, &pairs, count);
        self.keys.mark(&self.lookups, &mut self.quarters.bottom[0], false);
        self.keys.mark(&self.lookups, &mut self.quarters.bottom[1], true);
    }

    #[inline(always)]
    fn list_tops<K: Isa>(&self, k: K, scratch: &mut Scratch<K>, set: ColumnSet) {
        let weigher = self.symmetry.weigh(set);
        let top = self.quarters.top.each_ref();
        scratch.tops.generate(k, self.geometry.odd(), &weigher, &self.subsets, top, set);
    }

    #[inline(always)]
    fn list_bottoms<K: Isa>(&self, k: K, scratch: &mut Scratch<K>, set: ColumnSet) {
        let weigher = self.symmetry.weigh(set);
        let full = self.geometry.full();
        let [left, right] = &self.quarters.bottom;
        let left = Entries::new(left, &self.subsets, full ^ set.left);
        let right = Entries::new(right, &self.subsets, full ^ set.right);
        let (rows, keyed) = (self.subsets.like(set.right), !self.keys.is_empty());
        scratch.bottoms.generate(k, &weigher, rows, [left, right], keyed, self.capacity);
    }
}

/// Buffers of one thread: a few hundred kilobytes up to n = 20.
pub struct Scratch<K: Isa> {
    tops: TopHalves,
    bottoms: BottomPairs,
    sorter: Sorter,
    piece: Piece<K>,
    counters: [Counter<K>; PairClass::COUNT],
    /// Lanes and their weights, of all that the counters have counted since they were cleared.
    weighting: Vec<([u64; 8], Weights)>,
    kept: Vec<u32>,
    /// What this thread has done.
    pub work: Work,
}

impl<K: Isa> Scratch<K> {
    /// Empty buffers.
    pub fn new(k: K) -> Self {
        Self {
            tops: TopHalves::default(),
            bottoms: BottomPairs::default(),
            sorter: Sorter::default(),
            piece: Piece::default(),
            counters: std::array::from_fn(|_| Counter::new(k)),
            weighting: Vec::new(),
            kept: Vec::new(),
            work: Work::default(),
        }
    }

    /// Weighted sum of the counters, which are cleared; `None` beyond 2^64.
    #[inline(always)]
    fn settle(&mut self, k: K) -> Option<u64> {
        let mut total = 0_u64;
        for (class, counter) in self.counters.iter_mut().enumerate() {
            for index in 0..self.weighting.len() {
                let (lanes, weights) = &self.weighting[index];
                if weights[class] > 0 {
                    total = total.checked_add(counter.sum(k, lanes).checked_mul(weights[class])?)?;
                }
            }
            counter.clear(k);
        }
        self.weighting.clear();
        Some(total)
    }
}

/// Solutions that a column set stands for, its images under symmetry included; `None` beyond 2^64.
#[inline(always)]
pub fn count<K: Isa>(k: K, instance: &Instance, scratch: &mut Scratch<K>, set: ColumnSet) -> Option<u64> {
    scratch.work.column_sets += 1;
    instance.list_tops(k, scratch, set);
    scratch.work.top_halves += scratch.tops.len as u64;
    if scratch.tops.len == 0 {
        return Some(0);
    }
    instance.list_bottoms(k, scratch, set);
    scratch.work.bottom_pairs += scratch.bottoms.total;
    let sorted = !instance.keys.is_empty() && scratch.tops.len > K::WIDTH;
    if sorted {
        scratch.tops.tag();
        let len = scratch.tops.len;
        let (low, high) = (&mut scratch.tops.low[..len], &mut scratch.tops.high[..len]);
        scratch.sorter.sort(k, &instance.geometry, &instance.keys, low, high);
    }
    let mut total = 0_u64;
    let mut from = 0;
    while from < scratch.tops.len {
        let to = scratch.tops.len.min(from + K::WIDTH);
        let tops = &scratch.tops;
        let weighting = if sorted { tops.tagged(k, from, to) } else { weighting(&tops.ranges, from, to) };
        if weighting != scratch.weighting {
            total = total.checked_add(scratch.settle(k)?)?;
            scratch.weighting = weighting;
        }
        meet(k, instance, scratch, from, to);
        from = to;
    }
    total.checked_add(scratch.settle(k)?)
}

/// The lanes of a piece, by weight. A piece of one weight has all lanes, its last ones being empty.
fn weighting(ranges: &[(usize, Weights)], from: usize, to: usize) -> Vec<([u64; 8], Weights)> {
    let mut weighting = Vec::new();
    let mut start = 0;
    for &(end, weights) in ranges {
        let (first, last) = (start.max(from), end.min(to));
        if first == from && last == to {
            return vec![([!0; 8], weights)];
        }
        if first < last {
            weighting.push((lanes(first - from, last - from), weights));
        }
        start = end;
    }
    weighting
}

/// Counts all pairs against one piece of top halves.
#[inline(always)]
fn meet<K: Isa>(k: K, instance: &Instance, scratch: &mut Scratch<K>, from: usize, to: usize) {
    let active: [bool; PairClass::COUNT] =
        std::array::from_fn(|class| scratch.weighting.iter().any(|(_, weights)| weights[class] > 0));
    let (low, high) = (&scratch.tops.low[from..to], &scratch.tops.high[from..to]);
    scratch.piece.build(k, &instance.geometry, &instance.lookups, low, high);
    scratch.work.pieces += 1;
    let mut ruled_out = 0;
    for (rank, &row) in instance.keys.rows().iter().enumerate() {
        if scratch.piece.all_use(row) {
            ruled_out |= Keys::bit(rank);
        }
    }
    for group in &scratch.bottoms.groups {
        let stored = &scratch.bottoms.stored[group.stored.clone()];
        scratch.work.accumulators += stored.len() as u64;
        scratch.piece.accumulate(k, stored);
        for (class, range) in group.units.iter().enumerate() {
            if !active[class] || range.is_empty() {
                continue;
            }
            let units = &scratch.bottoms.units[class];
            let counter = &mut scratch.counters[class];
            let all = All { lookups: &units.lookups[range.clone()], slots: &units.slots[range.clone()] };
            if ruled_out == 0 {
                scratch.work.meetings += range.len() as u64;
                k.count_units(&scratch.piece, &all, counter);
            } else {
                let kept = filter(k, &units.keys[range.clone()], ruled_out, &mut scratch.kept);
                scratch.work.meetings += kept as u64;
                k.count_units(&scratch.piece, &Chosen { all, indices: &scratch.kept[..kept] }, counter);
            }
        }
    }
}

/// Lists the units without a ruled-out key, padded with one of slots 0 and 0 to a multiple of 4. Returns how many.
#[inline(always)]
fn filter<K: Isa>(k: K, keys: &[u32], ruled_out: u32, out: &mut Vec<u32>) -> usize {
    let room = keys.len() + K::LANES + 4;
    if out.len() < room {
        out.resize(2 * room, 0);
    }
    let out = out.as_mut_slice();
    let ruled_out = k.splat(ruled_out);
    let step = k.splat((K::LANES as u32).wrapping_neg());
    let mut indices = k.load(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    let mut kept = 0;
    for at in (0..keys.len()).step_by(K::LANES) {
        let chosen = k.disjoint(k.load(&keys[at..]), ruled_out) & first_lanes(keys.len() - at);
        k.store(k.compress(chosen, indices), &mut out[kept..]);
        kept += chosen.count_ones() as usize;
        indices = k.sub(indices, step);
    }
    let end = kept.next_multiple_of(4);
    out[kept..end].fill(keys.len() as u32);
    end
}
