//! Helpers that most tests need: run the program in a directory, and read the files that it leaves there.

#[cfg(target_os = "linux")]
#[path = "disk.rs"]
pub mod disk;
#[path = "processes.rs"]
pub mod processes;

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use queenlab::experiment::plan::run_id;
use queenlab::record::{LevelRow, Row, SCHEMA_VERSION, Table, sha256_hex, table};
use queenlab::solver::Goal;
use regex_lite::Regex;

/// A command that runs the program in the directory of the caller.
pub fn queenlab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(arguments).env_remove("NO_COLOR");
    command
}

/// The folders of the recorded runs.
pub const RECORDS: [&str; 3] =
    ["experiments/record", "experiments/literature/record", "experiments/problems/record"];

/// The newest record of an experiment: its folder, which is named by a date and the experiment.
pub fn record(name: &str) -> PathBuf {
    let folders = RECORDS.iter().flat_map(|records| std::fs::read_dir(records).expect("records").flatten());
    let is_of_experiment =
        |path: &PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().get(11..) == Some(name));
    folders
        .map(|entry| entry.path())
        .filter(is_of_experiment)
        .max()
        .unwrap_or_else(|| panic!("no record of {name}"))
}

/// Runs the program in a directory, and returns its exit code, standard output and standard error.
pub fn run_in(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = queenlab(arguments).current_dir(directory).output().expect("the program starts");
    (output.status.code().expect("an exit code"), stdout(&output), stderr(&output))
}

/// Compares a message with its snapshot in `tests/wording/<command>.txt`. The arguments are the key of the snapshot; the first one
/// is the command. The path of the directory is replaced by `DIR`.
#[track_caller]
pub fn assert_message(directory: &Path, arguments: &[&str], message: &str) {
    let without_directory = |text: &str| text.replace(&*directory.to_string_lossy(), "DIR");
    // Each command has a separate file of snapshots.
    let source = |name: &&&str| Path::new("src/cli").join(name).with_extension("rs");
    let command = arguments.first().filter(|name| source(name).exists()).copied().unwrap_or("queenlab");
    assert_wording(command, &without_directory(&arguments.join(" ")), &without_directory(message));
}

/// Runs the program, and asserts that it refuses its input: exit code 2, nothing on standard output, and a message that matches its
/// snapshot. Returns the message.
#[track_caller]
pub fn refused_in(directory: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = run_in(directory, arguments);
    assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
    assert_message(directory, arguments, &stderr);
    stderr
}

/// Like [`refused_in`], in a directory whose content does not matter.
#[track_caller]
pub fn refused(arguments: &[&str]) -> String {
    refused_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments)
}

/// Compares a message with its snapshot in `tests/wording/<command>.txt`, with the situation as the key.
#[track_caller]
pub fn assert_wording(command: &str, situation: &str, message: &str) {
    wording::assert_wording!(command, situation, normalized(message));
}

/// A message with `TIME` for each measured time, and `N` for each other word that begins with a digit.
pub fn without_numbers(message: &str) -> String {
    let without_number = |word| if str::starts_with(word, |c: char| c.is_ascii_digit()) { "N" } else { word };
    without_times(message).split(' ').map(without_number).collect::<Vec<_>>().join(" ")
}

/// A message with `TIME` for each duration after `in` or `about`.
fn without_times(message: &str) -> String {
    let pattern = r"\b(in|about) [0-9.,]+ (ms|s|min|h|d)\b( [0-9]+ (s|min|h)\b)?";
    Regex::new(pattern).expect("a pattern").replace_all(message, "$1 TIME").into_owned()
}

/// A message in which versions, names of sweeps, and everything that depends on time or load are replaced.
fn normalized(message: &str) -> String {
    // Progress is printed every few seconds: 12/24 runs, ...
    let is_progress = |line: &str| {
        let first = line.split(' ').next().and_then(|word| word.split_once('/'));
        first
            .is_some_and(|(finished, all)| [finished, all].iter().all(|number| number.parse::<u64>().is_ok()))
    };
    let depends_on_load = |line: &&str| line.starts_with("warning: times ") || is_progress(line);
    let lines: String =
        message.lines().filter(|line| !depends_on_load(line)).map(|line| line.to_owned() + "\n").collect();
    let custom_name = Regex::new(r"\bcustom-[0-9a-f]{8}\b").expect("a pattern");
    let without_times = without_times(&lines);
    let normalized = custom_name.replace_all(&without_times, "NAME");
    normalized.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Like [`run_in`], in a directory whose content does not matter.
pub fn run(arguments: &[&str]) -> (i32, String, String) {
    run_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments)
}

/// Region puzzles of six rows with one solution each.
pub const PUZZLES: [&str; 2] =
    ["AABBBD\nAABBBD\nACBBBD\nAABBFD\nEEEBFF\nEEEFFF\n", "BBBAAA\nBBBCAA\nBEBCCD\nFEEEDD\nFEEEEE\nFFFEEE\n"];

pub fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

pub fn write(directory: &Path, name: &str, text: &str) {
    std::fs::write(directory.join(name), text).expect("a writable directory");
}

pub fn read(directory: &Path, name: &str) -> String {
    std::fs::read_to_string(directory.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The file of a shard or a checkpoint: this text, followed by its checksum, the hash FNV-1a of docs/FORMATS.md.
pub fn with_checksum(body: &str) -> String {
    let add_byte = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{body}check={:016x}\n", body.bytes().fold(0xcbf2_9ce4_8422_2325, add_byte))
}

/// The complete rows of a table of a result directory.
pub fn rows_of<T: Table>(directory: &Path) -> Vec<T> {
    table::read(directory).unwrap_or_else(|error| panic!("{error}")).0
}

/// The rows of a result directory.
pub fn rows(directory: &Path) -> Vec<Row> {
    rows_of(directory)
}

/// A row of a run of plain queens, in which only the fields that define the run are set.
pub fn row(n: usize, goal: Goal, solver: &str) -> Row {
    let solver = solver.parse().expect("a solver");
    Row { schema_version: SCHEMA_VERSION, n, goal, solver, threads: 1, seed: 1, ..Row::default() }
}

/// The row with the ids of its cell and its run, as a sweep writes them.
pub fn with_ids(row: Row) -> Row {
    let identity = format!("{:?} {} {:?}", row.series(), row.n, (row.time_limit_ns, row.memory_limit_bytes));
    let cell_id = format!("c{}", &sha256_hex(identity.as_bytes())[..16]);
    Row { run_id: run_id(&cell_id, row.kind, row.repetition), cell_id, ..row }
}

/// The levels of a result directory.
pub fn levels(directory: &Path) -> Vec<LevelRow> {
    rows_of(directory)
}

/// SIGINT and SIGTERM, except for signals that this process ignores, because the program inherits ignored signals. For example, a
/// shell starts background jobs with SIGINT ignored.
#[cfg(target_os = "linux")]
pub fn interrupting_signals() -> Vec<rustix::process::Signal> {
    use rustix::process::Signal;
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let mask =
        status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("signals that are ignored");
    let ignored_signals = u64::from_str_radix(mask.trim(), 16).expect("a mask");
    let signals = [Signal::INT, Signal::TERM].into_iter();
    signals.filter(|signal| ignored_signals >> (signal.as_raw() - 1) & 1 == 0).collect()
}

/// The path of an example that was built together with this test.
pub fn example(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_BIN_EXE_queenlab")).parent().expect("a directory");
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--quiet", "--locked", "--offline"]);
    cargo.args(["--example", name, "--target-dir"]).arg(directory.parent().expect("a target directory"));
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let features = [(cfg!(feature = "cadical"), "cadical"), (cfg!(feature = "cp"), "cp")];
    for (is_enabled, feature) in features {
        if is_enabled {
            cargo.args(["--features", feature]);
        }
    }
    let status = cargo.status().expect("cargo starts");
    assert!(status.success(), "{cargo:?}: {status}");
    directory.join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION)
}
