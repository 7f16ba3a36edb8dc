//! Attacks on the program, one file per part that is attacked. Each test replays an attack that once
//! succeeded, or shows that a promise of docs/TRUST.md holds. `scripts/test --full` runs them.
//! They use signals, /proc and pseudo-terminals, and run on Linux only.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test says what it skips")]
#![cfg(target_os = "linux")]

mod bars;
mod certificates;
mod command_line;
mod damage;
#[path = "../all/harness.rs"]
#[allow(dead_code, reason = "each test binary uses its part of the shared harness")]
mod harness;
mod outputs;
mod processes;
mod programs;
mod results;
mod signals;
mod submissions;
mod terminal;
mod torture;
