//! `encode`: a formula in DIMACS CNF that matches its header.

use std::collections::BTreeMap;

use crate::harness::{run, run_in, scratch};

#[test]
fn dimacs_header_has_correct_variable_and_clause_numbers() {
    for n in [0, 1, 2, 4, 8] {
        let (code, text, stderr) = run(&["encode", &n.to_string()]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        let header = text.lines().find_map(|line| line.strip_prefix("p cnf ")).expect("a header");
        let numbers: Vec<usize> = header.split(' ').map(|number| number.parse().expect("a number")).collect();
        let body = text.lines().skip_while(|line| !line.starts_with('p')).skip(1);
        let literals: Vec<i64> = body
            .flat_map(|line| line.split_whitespace())
            .map(|literal| literal.parse().expect("a literal"))
            .collect();
        let clauses = literals.iter().filter(|&&literal| literal == 0).count();
        let variables = literals.iter().map(|literal| literal.unsigned_abs()).max().unwrap_or(0);
        assert_eq!(numbers, [n * n, clauses], "n = {n}");
        assert_eq!(variables as usize, n * n, "n = {n}");
        assert_eq!(literals.last().copied().unwrap_or(0), 0, "the last clause must end with 0");
    }
    // 16 rows and columns with 28 pairs each, and 26 diagonals with 280 pairs in all: 16 + 448 + 280 clauses.
    assert!(run(&["encode", "8"]).1.contains("\np cnf 64 744\n"));
}

#[test]
fn comments_map_squares_to_distinct_variables() {
    let (_, text, _) = run(&["encode", "5"]);
    let mut squares = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("c square ")) {
        let numbers: Vec<u32> = line.split(' ').map(|number| number.parse().expect("a number")).collect();
        let [row, column, variable] = numbers[..] else { panic!("{line}") };
        assert!(squares.insert(variable, (row, column)).is_none(), "{line}");
    }
    let mut mapped_squares: Vec<_> = squares.values().copied().collect();
    mapped_squares.sort_unstable();
    let expected: Vec<_> = (0..5).flat_map(|row| (0..5).map(move |column| (row, column))).collect();
    assert_eq!(mapped_squares, expected);
    assert_eq!(squares.keys().copied().collect::<Vec<_>>(), (1..=25).collect::<Vec<_>>());
}

#[test]
fn encode_writes_same_formula_to_file_and_stdout() {
    let directory = scratch();
    let (_, text, _) = run(&["encode", "6"]);
    // A file name without and with a directory.
    for file in ["six.cnf", "./six.cnf"] {
        let (code, stdout, stderr) = run_in(directory.path(), &["encode", "6", "-o", file]);
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""));
        assert_eq!(crate::harness::read(directory.path(), "six.cnf"), text);
    }
    let entries: Vec<_> = std::fs::read_dir(directory.path()).expect("a directory").collect();
    assert_eq!(entries.len(), 1, "encode must leave no other file");
}

#[test]
fn encode_to_unwritable_file_exits_with_1() {
    let directory = scratch();
    let (code, stdout, stderr) = run_in(directory.path(), &["encode", "4", "-o", "missing/four.cnf"]);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.starts_with("error: missing"), "{stderr}");
}
