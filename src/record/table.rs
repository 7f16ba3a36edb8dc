//! CSV tables of plain structs: one header line, LF, empty for `None`. The home of crate csv.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{RecordError, SCHEMA_VERSION};

/// A row type with its file and its columns.
pub trait Table: Serialize + DeserializeOwned {
    /// Name of the file in a result directory.
    const FILE: &'static str;
    /// The columns, in order.
    const COLUMNS: &'static [&'static str];
}

/// A table that grows a row at a time; each row is flushed to the file as a whole.
pub struct Log<T> {
    file: File,
    path: PathBuf,
    row: PhantomData<T>,
}

impl<T: Table> Log<T> {
    /// Opens the table of a result directory to go on with it, and reads what it holds. A torn last
    /// line, left by a process that was killed while it wrote, is cut off.
    pub fn open(directory: &Path) -> Result<(Self, Vec<T>), RecordError> {
        let path = directory.join(T::FILE);
        let fail = |error| RecordError::io(&path, error);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(fail)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(fail)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(fail)?;
            file.seek(SeekFrom::End(0)).map_err(fail)?;
        }
        if whole == 0 {
            file.write_all(header_line::<T>().as_bytes()).map_err(fail)?;
        }
        let rows = if whole == 0 { Vec::new() } else { parse(&path, &text[..whole])? };
        Ok((Self { file, path, row: PhantomData }, rows))
    }

    /// Appends rows in a single write.
    pub fn append(&mut self, rows: &[T]) -> Result<(), RecordError> {
        let lines = lines(rows).map_err(|error| RecordError::io(&self.path, error))?;
        let written = self.file.write_all(&lines).and_then(|()| self.file.flush());
        written.map_err(|error| RecordError::io(&self.path, error))
    }
}

/// Replaces the table of a result directory: the new one is complete before the old one goes.
pub fn write<T: Table>(directory: &Path, rows: &[T]) -> Result<(), RecordError> {
    let path = directory.join(T::FILE);
    let mut text = header_line::<T>().into_bytes();
    text.extend(lines(rows).map_err(|error| RecordError::io(&path, error))?);
    super::write_atomically(&path, &text)
}

/// Reads the table of a result directory.
pub fn read<T: Table>(directory: &Path) -> Result<Vec<T>, RecordError> {
    let path = directory.join(T::FILE);
    let text = std::fs::read(&path).map_err(|error| RecordError::io(&path, error))?;
    parse(&path, &text)
}

fn header_line<T: Table>() -> String {
    T::COLUMNS.join(",") + "\n"
}

fn lines<T: Serialize>(rows: &[T]) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(io::Error::other)?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

pub(super) fn parse<T: Table>(path: &Path, text: &[u8]) -> Result<Vec<T>, RecordError> {
    let mut reader = csv::ReaderBuilder::new().from_reader(text);
    let bad = |error: csv::Error| RecordError::Table { path: path.to_owned(), reason: error.to_string() };
    let found = reader.headers().map_err(bad)?.clone();
    // A later version may have added columns at the end; none may be gone or moved.
    if !found.iter().take(T::COLUMNS.len()).eq(T::COLUMNS.iter().copied()) {
        let missing = T::COLUMNS.iter().find(|name| !found.iter().any(|column| column == **name));
        let reason = match missing {
            Some(name) => format!("there is no column '{name}'; was it written by another version?"),
            None => "its columns are in another order; was it written by another version?".to_owned(),
        };
        return Err(RecordError::Table { path: path.to_owned(), reason });
    }
    let versioned = T::COLUMNS.first() == Some(&"schema_version");
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.map_err(bad)?;
        let version = record.get(0).filter(|version| versioned && *version != SCHEMA_VERSION.to_string());
        if let Some(version) = version.filter(|version| version.parse::<u32>().is_ok()) {
            let reason = format!(
                "a row of schema version {version}, written by another version of queenlab; this one reads {SCHEMA_VERSION}"
            );
            return Err(RecordError::Table { path: path.to_owned(), reason });
        }
        record.deserialize(Some(&found)).map_err(bad)
    };
    reader.records().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CrosscheckRow, LevelRow, NodesRow, Row, TimingsRow};
    use crate::solver::Goal;

    fn row(run_id: &str) -> Row {
        let row = Row::skipped(run_id.into(), "c".into(), 8, Goal::Count, "backtrack/bitmask".into());
        Row { solutions: Some(92), error: Some("a, \"quoted\" error".into()), ..row }
    }

    /// The columns that serde writes for a row are those that the table declares.
    fn serde_names<T: Table>(example: &T) -> Vec<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(example).expect("plain row");
        let text = String::from_utf8(writer.into_inner().expect("in memory")).expect("ASCII");
        text.lines().next().expect("header").split(',').map(str::to_owned).collect()
    }

    #[test]
    fn declared_columns_are_the_fields_in_order() {
        assert_eq!(serde_names(&row("r")), Row::COLUMNS);
        assert_eq!(serde_names(&LevelRow::example()), LevelRow::COLUMNS);
        assert_eq!(serde_names(&CrosscheckRow::example()), CrosscheckRow::COLUMNS);
        assert_eq!(serde_names(&TimingsRow::default()), TimingsRow::COLUMNS);
        assert_eq!(serde_names(&NodesRow::default()), NodesRow::COLUMNS);
    }

    #[test]
    fn rows_come_back_as_they_went() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let (mut log, rows) = Log::<Row>::open(directory.path()).expect("new table");
        assert_eq!(rows, []);
        log.append(&[row("a"), row("b")]).expect("write");
        let (_, rows) = Log::<Row>::open(directory.path()).expect("read");
        assert_eq!(rows, [row("a"), row("b")]);
        assert_eq!(read::<Row>(directory.path()).expect("read"), rows);
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_the_log_goes_on() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let (mut log, _) = Log::<Row>::open(directory.path()).expect("new table");
        log.append(&[row("a"), row("b")]).expect("write");
        let path = directory.path().join(Row::FILE);
        let whole = std::fs::read(&path).expect("read");
        for torn in [1, 7, 20] {
            std::fs::write(&path, &whole[..whole.len() - torn]).expect("tear");
            let (mut log, rows) = Log::<Row>::open(directory.path()).expect("mend");
            assert_eq!(rows, [row("a")]);
            log.append(&[row("b")]).expect("go on");
            assert_eq!(std::fs::read(&path).expect("read"), whole);
        }
    }

    #[test]
    fn a_table_without_a_column_is_refused_by_name() {
        let directory = tempfile::tempdir().expect("temporary directory");
        std::fs::write(directory.path().join("runs.csv"), "schema_version,run_id\n1,x\n").expect("write");
        let error = read::<Row>(directory.path()).expect_err("incomplete");
        assert!(error.to_string().contains("no column 'cell_id'"), "{error}");
    }
}
