//! `count --shard` and `--merge`: what they print and write, their exit codes, and what kills and repeats do to them.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::processes::{Guard, until};
use crate::harness::{read, run_in, scratch, sealed, write};

/// The exit code and the message of a shard of 14 queens.
fn shard(directory: &Path, shard: &str) -> (i32, String) {
    let (code, stdout, stderr) = run_in(directory, &["count", "14", "--shard", shard, "--out", "out"]);
    assert_eq!(stdout, "", "a shard is no count");
    (code, stderr)
}

fn merge(directory: &Path) -> (i32, String, String) {
    run_in(directory, &["count", "14", "--merge", "out"])
}

/// Three shards of 14 queens.
fn three(directory: &Path) {
    for number in 1..=3 {
        let (code, stderr) = shard(directory, &format!("{number}/3"));
        let done = format!("n=14: shard {number}/3: done, 572 subproblems with ");
        assert!(code == 0 && stderr.starts_with(&done), "{stderr}");
    }
}

/// A result whose body was changed, with a check that fits.
fn change(directory: &Path, from: &str, to: &str) {
    let text = read(directory, "out/n14-shard-2-of-3.count");
    let body = text.split("check=").next().expect("a text");
    let line = body.lines().find(|line| line.starts_with(from)).expect("a line");
    write(directory, "out/n14-shard-2-of-3.count", &sealed(&body.replacen(line, to, 1)));
}

#[test]
fn shards_add_up_to_the_number_that_a_count_prints() {
    let directory = scratch();
    three(directory.path());
    assert!(shard(directory.path(), "2/3").1.starts_with("n=14: shard 2/3: already done"));
    let (code, stdout, stderr) = merge(directory.path());
    assert_eq!((code, stdout.as_str()), (0, "365596\n"), "{stderr}");
    assert!(stderr.starts_with("n=14: 3 shards, together ") && stderr.contains("A000170"), "{stderr}");
    assert!(read(directory.path(), "out/n14-shard-2-of-3.count").len() < 1000);
    let json = ["count", "14", "--merge", "out", "--json", "--fundamental", "-q"];
    let (_, stdout, stderr) = run_in(directory.path(), &json);
    let found: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((&found["solutions"], &found["fundamental"]), (&365_596.into(), &45_752.into()), "{stderr}");
    assert_eq!((&found["shards"], &found["n"]), (&3.into(), &14.into()));
}

#[test]
fn an_incomplete_merge_ends_with_1_an_unfit_one_with_2_and_a_wrong_total_with_3() {
    let directory = scratch();
    let directory = directory.path();
    let ended = |code: i32, told: &str| {
        let (found, stdout, stderr) = merge(directory);
        assert!(
            found == code && stdout.is_empty() == (code != 3) && stderr.contains(told),
            "{found} {stderr}"
        );
    };
    std::fs::create_dir(directory.join("out")).expect("a directory");
    ended(2, "out: has no results of shards");
    three(directory);
    let right = read(directory, "out/n14-shard-2-of-3.count");
    std::fs::remove_file(directory.join("out/n14-shard-2-of-3.count")).expect("removed");
    ended(1, "1 of 3 shards have no result: 2");
    for (from, to, code, told) in [
        ("n=", "n=15", 2, "does not belong here: n=15 there, n=14 here"),
        ("version=", "version=0.0.1", 2, "does not belong here: version=0.0.1 there"),
        ("done=", "done=0-570", 2, "is not finished: run the shard again"),
        ("solutions=", "solutions=1", 3, "the sum of 3 shards counted 243661, but A000170 has 365596"),
    ] {
        write(directory, "out/n14-shard-2-of-3.count", &right);
        change(directory, from, to);
        ended(code, told);
    }
    write(directory, "out/n14-shard-2-of-3.count", &right[..right.len() - 9]);
    ended(2, "n14-shard-2-of-3.count: is damaged");
    write(directory, "out/n14-shard-2-of-3.count", &right);
    write(directory, "out/another.count", &right);
    let (code, stdout, stderr) = merge(directory);
    assert_eq!((code, stdout.as_str()), (0, "365596\n"));
    assert!(stderr.contains("shard 2/3 has two equal results"), "{stderr}");
}

#[test]
fn a_merged_total_beyond_64_bits_is_a_wrong_answer() {
    let directory = scratch();
    let directory = directory.path();
    three(directory);
    change(directory, "solutions=", "solutions=18446744073709551615");
    for (option, expected) in
        [("--quiet", "18446744073709795275"), ("--json", "\"18446744073709795275\""), ("--classes", "")]
    {
        let (code, stdout, stderr) = run_in(directory, &["count", "14", "--merge", "out", option]);
        assert_eq!(code, 3, "{option}: {stderr}");
        assert!(stdout.contains(expected) && stderr.contains("A000170"), "{option}: {stdout} {stderr}");
    }
}

#[test]
fn a_shard_counts_again_what_is_damaged_and_refuses_the_files_of_another_version() {
    let directory = scratch();
    let directory = directory.path();
    three(directory);
    let right = read(directory, "out/n14-shard-2-of-3.count");
    write(directory, "out/n14-shard-2-of-3.count", &right[..100]);
    let (code, stderr) = shard(directory, "2/3");
    assert!(code == 0 && stderr.contains("shard 2/3: done"), "{stderr}");
    assert_eq!(std::fs::read_dir(directory.join("out")).expect("a directory").count(), 3);
    assert_eq!(merge(directory).0, 0);
    change(directory, "version=", "version=0.0.1");
    let (code, stderr) = shard(directory, "2/3");
    assert!(code == 6 && stderr.contains("version=0.0.1 there"), "{stderr}");
}

#[test]
fn impossible_shards_are_refused() {
    let directory = scratch();
    for (arguments, told) in [
        (&["14", "--shard", "4/3", "--out", "o"][..], "write I/K, for example 3/64"),
        (&["14", "--shard", "1/3"], "--out"),
        (&["14", "--out", "o"], "--shard"),
        (&["8", "--shard", "1/3", "--out", "o"], "n = 8: the largest number of shards is 1"),
        (&["29", "--shard", "1/3", "--out", "o"], "n = 29 is too large for this counter: choose n up to 28"),
        (
            &["14", "--shard", "1/3", "--out", "o", "--solver", "backtrack/dlx"],
            "only with the solvers count/*",
        ),
        (&["14", "--shard", "1/3", "--out", "o", "--merge", "o"], "cannot be used with"),
        (&["14", "--merge", "nowhere"], "nowhere"),
    ] {
        let (code, stdout, stderr) = run_in(directory.path(), &[&["count"], arguments].concat());
        assert!(matches!(code, 1 | 2) && stdout.is_empty() && stderr.contains(told), "{code} {stderr}");
        assert!(!directory.path().join("o/n14-shard-1-of-3.count").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_killed_shard_is_repeated_and_two_attempts_at_once_leave_one_result() {
    let directory = scratch();
    let start = |shard: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
        command.args(["count", "16", "--solver", "count/portable", "-j1"]);
        command.args(["--shard", shard, "--out", "out"]).current_dir(directory.path());
        Guard::start(command.stdout(Stdio::null()).stderr(Stdio::piped()))
    };
    // It is killed as soon as it counts.
    let mut killed = start("1/2");
    until("it begins", || directory.path().join("out").exists().then_some(()));
    killed.signal(rustix::process::Signal::KILL);
    until("it ends", || killed.try_wait().expect("a child"));
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
