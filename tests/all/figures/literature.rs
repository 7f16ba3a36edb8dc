//! The claims of the literature with their verdicts, in LITERATURE.md.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use queenlab::experiment::StoredResults;
use queenlab::record::{ClaimRow, ClaimVerdict};
use queenlab::report::{ReportData, ReportPart, claims, runs};
use queenlab::spec::claim::Claim;
use regex_lite::{Captures, Regex};

use super::{name_of, with_thousands_separators};
use crate::harness::record;

/// The records of the experiments of `experiments/literature`.
const LITERATURE: &str = "experiments/literature/record";

/// Texts of recorded claims that refer to another claim or that are hard to read, and the texts that the tables show instead. The
/// recorded texts cannot change, because `meta.json` has their digests.
struct Wording {
    texts: BTreeMap<String, String>,
    used_texts: RefCell<BTreeSet<String>>,
}

impl Wording {
    fn read() -> Self {
        let texts = toml::from_str(include_str!("../../data/literature_wording.toml")).expect("texts");
        Self { texts, used_texts: RefCell::default() }
    }

    fn show(&self, recorded_text: &str) -> String {
        let Some(text) = self.texts.get(recorded_text) else { return recorded_text.to_owned() };
        self.used_texts.borrow_mut().insert(recorded_text.to_owned());
        text.clone()
    }

    /// Panics if a text of the file is in no record.
    fn assert_all_used(self) {
        let used_texts = self.used_texts.into_inner();
        let unused_texts: Vec<&String> =
            self.texts.keys().filter(|text| !used_texts.contains(*text)).collect();
        assert!(
            unused_texts.is_empty(),
            "tests/data/literature_wording.toml: no claim has the texts {unused_texts:?}"
        );
    }
}

/// Makes a table for each [`provenance`] of claims.
pub fn literature() -> String {
    let mut records: Vec<PathBuf> = std::fs::read_dir(LITERATURE)
        .expect("records")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("runs.csv").exists() && *path == record(&name_of(path)))
        .collect();
    records.sort_by_key(|record| name_of(record));
    let wording = Wording::read();
    let mut tables: [Vec<String>; 3] = Default::default();
    let mut counts: [BTreeMap<&str, usize>; 3] = Default::default();
    for record in &records {
        let stored = StoredResults::read(record).expect("a record");
        let folder = record.file_name().and_then(|name| name.to_str()).expect("UTF-8");
        let name = name_of(record);
        let experiment =
            format!("[{name}](../experiments/literature/{name}.toml) ([run](../{LITERATURE}/{folder}))");
        let report_data = ReportData { parts: vec![ReportPart::of(&stored, "")], ..ReportData::default() };
        let claim_rows = claims::judge(&report_data, &runs(&report_data.parts));
        let claim_specs = &stored.plan.as_ref().expect("a plan").spec.claims;
        for (claim, (_, row)) in claim_specs.iter().zip(&claim_rows) {
            let table = provenance(claim);
            let verdict = match row.verdict {
                ClaimVerdict::Undecided => "undecided",
                ClaimVerdict::Holds if table < 2 => "confirmed",
                ClaimVerdict::Holds => "agrees",
                // The source does not state the claim in these words, or it measured something else.
                ClaimVerdict::Fails if table == 2 || claim.note.is_some() => "disagrees",
                ClaimVerdict::Fails => "refuted",
            };
            *counts[table].entry(verdict).or_insert(0) += 1;
            let [source, note] = [&claim.source, &claim.note]
                .map(|text| text.as_ref().map_or(String::new(), |text| wording.show(text.as_str())));
            let is_first_row = tables[table].last().is_none_or(|line| !line.contains(&name));
            let experiment_cell = if is_first_row { &*experiment } else { &*name };
            let claim_text = wording.show(claim.says.as_str());
            let cells = [experiment_cell, &claim_text, &source, &describe_measurement(row), verdict, &note];
            tables[table].push(format!("| {} |", cells.join(" | ")));
        }
    }
    wording.assert_all_used();
    let headings = [
        "Numbers checked against the source",
        "Sentences checked against the source",
        "Claims from memory or second-hand, and interpretations of our own",
    ];
    let parts = headings.iter().zip(tables).zip(counts).map(|((heading, lines), counts)| {
        let plural = |verdict: &str, count| if count == 1 { verdict.to_owned() } else { verdict.trim_end_matches('s').to_owned() };
        let verdict_counts: Vec<String> =
            counts.iter().map(|(verdict, &count)| format!("{count} {}", plural(verdict, count))).collect();
        format!(
            "### {heading}\n\n{} claims: {}.\n\n\
             | experiment | claim | source | measured | verdict | differs from the source |\n|---|---|---|---|---|---|\n{}",
            lines.len(),
            verdict_counts.join(", "),
            lines.join("\n")
        )
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

/// The index of the table of a claim: 0 if its number was read in the source, 1 if a sentence was read in the source, and 2 otherwise.
fn provenance(claim: &Claim) -> usize {
    let source = claim.source.as_ref().map_or("", |source| source.as_str());
    let is_hearsay = ["from memory", "second-hand", "for comparison"].iter().any(|how| source.contains(how));
    match (is_hearsay, claim.value.is_some() || claim.published.is_some()) {
        (true, _) => 2,
        (false, true) => 0,
        (false, false) => 1,
    }
}

/// Describes what a claim compares, and what was observed.
fn describe_measurement(row: &ClaimRow) -> String {
    // A run with goal `first` has one solution or none.
    let note = if row.measure == "solutions" && row.compared_with.as_deref() == Some("1") {
        " (1 if solved)"
    } else {
        ""
    };
    let quantity = format!("`{}`{note} of `{}`", row.measure, row.of);
    let reference =
        row.compared_with.as_deref().map_or(String::new(), |reference| match reference.split_once(" at ") {
            Some((solver, size)) => format!("that of `{solver}` at {}", with_commas(size)),
            None if reference.contains('/') => format!("that of `{reference}`"),
            None => reference.parse().map_or_else(|_| reference.to_owned(), with_thousands_separators),
        });
    let (kind, bound) = row.bound.split_once(' ').unwrap_or((&row.bound, ""));
    let comparison = match kind {
        "ratio" if note.is_empty() => format!("{quantity} divided by {reference}"),
        "ratio" => quantity,
        "difference" => format!("{quantity} minus {reference}"),
        "equal" => format!("{quantity} compared with {reference}"),
        _ => format!("growth of {quantity} per n"),
    };
    let observed = row.observed.as_deref().unwrap_or("not known");
    let answer = match (kind, row.verdict) {
        ("equal", ClaimVerdict::Holds) => "equal",
        ("equal", ClaimVerdict::Fails) => "not equal",
        ("equal", ClaimVerdict::Undecided) if observed == "0" => "equal at the other sizes",
        _ => observed,
    };
    let answer = answer.replace("; in the bound at", ", within the bound at");
    let claimed_bound = if bound.is_empty() { String::new() } else { format!(" (claimed: {bound})") };
    let exception_text = exception(row).map_or(String::new(), |text| format!("; {text}"));
    // A comma in `n` separates sizes, so no commas are inserted into the numbers of a list of sizes.
    let n = if row.n.contains(',') { row.n.clone() } else { with_commas(&row.n) };
    format!("{comparison}, n = {n}: {}{claimed_bound}{exception_text}", with_commas(&answer))
}

/// The first size at which the claim is refuted or undecided, the number of other such sizes, and the reason.
fn exception(row: &ClaimRow) -> Option<String> {
    let pattern = Regex::new(r"^n = (\d+): (.*?)(?:; (\d+) more sizes?)?$").expect("valid");
    let text = row.counterexample.as_deref()?;
    let Some(parts) = pattern.captures(text) else { return Some(text.to_owned()) };
    let other_sizes = match parts.get(3).map(|count| count.as_str()) {
        None => String::new(),
        Some("1") => " and 1 other size".to_owned(),
        Some(count) => format!(" and {count} other sizes"),
    };
    let position = match row.verdict {
        ClaimVerdict::Undecided => format!("undecided at n = {}{other_sizes}", &parts[1]),
        _ if row.n == parts[1] => format!("at n = {}", &parts[1]),
        _ => format!("first at n = {}{other_sizes}", &parts[1]),
    };
    let reason = parts[2]
        .replace(&format!("no answered run of {}", row.of), "no run has an answer")
        .replace("95 %: more than", "95 % interval without an upper end, above")
        .replace("95 %: ", "95 % interval: ");
    Some(format!("{}: {}", with_commas(&position), with_commas(&reason)))
}

/// A text whose integers of at least five digits have a comma before every three digits.
fn with_commas(text: &str) -> String {
    let integer = Regex::new(r"(^|[^.\w])(\d{5,})\b").expect("valid");
    let number_with_commas = |parts: &Captures<'_>| {
        format!("{}{}", &parts[1], with_thousands_separators(parts[2].parse().expect("digits")))
    };
    integer.replace_all(text, number_with_commas).into_owned()
}

#[test]
fn integers_of_five_digits_get_commas() {
    assert_eq!(
        with_commas("A140450 at n + 900000: 0.000882 (1234 against 120267)"),
        "A140450 at n + 900,000: 0.000882 (1234 against 120,267)"
    );
}
