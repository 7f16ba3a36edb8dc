//! Pairs of bottom quarters of a column set, in groups whose accumulators fit into the first-level cache.
//!
//! In: a column set (its complement are the bottom's columns). One quarter *leads*, the one with fewer entries; those
//! of the other are *stored*. Out: for each group the stored entries in numbered slots, and *units*: a leading entry
//! with one or two stored entries that it is compatible with, by [`PairClass`]. A missing second entry is slot 0,
//! which no top half fits. So the accumulator of a leading entry is needed once or twice, at once, and never kept.
//! Cost: one vector comparison for a leading entry and [`Isa::LANES`] stored ones, without and with a long diagonal.

use std::ops::Range;

use super::halves::first_lanes;
use super::isa::Isa;
use super::pieces::SLOTS;
use super::quarters::{BottomQuarter, Subsets};
use super::symmetry::{PairClass, Weigher};

/// The most stored entries of a group. Parts of a cell's two kinds, rounded up, fit as well.
const MOST: usize = SLOTS - 3;

/// Stored entries and the units that they are in.
#[derive(Clone)]
pub struct Group {
    /// Entries, in [`BottomPairs::stored`]; their slots are in that order.
    pub stored: Range<usize>,
    /// Units of each class, in [`BottomPairs::units`]; lengths are multiples of 4.
    pub units: [Range<usize>; PairClass::COUNT],
}

/// Units of one class; the vectors are longer than used, to be written past the end.
#[derive(Default)]
pub struct Units {
    /// Lookups of the leading entries.
    pub lookups: Vec<u64>,
    /// Places of the stored entries' accumulators, 16 bits each.
    pub slots: Vec<u32>,
    /// Keys that the leading entry or both stored entries use, if there are keys.
    pub keys: Vec<u32>,
    len: usize,
}

/// Pairs of bottom quarters of one column set.
#[derive(Default)]
pub struct BottomPairs {
    /// The groups.
    pub groups: Vec<Group>,
    /// Lookups of the stored entries.
    pub stored: Vec<u64>,
    /// Whether the right quarter leads.
    pub right_leads: bool,
    /// Units by class.
    pub units: [Units; PairClass::COUNT],
    /// Pairs in all.
    pub total: u64,
}

/// Entries of one bottom quarter that use one set of columns: its table, or some of them in the same order.
#[derive(Clone, Copy)]
pub struct Entries<'a> {
    /// Diagonals that the quarters share.
    pub masks: &'a [u32],
    /// Where they look into a piece's tables.
    pub lookups: &'a [u64],
    /// Keys that they use.
    pub keys: &'a [u32],
    /// Where cells begin: those without a long diagonal by rank, those with one, and the end.
    pub starts: &'a [u32],
}

impl<'a> Entries<'a> {
    /// All entries of a quarter's table that use these columns.
    pub fn new(quarter: &'a BottomQuarter, subsets: &Subsets, columns: u32) -> Self {
        let BottomQuarter { cells, mask, lookups, keys } = quarter;
        Self { masks: mask, lookups, keys, starts: cells.starts(subsets, columns) }
    }

    fn len(&self) -> u32 {
        self.starts[self.starts.len() - 1] - self.starts[0]
    }

    /// How many ranks there are.
    fn ranks(&self) -> usize {
        self.starts.len() / 2
    }

    /// Where the cells of these ranks begin, and the end.
    #[inline(always)]
    fn cells(&self, long: bool, ranks: &Range<usize>) -> &'a [u32] {
        let first = if long { self.ranks() } else { 0 };
        &self.starts[first + ranks.start..=first + ranks.end]
    }

    /// How many entries these ranks have.
    #[inline(always)]
    fn count(&self, ranks: Range<usize>) -> usize {
        [false, true].map(|long| extent(self.cells(long, &ranks)).len()).iter().sum()
    }
}

/// All entries of some cells.
#[inline(always)]
fn extent(cells: &[u32]) -> Range<usize> {
    cells[0] as usize..cells[cells.len() - 1] as usize
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
    /// Lists the pairs of entries of the left and of the right. `rows` are the row sets of the left, reversed and in
    /// order. A group stores at most `capacity` entries, or those of one rank.
    #[inline(always)]
    pub fn generate<K: Isa>(
        &mut self,
        k: K,
        weigher: &Weigher,
        rows: &[u32],
        [left, right]: [Entries<'_>; 2],
        keyed: bool,
        capacity: usize,
    ) {
        self.groups.clear();
        self.stored.clear();
        self.units.iter_mut().for_each(|units| units.len = 0);
        self.total = 0;
        self.right_leads = right.len() > left.len();
        let mut without_long = weigher.without_long(rows);
        let (lead, stored) = if self.right_leads { (right, left) } else { (left, right) };
        if self.right_leads {
            for (ranks, _) in &mut without_long {
                *ranks = rows.len() - ranks.end..rows.len() - ranks.start;
            }
        }
        let most = capacity.min(MOST);
        let mut from = 0;
        while from < rows.len() {
            let (mut to, mut beyond) = (from + 1, rows.len() + 1);
            while to + 1 < beyond {
                let middle = to.midpoint(beyond);
                *(if stored.count(from..middle) > most { &mut beyond } else { &mut to }) = middle;
            }
            // Cells that are larger than the slots are cut into even parts.
            let parts = stored.count(from..to).div_ceil(MOST);
            for part in 0..parts {
                let cells = [false, true].map(|long| stored.cells(long, &(from..to)));
                let cut = cells.map(|cells| {
                    let all = extent(cells);
                    [part, part + 1].map(|part| (all.start + all.len() * part / parts) as u32)
                });
                let cells = if parts == 1 { cells } else { cut.each_ref().map(|cut| &cut[..]) };
                // Ranks that complete each other run in opposite directions.
                let ranks = rows.len() - to..rows.len() - from;
                if keyed {
                    self.group::<K, true>(k, &lead, ranks, &stored, cells, &without_long);
                } else {
                    self.group::<K, false>(k, &lead, ranks, &stored, cells, &without_long);
                }
            }
            from = to;
        }
    }

    /// Adds a group: the entries of `cells`, without and with a long diagonal, the pairs that they make with
    /// leading entries of `ranks`, and their classes.
    #[inline(always)]
    fn group<K: Isa, const KEYED: bool>(
        &mut self,
        k: K,
        lead: &Entries<'_>,
        ranks: Range<usize>,
        stored: &Entries<'_>,
        cells: [&[u32]; 2],
        without_long: &[(Range<usize>, PairClass); 3],
    ) {
        self.open_group();
        let first = self.stored.len();
        for (stored_long, cells) in [false, true].into_iter().zip(cells) {
            let entries = extent(cells);
            let to_slot = (1 + self.stored.len() - first).wrapping_sub(entries.start);
            self.stored.extend_from_slice(&stored.lookups[entries]);
            // A pair with one long diagonal holds that of the leading or that of the stored entry.
            let one = if stored_long == self.right_leads { PairClass::Rising } else { PairClass::Falling };
            let whole = |class| [(ranks.clone(), class), (0..0, class), (0..0, class)];
            let short_leads = if stored_long { &whole(one) } else { without_long };
            let long_leads = &whole(if stored_long { PairClass::Both } else { one });
            for (long, leads) in [(false, short_leads), (true, long_leads)] {
                for (counted, class) in leads {
                    let counted = counted.start.max(ranks.start)..counted.end.min(ranks.end);
                    if counted.is_empty() {
                        continue;
                    }
                    let cells = &cells[ranks.end - counted.end..=ranks.end - counted.start];
                    let units = &mut self.units[*class as usize];
                    let leads = (lead, lead.cells(long, &counted));
                    self.total += join::<K, KEYED>(k, leads, (stored, cells, to_slot), units);
                }
            }
        }
        self.close_group();
    }

    fn open_group(&mut self) {
        let units = self.units.each_ref().map(|units| units.len..units.len);
        self.groups.push(Group { stored: self.stored.len()..self.stored.len(), units });
    }

    fn close_group(&mut self) {
        let Some(group) = self.groups.last_mut() else { return };
        group.stored.end = self.stored.len();
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
}

/// Appends the units of the leading entries of each cell and the stored entries of the cell that completes it. Returns
/// the number of pairs.
#[inline(always)]
fn join<K: Isa, const KEYED: bool>(
    k: K,
    (lead, leads): (&Entries<'_>, &[u32]),
    (stored, cells, to_slot): (&Entries<'_>, &[u32], usize),
    units: &mut Units,
) -> u64 {
    let ramp = k.load(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    let ramp = k.shl(ramp, K::WORDS.trailing_zeros());
    let none = k.splat(!0);
    let mut pairs = 0;
    for (leads, cell) in leads.windows(2).zip(cells.windows(2).rev()) {
        let (leads, cell) = (extent(leads), extent(cell));
        if leads.is_empty() || cell.is_empty() {
            continue;
        }
        let masks = &lead.masks[leads.clone()];
        let (lookups, keys) = (&lead.lookups[leads.clone()], &lead.keys[leads]);
        units.reserve((masks.len() + 1) * cell.len().next_multiple_of(K::LANES) / 2);
        let mut writer = Writer::new(units);
        for at in cell.clone().step_by(K::LANES) {
            let stored_masks = k.load(&stored.masks[at..]);
            let lanes = first_lanes(cell.end - at);
            let place = to_slot.wrapping_add(at) * K::WORDS;
            let places = k.sub(ramp, k.splat((place as u32).wrapping_neg()));
            let unused = if KEYED { k.xor(k.load(&stored.keys[at..]), none) } else { none };
            for ((&mask, &lookups), &keys) in masks.iter().zip(lookups).zip(keys) {
                let legal = k.disjoint(k.splat(mask), stored_masks) & lanes;
                pairs += writer.add::<K, KEYED>(k, places, unused, legal, lookups, keys);
            }
        }
        *writer.len = writer.next;
    }
    pairs
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
        places: K::Words,
        unused: K::Words,
        legal: u32,
        lookups: u64,
        keys: u32,
    ) -> u64 {
        let range = self.next..self.next + K::LANES / 2;
        let pairs = legal.count_ones() as usize;
        k.store_halves(k.compress(legal, places), &mut self.slots[range.clone()]);
        let out = &mut self.lookups[range];
        out[..4].fill(lookups);
        // Shorter stores are faster, and more than 8 pairs are rare.
        if pairs > 8 {
            out[4..].fill(lookups);
        }
        if KEYED {
            let (first, second) = k.unzip(k.compress(legal, unused));
            let both = k.xor(k.or(first, second), k.splat(!0));
            k.store(k.or(both, k.splat(keys)), &mut self.keys[self.next..]);
        }
        self.next += pairs.div_ceil(2);
        pairs as u64
    }
}
