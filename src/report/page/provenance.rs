//! The section about the origin of the results: comparisons of solvers, commands, machines and programs.

use serde::Serialize;
use serde_json::Value;

use super::TypedHead::{Values, Words};
use super::sections::{MAX_FAULTS, number};
use super::{PageCell, PagePart, PageTable, Section};
use crate::command;
use crate::record::{CrosscheckRow, Meta, Table as _};
use crate::report::number_format::thousands;
use crate::report::{self, counted};
use runlab::Session;

/// Makes the section: the number of comparisons and those that disagree; the commands that wrote the results, the machines and the
/// programs.
pub fn section(results: &[(&str, &[CrosscheckRow])], all: &[report::ReportPart<'_>]) -> Option<Section> {
    let parts = crosscheck_parts(results).into_iter().chain(machine_parts(all));
    Section::of("crosscheck", "Cross-check, machine and commands", parts)
}

fn crosscheck_parts(results: &[(&str, &[CrosscheckRow])]) -> Vec<PagePart> {
    let mut parts = Vec::new();
    for (result, rows) in results {
        parts.extend((!result.is_empty()).then(|| PagePart::Heading((*result).to_owned())));
        let disagreeing_rows = rows.iter().filter(|row| !row.agrees);
        parts.push(match (rows.len(), disagreeing_rows.clone().count()) {
            (0, _) => PagePart::text("No comparison was made."),
            (all, 0) => PagePart::text(format!("All {all} comparisons agree; crosscheck.csv lists them.")),
            (all, disagreeing) => {
                PagePart::Text("fault", format!("{disagreeing} of {all} comparisons disagree."))
            }
        });
        let table = PageTable::of(
            ("Disagreements", "Comparisons that disagree"),
            &[
                (Words("Solver"), &|row: &&CrosscheckRow| PageCell::of_text(row.solver.as_str())),
                (Values("n"), &|row| PageCell::of(row.n.to_string()).with_value(row.n)),
                (Words("Against"), &|row| PageCell::of_text(row.against.as_str())),
                (Values("Solutions"), &|row| number(Some(row.solutions))),
                (Values("Missing"), &|row| number(row.missing)),
                (Values("Extra"), &|row| number(row.extra)),
                (Values("Illegal"), &|row| number(row.illegal)),
                (Values("Repeated"), &|row| number(row.duplicates)),
                (Words("First difference"), &|row| {
                    PageCell::wrapped_text(row.first_difference.as_deref().unwrap_or_default())
                }),
            ],
            disagreeing_rows,
            (MAX_FAULTS, CrosscheckRow::FILE),
        );
        parts.extend(table.map(PagePart::Table));
    }
    if results.is_empty() {
        parts.push(PagePart::text("No comparison was made."));
    }
    parts
}

fn machine_parts(all: &[report::ReportPart<'_>]) -> Vec<PagePart> {
    let mut parts = Vec::new();
    for part in all {
        // All directories of one result have the same heading: the name of the result.
        parts.extend((!part.result.is_empty()).then(|| PagePart::Heading(part.result.to_owned())));
        match part.meta {
            Some(meta) => parts.extend(provenance_parts(meta)),
            None => parts.push(PagePart::text(
                "There is no meta.json: the command and the machine that made these results are unknown.",
            )),
        }
    }
    let summary =
        PagePart::Collapsed("The commands, the machine and the program that made these results".to_owned());
    std::iter::once(summary).chain(parts).chain([PagePart::EndOfCollapsed]).collect()
}

fn provenance_parts(meta: &Meta) -> Vec<PagePart> {
    let heading = |text: &str| PagePart::Heading(text.to_owned());
    let mut parts = vec![heading(if meta.sessions.len() == 1 { "The command" } else { "The commands" })];
    parts.extend(meta.sessions.iter().flat_map(session_parts));
    parts.extend([heading("The machine"), PagePart::List(properties(&meta.machine, &[]))]);
    // The machine and the sessions have their own headings, and the warnings their own section. `files` contains
    // only digests.
    let omitted_keys = ["schema_version", "machine", "sessions", "warnings", "files"];
    parts.extend([heading("The program"), PagePart::List(properties(meta, &omitted_keys))]);
    parts
}

/// A point in time to the second: `2026-11-26 04:40:00 UTC`.
fn formatted_time(text: &str) -> String {
    match text.strip_suffix('Z').and_then(|text| text.split_once('T')) {
        Some((day, time)) => format!("{day} {} UTC", time.split('.').next().unwrap_or(time)),
        None => text.to_owned(),
    }
}

/// The command of a session as text for a shell, and a sentence about its times, runs and load.
fn session_parts(session: &Session) -> [PagePart; 2] {
    let end_time = session.ended_at.as_deref().map_or("an unknown time".to_owned(), formatted_time);
    let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
    let description = format!(
        "{} to {end_time}: {}; load average {} before and {} after.",
        formatted_time(&session.started_at),
        session.runs.map_or("an unknown number of runs".to_owned(), |runs| counted(runs, "run")),
        load(session.load_before),
        load(session.load_after)
    );
    [
        PagePart::Command(command::joined(session.argv.iter().map(String::as_str))),
        PagePart::Text("soft", description),
    ]
}

/// The keys and values of an object, except for the keys in `omitted`.
fn properties(of: &impl Serialize, omitted: &[&str]) -> Vec<(String, String)> {
    let Ok(Value::Object(values)) = serde_json::to_value(of) else { return Vec::new() };
    let text = |value: Value| match value {
        Value::Null => "unknown".to_owned(),
        Value::Bool(value) => if value { "yes" } else { "no" }.to_owned(),
        Value::String(text) => text,
        Value::Number(number) => number.as_u64().map_or(number.to_string(), thousands),
        Value::Object(all) => {
            let pairs =
                all.iter().map(|(key, value)| format!("{key} {}", value.as_str().unwrap_or_default()));
            pairs.collect::<Vec<_>>().join(", ")
        }
        value => value.to_string(),
    };
    let values = values.into_iter().filter(|(key, _)| !omitted.contains(&key.as_str()));
    values.map(|(key, value)| (key.replace('_', " "), text(value))).collect()
}
