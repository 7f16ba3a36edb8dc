//! The commands of queenlab as functions. Each function takes a struct and returns one. Code in this folder does not print,
//! read the command line or end the process.
//!
//! Functions that may run for a long time report [`Event`]s to an [`Observer`], and return soon after their cancel flag is set.
//!
//! ```text
//! sweep.rs      plans and runs an experiment                report.rs    writes tables, plots and the report
//! reproduce.rs  repeats the plan of a result directory      compare.rs   compares result directories or series
//! verify.rs     compares solvers with each other            check.rs     judges one submission
//! count.rs      counts solutions                            batch.rs     judges every submission in a directory
//! estimate.rs   estimates the number of solutions           solve.rs     finds solutions
//! encode.rs     writes a problem as a formula               generate.rs  generates random instances
//! list.rs       lists solvers and their properties          doctor.rs    finds conditions that disturb measurements
//!
//! run.rs        the common part of sweep and reproduce      error.rs     errors of commands
//! event.rs      events that report progress                 programs.rs  the command that starts a program in a file
//! submissions.rs  the submissions in a directory            files.rs     the files of a submission
//! build.rs      compiles submissions                        feedback.rs  one sentence about a submission
//! judged.rs     the results of a submission
//! ```
//!
//! Certificates are made by [`crate::certify`], whose functions have the same form.
//!
//! ```
//! use std::num::NonZeroUsize;
//! use std::sync::Arc;
//!
//! use queenlab::app::count::{CountEnd, CountInput, count, default_solver};
//! use queenlab::board::BoardSize;
//! use queenlab::board::problem::Problem;
//! use queenlab::registry::Registry;
//!
//! let registry = Registry::builtin();
//! let problem = Problem::queens(BoardSize::new(8)?);
//! let solver = registry.choose(default_solver(&problem))?;
//! let (problem, solver) = (&problem, &solver);
//! let input = CountInput { problem, solver, threads: NonZeroUsize::MIN, seed: 1, checkpoint: None, shard: None };
//! let end = count(&input, &Arc::default(), &|_event| ())?;
//! assert!(matches!(end, CountEnd::Counted(counted) if counted.solutions == 92));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
pub mod build;
pub mod check;
pub mod compare;
pub mod count;
pub mod doctor;
pub mod encode;
mod error;
pub mod estimate;
mod event;
pub mod feedback;
mod files;
pub mod generate;
pub mod judged;
pub mod list;
pub mod programs;
pub mod report;
pub mod reproduce;
mod run;
pub mod solve;
mod submissions;
pub mod sweep;
pub mod verify;

use std::path::Path;

pub use error::{AppError, InputError};
pub use event::{Event, Observer};
pub use run::SweepOutcome;

use crate::experiment::StoredResults;
use crate::files::{create_directory, is_link};

/// Creates the directory of `--out`, unless it exists.
///
/// # Errors
///
/// [`InputError::OutputIsLink`], or the directory cannot be created.
fn create_output_directory(directory: &Path) -> Result<(), AppError> {
    check_output_directory(directory)?;
    create_directory(directory).map_err(|error| {
        let what = format!("--out: {}", plaintext::path(directory));
        AppError::Io { what, error }
    })
}

/// Checks that an output directory is not a symbolic link. Results from somebody else may contain such a link, and
/// output must not be written through it.
fn check_output_directory(directory: &Path) -> Result<(), InputError> {
    match is_link(directory) {
        true => Err(InputError::OutputIsLink(directory.to_owned())),
        false => Ok(()),
    }
}

/// Reads a result directory. Remarks about it are reported as warnings.
///
/// # Errors
///
/// [`AppError::Results`] if it is not a result directory, or has a row that no sweep would have written.
pub fn read_result(directory: &Path, observe: Observer<'_>) -> Result<StoredResults, AppError> {
    let stored = StoredResults::read(directory).map_err(AppError::Results)?;
    stored.remarks.iter().for_each(|remark| observe(Event::Warning(remark)));
    Ok(stored)
}
