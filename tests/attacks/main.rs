//! Attacks on the program, one file per part of it that is attacked. Each test replays an attack that once
//! succeeded, or shows that a promise of docs/TRUST.md holds. They belong to the long gate.

mod certificates;
mod command_line;
#[path = "../all/harness.rs"]
#[allow(dead_code, reason = "each test binary uses its part of the shared harness")]
mod harness;
mod processes;
mod programs;
mod results;
mod submissions;
mod torture;
