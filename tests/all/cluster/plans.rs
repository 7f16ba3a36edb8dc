//! Plans: the same options give the same small plan, and a changed plan is rejected.

use proptest::prelude::*;
use queenlab::cluster::{Job, ShardPlan};

use crate::cluster::{Work, output, plan_in, queenlab, refused, stdout};

#[test]
fn the_same_options_give_the_same_plan_with_all_that_it_is_about() {
    let options = ["--task", "enumerate", "--n", "12", "--depth", "3", "--shards", "10"];
    let work = Work::new(&options);
    let text = |work: &Work| std::fs::read_to_string(work.path().join("plan.json")).expect("a plan");
    assert_eq!(text(&work), text(&Work::new(&options)));
    let printed = output(queenlab(work.path()).args(["shard", "plan"]).args(options));
    assert_eq!(stdout(&printed), text(&work), "standard output is the default");
    let plan = &work.plan;
    assert_eq!((&plan.job, plan.shards), (&Job::Enumerate { n: 12, depth: 3 }, 10));
    assert_eq!(plan.queenlab_version, env!("CARGO_PKG_VERSION"));
    let other = Work::new(&["--task", "enumerate", "--n", "12", "--depth", "3", "--shards", "11"]);
    assert_ne!(plan.sha256, other.plan.sha256);
}

#[test]
fn a_plan_of_24_queens_says_what_is_cut_and_lists_nothing() {
    for options in [["--n", "24", "--shards", "10000"], ["--n", "22", "--shards", "10000"]] {
        let work = Work::new(&options);
        let bytes = std::fs::metadata(work.path().join("plan.json")).expect("a plan").len();
        assert!(bytes < 1000 && work.plan.subproblems > 100_000, "{bytes}: {:?}", work.plan);
    }
}

#[test]
fn an_index_beyond_the_plan_is_bad_usage() {
    let work = Work::new(&["--n", "8", "--shards", "4"]);
    refused(&work.run(4), 2, &["there is no shard 4", "shards 0 to 3"]);
    refused(&work.run(usize::MAX), 2, &["shards 0 to 3"]);
    let negative = output(work.command("run").arg("--index=-1"));
    refused(&negative, 2, &["invalid value"]);
    assert!(!work.out().exists(), "nothing is left behind");
}

#[test]
fn what_cannot_be_planned_is_answered_with_the_way_out() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (options, told) in [
        (
            &["--n", "4", "--shards", "99"][..],
            "there are 3 prefixes; choose 1 to 3 shards, or a greater --depth",
        ),
        (&["--n", "8", "--shards", "0"], "choose 1 to"),
        (&["--n", "16", "--shards", "7000"], "there are 6470 column sets"),
        (&["--n", "8", "--depth", "8"], "for n = 8, choose a depth from 0 to 7"),
        (&["--n", "33"], "n = 33: the task count supports boards up to n = 32"),
        (&["--n", "32", "--depth", "20"], "choose a smaller depth"),
        (&["--n", "32", "--depth", "31"], "choose a smaller depth"),
        (
            &["--n", "8", "--solver", "sat/pairwise/varisat"],
            "supports only count/portable, count/avx2, count/avx512, count/auto, count/block",
        ),
        (
            &["--n", "8", "--task", "enumerate", "--solver", "count/auto"],
            "the task enumerate supports only count/block",
        ),
        (&["--task", "sweep"], "--task sweep takes --spec FILE"),
        (&["--task", "count"], "--task count takes --n N"),
        (&["--task", "sweep", "--spec", "none.toml"], "none.toml: cannot be read"),
    ] {
        refused(&plan_in(directory.path(), options), 2, &[told]);
    }
    assert_eq!(std::fs::read_dir(directory.path()).expect("a directory").count(), 0);
}

#[test]
fn a_changed_plan_is_refused_by_every_command() {
    let work = Work::new(&["--n", "10", "--shards", "4"]);
    let path = work.path().join("plan.json");
    let text = std::fs::read_to_string(&path).expect("a plan");
    std::fs::write(&path, text.replace("\"shards\": 4", "\"shards\": 3")).expect("a changed plan");
    for refusal in [work.run(0), work.merge(), output(&mut work.command("missing"))] {
        refused(&refusal, 2, &["plan.json", "the plan was changed after it was made"]);
    }
    std::fs::write(&path, "no plan").expect("a writable directory");
    refused(&work.run(0), 2, &["plan.json", "this is not a plan"]);
    std::fs::remove_file(&path).expect("a plan");
    refused(&work.run(0), 2, &["plan.json"]);
}

/// As `shard plan` wrote it before the format changed.
#[test]
fn a_plan_of_the_format_before_is_refused_with_both_formats() {
    let work = Work::new(&["--n", "10", "--shards", "4"]);
    let old = r#"{"schema_version": 1, "queenlab_version": "0.1.0", "task": "count", "n": 10, "solver": "count/auto",
        "partition": "prefixes", "depth": 2, "symmetry": "mirror", "deal": "stride", "subproblems": 36,
        "partition_sha256": "", "shards": 4, "spec": null, "external": null, "sha256": ""}"#;
    std::fs::write(work.path().join("plan.json"), old).expect("a writable directory");
    for refusal in [work.run(0), work.merge(), output(&mut work.command("missing"))] {
        refused(&refusal, 6, &["in format 1", "format 2", "make a new plan"]);
    }
}

#[test]
fn a_plan_may_be_formatted_anew() {
    let work = Work::new(&["--n", "8", "--shards", "2"]);
    let path = work.path().join("plan.json");
    let value: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).expect("a plan")).expect("JSON");
    std::fs::write(&path, value.to_string()).expect("a writable directory");
    work.run_all();
    assert_eq!(work.total(), 92);
}

proptest! {
    #[test]
    fn any_bytes_are_no_plan(bytes: Vec<u8>) {
        prop_assert!(ShardPlan::parse(&bytes, "plan.json".as_ref()).is_err());
    }

    #[test]
    fn no_changed_byte_of_a_plan_is_believed(at in 0_usize..1000, byte: u8) {
        let plan = ShardPlan::count(10, "count/auto", Some(2), Some(4)).expect("a plan");
        let mut text = plan.to_json().expect("JSON").into_bytes();
        let at = at % text.len();
        text[at] = byte;
        if let Ok(read) = ShardPlan::parse(&text, "plan.json".as_ref()) {
            // White space and escapes may differ.
            prop_assert_eq!(read, plan);
        }
    }
}
