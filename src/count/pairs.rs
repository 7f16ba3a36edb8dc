//! Pairs of bottom quarters of a column set, in groups whose accumulators fit into the first-level cache.
//!
//! In: a column set (its complement are the bottom's columns). Out: for each group the entries of both
//! quarters in numbered slots, and the compatible pairs of slots by [`PairClass`].
//! A pair is one u32: slots at bits 6..16 (left) and 22..32 (right), key diagonals in the other 12 bits.
//! Cost: one vector comparison per [`Isa::LANES`] pairs of entries of matching cells.

use std::ops::Range;

use super::geometry::Geometry;
use super::halves::first_lanes;
use super::isa::Isa;
use super::pieces::LINES;
use super::quarters::BottomQuarter;
use super::symmetry::{ColumnSet, PairClass, Weigher};

/// Where the entries of the left and of the right quarter have their slots.
/// Slot 0 stays empty, so that the pair 0 adds nothing.
pub const SLOTS: [Range<usize>; 2] = [1..LINES / 2, LINES / 2..LINES];

/// The lowest bit of the slots of either side in a pair.
pub const SHIFT: [u32; 2] = [6, 22];

/// A group of entries and the pairs among them.
#[derive(Clone)]
pub struct Group {
    /// Entries of either side, in [`BottomPairs::codes`] and [`BottomPairs::lookups`]; slots in that order.
    pub entries: [Range<usize>; 2],
    /// Pairs of each class, in [`BottomPairs::pairs`]; lengths are multiples of 8.
    pub pairs: [Range<usize>; PairClass::COUNT],
}

/// Pairs of bottom quarters of one column set.
#[derive(Default)]
pub struct BottomPairs {
    /// The groups.
    pub groups: Vec<Group>,
    /// The lines that each entry looks up.
    pub lookups: [Vec<u64>; 2],
    /// Slot and key diagonals of each entry.
    pub codes: [Vec<u32>; 2],
    /// Pairs by class; longer than used, to be written past the end.
    pub pairs: [Vec<u32>; PairClass::COUNT],
    fill: [usize; PairClass::COUNT],
    /// Pairs in all.
    pub total: u64,
}

/// Entries of one quarter in a cell or a block of it: first those without, then those with a long diagonal.
#[derive(Clone)]
struct Side<'a> {
    quarter: &'a BottomQuarter,
    entries: Range<usize>,
    /// Where the second kind begins.
    long: usize,
}

impl<'a> Side<'a> {
    fn new(quarter: &'a BottomQuarter, columns: u32, rows: u32) -> Self {
        let (short, long) = (quarter.cells.range(columns, rows, 0), quarter.cells.range(columns, rows, 1));
        Self { quarter, entries: short.start..long.end, long: long.start }
    }

    /// The block `index` of `count` even ones.
    fn block(&self, index: usize, count: usize) -> Self {
        let (start, len) = (self.entries.start, self.entries.len());
        let entries = start + len * index / count..start + len * (index + 1) / count;
        let long = self.long.clamp(entries.start, entries.end);
        Self { quarter: self.quarter, entries, long }
    }

    fn masks(&self) -> &'a [u32] {
        &self.quarter.mask[self.entries.clone()]
    }
}

impl BottomPairs {
    /// Lists the pairs of a column set. A group holds at most `capacity` entries, or one block.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "a column set meets all tables")]
    pub fn generate<K: Isa>(
        &mut self,
        k: K,
        geometry: &Geometry,
        weigher: &Weigher,
        (left, right): (&BottomQuarter, &BottomQuarter),
        set: ColumnSet,
        subsets: &[u32],
        capacity: usize,
    ) {
        self.groups.clear();
        self.codes.iter_mut().for_each(Vec::clear);
        self.lookups.iter_mut().for_each(Vec::clear);
        self.fill = [0; PairClass::COUNT];
        self.total = 0;
        let full = geometry.full();
        let shared = (1 << (2 * geometry.high)) - 1;
        self.open_group();
        for &rows in subsets {
            let left = Side::new(left, full ^ set.left, rows);
            let right = Side::new(right, full ^ set.right, full ^ rows);
            if left.entries.is_empty() || right.entries.is_empty() {
                continue;
            }
            let class = weigher.class_without_long(rows);
            // A cell that is larger than the slots is cut into even blocks.
            let lefts = left.entries.len().div_ceil(SLOTS[0].len());
            let rights = right.entries.len().div_ceil(SLOTS[1].len());
            for a in 0..lefts {
                for b in 0..rights {
                    self.block(k, [left.block(a, lefts), right.block(b, rights)], shared, class, capacity);
                }
            }
        }
        self.close_group();
    }

    fn open_group(&mut self) {
        self.groups.push(Group {
            entries: std::array::from_fn(|side| self.codes[side].len()..self.codes[side].len()),
            pairs: std::array::from_fn(|class| self.fill[class]..self.fill[class]),
        });
    }

    fn close_group(&mut self) {
        let Some(group) = self.groups.last_mut() else { return };
        for (entries, codes) in group.entries.iter_mut().zip(&self.codes) {
            entries.end = codes.len();
        }
        for (class, pairs) in self.pairs.iter_mut().enumerate() {
            let fill = &mut self.fill[class];
            let start = group.pairs[class].start;
            self.total += (*fill - start) as u64;
            let end = start + (*fill - start).next_multiple_of(8);
            if pairs.len() < end {
                pairs.resize(end, 0);
            }
            pairs[*fill..end].fill(0);
            *fill = end;
            group.pairs[class].end = end;
        }
    }

    /// Adds the entries of one block and the pairs among them.
    #[inline(always)]
    fn block<K: Isa>(
        &mut self,
        k: K,
        sides: [Side<'_>; 2],
        shared: u32,
        without_long: Option<PairClass>,
        capacity: usize,
    ) {
        let starts = |group: &Group| [group.entries[0].start, group.entries[1].start];
        let mut first = starts(&self.groups[self.groups.len() - 1]);
        let used = [self.codes[0].len() - first[0], self.codes[1].len() - first[1]];
        let wanted = [sides[0].entries.len(), sides[1].entries.len()];
        let fits = used[0] + wanted[0] <= SLOTS[0].len() && used[1] + wanted[1] <= SLOTS[1].len();
        if used[0] > 0 && !(fits && used[0] + used[1] + wanted[0] + wanted[1] <= capacity) {
            self.close_group();
            self.open_group();
            first = starts(&self.groups[self.groups.len() - 1]);
        }
        let room = wanted[0] * wanted[1] + K::LANES;
        for (pairs, fill) in self.pairs.iter_mut().zip(self.fill) {
            if pairs.len() < fill + room {
                pairs.resize(2 * (fill + room), 0);
            }
        }
        for (index, side) in sides.iter().enumerate() {
            let slot = SLOTS[index].start + self.codes[index].len() - first[index];
            let code = (slot as u32) << SHIFT[index];
            let slots = (0..side.entries.len() as u32).map(|i| code + (i << SHIFT[index]));
            self.lookups[index].extend(side.quarter.lookups[side.entries.clone()].iter().copied());
            if side.quarter.keys.is_empty() {
                self.codes[index].extend(slots);
            } else {
                let keys = &side.quarter.keys[side.entries.clone()];
                self.codes[index].extend(slots.zip(keys).map(|(slot, key)| slot | key));
            }
        }
        let [left, right] = &sides;
        let codes = [0, 1].map(|side| &self.codes[side][self.codes[side].len() - wanted[side]..]);
        let [mut inner, mut edge, mut falling, mut rising, mut both] = self.pairs.each_mut().map(Vec::as_mut_slice);
        let longs = (left.long - left.entries.start, right.long - right.entries.start);
        let joiner = Join { k, shared, right: (right.masks(), codes[1]), long: longs.1 };
        let (short_masks, long_masks) = left.masks().split_at(longs.0);
        let (short_codes, long_codes) = codes[0].split_at(longs.0);
        let [inners, edges, fallings, risings, boths] = &mut self.fill;
        let short = (short_masks, short_codes);
        match without_long {
            Some(PairClass::Edge) => joiner.join(short, Some((&mut edge, edges)), (&mut falling, fallings)),
            Some(_) => joiner.join(short, Some((&mut inner, inners)), (&mut falling, fallings)),
            None => joiner.join(short, None, (&mut falling, fallings)),
        }
        joiner.join((long_masks, long_codes), Some((&mut rising, risings)), (&mut both, boths));
    }
}

/// A list of pairs and how much of it is filled.
type Out<'a, 'b> = (&'a mut &'b mut [u32], &'a mut usize);

/// The right side of a block, to be joined with entries of the left.
struct Join<'a, K: Isa> {
    k: K,
    shared: u32,
    right: (&'a [u32], &'a [u32]),
    /// Where entries with a long diagonal begin.
    long: usize,
}

impl<K: Isa> Join<'_, K> {
    /// Appends the codes of all pairs without a common diagonal, by whether the right holds a long one.
    #[inline(always)]
    fn join(&self, (masks, codes): (&[u32], &[u32]), short_out: Option<Out<'_, '_>>, long_out: Out<'_, '_>) {
        if masks.is_empty() {
            return;
        }
        let k = self.k;
        let shared = k.splat(self.shared);
        let (right_masks, right_codes) = self.right;
        if let Some((out, fill)) = short_out {
            for at in (0..self.long).step_by(K::LANES) {
                let rights = k.and(k.load(&right_masks[at..]), shared);
                let right_codes = k.load(&right_codes[at..]);
                let short = first_lanes(self.long - at);
                for (&mask, &code) in masks.iter().zip(codes) {
                    let legal = k.disjoint(k.splat(mask), rights) & short;
                    k.compress(legal, k.or(k.splat(code), right_codes), &mut out[*fill..]);
                    *fill += legal.count_ones() as usize;
                }
            }
        }
        let (out, fill) = long_out;
        for at in (self.long..right_masks.len()).step_by(K::LANES) {
            let rights = k.and(k.load(&right_masks[at..]), shared);
            let right_codes = k.load(&right_codes[at..]);
            let present = first_lanes(right_masks.len() - at);
            for (&mask, &code) in masks.iter().zip(codes) {
                let legal = k.disjoint(k.splat(mask), rights) & present;
                k.compress(legal, k.or(k.splat(code), right_codes), &mut out[*fill..]);
                *fill += legal.count_ones() as usize;
            }
        }
    }
}
