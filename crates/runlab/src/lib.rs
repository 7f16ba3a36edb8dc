#![doc = include_str!("../README.md")]
// Tests convert small numbers freely.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod cpus;
pub mod directory;
pub mod log;
pub mod machine;
pub mod sha256;

pub use cpus::{CpuError, CpuList};
