//! The blocks of docs/CERTIFICATES.md, from experiments/record/2026-11-22-certificates.

use std::collections::BTreeMap;
use std::path::Path;

use queenlab::board::published;
use queenlab::report::Unit;
use serde_json::Value;

use super::with_thousands_separators;

const RECORD: &str = "experiments/record/2026-11-22-certificates";

/// The fast counter, and a searcher that enumerates.
const COUNTERS: [&str; 2] = ["count/auto", "backtrack/bitmask"];

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("not a number: {value}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}

fn read(name: &str) -> String {
    let path = Path::new(RECORD).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The certificates of the record whose file names begin with this word, by size.
fn certificates(prefix: &str) -> BTreeMap<u64, Value> {
    let entries = std::fs::read_dir(RECORD).expect("a record").flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let certificates = names.filter_map(|name| {
        let size = name.strip_prefix(prefix)?.strip_prefix('-')?.strip_suffix(".json")?;
        Some((size.parse().ok()?, serde_json::from_str(&read(&name)).expect("JSON")))
    });
    certificates.collect()
}

fn sum(certificate: &Value, part_value: impl Fn(&Value) -> u64) -> u64 {
    certificate["parts"].as_array().expect("a list").iter().map(part_value).sum()
}

/// The number of solutions, on which the certificate, two counters and A000170 agree.
pub fn agreement() -> String {
    let counts = read("counts.jsonl");
    let counts: Vec<Value> = counts.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut lines = vec!["| n | solutions | parts | lemmas |\n|---|---|---|---|".to_owned()];
    let certificates = certificates("certificate");
    let largest = *certificates.keys().last().expect("certificates");
    assert!(certificates.keys().copied().eq(0..=largest), "a size is missing");
    for (n, certificate) in &certificates {
        let (proved_count, published) =
            (number(&certificate["solutions"]), published::solutions(*n as usize));
        assert_eq!(Some(proved_count), published, "n = {n}");
        for id in COUNTERS {
            let is_of_solver = |count: &&Value| text(&count["solver"]) == id && number(&count["n"]) == *n;
            let count =
                counts.iter().find(is_of_solver).unwrap_or_else(|| panic!("no count of {id} for n = {n}"));
            assert_eq!(number(&count["solutions"]), proved_count, "n = {n}, {id}");
        }
        let (parts, lemmas) = (sum(certificate, |_| 1), sum(certificate, |part| number(&part["lemmas"])));
        if *n >= 8 {
            let cells = [proved_count, parts, lemmas].map(with_thousands_separators);
            lines.push(format!("| {n} | {} |", cells.join(" | ")));
        }
    }
    let [first, second] = COUNTERS;
    lines.push(format!(
        "\nThe certificate, `{first}`, `{second}` and A000170 agree for every n from 0 to {largest}."
    ));
    lines.join("\n")
}

/// The cost of certificates from n = 12 on, by each method.
pub fn costs() -> String {
    // The rows of the table, by method, whether symmetry is broken, and n.
    let mut rows = BTreeMap::new();
    for kind in ["backtrack", "none", "full", "certificate"] {
        for (n, certificate) in certificates(kind).into_iter().filter(|(n, _)| *n >= 12) {
            let is_symmetry_broken = certificate["symmetry"].is_object();
            let symmetry = if is_symmetry_broken { "full" } else { "none" };
            let [parts, lemmas, bytes] = [
                sum(&certificate, |_| 1),
                sum(&certificate, |part| number(&part["lemmas"])),
                sum(&certificate, |part| number(&part["proof"]["bytes"])),
            ]
            .map(with_thousands_separators);
            // `check_ns` is a sum over the parts, which the threads check in parallel.
            let threads = number(&certificate["threads"]);
            let checking = number(&certificate["checkers"][0]["check_ns"]) / threads;
            let [proving, checking] =
                [number(&certificate["prove_ns"]), checking].map(|time| Unit::Time.show(time));
            let method = text(&certificate["method"]).to_owned();
            let row = format!(
                "| `{method}` | {symmetry} | {n} | {parts} | {lemmas} | {bytes} | {proving} | {checking} |"
            );
            rows.insert((method, is_symmetry_broken, n), row);
        }
    }
    let header = "| method | symmetry | n | parts | lemmas | bytes of proofs | proving and checking | of which checking |";
    let lines = [header.to_owned(), format!("|{}", "---|".repeat(8))].into_iter().chain(rows.into_values());
    lines.collect::<Vec<_>>().join("\n")
}

/// The parts that cake_lpr has checked. These parts have the same digests as the parts of the certificates in [`agreement`].
pub fn samples() -> String {
    let mut lines = vec![
        "| n | parts | checked by cake_lpr | share | time of cake_lpr | time of the built-in checker, all parts |\n\
         |---|---|---|---|---|---|"
            .to_owned(),
    ];
    let full_certificates = certificates("certificate");
    for (n, sampled_certificate) in certificates("cake_lpr") {
        assert_eq!(
            sampled_certificate["parts"], full_certificates[&n]["parts"],
            "n = {n}: the parts differ from those without cake_lpr"
        );
        let parts = sum(&sampled_certificate, |_| 1);
        let checker = |is_cake_lpr: bool| {
            let mut checkers = sampled_certificate["checkers"].as_array().expect("a list").iter();
            let checker =
                checkers.find(|checker| text(&checker["name"]).starts_with("cake_lpr") == is_cake_lpr);
            let checker = checker.unwrap_or_else(|| panic!("n = {n}: one of the checkers checked nothing"));
            (number(&checker["parts"]), Unit::Time.show(number(&checker["check_ns"])))
        };
        let (checked_parts, time) = checker(true);
        let (checked_by_built_in, built_in_time) = checker(false);
        assert!(
            checked_by_built_in == parts && 20 * checked_parts >= parts,
            "n = {n}: {checked_parts} of {parts} parts"
        );
        let share = format!("{:.1} %", 100.0 * checked_parts as f64 / parts as f64);
        let cells = [
            with_thousands_separators(parts),
            with_thousands_separators(checked_parts),
            share,
            time,
            built_in_time,
        ];
        lines.push(format!("| {n} | {} |", cells.join(" | ")));
    }
    lines.join("\n")
}
