//! The vector operations that an instruction set provides. All other code of the counter is generic over [`Isa`].
//!
//! An [`Isa`] value is a token that proves that this machine supports the instructions, so its methods may use them.
//! [`super::portable::Portable`] needs no special instructions and is the reference for tests. `arch/` has the other instruction sets.

use std::ops::Range;

/// The maximum number of lanes of a vector.
pub const MAX_LANES: usize = 16;

/// A vector in memory: [`Isa::LANES`] words, padded with zeros.
pub type Bits = [u32; MAX_LANES];

/// An instruction set.
pub trait Isa: Copy + Send + Sync + 'static {
    /// A vector of [`Isa::LANES`] words of 32 bits. A vector that is used as a set of [`Isa::WIDTH`] bits is
    /// called a *line*.
    type Vector: Copy;
    /// The instruction set for boards with many pieces: the same instruction set, or one with longer lines.
    type Wide: Isa;
    /// The number of words of a mask: 2, or 1 if only [`Mask::high`](super::geometry::Mask::high) is used.
    const WORDS: usize = 2;
    /// The number of bottom halves per iteration of the innermost loop: 16, or 8 if a vector needs several registers.
    const BATCH: usize = 16;
    /// The number of lanes of a vector: an even number, at most [`MAX_LANES`].
    const LANES: usize;
    /// The number of bits of a vector.
    const WIDTH: usize = 32 * Self::LANES;

    /// The token of [`Isa::Wide`].
    fn wide(self) -> Self::Wide;

    /// Runs a closure in a function that is compiled for this instruction set. The closure and
    /// the functions that it calls with vectors must be `#[inline(always)]`.
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R;

    /// Broadcasts a word to every lane.
    fn splat(self, word: u32) -> Self::Vector;
    /// Loads the first words of a slice; lanes beyond the end of the slice are 0.
    fn load(self, words: &[u32]) -> Self::Vector;
    /// Stores all lanes to the first words of a slice.
    fn store(self, v: Self::Vector, out: &mut [u32]);
    /// Stores the lanes whose bits are set in `chosen` contiguously to the beginning of a slice. The following words up to
    /// [`Isa::LANES`] are unspecified.
    fn compress_store(self, chosen: u32, v: Self::Vector, out: &mut [u32]);
    /// `a & b`.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a & !b`.
    fn and_not(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a | b`.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a ^ b`.
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Shifts each lane to the left.
    fn shl(self, v: Self::Vector, by: u32) -> Self::Vector;
    /// Shifts each lane to the right.
    fn shr(self, v: Self::Vector, by: u32) -> Self::Vector;
    /// A mask with one bit per lane, which is set if the lane is 0.
    fn zero_lanes(self, v: Self::Vector) -> u32;
    /// Whether all lanes are 0.
    fn is_zero(self, v: Self::Vector) -> bool;

    /// A full adder for each bit. Returns (carry, sum).
    #[inline(always)]
    fn full_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> (Self::Vector, Self::Vector) {
        let half = self.xor(a, b);
        (self.or(self.and(a, b), self.and(half, c)), self.xor(half, c))
    }

    /// A half adder for each bit. Returns (carry, sum).
    #[inline(always)]
    fn half_add(self, a: Self::Vector, b: Self::Vector) -> (Self::Vector, Self::Vector) {
        (self.and(a, b), self.xor(a, b))
    }
}

/// The line with the bits of a range of top halves. Top half r * [`Isa::LANES`] + l of a piece is bit r of word l.
pub fn line_of_range<K: Isa>(tops: Range<usize>) -> Bits {
    let bits_below = |top: usize, l: usize| !(!0_u64 << ((top + K::LANES - 1 - l) / K::LANES)) as u32;
    std::array::from_fn(
        |l| if l < K::LANES { bits_below(tops.end, l) & !bits_below(tops.start, l) } else { 0 },
    )
}

/// A mask with one bit set for each of the first lanes.
#[inline(always)]
pub fn first_lanes(lanes: usize) -> u32 {
    if lanes >= MAX_LANES { 0xffff } else { (1 << lanes) - 1 }
}
