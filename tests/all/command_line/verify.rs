//! `verify --levels`: proved node counts.

use serde_json::Value;

use crate::harness::{assert_wording, refused, run, run_in, scratch, write};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("standard output is JSON alone")
}

#[test]
fn levels_are_proved_and_every_searcher_counts_as_many() {
    let (code, stdout, stderr) = run(&["verify", "0-6", "--levels"]);
    assert!(code == 0 && stderr.contains("28 levels") && stderr.contains("backtrack/bitmask"), "{stderr}");
    assert_wording("verify", "levels proved", &stderr);
    // A319284, n = 6: 1, 6, 20, 36, 46, 40, 4.
    let of_six = stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let of_six: Vec<&str> = of_six.filter(|words| words[0] == "6").map(|words| words[2]).collect();
    assert_eq!(of_six, ["1", "6", "20", "36", "46", "40", "4"]);
    let (code, stdout, _) = run(&["verify", "4", "--levels", "--json", "--solver", "backtrack/flag-arrays"]);
    let found = json(&stdout);
    assert_eq!((code, &found["agrees"]), (0, &Value::Bool(true)));
    let level = &found["levels"][2];
    assert_eq!((level["placements"].as_u64(), level["dead_ends"].as_u64()), (Some(6), Some(2)));
    assert_eq!(level["solvers"], serde_json::json!(["backtrack/flag-arrays"]));
}

#[test]
fn sizes_that_take_too_long_are_refused() {
    let error = refused(&["verify", "9", "--levels"]);
    assert!(error.contains("n = 8") && error.contains('9'), "{error}");
}

/// A program of the user is compared with SAT, the rules and the published counts; the first board that differs is drawn.
#[cfg(unix)]
#[test]
fn a_program_is_cross_checked_board_by_board() {
    let directory = scratch();
    let boards = |name: &str, boards: &str| write(directory.path(), name, &format!("printf '{boards}'\n"));
    boards("right.sh", "1 3 0 2\\n2 0 3 1\\n");
    boards("lost.sh", "1 3 0 2\\n");
    boards("illegal.sh", "1 3 0 2\\n2 0 3 1\\n0 1 2 3\\n");
    boards("twice.sh", "1 3 0 2\\n1 3 0 2\\n");
    write(directory.path(), "dies.sh", "exit 7\n");
    for (script, expected) in [("right", 0), ("lost", 3), ("illegal", 3), ("twice", 3), ("dies", 1)] {
        let command = format!("sh {script}.sh {{n}}");
        let (code, stdout, stderr) = run_in(directory.path(), &["verify", "4", "--program", &command]);
        assert_eq!(code, expected, "{script}: {stdout}{stderr}");
        assert_wording("verify", &format!("a program: {script}"), &format!("{stdout}{stderr}"));
    }
    let command = "sh right.sh {n} {seed}";
    assert_eq!(run_in(directory.path(), &["verify", "4", "--program", command]).0, 2);
    let twice = ["verify", "4", "--program", "sh right.sh {n}", "--program", "sh right.sh {n} 2"];
    assert_eq!(run_in(directory.path(), &twice).0, 2, "two programs of one name");
}
