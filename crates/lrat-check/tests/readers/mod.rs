//! What must hold for any bytes: functions that panic if it does not. `corpus.rs` runs them over files and random bytes,
//! and a fuzzer can run them over what it makes.

pub mod lrat;
pub mod lrat_steps;
pub mod models;
pub mod simple;
