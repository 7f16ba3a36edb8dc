//! Pairs of bottom quarters of a column set, in groups whose accumulators fit into the first-level cache.
//!
//! In: a column set (its complement are the bottom's columns). Out: for each group the entries of the right
//! quarter in numbered slots, and *units*: an entry of the left with one or two entries of the right that it
//! is compatible with, by [`PairClass`]. A missing second entry is slot 0, which no top half fits. So the
//! accumulator of a left entry is needed once or twice, at once, and never stored.
//! Cost: one vector comparison per [`Isa::LANES`] pairs of entries of matching cells.

use std::ops::Range;

use super::geometry::Geometry;
use super::halves::first_lanes;
use super::isa::Isa;
use super::pieces::SLOTS;
use super::quarters::BottomQuarter;
use super::symmetry::{ColumnSet, PairClass, Weigher};

/// Entries of the right quarter and the units that they are in.
#[derive(Clone)]
pub struct Group {
    /// Entries, in [`BottomPairs::rights`]; their slots are in that order.
    pub rights: Range<usize>,
    /// Units of each class, in [`BottomPairs::units`]; lengths are multiples of 4.
    pub units: [Range<usize>; PairClass::COUNT],
}

/// Units of one class; the vectors are longer than used, to be written past the end.
#[derive(Default)]
pub struct Units {
    /// Lookups of the left entries.
    pub lookups: Vec<u64>,
    /// Places of the right entries' accumulators, 16 bits each.
    pub slots: Vec<u32>,
    /// Keys that the left entry or both right entries use, if there are keys.
    pub keys: Vec<u32>,
    len: usize,
}

/// Pairs of bottom quarters of one column set.
#[derive(Default)]
pub struct BottomPairs {
    /// The groups.
    pub groups: Vec<Group>,
    /// Lookups of the entries of the right.
    pub rights: Vec<u64>,
    /// Units by class.
    pub units: [Units; PairClass::COUNT],
    /// Pairs in all.
    pub total: u64,
    keyed: bool,
    capacity: usize,
}

/// Entries of one quarter in a cell or a block of it: first those without, then those with a long diagonal.
#[derive(Clone)]
struct Side<'a> {
    masks: &'a [u32],
    lookups: &'a [u64],
    keys: &'a [u32],
    /// Where the second kind begins.
    long: usize,
}

impl<'a> Side<'a> {
    #[inline(always)]
    fn new(quarter: &'a BottomQuarter, columns: u32, rows: u32) -> Self {
        let (short, long) = (quarter.cells.range(columns, rows, 0), quarter.cells.range(columns, rows, 1));
        let entries = short.start..long.end;
        Self {
            masks: &quarter.mask[entries.clone()],
            lookups: &quarter.lookups[entries.clone()],
            keys: &quarter.keys[entries],
            long: short.len(),
        }
    }

    /// The entries `range`.
    #[inline(always)]
    fn part(&self, range: Range<usize>) -> Self {
        let long = self.long.clamp(range.start, range.end) - range.start;
        Self {
            masks: &self.masks[range.clone()],
            lookups: &self.lookups[range.clone()],
            keys: &self.keys[range],
            long,
        }
    }
}

impl Units {
    /// Makes room for so many more units.
    #[inline(always)]
    fn reserve(&mut self, more: usize) {
        if self.slots.len() < self.len + more {
            self.grow(2 * (self.len + more));
        }
    }

    #[cold]
    fn grow(&mut self, len: usize) {
        self.lookups.resize(len, 0);
        self.slots.resize(len, 0);
        self.keys.resize(len, 0);
    }
}

impl BottomPairs {
    /// Lists the pairs of a column set. A group holds at most `capacity` entries of the right, or one block.
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
        (self.keyed, self.capacity) = (keyed, capacity);
        self.groups.clear();
        self.rights.clear();
        self.units.iter_mut().for_each(|units| units.len = 0);
        self.total = 0;
        let full = geometry.full();
        self.open_group();
        for &rows in subsets {
            let left = Side::new(left, full ^ set.left, rows);
            let right = Side::new(right, full ^ set.right, full ^ rows);
            if left.masks.is_empty() || right.masks.is_empty() {
                continue;
            }
            let class = weigher.class_without_long(rows);
            // A cell that is larger than the slots is cut into even blocks.
            let blocks = right.masks.len().div_ceil(SLOTS - 1);
            for block in 0..blocks {
                let at = |block: usize| right.masks.len() * block / blocks;
                self.block(k, &left, &right.part(at(block)..at(block + 1)), class);
            }
        }
        self.close_group();
    }

    fn open_group(&mut self) {
        let units = self.units.each_ref().map(|units| units.len..units.len);
        self.groups.push(Group { rights: self.rights.len()..self.rights.len(), units });
    }

    fn close_group(&mut self) {
        let Some(group) = self.groups.last_mut() else { return };
        group.rights.end = self.rights.len();
        for (range, units) in group.units.iter_mut().zip(&mut self.units) {
            let end = range.start + (units.len - range.start).next_multiple_of(4);
            units.reserve(4);
            units.slots[units.len..end].fill(0);
            units.lookups[units.len..end].fill(0);
            units.keys[units.len..end].fill(0);
            units.len = end;
            range.end = end;
        }
    }

    /// Adds the entries of one block and the pairs among them.
    #[inline(always)]
    fn block<K: Isa>(&mut self, k: K, left: &Side<'_>, right: &Side<'_>, without_long: Option<PairClass>) {
        let mut first = self.groups[self.groups.len() - 1].rights.start;
        let wanted = self.rights.len() - first + right.masks.len();
        if self.rights.len() > first && (wanted > self.capacity || wanted >= SLOTS) {
            self.close_group();
            self.open_group();
            first = self.rights.len();
        }
        let vectors = right.masks.len().div_ceil(K::LANES);
        for units in &mut self.units {
            units.reserve((vectors * left.masks.len() + 2) * K::LANES / 2);
        }
        let slot = 1 + self.rights.len() - first;
        self.rights.extend_from_slice(right.lookups);
        let [inner, edge, falling, rising, both] = &mut self.units;
        let inner = if without_long == Some(PairClass::Edge) { edge } else { inner };
        let (left_short, left_long) = (left.part(0..left.long), left.part(left.long..left.masks.len()));
        for at in (0..right.masks.len()).step_by(K::LANES) {
            let rights = Rights::new(k, &right.masks[at..], slot + at, &right.keys[at..]);
            let present = first_lanes(right.masks.len() - at);
            let short = present & first_lanes(right.long.saturating_sub(at));
            let long = present & !short;
            let counted = if without_long.is_some() { short } else { 0 };
            if self.keyed {
                self.total += rights.join::<true>(k, &left_short, (counted, inner), (long, falling));
                self.total += rights.join::<true>(k, &left_long, (short, rising), (long, both));
            } else {
                self.total += rights.join::<false>(k, &left_short, (counted, inner), (long, falling));
                self.total += rights.join::<false>(k, &left_long, (short, rising), (long, both));
            }
        }
    }
}

/// A vector of entries of the right, to be joined with entries of the left.
struct Rights<K: Isa> {
    /// Diagonals that the quarters share.
    masks: K::Words,
    /// Places of accumulators.
    places: K::Words,
    /// Keys that an entry does not use.
    unused: K::Words,
}

impl<K: Isa> Rights<K> {
    #[inline(always)]
    fn new(k: K, masks: &[u32], slot: usize, keys: &[u32]) -> Self {
        let ramp = k.load(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        let places = k.shl(k.sub(ramp, k.splat((slot as u32).wrapping_neg())), K::WORDS.trailing_zeros());
        Self { masks: k.load(masks), places, unused: k.xor(k.load(keys), k.splat(!0)) }
    }

    /// Appends the units of all pairs without a common diagonal, for lanes without and with a long diagonal;
    /// returns how many pairs there are.
    #[inline(always)]
    fn join<const KEYED: bool>(
        &self,
        k: K,
        left: &Side<'_>,
        (short, shorts): (u32, &mut Units),
        (long, longs): (u32, &mut Units),
    ) -> u64 {
        let mut pairs = 0;
        let mut shorts = Writer::new(shorts);
        let lefts = left.masks.iter().zip(left.lookups).zip(left.keys);
        if long == 0 {
            for ((&mask, &lookups), &keys) in lefts {
                let legal = k.disjoint(k.splat(mask), self.masks) & short;
                pairs += shorts.add::<K, KEYED>(k, self, legal, lookups, keys);
            }
        } else if short == 0 {
            let mut longs = Writer::new(longs);
            for ((&mask, &lookups), &keys) in lefts {
                let legal = k.disjoint(k.splat(mask), self.masks) & long;
                pairs += longs.add::<K, KEYED>(k, self, legal, lookups, keys);
            }
            *longs.len = longs.next;
        } else {
            let mut longs = Writer::new(longs);
            for ((&mask, &lookups), &keys) in lefts {
                let legal = k.disjoint(k.splat(mask), self.masks);
                pairs += shorts.add::<K, KEYED>(k, self, legal & short, lookups, keys);
                pairs += longs.add::<K, KEYED>(k, self, legal & long, lookups, keys);
            }
            *longs.len = longs.next;
        }
        *shorts.len = shorts.next;
        pairs
    }
}

/// Units being appended.
struct Writer<'a> {
    lookups: &'a mut [u64],
    slots: &'a mut [u32],
    keys: &'a mut [u32],
    next: usize,
    len: &'a mut usize,
}

impl<'a> Writer<'a> {
    #[inline(always)]
    fn new(units: &'a mut Units) -> Self {
        let room = units.slots.len();
        let (lookups, slots, keys) =
            (&mut units.lookups[..room], &mut units.slots[..room], &mut units.keys[..room]);
        Self { lookups, slots, keys, next: units.len, len: &mut units.len }
    }

    /// Adds the units of one left entry with some lanes of the right; returns how many lanes.
    #[inline(always)]
    fn add<K: Isa, const KEYED: bool>(
        &mut self,
        k: K,
        rights: &Rights<K>,
        legal: u32,
        lookups: u64,
        keys: u32,
    ) -> u64 {
        let range = self.next..self.next + K::LANES / 2;
        let pairs = legal.count_ones() as usize;
        k.store_halves(k.compress(legal, rights.places), &mut self.slots[range.clone()]);
        let out = &mut self.lookups[range];
        out[..4].fill(lookups);
        // Shorter stores are faster, and more than 8 pairs are rare.
        if pairs > 8 {
            out[4..].fill(lookups);
        }
        if KEYED {
            let (first, second) = k.unzip(k.compress(legal, rights.unused));
            let both = k.xor(k.or(first, second), k.splat(!0));
            k.store(k.or(both, k.splat(keys)), &mut self.keys[self.next..]);
        }
        self.next += pairs.div_ceil(2);
        pairs as u64
    }
}
