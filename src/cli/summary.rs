//! What a sweep says on standard output: the plan of a dry run, and the results in a table.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use crate::board::sizes::ranges;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::runner::Faults;
use crate::record::{Row, Status};
use crate::report::tables;

use super::units;

/// Columns of the results table: more sizes than these do not fit a terminal.
const SIZES_SHOWN: usize = 6;

/// A line a solver: at which sizes it runs, and where it is skipped.
pub fn plan(plan: &Plan, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "experiment  {}", plan.name)?;
    for (label, text) in [("question", &plan.question), ("expected", &plan.expected)] {
        if !text.is_empty() {
            writeln!(out, "{label:10}  {text}")?;
        }
    }
    if let Some(cell) = plan.cells.first() {
        let limit = units::rough(cell.time_limit());
        let threads =
            if cell.threads == 1 { "one thread".to_owned() } else { format!("{} threads", cell.threads) };
        writeln!(out, "each run    goal {}, at most {limit}, {threads}", cell.goal)?;
    }
    if let Some(how) = conduct(plan) {
        writeln!(out, "how         {how}")?;
    }
    let (runs, cells) = (plan.runs.len(), plan.cells.len());
    writeln!(out, "in all      {runs} runs of {cells} cells, at most {}", units::rough(plan.worst_case()))?;
    let mut solvers: BTreeMap<&str, Vec<&Cell>> = BTreeMap::new();
    for cell in plan.cells.iter().filter(|cell| !cell.counting) {
        solvers.entry(&cell.solver).or_default().push(cell);
    }
    let width = solvers.keys().map(|id| id.len()).max().unwrap_or(0);
    for (id, cells) in solvers {
        let sizes = |skipped: bool| {
            let cells = cells.iter().filter(|cell| cell.skip.is_some() == skipped);
            ranges(&cells.map(|cell| cell.n).collect::<Vec<_>>())
        };
        writeln!(out, "  {id:width$}  n = {}", sizes(false))?;
        if let Some(reason) = cells.iter().find_map(|cell| cell.skip.as_ref()) {
            writeln!(out, "  {:width$}  skipped at {}: {reason}", "", sizes(true))?;
        }
    }
    Ok(())
}

/// How runs are carried out, where that is not one after the other, anywhere, to the last.
fn conduct(plan: &Plan) -> Option<String> {
    let jobs = (plan.jobs > 1).then(|| format!("{} runs side by side: times do not compare", plan.jobs));
    let pin = plan.pin.as_ref().map(|cpus| format!("on CPUs {cpus}"));
    let spare = plan.stop_after_timeouts.map(|k| format!("larger n spared after {k} timeouts in a row"));
    let all: Vec<String> = [jobs, pin, spare].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// Median times by solver and size, and where everything is.
pub fn results(
    plan: &Plan,
    rows: &[Row],
    faults: &Faults,
    directory: &Path,
    out: &mut impl Write,
) -> io::Result<()> {
    let timings = tables::timings(rows);
    let mut sizes: Vec<usize> = timings.iter().map(|row| row.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let shown = &sizes[sizes.len().saturating_sub(SIZES_SHOWN)..];
    let mut solvers: Vec<&str> = Vec::new();
    for row in &timings {
        if !solvers.contains(&row.solver.as_str()) {
            solvers.push(&row.solver);
        }
    }
    let width = solvers.iter().map(|id| id.len()).max().unwrap_or(0);
    let side_by_side = if plan.jobs > 1 {
        format!(", {} side by side: they do not compare", plan.jobs)
    } else {
        String::new()
    };
    writeln!(out, "{}: median time of {} runs{side_by_side}", plan.name, plan.repeat)?;
    write!(out, "{:width$}", "")?;
    for n in shown {
        write!(out, "  {:>8}", format!("n={n}"))?;
    }
    writeln!(out)?;
    for solver in solvers {
        write!(out, "{solver:width$}")?;
        for &n in shown {
            let cell = timings.iter().find(|row| row.solver == solver && row.n == n);
            let text = cell.map_or(String::new(), |cell| match cell.median_ns {
                Some(median) => units::time(median),
                None => failure(rows, n, solver),
            });
            write!(out, "  {text:>8}")?;
        }
        writeln!(out)?;
    }
    let skipped = rows.iter().filter(|row| row.status == Status::Skipped).count();
    writeln!(
        out,
        "{} runs: {} wrong, {} crashed, {} ended by a limit, {skipped} skipped",
        rows.len(),
        faults.wrong,
        faults.crashed,
        faults.limited
    )?;
    writeln!(out, "tables and plots: {}", directory.display())
}

/// Why a cell has no time: how its first run ended.
fn failure(rows: &[Row], n: usize, solver: &str) -> String {
    let mut timed = rows.iter().filter(|row| row.n == n && row.solver == solver && row.is_timed());
    match timed.next() {
        Some(row) if row.status.is_solved() => "wrong".to_owned(),
        Some(row) => row.status.to_string(),
        None => String::new(),
    }
}
