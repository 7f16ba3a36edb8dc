//! What a long count has done so far: a small JSON file, replaced as a whole.
//!
//! It names the board, the version and the executable, so that a count goes on only where it means the same.
//! Finished subproblems are ranges: threads take them in order, so that there are few. Under 1 KB as a rule.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{RecordError, SCHEMA_VERSION, write_atomically};
use crate::files;

/// Checkpoints that are longer are none.
const MAX_BYTES: u64 = 64 << 20;

/// Which count it is: a checkpoint of another one is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Side of the board.
    pub n: usize,
    /// How many subproblems there are.
    pub subproblems: usize,
    /// queenlab's version.
    pub queenlab_version: String,
    /// SHA-256 of the executable.
    pub executable_sha256: String,
}

impl Identity {
    /// What differs from another one, for people; empty if nothing does.
    pub fn differences(&self, other: &Identity) -> Vec<String> {
        let pairs = [
            ("n", self.n.to_string(), other.n.to_string()),
            ("subproblems", self.subproblems.to_string(), other.subproblems.to_string()),
            ("version", self.queenlab_version.clone(), other.queenlab_version.clone()),
            ("executable", self.executable_sha256.clone(), other.executable_sha256.clone()),
        ];
        let differing = pairs.into_iter().filter(|(_, mine, others)| mine != others);
        differing.map(|(what, mine, others)| format!("{what} ({mine} there, {others} here)")).collect()
    }
}

/// A count as far as it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Version of this format.
    pub schema_version: u32,
    /// Which count it is.
    pub count: Identity,
    /// Finished subproblems: first and last of each run of them, in order.
    pub finished: Vec<(usize, usize)>,
    /// Solutions of the finished subproblems, in decimal: JSON readers may have no 128-bit numbers.
    pub solutions: String,
    /// Wall time spent so far.
    pub wall_ns: u64,
}

/// A checkpoint that cannot be gone on from.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file system said no.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// It is no checkpoint, or not a whole one.
    #[error("{}: {reason}; name another --checkpoint file", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// It is of another count.
    #[error("{}: is of another count: {}; name another --checkpoint file", path.display(), differences.join(", "))]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
}

impl Checkpoint {
    /// Nothing done yet.
    pub fn new(count: Identity) -> Self {
        let solutions = "0".to_owned();
        Self { schema_version: SCHEMA_VERSION, count, finished: Vec::new(), solutions, wall_ns: 0 }
    }

    /// The checkpoint in a file if it is there and of this count; a new one if there is none.
    pub fn open(path: &Path, count: Identity) -> Result<Self, CheckpointError> {
        let unreadable = |reason: String| CheckpointError::Unreadable { path: path.to_owned(), reason };
        let text = match files::read_regular(path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::new(count)),
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidData) => {
                return Err(unreadable(format!("is no checkpoint: {error}")));
            }
            Err(error) => return Err(RecordError::io(path, error).into()),
        };
        let checkpoint: Self = serde_json::from_slice(&text)
            .map_err(|error| unreadable(format!("is no checkpoint: {error}")))?;
        if checkpoint.schema_version != SCHEMA_VERSION {
            return Err(unreadable(format!("has schema version {}", checkpoint.schema_version)));
        }
        let differences = checkpoint.count.differences(&count);
        if !differences.is_empty() {
            return Err(CheckpointError::Other { path: path.to_owned(), differences });
        }
        let mut next = 0;
        for &(first, last) in &checkpoint.finished {
            if first < next || last < first || last >= count.subproblems {
                return Err(unreadable(format!(
                    "its range {first} to {last} is out of order or out of bounds"
                )));
            }
            next = last + 1;
        }
        if checkpoint.solutions.parse::<u128>().is_err() {
            return Err(unreadable(format!("its solutions are no number: {:?}", checkpoint.solutions)));
        }
        Ok(checkpoint)
    }

    /// Solutions of the finished subproblems.
    pub fn solutions(&self) -> u128 {
        self.solutions.parse().unwrap_or_default()
    }

    /// Which subproblems are finished.
    pub fn done(&self) -> Vec<bool> {
        let mut done = vec![false; self.count.subproblems];
        for &(first, last) in &self.finished {
            done[first..=last].fill(true);
        }
        done
    }

    /// Takes down what is done by now.
    pub fn update(&mut self, done: &[bool], solutions: u128, wall_ns: u64) {
        self.finished.clear();
        for (subproblem, _) in done.iter().enumerate().filter(|(_, done)| **done) {
            match self.finished.last_mut() {
                Some((_, last)) if *last + 1 == subproblem => *last = subproblem,
                _ => self.finished.push((subproblem, subproblem)),
            }
        }
        self.solutions = solutions.to_string();
        self.wall_ns = wall_ns;
    }

    /// Replaces the file.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let text = serde_json::to_string(self).map_err(|error| RecordError::io(path, error.into()))?;
        write_atomically(path, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        let (queenlab_version, executable_sha256) = ("1".to_owned(), "ab".to_owned());
        Identity { n: 14, subproblems: 10, queenlab_version, executable_sha256 }
    }

    #[test]
    fn a_checkpoint_is_read_as_it_was_written() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("c.json");
        let mut checkpoint = Checkpoint::open(&path, identity()).expect("a new one");
        assert_eq!((checkpoint.solutions(), checkpoint.done()), (0, vec![false; 10]));
        let done = [true, true, false, true, false, false, false, false, false, true];
        checkpoint.update(&done, u128::MAX, 7);
        assert_eq!(checkpoint.finished, [(0, 1), (3, 3), (9, 9)]);
        checkpoint.write(&path).expect("written");
        let read = Checkpoint::open(&path, identity()).expect("the same");
        assert_eq!((read.done().as_slice(), read.solutions()), (done.as_slice(), u128::MAX));
        assert_eq!(read, checkpoint);
    }

    #[test]
    fn a_checkpoint_of_another_count_is_refused_with_what_differs() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("c.json");
        Checkpoint::new(identity()).write(&path).expect("written");
        for (other, word) in [
            (Identity { n: 15, ..identity() }, "n (14 there, 15 here)"),
            (Identity { subproblems: 11, ..identity() }, "subproblems"),
            (Identity { queenlab_version: "2".to_owned(), ..identity() }, "version"),
            (Identity { executable_sha256: "cd".to_owned(), ..identity() }, "executable"),
        ] {
            let refused = Checkpoint::open(&path, other).expect_err("another count");
            assert!(matches!(refused, CheckpointError::Other { .. }), "{refused}");
            assert!(refused.to_string().contains(word), "{refused}");
        }
    }

    #[test]
    fn spoiled_checkpoints_are_unreadable() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("c.json");
        let mut whole = Checkpoint::new(identity());
        whole.update(&[true; 10], 5, 1);
        let text = serde_json::to_string(&whole).expect("JSON");
        let spoiled = [
            text[..text.len() - 3].to_owned(),
            text.replace("[[0,9]]", "[[0,10]]"),
            text.replace("[[0,9]]", "[[5,9],[0,1]]"),
            text.replace("[[0,9]]", "[[3,2]]"),
            text.replace("\"5\"", "\"-5\""),
            text.replace("\"schema_version\":1", "\"schema_version\":9"),
            String::new(),
        ];
        for text in spoiled {
            std::fs::write(&path, &text).expect("written");
            let refused = Checkpoint::open(&path, identity()).expect_err("spoiled");
            assert!(matches!(refused, CheckpointError::Unreadable { .. }), "{text}: {refused}");
        }
    }
}
