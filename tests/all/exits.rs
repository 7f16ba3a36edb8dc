//! Exit codes and output directories. A command that fails prints a line to standard error. No output is written through a link.

use std::os::unix::fs::symlink;
use std::path::Path;

use crate::harness::{read, run_in, scratch, stderr, write};

/// Runs a command, and asserts that it ends with this exit code and prints a line to standard error.
fn assert_fails_with(directory: &Path, code: i32, arguments: &[&str]) {
    let (actual, _, message) = run_in(directory, arguments);
    assert_eq!(actual, code, "{arguments:?}: {message}");
    assert!(!message.trim().is_empty(), "{arguments:?}: nothing on standard error");
}

const COUNT_SWEEP: [&str; 6] = ["sweep", "--n", "4", "--goal", "count", "-q"];

#[test]
fn every_failure_leaves_a_line_on_standard_error() {
    let directory = scratch();
    let directory = directory.path();
    let sweep = |options: &[&str]| {
        [&COUNT_SWEEP[..], options].concat().iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()
    };
    let run = |code, arguments: &[&str]| assert_fails_with(directory, code, arguments);
    for (code, out, options) in [
        (1, "crashed", &["--program", "sh -c 'exit 9' {n}"][..]),
        (1, "unreadable", &["--program", "sh -c 'echo nothing' {n}"]),
        (3, "wrong", &["--program", "sh -c 'echo 3' {n}"]),
        (4, "timeout", &["--program", "sleep 60 {n}", "--timeout", "200ms", "--fail-on-timeout"]),
    ] {
        let arguments = sweep(&[options, &["--solver", "backtrack/bitmask", "--out", out]].concat());
        run(code, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    }
    run(
        6,
        &["sweep", "--n", "5", "--goal", "count", "-q", "--solver", "backtrack/bitmask", "--out", "wrong"],
    );
    write(
        directory,
        "claim.toml",
        "schema_version = 1\nname = \"claim\"\n[sweep]\nn = \"4\"\n[[solver]]\nid = \"backtrack/bitmask\"\n\
         [[claim]]\nsays = \"few nodes\"\nmeasure = \"nodes\"\nof = \"backtrack/bitmask\"\nvalue = 1\nratio = \"< 1\"\nn = \"4\"\n",
    );
    run(7, &["sweep", "claim.toml", "-q", "--fail-on-claim"]);
    run(7, &["report", "results/claim", "-q", "--fail-on-claim"]);
    run(2, &["compare", "results/claim", "nowhere", "-q"]);
    write(directory, "boards.txt", "1 3 0 2\n");
    run(3, &["check", "4", "boards.txt"]);
    run(3, &["check", "4", "boards.txt", "--json"]);
    run(2, &["check", "4", "claim.toml"]);
    run(2, &["solve", "8", "--solver", "nope"]);
    run(2, &["count", "8", "--bogus"]);
}

/// If several exit codes apply, a wrong answer (3) takes precedence over a crash (1) and over output that cannot be written (1),
/// and both take precedence over a run that reached its limit (4). The limit applies to CPU time, so that the load of the
/// machine does not matter.
#[test]
#[cfg(target_os = "linux")]
fn sweep_exit_code_3_precedes_1_and_4() {
    let directory = scratch();
    let wrong_program = ("wrong", "echo 3");
    let crash = ("crash", "exit 9");
    let endless_program = ("endless", "while :; do :; done");
    for (name, programs, code) in [
        ("a", &[endless_program, crash, wrong_program][..], 3),
        ("b", &[endless_program, crash], 1),
        ("c", &[endless_program], 4),
    ] {
        let tables = programs.iter().map(|(id, script)| {
            format!("[[program]]\nid = \"{id}\"\ncommand = [\"sh\", \"-c\", \"{script}\"]\n")
        });
        let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\ngoal = \"count\"\nrepeat = 1\n\
                    timeout = \"1h\"\ncpu_timeout = \"300ms\"\n";
        write(directory.path(), "x.toml", &(spec.to_owned() + &tables.collect::<String>()));
        assert_fails_with(directory.path(), code, &["sweep", "x.toml", "-o", name, "--fail-on-timeout"]);
    }
    let script =
        format!("{} sweep x.toml -o $0 --fail-on-timeout > /dev/full", env!("CARGO_BIN_EXE_queenlab"));
    for (name, code) in [("a", 3), ("b", 1)] {
        let spec = read(&directory.path().join(name), "experiment.toml");
        write(directory.path(), "x.toml", &spec);
        let mut shell = std::process::Command::new("sh");
        let output =
            shell.args(["-c", &script, name]).current_dir(directory.path()).output().expect("a shell");
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{message}");
        assert_eq!(message.matches("os error 28").count(), 1, "{message}");
    }
}

/// If the verdict cannot be written to standard output, there must be a message on standard error.
#[test]
fn failure_is_reported_despite_closed_standard_output() {
    let directory = scratch();
    write(directory.path(), "boards.txt", "1 3 0 2\n");
    let script = format!("{} check 4 boards.txt >&-", env!("CARGO_BIN_EXE_queenlab"));
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", &script]).current_dir(directory.path()).output().expect("a shell");
    assert_eq!(output.status.code(), Some(3));
    assert!(!stderr(&output).is_empty());
}

#[test]
fn output_directory_that_is_a_link_is_refused() {
    let directory = scratch();
    let directory = directory.path();
    let sweep = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--repeat", "1", "-q", "--out"];
    assert_eq!(run_in(directory, &[&sweep[..], &["real"]].concat()).0, 0);
    std::fs::create_dir(directory.join("elsewhere")).expect("a directory");
    for name in ["link", "real-reproduced"] {
        symlink(directory.join("elsewhere"), directory.join(name)).expect("a link");
    }
    let mut commands = vec![(vec!["reproduce", "real"], "real-reproduced")];
    for link in ["link", "link/"] {
        let commands_with_out = [
            vec!["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--out", link],
            vec!["report", "real", "--out", link],
            vec!["count", "14", "--shard", "1/2", "--out", link],
            vec!["reproduce", "real", "--out", link],
        ];
        commands.extend(commands_with_out.map(|arguments| (arguments, link)));
    }
    for (arguments, link) in commands {
        let (code, _, message) = run_in(directory, &arguments);
        let names_link = message.starts_with(&format!("error: {link}: "));
        assert!(code == 2 && names_link, "{arguments:?}: {code}: {message}");
    }
    let entries = std::fs::read_dir(directory.join("elsewhere")).expect("a directory").count();
    assert_eq!(entries, 0, "a file was written through a link");
}

/// If `reproduce` accepted such a directory, results that somebody else put there would count as reproduced.
#[test]
fn reproduce_refuses_an_output_directory_with_runs() {
    let directory = scratch();
    let directory = directory.path();
    let sweep = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--repeat", "1", "-q", "--out"];
    for out in ["theirs", "theirs-reproduced"] {
        assert_eq!(run_in(directory, &[&sweep[..], &[out]].concat()).0, 0);
    }
    for arguments in [&["reproduce", "theirs"][..], &["reproduce", "theirs", "--out", "theirs-reproduced"]] {
        let (code, stdout, message) = run_in(directory, arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{message}");
    }
    assert_eq!(run_in(directory, &["reproduce", "theirs", "--out", "mine"]).0, 0);
}

/// Without a separate process group, the guard would also end the job of its caller.
#[test]
fn guard_refuses_a_shared_process_group() {
    let script = format!("{} __guard -- sleep 60 </dev/null; echo \"$?\"", env!("CARGO_BIN_EXE_queenlab"));
    let output = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n", "the shell must continue");
    assert!(!output.stderr.is_empty());
}
