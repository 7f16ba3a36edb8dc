//! Kills the example `sorting` several times, and resumes it.

#![allow(clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Builds the example with the profile of this test, and returns the path of the executable.
fn build_example() -> PathBuf {
    let test_binary = std::env::current_exe().expect("this test");
    let profile = test_binary.ancestors().nth(2).expect("a directory of the profile");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--quiet", "--locked", "--offline"]);
    cargo.args(["--package", "runlab", "--example", "sorting", "--target-dir"]);
    cargo.arg(profile.parent().expect("a target directory"));
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    assert!(cargo.status().expect("cargo starts").success(), "{cargo:?}");
    profile.join("examples/sorting")
}

/// The rows in the complete lines of the results.
fn rows(directory: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(directory.join("runs.jsonl")).unwrap_or_default();
    let complete_lines = text.rsplit_once('\n').map_or("", |(lines, _)| lines);
    complete_lines.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

fn ids(rows: &[serde_json::Value]) -> BTreeSet<&str> {
    rows.iter().map(|row| row["run_id"].as_str().expect("an id")).collect()
}

#[test]
fn killed_example_resumes_with_the_same_runs() {
    let example = build_example();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let [uninterrupted_directory, killed_directory] =
        ["uninterrupted", "killed"].map(|name| directory.path().join(name));
    let output = Command::new(&example).arg(&uninterrupted_directory).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let expected_rows = rows(&uninterrupted_directory);
    assert_eq!((expected_rows.len(), ids(&expected_rows).len()), (9 * 21, 9 * 21));
    let mut kills = 0;
    for eighths in 1..=3 {
        let mut process =
            Command::new(&example).arg(&killed_directory).stdout(Stdio::null()).spawn().expect("it starts");
        while rows(&killed_directory).len() < expected_rows.len() * eighths / 8 {
            assert!(process.try_wait().expect("a child").is_none(), "it ended before it wrote all rows");
            std::thread::sleep(Duration::from_millis(2));
        }
        let status = process.kill().and_then(|()| process.wait()).expect("killed");
        kills += usize::from(status.signal() == Some(9));
    }
    assert!(kills > 0, "it always ended before it was killed");
    let rows_before = rows(&killed_directory);
    // Adds the beginning of a row, as if the example was killed during a write.
    let path = killed_directory.join("runs.jsonl");
    let torn_text = std::fs::read_to_string(&path).expect("rows") + "{\"run_id\":";
    std::fs::write(&path, torn_text).expect("written");
    let resumed_output = Command::new(&example).arg(&killed_directory).output().expect("it starts");
    assert!(resumed_output.status.success(), "{resumed_output:?}");
    let rows_after = rows(&killed_directory);
    assert_eq!(rows_after[..rows_before.len()], rows_before, "no row is lost");
    assert_eq!((rows_after.len(), ids(&rows_after)), (expected_rows.len(), ids(&expected_rows)));
    assert!(
        rows_after.iter().all(|row| row["status"] == "complete" && row["attempt"] == 1),
        "{rows_after:?}"
    );
}

#[test]
fn example_has_at_most_60_lines() {
    assert!(include_str!("../../examples/sorting.rs").lines().count() <= 60);
}
