//! All integration tests in one binary, because linking one binary is faster than linking one per file.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test prints what it skips")]
#![allow(clippy::disallowed_methods, reason = "paths in failure messages of tests need no escapes")]

#[cfg(target_os = "linux")]
mod attacks;
mod build;
mod calibration;
mod certify;
mod check;
mod circles;
mod claims;
mod command_line;
mod conformance;
mod corpus;
#[cfg(unix)]
mod exits;
#[cfg(target_os = "linux")]
mod faults;
mod figures;
mod formats;
mod harness;
mod names;
mod own_solver;
mod properties;
mod prose;
mod public_reports;
#[path = "../readers/mod.rs"]
mod readers;
#[cfg(unix)]
mod readme;
mod records;
mod report;
mod result_commands;
mod result_directories;
mod snapshots;
#[cfg(target_os = "linux")]
mod supervision;
mod text;
mod types;
mod walls;

use harness::processes;
