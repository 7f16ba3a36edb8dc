//! Shards that are killed, truncated, foreign, repeated or different: the total is right, or an error names
//! the shard.

use std::process::Stdio;

use proptest::prelude::*;
use queenlab::cluster::{ShardPlan, ShardResult, merge, missing};
use queenlab::record::sha256_hex;
use queenlab::registry::Registry;

use crate::cluster::{Work, kill_midway, merged_here, output, refused, run_here, run_until, stderr};
use crate::processes::Guard;

fn start(work: &Work, index: usize) -> Guard {
    let mut command = work.command("run");
    command.arg("--index").arg(index.to_string()).stdout(Stdio::null()).stderr(Stdio::piped());
    Guard::start(&mut command)
}

fn read_result(work: &Work, index: usize) -> ShardResult {
    let text = std::fs::read(work.result(index)).expect("a result");
    serde_json::from_slice(&text).expect("a result")
}

fn write_result(work: &Work, name: &str, result: ShardResult) {
    std::fs::create_dir_all(work.out()).expect("a directory");
    std::fs::write(work.out().join(name), result.sealed().and_then(|sealed| sealed.to_json()).expect("JSON"))
        .expect("a writable directory");
}

/// Kills three attempts at random instants of their progress, the first one in its middle, then lets one end.
fn run_with_kills(work: &Work, index: usize, random: &mut fastrand::Rng) {
    let lines = work.plan.len_of(index) as u64;
    kill_midway(work, index, ".log", 200);
    for _ in 0..2 {
        // A line of a log takes some 20 bytes at least.
        run_until(work, index, ".log", random.u64(0..lines * 6));
    }
    let ended = work.run(index);
    assert!(ended.status.success(), "{}", stderr(&ended));
}

#[test]
fn repeatedly_killed_shards_give_the_right_total() {
    for options in [&["--task", "enumerate", "--n", "13", "--depth", "5"][..], &["--n", "14"]] {
        let mut random = fastrand::Rng::with_seed(7);
        let work = Work::new(&[options, &["--shards", "2"]].concat());
        let whole = merged_here(&work.plan);
        for index in 0..2 {
            run_with_kills(&work, index, &mut random);
        }
        assert_eq!(Some(work.total()), whole.total);
        assert_eq!(work.summary()["digest"].as_str(), whole.summary.digest.as_deref());
        let resumed: usize = (0..2).map(|index| read_result(&work, index).resumed).sum();
        assert!(resumed > 0, "nothing was taken over");
    }
}

#[test]
fn finished_subproblems_of_killed_attempts_are_not_searched_again() {
    let work = Work::new(&["--task", "enumerate", "--n", "12", "--depth", "4", "--shards", "1"]);
    kill_midway(&work, 0, ".log", 5_000);
    let log = std::fs::read_dir(work.out().join("shard-0.work")).expect("a directory").flatten();
    let log = log.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|end| end == "log"));
    let text = std::fs::read_to_string(log.expect("a log")).expect("ASCII");
    let is_subproblem =
        |line: &&str| line.ends_with('\n') && line.starts_with(|byte: char| byte.is_ascii_digit());
    let complete_lines = text.split_inclusive('\n').filter(is_subproblem).count();
    assert!(work.run(0).status.success());
    assert_eq!((read_result(&work, 0).resumed, work.total()), (complete_lines, 14_200));
}

#[test]
fn a_shard_that_runs_many_times_at_once_counts_once() {
    let work = Work::new(&["--task", "enumerate", "--n", "12", "--shards", "3"]);
    let children: Vec<Guard> = (0..9).map(|number| start(&work, number % 3)).collect();
    for child in children {
        let ended = child.output();
        assert!(ended.status.success(), "{}", stderr(&ended));
    }
    assert_eq!(work.total(), 14_200);
    let left = std::fs::read_dir(work.out()).expect("a directory").count();
    assert_eq!(left, 4, "three results, merged.json and nothing else");
}

#[test]
fn an_attempt_whose_files_vanish_was_overtaken() {
    let work = Work::new(&["--task", "enumerate", "--n", "14", "--shards", "1"]);
    let slow = start(&work, 0);
    // The other attempt ends, and clears away what belongs to the shard.
    assert!(work.run(0).status.success());
    let _ = std::fs::remove_dir_all(work.out().join("shard-0.work"));
    let ended = slow.output();
    assert!(ended.status.success(), "{}", stderr(&ended));
    assert_eq!(work.total(), 365_596);
}

#[test]
fn a_truncated_result_is_named_listed_and_made_anew() {
    let work = Work::new(&["--n", "10", "--shards", "4"]);
    work.run_all();
    let whole = std::fs::read(work.result(3)).expect("a result");
    for length in [0, 1, 100, whole.len() - 2] {
        std::fs::write(work.result(3), &whole[..length]).expect("truncate");
        refused(&work.merge(), 1, &["shard 3", "shard-3.json", "1 of 4 shards"]);
        assert_eq!(work.missing(&[]), "3\n");
        assert!(work.run(3).status.success());
        assert_eq!(work.total(), 724);
    }
}

#[test]
fn a_result_of_another_plan_is_refused_by_name_and_stays() {
    let work = Work::new(&["--n", "10", "--shards", "4"]);
    let other = Work::new(&["--n", "10", "--shards", "5"]);
    work.run_all();
    other.run_all();
    std::fs::copy(other.result(2), work.result(2)).expect("a copy");
    let foreign = std::fs::read(work.result(2)).expect("a result");
    for refusal in [work.run(2), work.merge(), output(&mut work.command("missing"))] {
        refused(&refusal, 6, &["shard 2", "another plan", "choose another --out"]);
    }
    assert_eq!(std::fs::read(work.result(2)).expect("a result"), foreign);
}

#[test]
fn a_log_of_another_plan_is_refused_by_name() {
    let work = Work::new(&["--n", "10", "--shards", "4"]);
    let other = Work::new(&["--n", "10", "--shards", "5"]);
    let log = other.out().join("shard-1.work");
    std::fs::create_dir_all(work.out().join("shard-1.work")).expect("a directory");
    std::fs::create_dir_all(&log).expect("a directory");
    let header = format!("queenlab shard log 1 {} 1", other.plan.sha256);
    let header = format!("{header} {}\n", &sha256_hex(header.as_bytes())[..8]);
    std::fs::write(work.out().join("shard-1.work/x.log"), header).expect("a log");
    refused(&work.run(1), 6, &["shard 1", "x.log", "another plan"]);
}

#[test]
fn a_merge_wants_every_shard() {
    let work = Work::new(&["--n", "10", "--shards", "8"]);
    for index in [0, 2, 6] {
        assert!(work.run(index).status.success());
    }
    refused(&work.merge(), 1, &["5 of 8 shards", "1,3-5,7"]);
    assert!(!work.out().join("merged.json").exists());
}

#[test]
fn repeats_that_say_the_same_count_once_and_others_are_a_wrong_answer() {
    let work = Work::new(&["--n", "10", "--shards", "4"]);
    work.run_all();
    let result = read_result(&work, 1);
    let elsewhere = ShardResult { host: "elsewhere".into(), wall_ns: 1, cpu_ns: None, ..result.clone() };
    write_result(&work, "shard-1-copy.json", elsewhere);
    assert_eq!(work.total(), 724);
    assert_eq!(work.summary()["repeats"], 1);
    write_result(&work, "shard-1-copy.json", ShardResult { solutions: Some("7".into()), ..result });
    refused(&work.merge(), 3, &["shard 1", "7 solutions"]);
}

#[test]
fn a_total_that_contradicts_the_published_one_is_told_with_both() {
    let work = Work::new(&["--n", "10", "--shards", "4"]);
    work.run_all();
    let result = read_result(&work, 1);
    let more = result.solutions().expect("a count") + 2;
    write_result(&work, "shard-1.json", ShardResult { solutions: Some(more.to_string()), ..result });
    refused(&work.merge(), 3, &["n=10", "726", "A000170 has 724"]);
}

#[test]
fn a_result_under_another_shards_name_is_no_result() {
    let work = Work::new(&["--n", "10", "--shards", "4"]);
    work.run_all();
    std::fs::copy(work.result(1), work.result(2)).expect("a copy");
    refused(&work.merge(), 1, &["shard 2", "this is the result of shard 1"]);
    assert_eq!(work.missing(&[]), "2\n");
    assert!(work.run(2).status.success());
    assert_eq!(work.total(), 724);
}

/// A result as `shard run` would write it, for boards too large to search here.
fn made_up(plan: &ShardPlan, index: usize, solutions: u128) -> ShardResult {
    ShardResult {
        schema_version: 1,
        queenlab_version: "0.1.0".into(),
        plan_sha256: plan.sha256.clone(),
        index,
        task: plan.job.task().to_owned(),
        n: plan.job.n(),
        solver: None,
        subproblems: plan.len_of(index),
        solutions: Some(solutions.to_string()),
        digest: None,
        estimated: None,
        nodes: None,
        smaller: None,
        directory: None,
        runs_sha256: None,
        levels_sha256: None,
        host: "node".into(),
        started_at: "2026-11-21T00:00:00Z".into(),
        resumed: 0,
        threads: 1,
        wall_ns: 1,
        cpu_ns: Some(1),
        sha256: String::new(),
    }
}

#[test]
fn sums_go_beyond_64_bits_and_not_beyond_128() {
    let work = Work::new(&["--n", "30", "--depth", "2", "--shards", "3"]);
    assert_eq!(work.plan.job.task(), "count");
    for index in 0..3 {
        write_result(&work, &format!("shard-{index}.json"), made_up(&work.plan, index, u128::from(u64::MAX)));
    }
    assert_eq!(work.total(), 3 * u128::from(u64::MAX));
    for index in 0..3 {
        write_result(&work, &format!("shard-{index}.json"), made_up(&work.plan, index, u128::MAX / 2));
    }
    refused(&work.merge(), 1, &["shard 2", "exceeds 128 bits"]);
}

#[test]
#[ignore = "long: ten thousand files"]
fn ten_thousand_shards_are_merged() {
    let work = Work::new(&["--n", "17", "--shards", "10000"]);
    for index in 0..10_000 {
        let solutions = if index == 4_321 { 95_815_104 } else { 0 };
        write_result(&work, &format!("shard-{index}.json"), made_up(&work.plan, index, solutions));
    }
    assert_eq!(work.total(), 95_815_104);
    assert_eq!(work.missing(&["--ranges"]), "");
}

#[test]
fn an_output_directory_that_cannot_be_one_is_an_error_that_names_the_shard() {
    let work = Work::new(&["--n", "10", "--shards", "4"]);
    std::fs::write(work.out(), "a file").expect("a writable directory");
    refused(&work.run(2), 1, &["shard 2", "shards"]);
}

/// Two valid results of 6 queens.
fn six() -> (ShardPlan, tempfile::TempDir) {
    let plan = ShardPlan::count(6, "count/auto", None, Some(2)).expect("a plan");
    let out = tempfile::tempdir().expect("a temporary directory");
    for (index, solutions) in [(0, 2), (1, 2)] {
        let result = made_up(&plan, index, solutions).sealed().expect("JSON");
        let path = out.path().join(format!("shard-{index}.json"));
        std::fs::write(path, result.to_json().expect("JSON")).expect("a writable directory");
    }
    (plan, out)
}

proptest! {
    /// No byte of a result can be changed without the merge noticing it.
    #[test]
    fn a_changed_result_is_never_counted(at in 0_usize..1000, byte: u8) {
        let (plan, out) = six();
        prop_assert_eq!(merge(&plan, out.path(), &Registry::builtin()).expect("two results").total, Some(4));
        let path = out.path().join("shard-1.json");
        let whole = std::fs::read(&path).expect("a result");
        let mut changed = whole.clone();
        changed[at % whole.len()] = byte;
        std::fs::write(&path, &changed).expect("a writable directory");
        let value = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).ok();
        match merge(&plan, out.path(), &Registry::builtin()) {
            Ok(merged) => {
                prop_assert_eq!(value(&changed), value(&whole));
                prop_assert_eq!(merged.total, Some(4));
            }
            Err(error) => prop_assert!(error.to_string().contains("shard 1"), "{}", error),
        }
    }

    #[test]
    fn any_bytes_in_place_of_a_result_are_no_result(bytes: Vec<u8>) {
        let (plan, out) = six();
        std::fs::write(out.path().join("shard-0.json"), &bytes).expect("a writable directory");
        prop_assert_eq!(missing(&plan, out.path(), 9).expect("a directory"), [0]);
        let error = merge(&plan, out.path(), &Registry::builtin()).expect_err("a shard is missing");
        prop_assert!(error.to_string().contains("shard 0"), "{}", error);
        run_here(&plan, 0, out.path()).expect("a shard");
        prop_assert_eq!(missing(&plan, out.path(), 9).expect("a directory"), Vec::<usize>::new());
    }
}
