//! A wrapper of an instruction set that uses two vectors as one vector with twice as many lanes. The larger pieces are faster for
//! large boards.

use super::isa::Isa;

/// An instruction set whose vectors are pairs of vectors of the wrapped instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Pair<K>(pub K);

/// Applies an operation of the instruction set to both vectors of its arguments.
macro_rules! both {
    ($($name:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, a: [K::Vector; 2], b: [K::Vector; 2]) -> [K::Vector; 2] {
            [self.0.$name(a[0], b[0]), self.0.$name(a[1], b[1])]
        }
    )*};
}

impl<K: Isa> Isa for Pair<K> {
    type Vector = [K::Vector; 2];
    type Wide = Self;
    const BATCH: usize = K::BATCH;
    const LANES: usize = 2 * K::LANES;

    #[inline(always)]
    fn wide(self) -> Self {
        self
    }

    #[inline(always)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        self.0.vectorize(f)
    }

    both! { and; and_not; or; xor; }

    #[inline(always)]
    fn splat(self, word: u32) -> Self::Vector {
        [self.0.splat(word); 2]
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> Self::Vector {
        let (first, second) = words.split_at(words.len().min(K::LANES));
        [self.0.load(first), self.0.load(second)]
    }

    #[inline(always)]
    fn store(self, [first, second]: Self::Vector, out: &mut [u32]) {
        let (first_out, second_out) = out.split_at_mut(K::LANES);
        self.0.store(first, first_out);
        self.0.store(second, second_out);
    }

    #[inline(always)]
    fn compress_store(self, chosen: u32, [first, second]: Self::Vector, out: &mut [u32]) {
        let first_chosen = chosen & ((1 << K::LANES) - 1);
        self.0.compress_store(first_chosen, first, out);
        self.0.compress_store(chosen >> K::LANES, second, &mut out[first_chosen.count_ones() as usize..]);
    }

    #[inline(always)]
    fn shl(self, v: Self::Vector, by: u32) -> Self::Vector {
        [self.0.shl(v[0], by), self.0.shl(v[1], by)]
    }

    #[inline(always)]
    fn shr(self, v: Self::Vector, by: u32) -> Self::Vector {
        [self.0.shr(v[0], by), self.0.shr(v[1], by)]
    }

    #[inline(always)]
    fn zero_lanes(self, [first, second]: Self::Vector) -> u32 {
        self.0.zero_lanes(first) | self.0.zero_lanes(second) << K::LANES
    }

    #[inline(always)]
    fn is_zero(self, [first, second]: Self::Vector) -> bool {
        self.0.is_zero(self.0.or(first, second))
    }
}
