//! A result directory that is only read: by reports, comparisons, exports. It may be somebody else's, may
//! have been cut off in the middle of a line, and may hold any bytes: all of it is data, nothing in it is a
//! path or a command. Only regular files up to [`LARGEST`] are read.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value;

use super::{CrosscheckRow, Meta, RecordError, Row, Table, is_foreign, table};
use crate::board::BoardSize;

/// Larger files are refused: 10,000 runs take about 4 MB.
const LARGEST: u64 = 1 << 30;

/// What a result directory holds.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    /// Every run.
    pub rows: Vec<Row>,
    /// Every comparison; none where the table is missing.
    pub crosscheck: Vec<CrosscheckRow>,
    /// What it was made with, if that is known.
    pub meta: Option<Meta>,
    /// What a reader should be told.
    pub remarks: Vec<String>,
}

impl Stored {
    /// Reads a result directory.
    pub fn read(directory: &Path) -> Result<Self, RecordError> {
        let mut remarks = Vec::new();
        if !directory.is_dir() {
            let error = io::Error::new(io::ErrorKind::NotFound, "there is no such result directory");
            return Err(RecordError::io(directory, error));
        }
        let runs = directory.join(Row::FILE);
        if !runs.exists() {
            let reason = "there is none: is this the directory of a sweep (--out)?".to_owned();
            return Err(RecordError::Table { path: runs, reason });
        }
        let rows: Vec<Row> = whole(directory, &mut remarks)?;
        for (line, row) in (2..).zip(&rows) {
            if row.n > BoardSize::MAX {
                let reason =
                    format!("run {}: n = {} exceeds the largest board ({})", line - 1, row.n, BoardSize::MAX);
                return Err(RecordError::Table { path: runs, reason });
            }
        }
        if rows.is_empty() {
            remarks.push(format!("{}: there is no run in it", runs.display()));
        }
        let has_crosscheck = directory.join(CrosscheckRow::FILE).exists();
        let crosscheck = if has_crosscheck { whole(directory, &mut remarks)? } else { Vec::new() };
        let meta = Meta::read(directory)?;
        if meta.is_none() {
            remarks.push(format!(
                "{}: there is no meta.json: machine, plan and command are unknown",
                directory.display()
            ));
        }
        let rows = match &meta {
            Some(meta) => without_replaced(rows, &meta.plan),
            None => rows,
        };
        Ok(Self { rows, crosscheck, meta, remarks })
    }
}

/// Leaves out the runs of a foreign program that another one has replaced since (`sweep --accept`): the plan has
/// cells of that program at that size, but not theirs.
pub fn without_replaced(mut rows: Vec<Row>, plan: &Value) -> Vec<Row> {
    let cells = plan.get("cells").and_then(Value::as_array).into_iter().flatten();
    let mut ids: HashSet<&str> = HashSet::new();
    let mut sizes: HashSet<(&str, u64)> = HashSet::new();
    for cell in cells {
        ids.extend(cell.get("id").and_then(Value::as_str));
        sizes.extend(cell.get("solver").and_then(Value::as_str).zip(cell.get("n").and_then(Value::as_u64)));
    }
    rows.retain(|row| {
        !is_foreign(&row.solver)
            || ids.contains(row.cell_id.as_str())
            || !sizes.contains(&(row.solver.as_str(), row.n as u64))
    });
    rows
}

/// A table without a torn last line, which a process that was killed left behind.
fn whole<T: Table>(directory: &Path, remarks: &mut Vec<String>) -> Result<Vec<T>, RecordError> {
    let path = directory.join(T::FILE);
    let text = bytes(&path)?;
    let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if end == 0 && !text.is_empty() {
        return Err(RecordError::Table { path, reason: "it ends within its first line".to_owned() });
    }
    if end < text.len() {
        remarks.push(format!("{}: its last line is not complete and is left out", path.display()));
    }
    if end == 0 { Ok(Vec::new()) } else { table::parse(&path, &text[..end]) }
}

/// The content of a regular file of a reasonable size: not that of a pipe or a device, which may have no end.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, RecordError> {
    let fail = |error| RecordError::io(path, error);
    let about = std::fs::metadata(path).map_err(fail)?;
    if !about.is_file() {
        return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, "this is not a regular file")));
    }
    let too_large = || {
        let reason = format!("more than {} MiB: this is no table of a sweep", LARGEST >> 20);
        fail(io::Error::new(io::ErrorKind::InvalidData, reason))
    };
    if about.len() > LARGEST {
        return Err(too_large());
    }
    let mut text = Vec::new();
    File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut text)).map_err(fail)?;
    if text.len() as u64 > LARGEST { Err(too_large()) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SCHEMA_VERSION;
    use crate::solver::Goal;
    use proptest::prelude::*;

    fn directory() -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("temporary directory");
        let row = |run: &str| Row::skipped(run.into(), "c".into(), 8, Goal::Count, "s".into());
        table::write(directory.path(), &[row("a"), row("b")]).expect("written");
        directory
    }

    fn refused(directory: &Path) -> String {
        Stored::read(directory).expect_err("bad").to_string()
    }

    fn runs(directory: &Path) -> String {
        std::fs::read_to_string(directory.join("runs.csv")).expect("runs")
    }

    #[test]
    fn a_torn_last_line_is_left_out_and_told_and_the_file_stays_as_it_is() {
        let directory = directory();
        let text = runs(directory.path());
        let torn = &text[..text.len() - 3];
        std::fs::write(directory.path().join("runs.csv"), torn).expect("torn");
        let stored = Stored::read(directory.path()).expect("read");
        assert_eq!(stored.rows.len(), 1);
        assert!(stored.remarks[0].contains("last line is not complete"), "{:?}", stored.remarks);
        assert_eq!(runs(directory.path()), torn);
    }

    #[test]
    fn what_is_missing_empty_or_of_another_version_is_said() {
        let empty = tempfile::tempdir().expect("temporary directory");
        assert!(refused(empty.path()).contains("runs.csv: there is none"));
        assert!(refused(&empty.path().join("nowhere")).contains("no such result directory"));
        std::fs::write(empty.path().join("runs.csv"), "").expect("write");
        let stored = Stored::read(empty.path()).expect("an empty table");
        assert!(stored.remarks[0].contains("no run in it"), "{:?}", stored.remarks);
        std::fs::write(empty.path().join("runs.csv"), "schema_ver").expect("write");
        assert!(refused(empty.path()).contains("ends within its first line"));
        let directory = directory();
        let next = SCHEMA_VERSION + 1;
        let text = runs(directory.path()).replace("\n1,a", &format!("\n{next},a"));
        std::fs::write(directory.path().join("runs.csv"), text).expect("write");
        assert!(
            refused(directory.path()).contains(&format!("schema version '{next}'")),
            "{}",
            refused(directory.path())
        );
    }

    #[test]
    fn a_size_that_is_no_board_is_refused() {
        let directory = directory();
        let text = runs(directory.path()).replace(",8,queens", ",99999999999,queens");
        std::fs::write(directory.path().join("runs.csv"), text).expect("write");
        assert!(
            refused(directory.path()).contains("run 1: n = 99999999999 exceeds"),
            "{}",
            refused(directory.path())
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_not_read() {
        let directory = tempfile::tempdir().expect("temporary directory");
        std::os::unix::fs::symlink("/dev/zero", directory.path().join("runs.csv")).expect("link");
        assert!(refused(directory.path()).contains("not a regular file"));
    }

    proptest! {
        #[test]
        fn whatever_bytes_there_are_they_are_read_or_refused(
            table in prop::collection::vec(any::<u8>(), 0..300),
            meta in prop::collection::vec(any::<u8>(), 0..100),
            header in any::<bool>(),
        ) {
            let directory = tempfile::tempdir().expect("temporary directory");
            let head = if header { Row::COLUMNS.join(",") + "\n" } else { String::new() };
            let text = [head.as_bytes(), &table].concat();
            std::fs::write(directory.path().join("runs.csv"), text).expect("write");
            std::fs::write(directory.path().join("meta.json"), meta).expect("write");
            let _ = Stored::read(directory.path());
        }
    }
}
