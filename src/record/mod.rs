//! The result directory, which sweeps write and reports read.
//!
//! Whenever a run ends, rows are appended to `runs.csv` and `levels.csv`. The other tables, plots and pages are derived from
//! these, and each derived file is replaced as a whole. Only one process at a time can lock a directory for writing.
//!
//! ```text
//! table.rs  CSV tables                      rows.rs    the columns of each table
//! log.rs    a table that is appended to     meta.rs    meta.json
//! evidence.rs  rows as evidence         outputs.rs what failed runs printed
//! ```

mod evidence;
mod log;
mod meta;
mod outputs;
mod rows;
pub mod table;

use std::io;
use std::path::{Path, PathBuf};

use crate::files;
pub use crate::model::{ClaimVerdict, Disturbed, Kind, Stated, Status, Verdict};
pub use crate::os::nanoseconds;
pub use log::Log;
pub(crate) use meta::parse_json;
pub use meta::{InstanceText, Meta, Statements};
pub use outputs::{Excerpt, Outputs, RunOutput};
use plaintext::Escaped;
pub use rows::{
    CPU_LIMIT_REASON, ClaimRow, CrosscheckRow, LevelRow, MEMORY_STOP_REASON, NodesRow, Row, TimingsRow,
};
use runlab::directory::{self, DirectoryError, LockedDirectory};
pub use runlab::sha256::{sha256_hex, sha256_of_file};
pub use table::Table;

/// Version of every file of a result directory.
pub const SCHEMA_VERSION: u32 = 3;

/// An error of a result directory.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file or directory could not be read or written.
    #[error("{}: {error}", plaintext::path(path))]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A file is not valid, or another program changed it.
    #[error("{}: {}", plaintext::path(path), Escaped(reason))]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// `--fresh` was used with a directory that is not a result directory.
    #[error("{}: this is not a result directory of a sweep, so --fresh does not rename it; choose another --out", plaintext::path(.0))]
    NoResult(PathBuf),
    /// Another process has locked the directory.
    #[error("{}: another queenlab is writing to this directory; wait until it ends, or choose another --out", plaintext::path(.0))]
    Locked(PathBuf),
}

impl RecordError {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }

    pub(crate) fn table(path: &Path, reason: impl Into<String>) -> Self {
        Self::Table { path: path.to_owned(), reason: reason.into() }
    }
}

/// A result directory that this process has locked.
#[derive(Debug)]
pub struct ResultDir(LockedDirectory);

impl ResultDir {
    /// Creates the directory if necessary and locks it. Waits for the lock up to two seconds. If a file of a sweep is a link or
    /// a device, the directory is refused, so that nothing is written outside of it.
    ///
    /// # Errors
    ///
    /// [`RecordError::Locked`], or the directory cannot be used.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        const FILES: [&str; 4] = [Meta::FILE, "experiment.toml", Row::FILE, LevelRow::FILE];
        Ok(Self(LockedDirectory::open(path, &FILES, &["plots"])?))
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Renames a result directory to `<name>.old-1`, or to the next unused number, and returns the new path; `None` if the
    /// directory is empty or does not exist.
    ///
    /// # Errors
    ///
    /// [`RecordError::NoResult`], [`RecordError::Locked`], or the directory cannot be renamed.
    pub fn set_aside(path: &Path) -> Result<Option<PathBuf>, RecordError> {
        let is_result = || [Meta::FILE, Row::FILE].iter().any(|file| path.join(file).is_file());
        Ok(LockedDirectory::set_aside(path, is_result)?)
    }
}

impl From<DirectoryError> for RecordError {
    fn from(error: DirectoryError) -> Self {
        match error {
            DirectoryError::Io { path, error } => Self::Io { path, error },
            DirectoryError::NotPlain { path, expected, is_link } => {
                let file_type = if is_link { "a symbolic link" } else { "another kind of file" };
                let reason = format!(
                    "a sweep needs a regular {expected} here, but this is {file_type}: remove it, or choose another --out"
                );
                Self::Table { path, reason }
            }
            DirectoryError::NoResults(path) => Self::NoResult(path),
            DirectoryError::Locked(path) => Self::Locked(path),
            error => Self::Io { path: PathBuf::new(), error: io::Error::other(error) },
        }
    }
}

/// The maximum size of files of a result directory, in bytes. 1,000,000 runs take about 400 MB.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// Reads a file of a result directory, which may come from an untrusted source: only regular files are read.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, RecordError> {
    files::read_regular(path, MAX_FILE_BYTES).map_err(|error| RecordError::io(path, error))
}

/// Like [`bytes`]; `None` if the file does not exist.
pub(crate) fn bytes_if_any(path: &Path) -> Result<Option<Vec<u8>>, RecordError> {
    match files::read_regular(path, MAX_FILE_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some).map_err(|error| RecordError::io(path, error)),
    }
}

/// Replaces a file that the user named, like [`write_derived`], but writes directly to a device or a FIFO.
///
/// # Errors
///
/// The file cannot be written.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    // A device such as /dev/null must not be replaced.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return std::fs::write(path, content).map_err(|error| RecordError::io(path, error));
    }
    write_derived(path, content)
}

/// Replaces a file of a directory that may be untrusted, unless the file already has this content. The new file is complete
/// before it replaces the old one. A link, a device or a FIFO with this name is replaced and not written to.
///
/// # Errors
///
/// The file cannot be written.
pub fn write_derived(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    if is_file && bytes(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    directory::replace(path, content).map_err(|error| RecordError::io(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_to_a_device_does_not_replace_it() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("nothing");
        std::os::unix::fs::symlink("/dev/null", &path).expect("a link");
        write_atomically(&path, b"lost").expect("a device takes everything");
        assert!(path.is_symlink() && std::fs::read(&path).expect("a device").is_empty());
    }

    /// Links in a directory from an untrusted source must not cause writes elsewhere.
    #[test]
    fn directory_with_links_is_refused_without_changing_targets() {
        let other_directory = tempfile::tempdir().expect("temporary directory");
        let target = other_directory.path().join("precious");
        std::fs::write(&target, "precious").expect("write");
        for (name, target) in [
            (".lock", target.as_path()),
            ("runs.csv", &target),
            ("levels.csv", &target),
            ("meta.json", &target),
            ("experiment.toml", &target),
            ("plots", other_directory.path()),
            ("runs.csv", Path::new("nowhere")),
        ] {
            let directory = tempfile::tempdir().expect("temporary directory");
            let link = directory.path().join(name);
            std::os::unix::fs::symlink(target, &link).expect("a link");
            let error = ResultDir::open(directory.path()).expect_err("refused").to_string();
            let (place, reason) = error.split_once(": ").expect("a place");
            assert_eq!(place, link.display().to_string(), "{error}");
            wording::assert_wording!("record", &format!("{name} is a symbolic link"), reason);
        }
        assert_eq!(std::fs::read_to_string(&target).expect("read"), "precious");
        assert_eq!(std::fs::read_dir(other_directory.path()).expect("read").count(), 1);
    }
}
