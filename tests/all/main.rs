//! All integration tests in one binary, because linking one binary is faster than linking sixteen.
//! `tests/corpus.rs` is separate, because its global allocator limits the memory of the whole process.

mod audit;
mod calibration;
mod certify;
mod check;
mod claims;
mod cluster;
mod command_line;
mod conformance;
#[cfg(all(target_os = "linux", feature = "faults"))]
mod faults;
mod figures;
mod formats;
mod harness;
mod layers;
mod own_solver;
mod parts;
mod properties;
#[cfg(unix)]
mod readme;
mod reference;
mod report;
mod sampling;
mod seeing;
mod snapshots;
mod veripb;

use harness::processes;
