//! Attacks on the program, one file per part that is attacked. Each test replays an attack that once
//! succeeded, or shows that a promise of docs/TRUST.md holds. `scripts/test --full` runs them.
//! They use signals, /proc and pseudo-terminals, and run on Linux only.

mod bars;
mod certificates;
mod command_line;
mod damage;
mod numbers;
mod outputs;
mod processes;
mod programs;
mod results;
mod signals;
mod submissions;
mod terminal;
mod torture;
