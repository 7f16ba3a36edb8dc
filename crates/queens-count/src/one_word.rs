//! A wrapper of an instruction set for masks of one word, which need half as many loads, comparisons and stores. They are possible for
//! boards up to [`Geometry::MAX_ONE_WORD_SIZE`](super::geometry::Geometry::MAX_ONE_WORD_SIZE).

use super::isa::Isa;

/// An instruction set with masks of one word.
#[derive(Clone, Copy, Debug)]
pub struct OneWord<K>(pub K);

/// Forwards operations to the wrapped instruction set.
macro_rules! forward {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $type),*) $(-> $result)? {
            self.0.$name($($argument),*)
        }
    )*};
}

impl<K: Isa> Isa for OneWord<K> {
    type Vector = K::Vector;
    type Wide = OneWord<K::Wide>;
    const WORDS: usize = 1;
    const BATCH: usize = K::BATCH;
    const LANES: usize = K::LANES;

    #[inline(always)]
    fn wide(self) -> Self::Wide {
        OneWord(self.0.wide())
    }

    #[inline(always)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        self.0.vectorize(f)
    }

    forward! {
        splat(word: u32) -> K::Vector;
        load(words: &[u32]) -> K::Vector;
        store(v: K::Vector, out: &mut [u32]);
        compress_store(chosen: u32, v: K::Vector, out: &mut [u32]);
        and(a: K::Vector, b: K::Vector) -> K::Vector;
        and_not(a: K::Vector, b: K::Vector) -> K::Vector;
        or(a: K::Vector, b: K::Vector) -> K::Vector;
        xor(a: K::Vector, b: K::Vector) -> K::Vector;
        shl(v: K::Vector, by: u32) -> K::Vector;
        shr(v: K::Vector, by: u32) -> K::Vector;
        zero_lanes(v: K::Vector) -> u32;
        is_zero(v: K::Vector) -> bool;
        full_add(a: K::Vector, b: K::Vector, c: K::Vector) -> (K::Vector, K::Vector);
        half_add(a: K::Vector, b: K::Vector) -> (K::Vector, K::Vector);
    }
}
