//! The tables of a result directory and its meta.json. Rows that were read must be written with one line per row, and the written
//! rows must be read again. A reader changes no file, and a log changes only a torn last row.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

use queenlab::record::table::{self, ParsedTable, columns, format, parse};
use queenlab::record::{CrosscheckRow, LevelRow, Log, Meta, NodesRow, RecordError, Row, Table, TimingsRow};

pub fn check(bytes: &[u8]) {
    table::<Row>(bytes);
    table::<LevelRow>(bytes);
    table::<CrosscheckRow>(bytes);
    table::<TimingsRow>(bytes);
    table::<NodesRow>(bytes);
    meta(bytes);
}

fn table<T: Table + PartialEq + Debug>(bytes: &[u8]) {
    let path = Path::new(T::FILE);
    match parse::<T>(path, bytes) {
        Ok(ParsedTable { rows, .. }) => {
            let written_text = format(&rows);
            let parsed_rows = parse::<T>(path, &written_text).expect("written rows").rows;
            assert_eq!(format(&parsed_rows), written_text);
            assert_eq!(parsed_rows, rows);
            let text = String::from_utf8(written_text).expect("UTF-8");
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        }
        Err(error) => assert_names_file(&error, T::FILE),
    }
    log::<T>(bytes);
}

/// Opens a file with these bytes as a table that a sweep appends to.
fn log<T: Table>(bytes: &[u8]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let file = directory.join(T::FILE);
    let content = || std::fs::read(&file).expect("the table");
    std::fs::write(&file, bytes).expect("a writable directory");
    let read_result = table::read::<T>(directory);
    let all_columns = columns::<T>(&BTreeSet::new(), |_| true);
    assert_eq!(content(), bytes, "a reader changed what it read");
    match Log::<T>::open(directory, &all_columns)
        .and_then(|(log, rows)| Ok((log.with_columns(&rows, &all_columns)?, rows)))
    {
        Err(error) => {
            assert!(error.to_string().contains(T::FILE), "{error}");
            assert_eq!(content(), bytes, "a refused file was changed");
        }
        Ok((_, rows)) => {
            let complete_rows = content();
            assert!(complete_rows.ends_with(b"\n"));
            let (_, reopened_rows) = Log::<T>::open(directory, &all_columns).expect("the repaired table");
            assert_eq!((reopened_rows.len(), content()), (rows.len(), complete_rows));
            if bytes.contains(&b'\n') {
                assert_eq!(read_result.expect("the log could read it").0.len(), rows.len());
            }
        }
    }
}

fn meta(bytes: &[u8]) {
    let path = Path::new("meta.json");
    match Meta::parse(path, bytes) {
        Ok(meta) => {
            let written_text = meta.to_json();
            let parsed = Meta::parse(path, written_text.as_bytes()).expect("what was written");
            assert_eq!(parsed, meta);
        }
        Err(error) => assert_names_file(&error, "meta.json"),
    }
}

/// Asserts that an error names the file and has a reason.
fn assert_names_file(error: &RecordError, file: &str) {
    let RecordError::Table { path, reason } = error else { panic!("{error}") };
    assert!(path.as_os_str() == file && !reason.is_empty(), "{error}");
}
