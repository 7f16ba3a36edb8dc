//! Plans: the same options give the same small plan, and a changed plan is rejected.

use proptest::prelude::*;
use queenlab::cluster::{self, ClusterError, Job, MAX_PREFIXES, MAX_SUBPROBLEMS, Partition, ShardPlan};
use queenlab::record::sha256_hex;

use crate::cluster::{Work, output, plan_in, queenlab, refused, run_here, stdout};

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
fn requests_that_cannot_be_planned_are_answered_with_advice() {
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

/// With the digest of its other keys, as docs/FORMATS.md describes it.
fn sealed(plan: ShardPlan) -> ShardPlan {
    let bare = ShardPlan { sha256: String::new(), ..plan };
    let sha256 = sha256_hex(&serde_json::to_vec(&bare).expect("JSON"));
    ShardPlan { sha256, ..bare }
}

fn parsed(plan: &ShardPlan) -> Result<ShardPlan, ClusterError> {
    ShardPlan::parse(plan.to_json().expect("JSON").as_bytes(), "plan.json".as_ref())
}

fn count() -> ShardPlan {
    ShardPlan::count(14, "count/auto", None, Some(4)).expect("a plan")
}

#[test]
fn a_plan_of_another_version_or_format_is_refused_by_both_names() {
    assert_eq!(parsed(&sealed(count())).expect("a plan"), count());
    for (plan, words) in [
        (ShardPlan { queenlab_version: "9.9.9".into(), ..count() }, "made by queenlab 9.9.9 in format 2"),
        (ShardPlan { schema_version: 1, ..count() }, "in format 1, but this is version"),
    ] {
        let refusal = parsed(&sealed(plan)).expect_err("another version");
        assert!(matches!(refusal, ClusterError::Foreign(_)));
        assert!(refusal.to_string().contains(words), "{refusal}");
    }
}

#[test]
fn a_board_that_is_divided_differently_is_noticed() {
    let out = tempfile::tempdir().expect("a temporary directory");
    let plan = sealed(ShardPlan { partition_sha256: "0".repeat(64), ..count() });
    let refusal = run_here(&parsed(&plan).expect("a plan"), 0, out.path()).expect_err("another partition");
    assert!(matches!(refusal, ClusterError::Foreign(_)));
    assert!(refusal.to_string().contains("splits the board differently"), "{refusal}");
}

#[test]
fn keys_of_another_job_are_refused() {
    let text = count().to_json().expect("JSON");
    for unknown in ["\"deal\": \"stride\"", "\"spec\": null", "\"depth\": 3"] {
        for key in ["\"n\"", "\"shards\""] {
            let text = text.replacen(key, &format!("{unknown}, {key}"), 1);
            let refusal = ShardPlan::parse(text.as_bytes(), "p".as_ref()).expect_err("an unknown key");
            assert!(refusal.to_string().contains("unknown field"), "{refusal}");
        }
    }
}

#[test]
fn the_plan_of_a_sweep_is_not_searched_and_that_of_a_search_is_not_swept() {
    let out = tempfile::tempdir().expect("a temporary directory");
    let registry = queenlab::registry::Registry::builtin();
    let spec =
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[solver]]\nid = \"backtrack/bitmask\"\n";
    let sweep = ShardPlan::sweep("x.toml", spec, None, None, &registry).expect("a plan");
    let refusals = [
        run_here(&sweep, 0, out.path()),
        cluster::sweep(&count(), 0, out.path(), &registry, |plan, _| panic!("nothing is run: {plan:?}")),
    ];
    for refusal in refusals {
        assert!(matches!(refusal, Err(ClusterError::Request(_))), "{refusal:?}");
    }
}

#[test]
fn shards_have_enough_prefixes_where_the_board_has_them() {
    let depth = |n, shards| ShardPlan::enumerate(n, None, shards).expect("a plan").job;
    for (n, depth_of_64) in [(0, 0), (1, 0), (4, 2)] {
        assert_eq!(depth(n, None), Job::Enumerate { n, depth: depth_of_64 });
    }
    assert_eq!(depth(24, Some(1_000_000)), Job::Enumerate { n: 24, depth: 5 });
    let deepest = ShardPlan::enumerate(32, None, Some(MAX_PREFIXES));
    let told = deepest.expect_err("too many shards").to_string();
    assert!(
        told.contains("prefixes; choose 1 to "),
        "the deepest that does not make the list too long: {told}"
    );
    for (n, shards) in [(12, 64), (16, 64), (24, 1000)] {
        let plan = ShardPlan::enumerate(n, None, Some(shards)).expect("a plan");
        assert!(plan.subproblems >= 64 * shards, "{plan:?}");
    }
}

proptest! {
    /// A plan with a matching digest can still be impossible.
    #[test]
    fn values_that_do_not_go_together_are_refused_or_harmless(
        n in prop_oneof![0_usize..40, any::<usize>()],
        depth in prop_oneof![0_usize..40, any::<usize>()],
        shards in prop_oneof![0_usize..20, any::<usize>()],
        subproblems in prop_oneof![0_usize..20, any::<usize>()],
        kind in 0..4,
        solver in prop_oneof![Just("count/auto".to_owned()), Just("x".to_owned())],
    ) {
        let job = match kind {
            0 => Job::Count { n, solver, partition: Partition::ColumnSets },
            1 => Job::Count { n, solver, partition: Partition::Prefixes { depth } },
            2 => Job::Enumerate { n, depth },
            _ => Job::Sweep { spec: String::new(), external: None },
        };
        let plan = ShardPlan { job, shards, subproblems, ..count() };
        if let Ok(plan) = parsed(&sealed(plan)) {
            prop_assert!((1..=MAX_SUBPROBLEMS).contains(&plan.shards));
            let lengths = [0, plan.shards - 1].map(|index| plan.len_of(index));
            prop_assert!(lengths[1] <= lengths[0] && lengths[0] <= plan.subproblems);
            // Refusing deeper ones takes a second each.
            if depth < 4 {
                let out = tempfile::tempdir().expect("a temporary directory");
                prop_assert!(run_here(&plan, 0, out.path()).is_err());
            }
        }
    }

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
