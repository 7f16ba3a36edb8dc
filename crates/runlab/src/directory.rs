//! A result directory, to which only one process at a time can write, and the atomic replacement of files.

use std::fs::{File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use supervise::files;

/// A directory that this process has locked. The lock is released when the value is dropped or when the process ends for any
/// reason.
#[derive(Debug)]
pub struct LockedDirectory {
    /// The path of the directory.
    pub path: PathBuf,
    _lock: File,
}

/// A directory that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DirectoryError {
    /// A file or directory could not be read or written.
    #[error("{}: {error}", plaintext::path(path))]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The path of a result file or folder leads to something else.
    #[error("{}: expected a regular {expected} here, but this is {}", plaintext::path(path), if *is_link { "a symbolic link" } else { "another kind of file" })]
    NotPlain {
        /// The path.
        path: PathBuf,
        /// What is expected there: `file` or `folder`.
        expected: &'static str,
        /// Whether the path is a symbolic link.
        is_link: bool,
    },
    /// A directory to be renamed does not contain results.
    #[error("{}: this is not a directory of results", plaintext::path(.0))]
    NoResults(PathBuf),
    /// Another process has locked the directory.
    #[error("{}: another process has locked this directory", plaintext::path(.0))]
    Locked(PathBuf),
}

impl DirectoryError {
    fn io_error(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Io { path: path.to_owned(), error }
    }
}

/// The name of the file that is locked.
const LOCK: &str = ".lock";

/// Prefix of the names of temporary files that will replace another file.
const TEMPORARY: &str = ".runlab-";

/// The pause between two attempts to lock a directory.
const LOCK_PAUSE: Duration = Duration::from_millis(20);
/// The number of attempts while the process that locked the directory is running.
const LOCK_ATTEMPTS: u32 = 100;
/// The number of attempts if that process has ended. If it was just starting a child, the child also holds the lock until it
/// executes its program. This can take seconds on a busy machine.
const LOCK_ATTEMPTS_AFTER_END: u32 = 1500;

impl LockedDirectory {
    /// Creates the directory if necessary and locks it. Waits for the lock up to 2 seconds, or up to 30 seconds if the process
    /// that locked the directory has ended. The paths in `plain_files` and `plain_folders` must be regular files and folders if
    /// they exist: a directory may come from an untrusted source, and its symbolic links must not lead to writes elsewhere.
    /// Removes temporary files of processes that were killed.
    ///
    /// # Errors
    ///
    /// [`DirectoryError::Locked`], [`DirectoryError::NotPlain`], or [`DirectoryError::Io`].
    pub fn open(path: &Path, plain_files: &[&str], plain_folders: &[&str]) -> Result<Self, DirectoryError> {
        let pause = || std::thread::sleep(LOCK_PAUSE);
        Self::open_with_pause(path, plain_files, plain_folders, pause)
    }

    fn open_with_pause(
        path: &Path,
        plain_files: &[&str],
        plain_folders: &[&str],
        mut pause: impl FnMut(),
    ) -> Result<Self, DirectoryError> {
        let lock_path = path.join(LOCK);
        for _ in 0..LOCK_ATTEMPTS {
            files::create_directory(path).map_err(DirectoryError::io_error(path))?;
            for file in [LOCK].iter().chain(plain_files) {
                check_plain(&path.join(file), "file", Metadata::is_file)?;
            }
            for folder in plain_folders {
                check_plain(&path.join(folder), "folder", Metadata::is_dir)?;
            }
            let lock =
                OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&lock_path);
            let lock = lock.map_err(DirectoryError::io_error(&lock_path))?;
            if !try_to_lock(&lock, &mut pause).map_err(DirectoryError::io_error(&lock_path))? {
                break;
            }
            // Another process may have renamed the directory in the meantime, and a new directory may have its name.
            if is_path_of(&lock_path, &lock).map_err(DirectoryError::io_error(&lock_path))? {
                remove_leftovers(path);
                write_holder(&lock).map_err(DirectoryError::io_error(&lock_path))?;
                return Ok(Self { path: path.to_owned(), _lock: lock });
            }
        }
        Err(DirectoryError::Locked(path.to_owned()))
    }

    /// Renames a directory of results to `<name>.old-1`, or if this name exists, to `<name>.old-2` and so on. Returns the new path.
    /// `holds_results` returns whether the directory contains results. Returns `None` if the directory does not exist,
    /// is empty, or contains only a lock file.
    ///
    /// # Errors
    ///
    /// [`DirectoryError::NoResults`] if the directory contains files but no results, the errors of [`LockedDirectory::open`], and
    /// [`DirectoryError::Io`] if the directory cannot be read or renamed.
    pub fn set_aside(
        path: &Path,
        holds_results: impl Fn() -> bool,
    ) -> Result<Option<PathBuf>, DirectoryError> {
        let to_error = DirectoryError::io_error(path);
        let entries = match std::fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(to_error(error)),
        };
        let (mut is_empty, mut has_only_lock) = (true, true);
        for entry in entries {
            let file = entry.map_err(&to_error)?.file_name();
            (is_empty, has_only_lock) = (false, has_only_lock && file == LOCK);
        }
        if is_empty {
            return Ok(None);
        }
        // If the directory contains only a lock file, another process may be about to write its first results.
        let name = path.file_name().filter(|_| has_only_lock || holds_results());
        let Some(name) = name else { return Err(DirectoryError::NoResults(path.to_owned())) };
        // No other process may be writing to the directory.
        let _lock = Self::open(path, &[], &[])?;
        if !holds_results() {
            return Ok(None);
        }
        let names = (1..).map(|number: u32| {
            let mut name = name.to_owned();
            name.push(format!(".old-{number}"));
            path.with_file_name(name)
        });
        let new_path = names.into_iter().find(|name| name.symlink_metadata().is_err());
        let new_path = new_path
            .ok_or_else(|| to_error(io::Error::other("all names for the renamed directory exist")))?;
        std::fs::rename(path, &new_path).map_err(to_error)?;
        Ok(Some(new_path))
    }
}

/// Tries to lock a file, with a pause after each failed attempt. Returns whether the file is locked.
fn try_to_lock(lock: &File, mut pause: impl FnMut()) -> io::Result<bool> {
    for attempt in 0..LOCK_ATTEMPTS_AFTER_END {
        match lock.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if attempt >= LOCK_ATTEMPTS && !holder_has_ended(lock) => break,
            Err(TryLockError::WouldBlock) => pause(),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

/// Writes the id of this process into the lock file.
fn write_holder(lock: &File) -> io::Result<()> {
    lock.set_len(0)?;
    lock.write_all_at(std::process::id().to_string().as_bytes(), 0)
}

/// Whether the process that locked this file has ended.
fn holder_has_ended(lock: &File) -> bool {
    let mut digits = [0; 10];
    let length = lock.read_at(&mut digits, 0).unwrap_or(0);
    let holder = std::str::from_utf8(&digits[..length]).ok().and_then(|id| id.parse().ok());
    holder.is_some_and(|holder| !supervise::exists(holder))
}

/// Whether a path leads to this open file, without following a symbolic link.
pub(crate) fn is_path_of(path: &Path, file: &File) -> io::Result<bool> {
    let file_id = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match path.symlink_metadata() {
        Ok(metadata) => Ok(file_id(metadata) == file_id(file.metadata()?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn check_plain(
    path: &Path,
    expected: &'static str,
    is_expected: fn(&Metadata) -> bool,
) -> Result<(), DirectoryError> {
    match path.symlink_metadata() {
        Ok(metadata) if is_expected(&metadata) => Ok(()),
        Ok(metadata) => {
            Err(DirectoryError::NotPlain { path: path.to_owned(), expected, is_link: metadata.is_symlink() })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(DirectoryError::Io { path: path.to_owned(), error }),
    }
}

/// Removes temporary files of a process that was killed before it could rename them.
fn remove_leftovers(directory: &Path) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            // An error is ignored, because a remaining temporary file does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Replaces a file. The new file is complete and on disk before it gets the name of the old file. A link, a device or a FIFO with
/// this name is replaced, but never written to. After a power failure, the name may still refer to the old content, unless
/// [`sync_directory`] was called.
///
/// # Errors
///
/// The errors of the operating system; then the old file is unchanged.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let create_file = || tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(directory_of(path));
    let mut file = files::Temporary::new(create_file)?;
    file.as_file_mut().write_all(content)?;
    // Temporary files are private, but everyone who may read the directory should be able to read the results.
    file.as_file().set_permissions(Permissions::from_mode(0o644))?;
    // The content is flushed before the rename, because otherwise a power failure could leave the new file without content.
    file.as_file().sync_data()?;
    file.keep(|file| file.persist(path).map(drop).map_err(|error| error.error))
}

/// Flushes the names in the directory of a file to disk.
///
/// # Errors
///
/// The errors of the operating system.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(directory_of(path))?.sync_all()
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temporary_directory() -> tempfile::TempDir {
        tempfile::tempdir().expect("temporary directory")
    }

    fn open(path: &Path) -> Result<LockedDirectory, DirectoryError> {
        LockedDirectory::open(path, &["rows.csv"], &["plots"])
    }

    #[test]
    fn replacement_does_not_follow_links_devices_or_fifos() {
        let directory = temporary_directory();
        let [path, linked_file] = ["rows.csv", "precious"].map(|name| directory.path().join(name));
        std::fs::write(&linked_file, "precious").expect("written");
        for target in [Path::new("/dev/null"), &linked_file, Path::new("nowhere")] {
            std::os::unix::fs::symlink(target, &path).expect("a link");
            replace(&path, b"new").and_then(|()| sync_directory(&path)).expect("replaced");
            assert_eq!(std::fs::read(&path).expect("a file"), b"new");
            assert!(path.symlink_metadata().expect("there").is_file());
            std::fs::remove_file(&path).expect("removed");
        }
        assert_eq!(std::fs::read(&linked_file).expect("there"), b"precious");
        let status = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo starts");
        assert!(status.success());
        replace(&path, b"new").expect("replaced");
        assert_eq!(std::fs::read(&path).expect("a file"), b"new");
    }

    #[test]
    fn directory_is_locked_by_one_process() {
        let directory = temporary_directory();
        let locked = open(directory.path()).expect("not locked");
        assert!(matches!(open(directory.path()), Err(DirectoryError::Locked(_))));
        drop(locked);
        assert!(open(directory.path()).is_ok());
    }

    #[test]
    fn lock_released_during_the_wait_is_acquired() {
        let directory = temporary_directory();
        let mut locked = Some(open(directory.path()).expect("not locked"));
        let lock = File::open(directory.path().join(LOCK)).expect("a file");
        let mut pauses = 0;
        assert!(!try_to_lock(&lock, || pauses += 1).expect("a lock"));
        assert_eq!(pauses, LOCK_ATTEMPTS);
        // A process that another test starts at this moment inherits the lock, until the process executes its program.
        let release_lock = || {
            locked = None;
            std::thread::sleep(LOCK_PAUSE);
        };
        assert!(try_to_lock(&lock, release_lock).expect("a lock"));
    }

    #[test]
    fn locking_waits_longer_if_the_owner_has_ended() {
        let directory = temporary_directory();
        let _locked = open(directory.path()).expect("not locked");
        let mut process = std::process::Command::new("true").spawn().expect("true starts");
        process.wait().expect("it ends");
        std::fs::write(directory.path().join(LOCK), process.id().to_string()).expect("written");
        let lock = File::open(directory.path().join(LOCK)).expect("a file");
        let mut pauses = 0;
        assert!(!try_to_lock(&lock, || pauses += 1).expect("a lock"));
        assert_eq!(pauses, LOCK_ATTEMPTS_AFTER_END);
    }

    #[test]
    fn lock_of_a_renamed_directory_is_not_taken() {
        let directory = temporary_directory();
        let [path, renamed_path] = ["r", "r.old-1"].map(|name| directory.path().join(name));
        let mut locked_directories = vec![open(&path).expect("not locked")];
        // During the first pause, another process renames the directory and locks a new one. During the second pause, the other
        // process ends.
        let mut steps = 0;
        let pause = || {
            steps += 1;
            if steps == 1 {
                std::fs::rename(&path, &renamed_path).expect("renamed");
                locked_directories = vec![open(&path).expect("a new directory")];
            } else {
                locked_directories.clear();
                std::thread::sleep(LOCK_PAUSE);
            }
        };
        let _locked = LockedDirectory::open_with_pause(&path, &[], &[], pause).expect("a new directory");
        assert!(open(&renamed_path).is_ok());
        assert!(matches!(open(&path), Err(DirectoryError::Locked(_))));
    }

    #[test]
    fn only_result_directories_are_set_aside() {
        let directory = temporary_directory();
        let path = directory.path().join("r");
        let rename_directory = || LockedDirectory::set_aside(&path, || path.join("rows.csv").is_file());
        assert_eq!(rename_directory().expect("nothing there"), None);
        std::fs::create_dir(&path).expect("a directory");
        assert_eq!(rename_directory().expect("empty"), None);
        std::fs::write(path.join("precious"), "x").expect("write");
        assert!(matches!(rename_directory(), Err(DirectoryError::NoResults(_))));
        std::fs::write(path.join("rows.csv"), "x").expect("write");
        let locked_directory = open(&path).expect("not locked");
        assert!(matches!(rename_directory(), Err(DirectoryError::Locked(_))));
        drop(locked_directory);
        std::fs::create_dir(directory.path().join("r.old-1")).expect("a directory");
        let new_path = rename_directory().expect("results").expect("a name");
        assert_eq!(new_path, directory.path().join("r.old-2"));
        assert!(new_path.join("precious").exists() && !path.exists());
    }

    #[test]
    fn directory_with_only_a_lock_counts_as_empty() {
        let directory = temporary_directory();
        let path = directory.path().join("r");
        let locked = open(&path).expect("not locked");
        assert!(matches!(LockedDirectory::set_aside(&path, || false), Err(DirectoryError::Locked(_))));
        drop(locked);
        assert_eq!(LockedDirectory::set_aside(&path, || false).expect("nothing there"), None);
    }

    #[test]
    fn only_temporary_files_of_killed_processes_are_removed() {
        let directory = temporary_directory();
        for name in [".runlab-x3Fa9", "notes.txt", ".hidden"] {
            std::fs::write(directory.path().join(name), "x").expect("write");
        }
        let _locked = open(directory.path()).expect("not locked");
        let entries = std::fs::read_dir(directory.path()).expect("read").flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        assert_eq!(names, [".hidden", LOCK, "notes.txt"]);
    }

    /// Links in a directory from an untrusted source must not lead to writes elsewhere.
    #[test]
    fn directory_with_links_is_refused_unchanged() {
        let other_directory = temporary_directory();
        let target = other_directory.path().join("precious");
        std::fs::write(&target, "precious").expect("write");
        for (name, target) in [
            (LOCK, target.as_path()),
            ("rows.csv", &target),
            ("plots", other_directory.path()),
            ("rows.csv", Path::new("nowhere")),
        ] {
            let directory = temporary_directory();
            let link = directory.path().join(name);
            std::os::unix::fs::symlink(target, &link).expect("a link");
            let error = open(directory.path()).expect_err("refused");
            assert!(matches!(error, DirectoryError::NotPlain { path, is_link: true, .. } if path == link));
        }
        assert_eq!(std::fs::read_to_string(&target).expect("read"), "precious");
        assert_eq!(std::fs::read_dir(other_directory.path()).expect("read").count(), 1);
    }
}
