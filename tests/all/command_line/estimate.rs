//! `count --estimate`: comparison with exact numbers, JSON output, and refused input.

use serde_json::Value;

use crate::harness::{assert_wording, refused, run};

fn json(arguments: &[&str]) -> Value {
    // On a busy machine, an estimate may take so long that it reports its progress on standard error. `-q` prevents this.
    let (code, stdout, stderr) = run(&[&["count", "--estimate", "--json", "-q"], arguments].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&stdout).expect("JSON")
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("no {key}: {value}"))
}

/// The expected standard error follows from the exact mean and variance of one probe, which tests/data/README.md explains.
#[test]
fn estimates_are_within_four_standard_errors_of_counts() {
    const PROBES: f64 = 20_000.0;
    for line in include_str!("../../data/knuth_probe_moments.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let field_value = |field: usize| fields[field].parse::<f64>().expect("a number");
        let report = json(&[fields[0], "--probes", "20000", "--seed", "3"]);
        for (key, mean, variance) in
            [("nodes", field_value(1), field_value(2)), ("solutions", field_value(4), field_value(5))]
        {
            // If the board has no solution, no probe reaches a solution.
            if mean == 0.0 {
                assert!(report[key]["estimate"].is_null(), "n = {}: {report}", fields[0]);
                continue;
            }
            let (estimate, error) = (number(&report[key], "estimate"), (variance / PROBES).sqrt());
            assert!((estimate - mean).abs() <= 4.0 * error, "n = {}: {key} {estimate} for {mean}", fields[0]);
            let reported_error = number(&report[key], "standard_error");
            assert!(
                (0.8 * error..=1.25 * error).contains(&reported_error),
                "n = {}: {key} {reported_error} for {error}",
                fields[0]
            );
        }
    }
}

#[test]
fn estimates_per_level_depend_only_on_seed() {
    let report = json(&["8", "--probes", "2000"]);
    assert_eq!((&report["n"], &report["variant"], &report["seed"]), (&8.into(), &"queens".into(), &1.into()));
    assert_eq!((&report["solver"], &report["probes"]), (&"backtrack/column-scan".into(), &2000.into()));
    let levels = report["levels"].as_array().expect("a list");
    assert_eq!(levels.len(), 9);
    // The first two levels of the tree are the same in every probe: one root, and 8 nodes.
    for (level, nodes) in [(0, 1.0), (1, 8.0)] {
        assert_eq!(
            (number(&levels[level], "estimate"), number(&levels[level], "standard_error")),
            (nodes, 0.0)
        );
    }
    assert_eq!(levels[8], report["solutions"]);
    let sum: f64 = levels.iter().map(|level| number(level, "estimate")).sum();
    assert!((sum - number(&report["nodes"], "estimate")).abs() < 1e-6);
    assert_eq!(json(&["8", "--probes", "2000"])["levels"], report["levels"]);
    assert!(report["wall_ns"].is_u64() && report["threads"].is_u64(), "{report}");
    // The probes form several batches. The result is the same on one thread and on three threads.
    let [one, three] = ["1", "3"].map(|threads| json(&["8", "--probes", "200000", "--threads", threads]));
    assert_eq!((&one["threads"], &three["threads"]), (&1.into(), &3.into()));
    assert_eq!((&one["levels"], &one["nodes"]), (&three["levels"], &three["nodes"]));
    assert_ne!(json(&["8", "--probes", "2000", "--seed", "2"])["nodes"], report["nodes"]);
}

/// The expected numbers of nodes are those of tests/data/search_counts.csv. 7 queens have 28 toroidal solutions (A007705).
#[test]
fn searchers_with_look_ahead_have_estimates() {
    for (solver, nodes) in [
        ("backtrack/forward-checking", 7032.0),
        ("backtrack/forward-checking:rows=smallest", 5400.0),
        ("backtrack/bitmask", 8394.0),
    ] {
        let report = json(&["9", "--solver", solver, "--probes", "20000"]);
        let (estimate, error) =
            (number(&report["nodes"], "estimate"), number(&report["nodes"], "standard_error"));
        assert!((estimate - nodes).abs() <= 4.0 * error, "{solver}: {estimate} +- {error}");
        assert_eq!(report["solver"], solver);
    }
    let toroidal_report = json(&["7", "--variant", "toroidal", "--probes", "20000"]);
    assert_eq!(toroidal_report["solver"], "backtrack/forward-checking");
    let (low, high) = (&toroidal_report["solutions"]["ci95"][0], &toroidal_report["solutions"]["ci95"][1]);
    assert!(low.as_f64() <= Some(28.0) && high.as_f64() >= Some(28.0), "{toroidal_report}");
}

#[test]
fn estimate_table_has_one_line_per_quantity() {
    let arguments = ["count", "1", "--estimate"];
    let (code, stdout, _) = run(&arguments);
    let numbers: Vec<Vec<&str>> =
        stdout.lines().skip(1).map(|line| line.split_whitespace().rev().take(5).collect()).collect();
    let values = |value| vec![value, "to", value, "0.0", value];
    assert_eq!((code, numbers), (0, ["2.0", "1.0", "1.0", "1.0"].map(values).into()), "{stdout}");
    assert_wording("count", "table of an estimate", &stdout);
}

/// Ten probes of n = 24 do not reach a solution. Therefore, the number of solutions cannot be estimated.
#[test]
fn probes_without_solution_give_no_solution_estimate() {
    let arguments = ["24", "--probes", "10"];
    let report = json(&arguments);
    assert!(number(&report["nodes"], "estimate") > 1e3, "{report}");
    for estimate in [&report["solutions"], &report["levels"][24]] {
        let nulls = serde_json::json!({ "estimate": null, "standard_error": null, "ci95": null });
        assert_eq!(estimate, &nulls);
    }
    let (code, stdout, _) = run(&[&["count", "--estimate"], &arguments[..]].concat());
    let solutions = stdout.lines().find(|line| line.starts_with("solutions")).expect("a line");
    assert!(code == 0 && !solutions.contains(|c: char| c.is_ascii_digit()), "{stdout}");
    assert_wording("count", "estimate that no probe reached", solutions);
}

#[test]
fn estimate_of_unsupported_search_tree_is_refused() {
    for (arguments, value) in [
        (&["8", "--solver", "backtrack/cbj"][..], "backtrack/cbj"),
        (&["8", "--solver", "backtrack/mac:rows=dom-wdeg"], "rows=dom-wdeg"),
        (&["8", "--solver", "backtrack/forward-checking:restarts=luby:9"], "restarts=luby:9"),
        (&["7", "--variant", "toroidal", "--solver", "backtrack/bitmask"], "backtrack/bitmask"),
        (&["8", "--probes", "1"], "2.."),
        (&["1000", "--probes", "2"], "choose"),
    ] {
        let error = refused(&[&["count", "--estimate"], arguments].concat());
        assert!(error.contains(value), "{error}");
    }
}
