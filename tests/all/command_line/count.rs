//! `count`: numbers, checkpoints, interruptions.

use crate::harness::{read, run, run_in, scratch, write};

#[test]
fn standard_output_is_the_number_alone_of_all_or_of_fundamental_solutions() {
    for (n, all, fundamental) in
        [("0", "1", "1"), ("1", "1", "1"), ("2", "0", "0"), ("8", "92", "12"), ("14", "365596", "45752")]
    {
        assert_eq!(run(&["count", n]), (0, format!("{all}\n"), String::new()));
        assert_eq!(run(&["count", n, "--fundamental"]), (0, format!("{fundamental}\n"), String::new()));
    }
    let other = run(&["count", "9", "--fundamental", "--solver", "backtrack/bitmask"]);
    assert_eq!(other, (0, "46\n".to_owned(), String::new()));
}

#[test]
fn json_says_what_the_counter_did_and_other_solvers_did_nothing_of_the_kind() {
    let json = |arguments: &[&str]| {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!(code, 0, "{stderr}");
        serde_json::from_str::<serde_json::Value>(&stdout).expect("JSON")
    };
    let found = json(&["count", "14", "--json", "--fundamental"]);
    assert_eq!((&found["solutions"], &found["fundamental"]), (&365_596.into(), &45_752.into()));
    for field in
        ["column_sets", "top_halves", "bottom_halves", "pieces", "meetings", "comparisons", "table_bytes"]
    {
        assert!(found["work"][field].as_u64().is_some_and(|value| value > 0), "{field}: {found}");
    }
    assert!(json(&["count", "8", "--json", "--solver", "backtrack/bitmask"])["work"].is_null());
}

/// The columns of A260320, A260319 and A260318 in crates/queens-board/src/known/solution_counts.csv; the only board of n = 1 is a class of 1.
#[test]
fn classes_have_8_4_2_and_1_boards_as_published() {
    for line in include_str!("../../../crates/queens-board/src/known/solution_counts.csv").lines().skip(1).take(14) {
        let fields: Vec<&str> = line.split(',').collect();
        let (two, one) = if fields[0] == "1" { ("0", "1") } else { (fields[7], "0") };
        let classes = format!("8\t{}\n4\t{}\n2\t{two}\n1\t{one}\n", fields[5], fields[6]);
        assert_eq!(run(&["count", fields[0], "--classes"]), (0, classes, String::new()));
    }
    let (code, stdout, _) = run(&["count", "12", "--classes", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((code, &found["classes"]), (0, &serde_json::json!({"8": 1765, "4": 18, "2": 4, "1": 0})));
    assert!(found["fundamental"].is_null());
    assert_eq!(run(&["count", "8", "--classes", "--fundamental"]).0, 2);
    let (code, _, stderr) = run(&["count", "8", "--classes", "--variant", "toroidal"]);
    assert!(code == 2 && stderr.contains("--classes works only for plain queens"), "{stderr}");
}

/// The refusal of a board that does not fit has its test beside the plan; this one fits, and is cut short.
#[test]
#[cfg(unix)]
fn the_cost_of_a_large_count_is_reported_before_it_begins() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};
    let first_line = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
        let mut child = crate::processes::Guard::start(
            command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped()),
        );
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("piped")).read_line(&mut line).expect("a line");
        line
    };
    assert_eq!(first_line(&["count", "20"]), "n=20: needs up to 297 MiB of memory\n");
    let (_, _, quiet) = run(&["count", "14"]);
    assert_eq!(quiet, "");
}

#[test]
fn a_checkpoint_of_another_count_is_refused_and_left_as_it_was() {
    let directory = scratch();
    let first = run_in(directory.path(), &["count", "14", "--checkpoint", "c"]);
    assert_eq!((first.0, first.1.as_str()), (0, "365596\n"));
    // Again: everything is done, and the number is the same.
    let again = run_in(directory.path(), &["count", "14", "--checkpoint", "c", "--solver", "count/portable"]);
    assert_eq!((again.0, again.1.as_str()), (0, "365596\n"), "{}", again.2);
    assert!(again.2.contains("1716 of 1716"), "{}", again.2);
    // The times of all sessions are added.
    let before = read(directory.path(), "c");
    let wall = before.lines().find_map(|line| line.strip_prefix("wall_ns=")).expect("a time");
    let spent: u64 = wall.parse().expect("a number");
    let json = run_in(directory.path(), &["count", "14", "--checkpoint", "c", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.1).expect("JSON");
    assert!(json["wall_ns"].as_u64().is_some_and(|wall| wall > spent), "{spent}: {json}");
    let before = read(directory.path(), "c");
    let other = run_in(directory.path(), &["count", "15", "--checkpoint", "c"]);
    assert_eq!(other.0, 6, "{}", other.2);
    assert!(other.2.contains("n=14 there, n=15 here"), "{}", other.2);
    assert_eq!(read(directory.path(), "c"), before);
    for text in ["", "my notes\n", "{\"schema_version\":1,\"finished\":[]}", &before[..before.len() / 2]] {
        write(directory.path(), "c", text);
        let refused = run_in(directory.path(), &["count", "14", "--checkpoint", "c"]);
        assert_eq!(refused.0, 2, "{}", refused.2);
        assert!(
            refused.2.contains("c: is not a checkpoint") || refused.2.contains("c: is damaged"),
            "{}",
            refused.2
        );
        assert_eq!(read(directory.path(), "c"), text);
    }
    let nowhere = run_in(directory.path(), &["count", "14", "--checkpoint", "none/c"]);
    assert_eq!(nowhere.0, 1, "{}", nowhere.2);
    let solver = ["count", "8", "--checkpoint", "d", "--solver", "backtrack/bitmask"];
    assert_eq!(run_in(directory.path(), &solver).0, 2);
}

#[test]
fn boards_that_do_not_fit_are_refused() {
    let (code, _, stderr) = run(&["count", "26"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(["count/auto", "--estimate", "--shard"].iter().all(|word| stderr.contains(word)), "{stderr}");
}

/// It is interrupted when its first subproblem is done, and ends before the last one.
#[cfg(unix)]
#[test]
fn an_interrupted_count_reports_its_progress_and_resumes_from_its_checkpoint() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::{Command, Stdio};

    use crate::processes::{Guard, until};

    let directory = scratch();
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args([
        "count",
        "17",
        "--solver",
        "count/portable",
        "-j1",
        "--checkpoint",
        "c",
        "--progress",
        "json",
    ]);
    let piped = command.current_dir(directory.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut count = Guard::start(piped);
    let mut stderr = BufReader::new(count.stderr.take().expect("piped"));
    let mut line = String::new();
    while !line.contains("\"counted\"") {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).expect("a line"), 0, "it ended");
    }
    count.signal(rustix::process::Signal::TERM);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("UTF-8");
    let status = until("it ends", || count.try_wait().expect("a child"));
    assert_eq!(status.code(), Some(130), "{rest}");
    assert!(rest.contains(" of 12870 subproblems done") && rest.contains("to resume"), "{rest}");
    let done = rest.split(" of 12870").next().and_then(|told| told.rsplit(' ').next()).expect("a number");
    let (code, stdout, stderr) = run_in(directory.path(), &["count", "17", "--checkpoint", "c"]);
    assert_eq!((code, stdout.as_str()), (0, "95815104\n"), "{stderr}");
    assert!(stderr.contains(&format!("resuming: {done} of 12870 ")), "{done}: {stderr}");
    let (code, _, stderr) = run_in(directory.path(), &["count", "17", "--checkpoint", "c"]);
    assert_eq!((code, stderr.as_str()), (0, "resuming: 12870 of 12870 subproblems are already done\n"));
}
