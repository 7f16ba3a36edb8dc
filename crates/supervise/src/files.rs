//! Opens files from untrusted sources, and creates temporary files that are removed even if the process is interrupted.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::OFlags;
use tempfile::TempDir;

/// Opens a regular file for reading. Other files are refused, because reading a FIFO, a terminal or a device such as `/dev/zero`
/// might never end. Symbolic links are followed. The open handle is checked, so that the file cannot be replaced between the check
/// and the first read.
///
/// # Errors
///
/// The errors of [`File::open`], and [`io::ErrorKind::InvalidInput`] for anything that is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Otherwise, opening a FIFO without a writer would block, and a terminal could become the controlling terminal of this process.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::options().read(true).custom_flags(flags.bits() as i32).open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() {
        return Ok(file);
    }
    let kind_name = match kind {
        kind if kind.is_dir() => "a directory",
        kind if kind.is_fifo() => "a FIFO",
        _ => "a device",
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("this is {kind_name}, not a regular file")))
}

/// Reads a regular file of at most `max_bytes` bytes, opened by [`open_regular`].
///
/// # Errors
///
/// The errors of [`open_regular`], and [`io::ErrorKind::InvalidData`] for a larger file.
pub fn read_regular(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open_regular(path)?.take(max_bytes.saturating_add(1)).read_to_end(&mut content)?;
    if content.len() as u64 > max_bytes {
        let reason = format!("the file is larger than {} MiB", max_bytes >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(content)
}

/// Creates a directory for output and its parents, unless they exist. A symbolic link is refused, even if it leads to a directory,
/// because it may come from somebody else.
///
/// # Errors
///
/// The errors of [`fs::create_dir_all`], and [`io::ErrorKind::InvalidInput`] for a symbolic link.
pub fn create_directory(path: &Path) -> io::Result<()> {
    if is_link(path) {
        let reason = "this is a symbolic link, through which nothing is written: name the directory itself";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    fs::create_dir_all(path)
}

/// Whether a path names a symbolic link. A trailing `/` or `/.` is ignored, although the system would follow the link.
pub fn is_link(path: &Path) -> bool {
    path.components().collect::<PathBuf>().is_symlink()
}

/// The temporary files and directories of this process.
static TEMPORARY_PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn temporary_paths() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY_PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or directory. It is deleted on drop, and by [`remove_temporary`] if the process ends before that.
#[derive(Debug)]
pub struct Temporary<T> {
    value: T,
    entry: Entry,
}

impl<T: AsRef<Path>> Temporary<T> {
    /// Registers the file or directory that `create` makes, which must delete itself on drop.
    ///
    /// # Errors
    ///
    /// The errors of `create`.
    pub fn new(create: impl FnOnce() -> io::Result<T>) -> io::Result<Self> {
        // Locked, so that the process does not end between the creation and the registration.
        let mut paths = temporary_paths();
        let value = create()?;
        let path = value.as_ref().to_owned();
        paths.insert(path.clone());
        Ok(Self { value, entry: Entry(path) })
    }

    /// Passes the file or directory to `persist`, which gives it its final name. After that, it is not deleted.
    pub fn keep<R>(self, persist: impl FnOnce(T) -> R) -> R {
        let Self { value, mut entry } = self;
        let result = persist(value);
        temporary_paths().remove(&std::mem::take(&mut entry.0));
        result
    }
}

impl<T> Deref for Temporary<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Temporary<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// An entry of [`TEMPORARY_PATHS`], which is removed on drop. The path is empty once the file has been kept.
#[derive(Debug)]
struct Entry(PathBuf);

impl Drop for Entry {
    fn drop(&mut self) {
        if self.0.as_os_str().is_empty() {
            return;
        }
        temporary_paths().remove(&self.0);
        // A program may have replaced its temporary directory by a file, which is not deleted on drop.
        if remove(&self.0).is_err() {
            undeleted_paths_lock().insert(self.0.clone());
        }
    }
}

/// The paths that could not be deleted.
static UNDELETED_PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn undeleted_paths_lock() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNDELETED_PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The temporary files and directories that could not be deleted so far, and still exist.
pub fn undeleted_paths() -> Vec<PathBuf> {
    undeleted_paths_lock().iter().filter(|path| path.symlink_metadata().is_ok()).cloned().collect()
}

/// A private temporary directory, whose name begins with `prefix`.
///
/// # Errors
///
/// The directory cannot be created.
pub fn temporary_directory(prefix: &str) -> io::Result<Temporary<TempDir>> {
    Temporary::new(|| tempfile::Builder::new().prefix(prefix).tempdir())
}

/// Runs a function. If [`remove_temporary`] has begun, blocks forever instead, so that no error about a deleted file is reported.
pub fn run_before_removal<R>(run: impl FnOnce() -> R) -> R {
    let _lock = temporary_paths();
    run()
}

/// Lets [`remove_temporary`] delete a file or directory that another process made for this process.
pub fn remove_at_end(path: &Path) {
    temporary_paths().insert(path.to_owned());
}

/// Deletes the temporary files and directories of this process. Must be called only at the end of the process: an attempt to create
/// another temporary file afterwards blocks forever.
pub fn remove_temporary() {
    /// Deletion is repeated, because a program that is being ended may write into a directory while the directory is
    /// deleted.
    const ATTEMPTS: usize = 10;
    let paths = temporary_paths();
    for path in &*paths {
        let _ = (0..ATTEMPTS).any(|_| remove(path).is_ok());
    }
    // The lock is not released, so that no running thread can create another temporary file.
    std::mem::forget(paths);
}

/// Deletes the file or directory with this path.
fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path).or_else(|_| {
            // A program may have removed permissions of its directories.
            make_directories_writable(path);
            fs::remove_dir_all(path)
        }),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

/// Gives this process the permissions to empty a directory and all directories below it, if this user owns them. Symbolic links are
/// not followed.
fn make_directories_writable(directory: &Path) {
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        // Errors are ignored here, because they are reported when the deletion fails.
        let _ = fs::set_permissions(&directory, fs::Permissions::from_mode(0o700));
        let entries = fs::read_dir(&directory).into_iter().flatten().flatten();
        directories.extend(
            entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path()),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This test does not call `remove_temporary`, which would delete the temporary files of other tests in this process.
    #[test]
    fn temporary_directory_is_registered_while_it_exists() {
        let directory = temporary_directory("supervise-").expect("a temporary directory");
        let path = directory.path().to_owned();
        assert!(path.is_dir() && temporary_paths().contains(&path));
        drop(directory);
        assert!(!path.exists() && !temporary_paths().contains(&path));
        let directory = temporary_directory("supervise-").expect("a temporary directory");
        let path = directory.path().to_owned();
        std::fs::remove_dir(&path)
            .and_then(|()| std::fs::write(&path, "a file in its place"))
            .expect("replaced");
        drop(directory);
        assert!(path.symlink_metadata().is_err(), "a program may replace its directory");
        let directory =
            temporary_directory("supervise-").expect("a temporary directory").keep(|directory| directory);
        assert!(directory.path().is_dir() && !temporary_paths().contains(directory.path()));
    }

    #[test]
    fn output_directory_that_is_a_link_is_refused() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let [real, link] = ["real/deep", "link"].map(|name| directory.path().join(name));
        create_directory(&real).and_then(|()| create_directory(&real)).expect("created, and accepted again");
        std::os::unix::fs::symlink(&real, &link).expect("a link");
        for path in [link.clone(), link.join("")] {
            let error = create_directory(&path).expect_err("a link");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{}", path.display());
        }
    }

    #[test]
    fn regular_file_is_opened_and_directory_is_refused() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("x");
        std::fs::write(&path, "text").expect("writable");
        let mut text = String::new();
        open_regular(&path).and_then(|mut file| file.read_to_string(&mut text)).expect("readable");
        assert_eq!(text, "text");
        let error = open_regular(directory.path()).expect_err("a directory");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        wording::assert_wording!("files", "a directory", error);
        let error = open_regular(&directory.path().join("y")).expect_err("no such file");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn fifos_devices_and_links_to_them_are_refused() {
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().expect("a temporary directory");
        let [fifo, link] = ["fifo", "link"].map(|name| directory.path().join(name));
        let status = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo starts");
        assert!(status.success());
        symlink("/dev/zero", &link).expect("a link");
        for (path, key) in [(&*fifo, "a FIFO"), (&link, "a device"), (Path::new("/dev/null"), "a device")] {
            let error = open_regular(path).expect_err("not regular");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{}", path.display());
            wording::assert_wording!("files", key, error);
        }
    }
}
