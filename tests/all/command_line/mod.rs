//! The commands of the program: output, written files and exit codes.

mod bad_input;
mod count;
mod encode;
mod estimate;
#[cfg(unix)]
mod factors;
#[cfg(target_os = "linux")]
mod full_disk;
#[cfg(target_os = "linux")]
mod kills;
mod limits;
mod list_and_verify;
mod problems;
mod programs;
mod resume;
mod run_conditions;
mod shards;
mod solve;
mod sweep;
#[cfg(target_os = "linux")]
mod termination;
mod verify;
