//! The files of a submission, with their contents at the beginning of a batch.

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use plaintext::Escaped;

/// The maximum size of all files of a submission together, in bytes, because they are kept in memory.
const MAX_SUBMISSION_BYTES: u64 = 64 << 20;

/// The maximum number of files and folders in the folder of a student.
pub(super) const MAX_FILES: usize = 1000;

/// The names of folders that tools create, which are ignored.
const IGNORED_FOLDERS: [&str; 3] = ["__MACOSX", "__pycache__", "node_modules"];

/// The files of a program, by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct SubmissionFiles(Vec<(PathBuf, Content)>);

#[derive(Clone, Debug)]
struct Content {
    bytes: Vec<u8>,
    permissions: Permissions,
    state: FileState,
}

/// The inode number and the change time (ctime) of a file. Programs cannot set the change time, so a changed file has another
/// state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FileState(u64, i64, i64);

impl FileState {
    /// The state of a file or of a link; `None` if it does not exist.
    pub fn at_path(path: &Path) -> Option<Self> {
        path.symlink_metadata().ok().map(|file| Self::from_metadata(&file))
    }

    fn from_metadata(file: &Metadata) -> Self {
        Self(file.ino(), file.ctime(), file.ctime_nsec())
    }
}

/// An error while reading the files of a submission.
#[derive(Debug, thiserror::Error)]
pub(super) enum FilesError {
    /// A file cannot be read.
    #[error("{}", Escaped(format_args!("cannot read {}: {error}", plaintext::path(name))))]
    Unreadable { name: PathBuf, error: io::Error },
    /// The files are larger than [`MAX_SUBMISSION_BYTES`] in total.
    #[error("the files of the submission are larger than {} MiB in total", MAX_SUBMISSION_BYTES >> 20)]
    TooLarge,
}

impl SubmissionFiles {
    /// Reads the files with these names from a directory.
    pub fn read(directory: &Path, names: &[PathBuf]) -> Result<Self, FilesError> {
        let (mut files, mut bytes) = (Vec::new(), 0);
        for name in names {
            let path = directory.join(name);
            let failed = |error| FilesError::Unreadable { name: name.clone(), error };
            let file = path.metadata().map_err(failed)?;
            bytes += file.len();
            if bytes > MAX_SUBMISSION_BYTES {
                return Err(FilesError::TooLarge);
            }
            let (permissions, state) = (file.permissions(), FileState::from_metadata(&file));
            let bytes = fs::read(&path).map_err(failed)?;
            files.push((name.clone(), Content { bytes, permissions, state }));
        }
        Ok(Self(files))
    }

    /// Whether a file in this directory was changed or deleted.
    pub fn was_changed(&self, directory: &Path, name: &Path) -> bool {
        let Some((_, content)) = self.0.iter().find(|(other, _)| other == name) else { return false };
        let path = directory.join(name);
        FileState::at_path(&path) != Some(content.state)
            && fs::read(path).ok().as_ref() != Some(&content.bytes)
    }

    /// Adds an executable file.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) {
        let permissions = Permissions::from_mode(0o755);
        self.0.push((name.into(), Content { bytes, permissions, state: FileState::default() }));
    }

    /// The names of the files.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|(name, _)| name.as_path())
    }

    /// Writes the files into a directory.
    pub fn write_to(&self, directory: &Path) -> io::Result<()> {
        for (name, content) in &self.0 {
            let path = directory.join(name);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, &content.bytes)?;
            // The owner must be able to read and replace the file, whatever its permissions were.
            let mode = content.permissions.mode() | 0o600;
            fs::set_permissions(&path, Permissions::from_mode(mode))?;
        }
        Ok(())
    }
}

/// The files in a directory and its subdirectories, sorted, without hidden files, temporary files and links. `None` if there are
/// more than [`MAX_FILES`] or the directory cannot be read.
pub(super) fn files_below(directory: &Path) -> Option<Vec<PathBuf>> {
    let (mut files, mut unvisited) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(folder) = unvisited.pop() {
        for entry in fs::read_dir(directory.join(&folder)).ok()? {
            let entry = entry.ok()?;
            let name = entry.file_name();
            let is_ignored = |name: &str| name.starts_with('.') || IGNORED_FOLDERS.contains(&name);
            let path = folder.join(&name);
            match entry.file_type().ok()? {
                _ if is_ignored(&name.to_string_lossy()) => {}
                kind if kind.is_dir() => unvisited.push(path),
                kind if kind.is_file() => files.push(path),
                _ => {}
            }
            if files.len() + unvisited.len() > MAX_FILES {
                return None;
            }
        }
    }
    files.sort();
    Some(files)
}
