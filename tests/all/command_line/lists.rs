//! `list` and `verify`: what there is, and whether it agrees.

use queenlab::registry::Registry;
use serde_json::Value;

use crate::harness::run;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON and nothing else")
}

#[test]
fn every_solver_is_listed_in_words_and_in_json() {
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
        assert!(solver["sizes"].as_array().is_some_and(|sizes| sizes.len() == 2), "{solver}");
        assert_eq!(solver["available"], solver["unavailable_reason"].is_null(), "{solver}");
    }
    assert!(ids.iter().all(|id| words.lines().any(|line| line.starts_with(id.as_str()))), "{words}");
}

/// A000170: 1, 0, 0, 2, 10, 4.
#[test]
fn a_cross_check_of_small_boards_agrees() {
    let (code, stdout, stderr) = run(&["verify", "1-6"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let counts: Vec<Vec<&str>> =
        stdout.lines().skip(1).map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(counts, [["1", "1"], ["2", "0"], ["3", "0"], ["4", "2"], ["5", "10"], ["6", "4"]]);
    // No terminal: progress is plain lines on standard error.
    assert_eq!(stderr, "n=1 ...\nn=2 ...\nn=3 ...\nn=4 ...\nn=5 ...\nn=6 ...\n");
}

#[test]
fn a_cross_check_in_json_is_json_alone() {
    let (code, stdout, _) = run(&["verify", "0,4-5", "--json"]);
    assert_eq!(code, 0);
    let found = json(&stdout);
    assert_eq!(found["agrees"], true);
    assert_eq!(found["discrepancies"], Value::Array(Vec::new()));
    let comparisons = found["comparisons"].as_array().expect("a list");
    for (n, against) in [(4, "A000170"), (4, "A002562"), (4, "A319284"), (4, "board"), (0, "A000170")] {
        let matching = |row: &&Value| row["n"] == n && row["against"] == against;
        assert!(comparisons.iter().filter(matching).count() > 1, "n = {n} against {against}");
    }
    assert!(comparisons.iter().any(|row| row["against"] == "sat/pairwise/varisat"));
    assert!(comparisons.iter().all(|row| row["agrees"] == true));
}

#[test]
fn quiet_says_nothing_but_the_data() {
    let (code, stdout, stderr) = run(&["verify", "5", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("compared with"));
}
