//! A table that is appended to row by row, and checked before each write.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::table::{Parsed, Table, columns_of, complete, decoded, extra, line, lines, parse};
use super::{RecordError, hexadecimal, sha256_of_file, write_derived};

/// The time of the last change of a file or of its properties, in seconds and nanoseconds. No program can set it.
type Changed = (i64, i64);

/// A table that is appended to row by row; each row is written completely or not at all.
pub struct Log<T> {
    file: File,
    path: PathBuf,
    /// Bytes of complete rows.
    length: u64,
    /// The digest of these bytes.
    digest: Sha256,
    /// When the file was changed last, by this program as far as is known.
    changed: Option<Changed>,
    columns: Vec<String>,
    row: PhantomData<T>,
}

impl<T: Table> Log<T> {
    /// Opens the table of a result directory for appending and reads its rows. An incomplete last line, left by a process that
    /// was killed while it wrote, is cut off. `columns` are those of a new table.
    pub fn open(directory: &Path, columns: &[String]) -> Result<(Self, Vec<T>), RecordError> {
        let path = directory.join(T::FILE);
        let fail = |error| RecordError::io(&path, error);
        let mut file = appending(&path)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(fail)?;
        let complete = complete(&text);
        let Parsed { rows, columns } = match complete {
            0 => Parsed { rows: Vec::new(), columns: columns.to_vec() },
            _ => parse(&path, &text[..complete])?,
        };
        let kept = decoded(&path, &text[..complete])?;
        if kept.as_bytes() != &text[..complete] {
            // An editor saved it with a byte order mark or with other line ends.
            write_derived(&path, kept.as_bytes())?;
            file = appending(&path)?;
        } else if complete < text.len() {
            file.set_len(complete as u64).map_err(fail)?;
        }
        let digest = Sha256::new_with_prefix(kept.as_bytes());
        let mut log =
            Self { file, path, length: kept.len() as u64, digest, changed: None, columns, row: PhantomData };
        log.changed = log.last_change();
        if complete == 0 {
            let header = line(log.columns.iter().cloned());
            log.write(&header)?;
        }
        Ok((log, rows))
    }

    /// Its columns, in their order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Adds the columns that the table lacks; then it is written anew.
    pub fn with_columns(self, rows: &[T], columns: &[String]) -> Result<Self, RecordError> {
        if columns.iter().all(|name| self.columns.contains(name)) {
            return Ok(self);
        }
        let others = columns_of(rows).into_iter().filter(|name| !columns.contains(name));
        let columns = columns.iter().cloned().chain(others).collect();
        self.with_rows(rows, columns)
    }

    /// Replaces the rows of the table and its columns.
    pub fn with_rows(self, rows: &[T], columns: Vec<String>) -> Result<Self, RecordError> {
        let text = [line(columns.iter().cloned()), lines(rows, &columns)].concat();
        write_derived(&self.path, &text)?;
        let mut log = Self { columns, ..self };
        log.replaced(&text)?;
        Ok(log)
    }

    /// Goes on with the file that took the place of the old one.
    fn replaced(&mut self, text: &[u8]) -> Result<(), RecordError> {
        self.file = appending(&self.path)?;
        self.length = text.len() as u64;
        self.digest = Sha256::new_with_prefix(text);
        self.changed = self.last_change();
        Ok(())
    }

    /// Appends rows with a single write. The table is written anew with a column for each statistic of a program that it lacks.
    pub fn append(&mut self, rows: &[T]) -> Result<(), RecordError> {
        self.is_unchanged()?;
        let added: Vec<String> =
            extra(rows).into_iter().filter(|name| !self.columns.contains(name)).collect();
        if !added.is_empty() {
            self.widen(&added)?;
        }
        let lines = lines(rows, &self.columns);
        self.write(&lines)
    }

    /// Adds columns at the end of each line; they are empty in the rows so far.
    fn widen(&mut self, added: &[String]) -> Result<(), RecordError> {
        let fail = |error| RecordError::io(&self.path, error);
        let text = std::fs::read_to_string(&self.path).map_err(fail)?;
        let (header, rows) = text.split_once('\n').unwrap_or((&text, ""));
        let mut wider = format!("{header},{}\n", added.join(","));
        for row in rows.lines() {
            wider += row;
            wider.extend(added.iter().map(|_| ','));
            wider.push('\n');
        }
        if Sha256::digest(text.as_bytes()) != self.digest.clone().finalize() {
            return Err(self.edited());
        }
        write_derived(&self.path, wider.as_bytes())?;
        self.replaced(wider.as_bytes())?;
        self.columns.extend_from_slice(added);
        Ok(())
    }

    /// Flushes all rows to disk (fdatasync).
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.is_unchanged()?;
        self.file.sync_data().map_err(|error| RecordError::io(&self.path, error))
    }

    /// Checks the whole content of the table, and flushes it to disk.
    pub fn finish(&mut self) -> Result<(), RecordError> {
        self.is_unchanged()?;
        self.has_own_content()?;
        self.file.sync_data().map_err(|error| RecordError::io(&self.path, error))
    }

    /// Checks that the file has the content that this program left. Most edits show in the time of the last change already.
    fn has_own_content(&self) -> Result<(), RecordError> {
        let content = sha256_of_file(&self.path).map_err(|error| RecordError::io(&self.path, error))?;
        if content == hexadecimal(&self.digest.clone().finalize()) { Ok(()) } else { Err(self.edited()) }
    }

    fn edited(&self) -> RecordError {
        let advice = "run the sweep again with --fresh or another --out";
        let why =
            format!("it was edited while the sweep was running, so that no row of it is certain; {advice}");
        RecordError::table(&self.path, why)
    }

    fn last_change(&self) -> Option<Changed> {
        self.file.metadata().ok().map(|found| (found.ctime(), found.ctime_nsec()))
    }

    /// Checks that the path still names the file that is being written, with the length and the content that this program
    /// left.
    fn is_unchanged(&mut self) -> Result<(), RecordError> {
        let changed = |what: String| {
            let advice = "restore the file, or choose another --out, and run the command again";
            let why =
                format!("{what} while the sweep was running, so that later rows cannot be added; {advice}");
            RecordError::table(&self.path, why)
        };
        let (mine, found) = match (self.file.metadata(), self.path.symlink_metadata()) {
            (Ok(mine), Ok(found)) => (mine, found),
            (_, Err(error)) if error.kind() == io::ErrorKind::NotFound => {
                return Err(changed("it was deleted".to_owned()));
            }
            (Err(error), _) | (_, Err(error)) => return Err(RecordError::io(&self.path, error)),
        };
        if (mine.dev(), mine.ino()) != (found.dev(), found.ino()) {
            return Err(changed("another file took its place".to_owned()));
        }
        if found.len() != self.length {
            let (expected, found) = (self.length, found.len());
            return Err(changed(format!("it has {found} bytes instead of {expected}")));
        }
        let last_change = Some((found.ctime(), found.ctime_nsec()));
        if last_change != self.changed {
            // A backup may have changed the properties of the file alone.
            self.has_own_content()?;
            self.changed = last_change;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        if let Err(error) = self.file.write_all(bytes) {
            // If this fails too, the incomplete line is cut off when the table is opened again.
            let _ = self.file.set_len(self.length);
            return Err(RecordError::io(&self.path, error));
        }
        self.length += bytes.len() as u64;
        self.digest.update(bytes);
        self.changed = self.last_change();
        Ok(())
    }
}

fn appending(path: &Path) -> Result<File, RecordError> {
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    file.map_err(|error| RecordError::io(path, error))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::record::{Row, table};
    use crate::solver::Goal;

    fn row(time: u64) -> Row {
        Row { solve_ns: Some(time), ..Row::skipped("r".into(), "c".into(), 8, Goal::Count, "s".into()) }
    }

    /// A new table with a row.
    fn log(directory: &Path) -> Log<Row> {
        let columns = table::columns_of(&[row(1)]);
        let (mut log, _) = Log::open(directory, &columns).expect("a new table");
        log.append(&[row(1234)]).expect("appended");
        log
    }

    /// Changes a digit of a time in place.
    fn edit(path: &Path) {
        let text = std::fs::read_to_string(path).expect("the table").replace("1234", "1934");
        std::fs::write(path, text).expect("written");
    }

    #[test]
    fn an_edit_that_keeps_the_length_is_noticed() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let mut log = log(directory.path());
        edit(&log.path);
        // On a system with a coarse clock, the change may have the time of the last row.
        let refused = log.append(&[row(2)]).and_then(|()| log.finish());
        assert!(matches!(refused, Err(RecordError::Table { .. })), "{refused:?}");
    }

    #[test]
    fn an_edit_without_a_later_time_is_noticed_at_the_end() {
        for own_statistic in [false, true] {
            let directory = tempfile::tempdir().expect("a temporary directory");
            let mut log = log(directory.path());
            edit(&log.path);
            log.changed = log.last_change();
            let refused = if own_statistic {
                log.append(&[Row { own: [("a".to_owned(), 1)].into(), ..row(2) }])
            } else {
                log.append(&[row(2)]).expect("it looks unchanged");
                log.finish()
            };
            assert!(matches!(refused, Err(RecordError::Table { .. })), "{refused:?}");
        }
    }

    #[test]
    fn other_permissions_or_the_same_content_are_no_edit() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let mut log = log(directory.path());
        std::fs::set_permissions(&log.path, std::fs::Permissions::from_mode(0o600)).expect("changed");
        log.append(&[row(2)]).expect("appended");
        let text = std::fs::read(&log.path).expect("the table");
        std::fs::write(&log.path, text).expect("written");
        log.append(&[Row { own: [("a".to_owned(), 1)].into(), ..row(3) }]).expect("a wider table");
        log.append(&[row(4)]).and_then(|()| log.finish()).expect("nobody edited it");
        assert_eq!(table::read::<Row>(directory.path()).expect("the table").0.len(), 4);
    }
}
