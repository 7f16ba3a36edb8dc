//! `list` shows the solvers, and `verify` checks whether the solvers agree.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};

use queenlab::registry::Registry;
use serde_json::Value;

use crate::harness::{assert_wording, run, run_in, scratch, without_numbers};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON and nothing else")
}

#[test]
fn every_solver_is_listed_in_text_and_json() {
    let (code, words, stderr) = run(&["list"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let (code, text, stderr) = run(&["list", "--json"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let listed = json(&text);
    let listed = listed.as_array().expect("a list");
    let ids: Vec<String> = Registry::builtin().iter().map(|solver| solver.info().id).collect();
    assert_eq!(listed.iter().map(|solver| solver["id"].as_str().expect("an id")).collect::<Vec<_>>(), ids);
    for solver in listed {
        assert!(solver["goals"].as_array().is_some_and(|goals| !goals.is_empty()), "{solver}");
        assert!(solver["sizes"]["start"].as_u64() <= solver["sizes"]["end"].as_u64(), "{solver}");
    }
    let (sat, others): (Vec<&String>, Vec<&String>) = ids.iter().partition(|id| id.starts_with("sat/"));
    assert!(others.iter().all(|id| words.lines().any(|line| line.starts_with(id.as_str()))), "{words}");
    // Each part of the ids of SAT solvers is listed on a separate line, so that the list is short.
    for part in sat.iter().flat_map(|id| id.split('/').skip(1)) {
        assert!(words.lines().any(|line| line.starts_with(&format!("  {part} "))), "{part}: {words}");
    }
    assert!(
        words.contains("sat/<encoding>/<backend>[/<strategy>]") && words.lines().count() < 110,
        "{words}"
    );
}

#[test]
fn list_with_pattern_prints_only_matching_solvers() {
    let listed_ids = |pattern: &str| {
        let (code, words, stderr) = run(&["list", pattern]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        let lines = words.lines().skip(1).filter(|line| !line.starts_with(' '));
        lines.filter_map(|line| line.split(' ').next().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(listed_ids("flag-arrays"), ["backtrack/flag-arrays"]);
    let registry = Registry::builtin();
    let ids_with = |part: &str| -> BTreeSet<String> {
        registry.iter().map(|solver| solver.id()).filter(|id| id.contains(part)).collect()
    };
    for (pattern, part) in [("count/*", "count/"), ("cadical", "/cadical")] {
        let (listing, all) = (listed_ids(pattern), ids_with(part));
        assert!(all.len() >= 4 && listing.len() == all.len(), "{pattern}: {listing:?}");
        assert_eq!(listing.into_iter().collect::<BTreeSet<_>>(), all);
    }
    assert_eq!(run(&["list", "no-such-solver"]).0, 2);
    let (_, text, _) = run(&["list", "flag-arrays", "--json"]);
    assert_eq!(json(&text).as_array().map(Vec::len), Some(1));
}

#[test]
fn list_shows_option_values_and_defaults() {
    let (_, words, _) = run(&["list", "backtrack/dlx"]);
    let option = words.lines().find(|line| line.contains("items") && line.contains("organ-pipe"));
    assert_wording("list", "option of backtrack/dlx", option.unwrap_or_else(|| panic!("{words}")));
    let (_, text, _) = run(&["list", "backtrack/dlx", "--json"]);
    let option = &json(&text)[0]["options"][0];
    assert_eq!((&option["name"], &option["default"]), (&json("\"items\""), &json("\"organ-pipe\"")));
    assert_eq!(option["values"], json("[\"organ-pipe\", \"natural\"]"));
}

/// The two names select one solver with two values of its option `items`.
#[test]
fn verify_checks_solver_with_each_option_value() {
    let solvers = ["--solver", "backtrack/dlx", "--solver", "backtrack/dlx:items=natural"];
    let (code, stdout, stderr) = run(&[&["verify", "6", "--json"], &solvers[..]].concat());
    assert_eq!(code, 0, "{stderr}");
    let listing = json(&stdout);
    let comparisons = listing["comparisons"].as_array().expect("a list");
    for solver in ["backtrack/dlx", "backtrack/dlx:items=natural"] {
        let is_compared_with_sat =
            |row: &&Value| row["solver"] == solver && row["against"] == "sat/pairwise/varisat";
        assert_eq!(comparisons.iter().filter(is_compared_with_sat).count(), 1, "{stdout}");
    }
}

/// The test kills the command after the warning.
#[test]
fn warning_about_long_cross_checks_is_printed_first() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["verify", "4-40", "--solver", "backtrack/bitmask"]).stderr(std::process::Stdio::piped());
    let mut child = command.stdout(std::process::Stdio::null()).spawn().expect("the program starts");
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    stderr.read_line(&mut line).expect("a line");
    child.kill().and_then(|()| child.wait()).expect("a running process");
    assert!(line.contains("14-40"), "{line}");
    assert_wording("verify", "sizes that take hours", &line);
}

#[test]
fn one_backtracker_is_cross_checked_against_sat() {
    let (code, stdout, stderr) = run(&["verify", "6", "--solver", "backtrack/bitmask"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.lines().nth(1).is_some_and(|line| line.contains("sat/pairwise/varisat")), "{stdout}");
}

#[test]
fn help_shows_only_options_with_an_effect() {
    let help_contains =
        |command: &[&str], option: &str| run(&[command, &["--help"]].concat()).1.contains(option);
    for (command, option, expected) in [
        (&["sweep"][..], "--seed", true),
        (&["sweep"], "--verbose", true),
        (&["encode"], "--seed", false),
        (&["encode"], "--color", true),
        (&["encode"], "--sat", false),
        (&["list"], "--sat", true),
        (&["doctor"], "--progress", false),
    ] {
        assert_eq!(help_contains(command, option), expected, "{command:?} {option}");
    }
}

/// A000170: 1, 0, 0, 2, 10, 4.
#[test]
fn verify_agrees_on_small_boards() {
    let (code, stdout, stderr) = run(&["verify", "1-6"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let counts: Vec<Vec<&str>> =
        stdout.lines().skip(1).map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(counts, [["1", "1"], ["2", "0"], ["3", "0"], ["4", "2"], ["5", "10"], ["6", "4"]]);
    assert_wording("verify", "small boards agree", &without_numbers(&stderr));
}

#[test]
fn verify_with_json_prints_only_json() {
    let (code, stdout, _) = run(&["verify", "0,4-5", "--json"]);
    assert_eq!(code, 0);
    let listing = json(&stdout);
    assert_eq!(listing["agrees"], true);
    assert_eq!(listing["discrepancies"], Value::Array(Vec::new()));
    let comparisons = listing["comparisons"].as_array().expect("a list");
    for (n, against) in [(4, "A000170"), (4, "A002562"), (4, "A319284"), (4, "board"), (0, "A000170")] {
        let matching = |row: &&Value| row["n"] == n && row["against"] == against;
        assert!(comparisons.iter().filter(matching).count() > 1, "n = {n} against {against}");
    }
    assert!(comparisons.iter().any(|row| row["against"] == "sat/pairwise/varisat"));
    assert!(comparisons.iter().all(|row| row["agrees"] == true));
}

#[test]
fn option_quiet_suppresses_all_messages() {
    let (code, stdout, stderr) = run(&["verify", "5", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("A000170"));
    let directory = scratch();
    for arguments in [
        &["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--out", "r"][..],
        &["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--out", "r"],
        &["report", "r"],
        &["compare", "r", "r"],
        &["reproduce", "r"],
        &["solve", "3"],
        &["solve", "33"],
        &["certify", "4"],
        &["verify", "4", "--levels"],
        &["count", "6", "--shard", "1/1", "--out", "shards"],
        &["count", "6", "--merge", "shards"],
    ] {
        let (code, _, stderr) = run_in(directory.path(), &[arguments, &["--quiet"]].concat());
        assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}");
    }
}
