//! All integration tests in one binary, because linking one binary is faster than linking sixteen.
//! `tests/corpus.rs` is separate, because its global allocator limits the memory of the whole process.

// Not compiled until their rooms have results of version 2: claims, figures, report. cluster, first, sampling and veripb
// test what is gone.
mod audit;
mod calibration;
mod certify;
mod check;
mod command_line;
mod conformance;
#[cfg(all(target_os = "linux", feature = "faults"))]
mod faults;
mod formats;
mod harness;
mod layers;
mod own_solver;
mod parts;
mod properties;
#[cfg(unix)]
mod readme;
mod reference;
mod seeing;
mod snapshots;

use harness::processes;
