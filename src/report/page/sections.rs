//! The content of the page's sections: lists and tables from rows.

use std::collections::{BTreeMap, BTreeSet};

use super::SessionText;
use super::table::{Cell, Table};
use crate::record::{CrosscheckRow, Meta, NodesRow, Status, Table as _, TimingsRow, Verdict};
use crate::report::growth::{Growth, digits};
use crate::report::instances;
use crate::report::plots::Data;
use crate::report::plots::keys::Key;
use crate::report::ranking::Ranking;
use crate::report::run::Fault;
use crate::report::{Run, Unit};
use crate::solver::Stat;

/// Most rows and columns of a table; the others are in a CSV file only.
const MOST_ROWS: usize = 200;
const MOST_SIZES: usize = 24;

/// Most comparisons that are shown; the others are in crosscheck.csv only.
const MOST_COMPARISONS: usize = 500;

/// Most faults that are shown; the others are only counted.
const MOST_FAULTS: usize = 100;

fn time(nanoseconds: u64) -> String {
    Unit::Time.show(nanoseconds)
}

/// A time with a no-break space before its unit.
fn whole(nanoseconds: u64) -> String {
    time(nanoseconds).replace(' ', "\u{a0}")
}

/// The number of runs by how they ended.
pub fn summary(rows: &[Run]) -> Vec<(&'static str, String)> {
    let count = |is: &dyn Fn(&Run) -> bool| rows.iter().filter(|row| is(row)).count().to_string();
    let status = |status: Status| count(&|row: &Run| row.status == status);
    let solvers: BTreeSet<&str> = rows.iter().map(|row| &*row.solver).collect();
    let sizes: BTreeSet<usize> = rows.iter().map(|row| row.n).collect();
    let range = match (sizes.first(), sizes.last()) {
        (Some(first), Some(last)) if first < last => format!("{first} to {last}"),
        (Some(first), _) => first.to_string(),
        _ => "none".to_owned(),
    };
    vec![
        ("Runs", rows.len().to_string()),
        ("Solvers", solvers.len().to_string()),
        ("Board sizes", range),
        ("Answers judged correct", count(&|row| row.verdict == Verdict::Correct)),
        ("Wrong answers", count(&|row| row.verdict.is_fault())),
        ("Crashed", status(Status::Crashed)),
        ("Output unreadable", status(Status::Unreadable)),
        ("Timeouts", status(Status::Timeout)),
        ("Out of memory", status(Status::Memout)),
        ("Skipped", status(Status::Skipped)),
    ]
}

/// Wrong answers and crashes.
pub fn faults(rows: &[Run]) -> Option<Table> {
    let mut faults: Vec<(&Run, &Fault)> =
        rows.iter().filter_map(|row| Some((row, row.fault.as_deref()?))).collect();
    faults.sort_by_key(|(row, _)| (row.seq, row.n, &row.solver, row.repetition));
    let caption = match faults.len() {
        0..=MOST_FAULTS => "Wrong answers and crashes".to_owned(),
        all => format!("The first {MOST_FAULTS} of {all} wrong answers and crashes"),
    };
    let heads = ["Solver", "n", "How it ended:", "Solutions", "Expected", "Error:"];
    let mut table = Table::new("Faults", caption, heads.map(str::to_owned));
    for (row, fault) in faults.into_iter().take(MOST_FAULTS) {
        let how = if row.verdict.is_fault() { format!("{:?}", row.verdict) } else { row.status.to_string() };
        table.push(vec![
            Cell::words(&*row.solver),
            Cell::of(row.n.to_string()),
            Cell::words(how.to_lowercase()),
            number(row.solutions),
            number(fault.expected_solutions),
            Cell::long(fault.error.as_deref().unwrap_or_default()),
        ]);
    }
    table.unless_empty()
}

fn number(value: Option<u64>) -> Cell {
    Cell::of(value.map(|value| value.to_string()).unwrap_or_default())
}

/// A table with one row per series and one column per size.
fn by_size<'a, T>(
    data: &Data<'_>,
    (label, caption, file): (&str, &str, &str),
    cells: &'a [T],
    n: impl Fn(&T) -> usize,
    of_key: impl Fn(&Key<'_>) -> Vec<&'a T>,
    show: impl Fn(&T) -> Option<Cell>,
) -> Option<Table> {
    let keys = data.keys();
    let shown: Vec<&T> = cells.iter().filter(|cell| show(cell).is_some()).collect();
    let all: BTreeSet<usize> = shown.into_iter().map(&n).collect();
    let sizes: BTreeSet<usize> = all.iter().rev().take(MOST_SIZES).copied().collect();
    let mut caption = caption.to_owned();
    if sizes.len() < all.len() {
        caption = format!("{caption}. The largest {} of {} sizes; {file} has all", sizes.len(), all.len());
    }
    let heads = std::iter::once("Solver".to_owned()).chain(sizes.iter().map(|n| format!("n = {n}")));
    let mut table = Table::new(label, caption, heads);
    for (key, _) in keys.iter() {
        let own: BTreeMap<usize, Cell> =
            of_key(&key).into_iter().filter_map(|cell| Some((n(cell), show(cell)?))).collect();
        if !sizes.iter().any(|n| own.contains_key(n)) {
            continue;
        }
        let mut row = vec![Cell::words(keys.name(&key, true))];
        row.extend(sizes.iter().map(|n| own.get(n).cloned().unwrap_or_default()));
        table.push(row);
    }
    table.cut(MOST_ROWS, file).unless_empty()
}

/// Medians with their intervals.
pub fn times(data: &Data<'_>) -> Vec<Table> {
    let show = |cell: &TimingsRow| {
        let Some(median) = cell.median_ns else {
            let ended = if cell.timeouts > 0 { "timeout" } else { "no answer" };
            return Some(Cell::of(ended));
        };
        let interval = cell.ci95_low_ns.zip(cell.ci95_high_ns);
        let mut small: Vec<String> =
            interval.map(|(low, high)| format!("{} to {}", whole(low), whole(high))).into_iter().collect();
        if cell.solved < cell.runs {
            small.push(format!("{} of {} runs", cell.solved, cell.runs));
        }
        let small = Some(small.join("; ")).filter(|text| !text.is_empty());
        Some(Cell { small, ..Cell::of(time(median)) })
    };
    let caption = "Median of the timed runs; below it, from five runs on, its 95 % interval (bootstrap)";
    let of_key = |key: &Key<'_>| instances::of_key(data.timings, key);
    let table = by_size(data, ("Times", caption, "timings.csv"), data.timings, |cell| cell.n, of_key, show);
    table.into_iter().collect()
}

/// What searchers visited.
pub fn nodes(data: &Data<'_>) -> Option<Table> {
    let show = |row: &NodesRow| match (row.stats.get(Stat::Nodes), row.stats.get(Stat::Candidates)) {
        (Some(nodes), _) => Some(Cell::of(nodes.to_string())),
        (None, Some(tested)) => {
            Some(Cell { small: Some("candidates".to_owned()), ..Cell::of(tested.to_string()) })
        }
        (None, None) => None,
    };
    counts(data, ("Nodes", "Nodes visited, or complete candidates tested"), show)
}

/// Sizes of formulas.
pub fn encodings(data: &Data<'_>) -> Option<Table> {
    let show = |row: &NodesRow| {
        let vars = row.stats.get(Stat::Vars).map(|vars| format!("{vars} variables"));
        Some(Cell { small: vars, ..Cell::of(row.stats.get(Stat::Clauses)?.to_string()) })
    };
    counts(data, ("Encodings", "Clauses, and below them the variables"), show)
}

fn counts(data: &Data<'_>, title: (&str, &str), show: impl Fn(&NodesRow) -> Option<Cell>) -> Option<Table> {
    // A row per number of threads would repeat what is counted once.
    let first: BTreeSet<_> =
        data.keys().without_threads().map(|(key, _)| (key.solver, key.goal, key.threads)).collect();
    let of_key = |key: &Key<'_>| {
        let mine = |row: &&NodesRow| {
            (row.solver.as_str(), row.variant.as_str(), row.goal.as_str())
                == (key.solver, key.variant, key.goal.name())
        };
        if !first.contains(&(key.solver, key.goal, key.threads)) {
            return Vec::new();
        }
        data.nodes.iter().filter(mine).collect()
    };
    by_size(data, (title.0, title.1, "nodes.csv"), data.nodes, |row| row.n, of_key, show)
}

/// The fitted factors.
pub fn growth(data: &Data<'_>) -> Option<Table> {
    let keys = data.keys();
    let heads =
        ["Solver", "Factor per n", "95 % interval", "Standard error", "Sizes", "Spread around the line"];
    let caption =
        "Growth of the median with n; the spread is the factor by which medians lie beside the line";
    let mut table = Table::new("Growth", caption, heads.map(str::to_owned));
    for (key, _) in keys.iter() {
        let Some(fit) = Growth::of(&instances::of_key(data.timings, &key)) else { continue };
        let sizes = fit.points.first().zip(fit.points.last());
        let sizes = sizes.map(|(first, last)| format!("{} ({} to {})", fit.points.len(), first.0, last.0));
        table.push(vec![
            Cell::words(keys.name(&key, true)),
            Cell::of(format!("×{}", digits(fit.factor))),
            Cell::of(format!("{} to {}", digits(fit.ci95.0), digits(fit.ci95.1))),
            Cell::of(format!("{:.1} %", 100.0 * fit.log_error)),
            Cell::of(sizes.unwrap_or_default()),
            Cell::of(format!("×{}", digits(fit.residual.exp()))),
        ]);
    }
    table.cut(MOST_ROWS, "'export --format json'").unless_empty()
}

pub fn ranking_about(ranking: &Ranking<'_>) -> String {
    let left_out = match ranking.short {
        0 => String::new(),
        1 => " One instance is left out: a solver took less than 100 µs for it.".to_owned(),
        short => format!(" {short} instances are left out: a solver took less than 100 µs for each of them."),
    };
    match ranking.common {
        0 => format!(
            "No instance was solved by all solvers that solved at least half as many as the most successful one: \
             there is no ranking.{left_out}"
        ),
        common => format!(
            "Geometric mean of the medians on the {common} instance{} that all ranked solvers solved. PAR-2 is a mean \
             on the instances that all of them attempted, where an unsolved run counts as twice its limit.{left_out}",
            if common == 1 { "" } else { "s" }
        ),
    }
}

pub fn ranking(ranking: &Ranking<'_>, data: &Data<'_>) -> Option<Table> {
    let keys = data.keys();
    let heads = ["Solver", "Place", "Geometric mean", "Times the fastest", "PAR-2", "Solved", "Attempted"];
    let mut table = Table::new("Ranking", "Solvers, fastest first", heads.map(str::to_owned));
    for (place, of) in (1..).zip(&ranking.ranked) {
        table.push(vec![
            Cell::words(instances::name(&keys, of.entrant)),
            Cell::of(place.to_string()),
            Cell::of(time(of.mean_ns)),
            Cell::of(digits(of.ratio)),
            Cell::of(of.par2_ns.map(time).unwrap_or_default()),
            Cell::of(of.solved.to_string()),
            Cell::of(of.attempted.to_string()),
        ]);
    }
    table.cut(MOST_ROWS, "'export --format json'").unless_empty()
}

/// Who is not ranked.
pub fn unranked(ranking: &Ranking<'_>, data: &Data<'_>) -> Option<String> {
    let keys = data.keys();
    let told = ranking.unranked.iter().map(|&(entrant, solved, attempted)| {
        format!("{} (solved {solved} of {attempted})", instances::name(&keys, entrant))
    });
    let mut told: Vec<String> = told.take(MOST_ROWS + 1).collect();
    if told.len() > MOST_ROWS {
        told[MOST_ROWS] = format!("{} more", ranking.unranked.len() - MOST_ROWS);
    }
    (!told.is_empty()).then(|| format!("Not ranked, for they solved too few: {}.", told.join(", ")))
}

pub fn crosscheck_about(rows: &[CrosscheckRow], disagreements: usize) -> String {
    match (rows.len(), disagreements) {
        (0, _) => "No comparison was made.".to_owned(),
        (all, 0) => format!("All {all} comparisons agree."),
        (all, some) => format!("{some} of {all} comparisons disagree."),
    }
}

/// Disagreements, and a row per solver.
pub fn crosscheck(rows: &[CrosscheckRow]) -> Vec<Table> {
    let disagree: Vec<&CrosscheckRow> = rows.iter().filter(|row| !row.agrees).take(MOST_FAULTS).collect();
    let mut tables: Vec<Table> =
        compared("Disagreements", "Comparisons that disagree", &disagree).into_iter().collect();
    let mut solvers: BTreeMap<&str, Vec<&CrosscheckRow>> = BTreeMap::new();
    for row in rows {
        solvers.entry(&row.solver).or_default().push(row);
    }
    let heads = ["Solver", "Board sizes:", "Against:", "Comparisons", "Agree"];
    let mut table =
        Table::new("Cross-check", "Solvers, and what they were compared with", heads.map(str::to_owned));
    for (solver, own) in solvers {
        let sizes: BTreeSet<usize> = own.iter().map(|row| row.n).collect();
        let sizes = sizes.first().zip(sizes.last()).map(|(first, last)| format!("{first} to {last}"));
        let against: BTreeSet<&str> = own.iter().map(|row| row.against.as_str()).collect();
        table.push(vec![
            Cell::words(solver),
            Cell::words(sizes.unwrap_or_default()),
            Cell::long(against.into_iter().collect::<Vec<_>>().join(", ")),
            Cell::of(own.len().to_string()),
            Cell::of(own.iter().filter(|row| row.agrees).count().to_string()),
        ]);
    }
    tables.extend(table.cut(MOST_ROWS, CrosscheckRow::FILE).unless_empty());
    tables
}

/// Every comparison.
pub fn comparisons(rows: &[CrosscheckRow]) -> Option<Table> {
    let all: Vec<&CrosscheckRow> = rows.iter().collect();
    let table = compared("Comparisons", "Comparisons, by solver and size", &all)?;
    Some(table.cut(MOST_COMPARISONS, CrosscheckRow::FILE))
}

fn compared(label: &str, caption: &str, rows: &[&CrosscheckRow]) -> Option<Table> {
    let heads = [
        "Solver",
        "n",
        "Against:",
        "Solutions",
        "Agrees:",
        "Missing",
        "Extra",
        "Illegal",
        "Repeated",
        "First difference:",
    ];
    let mut table = Table::new(label, caption, heads.map(str::to_owned));
    for row in rows {
        table.push(vec![
            Cell::words(&row.solver),
            Cell::of(row.n.to_string()),
            Cell::words(&row.against),
            Cell::of(row.solutions.to_string()),
            Cell::words(if row.agrees { "yes" } else { "no" }),
            number(row.missing),
            number(row.extra),
            number(row.illegal),
            number(row.duplicates),
            Cell::long(row.first_difference.as_deref().unwrap_or_default()),
        ]);
    }
    table.unless_empty()
}

/// The commands, as a shell takes them.
pub fn sessions(meta: &Meta) -> Vec<SessionText> {
    let text = |session: &crate::record::Session| {
        let ended = session.ended_at.as_deref().unwrap_or("(did not say when it ended)");
        let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
        SessionText {
            command: session.argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
            about: format!(
                "{} to {ended}: {} runs; load {} before, {} after.",
                session.started_at,
                session.runs,
                load(session.load_before),
                load(session.load_after)
            ),
        }
    };
    meta.sessions.iter().map(text).collect()
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_a_shell_takes_it() {
        let shown = ["queenlab", "--n=4-8", "sat/*", "it's", ""].map(quoted);
        assert_eq!(shown, ["queenlab", "--n=4-8", "'sat/*'", r"'it'\''s'", "''"]);
    }
}
