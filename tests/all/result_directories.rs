//! Reports of several result directories: shards, machines, and directories that cannot be combined.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use queenlab::record::{Row, TimingsRow, table};

use crate::harness::{assert_wording, read, rows, run_in, scratch, write};

const SWEEP: [&str; 8] =
    ["sweep", "4-6", "--solver", "backtrack/bitmask", "--solver", "backtrack/column-scan", "--repeat", "2"];

fn sweep(directory: &Path, options: &[&str]) {
    let (code, out, stderr) = run_in(directory, &[&SWEEP[..], options, &["-q"]].concat());
    assert_eq!(code, 0, "{out}{stderr}");
}

/// The values of each row that do not depend on time.
fn answers(directory: &Path) -> Vec<(String, Option<u64>, Option<String>)> {
    let answers = rows(directory).into_iter().map(|row| (row.run_id, row.solutions, row.digest));
    let mut sorted_answers: Vec<_> = answers.collect();
    sorted_answers.sort();
    sorted_answers
}

fn timings(directory: &Path) -> Vec<TimingsRow> {
    table::read(directory).expect("timings.csv").0
}

#[test]
fn shards_form_one_result_and_gaps_are_reported() {
    let directory = scratch();
    let directory = directory.path();
    sweep(directory, &["-o", "whole"]);
    for shard in ["1/3", "2/3", "3/3"] {
        sweep(directory, &["--shard", shard, "-o", &format!("s{}", &shard[..1])]);
    }
    let (code, out, stderr) = run_in(directory, &["report", "s1", "s2", "s3", "--out", "all"]);
    assert_eq!((code, out.as_str()), (0, "all/report.html\n"), "{stderr}");
    assert!(stderr.contains("s1, s2, s3: shards 1-3 of 3"), "{stderr}");
    assert_wording("report", "all shards", &stderr);
    // Together, the shards give the same result as one sweep.
    let parts = ["s1", "s2", "s3"].map(|part| answers(&directory.join(part))).concat();
    let mut parts = parts;
    parts.sort();
    assert_eq!(parts, answers(&directory.join("whole")));
    let cells = |name: &str| {
        let rows = timings(&directory.join(name)).into_iter();
        rows.map(|row| (row.n, row.solver, row.runs, row.result)).collect::<Vec<_>>()
    };
    assert_eq!(cells("all"), cells("whole"));
    // Each shard has both solvers of its sizes.
    for part in ["s1", "s2", "s3"] {
        let solvers = |n: usize| timings(&directory.join(part)).iter().filter(|row| row.n == n).count();
        assert!((4..10).map(solvers).all(|solvers| [0, 2].contains(&solvers)), "{part}");
    }
    let count_comparisons = |name: &str| read(&directory.join(name), "crosscheck.csv").lines().count();
    assert_eq!(count_comparisons("all"), count_comparisons("whole"));
    assert!(!directory.join("all/runs.csv").exists());
    let (code, _, stderr) = run_in(directory, &["report", "s3", "s1", "--out", "some"]);
    assert!(code == 0 && stderr.contains("s3, s1: shards 1,3 of 3"), "{stderr}");
    assert_wording("report", "a missing shard", &stderr);
    let (code, _, stderr) = run_in(directory, &["report", "s3", "s1", "--out", "some", "--require-complete"]);
    assert!(code == 1 && stderr.contains("incomplete: "), "{stderr}");
    let report_arguments = ["report", "s1", "s2", "s3", "--out", "all", "--require-complete"];
    assert_eq!(run_in(directory, &report_arguments).0, 0);
    // One run is missing.
    let all_rows = rows(&directory.join("s2"));
    table::write(&directory.join("s2"), &all_rows[1..]).expect("written");
    let (code, _, stderr) = run_in(directory, &report_arguments);
    assert!(code == 1 && stderr.contains("incomplete: s2: "), "{stderr}");
    table::write(&directory.join("s2"), &all_rows).expect("written");
    let (_, _, stderr) = run_in(directory, &["report", "s2"]);
    assert!(stderr.contains("s2: shards 2 of 3"), "{stderr}");
    assert_wording("report", "a shard alone", &stderr);
}

#[test]
fn report_of_contradictory_shards_exits_with_3() {
    let directory = scratch();
    let directory = directory.path();
    sweep(directory, &["--shard", "1/2", "-o", "a"]);
    sweep(directory, &["--shard", "2/2", "-o", "b"]);
    // The digest of another set of boards contradicts no published value.
    let mut rows: Vec<Row> = table::read(&directory.join("b")).expect("runs.csv").0;
    let rows_of_bitmask = rows.iter_mut().filter(|row| *row.solver == *"backtrack/bitmask");
    rows_of_bitmask.for_each(|row| row.digest = Some("0".repeat(32)));
    table::write(&directory.join("b"), &rows).expect("written");
    let (code, _, stderr) = run_in(directory, &["report", "a", "b", "--out", "all"]);
    assert!(code == 3 && stderr.contains("n=5: "), "{code} {stderr}");
}

#[test]
fn results_of_other_machines_keep_separate_times() {
    let directory = scratch();
    let directory = directory.path();
    for name in ["here", "there"] {
        sweep(directory, &["-o", name]);
    }
    let meta = read(&directory.join("there"), "meta.json");
    let cpu = meta.lines().find(|line| line.contains("\"cpu_model\"")).expect("a CPU");
    write(&directory.join("there"), "meta.json", &meta.replace(cpu, "    \"cpu_model\": \"Abacus\","));
    let (code, _, stderr) = run_in(directory, &["report", "here", "there"]);
    assert!(code == 2 && stderr.contains("--out"), "{stderr}");
    assert_wording("report", "several results without --out", &stderr);
    let (code, _, stderr) = run_in(directory, &["report", "here", "there", "--out", "both"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("CPU: ") && stderr.contains("Abacus (there)"), "{stderr}");
    let mut runs: BTreeMap<(Option<String>, String, usize), u64> = BTreeMap::new();
    for row in timings(&directory.join("both")) {
        *runs.entry((row.result, row.solver.to_string(), row.n)).or_default() += row.runs;
    }
    assert_eq!((runs.len(), runs.values().all(|&runs| runs == 2)), (12, true), "{runs:?}");
    let page = read(&directory.join("both"), "report.html");
    assert!(page.contains("Abacus (there)") && page.contains("backtrack/bitmask · here"));
    // The same directory is given twice under two names, and the directory of a sweep is given as the output.
    let (code, _, stderr) = run_in(directory, &["report", "here", "./here", "--out", "x"]);
    assert!(code == 2 && stderr.contains("./here: "), "{stderr}");
    assert_wording("report", "a result twice", &stderr);
    let (code, _, stderr) = run_in(directory, &["report", "here", "there", "--out", "here"]);
    assert!(code == 2 && stderr.contains("--out: here "), "{stderr}");
    assert_wording("report", "directory of a sweep as output", &stderr);
    let (code, out, _) = run_in(directory, &["report", "here", "there", "--format", "markdown"]);
    assert!(code == 0 && out.contains("| backtrack/bitmask · there |"), "{out}");
}

#[test]
fn instances_of_equal_name_must_have_equal_content() {
    let directory = scratch();
    let directory = directory.path();
    for (name, text) in [("a", "AAAA\nABBB\nCCCB\nCDDD\n"), ("b", "AAAA\nABBB\nCCBB\nCDDD\n")] {
        write(directory, "puzzle.txt", text);
        let sweep =
            ["sweep", "--instance", "puzzle.txt", "--solver", "backtrack/dlx", "--repeat", "1", "-q", "-o"];
        let (code, _, stderr) = run_in(directory, &[&sweep[..], &[name]].concat());
        assert_eq!(code, 0, "{stderr}");
    }
    let (code, _, stderr) = run_in(directory, &["report", "a", "b", "--out", "all"]);
    assert!(code == 2 && stderr.contains("'puzzle'"), "{stderr}");
    assert_wording("report", "other content of an instance", &stderr);
    assert!(!directory.join("all").exists());
}

/// A series has the same name in all files, so that pandas and polars can use `groupby` and `merge`.
#[test]
fn tables_can_be_grouped_and_joined_by_columns() {
    let directory = scratch();
    let directory = directory.path();
    write(
        directory,
        "x.toml",
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4-5\"\nrepeat = 3\n[[solver]]\nid = \"backtrack/dlx\"\n\
         items = [\"organ-pipe\", \"natural\"]\n[[program]]\nid = \"p\"\n\
         command = [\"sh\", \"-c\", \"sleep {t}\", \"{n}\"]\nt = [\"0\", \"0.01\"]\n",
    );
    run_in(directory, &["sweep", "x.toml", "-o", "r", "-q"]);
    let out = directory.join("r");
    let column = |table: &[Vec<String>], name: &str| {
        table[0].iter().position(|head| head == name).unwrap_or_else(|| panic!("no column {name}"))
    };
    let keys = |file: &str, only: Option<(&str, &str)>| {
        let text = fs::read_to_string(out.join(file)).expect("a table");
        let table: Vec<Vec<String>> = text.lines().map(fields).collect();
        let mut counts: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for line in &table[1..] {
            let field = |name: &str| line[column(&table, name)].clone();
            if only.is_none_or(|(name, value)| field(name) == value) {
                let key = ["n", "variant", "goal", "solver", "threads"].map(&field);
                *counts.entry(key.to_vec()).or_default() += 1;
            }
        }
        counts
    };
    let timed_run_counts = keys("runs.csv", Some(("kind", "timed")));
    let timing_counts = keys("timings.csv", None);
    assert_eq!(timed_run_counts.len(), 8, "two sizes, two options and two factors: {timed_run_counts:?}");
    assert!(timed_run_counts.values().all(|&runs| runs == 3));
    assert_eq!(timed_run_counts.keys().collect::<Vec<_>>(), timing_counts.keys().collect::<Vec<_>>());
    let node_counts = keys("nodes.csv", None);
    assert!(
        node_counts.len() == 4 && node_counts.keys().all(|key| timing_counts.contains_key(key)),
        "{node_counts:?}"
    );
}

/// The fields of a line of CSV (RFC 4180).
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut is_quoted) = (vec![String::new()], false);
    for char in line.chars() {
        match char {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            char => fields.last_mut().expect("a field").push(char),
        }
    }
    fields
}
