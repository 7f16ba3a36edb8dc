//! AVX2: 8 words per vector, 256 tops per line; compression by a table of permutations.

#![allow(unsafe_code, reason = "intrinsics; the token proves that the machine has them")]

use std::arch::x86_64::*;

use crate::count::block::{self, Batch, Block};
use crate::count::column_set::{self, Instance, Scratch};
use crate::count::halves::Halves;
use crate::count::isa::Isa;
use crate::count::pieces::{Counter, Piece};
use crate::count::symmetry::ColumnSet;

/// Proof that this machine has AVX2, BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The token, or the features that the machine lacks.
    pub fn detect() -> Result<Self, &'static str> {
        if !is_x86_feature_detected!("avx2") {
            return Err("this CPU has no AVX2");
        }
        let bits = is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        if bits { Ok(Self(())) } else { Err("this CPU has no POPCNT, BMI1 or BMI2") }
    }
}

/// For each choice of lanes, the permutation that moves them to the front.
static TO_FRONT: [[u32; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let (mut lane, mut next) = (0, 0);
        while lane < 8 {
            if chosen >> lane & 1 == 1 {
                table[chosen][next] = lane;
                next += 1;
            }
            lane += 1;
        }
        chosen += 1;
    }
    table
};

/// A window into this table gives the mask of the first 0..=8 lanes: all ones, then zeros.
static FIRST: [u32; 16] = [!0, !0, !0, !0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Wraps intrinsics on registers.
macro_rules! registers {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty { $($body:tt)* })*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: $type),*) -> $result {
            // SAFETY: `detect` made this token, so the machine has the instructions; no memory is touched.
            unsafe { $($body)* }
        }
    )*};
}

impl Isa for Avx2 {
    type Words = __m256i;
    type Line = __m256i;
    const LANES: usize = 8;

    registers! {
        splat(word: u32) -> __m256i { _mm256_set1_epi32(word as i32) }
        and(a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        or(a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
        xor(a: __m256i, b: __m256i) -> __m256i { _mm256_xor_si256(a, b) }
        sub(a: __m256i, b: __m256i) -> __m256i { _mm256_sub_epi32(a, b) }
        shl(v: __m256i, by: u32) -> __m256i { _mm256_sll_epi32(v, _mm_cvtsi32_si128(by as i32)) }
        shr(v: __m256i, by: u32) -> __m256i { _mm256_srl_epi32(v, _mm_cvtsi32_si128(by as i32)) }
        disjoint(a: __m256i, b: __m256i) -> u32 {
            let empty = _mm256_cmpeq_epi32(_mm256_and_si256(a, b), _mm256_setzero_si256());
            _mm256_movemask_ps(_mm256_castsi256_ps(empty)) as u32
        }
        both(a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        without(a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
        add3(a: __m256i, b: __m256i, c: __m256i) -> (__m256i, __m256i) {
            let half = _mm256_xor_si256(a, b);
            let carry = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(half, c));
            (carry, _mm256_xor_si256(half, c))
        }
        add2(a: __m256i, b: __m256i) -> (__m256i, __m256i) { (_mm256_and_si256(a, b), _mm256_xor_si256(a, b)) }
        is_empty(line: __m256i) -> bool { _mm256_testz_si256(line, line) == 1 }
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> __m256i {
        let present = &FIRST[8 - words.len().min(8)..][..8];
        // SAFETY: the token proves the instructions; `present` has 8 words, and masked-out lanes, those
        // beyond the slice, are not read.
        unsafe {
            let present = _mm256_loadu_si256(present.as_ptr().cast());
            _mm256_maskload_epi32(words.as_ptr().cast(), present)
        }
    }

    #[inline(always)]
    fn store(self, v: __m256i, out: &mut [u32]) {
        let out = &mut out[..8];
        // SAFETY: the token proves the instructions; the slice was just cut to 8 words.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn compress(self, chosen: u32, v: __m256i) -> __m256i {
        let chosen = chosen & 255;
        let to_front = &TO_FRONT[chosen as usize];
        let present = &FIRST[8 - chosen.count_ones() as usize..][..8];
        // SAFETY: the token proves the instructions; both slices have 8 words.
        unsafe {
            let to_front = _mm256_loadu_si256(to_front.as_ptr().cast());
            let present = _mm256_loadu_si256(present.as_ptr().cast());
            _mm256_and_si256(_mm256_permutevar8x32_epi32(v, to_front), present)
        }
    }

    #[inline(always)]
    fn as_line(self, v: __m256i) -> __m256i {
        v
    }

    #[inline(always)]
    fn line(self, words: &[u64]) -> __m256i {
        let words = &words[..4];
        // SAFETY: the token proves the instructions; the slice was just cut to 4 words.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn put(self, line: __m256i, out: &mut [u64]) {
        let out = &mut out[..4];
        // SAFETY: the token proves the instructions; the slice was just cut to 4 words.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), line) }
    }

    fn count_column_set(
        self,
        instance: &Instance,
        scratch: &mut Scratch<Self>,
        set: ColumnSet,
    ) -> Option<u64> {
        // SAFETY: the token proves the features that the function enables.
        unsafe { count_column_set(self, instance, scratch, set) }
    }

    fn count_halves<const HIGH: usize, const LOW: usize>(
        self,
        piece: &Piece<Self>,
        halves: &Halves,
        counter: &mut Counter<Self>,
    ) {
        // SAFETY: the token proves the features that the function enables.
        unsafe { count_halves::<HIGH, LOW>(self, piece, halves, counter) }
    }

    fn search_block(self, block: &mut Block, batch: Option<&mut Batch<'_>>) -> u64 {
        // SAFETY: the token proves the features that the function enables.
        unsafe { search_block(self, block, batch) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn count_column_set(
    k: Avx2,
    instance: &Instance,
    scratch: &mut Scratch<Avx2>,
    set: ColumnSet,
) -> Option<u64> {
    column_set::count(k, instance, scratch, set)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn count_halves<const HIGH: usize, const LOW: usize>(
    k: Avx2,
    piece: &Piece<Avx2>,
    halves: &Halves,
    counter: &mut Counter<Avx2>,
) {
    piece.count::<HIGH, LOW>(k, halves, counter);
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn search_block(k: Avx2, block: &mut Block, batch: Option<&mut Batch<'_>>) -> u64 {
    block::search(k, block, batch)
}
