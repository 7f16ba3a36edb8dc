//! Counts the bottom halves that are compatible with each of up to 512 top halves, all at once.
//!
//! A *piece* is a batch of up to [`Isa::WIDTH`] top halves, and a *line* is a vector with one bit per top half of a piece. In the
//! transposed matrix of masks, row b is the line of the top halves that use crossing diagonal b. For each byte of a mask, a lookup table
//! contains, for each value of the byte, the line of the top halves that use none of the diagonals of this value. Four to six lookups
//! (eight for n = 25, 27 and 28) then find the top halves that are compatible with a bottom half:
//!
//! ```text
//! bottom half   high: byte 0  byte 1  byte 2    low: byte 0  byte 1  byte 2
//! lines               A    &  B    &  C     &        D    &  E    &  F
//! ```
//!
//! The bits of the result are counted by a positional popcount: a tree of carry-save adders updates, for each top half, a binary counter
//! whose bits are in several lines. Cost: building the tables; one load per lookup and about 10 operations per bottom half.

use super::geometry::Mask;
use super::halves::{Halves, low_words};
use super::isa::{Bits, Isa, MAX_LANES, line_of_range};

/// The number of words of a lookup table: one line per value of a byte.
const TABLE_WORDS: usize = 256 * MAX_LANES;

/// The lookup tables of one piece.
pub struct Piece {
    /// For each crossing diagonal, the line of the top halves that use it.
    rows: [Bits; 64],
    /// The line of all top halves of the piece. The piece may have fewer top halves than a line has bits.
    all_tops: Bits,
    tables: Box<Tables>,
}

/// The tables for the four bytes of [`Mask::high`], then for the four bytes of [`Mask::low`].
#[repr(align(64))]
struct Tables([[u32; TABLE_WORDS]; 8]);

impl Default for Piece {
    fn default() -> Self {
        let tables = Box::new(Tables([[0; TABLE_WORDS]; 8]));
        Self { rows: [Bits::default(); 64], all_tops: Bits::default(), tables }
    }
}

impl Piece {
    /// Builds the tables of up to [`Isa::WIDTH`] top halves. `crossing` is the mask of all crossing diagonals.
    #[inline(always)]
    pub fn build<K: Isa>(&mut self, k: K, crossing: Mask, low: &[u32], high: &[u32]) {
        self.transpose(k, low, high);
        self.all_tops = line_of_range::<K>(0..high.len());
        for (byte, table) in self.tables.0.iter_mut().take(4 * K::WORDS).enumerate() {
            let (crossing, first_bit) = (if byte < 4 { crossing.high } else { crossing.low }, 8 * byte);
            let line_of_0 = if byte == 0 { &self.all_tops } else { &[!0; MAX_LANES] };
            k.store(k.load(line_of_0), table);
            for bit in 0..((crossing >> (first_bit % 32)) as u8).trailing_ones() as usize {
                let row = k.load(&self.rows[(first_bit + bit) & 63]);
                let (lines_without_bit, lines_with_bit) = table.split_at_mut(K::LANES << bit);
                let mut targets = lines_with_bit.chunks_exact_mut(K::LANES);
                let sources = lines_without_bit.chunks_exact(K::LANES);
                let pairs = sources.map_while(|source| Some((source, targets.next()?)));
                // `zip` would be a function call here, and loading a slice without a constant length would be a masked load.
                for (source, target) in pairs {
                    k.store(k.and_not(k.load(&source[..K::LANES]), row), target);
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
            transpose_lanes(k, &mut words);
            store_rows(k, &words, rows);
        }
    }

    /// The diagonals that all top halves of the piece use.
    #[inline(always)]
    pub fn used_by_all<K: Isa>(&self, k: K, crossing: Mask) -> Mask {
        let all_tops = k.load(&self.all_tops);
        let mut shared_diagonals = Mask::default();
        let (high_rows, low_rows) = self.rows.split_at(32);
        for (rows, crossing, shared_word) in [
            (high_rows, crossing.high, &mut shared_diagonals.high),
            (low_rows, crossing.low, &mut shared_diagonals.low),
        ] {
            for (bit, row) in rows.iter().enumerate().filter(|(bit, _)| crossing >> bit & 1 == 1) {
                *shared_word |= u32::from(k.is_zero(k.and_not(all_tops, k.load(row)))) << bit;
            }
        }
        shared_diagonals
    }

    /// Adds, to the counter of each top half, the number of compatible bottom halves in `halves`.
    #[inline(always)]
    pub fn meet<K: Isa>(&self, k: K, crossing: Mask, halves: &Halves, counter: &mut Counter<K>) {
        if K::WORDS == 1 {
            return self.count::<K, 4, 0>(k, halves, counter);
        }
        match (crossing.high >> 16 == 0, crossing.low >> 16 == 0) {
            _ if (crossing.high | crossing.low) >> 24 != 0 => self.count::<K, 4, 4>(k, halves, counter),
            (true, _) => self.count::<K, 2, 3>(k, halves, counter),
            (false, true) => self.count::<K, 3, 2>(k, halves, counter),
            (false, false) => self.count::<K, 3, 3>(k, halves, counter),
        }
    }

    /// [`Piece::meet`] for masks with `HIGH` bytes in the high word and `LOW` bytes in the low word. Adds eight or sixteen lines per
    /// iteration. This is a separate function, because the loop needs all registers.
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
                let (high_batches, low_batches) = (highs.chunks_exact(K::BATCH), lows.chunks_exact(K::BATCH));
                let remainder = (high_batches.remainder().chunks(8), low_batches.remainder().chunks(8));
                let mut low = counter.low;
                for (highs, lows) in high_batches.zip(low_batches) {
                    let mut lines = [k.splat(0); 8];
                    for i in 0..8 {
                        lines[i] = self.compatible_tops::<K, HIGH, LOW>(k, highs[i], lows[i]);
                    }
                    let first_carry = add_eight(k, &mut low, lines);
                    let mut second_carry = k.splat(0);
                    if K::BATCH == 16 {
                        for i in 0..8 {
                            lines[i] = self.compatible_tops::<K, HIGH, LOW>(k, highs[8 + i], lows[8 + i]);
                        }
                        second_carry = add_eight(k, &mut low, lines);
                    }
                    let carry = add_eights(k, &mut low, [first_carry, second_carry]);
                    counter.carry(k, carry);
                }
                for (highs, lows) in remainder.0.zip(remainder.1) {
                    let mut lines = [k.splat(0); 8];
                    for (line, (&high, &low)) in lines.iter_mut().zip(highs.iter().zip(lows)) {
                        *line = self.compatible_tops::<K, HIGH, LOW>(k, high, low);
                    }
                    let carry_of_eight = add_eight(k, &mut low, lines);
                    let carry = add_eights(k, &mut low, [carry_of_eight, k.splat(0)]);
                    counter.carry(k, carry);
                }
                counter.low = low;
            },
        );
    }

    /// The line of the top halves that use none of these diagonals.
    #[inline(always)]
    fn compatible_tops<K: Isa, const HIGH: usize, const LOW: usize>(
        &self,
        k: K,
        high: u32,
        low: u32,
    ) -> K::Vector {
        let [high_a, high_b, high_c, high_d] = high.to_le_bytes();
        let [low_a, low_b, low_c, low_d] = low.to_le_bytes();
        let mut tops = k.and(self.line(k, 0, high_a), self.line(k, 1, high_b));
        if HIGH > 2 {
            tops = k.and(tops, self.line(k, 2, high_c));
        }
        if HIGH > 3 {
            tops = k.and(tops, self.line(k, 3, high_d));
        }
        if LOW > 0 {
            tops = k.and(tops, k.and(self.line(k, 4, low_a), self.line(k, 5, low_b)));
        }
        if LOW > 2 {
            tops = k.and(tops, self.line(k, 6, low_c));
        }
        if LOW > 3 {
            tops = k.and(tops, self.line(k, 7, low_d));
        }
        tops
    }

    #[inline(always)]
    fn line<K: Isa>(&self, k: K, table: usize, byte: u8) -> K::Vector {
        let start = usize::from(byte) * K::LANES;
        k.load(&self.tables.0[table][start..start + K::LANES])
    }
}

/// Transposes a 32 by 32 bit matrix in each lane: bit i of word r becomes bit r of word i.
#[inline(always)]
fn transpose_lanes<K: Isa>(k: K, words: &mut [K::Vector; 32]) {
    let mut low = 0xffff;
    let mut distance = 16;
    while distance > 0 {
        let mask = k.splat(low);
        for at in 0..32 {
            if at & distance == 0 {
                let (a, b) = (words[at], words[at + distance]);
                let difference = k.and(k.xor(k.shr(a, distance as u32), b), mask);
                words[at] = k.xor(a, k.shl(difference, distance as u32));
                words[at + distance] = k.xor(b, difference);
            }
        }
        distance /= 2;
        low ^= low << distance;
    }
}

/// Stores vectors as rows.
#[inline(always)]
fn store_rows<K: Isa>(k: K, words: &[K::Vector], rows: &mut [Bits]) {
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

/// One binary counter per bit of a line, that is, per top half. A counter has 46 bits, which are enough for the bottom halves of a column
/// set.
pub struct Counter<K: Isa> {
    /// Line i contains bit i of all counters.
    low: [K::Vector; 6],
    /// Line i contains bit 6 + i of all counters.
    high: [K::Vector; 40],
    /// The number of lines of `high` that may be non-zero.
    high_len: usize,
}

impl<K: Isa> Counter<K> {
    /// Creates counters that are all 0.
    pub fn new(k: K) -> Self {
        Self { low: [k.splat(0); 6], high: [k.splat(0); 40], high_len: 0 }
    }

    /// Adds the carry of the lowest lines to the higher lines.
    #[inline(always)]
    fn carry(&mut self, k: K, mut carry: K::Vector) {
        let mut i = 0;
        while !k.is_zero(carry) {
            (carry, self.high[i]) = k.half_add(self.high[i], carry);
            i += 1;
            self.high_len = self.high_len.max(i);
        }
    }

    /// The sum of the counters of the top halves in a line.
    #[inline(always)]
    pub fn sum(&self, k: K, tops: &Bits) -> u64 {
        let mut sum = 0;
        for (i, &line) in self.low.iter().chain(&self.high[..self.high_len]).enumerate() {
            let mut bits = Bits::default();
            k.store(k.and(line, k.load(tops)), &mut bits);
            let ones: u32 = bits.iter().map(|word| word.count_ones()).sum();
            sum += u64::from(ones) << i;
        }
        sum
    }

    /// Sets all counters to 0.
    pub fn clear(&mut self, k: K) {
        self.low = [k.splat(0); 6];
        self.high[..self.high_len].fill(k.splat(0));
        self.high_len = 0;
    }
}
