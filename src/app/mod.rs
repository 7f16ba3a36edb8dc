//! What queenlab does: a function for each command, which takes a plain struct and returns one. Nothing here prints, reads the
//! command line or ends the process.
//!
//! Work that takes long reports [`Event`]s to an [`Observer`], and ends soon after its flag to cancel becomes true.
//!
//! ```text
//! sweep.rs      plans an experiment and carries it out      report.rs    tables, plots and a page of directories
//! reproduce.rs  repeats the plan of a result directory      compare.rs   result directories with the first of them
//! verify.rs     solvers with each other                     check.rs     one submission
//! count.rs      counts solutions                            batch.rs     every submission in a directory
//! estimate.rs   estimates their number                      solve.rs     finds solutions
//! run.rs        what sweep and reproduce share              event.rs     progress
//! programs.rs   which command starts a program in a file    error.rs     why a command could not be carried out
//! handed_in.rs  files and folders that are submissions      build.rs     compiles submissions
//! feedback.rs   one sentence about a submission             list.rs      the solvers and their properties
//! encode.rs     a problem as a formula                      generate.rs  random instances
//! doctor.rs     what could disturb measurements             files.rs     the files of a submission
//! judged.rs     the results of a submission
//! ```
//!
//! A certificate is made by [`crate::certify`], which is such a function already.
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
mod handed_in;
pub mod judged;
pub mod list;
pub mod programs;
pub mod report;
pub mod reproduce;
mod run;
pub mod solve;
pub mod sweep;
pub mod verify;

use std::path::Path;

pub use error::{AppError, InputError};
pub use event::{Event, Observer};
pub use run::Swept;

use crate::experiment::Stored;

/// Reads a result directory, and reports its remarks as warnings.
///
/// # Errors
///
/// [`AppError::Results`] if it is not a result directory, or has a row that no sweep would have written.
pub fn read_result(directory: &Path, observe: Observer<'_>) -> Result<Stored, AppError> {
    let stored = Stored::read(directory).map_err(AppError::Results)?;
    stored.remarks.iter().for_each(|remark| observe(Event::Warning(remark)));
    Ok(stored)
}
