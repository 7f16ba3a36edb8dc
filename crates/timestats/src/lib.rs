#![doc = include_str!("../README.md")]
//!
//! ## Modules
//!
//! ```text
//! time.rs      a time, and a range of possible values     unpaired.rs  two independent samples
//! sample.rs    quantiles, spread, interval of a median    multiple.rs  several tests at once
//! paired.rs    runs of the same rounds                    growth.rs    time against size
//! mean.rs      means, with Student's interval              precision.rs how many runs are needed
//! ```

// Casts in tests are not checked, because their numbers are small.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]

pub mod growth;
mod mean;
pub mod multiple;
pub mod paired;
mod precision;
mod sample;
mod time;
pub mod unpaired;

pub use mean::{mean, mean_interval, standard_deviation};
pub use precision::runs_for_half_width;
pub use sample::{MEDIAN_INTERVAL_RUNS, Sample, Summary};
pub use time::{Range, Time};

/// The significance level that [`multiple::holm`] uses.
pub const LEVEL: f64 = 0.05;
