//! Compares two series of a result directory, or several result directories with the first one.

use std::path::{Path, PathBuf};

use super::{AppError, InputError, Observer, read_result};
use crate::experiment::StoredResults;
use crate::report::compare::Comparison;

/// The results to compare.
#[derive(Clone, Debug)]
pub struct CompareInput {
    /// The result directories, each of which is compared with the first one.
    pub directories: Vec<PathBuf>,
    /// A series and its baseline, if there is only one directory.
    pub series: Option<(String, String)>,
    /// The tolerance of the verdicts, in percent.
    pub within_percent: f64,
}

/// The results that were read.
#[derive(Debug)]
pub struct ComparedResults {
    input: CompareInput,
    results: Vec<StoredResults>,
}

/// A directory, and its comparison with the first directory, or the comparison of its two series.
pub type Compared<'a> = (&'a Path, Comparison<'a>);

/// Reads the result directories.
///
/// # Errors
///
/// A directory is not a result directory, or there are too few or too many directories.
pub fn read(input: CompareInput, observe: Observer<'_>) -> Result<ComparedResults, AppError> {
    match (input.directories.len(), &input.series) {
        (1, None) => return Err(InputError::OneDirectory.into()),
        (2.., Some(_)) => return Err(InputError::DirectoriesWithSeries.into()),
        _ => {}
    }
    let read_directory = |path: &PathBuf| read_result(path, observe);
    let results = input.directories.iter().map(read_directory).collect::<Result<_, AppError>>()?;
    Ok(ComparedResults { input, results })
}

impl ComparedResults {
    /// Compares each result except the first with the first one, or compares the two series.
    ///
    /// # Errors
    ///
    /// A series does not exist, or the two series have no problem and goal in common.
    pub fn compare(&self) -> Result<Vec<Compared<'_>>, AppError> {
        let CompareInput { directories, series, within_percent } = &self.input;
        let named_results = directories.iter().zip(&self.results).map(|(path, stored)| (&**path, stored));
        let Some(first) = self.results.first() else { return Ok(Vec::new()) };
        if let Some((of, baseline)) = series {
            let comparison = |(path, stored)| {
                Ok((
                    path,
                    Comparison::of_series(stored, of, baseline, *within_percent).map_err(InputError::from)?,
                ))
            };
            return named_results.map(comparison).collect();
        }
        let other_results = named_results.skip(1);
        Ok(other_results
            .map(|(path, stored)| (path, Comparison::of(first, stored, *within_percent)))
            .collect())
    }
}
