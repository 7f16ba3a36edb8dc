//! Closed and failing outputs.

use std::fs::File;
use std::process::Stdio;

use crate::attacks::command_line::{code, prepared, program};
use crate::harness::read;

/// Commands that take little time and write to both outputs, each with its exit code.
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

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("Linux has it").into()
}

/// The write end of a pipe whose read end is closed.
fn unread() -> std::io::PipeWriter {
    std::io::pipe().expect("a pipe").1
}

#[test]
#[ignore = "long: an attack"]
fn unwritable_standard_error_does_not_change_exit_code() {
    for &(arguments, expected) in COMMANDS {
        for stderr in [full as fn() -> Stdio, || unread().into()] {
            let directory = prepared();
            let output = program(directory.path(), arguments).stderr(stderr()).output().expect("it starts");
            assert_eq!(code(&output), Some(expected), "{arguments:?}");
            if arguments[0] == "sweep" && arguments.contains(&"--out") {
                assert!(read(&directory.path().join("sweep"), "report.html").contains("</html>"));
            }
        }
    }
}

/// `queenlab ... 2>&1 | head -1`
#[test]
#[ignore = "long: an attack"]
fn closing_both_outputs_does_not_change_exit_code() {
    for &(arguments, expected) in COMMANDS {
        let directory = prepared();
        let pipe = unread();
        let stderr = pipe.try_clone().expect("a second end");
        let status =
            program(directory.path(), arguments).stdout(pipe).stderr(stderr).status().expect("it starts");
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
        let directory = prepared();
        let output = program(directory.path(), arguments).stdout(full()).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code(&output), Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.contains("(os error 28)"), "{arguments:?}: {stderr}");
        let output = program(directory.path(), arguments).stdout(unread()).output().expect("it starts");
        // The batch has a wrong submission; a closed pipe does not change this verdict.
        let unread_code = if arguments.contains(&"--batch") { 3 } else { 0 };
        assert_eq!(
            code(&output),
            Some(unread_code),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
