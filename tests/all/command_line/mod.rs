//! The program as users run it: what it prints, what it writes, and its exit code.

mod bad_input;
mod count;
mod encode;
#[cfg(target_os = "linux")]
mod ends;
mod estimate;
#[cfg(unix)]
mod factors;
#[cfg(target_os = "linux")]
mod full_disk;
#[cfg(target_os = "linux")]
mod kills;
mod limits;
mod lists;
mod measuring;
mod problems;
mod programs;
mod resume;
mod shards;
mod solve;
mod sweep;
mod verify;
