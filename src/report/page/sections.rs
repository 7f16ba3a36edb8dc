//! The content of the page's sections: lists and tables from rows.

mod series;
mod solvers;

use std::collections::{BTreeMap, BTreeSet};

use super::SessionText;
use super::table::{Cell, Table};
use crate::command;
use crate::record::{ClaimRow, CrosscheckRow, Judgement, Meta, Row, Status, Table as _, Verdict};
use crate::report::unit::thousands;
use crate::report::{Fault, Run, counted};
pub use series::{encodings, growth, nodes, poor_growth, times};
pub use solvers::{
    overall_ratios, portfolio, portfolio_about, ranking, ranking_about, ratios, ratios_about, unranked,
};

/// Most rows of a table of solvers.
const MOST_ROWS: usize = 200;

/// The command whose output has all rows of a table that is in no file.
const JSON: &str = "'export --format json'";

/// Most comparisons that are shown.
const MOST_COMPARISONS: usize = 500;

/// Most faults that are shown.
const MOST_FAULTS: usize = 100;

/// The number of runs by how they ended. `others`: the number of runs of earlier plans.
pub fn summary(rows: &[Run], others: usize) -> Vec<(&'static str, String)> {
    let count = |is: &dyn Fn(&Run) -> bool| thousands(rows.iter().filter(|row| is(row)).count() as u64);
    let status = |status: Status| count(&|row: &Run| row.status == status);
    let solvers: BTreeSet<&str> = rows.iter().map(|row| &*row.solver).collect();
    let sizes: BTreeSet<usize> = rows.iter().map(|row| row.n).collect();
    let others = (others > 0).then(|| ("Runs of earlier plans, left out", thousands(others as u64)));
    let counts = [
        ("Solvers", solvers.len().to_string()),
        ("Board sizes", ends(&sizes)),
        ("Answers judged correct", count(&|row| row.verdict == Verdict::Correct)),
        ("Wrong answers", count(&|row| row.verdict.is_fault())),
        ("Crashed", status(Status::Crashed)),
        ("Output unreadable", status(Status::Unreadable)),
        ("Timeouts", status(Status::Timeout)),
        ("Out of memory", status(Status::Memout)),
        ("Skipped", status(Status::Skipped)),
        ("Disturbed by others", count(&|row| row.is_disturbed)),
    ];
    std::iter::once(("Runs", thousands(rows.len() as u64))).chain(others).chain(counts).collect()
}

/// The smallest and the largest size.
fn ends(sizes: &BTreeSet<usize>) -> String {
    match (sizes.first(), sizes.last()) {
        (Some(first), Some(last)) if first < last => format!("{first} to {last}"),
        (Some(first), _) => first.to_string(),
        _ => "none".to_owned(),
    }
}

/// Wrong answers and crashes.
pub fn faults(rows: &[Run]) -> Option<Table> {
    let mut faults: Vec<(&Run, &Fault)> =
        rows.iter().filter_map(|row| Some((row, row.fault.as_deref()?))).collect();
    faults.sort_by_key(|(row, _)| (row.seq, row.n, &row.solver, row.repetition));
    let heads = ["Solver", "n", "How it ended:", "Solutions", "Expected", "Error:"];
    let row = |(row, fault): (&Run, &Fault)| {
        let how = if row.verdict.is_fault() { format!("{:?}", row.verdict) } else { row.status.to_string() };
        vec![
            Cell::words(&*row.solver),
            Cell::of(row.n.to_string()),
            Cell::words(how.to_lowercase()),
            number(row.solutions),
            number(fault.expected_solutions),
            Cell::long(fault.error.as_deref().unwrap_or_default()),
        ]
    };
    let title = ("Faults", "Wrong answers and crashes");
    Table::of(title, heads, faults.into_iter(), row, (MOST_FAULTS, Row::FILE))
}

/// The claims with their verdicts.
pub fn claims(claims: &[ClaimRow]) -> Option<Table> {
    let heads =
        ["Claim", "Verdict:", "Observed", "Bound:", "n:", "Counterexample, or what is missing:", "Source:"];
    let row = |claim: &ClaimRow| {
        let class = if claim.verdict == Judgement::Fails { "text fault" } else { "text" };
        let mark = match claim.verdict {
            Judgement::Holds => "✓",
            Judgement::Fails => "✗",
            Judgement::Undecided => "?",
        };
        vec![
            Cell::long(&*claim.says),
            Cell { class, ..Cell::of(format!("{mark} {}", claim.verdict)) },
            Cell::of(claim.observed.clone().unwrap_or_default()),
            Cell::words(&*claim.bound),
            Cell::words(&*claim.n),
            Cell::long(claim.counterexample.as_deref().unwrap_or_default()),
            Cell::long(claim.source.as_deref().unwrap_or_default()),
        ]
    };
    let title = ("Claims", "What the experiment claims, and whether the runs agree");
    Table::of(title, heads, claims.iter(), row, (MOST_ROWS, ClaimRow::FILE))
}

/// The verdicts in numbers.
pub fn claims_about(claims: &[ClaimRow]) -> String {
    let claimed = counted(claims.len(), "claim");
    format!(
        "Of {claimed}, {}. claims.csv has what each one compares.",
        crate::report::claims::summary(claims)
    )
}

fn number(value: Option<u64>) -> Cell {
    Cell::of(value.map(thousands).unwrap_or_default())
}

pub fn crosscheck_about(rows: &[CrosscheckRow], disagreements: usize) -> String {
    match (rows.len(), disagreements) {
        (0, _) => "No comparison was made.".to_owned(),
        (all, 0) => format!("All {all} comparisons agree."),
        (all, some) => format!("{some} of {all} comparisons disagree."),
    }
}

/// Disagreements, and one row per solver.
pub fn crosscheck(rows: &[CrosscheckRow]) -> Vec<Table> {
    let disagree = rows.iter().filter(|row| !row.agrees);
    let disagreements = compared("Disagreements", "Comparisons that disagree", disagree, MOST_FAULTS);
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
    disagreements.into_iter().chain(table).collect()
}

/// Every comparison.
pub fn comparisons(rows: &[CrosscheckRow]) -> Option<Table> {
    compared("Comparisons", "Comparisons, by solver and size", rows.iter(), MOST_COMPARISONS)
}

fn compared<'a>(
    label: &str,
    caption: &str,
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
    Table::of((label, caption), heads, rows, row, (most, CrosscheckRow::FILE))
}

/// The commands that wrote the results, as a shell reads them.
pub fn sessions(meta: &Meta) -> Vec<SessionText> {
    let text = |session: &crate::record::Session| {
        let ended = session.ended_at.as_deref().unwrap_or("an unknown time");
        let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
        SessionText {
            command: command::joined(session.argv.iter().map(String::as_str)),
            about: format!(
                "{} to {ended}: {}; load average {} before and {} after.",
                session.started_at,
                counted(session.runs, "run"),
                load(session.load_before),
                load(session.load_after)
            ),
        }
    };
    meta.sessions.iter().map(text).collect()
}

pub fn machine(meta: &Meta) -> Vec<(&'static str, String)> {
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

pub fn build(meta: &Meta) -> Vec<(&'static str, String)> {
    let dirty = if meta.git_dirty == Some(true) { ", with local changes" } else { "" };
    let versions = meta.solver_versions.iter().map(|(solver, version)| format!("{solver} {version}"));
    vec![
        ("queenlab", meta.queenlab_version.clone()),
        ("Revision", meta.git_revision.as_ref().map_or("unknown".to_owned(), |git| format!("{git}{dirty}"))),
        ("Executable", format!("SHA-256 {}", meta.executable_sha256)),
        ("Compiler", meta.rustc.clone()),
        ("Target", meta.target.clone()),
        ("Plan", format!("SHA-256 {}", meta.plan_sha256)),
        ("Order seed", meta.order_seed.to_string()),
        ("Solvers", versions.collect::<Vec<_>>().join(", ")),
    ]
}
