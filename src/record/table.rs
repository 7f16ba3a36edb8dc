//! CSV tables: one header line, then one line per row, with LF line ends. An empty field is a value that was not measured. Columns
//! are identified by name. Only this file uses the crate `csv`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::str::FromStr;

use plaintext::{Escaped, is_plain, one_line};
use runlab::log::complete_length;

use super::{RecordError, SCHEMA_VERSION, bytes};
use crate::model::{
    ClaimVerdict, ComparedWith, Disturbed, Kind, MAX_NAME_BYTES, ProblemRef, ProblemRefError, ProgramColumn,
    SolverError, SolverRef, Stated, Status, Verdict, is_name,
};
use crate::solver::{Goal, Stat};

/// A row type with its file and its columns.
pub trait Table: Default {
    /// Name of the file in a result directory.
    const FILE: &'static str;
    /// Whether the rows have statistics. Their columns are between those of [`Table::HEAD`] and [`Table::TAIL`].
    const STATISTICS: bool = false;
    /// The columns before statistics and factors.
    const HEAD: &'static [Column];
    /// The columns after statistics and factors.
    const TAIL: &'static [Column];

    /// The text of a column; empty if it has no value or does not exist.
    fn get(&self, column: &str) -> String;

    /// Returns a function that sets the field of a column from its text. For unknown columns, the function does nothing.
    fn setter(column: &str) -> Setter<Self>;

    /// The columns that only some tables have, with their values: factors of programs, and statistics that programs printed.
    fn extra_values(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
}

/// A function that sets a field of a row from its text.
pub type Setter<T> = Box<dyn Fn(&mut T, &str) -> Result<(), FieldError>>;

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name in the header line.
    pub name: &'static str,
    /// Whether the values may be empty and the column may be missing.
    pub is_optional: bool,
    /// Whether the values are numbers or booleans.
    pub is_number_or_boolean: bool,
}

impl Column {
    /// The column of a field.
    pub const fn of<T: Field>(name: &'static str) -> Self {
        Self { name, is_optional: T::OPTIONAL, is_number_or_boolean: T::IS_NUMBER_OR_BOOLEAN }
    }
}

/// Why a text is not a value of a column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The text is not a value of the type of the column.
    #[error("'{}' is {reason}", Escaped(text))]
    Invalid {
        /// The text.
        text: String,
        /// Why the text is invalid: `not a whole number`.
        reason: String,
    },
    /// The text does not describe a problem.
    #[error("'{}': {}", Escaped(.0), .1)]
    Problem(String, ProblemRefError),
    /// The text is not a solver.
    #[error("'{}': {}", Escaped(.0), .1)]
    Solver(String, SolverError),
}

/// A value of a column.
pub trait Field: Sized {
    /// Whether the value may be empty.
    const OPTIONAL: bool = false;
    /// Whether the value is a number or a boolean.
    const IS_NUMBER_OR_BOOLEAN: bool = false;
    /// Prints the value.
    fn write(&self) -> String;
    /// Parses the value.
    ///
    /// # Errors
    ///
    /// The text is not a value of this type.
    fn read(text: &str) -> Result<Self, FieldError>;
}

impl<T: Field> Field for Option<T> {
    const OPTIONAL: bool = true;
    const IS_NUMBER_OR_BOOLEAN: bool = T::IS_NUMBER_OR_BOOLEAN;

    fn write(&self) -> String {
        self.as_ref().map_or(String::new(), T::write)
    }

    fn read(text: &str) -> Result<Self, FieldError> {
        if text.is_empty() { Ok(None) } else { T::read(text).map(Some) }
    }
}

/// Implements [`Field`] with `Display`. The arguments are [`Field::IS_NUMBER_OR_BOOLEAN`], the parser, and the message for invalid
/// texts.
macro_rules! fields {
    ($($type:ty: $is_number_or_boolean:literal, $read:expr, $reason:expr;)+) => {
        $(impl Field for $type {
            const IS_NUMBER_OR_BOOLEAN: bool = $is_number_or_boolean;

            fn write(&self) -> String {
                self.to_string()
            }

            fn read(text: &str) -> Result<Self, FieldError> {
                $read(text).ok_or_else(|| FieldError::Invalid { text: text.to_owned(), reason: $reason.into() })
            }
        })+
    };
}
fields! {
    u32: true, parse_value, "not a whole number";
    u64: true, parse_value, "not a whole number";
    usize: true, parse_value, "not a whole number";
    i32: true, parse_value, "not a whole number";
    bool: true, parse_value, "not true or false";
    String: false, parse_value, "not a text";
    Goal: false, Goal::named, "not a goal";
    Kind: false, Kind::named, none_of_message(Kind::WORDS);
    Status: false, Status::named, none_of_message(Status::WORDS);
    Verdict: false, Verdict::named, none_of_message(Verdict::WORDS);
    Disturbed: false, Disturbed::named, none_of_message(Disturbed::WORDS);
    ClaimVerdict: false, ClaimVerdict::named, none_of_message(ClaimVerdict::WORDS);
    Stated: false, Stated::named, none_of_message(Stated::WORDS);
}

/// Implements [`Field`] with `Display` and `FromStr` for types with their own errors.
macro_rules! model_fields {
    ($($type:ty: $error:path;)+) => {
        $(impl Field for $type {
            fn write(&self) -> String {
                self.to_string()
            }

            fn read(text: &str) -> Result<Self, FieldError> {
                text.parse().map_err(|error| $error(text.to_owned(), error))
            }
        })+
    };
}
model_fields! {
    ProblemRef: FieldError::Problem;
    SolverRef: FieldError::Solver;
    ComparedWith: FieldError::Solver;
}

fn parse_value<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn none_of_message(words: &[&str]) -> String {
    format!("none of {}", words.join(", "))
}

/// Declares the row type of a table: the file, and the columns with their types. `..STATS` stands for the columns of
/// statistics.
macro_rules! table {
    ($(#[$meta:meta])* $row:ident in $file:literal {
        $($head:ident: $head_type:ty,)* $(..$stats:ident, $($tail:ident: $tail_type:ty,)*)?
    } $($more:item)*) => {
        $(#[$meta])*
        #[expect(missing_docs, reason = "docs/FORMATS.md defines each column")]
        pub struct $row {
            $(pub $head: $head_type,)*
            $(pub $stats: crate::solver::Statistics, pub program_stats: BTreeMap<String, u64>, $(pub $tail: $tail_type,)*)?
        }

        impl crate::record::Table for $row {
            const FILE: &'static str = $file;
            $(const STATISTICS: bool = stringify!($stats).len() > 0;)?
            const HEAD: &'static [Column] = &[
                $(Column::of::<$head_type>(stringify!($head)),)*
            ];
            const TAIL: &'static [Column] = &[
                $($(Column::of::<$tail_type>(stringify!($tail)),)*)?
            ];

            fn get(&self, column: &str) -> String {
                match column {
                    $(stringify!($head) => self.$head.write(),)*
                    $($(stringify!($tail) => self.$tail.write(),)*)?
                    _ => {
                        $(if let Some(value) = Stat::named(column).and_then(|stat| self.$stats.get(stat)) {
                            return value.to_string();
                        })?
                        String::new()
                    }
                }
            }

            fn setter(column: &str) -> crate::record::table::Setter<Self> {
                match column {
                    $(stringify!($head) => Box::new(|row, text| {
                        row.$head = Field::read(text)?;
                        Ok(())
                    }),)*
                    $($(stringify!($tail) => Box::new(|row, text| {
                        row.$tail = Field::read(text)?;
                        Ok(())
                    }),)*)?
                    _ => {
                        $(if let Some(stat) = Stat::named(column) {
                            return Box::new(move |row, text| {
                                row.$stats.set(stat, Option::<u64>::read(text)?);
                                Ok(())
                            });
                        }
                        if let Some(ProgramColumn::Statistic(name)) = ProgramColumn::of(column) {
                            let name = name.to_owned();
                            return Box::new(move |row, text| {
                                row.program_stats.extend(Option::<u64>::read(text)?.map(|value| (name.clone(), value)));
                                Ok(())
                            });
                        })?
                        Box::new(|_, _| Ok(()))
                    }
                }
            }

            $($more)*
        }
    };
}
pub(super) use table;

/// The columns of a table of these rows: the required columns, and the optional columns in which some row has a value.
pub fn columns_of<T: Table>(rows: &[T]) -> Vec<String> {
    let is_filled = |name: &str| rows.iter().any(|row| !row.get(name).is_empty());
    columns::<T>(&extra_columns(rows), |name| is_filled(name))
}

/// The names of the extra columns of these rows, see [`Table::extra_values`].
pub(super) fn extra_columns<T: Table>(rows: &[T]) -> BTreeSet<String> {
    rows.iter().flat_map(|row| row.extra_values().into_keys()).collect()
}

/// The columns of a table: the required ones, the optional ones for which `is_wanted` is true, and the `extra` ones.
pub fn columns<T: Table>(extra: &BTreeSet<String>, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let fixed_columns = |columns: &'static [Column]| {
        columns
            .iter()
            .filter(|column| !column.is_optional || is_wanted(column.name))
            .map(|column| column.name)
    };
    let statistics = Stat::ALL.iter().map(|stat| stat.name()).filter(|name| T::STATISTICS && is_wanted(name));
    let columns_before_extra = fixed_columns(T::HEAD).chain(statistics).map(str::to_owned);
    columns_before_extra
        .chain(extra.iter().cloned())
        .chain(fixed_columns(T::TAIL).map(str::to_owned))
        .collect()
}

/// Replaces the table of a result directory: the new file is complete before it replaces the old one.
///
/// # Errors
///
/// The file cannot be written.
pub fn write<T: Table>(directory: &Path, rows: &[T]) -> Result<(), RecordError> {
    super::write_derived(&directory.join(T::FILE), &format(rows))
}

/// The text of a table.
pub fn format<T: Table>(rows: &[T]) -> Vec<u8> {
    let columns = columns_of(rows);
    [line(columns.iter().cloned()), lines(rows, &columns)].concat()
}

/// The rows as JSON objects. The keys are the names of the columns; empty values are omitted.
pub fn json<T: Table>(rows: &[T]) -> serde_json::Value {
    let fixed_columns = || T::HEAD.iter().chain(T::TAIL);
    let is_number_or_boolean = |name: &str| {
        fixed_columns().find(|column| column.name == name).is_none_or(|column| column.is_number_or_boolean)
    };
    let value = |name: &str, text: String| match serde_json::from_str(&text) {
        Ok(value) if is_number_or_boolean(name) => value,
        _ => text.into(),
    };
    let columns = columns_of(rows);
    let object = |row: &T| {
        let values = columns.iter().map(|name| (name, value_of(row, name)));
        let values = values.filter(|(_, text)| !text.is_empty());
        serde_json::Value::Object(values.map(|(name, text)| (name.clone(), value(name, text))).collect())
    };
    rows.iter().map(object).collect()
}

/// The lines of these rows, without a header.
pub(super) fn lines<T: Table>(rows: &[T], columns: &[String]) -> Vec<u8> {
    csv_lines(rows.iter().map(|row| columns.iter().map(move |column| value_of(row, column))))
}

fn value_of<T: Table>(row: &T, column: &str) -> String {
    if ProgramColumn::of(column).is_some() {
        row.extra_values().remove(column).unwrap_or_default()
    } else {
        row.get(column)
    }
}

/// A table for spreadsheets. The rows are structs, and the columns are their fields. Texts are escaped, so that a spreadsheet
/// does not interpret them as formulas.
pub fn spreadsheet_csv(rows: impl IntoIterator<Item: serde::Serialize>) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(true).from_writer(Vec::new());
    rows.into_iter().for_each(|row| writer.serialize(row).expect("writing to memory"));
    let text = writer.into_inner().expect("writing to memory");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&text[..]);
    let lines = reader.records().map(|line| line.expect("what was written"));
    csv_lines(lines.map(|line| {
        line.iter().map(|text| plaintext::cell(text).into_owned()).collect::<Vec<_>>().into_iter()
    }))
}

/// A line of fields.
pub(super) fn line(fields: impl Iterator<Item = String>) -> Vec<u8> {
    csv_lines([fields])
}

/// Formats lines of fields. Unprintable characters and line ends within fields are escaped. Each row is therefore one line, and
/// an incomplete row is recognised by its missing line end.
fn csv_lines<F: Iterator<Item = String>>(lines: impl IntoIterator<Item = F>) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().buffer_capacity(1 << 10).from_writer(Vec::new());
    for fields in lines {
        writer.write_record(fields.map(|field| one_line(&field).into_owned())).expect("writing to memory");
    }
    writer.into_inner().expect("writing to memory")
}

/// Reads the table of a result directory. An incomplete last line, which a killed process leaves, is ignored. Returns the rows,
/// and whether there was such a line.
///
/// # Errors
///
/// The file cannot be read or is not a valid table; the error gives the line.
pub fn read<T: Table>(directory: &Path) -> Result<(Vec<T>, bool), RecordError> {
    let path = directory.join(T::FILE);
    let text = bytes(&path)?;
    let complete_bytes = complete_length(&text);
    if complete_bytes == 0 && !text.is_empty() {
        return Err(RecordError::table(&path, "it ends within its first line"));
    }
    Ok((parse(&path, &text[..complete_bytes])?.rows, complete_bytes < text.len()))
}

/// The content of a table.
#[derive(Debug)]
pub struct ParsedTable<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The columns in their order.
    pub columns: Vec<String>,
}

/// The maximum length of a line of a table, in bytes. Only damaged files, or files that are not tables, have longer lines.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Parses the text of a table; `path` is the name used in errors.
///
/// # Errors
///
/// A column is missing or repeated, the version is unknown, or a value is invalid; the error gives the line.
pub fn parse<T: Table>(path: &Path, text: &[u8]) -> Result<ParsedTable<T>, RecordError> {
    let parse_error = |reason: String| RecordError::table(path, reason);
    let text = decode_text(path, text)?;
    let text = text.as_bytes();
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        if line.len() > MAX_LINE_BYTES {
            let max_mib = MAX_LINE_BYTES >> 20;
            let reason =
                format!("line {number} is longer than {max_mib} MiB, so this is not a table of queenlab");
            return Err(parse_error(reason));
        }
        // An unclosed quote, for example in a damaged file, would hide the following rows.
        if line.iter().filter(|&&byte| byte == b'"').count() % 2 == 1 {
            return Err(parse_error(format!("line {number}: a quote is not closed")));
        }
    }
    let mut reader = csv::Reader::from_reader(text);
    let csv_error = |error: csv::Error| {
        parse_error(match error.kind() {
            csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
                let line = pos.as_ref().map_or(0, csv::Position::line);
                format!("line {line}: the number of fields is {len}, but the header line has {expected_len}")
            }
            _ => error.to_string(),
        })
    };
    let columns: Vec<String> = reader.headers().map_err(csv_error)?.iter().map(str::to_owned).collect();
    if let Some((_, repeated)) =
        columns.iter().enumerate().find(|(index, name)| columns[..*index].contains(name))
    {
        return Err(parse_error(format!("it has two columns '{}'", Escaped(repeated))));
    }
    if let Some(reason) = columns.iter().find_map(|name| fault_of_name(name)) {
        return Err(parse_error(reason));
    }
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    let required_columns = T::HEAD.iter().chain(T::TAIL).filter(|column| !column.is_optional);
    let missing_column =
        required_columns.map(|column| column.name).find(|name| columns.iter().all(|column| column != name));
    let has_other_separator = columns.len() == 1 && columns[0].contains([';', '\t']);
    let missing_column_error = missing_column.map(|name| match has_other_separator {
        true => "its fields are not separated by commas: if a spreadsheet saved the file, save it as CSV with commas".into(),
        false => format!("there is no column '{name}'; was it written by another version?"),
    });
    // The setters are looked up only once, because a lookup for each row would be slow.
    let setters: Vec<Setter<T>> = columns.iter().map(|column| T::setter(column)).collect();
    let version = columns.iter().position(|column| column == "schema_version");
    while reader.read_record(&mut record).map_err(csv_error)? {
        let error_in_line = |reason: String| {
            parse_error(format!("line {}: {reason}", record.position().map_or(0, csv::Position::line)))
        };
        let mut row = T::default();
        let is_record_plain = is_plain(record.as_slice());
        for (number, text) in record.iter().enumerate() {
            // A text that queenlab escaped stays unchanged. Line ends that another program wrote are escaped.
            let text = if is_record_plain { text.into() } else { one_line(text) };
            if version == Some(number) && text.parse() != Ok(SCHEMA_VERSION) {
                return Err(error_in_line(format!(
                    "schema version '{}': {OTHER_VERSION_ADVICE}",
                    Escaped(text)
                )));
            }
            let setter = &setters[number];
            setter(&mut row, &text)
                .map_err(|reason| error_in_line(format!("column {}: {reason}", Escaped(&columns[number]))))?;
        }
        if missing_column_error.is_some() {
            break;
        }
        rows.push(row);
    }
    missing_column_error.map_or(Ok(ParsedTable { rows, columns }), |reason| Err(parse_error(reason)))
}

/// Decodes the text of a file, without its byte order mark and with `\n` as line ends.
pub(super) fn decode_text<'t>(path: &Path, text: &'t [u8]) -> Result<Cow<'t, str>, RecordError> {
    plaintext::utf8(text).map_err(|error| RecordError::table(path, error.to_string()))
}

/// The reason why the name of a column is invalid; `None` if it is valid.
fn fault_of_name(column: &str) -> Option<String> {
    let name = ProgramColumn::of(column)?.name();
    let reason = format!("up to {MAX_NAME_BYTES} letters, digits, '-' and '_' follow the dot");
    (!is_name(name)).then(|| format!("'{}' is not the name of a column: {reason}", Escaped(column)))
}

/// The advice for results of another version.
pub(super) const OTHER_VERSION_ADVICE: &str = "this queenlab reads and writes version 3 only; read the directory with the version of \
    queenlab that wrote it, or run the experiment again with --fresh or another --out";

#[cfg(test)]
mod tests;
