//! AVX-512 (F, BW, DQ, VL): vectors of 16 lanes, and lines (`pieces.rs`) of 512 top halves. Compression and three-input logic are
//! instructions.

#![allow(unsafe_code, reason = "intrinsics; the token proves that the machine has them")]

use std::arch::x86_64::*;

use super::{detect_bit_manipulation, registers};
use crate::isa::{Isa, first_lanes};

/// A token that proves that this machine has AVX-512 F, BW, DQ and VL, BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// Returns the token, or the names of missing features.
    pub fn detect() -> Result<Self, &'static str> {
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        if !avx512 {
            return Err("this CPU has no AVX-512 (F, BW, DQ, VL)");
        }
        detect_bit_manipulation().map(Self)
    }
}

impl Isa for Avx512 {
    type Vector = __m512i;
    type Wide = Self;
    const LANES: usize = 16;

    #[inline(always)]
    fn wide(self) -> Self {
        self
    }

    fn vectorize<R>(self, f: impl FnOnce() -> R) -> R {
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
        fn vectorized<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: the token proves the features that the function enables.
        unsafe { vectorized(f) }
    }

    registers! {
        splat(word: u32) -> __m512i { _mm512_set1_epi32(word as i32) }
        and(a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
        and_not(a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(b, a) }
        or(a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
        xor(a: __m512i, b: __m512i) -> __m512i { _mm512_xor_si512(a, b) }
        shl(v: __m512i, by: u32) -> __m512i { _mm512_sll_epi32(v, _mm_cvtsi32_si128(by as i32)) }
        shr(v: __m512i, by: u32) -> __m512i { _mm512_srl_epi32(v, _mm_cvtsi32_si128(by as i32)) }
        zero_lanes(v: __m512i) -> u32 { u32::from(_mm512_testn_epi32_mask(v, v)) }
        is_zero(v: __m512i) -> bool { _mm512_test_epi64_mask(v, v) == 0 }
        full_add(a: __m512i, b: __m512i, c: __m512i) -> (__m512i, __m512i) {
            // The truth tables of majority (carry) and parity (sum).
            (_mm512_ternarylogic_epi64::<0xe8>(a, b, c), _mm512_ternarylogic_epi64::<0x96>(a, b, c))
        }
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> __m512i {
        // SAFETY: the token proves the instructions; lanes beyond the slice are masked out, so they are not
        // read.
        unsafe { _mm512_maskz_loadu_epi32(first_lanes(words.len()) as u16, words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, v: __m512i, out: &mut [u32]) {
        let words = &mut out[..16];
        // SAFETY: the token proves the instructions; the slice was just cut to 16 words.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn compress_store(self, chosen: u32, v: __m512i, out: &mut [u32]) {
        // SAFETY: the token proves the instructions; no memory is touched.
        let v = unsafe { _mm512_maskz_compress_epi32(chosen as u16, v) };
        self.store(v, out);
    }
}
