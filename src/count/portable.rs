//! Safe code that runs on any machine: the oracle that the other instruction sets are compared with.

use super::block::{self, Batch, Block};
use super::column_set::{self, Instance, Scratch};
use super::halves::Halves;
use super::isa::Isa;
use super::pieces::{Counter, Piece};
use super::symmetry::ColumnSet;

const LANES: usize = 8;
const WORDS: usize = LANES / 2;

/// No special instructions.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

#[inline(always)]
fn zip<T: Copy, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> T) -> [T; N] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl Isa for Portable {
    type Words = [u32; LANES];
    type Line = [u64; WORDS];
    const LANES: usize = LANES;

    #[inline(always)]
    fn splat(self, word: u32) -> Self::Words {
        [word; LANES]
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> Self::Words {
        words.first_chunk().copied().unwrap_or_else(|| {
            let mut v = [0; LANES];
            v[..words.len()].copy_from_slice(words);
            v
        })
    }

    #[inline(always)]
    fn store(self, v: Self::Words, out: &mut [u32]) {
        out[..LANES].copy_from_slice(&v);
    }

    #[inline(always)]
    fn and(self, a: Self::Words, b: Self::Words) -> Self::Words {
        zip(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, a: Self::Words, b: Self::Words) -> Self::Words {
        zip(a, b, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, a: Self::Words, b: Self::Words) -> Self::Words {
        zip(a, b, |a, b| a ^ b)
    }

    #[inline(always)]
    fn sub(self, a: Self::Words, b: Self::Words) -> Self::Words {
        zip(a, b, u32::wrapping_sub)
    }

    #[inline(always)]
    fn shl(self, v: Self::Words, by: u32) -> Self::Words {
        v.map(|word| word << by)
    }

    #[inline(always)]
    fn shr(self, v: Self::Words, by: u32) -> Self::Words {
        v.map(|word| word >> by)
    }

    #[inline(always)]
    fn disjoint(self, a: Self::Words, b: Self::Words) -> u32 {
        (0..LANES).map(|lane| u32::from(a[lane] & b[lane] == 0) << lane).sum()
    }

    #[inline(always)]
    fn compress(self, chosen: u32, v: Self::Words) -> Self::Words {
        let mut out = [0; LANES];
        let mut next = 0;
        for (lane, &word) in v.iter().enumerate() {
            let kept = chosen >> lane & 1;
            out[next & (LANES - 1)] |= word * kept;
            next += kept as usize;
        }
        out
    }

    #[inline(always)]
    fn pack(self, chosen: u32, v: Self::Words, out: &mut [u32]) {
        let out = &mut out[..LANES];
        let mut next = 0;
        for (lane, &word) in v.iter().enumerate() {
            out[next & (LANES - 1)] = word;
            next += (chosen >> lane & 1) as usize;
        }
    }

    #[inline(always)]
    fn as_line(self, v: Self::Words) -> Self::Line {
        std::array::from_fn(|word| u64::from(v[2 * word]) | u64::from(v[2 * word + 1]) << 32)
    }

    #[inline(always)]
    fn line(self, words: &[u64]) -> Self::Line {
        std::array::from_fn(|word| words[..WORDS][word])
    }

    #[inline(always)]
    fn put(self, line: Self::Line, out: &mut [u64]) {
        out[..WORDS].copy_from_slice(&line);
    }

    #[inline(always)]
    fn both(self, a: Self::Line, b: Self::Line) -> Self::Line {
        zip(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn without(self, a: Self::Line, b: Self::Line) -> Self::Line {
        zip(a, b, |a, b| a & !b)
    }

    #[inline(always)]
    fn add3(self, a: Self::Line, b: Self::Line, c: Self::Line) -> (Self::Line, Self::Line) {
        let half = zip(a, b, |a, b| a ^ b);
        let carry = std::array::from_fn(|i| a[i] & b[i] | half[i] & c[i]);
        (carry, zip(half, c, |half, c| half ^ c))
    }

    #[inline(always)]
    fn add2(self, a: Self::Line, b: Self::Line) -> (Self::Line, Self::Line) {
        (zip(a, b, |a, b| a & b), zip(a, b, |a, b| a ^ b))
    }

    #[inline(always)]
    fn is_empty(self, line: Self::Line) -> bool {
        line.iter().fold(0, |all, word| all | word) == 0
    }

    fn count_column_set(
        self,
        instance: &Instance,
        scratch: &mut Scratch<Self>,
        set: ColumnSet,
    ) -> Option<u64> {
        column_set::count(self, instance, scratch, set)
    }

    fn count_halves<const HIGH: usize, const LOW: usize>(
        self,
        piece: &Piece<Self>,
        halves: &Halves,
        counter: &mut Counter<Self>,
    ) {
        piece.count::<HIGH, LOW>(self, halves, counter);
    }

    fn search_block(self, block: &mut Block, batch: Option<&mut Batch<'_>>) -> u64 {
        block::search(self, block, batch)
    }
}
