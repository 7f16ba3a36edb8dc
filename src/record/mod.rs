//! The result directory: what a sweep leaves behind, and what reports are made from.
//!
//! `runs.csv` and `levels.csv` grow as runs end; everything else is derived from them and replaced as
//! a whole. A directory is held by one process at a time.

mod meta;
mod row;
mod rows;
pub mod table;

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::os;
pub use meta::{Machine, Meta, Session};
pub use row::{Row, SCHEMA_VERSION, Status, Termination, VARIANT, Verdict};
pub use rows::{CrosscheckRow, LevelRow, NodesRow, TimingsRow};
pub use table::{Log, Table};

/// What can go wrong with a result directory.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file system said no.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// A table cannot be read.
    #[error("{}: {reason}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process holds the directory.
    #[error("{}: another queenlab is writing here; wait for it, or choose another --out", .0.display())]
    Locked(PathBuf),
}

impl RecordError {
    fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }
}

/// A result directory that this process holds.
pub struct ResultDir {
    path: PathBuf,
    /// Held open: the lock goes with the process, however that ends.
    _lock: File,
}

impl ResultDir {
    /// Makes the directory if need be, and takes it.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        std::fs::create_dir_all(path).map_err(|error| RecordError::io(path, error))?;
        let lock_path = path.join(".lock");
        let lock = File::create(&lock_path).map_err(|error| RecordError::io(&lock_path, error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(RecordError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => Err(RecordError::io(&lock_path, error)),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A duration as the tables have it.
pub fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Replaces a file: the new one is complete before the old one goes. A device or a pipe is written to.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    let fail = |error| RecordError::io(path, error);
    // Whoever may replace /dev/null does not want to.
    if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return std::fs::write(path, content).map_err(fail);
    }
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(directory).map_err(fail)?;
    file.write_all(content).map_err(fail)?;
    // Temporary files are private; results are to be read by whoever may read the directory.
    os::let_others_read(file.as_file()).map_err(fail)?;
    file.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("nothing");
        std::os::unix::fs::symlink("/dev/null", &path).expect("a link");
        write_atomically(&path, b"lost").expect("a device takes everything");
        assert!(path.is_symlink() && std::fs::read(&path).expect("a device").is_empty());
    }

    #[test]
    fn a_directory_is_held_by_one_at_a_time() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let held = ResultDir::open(directory.path()).expect("free");
        assert!(matches!(ResultDir::open(directory.path()), Err(RecordError::Locked(_))));
        drop(held);
        assert!(ResultDir::open(directory.path()).is_ok());
    }
}
