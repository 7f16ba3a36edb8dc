//! A table to which rows are appended. [`runlab::log::LineLog`] writes the lines; this file adds the columns.

use std::marker::PhantomData;
use std::path::Path;

use runlab::log::{FileChange, LogError};

use super::RecordError;
use super::table::{ParsedTable, Table, columns_of, extra_columns, line, lines, parse};

/// A table to which rows are appended. Each row is written completely or not at all.
pub struct Log<T> {
    lines: runlab::log::LineLog,
    columns: Vec<String>,
    row: PhantomData<T>,
}

impl<T: Table> Log<T> {
    /// Opens the table of a result directory for appending and reads its rows. If the table does not exist, it is created with
    /// `columns`.
    ///
    /// # Errors
    ///
    /// The table cannot be read. In this case, it is not changed.
    pub fn open(directory: &Path, columns: &[String]) -> Result<(Self, Vec<T>), RecordError> {
        let path = directory.join(T::FILE);
        let parse_table = |text: &str| match text {
            "" => Ok(None),
            text => parse(&path, text.as_bytes()).map(Some),
        };
        let (mut lines, parsed) = runlab::log::LineLog::open(&path, parse_table)?;
        let ParsedTable { rows, columns } = match parsed {
            Some(parsed) => parsed,
            None => {
                lines.append(&line(columns.iter().cloned()))?;
                ParsedTable { rows: Vec::new(), columns: columns.to_vec() }
            }
        };
        Ok((Self { lines, columns, row: PhantomData }, rows))
    }

    /// The columns, in their order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Adds missing columns, which rewrites the table.
    ///
    /// # Errors
    ///
    /// The table cannot be written.
    pub fn with_columns(self, rows: &[T], columns: &[String]) -> Result<Self, RecordError> {
        if columns.iter().all(|name| self.columns.contains(name)) {
            return Ok(self);
        }
        let program_columns = columns_of(rows).into_iter().filter(|name| !columns.contains(name));
        let columns = columns.iter().cloned().chain(program_columns).collect();
        self.with_rows(rows, columns)
    }

    /// Replaces the rows of the table and its columns.
    ///
    /// # Errors
    ///
    /// The table cannot be written.
    pub fn with_rows(mut self, rows: &[T], columns: Vec<String>) -> Result<Self, RecordError> {
        self.lines.replace(&[line(columns.iter().cloned()), lines(rows, &columns)].concat())?;
        Ok(Self { columns, ..self })
    }

    /// Appends rows with a single write. If the rows have a statistic of a program without a column, the table is first
    /// rewritten with this column.
    ///
    /// # Errors
    ///
    /// Another program changed the table, or it cannot be written.
    pub fn append(&mut self, rows: &[T]) -> Result<(), RecordError> {
        let new_columns: Vec<String> =
            extra_columns(rows).into_iter().filter(|name| !self.columns.contains(name)).collect();
        if !new_columns.is_empty() {
            self.add_columns(&new_columns)?;
        }
        Ok(self.lines.append(&lines(rows, &self.columns))?)
    }

    /// Adds columns at the end of each line. The new columns are empty in the existing rows.
    fn add_columns(&mut self, new_columns: &[String]) -> Result<(), RecordError> {
        let text = self.lines.read()?;
        let (header, rows) = text.split_once('\n').unwrap_or((&text, ""));
        let mut new_text = format!("{header},{}\n", new_columns.join(","));
        for row in rows.lines() {
            new_text += row;
            new_text.extend(new_columns.iter().map(|_| ','));
            new_text.push('\n');
        }
        self.lines.replace(new_text.as_bytes())?;
        self.columns.extend_from_slice(new_columns);
        Ok(())
    }

    /// Flushes all rows to disk (fdatasync).
    ///
    /// # Errors
    ///
    /// Another program changed the table, or it cannot be written.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        Ok(self.lines.sync()?)
    }

    /// Checks the whole content of the table, and flushes it to disk.
    ///
    /// # Errors
    ///
    /// Another program changed the table, or it cannot be written.
    pub fn finish(&mut self) -> Result<(), RecordError> {
        Ok(self.lines.finish()?)
    }
}

impl From<LogError> for RecordError {
    fn from(error: LogError) -> Self {
        match error {
            LogError::Io { path, error } => Self::Io { path, error },
            LogError::NotText { path, reason } => Self::Table { path, reason },
            LogError::Edited(path) => {
                let advice = "run the sweep again with --fresh or another --out";
                let reason = format!(
                    "it was edited while the sweep was running, so its rows cannot be trusted; {advice}"
                );
                Self::Table { path, reason }
            }
            LogError::Lost { path, change } => lost_table_error(&path, change),
            error => Self::Io { path: Default::default(), error: std::io::Error::other(error) },
        }
    }
}

fn lost_table_error(path: &Path, change: FileChange) -> RecordError {
    let advice = "restore the file, or choose another --out, and run the command again";
    let reason = format!("{change} while the sweep was running, so later rows cannot be added; {advice}");
    RecordError::table(path, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Row, table};
    use crate::solver::Goal;

    fn row(time: u64) -> Row {
        Row { solve_ns: Some(time), ..Row::skipped("r", "c", 8, Goal::Count, "s") }
    }

    fn with_statistic(time: u64) -> Row {
        Row { program_stats: [("a".to_owned(), 1)].into(), ..row(time) }
    }

    /// A new table with a row.
    fn log(directory: &Path) -> Log<Row> {
        let columns = table::columns_of(&[row(1)]);
        let (mut log, _) = Log::open(directory, &columns).expect("a new table");
        log.append(&[row(1234)]).expect("appended");
        log
    }

    #[test]
    fn edited_table_gets_no_new_columns() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let mut log = log(directory.path());
        let path = directory.path().join(Row::FILE);
        let text = std::fs::read_to_string(&path).expect("the table").replace("1234", "1934");
        std::fs::write(&path, text).expect("written");
        let result = log.append(&[with_statistic(2)]);
        assert!(matches!(result, Err(RecordError::Table { .. })), "{result:?}");
    }

    #[test]
    fn statistic_that_first_occurs_later_adds_a_column() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let mut log = log(directory.path());
        log.append(&[with_statistic(2)]).expect("a wider table");
        log.append(&[row(3)]).and_then(|()| log.finish()).expect("appended");
        let rows = table::read::<Row>(directory.path()).expect("the table").0;
        assert_eq!(rows, [row(1234), with_statistic(2), row(3)]);
    }
}
