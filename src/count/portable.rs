//! Safe code that runs on any machine: the reference that the other instruction sets are compared with.

use super::isa::Isa;

const LANES: usize = 8;

/// No special instructions.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// Defines lanewise operations of two vectors.
macro_rules! lanewise {
    ($($name:ident: $operation:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, a: [u32; LANES], b: [u32; LANES]) -> [u32; LANES] {
            let operation: fn(u32, u32) -> u32 = $operation;
            std::array::from_fn(|lane| operation(a[lane], b[lane]))
        }
    )*};
}

impl Isa for Portable {
    type Vector = [u32; LANES];
    const LANES: usize = LANES;

    #[inline(never)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }

    lanewise! {
        and: |a, b| a & b;
        and_not: |a, b| a & !b;
        or: |a, b| a | b;
        xor: |a, b| a ^ b;
        sub: u32::wrapping_sub;
    }

    #[inline(always)]
    fn splat(self, word: u32) -> [u32; LANES] {
        [word; LANES]
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> [u32; LANES] {
        words.first_chunk().copied().unwrap_or_else(|| {
            let mut v = [0; LANES];
            v[..words.len()].copy_from_slice(words);
            v
        })
    }

    #[inline(always)]
    fn store(self, v: [u32; LANES], out: &mut [u32]) {
        out[..LANES].copy_from_slice(&v);
    }

    #[inline(always)]
    fn compress_store(self, chosen: u32, v: [u32; LANES], out: &mut [u32]) {
        let out = &mut out[..LANES];
        let mut next = 0;
        for (lane, &word) in v.iter().enumerate() {
            out[next & (LANES - 1)] = word;
            next += (chosen >> lane & 1) as usize;
        }
    }

    #[inline(always)]
    fn shl(self, v: [u32; LANES], by: u32) -> [u32; LANES] {
        v.map(|word| word << by)
    }

    #[inline(always)]
    fn shr(self, v: [u32; LANES], by: u32) -> [u32; LANES] {
        v.map(|word| word >> by)
    }

    #[inline(always)]
    fn zero_lanes(self, v: [u32; LANES]) -> u32 {
        (0..LANES).map(|lane| u32::from(v[lane] == 0) << lane).sum()
    }

    #[inline(always)]
    fn is_zero(self, v: [u32; LANES]) -> bool {
        v.iter().fold(0, |all, word| all | word) == 0
    }
}
