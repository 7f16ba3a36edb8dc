//! Attacks on the program, one file per attacked part. Each test repeats an attack that once succeeded, or tests a guarantee of
//! docs/TRUST.md. `scripts/test --full` runs these tests. The tests use signals, /proc and pseudo-terminals, and run on Linux only.

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
