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
use super::symmetry::{ColumnSet, PairClass, Symmetry};

/// Where the entries of a kind have their slots: left short, left long, right short, right long.
/// Slot 0 stays empty, so that the pair 0 adds nothing.
pub const SLOTS: [Range<usize>; 4] = [1..320, 320..512, 512..832, 832..LINES];

/// A group of entries and the pairs among them.
#[derive(Clone)]
pub struct Group {
    /// Used slots of each kind.
    pub slots: [Range<usize>; 4],
    /// Codes of each kind, in [`BottomPairs::codes`].
    pub codes: [Range<usize>; 4],
    /// Pairs of each class, in [`BottomPairs::pairs`]; lengths are multiples of 8.
    pub pairs: [Range<usize>; PairClass::COUNT],
}

/// Pairs of bottom quarters of one column set.
#[derive(Default)]
pub struct BottomPairs {
    /// The groups.
    pub groups: Vec<Group>,
    /// For each group the lookups of the entry in each slot.
    pub lookups: Vec<[u64; LINES]>,
    /// Slot and key diagonals of each entry, by kind.
    pub codes: [Vec<u32>; 4],
    /// Pairs by class; longer than used, to be written past the end.
    pub pairs: [Vec<u32>; PairClass::COUNT],
    fill: [usize; PairClass::COUNT],
    /// Pairs in all.
    pub total: u64,
}

impl BottomPairs {
    /// Lists the pairs of a column set. A group holds at most `capacity` entries, or one block.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "a column set meets all tables")]
    pub fn generate<K: Isa>(
        &mut self,
        k: K,
        geometry: &Geometry,
        symmetry: &Symmetry,
        (left, right): (&BottomQuarter, &BottomQuarter),
        set: ColumnSet,
        subsets: &[u32],
        capacity: usize,
    ) {
        self.groups.clear();
        self.codes.iter_mut().for_each(Vec::clear);
        self.fill = [0; PairClass::COUNT];
        self.total = 0;
        let full = geometry.full();
        let shared = (1 << (2 * geometry.high)) - 1;
        let columns = (full ^ set.left, full ^ set.right);
        self.open_group();
        for &rows in subsets {
            let cells = [
                left.cells.range(columns.0, rows, 0),
                left.cells.range(columns.0, rows, 1),
                right.cells.range(columns.1, full ^ rows, 0),
                right.cells.range(columns.1, full ^ rows, 1),
            ];
            let class = symmetry.class_without_long(set, rows);
            let (lefts, rights) = (blocks(&cells[0], &cells[1]), blocks(&cells[2], &cells[3]));
            for a in 0..lefts {
                for b in 0..rights {
                    let part = |kind: usize| {
                        let (index, count) = if kind < 2 { (a, lefts) } else { (b, rights) };
                        let (start, len) = (cells[kind].start, cells[kind].len());
                        start + len * index / count..start + len * (index + 1) / count
                    };
                    self.block(
                        k,
                        (left, right),
                        [part(0), part(1), part(2), part(3)],
                        shared,
                        class,
                        capacity,
                    );
                }
            }
        }
        self.close_group();
    }

    fn open_group(&mut self) {
        let index = self.groups.len();
        if self.lookups.len() == index {
            self.lookups.push([0; LINES]);
        }
        self.groups.push(Group {
            slots: SLOTS.map(|slots| slots.start..slots.start),
            codes: std::array::from_fn(|kind| self.codes[kind].len()..self.codes[kind].len()),
            pairs: std::array::from_fn(|class| self.fill[class]..self.fill[class]),
        });
    }

    fn close_group(&mut self) {
        let Some(group) = self.groups.last_mut() else { return };
        for kind in 0..4 {
            group.codes[kind].end = self.codes[kind].len();
        }
        for (class, pairs) in self.pairs.iter_mut().enumerate() {
            let fill = &mut self.fill[class];
            self.total += (*fill - group.pairs[class].start) as u64;
            let end = group.pairs[class].start + (*fill - group.pairs[class].start).next_multiple_of(8);
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
        (left, right): (&BottomQuarter, &BottomQuarter),
        parts: [Range<usize>; 4],
        shared: u32,
        without_long: Option<PairClass>,
        capacity: usize,
    ) {
        if parts[0].len() + parts[1].len() == 0 || parts[2].len() + parts[3].len() == 0 {
            return;
        }
        let group = &self.groups[self.groups.len() - 1];
        let used: usize = group.slots.iter().map(ExactSizeIterator::len).sum();
        let wanted: usize = parts.iter().map(ExactSizeIterator::len).sum();
        let fits = (0..4).all(|kind| group.slots[kind].end + parts[kind].len() <= SLOTS[kind].end);
        if used > 0 && (!fits || used + wanted > capacity) {
            self.close_group();
            self.open_group();
        }
        let index = self.groups.len() - 1;
        for kind in 0..4 {
            let quarter = if kind < 2 { left } else { right };
            let shift = if kind < 2 { 6 } else { 22 };
            let slot = self.groups[index].slots[kind].end;
            let part = parts[kind].clone();
            self.lookups[index][slot..slot + part.len()].copy_from_slice(&quarter.lookups[part.clone()]);
            self.groups[index].slots[kind].end = slot + part.len();
            let slots = slot as u32..(slot + part.len()) as u32;
            if quarter.keys.is_empty() {
                self.codes[kind].extend(slots.map(|slot| slot << shift));
            } else {
                self.codes[kind]
                    .extend(slots.zip(&quarter.keys[part]).map(|(slot, key)| slot << shift | key));
            }
        }
        let classes =
            [without_long, Some(PairClass::Falling), Some(PairClass::Rising), Some(PairClass::Both)];
        for (class, (a, b)) in classes.into_iter().zip([(0, 2), (0, 3), (1, 2), (1, 3)]) {
            let Some(class) = class else { continue };
            let (class, a_part, b_part) = (class as usize, parts[a].clone(), parts[b].clone());
            if a_part.is_empty() || b_part.is_empty() {
                continue;
            }
            let room = self.fill[class] + a_part.len() * b_part.len() + K::LANES;
            if self.pairs[class].len() < room {
                self.pairs[class].resize(2 * room, 0);
            }
            let a_codes = &self.codes[a][self.codes[a].len() - a_part.len()..];
            let b_codes = &self.codes[b][self.codes[b].len() - b_part.len()..];
            let a_side = (&left.mask[a_part], a_codes);
            let b_side = (&right.mask[b_part], b_codes);
            let (short, long) =
                if a_codes.len() > b_codes.len() { (b_side, a_side) } else { (a_side, b_side) };
            self.fill[class] = join(k, short, long, shared, &mut self.pairs[class], self.fill[class]);
        }
    }
}

/// Into how many blocks a cell is cut so that each fits into the slots.
fn blocks(short: &Range<usize>, long: &Range<usize>) -> usize {
    if short.is_empty() && long.is_empty() {
        return 0;
    }
    short.len().div_ceil(SLOTS[0].len() - 20).max(long.len().div_ceil(SLOTS[1].len() - 20))
}

/// Appends the codes of all pairs without a shared diagonal; returns how much of `out` is filled.
#[inline(always)]
fn join<K: Isa>(
    k: K,
    (a_masks, a_codes): (&[u32], &[u32]),
    (b_masks, b_codes): (&[u32], &[u32]),
    shared: u32,
    out: &mut [u32],
    mut fill: usize,
) -> usize {
    let shared = k.splat(shared);
    for at in (0..b_masks.len()).step_by(K::LANES) {
        let masks = k.and(k.load(&b_masks[at..]), shared);
        let codes = k.load(&b_codes[at..]);
        let present = first_lanes(b_masks.len() - at);
        for (&mask, &code) in a_masks.iter().zip(a_codes) {
            let legal = k.disjoint(k.splat(mask), masks) & present;
            k.compress(legal, k.or(k.splat(code), codes), &mut out[fill..]);
            fill += legal.count_ones() as usize;
        }
    }
    fill
}
