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
//! pair                accumulator of the left & accumulator of the right, bits counted
//! ```
//!
//! Bits are counted vertically: a tree of full adders keeps, for each top, a binary counter over lines.
//! Cost: lines to build a table, 4 loads an entry, 2 loads and about 3 operations a pair.

use super::geometry::Geometry;
use super::isa::Isa;

/// Lines in a piece's tables, and slots for accumulators.
pub const LINES: usize = 1024;

/// How the bits of a bottom entry's mask are grouped into four lookups.
#[derive(Clone, Copy, Debug)]
pub struct Lookups {
    /// Bits of each group, lowest first.
    widths: [u32; 4],
    /// First line of each group's table, for entries of the left.
    left: [u32; 4],
    /// The same for entries of the right; the first two tables are shared.
    right: [u32; 4],
    /// Diagonals that both bottom quarters share, the lowest bits of a mask.
    shared: u32,
    /// Diagonals of a quarter's own field.
    own: u32,
}

impl Lookups {
    /// The grouping for a cut board.
    pub fn new(geometry: &Geometry) -> Self {
        let bits = geometry.bottom_bits();
        let widths = [3, 2, 1, 0].map(|round| (bits + round) / 4);
        let [a, b, c, d] = widths.map(|width| 1 << width);
        assert!(widths[0] + widths[1] <= 2 * geometry.high && a + b + 2 * (c + d) <= LINES as u32);
        let left = [0, a, a + b, a + b + c];
        let right = [0, a, a + b + c + d, a + b + c + d + c];
        Self { widths, left, right, shared: 2 * geometry.high, own: geometry.low }
    }

    /// The four lines that a mask looks up, from bit 6 of each 16 bits: a line has 64 bytes.
    pub fn of_mask(&self, mask: u32, right: bool) -> u64 {
        let bases = if right { self.right } else { self.left };
        let mut rest = mask;
        let mut lookups = 0;
        for (group, (base, width)) in bases.into_iter().zip(self.widths).enumerate() {
            let line = base + (rest & ((1 << width) - 1));
            lookups |= u64::from(line) << (16 * group + 6);
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
            let line = (lookups >> (16 * group + 6)) as u32 & (LINES as u32 - 1);
            mask |= (line - base) << shift;
            shift += width;
        }
        (0..shift).map(|bit| u64::from(mask >> bit & 1) << self.row(bit, right)).sum()
    }

    /// Row of the bit matrix for a bit of a mask.
    pub fn row(&self, bit: u32, right: bool) -> u32 {
        if right && bit >= self.shared { bit + self.own } else { bit }
    }
}

/// The tables of one piece and the accumulators of one group of entries.
pub struct Piece<K: Isa> {
    rows: [[u64; 8]; 64],
    valid: [u64; 8],
    tables: Box<[K::Line; LINES]>,
    accumulators: Box<[K::Line; LINES]>,
}

fn boxed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has N elements"),
    }
}

impl<K: Isa> Piece<K> {
    /// An empty piece.
    pub fn new(k: K) -> Self {
        let empty = k.line(&[0; 8]);
        Self { rows: [[0; 8]; 64], valid: [0; 8], tables: boxed(empty), accumulators: boxed(empty) }
    }

    /// Takes up to [`Isa::WIDTH`] top halves and builds their tables.
    #[inline(always)]
    pub fn build(&mut self, k: K, geometry: &Geometry, lookups: &Lookups, low: &[u32], high: &[u32]) {
        self.transpose(k, geometry, low, high);
        let valid = lanes(0, low.len());
        self.valid = valid;
        let full = k.line(&[!0; 8]);
        let mut bit = 0;
        for group in 0..4 {
            let width = lookups.widths[group];
            for right in [false, true] {
                if right && group < 2 {
                    continue;
                }
                let base = if right { lookups.right[group] } else { lookups.left[group] } as usize;
                self.tables[base] = if group == 0 { k.line(&valid) } else { full };
                for j in 0..width {
                    let row = k.line(&self.rows[lookups.row(bit + j, right) as usize & 63]);
                    let (done, next) = self.tables[base..].split_at_mut(1 << j);
                    for (line, &without_bit) in next.iter_mut().zip(done.iter()) {
                        *line = k.without(without_bit, row);
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

    /// Computes the accumulators of all entries, in slots from `first` on.
    #[inline(always)]
    pub fn accumulate_all(&mut self, k: K, first: usize, lookups: &[u64]) {
        let (tables, accumulators) = (&*self.tables, &mut self.accumulators[first..]);
        for (accumulator, &lookups) in accumulators.iter_mut().zip(lookups) {
            *accumulator = compatible(k, tables, lookups);
        }
    }

    /// Computes the accumulators of some entries, whose codes have their slots from bit `shift` on.
    #[inline(always)]
    pub fn accumulate(&mut self, k: K, codes: &[u32], shift: u32, first: usize, lookups: &[u64]) {
        let (tables, accumulators) = (&*self.tables, &mut *self.accumulators);
        for &code in codes {
            let slot = (code >> shift) as usize & (LINES - 1);
            accumulators[slot] = compatible(k, tables, lookups[slot - first]);
        }
    }

    /// Adds, for each top, the number of these pairs that it is compatible with.
    /// The length is a multiple of 8; a pair of slots 0 and 0 adds nothing.
    #[inline(always)]
    pub fn count(&self, k: K, pairs: &[u32], counter: &mut Counter<K>) {
        let line = |pair: u32| {
            let left = self.accumulators[(pair >> 6) as usize & (LINES - 1)];
            let right = self.accumulators[(pair >> 22) as usize & (LINES - 1)];
            k.both(left, right)
        };
        let [mut ones, mut twos, mut fours, mut eights, mut sixteens, mut thirty_twos] = counter.low;
        let mut chunks = pairs.chunks_exact(16);
        macro_rules! eight {
            ($pairs:expr) => {{
                let pairs: &[u32] = $pairs;
                let (two_a, sum) = k.add3(ones, line(pairs[0]), line(pairs[1]));
                let (two_b, sum) = k.add3(sum, line(pairs[2]), line(pairs[3]));
                let (four_a, two) = k.add3(twos, two_a, two_b);
                let (two_c, sum) = k.add3(sum, line(pairs[4]), line(pairs[5]));
                let (two_d, sum) = k.add3(sum, line(pairs[6]), line(pairs[7]));
                let (four_b, two) = k.add3(two, two_c, two_d);
                let (eight, four) = k.add3(fours, four_a, four_b);
                (ones, twos, fours) = (sum, two, four);
                eight
            }};
        }
        for chunk in chunks.by_ref() {
            let first = eight!(&chunk[..8]);
            let second = eight!(&chunk[8..]);
            let (carry, sum) = k.add3(eights, first, second);
            eights = sum;
            let (carry, sum) = k.add2(sixteens, carry);
            sixteens = sum;
            let (carry, sum) = k.add2(thirty_twos, carry);
            thirty_twos = sum;
            if !k.is_empty(carry) {
                counter.carry(k, carry);
            }
        }
        for chunk in chunks.remainder().chunks_exact(8) {
            let eight = eight!(chunk);
            let (carry, sum) = k.add2(eights, eight);
            eights = sum;
            let (carry, sum) = k.add2(sixteens, carry);
            sixteens = sum;
            let (carry, sum) = k.add2(thirty_twos, carry);
            thirty_twos = sum;
            if !k.is_empty(carry) {
                counter.carry(k, carry);
            }
        }
        counter.low = [ones, twos, fours, eights, sixteens, thirty_twos];
    }
}

/// The tops that use none of an entry's diagonals.
#[inline(always)]
fn compatible<K: Isa>(k: K, tables: &[K::Line; LINES], lookups: u64) -> K::Line {
    let halves = [lookups as u32, (lookups >> 32) as u32];
    let [a, b, c, d] = [halves[0] >> 6, halves[0] >> 22, halves[1] >> 6, halves[1] >> 22];
    let line = |line: u32| tables[line as usize & (LINES - 1)];
    k.both(k.both(line(a), line(b)), k.both(line(c), line(d)))
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
            let bits = k.bits(line);
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
