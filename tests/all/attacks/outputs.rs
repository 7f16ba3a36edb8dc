//! Standard output and standard error that are closed or full.

use std::fs::File;
use std::process::Stdio;

use crate::attacks::command_line::{code, directory_with_inputs, program};
use crate::harness::read;

/// Commands that take little time and write to standard output and standard error, each with its exit code.
const COMMANDS: &[(&[&str], i32)] = &[
    (&["sweep", "--n", "4-5", "--solver", "backtrack/*", "--repeat", "1", "--verbose", "--out", "sweep"], 0),
    (&["report", "results"], 0),
    (&["compare", "results", "results"], 0),
    (&["reproduce", "results"], 0),
    (&["report", "results", "--format", "markdown"], 0),
    (&["verify", "4-5"], 0),
    (&["verify", "4", "--levels"], 0),
    (&["check", "4", "boards.txt"], 3),
    (&["check", "4", "missing.txt"], 1),
    (&["solve", "3"], 0),
    (&["certify", "5"], 0),
    (&["count", "14", "--shard", "1/2", "--out", "shards"], 0),
    (&["list", "no-such-solver"], 2),
    (&["sweep", "--no-such-option"], 2),
    (
        &[
            "sweep",
            "--instance",
            "puzzle.txt",
            "--solver",
            "backtrack/dlx",
            "--repeat",
            "1",
            "--out",
            "sweep",
        ],
        0,
    ),
    (&["report", "results", "--spec", "quick"], 0),
    (&["check", "--batch", "class", "--n", "4", "--csv", "class.csv"], 3),
    (&["check", "--instance", "puzzle.txt", "boards.txt"], 3),
    (&["solve", "--instance", "puzzle.txt"], 0),
    (&["count", "8", "--estimate", "--probes", "10"], 0),
    (&["generate", "completion", "8", "--queens", "3"], 0),
    (&["certify", "5", "--symmetry", "full"], 0),
    (&["encode", "4", "-o", "formula.cnf"], 0),
];

/// A file on a full disk.
fn full_disk() -> Stdio {
    File::options().write(true).open("/dev/full").expect("Linux has it").into()
}

/// The write end of a pipe whose read end is closed.
fn closed_pipe() -> std::io::PipeWriter {
    std::io::pipe().expect("a pipe").1
}

#[test]
#[ignore = "long: an attack"]
fn unwritable_standard_error_does_not_change_exit_code() {
    for &(arguments, expected) in COMMANDS {
        for stderr in [full_disk as fn() -> Stdio, || closed_pipe().into()] {
            let directory = directory_with_inputs();
            let output =
                program(directory.path(), arguments).stderr(stderr()).output().expect("the program starts");
            assert_eq!(code(&output), Some(expected), "{arguments:?}");
            if arguments[0] == "sweep" && arguments.contains(&"--out") {
                assert!(read(&directory.path().join("sweep"), "report.html").contains("</html>"));
            }
        }
    }
}

/// Both outputs are the same closed pipe, as in `queenlab ... 2>&1 | head -1` after `head` has ended.
#[test]
#[ignore = "long: an attack"]
fn closing_both_outputs_does_not_change_exit_code() {
    for &(arguments, expected) in COMMANDS {
        let directory = directory_with_inputs();
        let pipe = closed_pipe();
        let stderr = pipe.try_clone().expect("a second end");
        let status = program(directory.path(), arguments)
            .stdout(pipe)
            .stderr(stderr)
            .status()
            .expect("the program starts");
        assert_eq!(status.code(), Some(expected), "{arguments:?}");
    }
}

#[test]
#[ignore = "long: an attack"]
fn command_with_full_standard_output_exits_with_1() {
    let commands: &[&[&str]] = &[
        &["report", "results", "--spec", "quick"],
        &["check", "--batch", "class", "--n", "4", "--json"],
        &["count", "14", "--shard", "1/2", "--out", "shards", "--json"],
        &["count", "8", "--estimate", "--probes", "10"],
        &["generate", "completion", "8", "--queens", "3"],
        &["certify", "5", "--symmetry", "full"],
        &["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--out", "sweep"],
        &["sweep", "--dry-run"],
        &["report", "results"],
        &["compare", "results", "results"],
        &["report", "results", "--format", "latex"],
        &["verify", "4"],
        &["solve", "8"],
        &["encode", "4"],
        &["certify", "4"],
        &["list"],
        &["--help"],
    ];
    for arguments in commands {
        let directory = directory_with_inputs();
        let output =
            program(directory.path(), arguments).stdout(full_disk()).output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code(&output), Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.contains("(os error 28)"), "{arguments:?}: {stderr}");
        let output =
            program(directory.path(), arguments).stdout(closed_pipe()).output().expect("the program starts");
        // The batch has a wrong submission; a closed pipe does not change this verdict.
        let expected = if arguments.contains(&"--batch") { 3 } else { 0 };
        assert_eq!(
            code(&output),
            Some(expected),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
