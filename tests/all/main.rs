//! All integration tests in one binary, because linking one binary is faster than linking sixteen.
//! `tests/corpus.rs` is separate, because its global allocator limits the memory of the whole process.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test says what it skips")]

mod calibration;
mod certify;
mod check;
mod claims;
mod command_line;
mod conformance;
#[cfg(target_os = "linux")]
mod faults;
mod figures;
mod formats;
mod harness;
mod own_solver;
mod properties;
#[cfg(unix)]
mod readme;
mod reference;
mod report;
mod seeing;
mod several;
mod snapshots;
mod walls;

use harness::processes;
