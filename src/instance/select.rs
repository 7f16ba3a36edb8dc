//! Reads the instances that an experiment selects. Only this file uses the crate `glob`.

use std::path::{Path, PathBuf};

use super::error::InstanceError;
use crate::board::problem::Problem;
use crate::files;
use crate::record::{InstanceText, sha256_hex};
use plaintext::{Escaped, is_plain};

/// The maximum size of an instance, in bytes. A board of 1024 rows as a list of squares takes 10 MB.
const MAX_BYTES: u64 = 64 << 20;

/// The maximum number of files that a pattern may select.
const MAX_FILES: usize = 10_000;

/// A problem in a file.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The name of the file without its extension.
    pub name: String,
    /// The properties that result directories record.
    pub text: InstanceText,
    /// The problem.
    pub problem: Problem,
}

/// Why the instances of an experiment could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    /// The pattern contains `**`, which could search a whole disk.
    #[error("'{}' contains '**', which is not supported: name the folders, as in puzzles/*/*.txt", Escaped(.0))]
    DoubleStar(String),
    /// The text is not a valid glob.
    #[error("'{}' is not a pattern: {}", Escaped(.0), .1)]
    NotAPattern(String, glob::PatternError),
    /// A pattern selects more than `MAX_FILES` files.
    #[error("more than {MAX_FILES} files match '{}': use a narrower pattern", Escaped(.0))]
    TooMany(String),
    /// A pattern does not select any file.
    #[error("no file matches '{}'; paths are relative to the current directory", Escaped(.0))]
    NoMatch(String),
    /// A file cannot be read.
    #[error("{}: cannot be read: {}", plaintext::path(.0), .1)]
    Unreadable(PathBuf, std::io::Error),
    /// A file is not an instance.
    #[error("{}: {}", plaintext::path(.0), .1)]
    NotAnInstance(PathBuf, InstanceError),
    /// The name of a file cannot be written into a table.
    #[error("{}: its name cannot be written into a table: rename it, without control characters", plaintext::path(.0))]
    Name(PathBuf),
    /// Two files have the same name.
    #[error("the instances {0} and {1} have the same name: rename one of them")]
    SameName(String, String),
}

/// Reads the instances that an experiment selects. The patterns are paths, or globs without `**`, relative to the current
/// directory.
///
/// # Errors
///
/// A pattern is invalid or does not select a file, a file is not an instance, or two files have the same name.
pub fn select(patterns: &[String]) -> Result<Vec<Instance>, SelectError> {
    let mut instances: Vec<Instance> = Vec::new();
    for pattern in patterns {
        for path in matching_files(pattern)? {
            let instance = read(&path)?;
            match instances.iter().find(|existing| existing.name == instance.name) {
                Some(existing) if existing.text.path == instance.text.path => {}
                Some(Instance { text: existing, .. }) => {
                    return Err(SelectError::SameName(existing.path.clone(), instance.text.path));
                }
                None => instances.push(instance),
            }
        }
    }
    Ok(instances)
}

/// The files that a pattern selects, in alphabetical order. A pattern that is the path of a file selects this file.
fn matching_files(pattern: &str) -> Result<Vec<PathBuf>, SelectError> {
    if Path::new(pattern).is_file() {
        return Ok(vec![PathBuf::from(pattern)]);
    }
    if pattern.contains("**") {
        return Err(SelectError::DoubleStar(pattern.to_owned()));
    }
    let paths = glob::glob(pattern).map_err(|error| SelectError::NotAPattern(pattern.to_owned(), error))?;
    let paths = paths.filter_map(Result::ok).filter(|path| path.is_file());
    let paths: Vec<PathBuf> = paths.take(MAX_FILES + 1).collect();
    if paths.len() > MAX_FILES {
        return Err(SelectError::TooMany(pattern.to_owned()));
    }
    if paths.is_empty() {
        return Err(SelectError::NoMatch(pattern.to_owned()));
    }
    Ok(paths)
}

fn read(path: &Path) -> Result<Instance, SelectError> {
    let read_error = |error| SelectError::Unreadable(path.to_owned(), error);
    let bytes = files::read_regular(path, MAX_BYTES).map_err(read_error)?;
    let problem = super::read(&bytes).map_err(|error| SelectError::NotAnInstance(path.to_owned(), error))?;
    let name = path.file_stem().and_then(|stem| stem.to_str()).filter(|name| is_plain(name));
    let printable_names = name.zip(path.to_str().filter(|path| is_plain(path)));
    let (name, path) = printable_names.ok_or_else(|| SelectError::Name(path.to_owned()))?;
    let (name, path, sha256) = (name.to_owned(), path.to_owned(), sha256_hex(&bytes));
    Ok(Instance {
        name,
        text: InstanceText { n: problem.n().get(), problem: problem.to_string(), path, sha256 },
        problem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glob_that_selects_too_many_files_is_refused() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let pattern = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_owned();
        for number in 0..=MAX_FILES {
            std::fs::write(directory.path().join(number.to_string()), "").expect("written");
        }
        let count_matches = |name: &str| matching_files(&pattern(name)).map(|paths| paths.len());
        assert!(matches!(count_matches("?"), Ok(10)));
        assert!(matches!(count_matches("*"), Err(SelectError::TooMany(_))));
        assert!(matches!(count_matches("**/1"), Err(SelectError::DoubleStar(_))));
        std::fs::remove_file(directory.path().join("0")).expect("removed");
        assert!(matches!(count_matches("*"), Ok(MAX_FILES)));
    }
}
