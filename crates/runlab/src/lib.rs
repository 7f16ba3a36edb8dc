#![doc = include_str!("../README.md")]
//!
//! ## Modules
//!
//! ```text
//! plan.rs      cells, rounds, the order of runs      directory.rs  a lock, and atomic replacement
//! repeat.rs    how often a cell is repeated          log.rs        lines that are appended, checked and repaired
//! queue.rs     the next run, and skipped sizes       machine.rs    the machine, and what disturbs measurements
//! estimate.rs  the remaining time                    cpus.rs       lists of CPUs
//! history.rs   finished runs, and their attempts     sha256.rs     digests of files
//! execute.rs   the loop over all runs                process.rs    a process for each run
//! finished.rs  a finished run                        results.rs    rows as JSON, for experiments without their own format
//! program.rs   programs that runs start              session.rs    one execution of a program that adds runs
//! precision.rs whether a cell has enough runs
//! ```

// Casts in tests are not checked, because their numbers are small.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod cpus;
pub mod directory;
mod estimate;
mod execute;
mod finished;
mod history;
pub mod log;
pub mod machine;
pub mod plan;
mod precision;
pub mod process;
pub mod program;
mod queue;
mod repeat;
pub mod results;
mod session;
pub mod sha256;

pub use cpus::{CpuError, CpuList};
pub use estimate::Remaining;
pub use execute::{EndedRun, ExecuteError, Executor, Recorder, RunEvent, RunResult, execute};
pub use finished::{FinishedRun, RunOutcome};
pub use history::History;
pub use plan::{Kind, PlannedCell, Run, RunLimits, RunPlan, Schedule};
pub use repeat::{Repeat, RepeatError};
pub use session::Session;
