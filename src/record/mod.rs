//! The result directory: written by sweeps, read by reports.
//!
//! Rows are appended to `runs.csv` and `levels.csv` as runs end. Everything else is derived from them, and
//! each derived file is replaced as a whole. Only one process at a time can hold a directory.
//!
//! ```text
//! table.rs  CSV tables                      rows.rs    the columns of each table
//! log.rs    a table that is appended to     sha256.rs  digests of files
//! meta.rs   meta.json
//! ```

mod log;
mod meta;
mod rows;
mod sha256;
pub mod table;

use std::fs::{File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::files;
pub use crate::model::{Disturbed, Judgement, Kind, Status, Verdict};
pub use crate::os::nanoseconds;
pub use log::Log;
pub use meta::{InstanceText, Meta, Session};
use plaintext::Escaped;
pub use rows::{CPU_LIMIT, ClaimRow, CrosscheckRow, LevelRow, NodesRow, Row, SCHEMA_VERSION, TimingsRow};
pub use sha256::{hexadecimal, sha256_hex, sha256_of_file};
pub use table::Table;

/// What can go wrong with a result directory.
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
    /// A file is not what a sweep writes, or was changed meanwhile.
    #[error("{}: {}", plaintext::path(path), Escaped(reason))]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// `--fresh` moves result directories only.
    #[error("{}: this is not a result directory of a sweep, and --fresh moves only those; choose another --out", plaintext::path(.0))]
    NoResult(PathBuf),
    /// Another process holds the directory.
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

/// A result directory that this process holds.
#[derive(Debug)]
pub struct ResultDir {
    /// The path of the directory.
    pub path: PathBuf,
    /// Held open: the lock is released when the process ends, however it ends.
    _lock: File,
}

/// Prefix of the names of temporary files that will replace another file.
const TEMPORARY: &str = ".queenlab-";

impl ResultDir {
    /// Creates the directory if necessary and locks it, for which it waits up to two seconds. A directory with links or devices where a sweep keeps
    /// files is refused, so that nothing is written outside of it.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        Self::open_with(path, || std::thread::sleep(LOCK_PATIENCE / LOCK_ATTEMPTS))
    }

    fn open_with(path: &Path, mut pause: impl FnMut()) -> Result<Self, RecordError> {
        let lock_path = path.join(".lock");
        let fail = |error| RecordError::io(&lock_path, error);
        for _ in 0..LOCK_ATTEMPTS {
            files::create_directory(path).map_err(|error| RecordError::io(path, error))?;
            for file in [".lock", "meta.json", "experiment.toml", Row::FILE, LevelRow::FILE] {
                is_plain(&path.join(file), "file", Metadata::is_file)?;
            }
            is_plain(&path.join("plots"), "folder", Metadata::is_dir)?;
            let lock =
                OpenOptions::new().write(true).create(true).truncate(false).open(&lock_path).map_err(fail)?;
            if !take(&lock, &mut pause).map_err(fail)? {
                break;
            }
            // Meanwhile another process may have set the directory aside, and a new one may have its name.
            if names(&lock_path, &lock).map_err(fail)? {
                remove_leftovers(path);
                return Ok(Self { path: path.to_owned(), _lock: lock });
            }
        }
        Err(RecordError::Locked(path.to_owned()))
    }

    /// Renames a result directory to `<name>.old-1`, or the next number that is free, and returns the new
    /// path; `None` if the directory is empty or does not exist. Any other directory is refused unless it is a
    /// result directory.
    pub fn set_aside(path: &Path) -> Result<Option<PathBuf>, RecordError> {
        let fail = |error| RecordError::io(path, error);
        let entries = match std::fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(fail(error)),
        };
        let is_result = || [Meta::FILE, Row::FILE].iter().any(|file| path.join(file).is_file());
        let (mut is_empty, mut is_new) = (true, true);
        for entry in entries {
            let file = entry.map_err(fail)?.file_name();
            (is_empty, is_new) = (false, is_new && file == ".lock");
        }
        if is_empty {
            return Ok(None);
        }
        // Another sweep may have begun in a new directory.
        let name = path.file_name().filter(|_| is_new || is_result());
        let Some(name) = name else { return Err(RecordError::NoResult(path.to_owned())) };
        // No other process may be writing to the directory.
        let _taken = Self::open(path)?;
        if !is_result() {
            return Ok(None);
        }
        let names = (1..).map(|number: u32| {
            let mut name = name.to_owned();
            name.push(format!(".old-{number}"));
            path.with_file_name(name)
        });
        let free = names.into_iter().find(|name| name.symlink_metadata().is_err());
        let free = free.ok_or_else(|| fail(io::Error::other("no name is free")))?;
        std::fs::rename(path, &free).map_err(fail)?;
        Ok(Some(free))
    }
}

/// How long a directory may be locked before it counts as taken: a process that is being started has the lock of its
/// parent until it executes its program, even if the parent was killed.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);
const LOCK_ATTEMPTS: u32 = 100;

/// Takes the lock, with a pause after each failed attempt. Returns whether it succeeded.
fn take(lock: &File, mut pause: impl FnMut()) -> io::Result<bool> {
    for _ in 0..LOCK_ATTEMPTS {
        match lock.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => pause(),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

/// Whether a path names an open file.
fn names(path: &Path, file: &File) -> io::Result<bool> {
    let id = |found: Metadata| (found.dev(), found.ino());
    match path.symlink_metadata() {
        Ok(found) => Ok(id(found) == id(file.metadata()?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn is_plain(path: &Path, wanted: &'static str, is: fn(&Metadata) -> bool) -> Result<(), RecordError> {
    match path.symlink_metadata() {
        Ok(found) if is(&found) => Ok(()),
        Ok(found) => {
            let what = if found.is_symlink() { "a symbolic link" } else { "another kind of file" };
            Err(RecordError::table(
                path,
                format!(
                    "a sweep needs a regular {wanted} here, but this is {what}: remove it, or choose another --out"
                ),
            ))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(RecordError::io(path, error)),
    }
}

/// Removes temporary files of a process that was killed before it could rename them.
fn remove_leftovers(directory: &Path) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            // A temporary file that cannot be removed does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The largest file of a result directory that is read, in bytes: 1,000,000 runs take about 400 MB.
const LARGEST: u64 = 1 << 30;

/// Reads a file of a result directory, which may come from an untrusted source: only regular files are read.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, RecordError> {
    files::read_regular(path, LARGEST).map_err(|error| RecordError::io(path, error))
}

/// The same of a file that may be missing.
pub(crate) fn bytes_if_any(path: &Path) -> Result<Option<Vec<u8>>, RecordError> {
    match files::read_regular(path, LARGEST) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some).map_err(|error| RecordError::io(path, error)),
    }
}

/// Replaces a file that the user named, as [`write_derived`] does; a device or a FIFO is written to directly.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    // A device such as /dev/null must not be replaced.
    if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return std::fs::write(path, content).map_err(|error| RecordError::io(path, error));
    }
    write_derived(path, content)
}

/// Replaces a file of a directory that may be untrusted, unless the file already has this content. The new
/// file is complete before it replaces the old one. A link, a device or a FIFO with this name is replaced,
/// never written to.
pub fn write_derived(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
    if is_file && bytes(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    replace(path, content).map_err(|error| RecordError::io(path, error))
}

fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let named = || tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(directory);
    let mut file = files::Temporary::new(named)?;
    file.as_file_mut().write_all(content)?;
    // Temporary files are private, but everyone who may read the directory may read the results.
    file.as_file().set_permissions(Permissions::from_mode(0o644))?;
    // After a power failure, the old content would be better than a new name without content.
    file.as_file().sync_data()?;
    file.kept(|file| file.persist(path).map(drop).map_err(|error| error.error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("nothing");
        std::os::unix::fs::symlink("/dev/null", &path).expect("a link");
        write_atomically(&path, b"lost").expect("a device takes everything");
        assert!(path.is_symlink() && std::fs::read(&path).expect("a device").is_empty());
    }

    #[test]
    fn derived_files_replace_links_devices_and_fifos_without_following_them() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let [path, other] = ["timings.csv", "precious"].map(|name| directory.path().join(name));
        std::fs::write(&other, "precious").expect("written");
        for target in [Path::new("/dev/null"), &other, Path::new("nowhere")] {
            std::os::unix::fs::symlink(target, &path).expect("a link");
            write_derived(&path, b"derived").expect("replaced");
            assert_eq!(std::fs::read(&path).expect("a file"), b"derived");
            assert!(path.symlink_metadata().expect("there").is_file());
            std::fs::remove_file(&path).expect("removed");
        }
        assert_eq!(std::fs::read(&other).expect("there"), b"precious");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo starts");
        assert!(made.success());
        write_derived(&path, b"derived").expect("replaced");
        assert_eq!(std::fs::read(&path).expect("a file"), b"derived");
    }

    #[test]
    fn a_directory_is_locked_by_one_process_at_a_time() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let held = ResultDir::open(directory.path()).expect("free");
        assert!(matches!(ResultDir::open(directory.path()), Err(RecordError::Locked(_))));
        drop(held);
        assert!(ResultDir::open(directory.path()).is_ok());
    }

    #[test]
    fn a_lock_that_is_released_soon_is_waited_for() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let mut held = Some(ResultDir::open(directory.path()).expect("free"));
        let lock = File::open(directory.path().join(".lock")).expect("a file");
        let mut pauses = 0;
        assert!(!take(&lock, || pauses += 1).expect("a lock"));
        assert_eq!(pauses, LOCK_ATTEMPTS);
        assert!(take(&lock, || held = None).expect("a lock"));
    }

    #[test]
    fn a_directory_set_aside_while_its_lock_is_awaited_is_another_one() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let [path, aside] = ["r", "r.old-1"].map(|name| directory.path().join(name));
        let mut held = vec![ResultDir::open(&path).expect("free")];
        // The other process sets the directory aside, begins in a new one, and ends.
        let mut steps = 0;
        let other = || {
            steps += 1;
            if steps == 1 {
                std::fs::rename(&path, &aside).expect("renamed");
                held = vec![ResultDir::open(&path).expect("a new directory")];
            } else {
                held.clear();
            }
        };
        let _taken = ResultDir::open_with(&path, other).expect("a new directory");
        assert!(ResultDir::open(&aside).is_ok());
        assert!(matches!(ResultDir::open(&path), Err(RecordError::Locked(_))));
    }

    #[test]
    fn a_directory_in_which_a_sweep_begins_is_no_foreign_one() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("r");
        let held = ResultDir::open(&path).expect("free");
        assert!(matches!(ResultDir::set_aside(&path), Err(RecordError::Locked(_))));
        drop(held);
        assert_eq!(ResultDir::set_aside(&path).expect("nothing there"), None);
    }

    #[test]
    fn results_are_set_aside_under_the_next_free_name_and_nothing_else_is() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("r");
        assert_eq!(ResultDir::set_aside(&path).expect("nothing there"), None);
        std::fs::create_dir(&path).expect("a directory");
        assert_eq!(ResultDir::set_aside(&path).expect("empty"), None);
        std::fs::write(path.join("precious"), "x").expect("write");
        assert!(matches!(ResultDir::set_aside(&path), Err(RecordError::NoResult(_))));
        std::fs::write(path.join("runs.csv"), "x").expect("write");
        let held = ResultDir::open(&path).expect("free");
        assert!(matches!(ResultDir::set_aside(&path), Err(RecordError::Locked(_))));
        drop(held);
        std::fs::create_dir(directory.path().join("r.old-1")).expect("a directory");
        let kept = ResultDir::set_aside(&path).expect("results").expect("a name");
        assert_eq!(kept, directory.path().join("r.old-2"));
        assert!(kept.join("precious").exists() && !path.exists());
    }

    #[test]
    fn only_the_temporary_files_of_killed_processes_are_removed() {
        let directory = tempfile::tempdir().expect("temporary directory");
        for name in [".queenlab-x3Fa9", "notes.txt", ".hidden"] {
            std::fs::write(directory.path().join(name), "x").expect("write");
        }
        let _taken = ResultDir::open(directory.path()).expect("free");
        let entries = std::fs::read_dir(directory.path()).expect("read").flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        assert_eq!(names, [".hidden", ".lock", "notes.txt"]);
    }

    /// A directory from an untrusted source must not decide what is written elsewhere.
    #[test]
    fn a_directory_with_links_to_other_files_is_refused_and_they_are_unchanged() {
        let elsewhere = tempfile::tempdir().expect("temporary directory");
        let target = elsewhere.path().join("precious");
        std::fs::write(&target, "precious").expect("write");
        for (name, target) in [
            (".lock", target.as_path()),
            ("runs.csv", &target),
            ("levels.csv", &target),
            ("meta.json", &target),
            ("experiment.toml", &target),
            ("plots", elsewhere.path()),
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
        assert_eq!(std::fs::read_dir(elsewhere.path()).expect("read").count(), 1);
    }
}
