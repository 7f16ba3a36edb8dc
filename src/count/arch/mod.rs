//! Instruction sets: thin wrappers of intrinsics, one file each. No algorithm lives here.

pub mod avx2;
pub mod avx512;
