//! Instruction sets of x86-64: thin wrappers of intrinsics, one file per instruction set.

pub mod avx2;
pub mod avx512;

/// Defines methods that wrap intrinsics without memory accesses.
macro_rules! registers {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty { $($body:tt)* })*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: $type),*) -> $result {
            // SAFETY: `detect` made this token, so the machine has the instructions; no memory is touched.
            unsafe { $($body)* }
        }
    )*};
}
use registers;

/// Checks for the scalar bit-manipulation instructions that every kernel in this folder uses. The error names missing features.
fn detect_bit_manipulation() -> Result<(), &'static str> {
    let has_all = is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2");
    if has_all { Ok(()) } else { Err("this CPU has no POPCNT, BMI1 or BMI2") }
}
