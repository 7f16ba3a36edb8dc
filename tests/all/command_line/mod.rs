//! The program from outside: what it prints, what it writes, and the exit code that says how it went.

mod bad_input;
mod count;
mod encode;
#[cfg(target_os = "linux")]
mod ends;
#[cfg(target_os = "linux")]
mod full_disk;
#[cfg(target_os = "linux")]
mod kills;
mod lists;
mod measuring;
mod programs;
mod resume;
mod solve;
mod sweep;
mod verify;
