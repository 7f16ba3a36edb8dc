//! A file to which lines are appended. Each line is written completely or not at all. Before each write, the file is checked for
//! changes by other programs.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::directory::{is_path_of, replace, sync_directory};
use crate::sha256::{hexadecimal, sha256_hex, sha256_of_file};

/// The time of the last change of a file or its properties (ctime), in seconds and nanoseconds. Programs cannot set this time.
type ChangeTime = (i64, i64);

/// A file of lines, open for appending.
pub struct LineLog {
    file: File,
    path: PathBuf,
    /// The length of all complete lines in bytes.
    length: u64,
    /// The digest of all complete lines.
    digest: Sha256,
    /// The time of the last change of the file by this process.
    change_time: Option<ChangeTime>,
}

/// An error while reading or writing a log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The operating system refused to read or write the file.
    #[error("{}: {error}", plaintext::path(path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The file is not UTF-8.
    #[error("{}: {reason}", plaintext::path(path))]
    NotText {
        /// The file.
        path: PathBuf,
        /// The encoding or kind of its content.
        reason: String,
    },
    /// The file was edited after this process had opened it, so that its lines cannot be trusted.
    #[error("{}: it was edited while it was being written", plaintext::path(.0))]
    Edited(PathBuf),
    /// The file cannot be appended to any more.
    #[error("{}: {change} while it was being written", plaintext::path(path))]
    Lost {
        /// The file.
        path: PathBuf,
        /// What happened to it.
        change: FileChange,
    },
}

/// A change of a file by another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileChange {
    /// It was deleted.
    #[error("it was deleted")]
    Deleted,
    /// Another file has its name.
    #[error("another file took its place")]
    Replaced,
    /// It is longer or shorter.
    #[error("its length changed from {expected} to {actual} bytes")]
    Length {
        /// Its length in bytes.
        actual: u64,
        /// The length that this process wrote.
        expected: u64,
    },
}

impl LineLog {
    /// Opens a log for appending, or creates it. `read` receives the complete lines. If `read` fails, the file is not changed.
    /// Otherwise, an incomplete last line is removed, which a process may leave if it is killed during a write. Changes by
    /// editors are also undone: a byte order mark is removed, and line ends other than LF become LF.
    ///
    /// # Errors
    ///
    /// The errors of `read`, [`LogError::Io`] and [`LogError::NotText`].
    pub fn open<T, E: From<LogError>>(
        path: &Path,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<(Self, T), E> {
        let to_error = |error| LogError::Io { path: path.to_owned(), error };
        let mut file = open_for_appending(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(to_error)?;
        let complete_lines = &bytes[..complete_length(&bytes)];
        let not_text_error = |error: plaintext::NotUtf8| LogError::NotText {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let text = plaintext::utf8(complete_lines).map_err(not_text_error)?;
        let content = read(&text)?;
        if text.as_bytes() != complete_lines {
            replace(path, text.as_bytes()).and_then(|()| sync_directory(path)).map_err(to_error)?;
            file = open_for_appending(path)?;
        } else if complete_lines.len() < bytes.len() {
            file.set_len(complete_lines.len() as u64).map_err(to_error)?;
        }
        let (length, digest) = (text.len() as u64, Sha256::new_with_prefix(text.as_bytes()));
        let mut log = Self { file, path: path.to_owned(), length, digest, change_time: None };
        log.change_time = log.last_change();
        Ok((log, content))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends complete lines with a single write. A write that fails is undone.
    ///
    /// # Errors
    ///
    /// [`LogError`]: the file was changed, or cannot be written.
    pub fn append(&mut self, lines: &[u8]) -> Result<(), LogError> {
        self.check_unchanged()?;
        if let Err(error) = self.file.write_all(lines) {
            // If this fails too, the incomplete line is removed when the log is opened again.
            let _ = self.file.set_len(self.length);
            return Err(self.io_error(error));
        }
        self.length += lines.len() as u64;
        self.digest.update(lines);
        self.change_time = self.last_change();
        Ok(())
    }

    /// Replaces the whole content atomically. After a crash or a power failure, the file has the old or the new content.
    ///
    /// # Errors
    ///
    /// [`LogError::Io`]; then the file is unchanged.
    pub fn replace(&mut self, content: &[u8]) -> Result<(), LogError> {
        // Without `sync_directory`, a power failure could lose lines that are appended and flushed later.
        let result = replace(&self.path, content).and_then(|()| sync_directory(&self.path));
        result.map_err(|error| self.io_error(error))?;
        self.file = open_for_appending(&self.path)?;
        self.length = content.len() as u64;
        self.digest = Sha256::new_with_prefix(content);
        self.change_time = self.last_change();
        Ok(())
    }

    /// Reads the whole content.
    ///
    /// # Errors
    ///
    /// [`LogError`]: the content is not what this process wrote, or the file cannot be read.
    pub fn read(&mut self) -> Result<String, LogError> {
        self.check_unchanged()?;
        let text = std::fs::read_to_string(&self.path).map_err(|error| self.io_error(error))?;
        if sha256_hex(text.as_bytes()) == self.expected_digest() {
            Ok(text)
        } else {
            Err(self.edited_error())
        }
    }

    /// Flushes all lines to disk.
    ///
    /// # Errors
    ///
    /// [`LogError`]: the file was changed, or cannot be written.
    pub fn sync(&mut self) -> Result<(), LogError> {
        self.check_unchanged()?;
        self.file.sync_data().map_err(|error| self.io_error(error))
    }

    /// Checks the whole content of the file, and flushes it to disk.
    ///
    /// # Errors
    ///
    /// [`LogError`]: the file was changed, or cannot be written.
    pub fn finish(&mut self) -> Result<(), LogError> {
        self.check_unchanged()?;
        self.check_content()?;
        self.file.sync_data().map_err(|error| self.io_error(error))
    }

    /// Checks that the path still leads to this file, and that it has the length and the content that this process wrote. The
    /// content is read only if the time of the last change differs.
    fn check_unchanged(&mut self) -> Result<(), LogError> {
        let lost_error = |change| LogError::Lost { path: self.path.clone(), change };
        let metadata = match self.path.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(lost_error(FileChange::Deleted));
            }
            Err(error) => return Err(self.io_error(error)),
        };
        if !is_path_of(&self.path, &self.file).map_err(|error| self.io_error(error))? {
            return Err(lost_error(FileChange::Replaced));
        }
        if metadata.len() != self.length {
            return Err(lost_error(FileChange::Length { actual: metadata.len(), expected: self.length }));
        }
        let last_change = Some((metadata.ctime(), metadata.ctime_nsec()));
        if last_change != self.change_time {
            // A backup program may have changed only the properties of the file.
            self.check_content()?;
            self.change_time = last_change;
        }
        Ok(())
    }

    /// Checks that the file has the content that this process wrote.
    fn check_content(&self) -> Result<(), LogError> {
        let digest = sha256_of_file(&self.path).map_err(|error| self.io_error(error))?;
        if digest == self.expected_digest() { Ok(()) } else { Err(self.edited_error()) }
    }

    /// The digest of the content that this process wrote.
    fn expected_digest(&self) -> String {
        hexadecimal(&self.digest.clone().finalize())
    }

    fn edited_error(&self) -> LogError {
        LogError::Edited(self.path.clone())
    }

    fn io_error(&self, error: io::Error) -> LogError {
        LogError::Io { path: self.path.clone(), error }
    }

    fn last_change(&self) -> Option<ChangeTime> {
        self.file.metadata().ok().map(|metadata| (metadata.ctime(), metadata.ctime_nsec()))
    }
}

fn open_for_appending(path: &Path) -> Result<File, LogError> {
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    file.map_err(|error| LogError::Io { path: path.to_owned(), error })
}

/// The length of all complete lines of a text, in bytes. Lines may end in LF, CRLF or CR.
pub fn complete_length(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| matches!(byte, b'\n' | b'\r')).map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn open(path: &Path) -> (LineLog, String) {
        LineLog::open(path, |text| Ok::<_, LogError>(text.to_owned())).expect("a log")
    }

    /// A new log with one line, and its directory.
    fn log() -> (tempfile::TempDir, LineLog) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (mut log, text) = open(&directory.path().join("rows.txt"));
        assert_eq!(text, "");
        log.append(b"1234\n").expect("appended");
        (directory, log)
    }

    /// Changes a digit of the first line.
    fn edit(path: &Path) {
        let text = std::fs::read_to_string(path).expect("the log").replace("1234", "1934");
        std::fs::write(path, text).expect("written");
    }

    #[test]
    fn edit_of_equal_length_is_detected() {
        let (_directory, mut log) = log();
        edit(&log.path);
        // If the system has a coarse clock, the edit may have the same time as the last append. Then only `finish` detects it.
        let result = log.append(b"2\n").and_then(|()| log.finish());
        assert!(matches!(result, Err(LogError::Edited(_))), "{result:?}");
    }

    #[test]
    fn edit_with_equal_change_time_is_detected() {
        let (_directory, mut log) = log();
        edit(&log.path);
        log.change_time = log.last_change();
        assert!(matches!(log.read(), Err(LogError::Edited(_))));
        log.append(b"2\n").expect("it looks unchanged");
        assert!(matches!(log.finish(), Err(LogError::Edited(_))));
    }

    #[test]
    fn rewriting_the_same_content_is_not_an_edit() {
        let (_directory, mut log) = log();
        std::fs::set_permissions(&log.path, std::fs::Permissions::from_mode(0o600)).expect("changed");
        log.append(b"2\n").expect("appended");
        let text = std::fs::read(&log.path).expect("the log");
        std::fs::write(&log.path, text).expect("written");
        log.append(b"3\n").and_then(|()| log.finish()).expect("nobody edited it");
        assert_eq!(log.read().expect("unchanged"), "1234\n2\n3\n");
    }

    #[test]
    fn deleted_replaced_or_extended_log_is_an_error() {
        let change = |change: fn(&Path)| {
            let (_directory, mut log) = log();
            change(&log.path);
            match log.append(b"2\n") {
                Err(LogError::Lost { change, .. }) => change,
                result => panic!("{result:?}"),
            }
        };
        assert_eq!(change(|path| std::fs::remove_file(path).expect("deleted")), FileChange::Deleted);
        assert_eq!(change(|path| replace(path, b"1234\n").expect("replaced")), FileChange::Replaced);
        let change_of_length = change(|path| std::fs::write(path, "1234\n5").expect("written"));
        assert_eq!(change_of_length, FileChange::Length { actual: 6, expected: 5 });
    }

    #[test]
    fn torn_last_line_is_removed_after_reading() {
        let (_directory, log) = log();
        let path = log.path.clone();
        for (stored, repaired) in
            [("1\n2", "1\n"), ("2", ""), ("\u{feff}1\r\n2\r\n3", "1\n2\n"), ("1\n", "1\n")]
        {
            std::fs::write(&path, stored).expect("written");
            let result = LineLog::open(&path, |_| Err::<(), _>(LogError::Edited(path.clone())));
            assert!(result.is_err());
            assert_eq!(std::fs::read_to_string(&path).expect("there"), stored);
            let (mut log, text) = open(&path);
            assert_eq!(text, repaired);
            log.append(b"last\n").and_then(|()| log.finish()).expect("appended");
            assert_eq!(std::fs::read_to_string(&path).expect("there"), format!("{repaired}last\n"));
        }
        std::fs::write(&path, b"\xff\n").expect("written");
        let result = LineLog::open(&path, |_| Ok::<_, LogError>(()));
        assert!(matches!(result, Err(LogError::NotText { .. })));
    }

    #[test]
    fn append_continues_after_replaced_content() {
        let (_directory, mut log) = log();
        log.replace(b"a\nb\n")
            .and_then(|()| log.append(b"c\n"))
            .and_then(|()| log.finish())
            .expect("written");
        assert_eq!(std::fs::read_to_string(&log.path).expect("there"), "a\nb\nc\n");
    }
}
