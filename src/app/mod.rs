//! What queenlab does: a function for each command, which takes a plain struct and returns one. Nothing here prints, reads the
//! command line or ends the process.
//!
//! Work that takes long reports [`Event`]s to an [`Observer`], and ends soon after its flag to cancel becomes true.
//!
//! ```text
//! sweep.rs      plans an experiment and carries it out      report.rs  tables, plots and a page of directories
//! reproduce.rs  repeats the plan of a result directory      compare.rs result directories with the first of them
//! run.rs        what sweep and reproduce share              event.rs   progress
//! programs.rs   which command starts a program in a file    error.rs   why a command could not be carried out
//! ```

pub mod compare;
mod error;
mod event;
pub mod programs;
pub mod report;
pub mod reproduce;
mod run;
pub mod sweep;

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
