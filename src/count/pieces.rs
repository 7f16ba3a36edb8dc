//! A piece of top halves as bitsets, and the counting of pairs against it.
//!
//! A piece is up to [`Isa::WIDTH`] top halves. Transposed, row b of it says which tops use crossing
//! diagonal b. A *line* has one bit a top. For any value of a small group of diagonals a table holds the
//! line of tops that use none of them, so that a bottom quarter's entry finds its compatible tops (its
//! *accumulator*) by four lookups:
//!
//! ```text
//! entry of the left   S_high T_high | S_low      lines  A & B & C & D
//! entry of the right  S_high T_high | T_low      lines  A & B & C'& D'
//! unit                accumulator of the left & accumulator of one right or two, bits counted
//! ```
//!
//! Accumulators of the right are stored, those of the left are used where they are computed.
//! Bits are counted vertically: a tree of full adders keeps, for each top, a binary counter over lines.
//! Cost: lines to build a table, 4 loads an entry of the right, 6 loads and about 10 operations a unit.

use std::marker::PhantomData;

use super::geometry::Geometry;
use super::isa::Isa;

/// Slots for accumulators.
pub const SLOTS: usize = 1024;

/// How the bits of a bottom entry's mask are grouped into four lookups.
#[derive(Clone, Copy, Debug)]
pub struct Lookups {
    /// Bits of each group, lowest first.
    widths: [u32; 4],
    /// First line of each group's table, for entries of the left.
    left: [u32; 4],
    /// The same for entries of the right; the first two tables are shared.
    right: [u32; 4],
    /// Words of a line.
    words: u32,
    /// Diagonals that both bottom quarters share, the lowest bits of a mask.
    shared: u32,
    /// Diagonals of a quarter's own field.
    own: u32,
}

impl Lookups {
    /// The grouping for a cut board and lines of so many words.
    pub fn new(geometry: &Geometry, words: usize) -> Self {
        let bits = geometry.bottom_bits();
        let widths = [3, 2, 1, 0].map(|round| (bits + round) / 4);
        let [a, b, c, d] = widths.map(|width| 1 << width);
        assert!(widths[0] + widths[1] <= 2 * geometry.high);
        let left = [0, a, a + b, a + b + c];
        let right = [0, a, a + b + c + d, a + b + c + d + c];
        Self { widths, left, right, words: words as u32, shared: 2 * geometry.high, own: geometry.low }
    }

    /// The places of the four lines that a mask looks up, 16 bits each.
    pub fn of_mask(&self, mask: u64, right: bool) -> u64 {
        let bases = if right { self.right } else { self.left };
        let mut rest = mask;
        let mut lookups = 0;
        for (group, (base, width)) in bases.into_iter().zip(self.widths).enumerate() {
            let line = base + (rest & ((1 << width) - 1)) as u32;
            lookups |= u64::from(line * self.words) << (16 * group);
            rest >>= width;
        }
        lookups
    }

    /// The rows of the bit matrix that an entry with these lookups uses.
    pub fn uses(&self, lookups: u64, right: bool) -> u64 {
        let bases = if right { self.right } else { self.left };
        let mut shift = 0;
        let mut mask = 0;
        for (group, (base, width)) in bases.into_iter().zip(self.widths).enumerate() {
            let line = (place(lookups, group) / self.words as usize) as u64;
            mask |= (line - u64::from(base)) << shift;
            shift += width;
        }
        let (shared, own) = (mask & ((1 << self.shared) - 1), mask >> self.shared);
        shared | own << self.row(self.shared, right)
    }

    /// Row of the bit matrix for a bit of a mask.
    pub fn row(&self, bit: u32, right: bool) -> u32 {
        if right && bit >= self.shared { bit + self.own } else { bit }
    }
}

/// The place that 16 bits name.
#[inline(always)]
fn place(packed: u64, index: usize) -> usize {
    usize::from((packed >> (16 * index)) as u16)
}

/// Lines by the place of their first word. Any 16 bits are a place, so that none needs to be checked.
#[repr(align(64))]
struct Lines([u64; (1 << 16) + 8]);

impl Lines {
    fn new() -> Box<Self> {
        Box::new(Self([0; (1 << 16) + 8]))
    }

    #[inline(always)]
    fn at<K: Isa>(&self, k: K, packed: u64, index: usize) -> K::Line {
        let place = place(packed, index);
        k.line(&self.0[place..place + K::WORDS])
    }
}

/// Units to count, a multiple of 4; see [`super::pairs`].
pub trait Units {
    /// How many there are.
    fn total(&self) -> usize;
    /// Lookups and slots of four units from `at` on.
    fn four(&self, at: usize) -> [(u64, u32); 4];
}

/// All units of a range.
#[derive(Clone, Copy)]
pub struct All<'a> {
    /// Lookups of the left entries.
    pub lookups: &'a [u64],
    /// Slots of the right entries.
    pub slots: &'a [u32],
}

impl Units for All<'_> {
    #[inline(always)]
    fn total(&self) -> usize {
        self.lookups.len()
    }

    #[inline(always)]
    fn four(&self, at: usize) -> [(u64, u32); 4] {
        let (lookups, slots) = (&self.lookups[at..at + 4], &self.slots[at..at + 4]);
        [(lookups[0], slots[0]), (lookups[1], slots[1]), (lookups[2], slots[2]), (lookups[3], slots[3])]
    }
}

/// Chosen units of a range; an index beyond the last one stands for a unit that adds nothing.
pub struct Chosen<'a> {
    /// What is chosen from.
    pub all: All<'a>,
    /// Which ones.
    pub indices: &'a [u32],
}

impl Chosen<'_> {
    #[inline(always)]
    fn unit(&self, index: u32) -> (u64, u32) {
        let (index, All { lookups, slots }) = (index as usize, self.all);
        if index < slots.len() && index < lookups.len() { (lookups[index], slots[index]) } else { (0, 0) }
    }
}

impl Units for Chosen<'_> {
    #[inline(always)]
    fn total(&self) -> usize {
        self.indices.len()
    }

    #[inline(always)]
    fn four(&self, at: usize) -> [(u64, u32); 4] {
        let indices = &self.indices[at..at + 4];
        [self.unit(indices[0]), self.unit(indices[1]), self.unit(indices[2]), self.unit(indices[3])]
    }
}

/// The tables of one piece and the accumulators of one group of entries.
pub struct Piece<K: Isa> {
    rows: [[u64; 8]; 64],
    valid: [u64; 8],
    tables: Box<Lines>,
    accumulators: Box<Lines>,
    isa: PhantomData<K>,
}

impl<K: Isa> Default for Piece<K> {
    fn default() -> Self {
        let (tables, accumulators) = (Lines::new(), Lines::new());
        Self { rows: [[0; 8]; 64], valid: [0; 8], tables, accumulators, isa: PhantomData }
    }
}

impl<K: Isa> Piece<K> {
    /// Takes up to [`Isa::WIDTH`] top halves and builds their tables.
    #[inline(always)]
    pub fn build(&mut self, k: K, geometry: &Geometry, lookups: &Lookups, low: &[u32], high: &[u32]) {
        self.transpose(k, geometry, low, high);
        self.valid = lanes(0, low.len());
        let mut bit = 0;
        for group in 0..4 {
            let width = lookups.widths[group];
            for right in [false, true] {
                if right && group < 2 {
                    continue;
                }
                let base = if right { lookups.right[group] } else { lookups.left[group] } as usize;
                let table = &mut self.tables.0[base * K::WORDS..];
                let first = if group == 0 { &self.valid } else { &[!0; 8] };
                k.put(k.line(first), table);
                for j in 0..width {
                    let row = k.line(&self.rows[lookups.row(bit + j, right) as usize & 63]);
                    let (done, next) = table.split_at_mut(K::WORDS << j);
                    for (line, without_bit) in
                        next.chunks_exact_mut(K::WORDS).zip(done.chunks_exact(K::WORDS))
                    {
                        k.put(k.without(k.line(without_bit), row), line);
                    }
                }
            }
            bit += width;
        }
    }

    /// Row b: which tops use crossing diagonal b. High fields first, then low fields.
    #[inline(always)]
    fn transpose(&mut self, k: K, geometry: &Geometry, low: &[u32], high: &[u32]) {
        let (highs, lows) = (2 * geometry.high as usize, 2 * geometry.low as usize);
        for word in 0..K::WIDTH / 64 {
            let mut columns = [0_u64; 64];
            for lane in (0..64).step_by(K::LANES) {
                let top = 64 * word + lane;
                if top >= low.len() {
                    break;
                }
                let mut v = k.shl(k.load(&high[top..]), 32 - highs as u32);
                for column in columns[..highs].iter_mut().rev() {
                    *column |= u64::from(k.signs(v)) << lane;
                    v = k.shl(v, 1);
                }
                let mut v = k.shl(k.load(&low[top..]), 32 - lows as u32);
                for column in columns[highs..highs + lows].iter_mut().rev() {
                    *column |= u64::from(k.signs(v)) << lane;
                    v = k.shl(v, 1);
                }
            }
            for (row, column) in self.rows.iter_mut().zip(columns).take(highs + lows) {
                row[word] = column;
            }
        }
    }

    /// Whether all tops of the piece use crossing diagonal `row`.
    pub fn all_use(&self, row: u32) -> bool {
        self.rows[row as usize] == self.valid
    }

    /// Computes the accumulators of entries of the right, in slots from 1 on.
    #[inline(always)]
    pub fn accumulate(&mut self, k: K, lookups: &[u64]) {
        let accumulators = self.accumulators.0[K::WORDS..].chunks_exact_mut(K::WORDS);
        for (accumulator, &lookups) in accumulators.zip(lookups) {
            k.put(compatible(k, &self.tables, lookups), accumulator);
        }
    }

    /// Adds, for each top, the number of these pairs that it is compatible with: full adders over the lines of
    /// eight units a turn.
    #[inline(always)]
    pub fn count(&self, k: K, units: &impl Units, counter: &mut Counter<K>) {
        let (tables, accumulators) = (&*self.tables, &*self.accumulators);
        let [mut ones, mut twos, mut fours, mut eights, mut sixteens, mut thirty_twos] = counter.low;
        macro_rules! four {
            ($at:expr) => {{
                let [first, second, third, fourth] = units.four($at);
                let (a, b) = lines(k, tables, accumulators, first);
                let (two_a, sum) = k.add3(ones, a, b);
                let (a, b) = lines(k, tables, accumulators, second);
                let (two_b, sum) = k.add3(sum, a, b);
                let (four_a, two) = k.add3(twos, two_a, two_b);
                let (a, b) = lines(k, tables, accumulators, third);
                let (two_c, sum) = k.add3(sum, a, b);
                let (a, b) = lines(k, tables, accumulators, fourth);
                let (two_d, sum) = k.add3(sum, a, b);
                let (four_b, two) = k.add3(two, two_c, two_d);
                let (eight, four) = k.add3(fours, four_a, four_b);
                (ones, twos, fours) = (sum, two, four);
                eight
            }};
        }
        macro_rules! settle {
            ($carry:expr) => {{
                let (carry, sum) = $carry;
                eights = sum;
                let (carry, sum) = k.add2(sixteens, carry);
                sixteens = sum;
                let (carry, sum) = k.add2(thirty_twos, carry);
                thirty_twos = sum;
                if !k.is_empty(carry) {
                    counter.carry(k, carry);
                }
            }};
        }
        for turn in 0..units.total() / 8 {
            let (first, second) = (four!(8 * turn), four!(8 * turn + 4));
            settle!(k.add3(eights, first, second));
        }
        if !units.total().is_multiple_of(8) {
            let last = four!(units.total() / 8 * 8);
            settle!(k.add2(eights, last));
        }
        counter.low = [ones, twos, fours, eights, sixteens, thirty_twos];
    }
}

/// The tops that use none of an entry's diagonals.
#[inline(always)]
fn compatible<K: Isa>(k: K, tables: &Lines, lookups: u64) -> K::Line {
    let (a, b) = (tables.at(k, lookups, 0), tables.at(k, lookups, 1));
    let (c, d) = (tables.at(k, lookups, 2), tables.at(k, lookups, 3));
    k.both(k.both(a, b), k.both(c, d))
}

/// The tops that fit both pairs of a unit.
#[inline(always)]
fn lines<K: Isa>(
    k: K,
    tables: &Lines,
    accumulators: &Lines,
    (lookups, slots): (u64, u32),
) -> (K::Line, K::Line) {
    let left = compatible(k, tables, lookups);
    let slots = u64::from(slots);
    let (first, second) = (accumulators.at(k, slots, 0), accumulators.at(k, slots, 1));
    (k.both(left, first), k.both(left, second))
}

/// The bits of lanes `from..to`.
pub fn lanes(from: usize, to: usize) -> [u64; 8] {
    let below = |lane: usize| {
        std::array::from_fn::<u64, 8, _>(|word| match lane.saturating_sub(64 * word) {
            0 => 0,
            bits @ 1..64 => (1 << bits) - 1,
            _ => !0,
        })
    };
    let (from, to) = (below(from), below(to));
    std::array::from_fn(|word| to[word] & !from[word])
}

/// A binary counter for each lane: bit i of all counters makes line i.
pub struct Counter<K: Isa> {
    low: [K::Line; 6],
    high: [K::Line; 40],
    used: usize,
}

impl<K: Isa> Counter<K> {
    /// All counters at 0.
    pub fn new(k: K) -> Self {
        Self { low: [k.line(&[0; 8]); 6], high: [k.line(&[0; 8]); 40], used: 0 }
    }

    #[inline(always)]
    fn carry(&mut self, k: K, mut carry: K::Line) {
        for (i, line) in self.high.iter_mut().enumerate() {
            (carry, *line) = k.add2(*line, carry);
            self.used = self.used.max(i + 1);
            if k.is_empty(carry) {
                return;
            }
        }
        unreachable!("46 bits hold the pairs of a column set");
    }

    /// Sum of the counters of these lanes.
    #[inline(always)]
    pub fn sum(&self, k: K, lanes: &[u64; 8]) -> u64 {
        let mut sum = 0;
        for i in 0..self.low.len() + self.used {
            let line = if i < self.low.len() { self.low[i] } else { self.high[i - self.low.len()] };
            let mut bits = [0; 8];
            k.put(line, &mut bits);
            let mut ones = 0;
            for word in 0..8 {
                ones += u64::from((bits[word] & lanes[word]).count_ones());
            }
            sum += ones << i;
        }
        sum
    }

    /// All counters to 0.
    pub fn clear(&mut self, k: K) {
        self.low = [k.line(&[0; 8]); 6];
        self.high[..self.used].fill(k.line(&[0; 8]));
        self.used = 0;
    }
}
