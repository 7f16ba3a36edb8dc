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
use crate::record::{ClaimRow, Judgement, Row, Status, TimingsRow};
use crate::report::instances::{all_of_key, solved_ns};
use crate::report::{Data, Material, Run, claims};

use super::{terminal, units};

/// One line per solver: the sizes at which it runs and at which it is skipped.
pub fn plan(plan: &Plan, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "experiment  {}", plan.name)?;
    for (label, text) in [("question", &plan.question), ("expected", &plan.expected)] {
        if !text.is_empty() {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
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
    let (runs, cells) = (units::counted(runs, "run"), units::counted(cells, "cell"));
    let most = if plan.until.is_some() { "at most " } else { "" };
    writeln!(out, "in all      {most}{runs} of {cells}, at most {}", units::rough(plan.worst_case()))?;
    let axes = axes(plan);
    if !axes.is_empty() {
        writeln!(out, "varied      {}", axes.join("; "))?;
        writeln!(out, "product     {}", product(plan))?;
    }
    let mut solvers: BTreeMap<String, Vec<&Cell>> = BTreeMap::new();
    for cell in plan.cells.iter().filter(|cell| !cell.counting) {
        solvers.entry(cell.label()).or_default().push(cell);
    }
    let width = solvers.keys().map(|id| id.len()).max().unwrap_or(0);
    for (id, cells) in solvers {
        let sizes = |skipped: bool| {
            let cells = cells.iter().filter(|cell| cell.skip.is_some() == skipped);
            let mut sizes: Vec<usize> = cells.map(|cell| cell.n).collect();
            sizes.dedup();
            ranges(&sizes)
        };
        writeln!(out, "  {id:width$}  n = {}", sizes(false))?;
        if let Some(reason) = cells.iter().find_map(|cell| cell.skip.as_ref()) {
            writeln!(out, "  {:width$}  skipped at {}: {reason}", "", sizes(true))?;
        }
    }
    Ok(())
}

/// The name of a parameter in the plural, and its value of a cell.
type Parameter = (&'static str, fn(&Cell) -> String);

/// The parameters that make cells, beside the sizes and the solvers.
const PARAMETERS: [Parameter; 4] = [
    ("problems", |cell| cell.variant.clone()),
    ("goals", |cell| cell.goal.to_string()),
    ("numbers of threads", |cell| cell.threads.to_string()),
    ("seeds", |cell| cell.seed.to_string()),
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

/// The values of the parameters that have several, beside the sizes and the solvers.
fn axes(plan: &Plan) -> Vec<String> {
    let axis = |(name, value): Parameter| {
        let values = values(plan, value);
        let list = if values.len() > 6 { String::new() } else { format!(" ({})", values.join(", ")) };
        (values.len() > 1).then(|| format!("{} {name}{list}", values.len()))
    };
    let limits: Parameter = ("time limits", |cell| units::rough(cell.time_limit()));
    PARAMETERS.into_iter().chain([limits]).filter_map(axis).collect()
}

/// The number of combinations of all values, and how many of them are timed.
fn product(plan: &Plan) -> String {
    let solvers: Parameter = ("solvers with their options and factors", Cell::label);
    // Each instance has a size of its own.
    let boards: Parameter = ("boards (size and problem)", |cell| format!("{} {}", cell.n, cell.variant));
    let counts = [boards, solvers].into_iter().chain(PARAMETERS.into_iter().skip(1));
    let counts =
        counts.map(|(name, value)| (values(plan, value).len(), name)).filter(|(count, _)| *count > 1);
    let counts: Vec<(usize, &str)> = counts.collect();
    let all: usize = counts.iter().map(|(count, _)| count).product();
    let timed = plan.cells.iter().filter(|cell| !cell.counting && cell.skip.is_none()).count();
    let factors: Vec<String> = counts.iter().map(|(count, name)| format!("{count} {name}")).collect();
    let why = if timed < all { "; a solver runs with the values that it uses and supports" } else { "" };
    format!("{} = {all} combinations, {timed} of them timed{why}", factors.join(" x "))
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

/// Width of a size in the table of results, including the space before it.
const SIZE_WIDTH: usize = 10;

/// Times of smaller boards mostly measure the first access to code and memory: docs/METHODOLOGY.md.
const SMALLEST_COMPARED: usize = 7;

/// The largest number of lines about skipped solvers.
const MOST_SKIPS: usize = 6;

/// Prints median times by solver and size, skipped solvers, totals and the result directory.
pub fn results(
    plan: &Plan,
    results: &Results,
    faults: &Faults,
    claims: &[ClaimRow],
    directory: &Path,
    out: &mut impl Write,
) -> io::Result<()> {
    let rows = &results.rows;
    let side_by_side = if plan.jobs > 1 {
        format!(", {} parallel jobs: times are not comparable", plan.jobs)
    } else {
        String::new()
    };
    let times = match (plan.repeat, plan.until) {
        (most, Some(percent)) => {
            format!("median time of at most {most} runs, until it is within {percent} %")
        }
        (1, None) => "time of 1 run".to_owned(),
        (runs, None) => format!("median time of {runs} runs"),
    };
    let seeds = values(plan, |cell| cell.seed.to_string()).len();
    let times = if seeds > 1 { format!("{times} for each of up to {seeds} seeds") } else { times };
    writeln!(out, "{}: {times}{side_by_side}", Escaped(&plan.name))?;
    table(rows, width(), out)?;
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
    if skipped == rows.len() && skipped > 0 {
        writeln!(out, "no run was started: all were skipped")?;
    }
    for line in verdicts(claims) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "tables and plots: {}", directory.display())
}

/// The largest number of lines about claims that do not hold.
const MOST_CLAIMS: usize = 10;

/// The verdicts of claims: how many have each, and a line for each of the first that do not hold.
pub fn verdicts(claims: &[ClaimRow]) -> Vec<String> {
    let mut lines = Vec::new();
    if !claims.is_empty() {
        lines.push(format!("claims: {}", claims::summary(claims)));
    }
    let mut open: Vec<&ClaimRow> = claims.iter().filter(|claim| claim.verdict != Judgement::Holds).collect();
    open.sort_by_key(|claim| claim.verdict);
    for claim in open.iter().take(MOST_CLAIMS) {
        let why = claim.counterexample.as_deref().unwrap_or_default();
        let verdict = if claim.verdict == Judgement::Fails { "fails" } else { "undecided" };
        lines.push(format!("  {verdict}: {} ({})", Escaped(&claim.says), Escaped(why)));
    }
    if open.len() > MOST_CLAIMS {
        lines.push(format!("  {} more in claims.csv", open.len() - MOST_CLAIMS));
    }
    lines
}

/// The width of the terminal; without a terminal, the value of COLUMNS.
fn width() -> usize {
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal::output_columns().or_else(said).unwrap_or(100)
}

/// The timed cells of a solver that differ in their size only, or are instances.
struct Series<'a> {
    name: String,
    cells: Vec<&'a TimingsRow>,
}

/// Median times, with one line per series and one column per size. If not all sizes fit, the largest are shown.
fn table(rows: &[Row], width: usize, out: &mut impl Write) -> io::Result<()> {
    let runs = Run::all(rows);
    let data = Data::of(&Material { rows: &runs, ..Material::default() });
    let all = data
        .keys
        .iter()
        .map(|(key, _)| Series { name: data.keys.name(&key, true), cells: all_of_key(&data.timings, &key) });
    let timed = all.filter(|series| !series.cells.is_empty());
    let (instances, sized): (Vec<_>, Vec<_>) =
        timed.partition(|series| series.cells[0].variant.starts_with("instance:"));
    by_size(rows, &sized, width, out)?;
    by_instance(&instances, out)
}

fn by_size(rows: &[Row], all: &[Series<'_>], width: usize, out: &mut impl Write) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let mut sizes: Vec<usize> = all.iter().flat_map(|series| &series.cells).map(|row| row.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let names = all.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
    let compared = compared(all);
    let fastest = match compared {
        None => String::new(),
        Some((n, _)) if Some(&n) == sizes.last() => "  times the fastest".to_owned(),
        Some((n, _)) => format!("  times the fastest, n={n}"),
    };
    // The longest word in place of a time is as wide as a column.
    let wide = SIZE_WIDTH + usize::from(rows.iter().any(|row| row.status == Status::Unreadable));
    let room = width.saturating_sub(names + fastest.len()) / wide;
    let (left_out, shown) = sizes.split_at(sizes.len() - room.clamp(1, sizes.len()));
    write!(out, "{:names$}", "")?;
    for n in shown {
        write!(out, "{:>wide$}", format!("n={n}"))?;
    }
    writeln!(out, "{fastest}")?;
    for Series { name, cells } in all {
        let cell = |n: usize| cells.iter().find(|row| row.n == n);
        let mut line = format!("{name:names$}");
        for &n in shown {
            let text = cell(n).map_or(String::new(), |cell| match cell.median_ns {
                Some(median) => units::time(median),
                None => failure(rows, cell),
            });
            line += &format!("{text:>wide$}");
        }
        if let Some((n, best)) = compared
            && let Some(median) = cell(n).and_then(|cell| cell.median_ns)
        {
            line += &format!("{:>1$}", units::factor(median as f64 / best as f64), fastest.len());
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    if !left_out.is_empty() {
        writeln!(out, "n = {}: see timings.csv", ranges(left_out))?;
    }
    Ok(())
}

/// One line per solver: how many instances it solved, and its median and longest time on those.
fn by_instance(all: &[Series<'_>], out: &mut impl Write) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let names = all.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
    writeln!(out, "{:names$}{:>18}{:>12}{:>12}", "", "instances solved", "median", "longest")?;
    for Series { name, cells } in all {
        let mut times: Vec<u64> = cells.iter().filter_map(|cell| solved_ns(cell)).collect();
        times.sort_unstable();
        let solved = format!("{} of {}", times.len(), cells.len());
        let time = |at: Option<&u64>| at.map_or(String::new(), |&time| units::time(time));
        let (median, longest) = (time(times.get(times.len() / 2)), time(times.last()));
        writeln!(out, "{}", format!("{name:names$}{solved:>18}{median:>12}{longest:>12}").trim_end())?;
    }
    Ok(())
}

/// The largest size that is worth comparing and that two solvers answered, and the smallest median there.
/// `None` if they did not solve the same problem.
fn compared(all: &[Series<'_>]) -> Option<(usize, u64)> {
    let cells = || all.iter().flat_map(|series| &series.cells);
    let mut medians: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    let first = cells().next()?;
    if cells().any(|row| (&row.variant, &row.goal) != (&first.variant, &first.goal)) {
        return None;
    }
    for row in cells().filter(|row| row.n >= SMALLEST_COMPARED) {
        medians.entry(row.n).or_default().extend(row.median_ns.filter(|&median| median > 0));
    }
    let (n, medians) = medians.into_iter().rev().find(|(_, medians)| medians.len() > 1)?;
    Some((n, medians.into_iter().min()?))
}

/// Why solvers were skipped, with one line for each of the first few.
fn skips(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    let mut skipped: BTreeMap<String, (Vec<usize>, &str)> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.status == Status::Skipped) {
        let reason = row.error.as_deref().unwrap_or("");
        skipped.entry(row.label()).or_insert_with(|| (Vec::new(), reason)).0.push(row.n);
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

/// Why a cell has no time: how its first run ended.
fn failure(rows: &[Row], cell: &TimingsRow) -> String {
    let mine = |row: &&Row| {
        (row.n, row.label(), &row.variant, row.threads)
            == (cell.n, cell.solver.clone(), &cell.variant, cell.threads)
            && row.goal.name() == cell.goal
            && row.is_timed()
    };
    match rows.iter().find(mine) {
        Some(row) if row.status.is_solved() => "wrong".to_owned(),
        Some(row) => row.status.to_string(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::solver::Goal;

    use super::*;

    fn timed(n: usize, solver: &str, solve_ns: u64) -> Row {
        let row = Row::skipped(String::new(), String::new(), n, Goal::Enumerate, solver.to_owned());
        Row { status: Status::Complete, solve_ns: Some(solve_ns), ..row }
    }

    fn shown(rows: &[Row], width: usize) -> Vec<String> {
        let mut text = Vec::new();
        table(rows, width, &mut text).expect("written to memory");
        String::from_utf8(text).expect("UTF-8").lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_table_fills_the_width_with_the_largest_sizes_and_compares_at_the_largest() {
        let rows: Vec<Row> = (4..=12).flat_map(|n| [timed(n, "a", 1000), timed(n, "bb", 2500)]).collect();
        let wide = shown(&rows, 200);
        assert!(
            wide[0].contains("       n=4       n=5") && wide[0].ends_with("n=12  times the fastest"),
            "{wide:?}"
        );
        assert!(
            wide[1].ends_with("   1.00 µs                1.0") && wide[2].ends_with("                2.5"),
            "{wide:?}"
        );
        let narrow = shown(&rows, 60);
        assert_eq!(narrow[0], "        n=10      n=11      n=12  times the fastest");
        assert_eq!(narrow[3], "n = 4-9: see timings.csv");
        assert!(narrow.iter().all(|line| line.chars().count() <= 60));
        assert_eq!(shown(&rows, 10)[0].trim_start(), "n=12  times the fastest", "one size is always shown");
    }

    #[test]
    fn solvers_are_compared_only_where_two_answered_and_times_say_something() {
        let rows =
            [timed(6, "a", 1), timed(6, "b", 2), timed(8, "a", 1000), timed(8, "b", 3000), timed(9, "a", 1)];
        let lines = shown(&rows, 80);
        assert!(lines[0].ends_with("n=9  times the fastest, n=8"), "{lines:?}");
        assert!(lines[2].ends_with("3.0"), "{lines:?}");
        assert!(!shown(&rows[..2], 80)[0].contains("fastest"));
        assert!(!shown(&rows[2..3], 80)[0].contains("fastest"));
    }
}
