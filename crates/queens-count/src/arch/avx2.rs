//! AVX2: vectors of 8 lanes, and lines (`pieces.rs`) of 256 top halves. Compression permutes lanes by a lookup table.

#![allow(unsafe_code, reason = "intrinsics; the token proves that the machine has them")]

use std::arch::x86_64::*;

use super::{detect_bit_manipulation, registers};
use crate::isa::Isa;
use crate::pair::Pair;

/// A token that proves that this machine has AVX2, BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Returns the token, or the names of missing features.
    pub fn detect() -> Result<Self, &'static str> {
        if !is_x86_feature_detected!("avx2") {
            return Err("this CPU has no AVX2");
        }
        detect_bit_manipulation().map(Self)
    }
}

/// For each mask of selected lanes, the permutation that moves these lanes to the front.
static TO_FRONT: [[u32; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut next_lane) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask][next_lane] = lane;
                next_lane += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// A window of 8 words into this table is a mask of the first 0..=8 lanes: all ones, then zeros.
static FIRST_LANES: [u32; 16] = [!0, !0, !0, !0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0, 0, 0];

impl Isa for Avx2 {
    type Vector = __m256i;
    type Wide = Pair<Self>;
    const LANES: usize = 8;

    #[inline(always)]
    fn wide(self) -> Pair<Self> {
        Pair(self)
    }

    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn vectorized<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: the token proves the features that the function enables.
        unsafe { vectorized(f) }
    }

    registers! {
        splat(word: u32) -> __m256i { _mm256_set1_epi32(word as i32) }
        and(a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        and_not(a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
        or(a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
        xor(a: __m256i, b: __m256i) -> __m256i { _mm256_xor_si256(a, b) }
        shl(v: __m256i, by: u32) -> __m256i { _mm256_sll_epi32(v, _mm_cvtsi32_si128(by as i32)) }
        shr(v: __m256i, by: u32) -> __m256i { _mm256_srl_epi32(v, _mm_cvtsi32_si128(by as i32)) }
        zero_lanes(v: __m256i) -> u32 {
            let is_zero_mask = _mm256_cmpeq_epi32(v, _mm256_setzero_si256());
            _mm256_movemask_ps(_mm256_castsi256_ps(is_zero_mask)) as u32
        }
        is_zero(v: __m256i) -> bool { _mm256_testz_si256(v, v) == 1 }
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> __m256i {
        let lane_mask = &FIRST_LANES[8 - words.len().min(8)..][..8];
        // SAFETY: the token proves the instructions; `lane_mask` has 8 words, and lanes beyond the slice are
        // masked out, so they are not read.
        unsafe {
            let lane_mask = _mm256_loadu_si256(lane_mask.as_ptr().cast());
            _mm256_maskload_epi32(words.as_ptr().cast(), lane_mask)
        }
    }

    #[inline(always)]
    fn store(self, v: __m256i, out: &mut [u32]) {
        let words = &mut out[..8];
        // SAFETY: the token proves the instructions; the slice was just cut to 8 words.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn compress_store(self, chosen: u32, v: __m256i, out: &mut [u32]) {
        let to_front = &TO_FRONT[(chosen & 255) as usize];
        // SAFETY: the token proves the instructions; the permutation has 8 words.
        let v = unsafe { _mm256_permutevar8x32_epi32(v, _mm256_loadu_si256(to_front.as_ptr().cast())) };
        self.store(v, out);
    }
}
