//! Standard output of a sweep: the plan of a dry run, and the table of results.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use crate::board::sizes::ranges;
use crate::escape::Escaped;
use crate::experiment::Results;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::runner::Faults;
use crate::record::{ClaimRow, Judgement, Kind, Row, Status};
use crate::report::claims;

use super::{terminal, units};

/// One line per solver: the sizes at which it runs and at which it is skipped.
pub fn plan(plan: &Plan, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "experiment  {}", plan.spec.name)?;
    for (label, text) in [("question", &plan.spec.question), ("expected", &plan.spec.expected)] {
        if !text.is_empty() {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            writeln!(out, "{label:10}  {text}")?;
        }
    }
    let any_of = |value| values(plan, value).join(" or ");
    let limit = any_of(|cell| units::rough(cell.time_limit()));
    let threads = match any_of(|cell| cell.threads.to_string()) {
        one if one == "1" => "one thread".to_owned(),
        several => format!("{several} threads"),
    };
    writeln!(out, "each run    goal {}, at most {limit}, {threads}", any_of(|cell| cell.goal.to_string()))?;
    if let Some(how) = conduct(plan) {
        writeln!(out, "how         {how}")?;
    }
    writeln!(out, "in all      {}; at most {}", work(plan), units::rough(plan.worst_case()))?;
    let axes = axes(plan);
    if !axes.is_empty() {
        writeln!(out, "varied      {}", axes.join("; "))?;
    }
    let mut solvers: BTreeMap<String, Vec<&Cell>> = BTreeMap::new();
    for cell in &plan.cells {
        solvers.entry(cell.solver.clone()).or_default().push(cell);
    }
    let width = solvers.keys().map(|id| id.len()).max().unwrap_or(0);
    for (id, cells) in solvers {
        let sizes = |skipped: bool| {
            let cells = cells.iter().filter(|cell| cell.skip.is_some() == skipped);
            let mut sizes: Vec<usize> = cells.map(|cell| cell.n).collect();
            sizes.dedup();
            ranges(&sizes)
        };
        let (run, skip) = (sizes(false), cells.iter().find_map(|cell| cell.skip.as_ref()));
        let mut lines = Vec::from_iter((!run.is_empty()).then(|| format!("n = {run}")));
        lines.extend(skip.map(|reason| format!("skipped at {}: {reason}", sizes(true))));
        for (i, line) in lines.iter().enumerate() {
            writeln!(out, "  {:width$}  {line}", if i == 0 { &id } else { "" })?;
        }
    }
    Ok(())
}

/// The name of a parameter in the plural, and its value of a cell.
type Parameter = (&'static str, fn(&Cell) -> String);

/// The parameters that an experiment varies, beside the sizes and the solvers.
const PARAMETERS: [Parameter; 5] = [
    ("problems", |cell| cell.variant.clone()),
    ("goals", |cell| cell.goal.to_string()),
    ("numbers of threads", |cell| cell.threads.to_string()),
    ("seeds", |cell| cell.seed.to_string()),
    ("time limits", |cell| units::rough(cell.time_limit())),
];

/// The values of a parameter, each once.
fn values(plan: &Plan, value: fn(&Cell) -> String) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut values = Vec::new();
    for value in plan.cells.iter().map(value) {
        if !seen.contains(&value) {
            values.push(value.clone());
            seen.insert(value);
        }
    }
    values
}

/// The parameters that have several values.
fn axes(plan: &Plan) -> Vec<String> {
    let axis = |(name, value): Parameter| {
        let values = values(plan, value);
        let list = if values.len() > 6 { String::new() } else { format!(" ({})", values.join(", ")) };
        (values.len() > 1).then(|| format!("{} {name}{list}", values.len()))
    };
    PARAMETERS.into_iter().filter_map(axis).collect()
}

/// The cells and the runs of each: `45 cells, 5 timed runs and 1 counting run each`.
pub fn work(plan: &Plan) -> String {
    let cells = plan.cells.iter().filter(|cell| cell.skip.is_none()).count();
    let counting = plan.runs.iter().filter(|run| run.kind == Kind::Counting).count();
    let most = if plan.repeat.until.is_some() { "at most " } else { "" };
    let timed = (plan.repeat.most, format!("{most}{}", units::counted(plan.repeat.most, "timed run")));
    let warmup = (plan.warmup, units::counted(plan.warmup, "warm-up run"));
    let all_count = u32::from(counting == cells);
    let kinds = [timed, warmup, (all_count, "1 counting run".to_owned())];
    let kinds: Vec<String> =
        kinds.into_iter().filter(|(count, _)| *count > 0).map(|(_, kind)| kind).collect();
    let kinds = match &kinds[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        kinds => kinds.concat(),
    };
    let each = if cells == 1 { "" } else { " each" };
    let some = if counting == 0 || all_count == 1 {
        String::new()
    } else {
        format!(", and a counting run of {counting} of them")
    };
    format!("{}, {kinds}{each}{some}", units::counted(cells, "cell"))
}

/// How runs are carried out, unless they run one at a time, on any CPU and at all sizes.
fn conduct(plan: &Plan) -> Option<String> {
    let jobs = (plan.jobs > 1).then(|| format!("{} parallel jobs: times are not comparable", plan.jobs));
    let pin = plan.pin.as_ref().map(|cpus| format!("on CPUs {cpus}"));
    let spare = plan.stop_after_timeouts.map(|k| format!("larger n skipped after {k} timeouts in a row"));
    let limit = plan.cells.iter().find_map(|cell| cell.cpu_limit_ns).map(Duration::from_nanos);
    let cpu = limit.map(|limit| format!("at most {} of CPU time", units::rough(limit)));
    let all: Vec<String> = [cpu, jobs, pin, spare].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// The largest number of lines about skipped solvers.
const MOST_SKIPS: usize = 6;

/// Prints median times by solver and size, skipped solvers, totals and the result directory; `table` is the table of
/// times.
pub fn results(
    plan: &Plan,
    results: &Results,
    faults: &Faults,
    (table, claims): (&[u8], &[ClaimRow]),
    directory: &Path,
    out: &mut impl Write,
) -> io::Result<()> {
    let rows = &results.rows;
    let side_by_side = if plan.jobs > 1 {
        format!(", {} parallel jobs: times are not comparable", plan.jobs)
    } else {
        String::new()
    };
    let times = match (plan.repeat.most, plan.repeat.until) {
        (most, Some(percent)) => {
            format!("median time of at most {most} runs, until it is within {percent} %")
        }
        (0, None) => "counting runs only; see nodes.csv".to_owned(),
        (1, None) => "time of 1 run".to_owned(),
        (runs, None) => format!("median time of {runs} runs"),
    };
    let seeds = values(plan, |cell| cell.seed.to_string()).len();
    let times = if seeds > 1 { format!("{times} for each of up to {seeds} seeds") } else { times };
    writeln!(out, "{}: {times}{side_by_side}", Escaped(&plan.spec.name))?;
    out.write_all(table)?;
    skips(rows, out)?;
    let took = results.took.map_or(String::new(), |took| format!(" in {}", units::rough(took)));
    let skipped = rows.iter().filter(|row| row.status == Status::Skipped).count();
    writeln!(
        out,
        "{}{took}: {} wrong, {} crashed, {} unreadable, {} hit a limit, {skipped} skipped",
        units::counted(rows.len(), "run"),
        faults.wrong,
        faults.crashed,
        faults.unreadable,
        faults.limited
    )?;
    if results.others > 0 {
        let others = units::counted(results.others, "run");
        writeln!(
            out,
            "{others} of earlier plans in this directory left out; the last plan does not have them"
        )?;
    }
    if skipped == rows.len() && skipped > 0 {
        writeln!(out, "no run was started: all were skipped")?;
    }
    for line in verdicts(claims) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "report: {}; tables and plots are beside it", directory.join("report.html").display())
}

/// The largest number of lines about claims that do not hold.
const MOST_CLAIMS: usize = 10;

/// The verdicts of claims: how many have each, and a line for each of the first that do not hold, or hold with a caveat.
pub fn verdicts(claims: &[ClaimRow]) -> Vec<String> {
    let mut lines = Vec::new();
    if !claims.is_empty() {
        lines.push(format!("claims: {}", claims::summary(claims)));
    }
    // Those that hold are listed only where a reader should know more.
    let is_open = |claim: &&ClaimRow| claim.verdict != Judgement::Holds || claim.caveat.is_some();
    let mut open: Vec<&ClaimRow> = claims.iter().filter(is_open).collect();
    open.sort_by_key(|claim| (claim.verdict == Judgement::Holds, claim.verdict));
    for claim in open.iter().take(MOST_CLAIMS) {
        let caveat = claim.caveat.as_ref().map(|caveat| format!("note: {caveat}"));
        let why: Vec<String> = claim.counterexample.iter().cloned().chain(caveat).collect();
        let result = claim.result.as_deref().map_or(String::new(), |result| format!("{result}: "));
        let (says, why) = (Escaped(&claim.says), why.join("; "));
        lines.push(format!("  {}: {}{says} ({})", claim.verdict, Escaped(result), Escaped(why)));
    }
    if open.len() > MOST_CLAIMS {
        lines.push(format!("  {} more in claims.csv", open.len() - MOST_CLAIMS));
    }
    lines
}

/// The width of a table.
pub fn columns() -> usize {
    terminal::output_columns().unwrap_or(100)
}

/// Why solvers were skipped, with one line for each of the first few.
fn skips(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    let mut skipped: BTreeMap<String, (Vec<usize>, &str)> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.status == Status::Skipped) {
        let reason = row.error.as_deref().unwrap_or("");
        skipped.entry(row.solver.clone()).or_insert_with(|| (Vec::new(), reason)).0.push(row.n);
    }
    for (solver, (sizes, reason)) in skipped.iter().take(MOST_SKIPS) {
        let mut sizes = sizes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        writeln!(out, "skipped: {solver}, n = {}: {reason}", ranges(&sizes))?;
    }
    match skipped.len().saturating_sub(MOST_SKIPS) {
        0 => Ok(()),
        more => writeln!(
            out,
            "skipped: {} more (see the column error in runs.csv)",
            units::counted(more, "solver")
        ),
    }
}
