//! Safe code that runs on any machine. Tests compare the other instruction sets with this reference.

use super::isa::Isa;
use super::pair::Pair;

const LANES: usize = 8;

/// The instruction set without special instructions.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// Defines operations on each lane as loops. Closures that are passed to methods of arrays are not always inlined, and then take
/// several times as long.
macro_rules! lanewise {
    ($($name:ident($a:ident, $b:ident) $operation:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, mut v: [u32; LANES], w: [u32; LANES]) -> [u32; LANES] {
            for lane in 0..LANES {
                let ($a, $b) = (v[lane], w[lane]);
                v[lane] = $operation;
            }
            v
        }
    )*};
}

impl Isa for Portable {
    type Vector = [u32; LANES];
    type Wide = Pair<Self>;
    const BATCH: usize = 8;
    const LANES: usize = LANES;

    #[inline(always)]
    fn wide(self) -> Pair<Self> {
        Pair(self)
    }

    #[inline(never)]
    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }

    lanewise! {
        and(a, b) a & b;
        and_not(a, b) a & !b;
        or(a, b) a | b;
        xor(a, b) a ^ b;
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
        let mut next_lane = 0;
        for (lane, &word) in v.iter().enumerate() {
            out[next_lane & (LANES - 1)] = word;
            next_lane += (chosen >> lane & 1) as usize;
        }
    }

    #[inline(always)]
    fn shl(self, mut v: [u32; LANES], by: u32) -> [u32; LANES] {
        for word in &mut v {
            *word <<= by;
        }
        v
    }

    #[inline(always)]
    fn shr(self, mut v: [u32; LANES], by: u32) -> [u32; LANES] {
        for word in &mut v {
            *word >>= by;
        }
        v
    }

    #[inline(always)]
    fn zero_lanes(self, v: [u32; LANES]) -> u32 {
        (0..LANES).map(|lane| u32::from(v[lane] == 0) << lane).sum()
    }

    #[inline(always)]
    fn is_zero(self, v: [u32; LANES]) -> bool {
        v.iter().fold(0, |union, word| union | word) == 0
    }
}
