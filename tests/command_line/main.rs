//! The program from outside: what it prints, what it writes, and the exit code that says how it went.

mod bad_input;
mod count;
mod encode;
#[cfg(target_os = "linux")]
mod ends;
#[cfg(target_os = "linux")]
mod full_disk;
#[cfg(target_os = "linux")]
mod kills;
mod lists;
mod measuring;
#[cfg(target_os = "linux")]
mod processes;
mod programs;
mod resume;
mod solve;
mod sweep;
mod verify;

use std::path::Path;

use assert_cmd::Command;
use queenlab::record::{LevelRow, Row, table};

/// The program, in a directory of its own choosing.
fn queenlab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(arguments).env_remove("NO_COLOR");
    command
}

/// Runs the program in a directory; its exit code, standard output and standard error.
fn run_in(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = queenlab(arguments).current_dir(directory).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

/// The same where the directory does not matter.
fn run(arguments: &[&str]) -> (i32, String, String) {
    run_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments)
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn write(directory: &Path, name: &str, text: &str) {
    std::fs::write(directory.join(name), text).expect("a writable directory");
}

fn read(directory: &Path, name: &str) -> String {
    std::fs::read_to_string(directory.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The rows of a result directory.
fn rows(directory: &Path) -> Vec<Row> {
    table::read(directory).expect("runs.csv")
}

/// The levels of a result directory.
fn levels(directory: &Path) -> Vec<LevelRow> {
    table::read(directory).expect("levels.csv")
}
