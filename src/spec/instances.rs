//! Reads the instances that an experiment selects. The home of crate glob.

use std::path::{Path, PathBuf};

use super::{Spec, SpecError};
use crate::board::problem::Problem;
use crate::record::{InstanceText, sha256_hex};
use crate::{files, instance};
use plaintext::is_plain;

/// The largest instance, in bytes: a board of 1024 rows as a list of squares takes 10 MB.
const MOST_BYTES: u64 = 64 << 20;

/// The largest number of files that a pattern may select.
const MAX_FILES: usize = 10_000;

/// A problem in a file.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The name of the file without its extension.
    pub name: String,
    /// What a result records of it.
    pub text: InstanceText,
    /// The problem.
    pub problem: Problem,
}

impl Spec {
    /// Reads the instances that `sweep.instances` selects: files or patterns with `*`, relative to the current
    /// directory.
    ///
    /// # Errors
    ///
    /// A pattern that selects no file, a file that is not an instance, or two files of the same name.
    pub fn with_instances(mut self) -> Result<Self, SpecError> {
        let fail = |reason: String| SpecError { place: self.origin.clone(), reason };
        let mut instances: Vec<Instance> = Vec::new();
        for pattern in self.sweep.patterns() {
            let paths = matching(pattern).map_err(|reason| fail(format!("instances: {reason}")))?;
            for path in paths {
                let read =
                    read(&path).map_err(|reason| fail(format!("{}: {reason}", plaintext::path(&path))))?;
                match instances.iter().find(|other| other.name == read.name) {
                    Some(other) if other.text.path == read.text.path => {}
                    Some(Instance { text: other, .. }) => {
                        return Err(fail(format!(
                            "the instances {} and {} have the same name: rename one of them",
                            other.path, read.text.path
                        )));
                    }
                    None => instances.push(read),
                }
            }
        }
        self.instances = instances;
        Ok(self)
    }
}

/// The files that a pattern selects, in alphabetical order. A path that exists needs no pattern.
fn matching(pattern: &str) -> Result<Vec<PathBuf>, String> {
    if Path::new(pattern).is_file() {
        return Ok(vec![PathBuf::from(pattern)]);
    }
    // It would walk through every folder below, perhaps the whole disk, before it selects a file.
    if pattern.contains("**") {
        return Err(format!("'{pattern}' has '**': name the folders, as in puzzles/*/*.txt"));
    }
    let paths = glob::glob(pattern).map_err(|error| format!("'{pattern}' is not a pattern: {error}"))?;
    let paths = paths.filter_map(Result::ok).filter(|path| path.is_file());
    let paths: Vec<PathBuf> = paths.take(MAX_FILES + 1).collect();
    if paths.len() > MAX_FILES {
        return Err(format!("more than {MAX_FILES} files match '{pattern}': name fewer"));
    }
    if paths.is_empty() {
        return Err(format!("no file matches '{pattern}'; paths are relative to the current directory"));
    }
    Ok(paths)
}

fn read(path: &Path) -> Result<Instance, String> {
    let bytes = files::read_regular(path, MOST_BYTES).map_err(|error| format!("cannot be read: {error}"))?;
    let problem = instance::read(&bytes)?;
    let name = path.file_stem().and_then(|stem| stem.to_str()).filter(|name| is_plain(name));
    let named = name.zip(path.to_str().filter(|path| is_plain(path)));
    let (name, path) =
        named.ok_or("its name cannot be written into a table: rename it, without control characters")?;
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
    fn a_pattern_selects_a_limited_number_of_files() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let pattern = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_owned();
        for number in 0..=MAX_FILES {
            std::fs::write(directory.path().join(number.to_string()), "").expect("written");
        }
        assert_eq!(matching(&pattern("?")).map(|paths| paths.len()), Ok(10));
        assert!(matching(&pattern("*")).is_err() && matching(&pattern("**/1")).is_err());
        std::fs::remove_file(directory.path().join("0")).expect("removed");
        assert_eq!(matching(&pattern("*")).map(|paths| paths.len()), Ok(MAX_FILES));
    }
}
