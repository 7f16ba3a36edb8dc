//! CSV tables of plain structs: one header line, LF, empty for `None`. The home of crate csv.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::complete::{BLOCK, complete_lines};
use super::{LARGEST, RecordError, bytes};
use crate::files;

mod log;

pub use log::Log;

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
mod tests;
