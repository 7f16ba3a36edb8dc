//! CSV tables of plain structs: one header line, LF, empty for `None`. The home of crate csv.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::complete::{BLOCK, complete_lines};
use super::disk::{Disk, Real};
use super::{LARGEST, RecordError, bytes};
use crate::{files, os};

/// [`super::SCHEMA_VERSION`] as it is written.
const VERSION: &str = "1";

/// The beginning of the names of columns for the factors of programs, which come after all others.
const FACTOR: &str = "factor.";

/// A row type with its file and its columns.
pub trait Table: Serialize + DeserializeOwned {
    /// Name of the file in a result directory.
    const FILE: &'static str;
    /// A table of an older version may lack this column and those after it; their fields are read as empty.
    const FIRST_ADDED: Option<&'static str> = None;

    /// The columns, in order. Columns for [`Table::factors`] may follow them in the file.
    fn columns() -> Vec<&'static str>;

    /// The factors of the row's program, as in the column `options`.
    fn factors(&self) -> Option<&str> {
        None
    }
}

/// The factors of a row: their names and values.
fn factors_of<T: Table>(row: &T) -> BTreeMap<&str, &str> {
    row.factors()
        .into_iter()
        .flat_map(|text| text.split(','))
        .filter_map(|pair| pair.split_once('='))
        .collect()
}

/// The names of the factors that some rows have.
fn factor_names<T: Table>(rows: &[T]) -> BTreeSet<String> {
    rows.iter().flat_map(|row| factors_of(row).into_keys().map(str::to_owned)).collect()
}

/// Declares the row of a table: its file, the first column that older tables may lack, the function that finds the factors
/// of a row, and its columns with their types.
/// The columns of statistics come at the places of `..field = STATS` and each `..STATS`, and their values are in that field.
macro_rules! table {
    ($(#[$meta:meta])* $row:ident in $file:literal $(since $added:literal)? $(with $factors:ident)? {
        $($column:ident: $type:ty,)*
        $(
            ..$stats:ident = $first:expr, $($after:ident: $after_type:ty,)*
            ..$rest:expr, $($last:ident: $last_type:ty,)*
            ..$newest:expr,
        )?
    }) => {
        $(#[$meta])*
        #[expect(missing_docs, reason = "docs/FORMATS.md defines each column")]
        pub struct $row {
            $(pub $column: $type,)*
            $(pub $stats: crate::solver::Statistics, $(pub $after: $after_type,)* $(pub $last: $last_type,)*)?
        }

        impl crate::record::Table for $row {
            const FILE: &'static str = $file;
            $(const FIRST_ADDED: Option<&'static str> = Some($added);)?

            fn columns() -> Vec<&'static str> {
                [
                    &[$(stringify!($column)),*][..],
                    $(
                        &Stat::names($first), &[$(stringify!($after)),*], &Stat::names($rest),
                        &[$(stringify!($last)),*], &Stat::names($newest),
                    )?
                ].concat()
            }

            $(fn factors(&self) -> Option<&str> {
                $factors(self)
            })?
        }

        impl serde::Serialize for $row {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct;
                let mut row = serializer.serialize_struct($file, [$(stringify!($column)),*].len())?;
                $(row.serialize_field(stringify!($column), &self.$column)?;)*
                $(
                    for stat in $first as &[Stat] {
                        row.serialize_field(stat.name(), &self.$stats.get(*stat))?;
                    }
                    $(row.serialize_field(stringify!($after), &self.$after)?;)*
                    for stat in $rest as &[Stat] {
                        row.serialize_field(stat.name(), &self.$stats.get(*stat))?;
                    }
                    $(row.serialize_field(stringify!($last), &self.$last)?;)*
                    for stat in $newest as &[Stat] {
                        row.serialize_field(stat.name(), &self.$stats.get(*stat))?;
                    }
                )?
                row.end()
            }
        }

        impl<'de> serde::Deserialize<'de> for $row {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Columns;
                impl<'de> serde::de::Visitor<'de> for Columns {
                    type Value = $row;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("a row of ", $file))
                    }

                    fn visit_map<M: serde::de::MapAccess<'de>>(self, mut map: M) -> Result<$row, M::Error> {
                        let mut row = $row::default();
                        while let Some(column) = map.next_key::<&str>()? {
                            match column {
                                $(stringify!($column) => row.$column = map.next_value()?,)*
                                $($(stringify!($after) => row.$after = map.next_value()?,)*)?
                                $($(stringify!($last) => row.$last = map.next_value()?,)*)?
                                _ => match Stat::named(column) {
                                    $(Some(stat) => row.$stats.set(stat, map.next_value::<Option<u64>>()?),)?
                                    _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
                                },
                            }
                        }
                        Ok(row)
                    }
                }
                deserializer.deserialize_map(Columns)
            }
        }
    };
}
pub(super) use table;

/// A table that is appended to row by row; each row is written completely or not at all.
pub struct Log<T> {
    file: File,
    path: PathBuf,
    /// Bytes of complete rows.
    length: u64,
    /// The factors that have columns.
    factors: BTreeSet<String>,
    disk: Box<dyn Disk>,
    row: PhantomData<T>,
}

impl<T: Table> Log<T> {
    /// Opens the table of a result directory for appending and reads its rows. An incomplete last line, left
    /// by a process that was killed while it wrote, is cut off.
    pub fn open(directory: &Path) -> Result<(Self, Vec<T>), RecordError> {
        Self::open_on(Box::new(Real), directory, BTreeSet::new())
    }

    /// Opens a table whose rows have these factors. If it has no columns for some of them, it is written anew.
    pub fn open_with(directory: &Path, factors: BTreeSet<String>) -> Result<(Self, Vec<T>), RecordError> {
        let (log, rows) = Self::open_on(Box::new(Real), directory, factors.clone())?;
        if factors.is_subset(&log.factors) {
            return Ok((log, rows));
        }
        let all = &log.factors | &factors;
        write_with(directory, &rows, &all)?;
        Self::open(directory)
    }

    /// `factors` are those of a new table.
    pub(super) fn open_on(
        disk: Box<dyn Disk>,
        directory: &Path,
        factors: BTreeSet<String>,
    ) -> Result<(Self, Vec<T>), RecordError> {
        let path = directory.join(T::FILE);
        let fail = |error| RecordError::io(&path, error);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(fail)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(fail)?;
        let (complete, _) = complete_rows(&path, text.as_slice())?;
        let (rows, factors) =
            if complete == 0 { (Vec::new(), factors) } else { parse_as(&path, &text[..complete], false)? };
        if complete < text.len() {
            file.set_len(complete as u64).map_err(fail)?;
        }
        let header = header_line::<T>(&factors);
        let mut log = Self { file, path, length: complete as u64, factors, disk, row: PhantomData };
        if complete == 0 {
            log.write(header.as_bytes())?;
        }
        Ok((log, rows))
    }

    /// Appends rows; if that fails, the table keeps only the rows that it had before. It is an error if
    /// another program deleted, replaced or changed the table since the last row; the table is then left
    /// unchanged.
    pub fn append(&mut self, rows: &[T]) -> Result<(), RecordError> {
        self.is_unchanged()?;
        let lines = lines_with(rows, &self.factors).map_err(|error| RecordError::io(&self.path, error))?;
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

/// Replaces the table of a result directory: the new file is complete before it replaces the old one.
pub fn write<T: Table>(directory: &Path, rows: &[T]) -> Result<(), RecordError> {
    write_with(directory, rows, &factor_names(rows))
}

fn write_with<T: Table>(directory: &Path, rows: &[T], factors: &BTreeSet<String>) -> Result<(), RecordError> {
    let path = directory.join(T::FILE);
    let text = format_with(rows, factors).map_err(|error| RecordError::io(&path, error))?;
    super::write_derived(&path, &text)
}

/// Reads the table of a result directory.
pub fn read<T: Table>(directory: &Path) -> Result<Vec<T>, RecordError> {
    let path = directory.join(T::FILE);
    parse(&path, &bytes(&path)?)
}

/// Reads the table of a result directory row by row, without the incomplete last row that a killed process
/// leaves. Returns whether there was one. Memory: a few of the longest rows.
pub fn for_each_complete<T: Table>(
    directory: &Path,
    row: impl FnMut(T) -> Result<(), RecordError>,
) -> Result<bool, RecordError> {
    let path = directory.join(T::FILE);
    let mut file = files::open_regular(&path).map_err(|error| RecordError::io(&path, error))?;
    let (complete, length) = complete_rows(&path, &mut file)?;
    if complete == 0 && length > 0 {
        return Err(RecordError::Table { path, reason: "it ends within its first line".to_owned() });
    }
    if complete > 0 {
        file.seek(SeekFrom::Start(0)).map_err(|error| RecordError::io(&path, error))?;
        for_each(&path, file.take(complete as u64), true, row)?;
    }
    Ok(complete < length)
}

/// The line on which a row of a table begins; rows from 0, lines from 1.
pub fn line_of(path: &Path, row: usize) -> u64 {
    let line = files::open_regular(path).ok().and_then(|file| {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file.take(LARGEST));
        let record = reader.byte_records().nth(row)?.ok()?;
        record.position().map(csv::Position::line)
    });
    line.unwrap_or(row as u64 + 2)
}

/// Returns the length of a text up to the end of its last complete row, and its total length. A row that was
/// cut off within quotes may span several lines. If one of these lines looks like a row of its own, there is
/// a stray quote, and the table is refused so that no row is lost.
fn complete_rows(path: &Path, text: impl Read) -> Result<(usize, usize), RecordError> {
    let row = format!("{VERSION},").into_bytes();
    let (mut line, mut line_after_end) = (1, 1);
    // Within quotes; after a quote there, which may be the first of two; at the beginning of a field.
    let (mut quoted, mut closing, mut begins) = (false, false, true);
    // Of the lines that begin within the quotes of the current row: how much of the present one is like the beginning
    // of a row, and whether one begins as a row does.
    let (mut alike, mut has_row) = (None, false);
    let lengths = complete_lines(text, |byte| {
        let is_line_end = byte == b'\n';
        line += u64::from(is_line_end);
        if let Some(same) = alike.take().filter(|&same| row[same] == byte).map(|same| same + 1) {
            has_row |= same == row.len();
            alike = Some(same).filter(|&same| same < row.len());
        }
        if quoted && !(closing && byte != b'"') {
            closing = byte == b'"' && !closing;
            alike = if is_line_end { Some(0) } else { alike };
            return false;
        }
        (quoted, closing) = (!quoted && begins && byte == b'"', false);
        begins = matches!(byte, b',' | b'\n');
        if is_line_end {
            line_after_end = line;
            (alike, has_row) = (None, false);
        }
        is_line_end
    });
    let (complete, length) = lengths.map_err(|error| RecordError::io(path, error))?;
    if line > line_after_end && (complete == 0 || has_row) {
        let reason = format!("line {line_after_end}: a quote is not closed");
        return Err(RecordError::Table { path: path.to_owned(), reason });
    }
    Ok((complete, length))
}

/// The text of a table.
pub fn format<T: Table>(rows: &[T]) -> io::Result<Vec<u8>> {
    format_with(rows, &factor_names(rows))
}

fn format_with<T: Table>(rows: &[T], factors: &BTreeSet<String>) -> io::Result<Vec<u8>> {
    let mut text = header_line::<T>(factors).into_bytes();
    text.extend(lines_with(rows, factors)?);
    Ok(text)
}

/// The names of factors need no quotes.
fn header_line<T: Table>(factors: &BTreeSet<String>) -> String {
    let factors: String = factors.iter().map(|name| format!(",{FACTOR}{name}")).collect();
    T::columns().join(",") + &factors + "\n"
}

/// The lines of a table without its header, with columns for these factors.
fn lines_with<T: Table>(rows: &[T], factors: &BTreeSet<String>) -> io::Result<Vec<u8>> {
    if factors.is_empty() {
        return lines(rows);
    }
    let with_factors = |row| {
        let own = factors_of(row);
        let values: Vec<Option<&str>> = factors.iter().map(|name| own.get(name.as_str()).copied()).collect();
        (row, values)
    };
    lines(rows.iter().map(with_factors))
}

/// The lines of a table without its header.
pub fn lines(rows: impl IntoIterator<Item: Serialize>) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(io::Error::other)?;
    }
    let text = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    Ok(on_one_line_each(text))
}

/// Escapes line breaks within fields as `\n` and `\r`, so that an incomplete row contains no line end.
fn on_one_line_each(text: Vec<u8>) -> Vec<u8> {
    let line_ends = |text: &[u8]| text.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
    let mut escaped = Vec::with_capacity(text.len() + line_ends(&text));
    let mut quoted = false;
    for byte in text {
        quoted ^= byte == b'"';
        match byte {
            b'\n' if quoted => escaped.extend_from_slice(b"\\n"),
            b'\r' if quoted => escaped.extend_from_slice(b"\\r"),
            _ => escaped.push(byte),
        }
    }
    escaped
}

/// The longest line of a table, in bytes; only damaged files, or files that are no tables, have longer ones.
const LONGEST_LINE: usize = 1 << 20;

/// A reader that fails on lines longer than [`LONGEST_LINE`].
struct Bounded<R> {
    text: R,
    /// Number of the current line, and how many of its bytes have been read.
    line: u64,
    length: usize,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(block)?;
        for part in block[..read].split_inclusive(|&byte| byte == b'\n') {
            self.length += part.len();
            let is_whole = part.ends_with(b"\n");
            if self.length - usize::from(is_whole) > LONGEST_LINE {
                let (line, most) = (self.line, LONGEST_LINE >> 20);
                return Err(io::Error::other(format!(
                    "line {line} is longer than {most} MiB, so this is not a table of queenlab"
                )));
            }
            if is_whole {
                (self.line, self.length) = (self.line + 1, 0);
            }
        }
        Ok(read)
    }
}

/// Parses the text of a table of this or another version; `path` is the name used in errors. Memory: the rows,
/// and twice the longest one.
pub fn parse<T: Table>(path: &Path, text: &[u8]) -> Result<Vec<T>, RecordError> {
    Ok(parse_as(path, text, true)?.0)
}

/// The rows of a table, and the factors that have columns in it.
fn parse_as<T: Table>(
    path: &Path,
    text: &[u8],
    any_version: bool,
) -> Result<(Vec<T>, BTreeSet<String>), RecordError> {
    let mut rows = Vec::new();
    let factors = for_each(path, text, any_version, |row| {
        rows.push(row);
        Ok(())
    })?;
    Ok((rows, factors))
}

/// Reads a table. With `any_version`, it may lack the columns from [`Table::FIRST_ADDED`] on, and may have further
/// columns after those of `T`. Otherwise its columns must be exactly those of `T` and of factors, because rows will be
/// appended. Returns the factors that have columns.
fn for_each<T: Table>(
    path: &Path,
    text: impl Read,
    any_version: bool,
    mut row: impl FnMut(T) -> Result<(), RecordError>,
) -> Result<BTreeSet<String>, RecordError> {
    let text = Bounded { text, line: 1, length: 0 };
    let mut reader = csv::ReaderBuilder::new().buffer_capacity(BLOCK).from_reader(text);
    let refuse = |reason: String| RecordError::Table { path: path.to_owned(), reason };
    let bad = |error: csv::Error| refuse(error.to_string());
    let found = reader.headers().map_err(bad)?.clone();
    let columns = T::columns();
    // A later version may have added columns at the end; none may be missing, moved or repeated.
    let known = found.iter().zip(&columns).take_while(|(found, column)| found == *column).count();
    let is_newer = |name: &&str| !any_version && !name.starts_with(FACTOR);
    if let Some(name) = found.iter().skip(columns.len()).find(is_newer) {
        return Err(refuse(format!(
            "a newer queenlab wrote the column '{name}', which this version does not have: resume with that version, \
             or choose another --out"
        )));
    }
    let is_added = |column: &&str| T::FIRST_ADDED == Some(*column);
    let oldest = columns.iter().position(is_added).unwrap_or(columns.len());
    let moved = found.iter().skip(known).any(|found| columns.contains(&found));
    if moved || known < if any_version { oldest } else { columns.len() } {
        let missing = columns.iter().find(|name| !found.iter().any(|column| column == **name));
        return Err(refuse(match missing {
            Some(name) if known >= oldest => format!(
                "there is no column '{name}': an older queenlab made this table, which can be read, but not resumed; \
                 start over with --fresh, or choose another --out"
            ),
            Some(name) => format!("there is no column '{name}'; was it written by another version?"),
            None => "its columns are in another order; was it written by another version?".to_owned(),
        }));
    }
    let versioned = columns[0] == "schema_version";
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(bad)? {
        if versioned && record.get(0) != Some(VERSION) {
            let (line, found) = (record.position().map_or(0, csv::Position::line), record.get(0));
            let found: String = found.unwrap_or("").chars().take(20).collect();
            let reason = format!("line {line}: schema version '{found}' instead of {VERSION}");
            return Err(refuse(format!("{reason}: written by another version")));
        }
        row(record.deserialize(Some(&found)).map_err(bad)?)?;
    }
    Ok(found.iter().filter_map(|name| name.strip_prefix(FACTOR)).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::disk::faulty::Faulty;
    use crate::record::{CrosscheckRow, LevelRow, NodesRow, Row, TimingsRow};
    use crate::solver::Goal;

    fn row(run_id: &str) -> Row {
        let row = Row::skipped(run_id.into(), "c".into(), 8, Goal::Count, "backtrack/bitmask".into());
        Row { solutions: Some(92), error: Some("a, \"quoted\" error".into()), ..row }
    }

    /// The columns that serde writes for a row. They must equal the columns that the table declares.
    fn serde_names<T: Table>(example: &T) -> Vec<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(example).expect("plain row");
        let text = String::from_utf8(writer.into_inner().expect("in memory")).expect("ASCII");
        text.lines().next().expect("header").split(',').map(str::to_owned).collect()
    }

    #[test]
    fn declared_columns_are_the_fields_in_order() {
        assert_eq!(serde_names(&row("r")), Row::columns());
        assert_eq!(serde_names(&LevelRow::default()), LevelRow::columns());
        assert_eq!(serde_names(&CrosscheckRow::default()), CrosscheckRow::columns());
        assert_eq!(serde_names(&TimingsRow::default()), TimingsRow::columns());
        assert_eq!(serde_names(&NodesRow::default()), NodesRow::columns());
    }

    #[test]
    fn rows_are_read_as_they_were_written() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let (mut log, rows) = Log::<Row>::open(directory.path()).expect("new table");
        assert_eq!(rows, []);
        log.append(&[row("a"), row("b")]).expect("write");
        let (_, rows) = Log::<Row>::open(directory.path()).expect("read");
        assert_eq!(rows, [row("a"), row("b")]);
        assert_eq!(read::<Row>(directory.path()).expect("read"), rows);
    }

    #[test]
    fn factors_of_programs_have_columns_behind_all_others() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let of = |run_id: &str, options: &str| Row {
            solver: "program/mine".into(),
            options: Some(options.into()),
            ..row(run_id)
        };
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
        let (mut log, _) = Log::<Row>::open_with(directory.path(), names(&["h"])).expect("new table");
        let plain = Row { options: Some("items=natural".into()), ..row("a") };
        log.append(&[plain.clone(), of("b", "h=0.5")]).expect("write");
        let text = || std::fs::read_to_string(directory.path().join(Row::FILE)).expect("read");
        let ends =
            || text().lines().map(|line| line.rsplit(',').next().map(str::to_owned)).collect::<Vec<_>>();
        assert_eq!(ends(), ["factor.h", "", "0.5"].map(|end| Some(end.to_owned())));
        assert_eq!(text().into_bytes(), format(&[plain.clone(), of("b", "h=0.5")]).expect("in memory"));
        drop(log);
        // Another factor is added to the plan: the rows that are there get its column, too.
        let (mut log, rows) = Log::<Row>::open_with(directory.path(), names(&["k"])).expect("written anew");
        assert_eq!(rows, [plain, of("b", "h=0.5")]);
        log.append(&[of("c", "k=2")]).expect("write");
        assert!(text().starts_with(&(Row::columns().join(",") + ",factor.h,factor.k\n")));
        assert_eq!(ends()[3].as_deref(), Some("2"));
        assert_eq!(Log::<Row>::open(directory.path()).expect("opened").1.len(), 3);
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_the_log_continues() {
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
    fn a_row_torn_within_a_quoted_line_break_is_cut_off_and_no_other_row_is() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join(Row::FILE);
        let text = String::from_utf8(format(&[row("a"), row("b")]).expect("in memory")).expect("ASCII");
        // As versions wrote it that did not escape line breaks.
        let broken = text.replace("a, \"\"quoted\"\" error", "a,\nquoted\r\n\nerror");
        let (kept, torn) = broken.rsplit_once("1,b,").expect("the second row");
        for end in 0..torn.len() {
            std::fs::write(&path, format!("{kept}1,b,{}", &torn[..end])).expect("write");
            let mut rows = Vec::new();
            let is_torn = for_each_complete(directory.path(), |row: Row| {
                rows.push(row);
                Ok(())
            });
            assert!(is_torn.expect("read") && rows.len() == 1, "{end}");
            let (mut log, rows) =
                Log::<Row>::open(directory.path()).unwrap_or_else(|error| panic!("{end}: {error}"));
            assert_eq!(rows.len(), 1, "{end}");
            assert_eq!(std::fs::read_to_string(&path).expect("read"), kept);
            log.append(&[row("b")]).expect("write");
        }
        // A quote that a disk made of something else must not cost the rows behind it.
        let plain = |run_id| Row { error: None, ..row(run_id) };
        let text = String::from_utf8(format(&[plain("a"), plain("b")]).expect("in memory")).expect("ASCII");
        let stray = text.replace("1,a,", "1,\"a,");
        std::fs::write(&path, &stray).expect("write");
        let error = Log::<Row>::open(directory.path()).err().expect("refused").to_string();
        assert!(error.ends_with("runs.csv: line 2: a quote is not closed"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), stray);
    }

    #[test]
    fn line_breaks_in_fields_are_escaped() {
        let broken = Row { error: Some("two\nlines, \"quoted\"\r\n".into()), ..row("a") };
        let text = String::from_utf8(format(&[broken.clone(), row("b")]).expect("in memory")).expect("ASCII");
        assert_eq!(text.lines().count(), 3, "{text}");
        let read: Vec<Row> = parse(Path::new("runs.csv"), text.as_bytes()).expect("a table");
        assert_eq!(read[0].error.as_deref(), Some("two\\nlines, \"quoted\"\\r\\n"));
        assert_eq!(read[1], row("b"));
    }

    #[test]
    fn rows_are_not_appended_where_they_would_not_fit() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join(Row::FILE);
        let text = String::from_utf8(format(&[row("a")]).expect("in memory")).expect("ASCII");
        let newer: String =
            text.lines().zip(["mood", "good"]).map(|(line, field)| format!("{line},{field}\n")).collect();
        std::fs::write(&path, &newer).expect("write");
        assert_eq!(read::<Row>(directory.path()).expect("it can be read"), [row("a")]);
        let error = Log::<Row>::open(directory.path()).err().expect("refused").to_string();
        assert!(error.contains("a newer queenlab wrote the column 'mood'"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), newer);
    }

    #[test]
    fn a_table_that_was_changed_since_the_last_row_is_not_written_to() {
        type Change = (&'static str, fn(&Path));
        let changes: [Change; 5] = [
            ("it was deleted", |path| std::fs::remove_file(path).expect("removed")),
            ("another file took its place", |path| {
                // As an editor saves it.
                let copy = path.with_extension("swp");
                std::fs::copy(path, &copy).and_then(|_| std::fs::rename(&copy, path)).expect("replaced");
            }),
            ("bytes instead of", |path| std::fs::write(path, "").expect("truncated")),
            ("bytes instead of", |path| {
                let text = std::fs::read_to_string(path).expect("read");
                std::fs::write(path, text + "x").expect("written");
            }),
            ("another file took its place", |path| {
                std::fs::remove_file(path).and_then(|()| std::fs::create_dir(path)).expect("replaced");
            }),
        ];
        for (expected, change) in changes {
            let directory = tempfile::tempdir().expect("temporary directory");
            let path = directory.path().join(Row::FILE);
            let (mut log, _) = Log::<Row>::open(directory.path()).expect("new table");
            log.append(&[row("a")]).and_then(|()| log.sync()).expect("written");
            change(&path);
            let before = std::fs::read(&path).ok();
            for error in [log.append(&[row("b")]), log.sync()] {
                let error = error.expect_err("changed").to_string();
                assert!(error.contains(expected) && error.contains("while the sweep was running"), "{error}");
            }
            assert_eq!(std::fs::read(&path).ok(), before);
        }
    }

    #[test]
    fn a_full_disk_is_an_error_at_every_byte_and_leaves_whole_rows() {
        let intact = tempfile::tempdir().expect("temporary directory");
        let (mut log, _) = Log::<Row>::open(intact.path()).expect("new table");
        log.append(&[row("a")]).and_then(|()| log.append(&[row("b"), row("c")])).expect("write");
        let whole = std::fs::read(intact.path().join(Row::FILE)).expect("read");
        let ends: Vec<usize> = (1..=whole.len()).filter(|&end| whole[end - 1] == b'\n').collect();
        // After the header, after a, after b and c: those two are written at once.
        let ends = [0, ends[0], ends[1], ends[3]];
        for room in 0..whole.len() {
            let directory = tempfile::tempdir().expect("temporary directory");
            let path = directory.path().join(Row::FILE);
            let written =
                Log::<Row>::open_on(Box::new(Faulty::with_room(room)), directory.path(), BTreeSet::new())
                    .and_then(|(mut log, _)| log.append(&[row("a")]).map(|()| log))
                    .and_then(|mut log| log.append(&[row("b"), row("c")]));
            let error = written.expect_err("there is no room").to_string();
            assert!(error.starts_with(&path.display().to_string()), "{error}");
            let kept = ends.into_iter().rev().find(|&end| end <= room).expect("0");
            assert_eq!(std::fs::read(&path).expect("read"), &whole[..kept], "room for {room}");
            // There is room again: the rows that are missing complete the file.
            let (mut log, rows) = Log::<Row>::open(directory.path()).expect("goes on");
            let missing = [&[row("a")][..], &[row("b"), row("c")]].concat().split_off(rows.len());
            log.append(&missing).expect("write");
            assert_eq!(std::fs::read(&path).expect("read"), whole);
        }
    }

    #[test]
    fn a_disk_that_cannot_sync_is_an_error_that_names_the_file() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let disk = Faulty { syncs: false, ..Faulty::with_room(usize::MAX) };
        let (mut log, _) =
            Log::<Row>::open_on(Box::new(disk), directory.path(), BTreeSet::new()).expect("new table");
        log.append(&[row("a")]).expect("write");
        let error = log.sync().expect_err("it cannot").to_string();
        assert!(error.contains("runs.csv: input/output error"), "{error}");
        assert_eq!(read::<Row>(directory.path()).expect("read"), [row("a")]);
    }

    #[test]
    fn a_table_of_an_older_version_is_read_but_not_resumed() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let (mut log, _) = Log::<Row>::open(directory.path()).expect("new table");
        log.append(&[Row { jobs: None, ..row("a") }]).expect("write");
        let path = directory.path().join(Row::FILE);
        let text = std::fs::read_to_string(&path).expect("read");
        // Without `jobs` and the columns behind it.
        let place = Row::columns().iter().position(|column| *column == "jobs").expect("a column");
        let later = Row::columns().len() - place;
        let cut = |line: &str| line.rsplitn(later + 1, ',').last().expect("columns").to_owned() + "\n";
        let older: String = text.lines().map(cut).collect();
        assert!(older.starts_with("schema_version,") && !older.contains(",jobs"));
        std::fs::write(&path, &older).expect("write");
        assert_eq!(read::<Row>(directory.path()).expect("read"), [row("a")]);
        let error = Log::<Row>::open(directory.path()).err().expect("refused").to_string();
        assert!(error.contains("no column 'jobs': an older queenlab made this table"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), older);
    }

    #[test]
    fn a_row_of_another_schema_version_is_refused() {
        assert_eq!(VERSION, crate::record::SCHEMA_VERSION.to_string());
        let directory = tempfile::tempdir().expect("temporary directory");
        let (mut log, _) = Log::<Row>::open(directory.path()).expect("new table");
        log.append(&[row("a"), Row { schema_version: 2, ..row("b") }]).expect("write");
        let error = read::<Row>(directory.path()).expect_err("another version").to_string();
        assert!(error.contains("line 3: schema version '2' instead of 1: written by another"), "{error}");
    }

    #[test]
    fn a_table_without_a_column_is_refused_by_name() {
        let directory = tempfile::tempdir().expect("temporary directory");
        std::fs::write(directory.path().join("runs.csv"), "schema_version,run_id\n1,x\n").expect("write");
        let error = read::<Row>(directory.path()).expect_err("incomplete");
        assert!(error.to_string().contains("no column 'cell_id'"), "{error}");
    }

    #[test]
    fn a_field_of_many_megabytes_is_refused_with_its_line() {
        let whole = String::from_utf8(format(&[row("a")]).expect("in memory")).expect("ASCII");
        let path = Path::new("runs.csv");
        assert_eq!(parse::<Row>(path, whole.as_bytes()).expect("a table"), [row("a")]);
        let long = whole.replace("backtrack", &"b".repeat(32 << 20));
        let error = parse::<Row>(path, long.as_bytes()).expect_err("too long").to_string();
        assert_eq!(error, "runs.csv: line 2 is longer than 1 MiB, so this is not a table of queenlab");
    }
}
