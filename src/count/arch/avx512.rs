//! AVX-512 (F, BW, DQ, VL): 16 words per vector, 512 tops per line, compression and three-input logic.

#![allow(unsafe_code, reason = "intrinsics; the token proves that the machine has them")]

use std::arch::x86_64::*;

use crate::count::block::{self, Batch, Block};
use crate::count::column_set::{self, Instance, Scratch};
use crate::count::halves::Halves;
use crate::count::isa::Isa;
use crate::count::pieces::{Counter, Piece};
use crate::count::symmetry::ColumnSet;

/// Proof that this machine has AVX-512 F, BW, DQ and VL, BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The token, or the features that the machine lacks.
    pub fn detect() -> Result<Self, &'static str> {
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        if !avx512 {
            return Err("this CPU has no AVX-512 (F, BW, DQ, VL)");
        }
        let bits = is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        if bits { Ok(Self(())) } else { Err("this CPU has no POPCNT, BMI1 or BMI2") }
    }
}

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

impl Isa for Avx512 {
    type Words = __m512i;
    type Line = __m512i;
    const LANES: usize = 16;

    registers! {
        splat(word: u32) -> __m512i { _mm512_set1_epi32(word as i32) }
        and(a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
        or(a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
        xor(a: __m512i, b: __m512i) -> __m512i { _mm512_xor_si512(a, b) }
        sub(a: __m512i, b: __m512i) -> __m512i { _mm512_sub_epi32(a, b) }
        shl(v: __m512i, by: u32) -> __m512i { _mm512_sll_epi32(v, _mm_cvtsi32_si128(by as i32)) }
        shr(v: __m512i, by: u32) -> __m512i { _mm512_srl_epi32(v, _mm_cvtsi32_si128(by as i32)) }
        disjoint(a: __m512i, b: __m512i) -> u32 { u32::from(_mm512_testn_epi32_mask(a, b)) }
        compress(chosen: u32, v: __m512i) -> __m512i { _mm512_maskz_compress_epi32(chosen as u16, v) }
        both(a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
        without(a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(b, a) }
        add3(a: __m512i, b: __m512i, c: __m512i) -> (__m512i, __m512i) {
            // Truth tables of the majority and of the parity.
            (_mm512_ternarylogic_epi64::<0xe8>(a, b, c), _mm512_ternarylogic_epi64::<0x96>(a, b, c))
        }
        add2(a: __m512i, b: __m512i) -> (__m512i, __m512i) { (_mm512_and_si512(a, b), _mm512_xor_si512(a, b)) }
        is_empty(line: __m512i) -> bool { _mm512_test_epi64_mask(line, line) == 0 }
    }

    #[inline(always)]
    fn load(self, words: &[u32]) -> __m512i {
        let present = if words.len() >= 16 { 0xffff } else { (1_u16 << words.len()) - 1 };
        // SAFETY: the token proves the instructions; masked-out lanes, those beyond the slice, are not read.
        unsafe { _mm512_maskz_loadu_epi32(present, words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, v: __m512i, out: &mut [u32]) {
        let out = &mut out[..16];
        // SAFETY: the token proves the instructions; the slice was just cut to 16 words.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn as_line(self, v: __m512i) -> __m512i {
        v
    }

    #[inline(always)]
    fn line(self, words: &[u64]) -> __m512i {
        let words = &words[..8];
        // SAFETY: the token proves the instructions; the slice was just cut to 8 words.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn put(self, line: __m512i, out: &mut [u64]) {
        let out = &mut out[..8];
        // SAFETY: the token proves the instructions; the slice was just cut to 8 words.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), line) }
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

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn count_column_set(
    k: Avx512,
    instance: &Instance,
    scratch: &mut Scratch<Avx512>,
    set: ColumnSet,
) -> Option<u64> {
    column_set::count(k, instance, scratch, set)
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn count_halves<const HIGH: usize, const LOW: usize>(
    k: Avx512,
    piece: &Piece<Avx512>,
    halves: &Halves,
    counter: &mut Counter<Avx512>,
) {
    piece.count::<HIGH, LOW>(k, halves, counter);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn search_block(k: Avx512, block: &mut Block, batch: Option<&mut Batch<'_>>) -> u64 {
    block::search(k, block, batch)
}
