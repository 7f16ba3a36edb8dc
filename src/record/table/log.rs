//! A table that is appended to row by row, and checked before each write.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use super::{Parsed, RecordError, Table, complete, line, lines, parse};
use crate::os;
use crate::record::disk::{Disk, Real};

/// A table that is appended to row by row; each row is written completely or not at all.
pub struct Log<T> {
    file: File,
    path: PathBuf,
    /// Bytes of complete rows.
    length: u64,
    columns: Vec<String>,
    disk: Box<dyn Disk>,
    row: PhantomData<T>,
}

impl<T: Table> Log<T> {
    /// Opens the table of a result directory for appending and reads its rows. An incomplete last line, left by a process that
    /// was killed while it wrote, is cut off. `columns` are those of a new table.
    pub fn open(directory: &Path, columns: &[String]) -> Result<(Self, Vec<T>), RecordError> {
        Self::open_on(Box::new(Real), directory, columns)
    }

    /// Adds the columns that the table lacks; then it is written anew.
    pub fn with_columns(self, columns: &[String]) -> Result<Self, RecordError> {
        if columns.iter().all(|name| self.columns.contains(name)) {
            return Ok(self);
        }
        let others = self.columns.iter().filter(|name| !columns.contains(name));
        let all: Vec<String> = columns.iter().chain(others).cloned().collect();
        let text = rearranged(&crate::record::bytes(&self.path)?, &all);
        crate::record::write_derived(&self.path, &text)?;
        let fail = |error| RecordError::io(&self.path, error);
        let file = OpenOptions::new().read(true).append(true).open(&self.path).map_err(fail)?;
        Ok(Self { file, length: text.len() as u64, columns: all, ..self })
    }

    pub(in crate::record) fn open_on(
        disk: Box<dyn Disk>,
        directory: &Path,
        columns: &[String],
    ) -> Result<(Self, Vec<T>), RecordError> {
        let path = directory.join(T::FILE);
        let fail = |error| RecordError::io(&path, error);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(fail)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(fail)?;
        let complete = complete(&text);
        let Parsed { rows, columns } = match complete {
            0 => Parsed { rows: Vec::new(), columns: columns.to_vec() },
            _ => parse(&path, &text[..complete])?,
        };
        if complete < text.len() {
            file.set_len(complete as u64).map_err(fail)?;
        }
        let mut log = Self { file, path, length: complete as u64, columns, disk, row: PhantomData };
        if complete == 0 {
            let header = line(log.columns.iter().cloned());
            log.write(&header)?;
        }
        Ok((log, rows))
    }

    /// Appends rows with a single write.
    pub fn append(&mut self, rows: &[T]) -> Result<(), RecordError> {
        self.is_unchanged()?;
        let lines = lines(rows, &self.columns);
        self.write(&lines)
    }

    /// Flushes all rows to disk (fdatasync).
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.is_unchanged()?;
        self.disk.sync(&self.file).map_err(|error| RecordError::io(&self.path, error))
    }

    /// Checks that the path still names the file that is being written, with the length that this program
    /// left.
    fn is_unchanged(&self) -> Result<(), RecordError> {
        let changed = |what: String| RecordError::Changed { path: self.path.clone(), what };
        let (mine, found) = match (self.file.metadata(), self.path.symlink_metadata()) {
            (Ok(mine), Ok(found)) => (mine, found),
            (_, Err(error)) if error.kind() == io::ErrorKind::NotFound => {
                return Err(changed("it was deleted".to_owned()));
            }
            (Err(error), _) | (_, Err(error)) => return Err(RecordError::io(&self.path, error)),
        };
        if !os::is_same_file(&mine, &found) {
            return Err(changed("another file took its place".to_owned()));
        }
        if found.len() != self.length {
            let (expected, found) = (self.length, found.len());
            return Err(changed(format!("it has {found} bytes instead of {expected}")));
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        if let Err(error) = self.disk.write(&mut self.file, bytes) {
            // If this fails too, the incomplete line is cut off when the table is opened again.
            let _ = self.file.set_len(self.length);
            return Err(RecordError::io(&self.path, error));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// The text of a table that was parsed, with these columns. What is in them is not changed, also in columns that this program
/// does not know; a new one is empty.
fn rearranged(text: &[u8], columns: &[String]) -> Vec<u8> {
    let mut reader = csv::Reader::from_reader(text);
    let old: Vec<String> = reader.headers().into_iter().flatten().map(str::to_owned).collect();
    let places: Vec<Option<usize>> =
        columns.iter().map(|name| old.iter().position(|other| other == name)).collect();
    let value = |row: &csv::StringRecord, place: &Option<usize>| {
        place.and_then(|at| row.get(at)).unwrap_or_default().to_owned()
    };
    let rows = reader.records().flatten();
    let rows = rows.flat_map(|row| line(places.iter().map(|place| value(&row, place))));
    line(columns.iter().cloned()).into_iter().chain(rows).collect()
}
