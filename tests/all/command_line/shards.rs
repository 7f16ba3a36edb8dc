//! `count --shard` and `count --merge`: output, files, exit codes, kills and repetitions.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::processes::{Guard, until};
use crate::harness::{assert_message, assert_wording, read, run_in, scratch, with_checksum, write};

/// Counts a shard of 14 queens. Returns the exit code and standard error.
fn count_shard(directory: &Path, shard: &str) -> (i32, String) {
    let (code, stdout, stderr) = run_in(directory, &["count", "14", "--shard", shard, "--out", "out"]);
    assert_eq!(stdout, "", "a shard must not print a number");
    (code, stderr)
}

fn merge(directory: &Path) -> (i32, String, String) {
    run_in(directory, &["count", "14", "--merge", "out"])
}

/// Counts the three shards of 14 queens.
fn count_three_shards(directory: &Path) {
    for number in 1..=3 {
        let (code, stderr) = count_shard(directory, &format!("{number}/3"));
        assert!(
            code == 0 && stderr.contains(&format!(" {number}/3: ")) && stderr.contains(" 572 "),
            "{stderr}"
        );
        assert_wording("count", &format!("shard {number}/3 of 14"), &stderr);
    }
}

/// Replaces a line in the result of shard 2, and adjusts the checksum.
fn change_result(directory: &Path, line_start: &str, replacement: &str) {
    let text = read(directory, "out/n14-shard-2-of-3.count");
    let body = text.split("check=").next().expect("a text");
    let line = body.lines().find(|line| line.starts_with(line_start)).expect("a line");
    write(directory, "out/n14-shard-2-of-3.count", &with_checksum(&body.replacen(line, replacement, 1)));
}

#[test]
fn merged_shards_give_the_published_count() {
    let directory = scratch();
    count_three_shards(directory.path());
    assert_wording("count", "shard 2/3 of 14, again", &count_shard(directory.path(), "2/3").1);
    let (code, stdout, stderr) = merge(directory.path());
    assert_eq!((code, stdout.as_str()), (0, "365596\n"), "{stderr}");
    assert!(stderr.contains("3 shards") && stderr.contains("A000170"), "{stderr}");
    assert!(read(directory.path(), "out/n14-shard-2-of-3.count").len() < 1000);
    let json = ["count", "14", "--merge", "out", "--json", "--fundamental", "-q"];
    let (_, stdout, stderr) = run_in(directory.path(), &json);
    let merged_result: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(
        (&merged_result["solutions"], &merged_result["fundamental"]),
        (&365_596.into(), &45_752.into()),
        "{stderr}"
    );
    assert_eq!((&merged_result["shards"], &merged_result["n"]), (&3.into(), &14.into()));
}

#[test]
fn invalid_merges_exit_with_1_2_or_3() {
    let directory = scratch();
    let directory = directory.path();
    let assert_merge = |expected: i32, situation: &str| {
        let (code, stdout, stderr) = merge(directory);
        assert_eq!((code, stdout.is_empty()), (expected, code != 3), "{situation}: {stderr}");
        assert_wording("count", &format!("merge: {situation}"), &stderr);
    };
    std::fs::create_dir(directory.join("out")).expect("a directory");
    assert_merge(2, "an empty directory");
    count_three_shards(directory);
    let original_result = read(directory, "out/n14-shard-2-of-3.count");
    std::fs::remove_file(directory.join("out/n14-shard-2-of-3.count")).expect("removed");
    assert_merge(1, "shard 2 is missing");
    for (from, to, code) in [
        ("n=", "n=15", 2),
        ("version=", "version=0.0.1", 2),
        ("done=", "done=0-570", 2),
        ("solutions=", "solutions=1", 3),
    ] {
        write(directory, "out/n14-shard-2-of-3.count", &original_result);
        change_result(directory, from, to);
        assert_merge(code, to);
    }
    write(directory, "out/n14-shard-2-of-3.count", &original_result[..original_result.len() - 9]);
    assert_merge(2, "a damaged result");
    write(directory, "out/n14-shard-2-of-3.count", &original_result);
    write(directory, "out/another.count", &original_result);
    let (code, stdout, stderr) = merge(directory);
    assert_eq!((code, stdout.as_str()), (0, "365596\n"));
    assert!(stderr.contains("shard 2/3"), "{stderr}");
    let warning = stderr.lines().find(|line| line.contains("shard 2/3"));
    assert_wording("count", "merge: two results of shard 2", warning.expect("a warning"));
}

#[test]
fn merged_total_beyond_64_bits_is_wrong_answer() {
    let directory = scratch();
    let directory = directory.path();
    count_three_shards(directory);
    change_result(directory, "solutions=", "solutions=18446744073709551615");
    for (option, expected) in
        [("--quiet", "18446744073709795275"), ("--json", "\"18446744073709795275\""), ("--classes", "")]
    {
        let (code, stdout, stderr) = run_in(directory, &["count", "14", "--merge", "out", option]);
        assert_eq!(code, 3, "{option}: {stderr}");
        assert!(stdout.contains(expected) && stderr.contains("A000170"), "{option}: {stdout} {stderr}");
    }
}

#[test]
fn damaged_shard_is_recounted_and_other_version_refused() {
    let directory = scratch();
    let directory = directory.path();
    count_three_shards(directory);
    let original_result = read(directory, "out/n14-shard-2-of-3.count");
    write(directory, "out/n14-shard-2-of-3.count", &original_result[..100]);
    let (code, stderr) = count_shard(directory, "2/3");
    assert!(code == 0 && stderr.contains("shard 2/3"), "{stderr}");
    assert_eq!(std::fs::read_dir(directory.join("out")).expect("a directory").count(), 3);
    assert_eq!(merge(directory).0, 0);
    change_result(directory, "version=", "version=0.0.1");
    let (code, stderr) = count_shard(directory, "2/3");
    assert!(code == 6 && stderr.contains("version=0.0.1 instead of version="), "{stderr}");
}

#[test]
fn invalid_shard_arguments_are_refused() {
    let directory = scratch();
    for (expected, arguments, value) in [
        (2, &["14", "--shard", "4/3", "--out", "o"][..], "I/K"),
        (2, &["14", "--shard", "1/3"], "--out"),
        (2, &["14", "--out", "o"], "--shard"),
        (2, &["8", "--shard", "1/3", "--out", "o"], "n = 8"),
        (2, &["29", "--shard", "1/3", "--out", "o"], "n = 29"),
        (2, &["14", "--shard", "1/3", "--out", "o", "--solver", "backtrack/dlx"], "count/*"),
        (2, &["14", "--shard", "1/3", "--out", "o", "--merge", "o"], "--merge"),
        (1, &["14", "--merge", "nowhere"], "nowhere"),
    ] {
        let arguments = [&["count"], arguments].concat();
        let (code, stdout, stderr) = run_in(directory.path(), &arguments);
        assert_eq!((code, stdout.as_str()), (expected, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(value), "{arguments:?}: {stderr}");
        assert_message(directory.path(), &arguments, &stderr);
        assert!(!directory.path().join("o/n14-shard-1-of-3.count").exists());
    }
}

#[cfg(unix)]
#[test]
fn killed_shard_is_repeated_without_duplicate_result() {
    let directory = scratch();
    let start = |shard: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
        command.args(["count", "16", "--solver", "count/portable", "-j1"]);
        command.args(["--shard", shard, "--out", "out"]).current_dir(directory.path());
        Guard::start(command.stdout(Stdio::null()).stderr(Stdio::piped()))
    };
    // The shard is killed as soon as it has started to count.
    let mut killed_shard = start("1/2");
    until("the start of the count", || directory.path().join("out").exists().then_some(()));
    killed_shard.signal(rustix::process::Signal::KILL);
    until("the end of the killed shard", || killed_shard.try_wait().expect("a child"));
    let attempts = ["1/2", "1/2", "2/2"].map(start);
    for attempt in attempts {
        let output = attempt.output();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let names = std::fs::read_dir(directory.path().join("out")).expect("a directory").flatten();
    let names: Vec<String> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(names.iter().filter(|name| name.ends_with(".count")).count(), 2, "{names:?}");
    let (code, stdout, stderr) = run_in(directory.path(), &["count", "16", "--merge", "out"]);
    assert_eq!((code, stdout.as_str()), (0, "14772512\n"), "{stderr}");
}
