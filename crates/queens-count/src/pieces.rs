//! Pieces of top halves as bit sets, and the counting of compatible bottom halves.
//!
//! A *piece* is a batch of up to [`Isa::WIDTH`] top halves, and a *line* is a vector with one bit per top half of a piece. In the
//! transposed matrix of masks, row b is the line of the top halves that use crossing diagonal b. A lookup table contains, for each
//! value of each byte of a mask, the line of the top halves that use none of the diagonals in this byte. The top halves that are
//! compatible with a bottom half are then found by four to six lookups (eight for n = 25, 27 and 28):
//!
//! ```text
//! bottom half   high: byte 0  byte 1  byte 2    low: byte 0  byte 1  byte 2
//! lines               A    &  B    &  C     &        D    &  E    &  F        bits counted
//! ```
//!
//! The bits are counted by a positional popcount: a tree of carry-save adders updates, for each top half, a binary counter whose bits
//! are in several lines. Cost: building the tables, and 4 to 6 loads and about 10 operations per bottom half.

use super::geometry::Mask;
use super::halves::{Halves, low_words};
use super::isa::{Bits, Isa, MAX_LANES, lanes};

/// The number of words of a table: one line per value of a byte.
const TABLE: usize = 256 * MAX_LANES;

/// The lookup tables of one piece.
pub struct Piece {
    rows: [Bits; 64],
    valid: Bits,
    tables: Box<Tables>,
}

/// The tables for the four bytes of [`Mask::high`], then for the four bytes of [`Mask::low`].
#[repr(align(64))]
struct Tables([[u32; TABLE]; 8]);

impl Default for Piece {
    fn default() -> Self {
        let tables = Box::new(Tables([[0; TABLE]; 8]));
        Self { rows: [Bits::default(); 64], valid: Bits::default(), tables }
    }
}

impl Piece {
    /// Builds the tables of up to [`Isa::WIDTH`] top halves. `used` is the mask of all crossing diagonals.
    #[inline(always)]
    pub fn build<K: Isa>(&mut self, k: K, used: Mask, low: &[u32], high: &[u32]) {
        self.transpose(k, low, high);
        self.valid = lanes::<K>(0..high.len());
        for (byte, table) in self.tables.0.iter_mut().take(4 * K::WORDS).enumerate() {
            let (used, from) = (if byte < 4 { used.high } else { used.low }, 8 * byte);
            let first = if byte == 0 { &self.valid } else { &[!0; MAX_LANES] };
            k.store(k.load(first), table);
            for bit in 0..((used >> (from % 32)) as u8).trailing_ones() as usize {
                let row = k.load(&self.rows[(from + bit) & 63]);
                let (done, next) = table.split_at_mut(K::LANES << bit);
                let mut lines = next.chunks_exact_mut(K::LANES);
                let pairs = done.chunks_exact(K::LANES).map_while(|done| Some((done, lines.next()?)));
                // `zip` would be a function call here, and loading a slice without a constant length would be a masked load.
                for (without_bit, line) in pairs {
                    k.store(k.and_not(k.load(&without_bit[..K::LANES]), row), line);
                }
            }
        }
    }

    /// Transposes the masks: row b has the top halves that use crossing diagonal b of [`Mask::high`], and row 32 + b those of
    /// [`Mask::low`].
    #[inline(always)]
    fn transpose<K: Isa>(&mut self, k: K, low: &[u32], high: &[u32]) {
        let (high_rows, low_rows) = self.rows.split_at_mut(32);
        for (tops, rows) in [(high, high_rows), (low, low_rows)].into_iter().take(K::WORDS) {
            let mut words = [k.splat(0); 32];
            for (word, tops) in words.iter_mut().zip(tops.chunks(K::LANES)) {
                *word = k.load(tops);
            }
            turn(k, &mut words);
            store(k, &words, rows);
        }
    }

    /// The diagonals that all top halves of the piece use.
    #[inline(always)]
    pub fn used_by_all<K: Isa>(&self, k: K, used: Mask) -> Mask {
        let valid = k.load(&self.valid);
        let mut all = Mask::default();
        for (rows, used, all) in
            [(&self.rows[..32], used.high, &mut all.high), (&self.rows[32..], used.low, &mut all.low)]
        {
            for (bit, row) in rows.iter().enumerate().filter(|(bit, _)| used >> bit & 1 == 1) {
                *all |= u32::from(k.is_zero(k.and_not(valid, k.load(row)))) << bit;
            }
        }
        all
    }

    /// Adds, to the counter of each top half, the number of compatible bottom halves in `halves`.
    #[inline(always)]
    pub fn meet<K: Isa>(&self, k: K, used: Mask, halves: &Halves, counter: &mut Counter<K>) {
        if K::WORDS == 1 {
            return self.count::<K, 4, 0>(k, halves, counter);
        }
        match (used.high >> 16 == 0, used.low >> 16 == 0) {
            _ if (used.high | used.low) >> 24 != 0 => self.count::<K, 4, 4>(k, halves, counter),
            (true, _) => self.count::<K, 2, 3>(k, halves, counter),
            (false, true) => self.count::<K, 3, 2>(k, halves, counter),
            (false, false) => self.count::<K, 3, 3>(k, halves, counter),
        }
    }

    /// [`Piece::meet`] for masks with `HIGH` and `LOW` bytes: adds eight or sixteen lines per iteration. This is a separate function,
    /// because the loop needs all registers.
    fn count<K: Isa, const HIGH: usize, const LOW: usize>(
        &self,
        k: K,
        halves: &Halves,
        counter: &mut Counter<K>,
    ) {
        k.vectorize(
            #[inline(always)]
            || {
                let highs = &halves.high[..halves.len];
                let lows = &low_words::<K>(&halves.low, &halves.high)[..halves.len];
                let turns = (highs.chunks_exact(K::TURN), lows.chunks_exact(K::TURN));
                let rest = (turns.0.remainder().chunks(8), turns.1.remainder().chunks(8));
                let mut low = counter.low;
                for (highs, lows) in turns.0.zip(turns.1) {
                    let mut lines = [k.splat(0); 8];
                    for i in 0..8 {
                        lines[i] = self.fitting::<K, HIGH, LOW>(k, highs[i], lows[i]);
                    }
                    let first = add_eight(k, &mut low, lines);
                    let mut second = k.splat(0);
                    if K::TURN == 16 {
                        for i in 0..8 {
                            lines[i] = self.fitting::<K, HIGH, LOW>(k, highs[8 + i], lows[8 + i]);
                        }
                        second = add_eight(k, &mut low, lines);
                    }
                    let carry = add_eights(k, &mut low, [first, second]);
                    counter.carry(k, carry);
                }
                for (highs, lows) in rest.0.zip(rest.1) {
                    let mut lines = [k.splat(0); 8];
                    for (line, (&high, &low)) in lines.iter_mut().zip(highs.iter().zip(lows)) {
                        *line = self.fitting::<K, HIGH, LOW>(k, high, low);
                    }
                    let eight = add_eight(k, &mut low, lines);
                    let carry = add_eights(k, &mut low, [eight, k.splat(0)]);
                    counter.carry(k, carry);
                }
                counter.low = low;
            },
        );
    }

    /// The line of the top halves that use none of these diagonals.
    #[inline(always)]
    fn fitting<K: Isa, const HIGH: usize, const LOW: usize>(&self, k: K, high: u32, low: u32) -> K::Vector {
        let [high_a, high_b, high_c, high_d] = high.to_le_bytes();
        let [low_a, low_b, low_c, low_d] = low.to_le_bytes();
        let mut fitting = k.and(self.line(k, 0, high_a), self.line(k, 1, high_b));
        if HIGH > 2 {
            fitting = k.and(fitting, self.line(k, 2, high_c));
        }
        if HIGH > 3 {
            fitting = k.and(fitting, self.line(k, 3, high_d));
        }
        if LOW > 0 {
            fitting = k.and(fitting, k.and(self.line(k, 4, low_a), self.line(k, 5, low_b)));
        }
        if LOW > 2 {
            fitting = k.and(fitting, self.line(k, 6, low_c));
        }
        if LOW > 3 {
            fitting = k.and(fitting, self.line(k, 7, low_d));
        }
        fitting
    }

    #[inline(always)]
    fn line<K: Isa>(&self, k: K, table: usize, byte: u8) -> K::Vector {
        let from = usize::from(byte) * K::LANES;
        k.load(&self.tables.0[table][from..from + K::LANES])
    }
}

/// Transposes a 32 by 32 bit matrix in each lane: bit i of word r becomes bit r of word i.
#[inline(always)]
fn turn<K: Isa>(k: K, words: &mut [K::Vector; 32]) {
    let mut low = 0xffff;
    let mut by = 16;
    while by > 0 {
        let mask = k.splat(low);
        for at in 0..32 {
            if at & by == 0 {
                let (a, b) = (words[at], words[at + by]);
                let swapped = k.and(k.xor(k.shr(a, by as u32), b), mask);
                words[at] = k.xor(a, k.shl(swapped, by as u32));
                words[at + by] = k.xor(b, swapped);
            }
        }
        by /= 2;
        low ^= low << by;
    }
}

/// Stores vectors as the lines of rows.
#[inline(always)]
fn store<K: Isa>(k: K, words: &[K::Vector], rows: &mut [Bits]) {
    for (row, &word) in rows.iter_mut().zip(words) {
        k.store(word, row);
    }
}

/// Adds eight lines to the lowest three bits of counters; returns the carry.
#[inline(always)]
fn add_eight<K: Isa>(k: K, counters: &mut [K::Vector; 6], lines: [K::Vector; 8]) -> K::Vector {
    let [a, b, c, d, e, f, g, h] = lines;
    let [ones, twos, fours, ..] = counters;
    let (two_a, sum) = k.full_add(*ones, a, b);
    let (two_b, sum) = k.full_add(sum, c, d);
    let (four_a, two) = k.full_add(*twos, two_a, two_b);
    let (two_a, sum) = k.full_add(sum, e, f);
    let (two_b, sum) = k.full_add(sum, g, h);
    let (four_b, two) = k.full_add(two, two_a, two_b);
    let (eight, four) = k.full_add(*fours, four_a, four_b);
    (*ones, *twos, *fours) = (sum, two, four);
    eight
}

/// Adds two lines of weight eight to the higher bits of the counters; returns the carry.
#[inline(always)]
fn add_eights<K: Isa>(k: K, counters: &mut [K::Vector; 6], [a, b]: [K::Vector; 2]) -> K::Vector {
    let [.., eights, sixteens, thirty_twos] = counters;
    let (carry, eight) = k.full_add(*eights, a, b);
    *eights = eight;
    let (carry, sixteen) = k.half_add(*sixteens, carry);
    *sixteens = sixteen;
    let (carry, thirty_two) = k.half_add(*thirty_twos, carry);
    *thirty_twos = thirty_two;
    carry
}

/// One binary counter per bit of a line. Line i contains bit i of all counters. 46 bits are enough for the pairs of a column set.
pub struct Counter<K: Isa> {
    low: [K::Vector; 6],
    high: [K::Vector; 40],
    used: usize,
}

impl<K: Isa> Counter<K> {
    /// Creates counters that are all 0.
    pub fn new(k: K) -> Self {
        Self { low: [k.splat(0); 6], high: [k.splat(0); 40], used: 0 }
    }

    /// Adds the carry of the lowest lines to the higher lines.
    #[inline(always)]
    fn carry(&mut self, k: K, mut carry: K::Vector) {
        let mut i = 0;
        while !k.is_zero(carry) {
            (carry, self.high[i]) = k.half_add(self.high[i], carry);
            i += 1;
            self.used = self.used.max(i);
        }
    }

    /// The sum of the counters of the top halves in a line.
    #[inline(always)]
    pub fn sum(&self, k: K, lanes: &Bits) -> u64 {
        let mut sum = 0;
        for (i, &line) in self.low.iter().chain(&self.high[..self.used]).enumerate() {
            let mut bits = Bits::default();
            k.store(k.and(line, k.load(lanes)), &mut bits);
            let ones: u32 = bits.iter().map(|word| word.count_ones()).sum();
            sum += u64::from(ones) << i;
        }
        sum
    }

    /// Sets all counters to 0.
    pub fn clear(&mut self, k: K) {
        self.low = [k.splat(0); 6];
        self.high[..self.used].fill(k.splat(0));
        self.used = 0;
    }
}
