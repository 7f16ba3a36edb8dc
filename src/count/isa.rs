//! Operations that an instruction set must provide: vectors of u32 and lines of tops. The algorithm is
//! written once.
//!
//! A [`Isa`] value is a token: only detection creates one, so its methods may use the instructions.
//! [`super::portable::Portable`] is the safe oracle; `arch/` has the others.

use super::block::{Batch, Block};
use super::column_set::{Instance, Scratch};
use super::halves::Halves;
use super::pieces::{Counter, Piece};
use super::symmetry::ColumnSet;

/// An instruction set, and the proof that this machine has it.
pub trait Isa: Copy + Send + Sync + 'static {
    /// A vector of [`Isa::LANES`] u32.
    type Words: Copy;
    /// One bit for each top half of a piece: [`Isa::WIDTH`] bits.
    type Line: Copy + Send + Sync;
    /// Lanes of `Words`: an even number, at most 16.
    const LANES: usize;
    /// Bits of `Line`.
    const WIDTH: usize = 32 * Self::LANES;
    /// Words of 64 bits in a `Line`.
    const WORDS: usize = Self::WIDTH / 64;

    /// The same word in every lane.
    fn splat(self, word: u32) -> Self::Words;
    /// The first words of a slice; lanes beyond its end are 0.
    fn load(self, words: &[u32]) -> Self::Words;
    /// Stores all lanes to the first words of a slice.
    fn store(self, v: Self::Words, out: &mut [u32]);
    /// Lanewise `a & b`.
    fn and(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Lanewise `a | b`.
    fn or(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Lanewise `a ^ b`.
    fn xor(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Lanewise `a - b`.
    fn sub(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Lanewise shift to the left.
    fn shl(self, v: Self::Words, by: u32) -> Self::Words;
    /// Lanewise shift to the right.
    fn shr(self, v: Self::Words, by: u32) -> Self::Words;
    /// One bit per lane: `a & b == 0`.
    fn disjoint(self, a: Self::Words, b: Self::Words) -> u32;
    /// Moves the chosen lanes to the front; the others are 0.
    fn compress(self, chosen: u32, v: Self::Words) -> Self::Words;
    /// Stores the chosen lanes to the first words of a slice; what follows up to [`Isa::LANES`] is unspecified.
    #[inline(always)]
    fn pack(self, chosen: u32, v: Self::Words, out: &mut [u32]) {
        self.store(self.compress(chosen, v), out);
    }

    /// The words as a line: lane l is bits 32 l and up.
    fn as_line(self, v: Self::Words) -> Self::Line;
    /// The line in the first [`Isa::WORDS`] words of a slice.
    fn line(self, words: &[u64]) -> Self::Line;
    /// Stores a line to the first [`Isa::WORDS`] words of a slice.
    fn put(self, line: Self::Line, out: &mut [u64]);
    /// `a & b`.
    fn both(self, a: Self::Line, b: Self::Line) -> Self::Line;
    /// `a & !b`.
    fn without(self, a: Self::Line, b: Self::Line) -> Self::Line;
    /// Bitwise full adder: (carry, sum).
    fn add3(self, a: Self::Line, b: Self::Line, c: Self::Line) -> (Self::Line, Self::Line);
    /// Bitwise half adder: (carry, sum).
    fn add2(self, a: Self::Line, b: Self::Line) -> (Self::Line, Self::Line);
    /// Whether no bit is set.
    fn is_empty(self, line: Self::Line) -> bool;

    /// [`super::column_set::count`], compiled for this instruction set.
    fn count_column_set(
        self,
        instance: &Instance,
        scratch: &mut Scratch<Self>,
        set: ColumnSet,
    ) -> Option<u64>;
    /// [`Piece::count`], compiled for this instruction set: a separate function, because it needs all
    /// registers.
    fn count_halves<const HIGH: usize, const LOW: usize>(
        self,
        piece: &Piece<Self>,
        halves: &Halves,
        counter: &mut Counter<Self>,
    );
    /// [`super::block::search`] from the block's root, compiled for this instruction set.
    fn search_block(self, block: &mut Block, batch: Option<&mut Batch<'_>>) -> u64;
}
