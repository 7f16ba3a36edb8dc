//! `count`: printed numbers, checkpoints and interruptions.

use crate::harness::{
    assert_message, assert_wording, read, refused, run, run_in, scratch, without_numbers, write,
};

#[test]
fn count_prints_only_the_number_to_stdout() {
    for (n, all, fundamental) in
        [("0", "1", "1"), ("1", "1", "1"), ("2", "0", "0"), ("8", "92", "12"), ("14", "365596", "45752")]
    {
        assert_eq!(run(&["count", n]), (0, format!("{all}\n"), String::new()));
        assert_eq!(run(&["count", n, "--fundamental"]), (0, format!("{fundamental}\n"), String::new()));
    }
    let result_of_searcher = run(&["count", "9", "--fundamental", "--solver", "backtrack/bitmask"]);
    assert_eq!(result_of_searcher, (0, "46\n".to_owned(), String::new()));
}

#[test]
fn json_has_field_work_only_for_fast_counter() {
    let json = |arguments: &[&str]| {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!(code, 0, "{stderr}");
        serde_json::from_str::<serde_json::Value>(&stdout).expect("JSON")
    };
    let report = json(&["count", "14", "--json", "--fundamental"]);
    assert_eq!((&report["solutions"], &report["fundamental"]), (&365_596.into(), &45_752.into()));
    for field in
        ["column_sets", "top_halves", "bottom_halves", "pieces", "meetings", "comparisons", "table_bytes"]
    {
        assert!(report["work"][field].as_u64().is_some_and(|value| value > 0), "{field}: {report}");
    }
    assert!(json(&["count", "8", "--json", "--solver", "backtrack/bitmask"])["work"].is_null());
}

/// The published numbers are in the columns of A260320, A260319 and A260318 in crates/queens-board/src/known/solution_counts.csv.
/// The only board of n = 1 is a class of one board.
#[test]
fn numbers_of_symmetry_classes_match_published_table() {
    for line in
        include_str!("../../../crates/queens-board/src/known/solution_counts.csv").lines().skip(1).take(14)
    {
        let fields: Vec<&str> = line.split(',').collect();
        let (two, one) = if fields[0] == "1" { ("0", "1") } else { (fields[7], "0") };
        let classes = format!("8\t{}\n4\t{}\n2\t{two}\n1\t{one}\n", fields[5], fields[6]);
        assert_eq!(run(&["count", fields[0], "--classes"]), (0, classes, String::new()));
    }
    let (code, stdout, _) = run(&["count", "12", "--classes", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((code, &report["classes"]), (0, &serde_json::json!({"8": 1765, "4": 18, "2": 4, "1": 0})));
    assert!(report["fundamental"].is_null());
    assert_eq!(run(&["count", "8", "--classes", "--fundamental"]).0, 2);
    let error = refused(&["count", "8", "--classes", "--variant", "toroidal"]);
    assert!(error.contains("--classes"), "{error}");
}

/// The count of 20 queens takes long. The test reads the first line and kills the process.
#[test]
#[cfg(unix)]
fn memory_of_large_count_is_printed_before_counting() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};
    let first_line_of_stderr = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
        let mut child = crate::processes::Guard::start(
            command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped()),
        );
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("piped")).read_line(&mut line).expect("a line");
        line
    };
    let line = first_line_of_stderr(&["count", "20"]);
    assert!(line.contains("n=20") && line.contains("297 MiB"), "{line}");
    assert_wording("count", "memory of count 20", &line);
    let (_, _, stderr) = run(&["count", "14"]);
    assert_eq!(stderr, "", "a short count must print no message");
}

#[test]
fn checkpoint_of_another_count_is_refused_and_kept() {
    let directory = scratch();
    let first_result = run_in(directory.path(), &["count", "14", "--checkpoint", "c"]);
    assert_eq!((first_result.0, first_result.1.as_str()), (0, "365596\n"));
    // The repeated command finds that all subproblems are finished, and prints the same number.
    let repeated_result =
        run_in(directory.path(), &["count", "14", "--checkpoint", "c", "--solver", "count/portable"]);
    assert_eq!((repeated_result.0, repeated_result.1.as_str()), (0, "365596\n"), "{}", repeated_result.2);
    assert!(repeated_result.2.contains("1,716 of 1,716"), "{}", repeated_result.2);
    // The JSON reports the sum of the times of all sessions.
    let checkpoint_before = read(directory.path(), "c");
    let wall = checkpoint_before.lines().find_map(|line| line.strip_prefix("wall_ns=")).expect("a time");
    let earlier_wall_ns: u64 = wall.parse().expect("a number");
    let json = run_in(directory.path(), &["count", "14", "--checkpoint", "c", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.1).expect("JSON");
    assert!(json["wall_ns"].as_u64().is_some_and(|wall| wall > earlier_wall_ns), "{earlier_wall_ns}: {json}");
    let checkpoint_before = read(directory.path(), "c");
    let refused_result = run_in(directory.path(), &["count", "15", "--checkpoint", "c"]);
    assert_eq!(refused_result.0, 6, "{}", refused_result.2);
    assert!(refused_result.2.contains("n=14") && refused_result.2.contains("n=15"), "{}", refused_result.2);
    assert_message(directory.path(), &["count", "15", "--checkpoint", "c"], &refused_result.2);
    assert_eq!(read(directory.path(), "c"), checkpoint_before);
    for (what, text) in [
        ("empty", ""),
        ("notes", "my notes\n"),
        ("JSON", "{\"schema_version\":1,\"finished\":[]}"),
        ("half", &checkpoint_before[..checkpoint_before.len() / 2]),
    ] {
        write(directory.path(), "c", text);
        let refused_result = run_in(directory.path(), &["count", "14", "--checkpoint", "c"]);
        assert_eq!(refused_result.0, 2, "{}", refused_result.2);
        assert!(refused_result.2.starts_with("error: c: "), "{}", refused_result.2);
        assert_wording("count", &format!("not a checkpoint: {what}"), &refused_result.2);
        assert_eq!(read(directory.path(), "c"), text);
    }
    let missing_directory = run_in(directory.path(), &["count", "14", "--checkpoint", "none/c"]);
    assert_eq!(missing_directory.0, 1, "{}", missing_directory.2);
    let solver = ["count", "8", "--checkpoint", "d", "--solver", "backtrack/bitmask"];
    assert_eq!(run_in(directory.path(), &solver).0, 2);
}

#[test]
fn count_of_26_queens_is_refused_with_alternatives() {
    let stderr = refused(&["count", "26"]);
    assert!(["count/auto", "--estimate", "--shard"].iter().all(|word| stderr.contains(word)), "{stderr}");
}

/// The count is interrupted after its first checkpoint, long before its end.
#[cfg(unix)]
#[test]
fn interrupted_count_reports_progress_and_resumes() {
    use std::process::{Command, Stdio};

    use crate::processes::{Guard, until};

    let directory = scratch();
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["count", "18", "--solver", "count/portable", "-j1", "--checkpoint", "c"]);
    let piped = command.current_dir(directory.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let count = Guard::start(piped);
    until("a checkpoint", || directory.path().join("c").exists().then_some(()));
    count.signal(rustix::process::Signal::TERM);
    let output = count.output();
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    let finished_count =
        stderr.split(" of 24,310").next().and_then(|before| before.rsplit(' ').next()).expect("a number");

    assert_wording("count", "interrupted", &without_numbers(stderr.lines().last().expect("a message")));
    let resume = ["count", "18", "--checkpoint", "c"];
    let (code, stdout, stderr) = run_in(directory.path(), &resume);
    assert_eq!((code, stdout.as_str()), (0, "666090624\n"), "{stderr}");
    assert!(stderr.contains(&format!(" {finished_count} of 24,310 ")), "{finished_count}: {stderr}");
    let (code, _, stderr) = run_in(directory.path(), &resume);
    assert!(code == 0 && stderr.contains(" 24,310 of 24,310 "), "{stderr}");
    assert_message(directory.path(), &resume, &stderr);
}
