//! Compares result directories with the first of them.

use std::path::{Path, PathBuf};

use super::{AppError, Observer, read_result};
use crate::experiment::Stored;
use crate::registry::Registry;
use crate::report::compare::Comparison;

/// Results to compare.
#[derive(Debug)]
pub struct ComparedResults {
    first: Stored,
    later: Vec<(PathBuf, Stored)>,
}

/// A later directory, and its comparison with the first one.
pub type Compared<'a> = (&'a Path, Comparison<'a>);

/// Reads the first result directory, and those that are compared with it.
///
/// # Errors
///
/// A directory is not a result directory.
pub fn read(
    first: &Path,
    later: &[PathBuf],
    registry: &Registry,
    observe: Observer<'_>,
) -> Result<ComparedResults, AppError> {
    let first = read_result(first, registry, observe)?;
    let read = |path: &PathBuf| Ok((path.clone(), read_result(path, registry, observe)?));
    Ok(ComparedResults { first, later: later.iter().map(read).collect::<Result<_, AppError>>()? })
}

impl ComparedResults {
    /// Compares each later result with the first one.
    pub fn compare(&self) -> Vec<Compared<'_>> {
        self.later.iter().map(|(path, later)| (&**path, Comparison::of(&self.first, later))).collect()
    }
}
