//! Unusual arguments: too many threads, paths that are not UTF-8, and random words.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::harness::{refused, run_in, scratch, write};

/// A directory with input files for every command, and the results of a sweep.
pub fn directory_with_inputs() -> tempfile::TempDir {
    let directory = scratch();
    write(directory.path(), "boards.txt", "1 3 0 2\n");
    write(directory.path(), "puzzle.txt", "AABB\nAABB\nCCDD\nCCDD\n");
    std::fs::create_dir(directory.path().join("class")).expect("a directory");
    write(&directory.path().join("class"), "ada_4.txt", "1 3 0 2\n");
    let sweep = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--repeat", "1", "--out", "results"];
    assert_eq!(run_in(directory.path(), &sweep).0, 0);
    directory
}

pub fn program(directory: &Path, arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(arguments).current_dir(directory).stdin(Stdio::null());
    command
}

pub fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
#[ignore = "long: an attack"]
fn more_than_1024_threads_are_refused() {
    for arguments in [
        &["count", "16", "--threads", "5000"][..],
        &["solve", "8", "-j", "5000"],
        &["sweep", "--n", "4", "--threads", "5000"],
        &["count", "16", "--shard", "1/2", "--out", "o", "--threads", "5000"],
    ] {
        let error = refused(arguments);
        assert!(error.contains("1024"), "{error}");
    }
}

#[test]
#[ignore = "long: an attack"]
fn squares_on_boards_above_1024_are_refused() {
    for squares in [["--forbid", "0:0"], ["--exclude-diagonals", "d0"], ["--place", "0:0"]] {
        for n in ["1025", "100000", "10000000"] {
            let error = refused(&[&["solve", n], &squares[..]].concat());
            assert!(error.contains("1024"), "{error}");
        }
    }
}

fn path_not_utf8(prefix: &str) -> OsString {
    OsString::from_vec([prefix.as_bytes(), b"\xff\xfe"].concat())
}

#[test]
#[ignore = "long: an attack"]
fn output_path_that_is_not_utf8_is_refused() {
    let directory = directory_with_inputs();
    let arguments_with_path = |arguments: &[&str], path: OsString| {
        arguments.iter().map(OsString::from).chain([path]).collect::<Vec<_>>()
    };
    for arguments in [
        arguments_with_path(&["sweep", "--n", "4", "--out"], path_not_utf8("r")),
        arguments_with_path(&["reproduce", "results", "--out"], path_not_utf8("r")),
    ] {
        let output = program(directory.path(), &arguments).output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code(&output), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("r\u{fffd}\u{fffd}") && stderr.contains("UTF-8"), "{stderr}");
        assert!(!directory.path().join(path_not_utf8("r")).exists(), "{arguments:?}");
    }
}

/// A path that queenlab writes to JSON must be UTF-8. Other paths may contain any bytes.
#[test]
#[ignore = "long: an attack"]
fn arguments_that_are_not_utf8_cause_no_panic() {
    let directory = directory_with_inputs();
    for name in ["boards", "spec"] {
        std::fs::write(directory.path().join(path_not_utf8(name)), "1 3 0 2\n2 0 3 1\n").expect("written");
    }
    let bytes = |arguments: &[&[u8]]| {
        arguments.iter().map(|argument| OsStr::from_bytes(argument).to_owned()).collect::<Vec<_>>()
    };
    for (arguments, expected) in [
        (bytes(&[b"check", b"4", b"boards\xff\xfe"]), 0),
        (bytes(&[b"encode", b"4", b"-o", b"formula\xff"]), 0),
        (bytes(&[b"count", b"5", b"--checkpoint", b"count\xff"]), 0),
        (bytes(&[b"count", b"6", b"--shard", b"1/1", b"--out", b"shards\xff"]), 0),
        (bytes(&[b"sweep", b"spec\xff\xfe"]), 2),
        (bytes(&[b"report", b"results\xff"]), 2),
        (bytes(&[b"\xff"]), 2),
        (bytes(&[b"solve", b"\xff"]), 2),
        (bytes(&[b"solve", b"4", b"--solver", b"\xff"]), 2),
        (bytes(&[b"list", b"--sat", b"x=\xff {cnf}"]), 2),
        (bytes(&[b"list", b"\xff"]), 2),
        (bytes(&[b"--color\xff", b"list"]), 2),
        (bytes(&[b"sweep", b"--instance", b"spec\xff\xfe"]), 2),
        (bytes(&[b"solve", b"--instance", b"spec\xff\xfe"]), 2),
        (bytes(&[b"check", b"--batch", b"class\xff", b"--n", b"4"]), 1),
        (bytes(&[b"generate", b"completion", b"6", b"--queens", b"2", b"-o", b"puzzle\xff"]), 0),
    ] {
        let output = program(directory.path(), &arguments).output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code(&output), Some(expected), "{arguments:?}: {stderr}");
        assert!(
            expected == 0 || stderr.contains('\u{fffd}'),
            "the message does not quote the argument: {arguments:?}: {stderr}"
        );
    }
    let certify = bytes(&[b"certify", b"4", b"--out", b"certified\xff"]);
    let output = program(directory.path(), &certify).output().expect("the program starts");
    assert!(matches!(code(&output), Some(0 | 2)), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Commands and options for random command lines. No option in this list starts a program.
const WORDS: &[&str] = &[
    "sweep",
    "report",
    "compare",
    "reproduce",
    "verify",
    "check",
    "solve",
    "count",
    "encode",
    "certify",
    "shard",
    "plan",
    "run",
    "missing",
    "merge",
    "list",
    "doctor",
    "completions",
    "--n",
    "-n",
    "--solver",
    "--goal",
    "--repeat",
    "--timeout",
    "--memory",
    "--threads",
    "-j",
    "--jobs",
    "--pin",
    "--out",
    "--seed",
    "--sat",
    "--progress",
    "--notation",
    "--symmetry",
    "--fail-on-regression",
    "--limit",
    "--all",
    "-q",
    "--json",
];

/// Valid and invalid values for options that read sizes, durations, bytes, lists and names.
const VALUES: [&str; 28] = [
    "",
    "0",
    "8",
    "4-8",
    "4-20:2",
    "8-4",
    "-1",
    "1025",
    "18446744073709551616",
    "1,2,,3",
    "4-:",
    "99999999999s",
    "10s",
    "1e400ms",
    "2GiB",
    "-5MiB",
    "9999999999999TiB",
    "0-3,7",
    "3-1",
    "columns",
    "unicode",
    "\u{202e}",
    "first",
    "nan",
    "inf",
    "1e308%",
    "{cnf}",
    "backtrack/*",
];

/// The last argument of each command line is `--help`, so that the parser reads all values and no command runs.
#[test]
#[ignore = "long: an attack"]
fn random_command_lines_cause_no_parser_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % limit
    };
    // The numbers of command lines with help and with a refusal.
    let mut outcomes = [0; 2];
    for _ in 0..400 {
        let mut arguments: Vec<OsString> = vec![WORDS[draw(13)].into()];
        for _ in 0..draw(7) {
            arguments.push(match draw(8) {
                0..=3 => WORDS[draw(WORDS.len())].into(),
                4..=6 => VALUES[draw(VALUES.len())].into(),
                _ => OsString::from_vec((0..draw(12)).map(|_| draw(255) as u8 + 1).collect()),
            });
        }
        arguments.retain(|argument| argument != "--");
        arguments.push("--help".into());
        let output =
            program(Path::new(env!("CARGO_TARGET_TMPDIR")), &arguments).output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let code = code(&output).expect("no signal");
        assert!(code == 0 || code == 2, "{arguments:?}: {code}: {stderr}");
        outcomes[usize::from(code == 2)] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 20), "help and refusals: {outcomes:?}");
}
