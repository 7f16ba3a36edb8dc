//! A table that is appended to row by row, and checked before each write.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::table::{Parsed, Table, columns_of, complete, decoded, extra, line, lines, parse};
use super::{RecordError, write_derived};

/// A table that is appended to row by row; each row is written completely or not at all.
pub struct Log<T> {
    file: File,
    path: PathBuf,
    /// Bytes of complete rows.
    length: u64,
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
        let length = kept.len() as u64;
        let mut log = Self { file, path, length, columns, row: PhantomData };
        if complete == 0 {
            let header = line(log.columns.iter().cloned());
            log.write(&header)?;
        }
        Ok((log, rows))
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
        Ok(Self { file: appending(&self.path)?, length: text.len() as u64, columns, ..self })
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
        write_derived(&self.path, wider.as_bytes())?;
        (self.file, self.length) = (appending(&self.path)?, wider.len() as u64);
        self.columns.extend_from_slice(added);
        Ok(())
    }

    /// Flushes all rows to disk (fdatasync).
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.is_unchanged()?;
        self.file.sync_data().map_err(|error| RecordError::io(&self.path, error))
    }

    /// Checks that the path still names the file that is being written, with the length that this program
    /// left.
    fn is_unchanged(&self) -> Result<(), RecordError> {
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
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        if let Err(error) = self.file.write_all(bytes) {
            // If this fails too, the incomplete line is cut off when the table is opened again.
            let _ = self.file.set_len(self.length);
            return Err(RecordError::io(&self.path, error));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

fn appending(path: &Path) -> Result<File, RecordError> {
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    file.map_err(|error| RecordError::io(path, error))
}
