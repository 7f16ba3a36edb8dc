//! The readers of a result directory survive any bytes: an error or rows, never a panic, and what
//! cannot be read is not touched.

use proptest::prelude::*;

use super::*;
use crate::solver::Goal;

/// A change of a valid text: some bytes from `at` on are replaced.
#[derive(Clone, Debug)]
struct Change {
    at: prop::sample::Index,
    removed: usize,
    put: Vec<u8>,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    // Bytes that mean something to CSV and JSON, and any others.
    let byte = prop_oneof![any::<u8>(), prop::sample::select(b",\"\n\r{}[]:-+.0189eE\\ \0".to_vec())];
    let change = (any::<prop::sample::Index>(), 0..40_usize, prop::collection::vec(byte, 0..12));
    prop::collection::vec(change.prop_map(|(at, removed, put)| Change { at, removed, put }), 0..4)
}

fn changed(mut text: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let at = change.at.index(text.len() + 1);
        let end = text.len().min(at + change.removed);
        text.splice(at..end, change.put.iter().copied());
    }
    text
}

/// A table with three rows, as it is written.
fn table_text<T: Table + Clone>(row: T) -> Vec<u8> {
    table::format(&[row.clone(), row.clone(), row]).expect("in memory")
}

fn meta_text() -> Vec<u8> {
    let meta = Meta {
        schema_version: SCHEMA_VERSION,
        plan: serde_json::json!({"repeat": 3, "cells": [{"id": "0123456789abcdef"}]}),
        plan_sha256: "ab".repeat(32),
        earlier_cells: vec![serde_json::json!({"id": "fedcba9876543210"})],
        order_seed: 1,
        queenlab_version: "0.1.0".to_owned(),
        git_revision: None,
        git_dirty: Some(true),
        executable_sha256: "cd".repeat(32),
        rustc: "rustc".to_owned(),
        target: "x86_64".to_owned(),
        target_features: "sse2".to_owned(),
        cargo_lock_sha256: None,
        solver_versions: [("a/b".to_owned(), "1".to_owned())].into(),
        machine: Machine {
            host: "h".to_owned(),
            os: "o".to_owned(),
            kernel: "k".to_owned(),
            cpu_model: "c".to_owned(),
            cores: 2,
            governor: None,
            turbo: Some(false),
            memory_bytes: Some(1 << 30),
        },
        sessions: Vec::new(),
        warnings: vec!["w".to_owned()],
    };
    serde_json::to_vec_pretty(&meta).expect("JSON")
}

/// Reads these bytes as a table, and appends to it if that is allowed.
fn survives<T: Table>(text: &[u8]) {
    let directory = tempfile::tempdir().expect("temporary directory");
    let path = directory.path().join(T::FILE);
    std::fs::write(&path, text).expect("write");
    let read = table::read::<T>(directory.path());
    let torn = table::for_each_complete(directory.path(), |_: T| Ok(())).is_ok_and(|torn| torn);
    assert_eq!(std::fs::read(&path).expect("read"), text, "a reader changed what it read");
    match Log::<T>::open(directory.path()) {
        Err(error) => {
            assert!(error.to_string().contains(T::FILE), "{error}");
            assert_eq!(std::fs::read(&path).expect("read"), text, "what is refused is left alone");
        }
        Ok((_, rows)) => {
            let kept = std::fs::read(&path).expect("read");
            assert!(kept.ends_with(b"\n"));
            let (_, again) = Log::<T>::open(directory.path()).expect("mended");
            assert_eq!(again.len(), rows.len());
            assert_eq!(std::fs::read(&path).expect("read"), kept);
            // Only a torn last row is removed.
            if text.ends_with(b"\n") && !torn {
                assert_eq!(read.expect("the log could read it").len(), rows.len());
            }
        }
    }
}

fn all_survive(text: &[u8]) {
    survives::<Row>(text);
    survives::<LevelRow>(text);
    survives::<CrosscheckRow>(text);
    survives::<TimingsRow>(text);
    survives::<NodesRow>(text);
}

fn row() -> Row {
    let row = Row::skipped("0.1".into(), "0".into(), 8, Goal::Enumerate, "backtrack/bitmask".into());
    Row { error: Some("a \"quoted\", torn\nline".into()), solve_ns: Some(1), ..row }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tables_of_any_bytes_are_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..400)) {
        all_survive(&text);
        // Behind the expected header, more of the bytes are parsed.
        let header = table_text(row());
        let header = header.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
        survives::<Row>(&[header, &text].concat());
    }

    #[test]
    fn changed_tables_are_read_or_refused(changes in changes()) {
        survives::<Row>(&changed(table_text(row()), &changes));
        let schema_version = SCHEMA_VERSION;
        let level = LevelRow { schema_version, ..LevelRow::default() };
        survives::<LevelRow>(&changed(table_text(level), &changes));
        let crosscheck = CrosscheckRow { schema_version, ..CrosscheckRow::default() };
        survives::<CrosscheckRow>(&changed(table_text(crosscheck), &changes));
        survives::<TimingsRow>(&changed(table_text(TimingsRow::default()), &changes));
        survives::<NodesRow>(&changed(table_text(NodesRow::default()), &changes));
    }

    #[test]
    fn meta_files_of_any_bytes_are_read_or_refused(
        any in prop::collection::vec(any::<u8>(), 0..200),
        changes in changes(),
    ) {
        for text in [any, changed(meta_text(), &changes)] {
            let directory = tempfile::tempdir().expect("temporary directory");
            std::fs::write(directory.path().join("meta.json"), &text).expect("write");
            if let Err(error) = Meta::read(directory.path()) {
                prop_assert!(error.to_string().contains("meta.json: "), "{error}");
            }
        }
    }
}

#[test]
fn the_unchanged_texts_are_valid() {
    let directory = tempfile::tempdir().expect("temporary directory");
    std::fs::write(directory.path().join("meta.json"), meta_text()).expect("write");
    assert!(Meta::read(directory.path()).is_ok_and(|meta| meta.is_some()));
    std::fs::write(directory.path().join(Row::FILE), table_text(row())).expect("write");
    // Line breaks are escaped.
    let read = Row { error: Some("a \"quoted\", torn\\nline".into()), ..row() };
    assert_eq!(table::read::<Row>(directory.path()).expect("read"), [read.clone(), read.clone(), read]);
}

/// Deeper than the stack of a recursive reader allows.
#[test]
fn deep_nesting_is_refused() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let deep = "[".repeat(1 << 20);
    std::fs::write(directory.path().join("meta.json"), deep).expect("write");
    assert!(Meta::read(directory.path()).is_err());
}
