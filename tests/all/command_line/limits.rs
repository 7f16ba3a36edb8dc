//! Limits of the system and of runs, and output to `-`. A reached limit gives an error message or a row, and the sweep can be
//! resumed.

use std::path::Path;
use std::process::Command;

use queenlab::record::{Row, Status};

use crate::harness::{assert_wording, refused, rows, run_in, scratch, stderr, stdout};

/// Runs the program in a shell, after another command such as `ulimit -f 8`.
fn run_after_command(directory: &Path, limit: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{limit} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_queenlab")]);
    let output = shell.args(arguments).current_dir(directory).output().expect("a shell");
    (output.status.code(), stdout(&output), stderr(&output))
}

const SWEEP: [&str; 9] =
    ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--repeat", "200", "--out", "r"];

#[test]
fn exceeded_file_size_limit_is_an_error() {
    let directory = scratch();
    let directory = directory.path();
    // The unit is 512 bytes.
    let (code, _, error) = run_after_command(directory, "ulimit -f 12", &SWEEP);
    assert_eq!(code, Some(1), "{error}");
    let last_line = error.lines().last().expect("a line");
    assert!(last_line.contains("r/runs.csv") && last_line.contains("os error 27"), "{last_line}");
    assert_wording("sweep", "a limit of file sizes", last_line);
    let row_count = rows(&directory.join("r")).len();
    assert!((5..200).contains(&row_count), "{row_count}");
    assert_eq!(run_in(directory, &SWEEP).0, 0);
    assert_eq!(rows(&directory.join("r")).len(), 201);
    for call in [&["encode", "20", "-o", "x.cnf"][..], &["certify", "7", "--keep", "--out", "c"]] {
        let (code, _, error) = run_after_command(directory, "ulimit -f 1", call);
        assert!(code == Some(1) && error.contains("os error 27"), "{call:?}: {error}");
    }
    assert!(!directory.join("x.cnf").exists() && !directory.join("c").exists());
}

/// The limit is 1 byte, which is less than the memory of a process at its start.
#[test]
#[cfg(target_os = "linux")]
fn memory_limit_below_process_size_is_memout() {
    let directory = scratch();
    let programs = ["--program", "echo 92 {n}"];
    let call = ["sweep", "--n", "8", "--goal", "count", "--repeat", "1", "--memory", "1", "--out", "r"];
    let solvers = ["--solver", "backtrack/bitmask", "--solver", "count/portable"];
    let (code, _, error) = run_in(directory.path(), &[&call[..], &solvers, &programs].concat());
    assert_eq!(code, 0, "{error}");
    let rows: Vec<Row> = rows(&directory.path().join("r"));
    assert_eq!(rows.len(), 5);
    for row in &rows {
        assert_eq!((row.status, row.solutions), (Status::Memout, None), "{row:?}");
    }
}

#[test]
fn dash_as_output_file_means_standard_output() {
    let directory = scratch();
    let directory = directory.path();
    std::fs::create_dir(directory.join("submissions")).expect("a directory");
    std::fs::write(directory.join("submissions/a.txt"), "1 3 0 2\n2 0 3 1\n").expect("a file");
    for call in [&["encode", "4"][..], &["generate", "completion", "5", "--queens", "2"]] {
        let (plain, dash) = (run_in(directory, call), run_in(directory, &[call, &["-o", "-"]].concat()));
        assert_eq!(plain, dash);
        assert!(!plain.1.is_empty());
    }
    let batch = ["check", "--batch", "submissions", "--n", "4", "--csv"];
    let (_, table, _) = run_in(directory, &[&batch[..], &["points.csv"]].concat());
    let (code, csv, _) = run_in(directory, &[&batch[..], &["-"]].concat());
    let written = std::fs::read_to_string(directory.join("points.csv")).expect("the table of points");
    assert_eq!((code, csv), (0, written));
    assert!(table.contains("1 of 1"), "{table}");
    assert!(!directory.join("-").exists());
}

#[test]
fn dash_as_directory_or_checkpoint_is_refused() {
    for call in [
        &["sweep", "4", "--out", "-"][..],
        &["report", "x", "--out", "-"],
        &["reproduce", "x", "--out", "-"],
        &["certify", "4", "-o", "-"],
        &["count", "14", "--shard", "1/2", "--out", "-"],
        &["count", "14", "--checkpoint", "-"],
        &["check", "--batch", "x", "--n", "4", "--csv", "-", "--json"],
    ] {
        let error = refused(call);
        assert!(["--out", "--checkpoint", "--csv"].iter().any(|option| error.contains(option)), "{error}");
    }
    assert!(!Path::new(env!("CARGO_TARGET_TMPDIR")).join("-").exists());
}

/// Runs a sweep of a script that leaves files in its TMPDIR, without the rights of the superuser. The temporary directories are in
/// `tmp`. Returns standard error.
fn sweep_leaving_files(directory: &Path, script: &str) -> String {
    std::fs::create_dir_all(directory.join("tmp")).expect("a directory");
    let program = format!("sh -c '{script}; echo 2' {{n}}");
    let call = ["sweep", "--n", "4", "--goal", "count", "--repeat", "1", "--out", "r", "--program", &program];
    let removed_capabilities = "-dac_override,-dac_read_search,-fowner";
    let unprivileged = format!(
        "export TMPDIR=$PWD/tmp && if [ \"$(id -u)\" = 0 ]; then exec setpriv --bounding-set={removed_capabilities} \
         --inh-caps={removed_capabilities} \"$0\" \"$@\"; fi && true"
    );
    let (code, _, error) = run_after_command(directory, &unprivileged, &call);
    assert_eq!(code, Some(0), "{error}");
    assert!(rows(&directory.join("r")).iter().all(|row| row.status == Status::Complete));
    error
}

fn temporary_files(directory: &Path) -> usize {
    std::fs::read_dir(directory.join("tmp")).expect("a directory").count()
}

#[test]
#[cfg(target_os = "linux")]
fn unreadable_temporary_folder_of_run_is_removed() {
    let directory = scratch();
    let script =
        "mkdir -p $TMPDIR/a/b/c && touch $TMPDIR/a/b/c/d && chmod 0 $TMPDIR/a/b/c $TMPDIR/a/b $TMPDIR/a";
    let error = sweep_leaving_files(directory.path(), script);
    assert!(!error.contains("warning: /"), "{error}");
    assert_eq!(temporary_files(directory.path()), 0);
}

/// Only the superuser can change the owner of a folder.
#[test]
#[cfg(target_os = "linux")]
fn message_names_temporary_folder_that_cannot_be_removed() {
    let directory = scratch();
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only the superuser can make a folder of another user");
        return;
    }
    let error =
        sweep_leaving_files(directory.path(), "mkdir $TMPDIR/a && touch $TMPDIR/a/b && chown 1 $TMPDIR/a");
    assert_eq!(temporary_files(directory.path()), 1);
    let folder = directory.path().join("tmp/runlab-");
    assert_eq!(error.matches(&*folder.to_string_lossy()).count(), 1, "{error}");
}
