//! `verify --levels`: proved node counts.

use serde_json::Value;

use crate::harness::{assert_wording, refused, run};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("standard output is JSON alone")
}

#[test]
fn levels_are_proved_and_every_searcher_counts_as_many() {
    let (code, stdout, stderr) = run(&["verify", "0-6", "--levels"]);
    assert!(code == 0 && stderr.contains("28 levels") && stderr.contains("backtrack/bitmask"), "{stderr}");
    assert_wording("verify", "levels proved", &stderr);
    // A319284, n = 6: 1, 6, 20, 36, 46, 40, 4.
    let of_six = stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let of_six: Vec<&str> = of_six.filter(|words| words[0] == "6").map(|words| words[2]).collect();
    assert_eq!(of_six, ["1", "6", "20", "36", "46", "40", "4"]);
    let (code, stdout, _) = run(&["verify", "4", "--levels", "--json", "--solver", "backtrack/flag-arrays"]);
    let found = json(&stdout);
    assert_eq!((code, &found["agrees"]), (0, &Value::Bool(true)));
    let level = &found["levels"][2];
    assert_eq!((level["placements"].as_u64(), level["dead_ends"].as_u64()), (Some(6), Some(2)));
    assert_eq!(level["solvers"], serde_json::json!(["backtrack/flag-arrays"]));
}

#[test]
fn sizes_that_take_too_long_are_refused() {
    let error = refused(&["verify", "9", "--levels"]);
    assert!(error.contains("n = 8") && error.contains('9'), "{error}");
}
