//! A program that registers an additional solver has all commands of queenlab. An example is `examples/own_solver.rs`.

use std::path::Path;
use std::process::Command;

use queenlab::record::{Status, Verdict};

use crate::harness::{example, read, rows, run_in, scratch, write};

#[test]
fn ten_line_program_adds_a_solver() {
    let program = example("own_solver");
    let directory = scratch();
    let run_program = |arguments: &[&str]| {
        let output = Command::new(&program).args(arguments).current_dir(directory.path()).output();
        let output = output.expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {}\n{stderr}", output.status);
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let assert_rows = |directory: &Path, expected: usize| {
        let rows = rows(directory);
        let rows_of_solver: Vec<_> = rows.iter().filter(|row| row.solver == "mine/breadth-first").collect();
        assert_eq!(rows_of_solver.len(), expected);
        for row in rows_of_solver {
            assert_eq!((row.status, row.verdict), (Status::Complete, Verdict::Correct), "{row:?}");
        }
    };

    assert!(run_program(&["list"]).contains("mine/breadth-first"));
    let solvers = ["--solver", "mine/*", "--solver", "backtrack/bitmask"];
    run_program(&[&["sweep", "--n", "4-6", "--out", "out"], &solvers[..]].concat());
    // Each of the three sizes has seven timed runs and one counting run.
    assert_rows(&directory.path().join("out"), 24);
    assert!(read(&directory.path().join("out"), "report.html").contains("mine/breadth-first"));
    run_program(&["reproduce", "out", "--out", "again"]);
    assert_rows(&directory.path().join("again"), 24);

    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"6\"\nrepeat = 1\n\
                [[solver]]\nid = \"mine/*\"\n[[solver]]\nid = \"backtrack/bitmask\"\n";
    write(directory.path(), "spec.toml", spec);
    run_program(&["sweep", "spec.toml", "--shard", "1/2", "--out", "shard"]);
    assert_rows(&directory.path().join("shard"), 2);
}

/// A report depends only on the result directory: the program that makes the report need not have the solvers of the sweep.
#[test]
fn results_are_readable_without_their_solver() {
    let program = example("own_solver");
    let directory = scratch();
    let solvers = ["--solver", "mine/*", "--solver", "backtrack/bitmask"];
    let arguments = [&["sweep", "--n", "4-6", "--out", "out", "-q"], &solvers[..]].concat();
    let status = Command::new(&program).args(arguments).current_dir(directory.path()).status();
    assert!(status.expect("the program starts").success());
    let out = directory.path().join("out");
    let files = ["timings.csv", "nodes.csv", "crosscheck.csv", "claims.csv", "report.html"];
    let files_before = files.map(|file| read(&out, file));
    let (code, _, stderr) = run_in(directory.path(), &["report", "out"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(files.map(|file| read(&out, file)), files_before);
    let (code, _, stderr) = run_in(directory.path(), &["compare", "out", "out", "-q"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
}
