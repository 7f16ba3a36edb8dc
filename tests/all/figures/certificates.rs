//! The blocks of docs/CERTIFICATES.md, from experiments/record/2026-11-22-certificates.

use std::collections::BTreeMap;
use std::path::Path;

use queenlab::board::known;
use queenlab::report::Unit;
use serde_json::Value;

use super::separated;

const RECORD: &str = "experiments/record/2026-11-22-certificates";

/// The counters, and how they count.
const COUNTERS: [(&str, &str); 2] =
    [("count/auto", "meeting in the middle"), ("backtrack/bitmask", "enumeration")];

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

/// The certificates of the record whose names begin with this word, by size.
fn certificates(beginning: &str) -> BTreeMap<u64, Value> {
    let entries = std::fs::read_dir(RECORD).expect("a record").flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let of_kind = names.filter_map(|name| {
        let size = name.strip_prefix(beginning)?.strip_prefix('-')?.strip_suffix(".json")?;
        Some((size.parse().ok()?, serde_json::from_str(&read(&name)).expect("JSON")))
    });
    of_kind.collect()
}

fn sum(certificate: &Value, of: impl Fn(&Value) -> u64) -> u64 {
    certificate["parts"].as_array().expect("a list").iter().map(of).sum()
}

/// What four independent ways say about the number of solutions.
pub fn witnesses() -> String {
    let counts = read("counts.jsonl");
    let counts: Vec<Value> = counts.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let heads: String = COUNTERS.iter().map(|(id, how)| format!(" {how} (`{id}`) |")).collect();
    let mut lines =
        vec![format!("| n | certificate |{heads} A000170 | parts | lemmas |\n|---|---|---|---|---|---|---|")];
    let certificates = certificates("parts");
    let largest = *certificates.keys().last().expect("certificates");
    assert!(certificates.keys().copied().eq(0..=largest), "a size is missing");
    for (n, certificate) in &certificates {
        let (proved, published) = (number(&certificate["solutions"]), known::solutions(*n as usize));
        assert_eq!(Some(proved), published, "n = {n}");
        let mut cells = vec![n.to_string(), separated(proved)];
        for (id, _) in COUNTERS {
            let is_it = |count: &&Value| text(&count["solver"]) == id && number(&count["n"]) == *n;
            let count = counts.iter().find(is_it).unwrap_or_else(|| panic!("no count of {id} for n = {n}"));
            assert_eq!(number(&count["solutions"]), proved, "n = {n}, {id}");
            cells.push(separated(proved));
        }
        cells.push(published.map_or(String::new(), separated));
        cells.push(separated(sum(certificate, |_| 1)));
        cells.push(separated(sum(certificate, |part| number(&part["lemmas"]))));
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    lines.push(format!("\nAll four agree for every n up to {largest}."));
    lines.join("\n")
}

/// The checkers of `audits.txt`: the beginning of their names there, and their name in tables.
const CHECKERS: [(&str, &str); 3] =
    [("queenlab", "built-in checker"), ("cake_lpr", "cake_lpr"), ("lrat-check", "lrat-check")];

/// How long each of [`CHECKERS`] took for a single proof, as `queenlab certify --audit` printed it.
fn checking(name: &str) -> [String; 3] {
    let audits = read("audits.txt");
    let mut lines = audits.lines();
    let mut times = [const { None }; 3];
    let valid = format!("{name}.json: valid: ");
    while let Some(line) = lines.next() {
        if !line.starts_with(&valid) {
            continue;
        }
        for line in lines.by_ref().take_while(|line| !line.starts_with("not checked: ")) {
            let (time, by) =
                line.strip_prefix("checked  ").and_then(|line| line.split_once(" by ")).expect("a time");
            let checker =
                CHECKERS.iter().position(|(program, _)| by.starts_with(program)).expect("a known checker");
            times[checker].get_or_insert_with(|| time.to_owned());
        }
    }
    times.map(|time| time.unwrap_or_else(|| panic!("{name}: not every checker has checked this proof")))
}

/// The columns of the checkers in a table of single proofs.
fn checkers() -> String {
    CHECKERS.map(|(_, name)| format!(" {name} |")).concat()
}

/// What a proof costs by each method.
pub fn costs() -> String {
    let mut lines = vec![format!(
        "| method | n | clauses | lemmas | bytes | proving |{}\n|{}",
        checkers(),
        "---|".repeat(9)
    )];
    for (kind, method) in
        [("backtrack", "`--method backtrack`"), ("cubes", "`--method cubes`"), ("full", "`--symmetry full`")]
    {
        for (n, certificate) in certificates(kind) {
            let [clauses, lemmas, bytes] =
                [&certificate["clauses"], &certificate["lemmas"], &certificate["proof"]["bytes"]]
                    .map(|value| separated(number(value)));
            let time = Unit::Time.show(number(&certificate["prove_ns"]));
            let checking = checking(&format!("{kind}-{n}")).join(" | ");
            lines.push(format!("| {method} | {n} | {clauses} | {lemmas} | {bytes} | {time} | {checking} |"));
        }
    }
    for (n, certificate) in certificates("parts").into_iter().filter(|(n, _)| *n >= 12) {
        let lemmas = separated(sum(&certificate, |part| number(&part["lemmas"])));
        let bytes = separated(sum(&certificate, |part| number(&part["proof"]["bytes"])));
        let threads = number(&certificate["threads"]);
        let checker = &certificate["checkers"][0];
        assert!(text(&checker["name"]).starts_with("queenlab"));
        let [proving, checking] =
            [&certificate["prove_ns"], &checker["check_ns"]].map(|time| Unit::Time.show(number(time)));
        lines.push(format!(
            "| in parts, {threads} threads | {n} | | {lemmas} | {bytes} | {proving} | {checking} | | |"
        ));
    }
    lines.join("\n")
}

/// What cake_lpr has checked: the same parts as those of the table of witnesses.
pub fn samples() -> String {
    let mut lines = vec![
        "| n | parts | checked by cake_lpr | share | time of cake_lpr | time of the built-in checker, all parts |\n\
         |---|---|---|---|---|---|"
            .to_owned(),
    ];
    let all = certificates("parts");
    for (n, sampled) in certificates("cake_lpr") {
        assert_eq!(sampled["parts"], all[&n]["parts"], "n = {n}: other parts than without cake_lpr");
        let parts = sum(&sampled, |_| 1);
        let checker = |program: &str| {
            let mut checkers = sampled["checkers"].as_array().expect("a list").iter();
            let found = checkers.find(|checker| text(&checker["name"]).starts_with(program));
            let found = found.unwrap_or_else(|| panic!("n = {n}: {program} checked nothing"));
            (number(&found["parts"]), Unit::Time.show(number(&found["check_ns"])))
        };
        let ((checked, time), (built_in, own_time)) = (checker("cake_lpr"), checker("queenlab"));
        assert!(built_in == parts && 20 * checked >= parts, "n = {n}: {checked} of {parts} parts");
        let share = format!("{:.1} %", 100.0 * checked as f64 / parts as f64);
        let cells = [separated(parts), separated(checked), share, time, own_time];
        lines.push(format!("| {n} | {} |", cells.join(" | ")));
    }
    lines.join("\n")
}
