//! The content of the page's sections: lists and tables from rows.

mod series;
mod solvers;

use std::collections::{BTreeMap, BTreeSet};

use super::table::{Cell, Table};
use super::{Part, Section};
use crate::command;
use crate::record::{ClaimRow, CrosscheckRow, Disturbed, Judgement, Meta, Row, Session, Status, Table as _};
use crate::report::unit::thousands;
use crate::report::{self, Data, Run, claims, counted};
pub use series::{encodings, growth, nodes, times};
pub use solvers::{ranking, ratios};

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
    let mut list = vec![("Runs", count(&|_| true))];
    list.extend((others > 0).then(|| ("Runs of earlier plans, left out", thousands(others))));
    list.extend([
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
    ]);
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
    let heads = ["Solver", "n", "How it ended:", "Runs", "Solutions", "Expected", "Error:"];
    let row = |((solver, n, how, solutions, expected, error), runs): (Fault<'_>, u64)| {
        vec![
            Cell::words(solver),
            Cell::of(n.to_string()),
            Cell::words(how),
            number(Some(runs)),
            number(solutions),
            number(expected),
            Cell::long(error),
        ]
    };
    let title = ("Faults", "Wrong answers and crashes");
    Table::of(title, heads, faults.into_iter(), row, (MOST_FAULTS, Row::FILE))
}

/// The claims with their verdicts.
pub fn claims(claims: &[ClaimRow]) -> Option<Section> {
    let heads = [
        "Claim",
        "Result:",
        "Verdict:",
        "Observed",
        "Bound:",
        "n:",
        "Counterexample, or what is missing:",
        "Caveat:",
        "Source:",
    ];
    let row = |claim: &ClaimRow| {
        let class = if claim.verdict == Judgement::Fails { "text fault" } else { "text" };
        let mark = match claim.verdict {
            Judgement::Holds => "✓",
            Judgement::Fails => "✗",
            Judgement::Undecided => "?",
        };
        vec![
            Cell::long(&*claim.says),
            Cell::words(claim.result.as_deref().unwrap_or_default()),
            Cell { class, ..Cell::of(format!("{mark} {}", claim.verdict)) },
            Cell::of(match (claim.bound.as_str(), claim.observed.as_deref().unwrap_or_default()) {
                ("equal", "0") => "equal".to_owned(),
                ("equal", difference) if !difference.is_empty() => format!("differs by {difference}"),
                (_, observed) => observed.to_owned(),
            }),
            Cell::words(&*claim.bound),
            Cell::words(&*claim.n),
            Cell::long(claim.counterexample.as_deref().unwrap_or_default()),
            Cell::long(claim.caveat.as_deref().unwrap_or_default()),
            Cell::long(claim.source.as_deref().unwrap_or_default()),
        ]
    };
    let title = ("Claims", "What the experiment claims, and whether the runs agree");
    let table = Table::of(title, heads, claims.iter(), row, (MOST_ROWS, ClaimRow::FILE))?;
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
    let title = ("Disagreements", "Comparisons that disagree");
    let disagreements = compared(title, disagree.into_iter(), MOST_FAULTS);
    let mut solvers: BTreeMap<&str, Vec<&CrosscheckRow>> = BTreeMap::new();
    for row in rows {
        solvers.entry(&row.solver).or_default().push(row);
    }
    let row = |(solver, own): (&str, Vec<&CrosscheckRow>)| {
        let sizes: BTreeSet<usize> = own.iter().map(|row| row.n).collect();
        let against: BTreeSet<&str> = own.iter().map(|row| row.against.as_str()).collect();
        vec![
            Cell::words(solver),
            Cell::words(ends(&sizes)),
            Cell::long(against.into_iter().collect::<Vec<_>>().join(", ")),
            Cell::of(own.len().to_string()),
            Cell::of(own.iter().filter(|row| row.agrees).count().to_string()),
        ]
    };
    let heads = ["Solver", "Board sizes:", "Against:", "Comparisons", "Agree"];
    let title = ("Cross-check", "Solvers, and what they were compared with");
    let table = Table::of(title, heads, solvers.into_iter(), row, (MOST_ROWS, CrosscheckRow::FILE));
    let title = ("Comparisons", "Comparisons, by solver and size");
    let every = compared(title, rows.iter(), MOST_COMPARISONS);
    let tables = disagreements.into_iter().chain(table).map(Part::Table);
    let every = every.map(|every| Part::Folded("All comparisons", every));
    std::iter::once(Part::Text(class, about)).chain(tables).chain(every).collect()
}

fn compared<'a>(
    title: (&str, &str),
    rows: impl Iterator<Item = &'a CrosscheckRow>,
    most: usize,
) -> Option<Table> {
    let heads =
        ["Solver", "n", "Against:", "Solutions", "Agrees:", "Missing", "Extra", "Illegal", "Repeated"];
    let heads = heads.into_iter().chain(["First difference:"]);
    let row = |row: &CrosscheckRow| {
        vec![
            Cell::words(&row.solver),
            Cell::of(row.n.to_string()),
            Cell::words(&row.against),
            number(Some(row.solutions)),
            Cell::words(if row.agrees { "yes" } else { "no" }),
            number(row.missing),
            number(row.extra),
            number(row.illegal),
            number(row.duplicates),
            Cell::long(row.first_difference.as_deref().unwrap_or_default()),
        ]
    };
    Table::of(title, heads, rows, row, (most, CrosscheckRow::FILE))
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
    parts.extend([heading("The machine"), Part::List(properties(meta))]);
    parts.extend([heading("The program"), Part::List(build(meta))]);
    parts
}

/// A command as a shell reads it, and when it ran.
fn session(session: &Session) -> [Part; 2] {
    let ended = session.ended_at.as_deref().unwrap_or("an unknown time");
    let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
    let about = format!(
        "{} to {ended}: {}; load average {} before and {} after.",
        session.started_at,
        counted(session.runs, "run"),
        load(session.load_before),
        load(session.load_after)
    );
    [Part::Command(command::joined(session.argv.iter().map(String::as_str))), Part::Text("soft", about)]
}

fn properties(meta: &Meta) -> Vec<(&'static str, String)> {
    let machine = &meta.machine;
    let unknown = || "unknown".to_owned();
    vec![
        ("CPU", machine.cpu_model.clone()),
        ("Cores", machine.cores.to_string()),
        ("Memory", machine.memory_bytes.map_or_else(unknown, |bytes| format!("{} MiB", bytes >> 20))),
        ("Operating system", machine.os.clone()),
        ("Kernel", machine.kernel.clone()),
        ("Governor", machine.governor.clone().unwrap_or_else(unknown)),
        ("Turbo", machine.turbo.map_or_else(unknown, |on| if on { "on" } else { "off" }.to_owned())),
        ("Host", machine.host.clone()),
    ]
}

fn build(meta: &Meta) -> Vec<(&'static str, String)> {
    let dirty = if meta.git_dirty == Some(true) { ", with local changes" } else { "" };
    let versions = meta.solvers.iter().map(|(solver, version)| format!("{solver} {version}"));
    vec![
        ("queenlab", meta.queenlab_version.clone()),
        ("Revision", meta.git_revision.as_ref().map_or("unknown".to_owned(), |git| format!("{git}{dirty}"))),
        ("Executable", format!("SHA-256 {}", meta.executable_sha256)),
        ("Compiler", meta.rustc.clone()),
        ("Target", meta.target.clone()),
        ("Solvers", versions.collect::<Vec<_>>().join(", ")),
    ]
}
