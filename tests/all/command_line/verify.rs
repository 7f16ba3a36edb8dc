//! `verify --mutants` and `verify --levels`: deliberate faults, and proved node counts.

use std::path::Path;

use serde_json::Value;

use crate::harness::{read, run};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("standard output is JSON alone")
}

#[test]
fn every_mutant_is_caught_and_the_json_says_by_what() {
    let (code, stdout, stderr) = run(&["verify", "--mutants", "--json"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let found = json(&stdout);
    let mutants = found["mutants"].as_array().expect("a list");
    let of = |kind: &str| mutants.iter().filter(|mutant| mutant["kind"] == kind).count();
    for (file, says) in [
        ("docs/CHECKING.md", format!(" {} wrong searchers ", of("searcher"))),
        (
            "docs/CHECKING.md",
            format!(" {} wrong formulas and {} wrong certificates", of("encoding"), of("proof")),
        ),
        ("docs/TOUR.md", format!(" {} faulty solvers, formulas and certificates", mutants.len())),
    ] {
        let words = read(Path::new(env!("CARGO_MANIFEST_DIR")), file);
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&says), "{file} does not say '{says}'");
    }
    for mutant in mutants {
        let caught_by = mutant["caught_by"].as_array().expect("a list");
        let n = mutant["n"].as_u64().expect("a size");
        assert!(mutant["caught"] == true && !caught_by.is_empty() && (1..=8).contains(&n), "{mutant}");
        let first = caught_by.iter().map(|check| mutant["first"][check.as_str().expect("a word")].as_u64());
        assert_eq!(first.min(), Some(Some(n)), "{mutant}");
        if let Some(columns) = mutant["board"]["columns"].as_array() {
            assert_eq!(mutant["board"]["n"].as_u64(), Some(columns.len() as u64), "{mutant}");
        }
    }
}

#[test]
fn a_mutant_that_survives_small_boards_is_exit_code_3() {
    let (code, stdout, stderr) = run(&["verify", "1-6", "--mutants"]);
    assert_eq!(code, 3);
    assert!(stderr.ends_with(" of 81 mutants were not detected at n = 1-6\n"), "{stderr}");
    let survivor = |name: &str| stdout.lines().any(|l| l.starts_with(name) && l.ends_with("SURVIVES"));
    assert!(survivor("row parity slip") && !survivor("queen not removed"), "{stdout}");
    let (code, stdout, _) = run(&["verify", "6", "--mutants", "--json"]);
    let found = json(&stdout);
    let mut mutants = found["mutants"].as_array().expect("a list").iter();
    let survivor = mutants.find(|mutant| mutant["name"] == "row parity slip").expect("in the list");
    assert_eq!((code, &survivor["caught"], &survivor["n"]), (3, &Value::Bool(false), &Value::Null));
}

#[test]
fn the_table_shows_boards_and_says_how_little_a_count_says() {
    let (code, stdout, _) = run(&["verify", "--mutants"]);
    assert_eq!(code, 0);
    let shown = "falling diagonal not checked (backtrack/column-scan): queens on the same falling diagonal are accepted\n  \
                 n=2: found 1 board, sat/pairwise/varisat found 0: 0 missing, 0 extra, 1 illegal, 0 duplicate\n  \
                 n=2, illegal: 0 1\n    Q .\n    . Q\n";
    assert!(stdout.starts_with(shown), "{stdout}");
    let header = stdout.lines().find(|line| line.starts_with("searcher ")).expect("a table");
    let checks: Vec<&str> = header.split_whitespace().skip(2).collect();
    assert_eq!(checks, ["count", "classes", "set", "legality", "profile", "order", "check", "proof"]);
    assert!(stdout.contains("\nA count alone is weak evidence: it detects 27 of 40 searchers, "), "{stdout}");
    assert!(stdout.ends_with("\n81 of 81 mutants were detected\n"), "{stdout}");
}

#[test]
fn levels_are_proved_and_every_searcher_counts_as_many() {
    let (code, stdout, stderr) = run(&["verify", "0-6", "--levels"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    // A319284, n = 6: 1, 6, 20, 36, 46, 40, 4.
    let of_six = stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let of_six: Vec<&str> = of_six.filter(|words| words[0] == "6").map(|words| words[2]).collect();
    assert_eq!(of_six, ["1", "6", "20", "36", "46", "40", "4"]);
    assert!(stdout.ends_with(
        "\n28 levels proved: backtrack/bitmask visits every legal placement exactly once, and no others\n"
    ));
    let (code, stdout, _) = run(&["verify", "4", "--levels", "--json", "--solver", "backtrack/flag-arrays"]);
    let found = json(&stdout);
    assert_eq!((code, &found["agrees"]), (0, &Value::Bool(true)));
    let level = &found["levels"][2];
    assert_eq!((level["placements"].as_u64(), level["dead_ends"].as_u64()), (Some(6), Some(2)));
    assert_eq!(level["solvers"], serde_json::json!(["backtrack/flag-arrays"]));
}

#[test]
fn sizes_that_take_too_long_are_refused() {
    for (arguments, told) in [
        (["verify", "9", "--levels"], "--levels works up to n = 8, not 9: narrow the sizes"),
        (["verify", "1-10", "--mutants"], "--mutants works from n = 1 to 9, not 10: narrow the sizes"),
        (["verify", "0-4", "--mutants"], "--mutants works from n = 1 to 9, not 0: narrow the sizes"),
    ] {
        let (code, stdout, stderr) = run(&arguments);
        assert_eq!((code, stdout.as_str(), stderr), (2, "", format!("error: {told}\n")));
    }
}
