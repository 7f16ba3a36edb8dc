//! A sweep in shards becomes one ordinary result directory.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

use queenlab::record::{LevelRow, Row, table};
use queenlab::solver::Stat;

use crate::cluster::{Work, output, plan_in, queenlab, refused, stderr};
use crate::harness::rows;
use crate::processes::{Guard, until};

const SPEC: &str = r#"schema_version = 1
name = "sharded"
question = "Do shards come to the same?"
[sweep]
n = "4-7"
repeat = 2
warmup = 1
seed = 9
[[solver]]
id = "backtrack/bitmask"
[[solver]]
id = "backtrack/nested-loops"
[[solver]]
id = "sat/pairwise/varisat"
n = "4-5"
"#;

fn planned(shards: &str) -> Work {
    planned_from(SPEC, shards)
}

fn planned_from(spec: &str, shards: &str) -> Work {
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(directory.path().join("spec.toml"), spec).expect("a spec");
    let made = plan_in(directory.path(), &["--task", "sweep", "--spec", "spec.toml", "--shards", shards]);
    assert!(made.status.success(), "{}", stderr(&made));
    let plan = queenlab::cluster::ShardPlan::read(&directory.path().join("plan.json")).expect("a plan");
    Work { directory, plan }
}

/// All of a row that does not depend on when and where it ran.
fn lasting(row: &Row) -> (String, u32, Option<u64>, Option<String>, Option<u64>, String, String) {
    let (status, verdict) = (row.status.to_string(), format!("{:?}", row.verdict));
    (
        row.run_id.clone(),
        row.round,
        row.solutions,
        row.solutions_digest.clone(),
        row.stats.get(Stat::Nodes),
        status,
        verdict,
    )
}

#[test]
fn merged_shards_are_the_directory_that_the_sweep_would_have_made() {
    let work = planned("5");
    work.run_all();
    let merged = work.merge();
    assert!(merged.status.success(), "{}", stderr(&merged));
    let merged = work.out().join("merged");
    let whole = output(queenlab(work.path()).args(["sweep", "spec.toml", "--out", "whole", "--quiet"]));
    assert!(whole.status.success(), "{}", stderr(&whole));
    let whole = work.path().join("whole");
    let of = |directory: &Path| rows(directory).iter().map(lasting).collect::<Vec<_>>();
    assert_eq!(of(&merged), of(&whole), "the same rows in the same order");
    assert!(rows(&merged).iter().zip(1..).all(|(row, seq)| row.seq == seq));
    let levels = |directory: &Path| {
        let levels = table::read::<LevelRow>(directory).expect("levels.csv").into_iter();
        levels.map(|row| ((row.cell_id, row.level), (row.nodes, row.dead_ends))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(levels(&merged), levels(&whole));
    for file in ["crosscheck.csv", "timings.csv", "nodes.csv", "meta.json", "plots/time.svg"] {
        assert!(merged.join(file).exists(), "{file}");
    }
    assert_eq!(
        std::fs::read(merged.join("crosscheck.csv")).expect("a table"),
        std::fs::read(whole.join("crosscheck.csv")).expect("a table"),
    );
}

#[test]
fn a_sweep_calls_the_merged_directory_complete() {
    let work = planned("3");
    work.run_all();
    assert!(work.merge().status.success());
    let before = std::fs::read(work.out().join("merged/runs.csv")).expect("runs.csv");
    let again = output(queenlab(work.path()).args(["sweep", "spec.toml", "--out", "shards/merged"]));
    assert!(again.status.success(), "{}", stderr(&again));
    assert!(stderr(&again).contains("runs were already done"), "{}", stderr(&again));
    assert_eq!(std::fs::read(work.out().join("merged/runs.csv")).expect("runs.csv"), before);
    // Merging again is no harm.
    assert!(work.merge().status.success());
    assert_eq!(std::fs::read(work.out().join("merged/runs.csv")).expect("runs.csv"), before);
}

#[test]
fn a_killed_shard_of_a_sweep_resumes() {
    // A program whose runs hang from the one on that the file `allowed` names.
    let spec = "schema_version = 1\nname = \"hangs\"\n[sweep]\nn = \"4\"\nrepeat = 20\ntimeout = \"1h\"\n\
                [[program]]\nid = \"p\"\ncommand = [\"sh\", \"-c\", \"echo >> calls; \
                [ $(wc -l < calls) -lt $(cat allowed) ] || sleep 3600; echo 1 3 0 2; echo 2 0 3 1\"]\n";
    let work = planned_from(spec, "1");
    for allowed in [4, 9] {
        std::fs::write(work.path().join("allowed"), allowed.to_string()).expect("a writable directory");
        let shard = Guard::start(work.command("run").args(["--index", "0", "--quiet"]));
        until("the run that hangs", || {
            let calls = std::fs::read(work.path().join("calls")).ok()?;
            (calls.len() == allowed).then_some(())
        });
        drop(shard);
    }
    std::fs::write(work.path().join("allowed"), "100").expect("a writable directory");
    assert!(work.run(0).status.success());
    assert!(work.merge().status.success());
    let result = std::fs::read(work.result(0)).expect("a result");
    let result: serde_json::Value = serde_json::from_slice(&result).expect("JSON");
    // Runs 4 and 9 were killed.
    assert_eq!(result["resumed"], 3 + 4, "{result}");
    assert_eq!(rows(&work.out().join("merged")).len(), 20);
    assert_eq!(std::fs::read(work.path().join("calls")).expect("calls").len(), 22);
}

/// Runs of the spec: counting, one warm-up and two timed ones of seven cells, and three skips.
fn rows_planned() -> usize {
    7 * 4 + 3
}

#[test]
fn two_attempts_at_once_leave_one_result_and_one_directory() {
    let work = planned("2");
    let children: Vec<_> = (0..6)
        .map(|number: usize| {
            let mut command = work.command("run");
            command.args(["--index", &(number % 2).to_string()]).stderr(Stdio::piped());
            Guard::start(&mut command)
        })
        .collect();
    for child in children {
        let ended = child.output();
        assert!(ended.status.success(), "{}", stderr(&ended));
    }
    assert!(work.merge().status.success());
    assert_eq!(rows(&work.out().join("merged")).len(), rows_planned());
    let left = std::fs::read_dir(work.out()).expect("a directory").flatten().map(|entry| entry.file_name());
    let left: Vec<_> = left.collect();
    assert_eq!(left.len(), 6, "two results, two directories, merged and merged.json: {left:?}");
}

#[test]
fn changed_rows_of_a_shard_are_refused_by_name() {
    let work = planned("2");
    work.run_all();
    let result = std::fs::read(work.result(1)).expect("a result");
    let result: serde_json::Value = serde_json::from_slice(&result).expect("JSON");
    let directory = work.out().join(result["directory"].as_str().expect("a name"));
    let text = std::fs::read_to_string(directory.join("runs.csv")).expect("runs.csv");
    std::fs::write(directory.join("runs.csv"), text.replace(",complete,", ",timeout,")).expect("a change");
    refused(&work.merge(), 1, &["shard 1", "runs.csv"]);
}

#[test]
fn a_wrong_answer_in_a_shard_is_the_merges_exit_code() {
    let spec = "schema_version = 1\nname = \"wrong\"\n[sweep]\nn = \"4-5\"\nrepeat = 1\n\
                [[program]]\nid = \"mine\"\ncommand = [\"echo\", \"1 3 0 2\"]\n";
    let work = planned_from(spec, "2");
    work.run_all();
    assert_eq!(work.merge().status.code(), Some(3));
}
