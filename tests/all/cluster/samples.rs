//! Samples in shards: each draws its own column sets, and the merge takes the mean of their estimates.

use queenlab::board::known;
use queenlab::cluster::{ShardPlan, ShardResult, merge};
use queenlab::count::{Estimate, Thin, pooled};
use queenlab::registry::Registry;
use serde_json::Value;

use crate::cluster::{Work, kill_midway, output, plan_in, queenlab, refused, run_here};
use crate::harness::{stderr, stdout};

/// The estimate of `count N --sample K --seed SEED`.
fn whole(n: &str, sample: usize, seed: u64) -> Value {
    let mut command = queenlab(std::path::Path::new("."));
    let [sample, seed] = [sample.to_string(), seed.to_string()];
    let counted = output(command.args(["count", n, "--json", "--sample", &sample, "--seed", &seed]));
    serde_json::from_str(&stdout(&counted)).expect("JSON")
}

fn numbers(estimate: &Value) -> [f64; 2] {
    ["estimate", "standard_error"].map(|key| estimate[key].as_f64().expect("a number"))
}

/// The mean of three samples, and the error of this mean, from what `count --sample` says about each.
#[test]
fn the_merge_of_a_sample_is_the_mean_of_its_shards() {
    let work =
        Work::new(&["--task", "sample", "--n", "15", "--sample", "300", "--shards", "3", "--seed", "5"]);
    work.run_all();
    let merged = work.merge();
    assert!(merged.status.success(), "{}", stderr(&merged));
    let (text, summary) = (stdout(&merged), work.summary());
    let parts = [5, 6, 7].map(|seed| numbers(&whole("15", 100, seed)["estimated_solutions"]));
    let mean = parts.iter().map(|[estimate, _]| estimate).sum::<f64>() / 3.0;
    let error = parts.iter().map(|[_, error]| error * error).sum::<f64>().sqrt() / 3.0;
    let found = numbers(&summary["estimated"]["solutions"]);
    assert!((found[0] / mean - 1.0).abs() < 1e-12 && (found[1] / error - 1.0).abs() < 1e-12, "{summary}");
    assert!((mean - 2_279_184.0).abs() < 5.0 * error, "{mean} with an error of {error}");
    let degrees = summary["estimated"]["solutions"]["degrees"].as_f64();
    assert!(degrees > Some(60.0) && degrees < Some(225.0), "less than 75 for each sample: {summary}");
    let lines: Vec<&str> = text.lines().collect();
    let [solutions, from, published, time] = lines[..] else { panic!("{text}") };
    assert!(solutions.starts_with("n=15: estimated 2.") && solutions.contains("95 % interval 2."), "{text}");
    assert!(from.starts_with("from 300 column sets, drawn with seeds 5 to 7; standard error"), "{text}");
    assert!(published.starts_with("A000170 has 2,279,184: the estimate is "), "{text}");
    assert!(time.starts_with("CPU time of the whole count: estimated "), "{text}");
    assert!(summary["solutions"].is_null() && summary["task"] == "sample", "{summary}");
    // A copy of a result counts once.
    std::fs::copy(work.result(1), work.out().join("shard-1.copy.json")).expect("a copy");
    assert!(work.merge().status.success());
    assert_eq!(
        (&work.summary()["estimated"], &work.summary()["repeats"]),
        (&summary["estimated"], &1.into())
    );
}

#[test]
fn one_shard_estimates_what_count_estimates() {
    let plan =
        ShardPlan::sample(14, "count/portable", 200, Thin { step: 1, seed: 9 }, Some(1)).expect("a plan");
    let out = tempfile::tempdir().expect("a temporary directory");
    run_here(&plan, 0, out.path()).expect("it runs");
    let merged = merge(&plan, out.path(), &Registry::builtin()).expect("it merges");
    let found = merged.summary.estimated.expect("an estimate").solutions;
    assert_eq!([found.sum, found.standard_error], numbers(&whole("14", 200, 9)["estimated_solutions"]));
    assert_eq!(merged.total, None);
    // All column sets: no error.
    let plan = ShardPlan::sample(14, "count/auto", 1716, Thin::NOT, Some(1)).expect("a plan");
    let out = tempfile::tempdir().expect("a temporary directory");
    run_here(&plan, 0, out.path()).expect("it runs");
    let merged = merge(&plan, out.path(), &Registry::builtin()).expect("it merges");
    let found = merged.summary.estimated.expect("an estimate").solutions;
    let exact = known::solutions(14).expect("published") as f64;
    assert_eq!(found, Estimate { sum: exact, standard_error: 0.0, degrees: None });
}

#[test]
fn a_killed_shard_of_a_sample_resumes_and_estimates_the_same() {
    let options = ["--task", "sample", "--n", "18", "--sample", "1200", "--shards", "2", "--seed", "3"];
    let [killed, whole] = [Work::new(&options), Work::new(&options)];
    kill_midway(&killed, 1, ".log", 2_000);
    let result = |work: &Work| -> ShardResult {
        let ran = work.run(1);
        assert!(ran.status.success(), "{}", stderr(&ran));
        serde_json::from_slice(&std::fs::read(work.result(1)).expect("a result")).expect("JSON")
    };
    let (resumed, expected) = (result(&killed), result(&whole));
    assert!((10..600).contains(&resumed.resumed) && expected.resumed == 0, "{resumed:?}");
    let estimated = |result: &ShardResult| result.estimated.expect("an estimate").solutions;
    assert_eq!(estimated(&resumed), estimated(&expected));
}

#[test]
fn an_impossible_plan_of_a_sample_is_refused_with_advice() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let sample = ["--task", "sample", "--n", "16", "--sample", "100"];
    for (options, told) in [
        (&["--task", "sample", "--n", "16"][..], "takes --sample K"),
        (&["--n", "16", "--sample", "100"], "only with --task sample"),
        (&["--n", "16", "--seed", "2"], "only with --task sample"),
        (&["--task", "sample", "--n", "12", "--sample", "100"], "choose n = 14-28"),
        (
            &["--task", "sample", "--n", "16", "--sample", "7000"],
            "n = 16 has 6470 column sets; choose at most 6470",
        ),
        (&[&sample[..], &["--shards", "51"]].concat(), "choose 1 to 50 shards, or a greater --sample"),
        (&[&sample[..], &["--thin", "4"]].concat(), "choose n = 21 or more, or leave out --thin"),
        (&[&sample[..], &["--depth", "4"]].concat(), "--depth does not work with --task sample"),
        (&[&sample[..], &["--solver", "count/block"]].concat(), "the task sample supports only"),
    ] {
        refused(&plan_in(directory.path(), options), 2, &[told]);
    }
}

/// Samples of four column sets and of one, by hand.
#[test]
fn pooled_estimates_are_weighted_by_their_numbers_of_subproblems() {
    let estimate = |sum, standard_error, degrees| Estimate { sum, standard_error, degrees };
    let found = pooled(&[(4, estimate(10.0, 1.0, Some(3.0))), (1, estimate(20.0, 2.0, Some(5.0)))]);
    assert_eq!(found.sum, 12.0);
    // 0.8² + 0.4² = 0.8, and 0.8² / (0.64² / 3 + 0.16² / 5).
    assert!((found.standard_error - 0.8_f64.sqrt()).abs() < 1e-12);
    let degrees = found.degrees.expect("a number");
    assert!((degrees - 0.64 / (0.4096 / 3.0 + 0.0256 / 5.0)).abs() < 1e-9, "{degrees}");
    let exact = estimate(3.0, 0.0, None);
    assert_eq!(pooled(&[(2, exact), (5, exact)]), exact);
}
