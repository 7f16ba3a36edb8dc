//! The content of the page's sections: lists and tables from rows.

mod series;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::table::{Cell, Table};
use super::{Part, Section};
use crate::command;
use crate::record::{ClaimRow, CrosscheckRow, Disturbed, Judgement, Meta, Row, Session, Status, Table as _};
use crate::report::unit::thousands;
use crate::report::{self, Data, Run, claims, counted};
pub use series::{encodings, growth, nodes, ranking, ratios, times};

/// Most rows of a table of solvers.
const MOST_ROWS: usize = 200;

/// The command whose output has all rows of a table that is in no file.
const JSON: &str = "'queenlab report --format json'";

/// Most comparisons that are shown.
const MOST_COMPARISONS: usize = 500;

/// Most faults that are shown.
const MOST_FAULTS: usize = 100;

/// Remarks, warnings, wrong answers and crashes.
pub fn alerts(data: &Data<'_>) -> Vec<Part> {
    let remarks = data.material.remarks.iter().map(|remark| Part::text(remark.as_str()));
    let metas = data.material.parts.iter().filter_map(|part| part.meta);
    let warnings: BTreeSet<&String> = metas.flat_map(|meta| &meta.warnings).collect();
    let warnings = warnings.into_iter().map(|warning| Part::Text("fault", format!("Warning: {warning}")));
    remarks.chain(warnings).chain(faults(data).map(Part::Table)).collect()
}

/// The number of runs by how they ended.
pub fn summary(data: &Data<'_>) -> Section {
    let count = |is: &dyn Fn(&Row) -> bool| thousands(data.runs.iter().filter(|run| is(run)).count() as u64);
    let status = |status: Status| count(&|row| row.status == status);
    let solvers: BTreeSet<&str> = data.runs.iter().map(|run| run.row.solver.as_str()).collect();
    let sizes: BTreeSet<usize> = data.runs.iter().map(|run| run.n).collect();
    let others: u64 = data.material.parts.iter().map(|part| part.others as u64).sum();
    let list = [
        ("Runs", count(&|_| true)),
        ("Runs of earlier plans, left out", thousands(others)),
        ("Solvers", solvers.len().to_string()),
        ("Board sizes", ends(&sizes)),
        ("Answers judged correct", count(&|row| row.verdict == crate::record::Verdict::Correct)),
        ("Wrong answers", count(&|row| row.verdict.is_fault())),
        ("Crashed", status(Status::Crashed)),
        ("Output unreadable", status(Status::Unreadable)),
        ("Timeouts", status(Status::Timeout)),
        ("Out of memory", status(Status::Memout)),
        ("Skipped", status(Status::Skipped)),
        ("Disturbed by others", count(&|row| row.disturbed == Some(Disturbed::Yes))),
    ];
    // What did not happen is not listed, except for wrong answers.
    let list = list.into_iter().filter(|(what, value)| value != "0" || *what == "Wrong answers");
    let list = list.map(|(what, value)| (what.to_owned(), value)).collect();
    Section { id: "summary", heading: "Summary".to_owned(), parts: vec![Part::List(list)] }
}

/// The smallest and the largest size.
fn ends(sizes: &BTreeSet<usize>) -> String {
    match (sizes.first(), sizes.last()) {
        (Some(first), Some(last)) if first < last => format!("{first} to {last}"),
        (Some(first), _) => first.to_string(),
        _ => "none".to_owned(),
    }
}

/// Wrong answers and crashes, each once for all runs that have it.
fn faults(data: &Data<'_>) -> Option<Table> {
    type Fault<'f> = (&'f str, usize, &'static str, Option<u64>, Option<u64>, &'f str);
    let of = |run: &Run<'_>| run.verdict.is_fault() || run.status.is_failure();
    let mut faults: BTreeMap<Fault<'_>, u64> = BTreeMap::new();
    for run in data.runs.iter().filter(|run| of(run)) {
        let how = if run.verdict.is_fault() { run.verdict.name() } else { run.status.name() };
        let error = run.row.error.as_deref().unwrap_or_default();
        let fault = (run.row.solver.as_str(), run.n, how, run.solutions, run.expected_solutions, error);
        *faults.entry(fault).or_default() += 1;
    }
    Table::of(
        ("Faults", "Wrong answers and crashes"),
        &[
            ("Solver", &|(fault, _): &(Fault<'_>, u64)| Cell::words(fault.0)),
            ("n", &|(fault, _)| Cell::of(fault.1.to_string())),
            ("How it ended:", &|(fault, _)| Cell::words(fault.2)),
            ("Runs", &|(_, runs)| number(Some(*runs))),
            ("Solutions", &|(fault, _)| number(fault.3)),
            ("Expected", &|(fault, _)| number(fault.4)),
            ("Error:", &|(fault, _)| Cell::long(fault.5)),
        ],
        faults.into_iter(),
        (MOST_FAULTS, Row::FILE),
    )
}

/// The claims with their verdicts.
pub fn claims(claims: &[ClaimRow]) -> Option<Section> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let verdict = |claim: &ClaimRow| match claim.verdict {
        Judgement::Holds => Cell::words("✓ holds"),
        Judgement::Fails => Cell { class: "text fault", ..Cell::of("✗ fails") },
        Judgement::Undecided => Cell::words("? undecided"),
    };
    let observed = |claim: &ClaimRow| match (claim.bound.as_str(), text(&claim.observed)) {
        ("equal", observed) if observed == "0" => "equal".to_owned(),
        ("equal", observed) if !observed.is_empty() => format!("differs by {observed}"),
        (_, observed) => observed,
    };
    let table = Table::of(
        ("Claims", "What the experiment claims, and whether the runs agree"),
        &[
            ("Claim", &|claim: &&ClaimRow| Cell::long(&*claim.says)),
            ("Result:", &|claim| Cell::words(text(&claim.result))),
            ("Verdict:", &|claim| verdict(claim)),
            ("Observed", &|claim| Cell::of(observed(claim))),
            ("Bound:", &|claim| Cell::words(&*claim.bound)),
            ("n:", &|claim| Cell::words(&*claim.n)),
            ("Counterexample, or what is missing:", &|claim| Cell::long(text(&claim.counterexample))),
            ("Caveat:", &|claim| Cell::long(text(&claim.caveat))),
            ("Source:", &|claim| Cell::long(text(&claim.source))),
        ],
        claims.iter(),
        (MOST_ROWS, ClaimRow::FILE),
    )?;
    let (claimed, verdicts) = (counted(claims.len(), "claim"), claims::summary(claims));
    let about = format!("Of {claimed}, {verdicts}. claims.csv has what each one compares.");
    let parts = vec![Part::text(about), Part::Table(table)];
    Some(Section { id: "claims", heading: "Claims".to_owned(), parts })
}

fn number(value: Option<u64>) -> Cell {
    Cell::of(value.map(thousands).unwrap_or_default())
}

/// Disagreements, one row per solver, and every comparison.
pub fn crosscheck(results: &[(&str, &[CrosscheckRow])]) -> Section {
    let mut parts = Vec::new();
    for (result, rows) in results {
        parts.extend((!result.is_empty()).then(|| Part::Heading((*result).to_owned())));
        parts.extend(comparisons(rows));
    }
    if results.is_empty() {
        parts.push(Part::text("No comparison was made."));
    }
    Section { id: "crosscheck", heading: "Cross-check".to_owned(), parts }
}

fn comparisons(rows: &[CrosscheckRow]) -> Vec<Part> {
    let disagree: Vec<&CrosscheckRow> = rows.iter().filter(|row| !row.agrees).collect();
    let (class, about) = match (rows.len(), disagree.len()) {
        (0, _) => ("", "No comparison was made.".to_owned()),
        (all, 0) => ("", format!("All {all} comparisons agree.")),
        (all, some) => ("fault", format!("{some} of {all} comparisons disagree.")),
    };
    let compared = |title: (&str, &str), rows: Vec<&CrosscheckRow>, most: usize| {
        Table::of(
            title,
            &[
                ("Solver", &|row: &&CrosscheckRow| Cell::words(&row.solver)),
                ("n", &|row| Cell::of(row.n.to_string())),
                ("Against:", &|row| Cell::words(&row.against)),
                ("Solutions", &|row| number(Some(row.solutions))),
                ("Agrees:", &|row| Cell::words(if row.agrees { "yes" } else { "no" })),
                ("Missing", &|row| number(row.missing)),
                ("Extra", &|row| number(row.extra)),
                ("Illegal", &|row| number(row.illegal)),
                ("Repeated", &|row| number(row.duplicates)),
                ("First difference:", &|row| Cell::long(row.first_difference.as_deref().unwrap_or_default())),
            ],
            rows.into_iter(),
            (most, CrosscheckRow::FILE),
        )
    };
    let disagreements = compared(("Disagreements", "Comparisons that disagree"), disagree, MOST_FAULTS);
    let title = ("Comparisons", "Comparisons, by size and solver");
    let every = compared(title, rows.iter().collect(), MOST_COMPARISONS);
    let every = every.map(|every| Part::Folded("All comparisons", every));
    let parts = disagreements.map(Part::Table).into_iter().chain(every);
    std::iter::once(Part::Text(class, about)).chain(parts).collect()
}

/// The commands that wrote the results, the machines and the programs.
pub fn machine(all: &[report::Part<'_>]) -> Section {
    let mut parts = Vec::new();
    for part in all {
        // The parts of one result have the same name.
        parts.extend((!part.result.is_empty()).then(|| Part::Heading(part.result.to_owned())));
        match part.meta {
            Some(meta) => parts.extend(provenance(meta)),
            None => parts.push(Part::text(
                "There is no meta.json: the command and the machine that made these results are unknown.",
            )),
        }
    }
    Section { id: "machine", heading: "Machine and command".to_owned(), parts }
}

fn provenance(meta: &Meta) -> Vec<Part> {
    let heading = |text: &str| Part::Heading(text.to_owned());
    let mut parts = vec![heading(if meta.sessions.len() == 1 { "The command" } else { "The commands" })];
    parts.extend(meta.sessions.iter().flat_map(session));
    parts.extend([heading("The machine"), Part::List(properties(&meta.machine, &[]))]);
    // The rest has tables and plots of its own.
    let others = ["schema_version", "machine", "sessions", "warnings", "instances", "files"];
    parts.extend([heading("The program"), Part::List(properties(meta, &others))]);
    parts
}

/// A command as a shell reads it, and when it ran.
fn session(session: &Session) -> [Part; 2] {
    let ended = session.ended_at.as_deref().unwrap_or("an unknown time");
    let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
    let about = format!(
        "{} to {ended}: {}; load average {} before and {} after.",
        session.started_at,
        session.runs.map_or("an unknown number of runs".to_owned(), |runs| counted(runs, "run")),
        load(session.load_before),
        load(session.load_after)
    );
    [Part::Command(command::joined(session.argv.iter().map(String::as_str))), Part::Text("soft", about)]
}

/// The values of meta.json by the names of their keys, except for some.
fn properties(of: &impl Serialize, but: &[&str]) -> Vec<(String, String)> {
    let Ok(Value::Object(values)) = serde_json::to_value(of) else { return Vec::new() };
    let text = |value: Value| match value {
        Value::Null => "unknown".to_owned(),
        Value::String(text) => text,
        Value::Number(number) => number.as_u64().map_or(number.to_string(), thousands),
        Value::Object(all) => {
            let pairs =
                all.iter().map(|(key, value)| format!("{key} {}", value.as_str().unwrap_or_default()));
            pairs.collect::<Vec<_>>().join(", ")
        }
        value => value.to_string(),
    };
    let values = values.into_iter().filter(|(key, _)| !but.contains(&key.as_str()));
    values.map(|(key, value)| (key.replace('_', " "), text(value))).collect()
}
