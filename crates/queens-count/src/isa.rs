//! The operations that an instruction set provides. Everything else in this folder is written once, over
//! [`Isa`].
//!
//! An [`Isa`] value is a token: only detection creates one, so its methods may use the instructions.
//! [`super::portable::Portable`] is the safe reference; `arch/` has the others.

use std::ops::Range;

/// The maximum number of lanes of a vector.
pub const MAX_LANES: usize = 16;

/// The bits of a vector in memory: the first [`Isa::LANES`] words, and zeros.
pub type Bits = [u32; MAX_LANES];

/// An instruction set, and the proof that this machine has it.
pub trait Isa: Copy + Send + Sync + 'static {
    /// A vector of [`Isa::LANES`] words of 32 bits. A vector that is used as a set of [`Isa::WIDTH`] bits is
    /// called a *line*.
    type Vector: Copy;
    /// The instruction set for boards with many pieces: this one, or one with longer lines.
    type Wide: Isa;
    /// The words of a mask: 2, or 1 if only [`Mask::high`](super::geometry::Mask::high) is used.
    const WORDS: usize = 2;
    /// The bottom halves that are counted at a time: 16, or 8 where vectors take many registers.
    const TURN: usize = 16;
    /// Lanes of a vector: an even number, at most [`MAX_LANES`].
    const LANES: usize;
    /// Bits of a vector.
    const WIDTH: usize = 32 * Self::LANES;

    /// The token of [`Isa::Wide`].
    fn wide(self) -> Self::Wide;

    /// Runs a closure in a function of its own that is compiled for this instruction set. The closure and
    /// the functions in it that use vectors must be `#[inline(always)]`.
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R;

    /// The same word in every lane.
    fn splat(self, word: u32) -> Self::Vector;
    /// The first words of a slice; lanes beyond its end are 0.
    fn load(self, words: &[u32]) -> Self::Vector;
    /// Stores all lanes to the first words of a slice.
    fn store(self, v: Self::Vector, out: &mut [u32]);
    /// Stores the chosen lanes to the first words of a slice; what follows up to [`Isa::LANES`] is
    /// unspecified.
    fn compress_store(self, chosen: u32, v: Self::Vector, out: &mut [u32]);
    /// `a & b`.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a & !b`.
    fn and_not(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a | b`.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a ^ b`.
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Lanewise shift to the left.
    fn shl(self, v: Self::Vector, by: u32) -> Self::Vector;
    /// Lanewise shift to the right.
    fn shr(self, v: Self::Vector, by: u32) -> Self::Vector;
    /// One bit per lane: whether the lane is 0.
    fn zero_lanes(self, v: Self::Vector) -> u32;
    /// Whether all lanes are 0.
    fn is_zero(self, v: Self::Vector) -> bool;

    /// Full adder for each bit: (carry, sum).
    #[inline(always)]
    fn full_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> (Self::Vector, Self::Vector) {
        let half = self.xor(a, b);
        (self.or(self.and(a, b), self.and(half, c)), self.xor(half, c))
    }

    /// Half adder for each bit: (carry, sum).
    #[inline(always)]
    fn half_add(self, a: Self::Vector, b: Self::Vector) -> (Self::Vector, Self::Vector) {
        (self.and(a, b), self.xor(a, b))
    }
}

/// The positions of the tops `tops` of a piece in a line: top [`Isa::LANES`] x r + l is bit r of word l.
pub fn lanes<K: Isa>(tops: Range<usize>) -> Bits {
    let below = |top: usize, l: usize| !(!0_u64 << ((top + K::LANES - 1 - l) / K::LANES)) as u32;
    std::array::from_fn(|l| if l < K::LANES { below(tops.end, l) & !below(tops.start, l) } else { 0 })
}

/// One bit for each of the first lanes.
#[inline(always)]
pub fn first_lanes(lanes: usize) -> u32 {
    if lanes >= MAX_LANES { 0xffff } else { (1 << lanes) - 1 }
}
