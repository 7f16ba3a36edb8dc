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
    /// Entries of either side, in [`BottomPairs::lookups`]; their slots are in that order.
    pub entries: [Range<usize>; 2],
    /// Pairs of each class, in [`BottomPairs::pairs`]; lengths are multiples of 8.
    pub pairs: [Range<usize>; PairClass::COUNT],
}

/// Pairs of bottom quarters of one column set.
#[derive(Default)]
pub struct BottomPairs {
    /// The groups.
    pub groups: Vec<Group>,
    /// The lines that each entry looks up; longer than used.
    pub lookups: [Vec<u64>; 2],
    /// How many entries there are on either side.
    pub entries: [usize; 2],
    /// Slot and key diagonals of each entry, if there are keys.
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

    fn keys(&self) -> &'a [u32] {
        &self.quarter.keys[self.entries.clone()]
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
        keyed: bool,
        capacity: usize,
    ) {
        self.groups.clear();
        self.codes.iter_mut().for_each(Vec::clear);
        self.entries = [0, 0];
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
                    self.block(
                        k,
                        [left.block(a, lefts), right.block(b, rights)],
                        shared,
                        class,
                        keyed,
                        capacity,
                    );
                }
            }
        }
        self.close_group();
    }

    fn open_group(&mut self) {
        self.groups.push(Group {
            entries: self.entries.map(|entries| entries..entries),
            pairs: std::array::from_fn(|class| self.fill[class]..self.fill[class]),
        });
    }

    fn close_group(&mut self) {
        let Some(group) = self.groups.last_mut() else { return };
        for (entries, &end) in group.entries.iter_mut().zip(&self.entries) {
            entries.end = end;
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
        keyed: bool,
        capacity: usize,
    ) {
        let starts = |group: &Group| [group.entries[0].start, group.entries[1].start];
        let mut first = starts(&self.groups[self.groups.len() - 1]);
        let used = [self.entries[0] - first[0], self.entries[1] - first[1]];
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
        let mut codes = [0; 2];
        for (index, side) in sides.iter().enumerate() {
            codes[index] = ((SLOTS[index].start + self.entries[index] - first[index]) as u32) << SHIFT[index];
            self.copy_lookups(index, side);
            if keyed {
                let keys = side.quarter.keys[side.entries.clone()].iter().enumerate();
                self.codes[index]
                    .extend(keys.map(|(i, key)| (codes[index] + ((i as u32) << SHIFT[index])) | key));
            }
        }
        let [left, right] = &sides;
        let [mut inner, mut edge, mut falling, mut rising, mut both] =
            self.pairs.each_mut().map(Vec::as_mut_slice);
        let longs = (left.long - left.entries.start, right.long - right.entries.start);
        let right =
            Right { k, shared, masks: right.masks(), keys: right.keys(), first: codes[1], long: longs.1 };
        let (short_masks, long_masks) = left.masks().split_at(longs.0);
        let (short_keys, long_keys) = left.keys().split_at(longs.0);
        let [inners, edges, fallings, risings, boths] = &mut self.fill;
        let short = (short_masks, short_keys, codes[0]);
        match without_long {
            Some(PairClass::Edge) => right.join(short, Some((&mut edge, edges)), (&mut falling, fallings)),
            Some(_) => right.join(short, Some((&mut inner, inners)), (&mut falling, fallings)),
            None => right.join(short, None, (&mut falling, fallings)),
        }
        let long = (long_masks, long_keys, codes[0] + ((longs.0 as u32) << SHIFT[0]));
        right.join(long, Some((&mut rising, risings)), (&mut both, boths));
    }

    /// Copies a side's lookups by whole chunks: most runs are shorter than a call of `memcpy` is long.
    #[inline(always)]
    fn copy_lookups(&mut self, index: usize, side: &Side<'_>) {
        const CHUNK: usize = BottomQuarter::PADDING;
        let (to, from) = (self.entries[index], side.entries.start);
        let lookups = &mut self.lookups[index];
        self.entries[index] += side.entries.len();
        if lookups.len() < self.entries[index] + CHUNK {
            lookups.resize(2 * (self.entries[index] + CHUNK), 0);
        }
        for at in (0..side.entries.len()).step_by(CHUNK) {
            let chunk = &side.quarter.lookups[from + at..from + at + CHUNK];
            lookups[to + at..to + at + CHUNK].copy_from_slice(chunk);
        }
    }
}

/// A list of pairs and how much of it is filled.
type Out<'a, 'b> = (&'a mut &'b mut [u32], &'a mut usize);

/// The right side of a block, to be joined with entries of the left.
struct Right<'a, K: Isa> {
    k: K,
    shared: u32,
    masks: &'a [u32],
    keys: &'a [u32],
    /// Code of the first entry's slot.
    first: u32,
    /// Where entries with a long diagonal begin.
    long: usize,
}

impl<K: Isa> Right<'_, K> {
    /// Appends the codes of all pairs without a common diagonal, by whether the right holds a long one.
    #[inline(always)]
    fn join(&self, left: (&[u32], &[u32], u32), short: Option<Out<'_, '_>>, long: Out<'_, '_>) {
        if left.0.is_empty() {
            return;
        }
        if let Some(out) = short {
            self.join_range(left, 0..self.long, out);
        }
        self.join_range(left, self.long..self.masks.len(), long);
    }

    #[inline(always)]
    fn join_range(
        &self,
        (masks, keys, first): (&[u32], &[u32], u32),
        range: Range<usize>,
        (out, fill): Out<'_, '_>,
    ) {
        let k = self.k;
        let shared = k.splat(self.shared);
        let ramp = k.shl(k.load(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]), SHIFT[1]);
        let out = &mut **out;
        let mut next = *fill;
        for at in range.clone().step_by(K::LANES) {
            let rights = k.and(k.load(&self.masks[at..]), shared);
            let code = self.first + ((at as u32) << SHIFT[1]);
            let codes = k.or(k.sub(ramp, k.splat(code.wrapping_neg())), k.load(&self.keys[at..]));
            let present = first_lanes(range.end - at);
            let mut code = first;
            for (&mask, &key) in masks.iter().zip(keys) {
                let legal = k.disjoint(k.splat(mask), rights) & present;
                k.compress(legal, k.or(k.splat(code | key), codes), &mut out[next..]);
                next += legal.count_ones() as usize;
                code += 1 << SHIFT[0];
            }
        }
        *fill = next;
    }
}
