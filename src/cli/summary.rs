//! The standard output of a sweep. A dry run prints the plan. Otherwise, the results are printed at the end, with a table of median
//! times that has one line per solver and one column per size.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use crate::app::{SweepOutcome, programs};
use crate::board::sizes::ranges;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::runner::Faults;
use crate::experiment::{PlanProgress, ResumeDifference};
use crate::record::{ClaimRow, ClaimVerdict, Kind, Outputs, Stated, Status, TimingsRow};
use crate::report::claims;
use crate::report::medians::{Ending, InstancesRow, MedianRow, Medians};
use crate::report::series::{EARLIER_NOTE, median_text, solved_ns};
use crate::report::tables::median;
use crate::words::counted;
use anyhow::Error;
use plaintext::Escaped;
use runlab::Remaining;

use super::{agreement, terminal, units};

/// Prints the plan of a sweep: first the experiment and its conditions, then for each solver the sizes at which it runs and the
/// sizes at which it is skipped.
pub fn print_plan(plan: &Plan, remaining: &Remaining, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "experiment  {}", plan.spec.name)?;
    for (label, text) in [("question", &plan.spec.question), ("expected", &plan.spec.expected)] {
        if !text.is_empty() {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            writeln!(out, "{label:10}  {text}")?;
        }
    }
    let limit = distinct_values_text(plan, |cell| units::approximate_duration(cell.time_limit()));
    let threads = match distinct_values_text(plan, |cell| cell.key.threads.to_string()) {
        single if single == "1" => "one thread".to_owned(),
        values => format!("{values} threads"),
    };
    let goal = distinct_values_text(plan, |cell| cell.key.goal.to_string());
    writeln!(out, "each run    goal {goal}, at most {limit}, {threads}")?;
    if let Some(how) = conditions(plan) {
        writeln!(out, "conditions  {how}")?;
    }
    writeln!(out, "total       {}; {}", remaining_text(remaining), work(plan))?;
    if distinct_values(plan, |cell| cell.key.problem.to_string()).len() > 1 {
        writeln!(out, "problem     {}", distinct_values_text(plan, |cell| cell.key.problem.to_string()))?;
    }
    if distinct_values(plan, |cell| cell.key.seed.to_string()).len() > 1 {
        writeln!(out, "seed        {}", distinct_values_text(plan, |cell| cell.key.seed.to_string()))?;
    }
    let mut solvers: BTreeMap<String, Vec<&Cell>> = BTreeMap::new();
    for cell in &plan.cells {
        solvers.entry(cell.key.solver.to_string()).or_default().push(cell);
    }
    let width = solvers.keys().map(|id| id.len()).max().unwrap_or(0);
    for (id, cells) in solvers {
        let sizes = |skipped: bool| {
            let cells = cells.iter().filter(|cell| cell.skip.is_some() == skipped);
            let mut sizes: Vec<usize> = cells.map(|cell| cell.key.n).collect();
            sizes.dedup();
            ranges(&sizes)
        };
        let (measured_sizes, skip_reason) = (sizes(false), cells.iter().find_map(|cell| cell.skip.as_ref()));
        let mut lines = Vec::from_iter((!measured_sizes.is_empty()).then(|| format!("n = {measured_sizes}")));
        lines.extend(skip_reason.map(|reason| format!("skipped at {}: {reason}", sizes(true))));
        for (i, line) in lines.iter().enumerate() {
            writeln!(out, "  {:width$}  {line}", if i == 0 { &id } else { "" })?;
        }
    }
    Ok(())
}

/// Prints how many runs of a plan a result directory already has. Prints nothing if it has no results.
pub fn print_progress(
    directory: &Path,
    PlanProgress { recorded, recorded_of_plan, remaining }: &PlanProgress,
    differences: &[ResumeDifference],
    out: &mut impl Write,
) -> io::Result<()> {
    if *recorded == 0 {
        return Ok(());
    }
    let (directory, runs) = (plaintext::path(directory), counted(*recorded, "run"));
    writeln!(
        out,
        "results     {directory}: {recorded_of_plan} of its {runs} belong to this plan; {}",
        remaining_text(remaining)
    )?;
    if !differences.is_empty() {
        writeln!(
            out,
            "            a sweep resumes these results only with --accept, because of these changes:"
        )?;
    }
    differences
        .iter()
        .try_for_each(|difference| writeln!(out, "              {}", Escaped(difference.to_string())))
}

/// The distinct values of a parameter, in the order of the cells.
fn distinct_values(plan: &Plan, value: fn(&Cell) -> String) -> Vec<String> {
    let mut distinct = HashSet::new();
    let mut values = Vec::new();
    for value in plan.cells.iter().map(value) {
        if !distinct.contains(&value) {
            values.push(value.clone());
            distinct.insert(value);
        }
    }
    values
}

/// The distinct values of a parameter as text, or their number if there are more than six.
fn distinct_values_text(plan: &Plan, value: fn(&Cell) -> String) -> String {
    let values = distinct_values(plan, value);
    if values.len() > 6 { format!("one of {}", values.len()) } else { values.join(" or ") }
}

/// Describes the work of a plan: `45 cells, 5 timed runs and 1 counting run each`.
pub fn work(plan: &Plan) -> String {
    let cells = plan.cells.iter().filter(|cell| cell.skip.is_none()).count();
    let counting_run_count = plan.runs.iter().filter(|run| run.kind == Kind::Counting).count();
    let maximum_prefix = if plan.repeat.until.is_some() { "at most " } else { "" };
    let timed_runs =
        (plan.repeat.maximum, format!("{maximum_prefix}{}", counted(plan.repeat.maximum, "timed run")));
    let warmup_runs = (plan.warmup, counted(plan.warmup, "warm-up run"));
    let counting_per_cell = u32::from(counting_run_count == cells);
    let kinds = [timed_runs, warmup_runs, (counting_per_cell, "1 counting run".to_owned())];
    let kinds: Vec<String> =
        kinds.into_iter().filter(|(count, _)| *count > 0).map(|(_, kind)| kind).collect();
    let kinds = match &kinds[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        kinds => kinds.concat(),
    };
    let each_suffix = if cells == 1 { "" } else { " each" };
    let partial_counting = if counting_run_count == 0 || counting_per_cell == 1 {
        String::new()
    } else {
        format!(", and a counting run of {counting_run_count} of them")
    };
    format!("{}, {kinds}{each_suffix}{partial_counting}", counted(cells, "cell"))
}

/// Describes the remaining work: `282 runs to go, about 6 min, at most 47 min`. Before the time can be estimated: `282 runs to
/// go, time limits add up to 47 min`.
pub fn remaining_text(remaining: &Remaining) -> String {
    let mut parts = vec![format!("{} to go", counted(remaining.runs, "run"))];
    parts.extend(
        remaining.expected.map(|expected| format!("about {}", units::approximate_duration(expected))),
    );
    let maximum = match remaining.expected {
        Some(_) => "at most",
        None => "time limits add up to",
    };
    parts.extend(remaining.maximum.map(|limit| format!("{maximum} {}", units::approximate_duration(limit))));
    parts.join(", ")
}

/// Describes the conditions of runs that differ from the default: limits of CPU time, parallel runs, pinned CPUs and skipped
/// sizes.
fn conditions(plan: &Plan) -> Option<String> {
    let pin = plan.pin.as_ref().map(|cpus| format!("on CPUs {cpus}"));
    let skipped_sizes =
        plan.stop_after_timeouts.map(|k| format!("larger n skipped after {k} timeouts in a row"));
    let limit = plan.cells.iter().find_map(|cell| cell.cpu_limit_ns).map(Duration::from_nanos);
    let cpu = limit.map(|limit| format!("at most {} of CPU time", units::approximate_duration(limit)));
    let conditions: Vec<String> =
        [cpu, parallel_jobs(plan), pin, skipped_sizes].into_iter().flatten().collect();
    (!conditions.is_empty()).then(|| conditions.join("; "))
}

/// Describes how many runs did not end normally.
pub fn faults(Faults { wrong, crashed, unreadable, unknown, limited }: &Faults) -> String {
    let unknown = if *unknown == 0 { String::new() } else { format!("{unknown} gave up, ") };
    format!(
        "{wrong} wrong, {crashed} crashed, {unreadable} unreadable, {unknown}{limited} stopped by a limit"
    )
}

/// Prints the outcome of a sweep, or how to resume after an interruption.
pub fn print(outcome: &SweepOutcome, quiet: bool, after_interruption: &str) -> Result<(), Error> {
    let SweepOutcome { plan, directory, results: sweep_results, .. } = outcome;
    let (done_count, planned) = (sweep_results.rows.len(), plan.runs.len());
    if sweep_results.interrupted {
        let maximum_prefix = if plan.repeat.until.is_some() { "at most " } else { "" };
        terminal::say(format_args!(
            "interrupted: {} of {maximum_prefix}{} done; {after_interruption}",
            units::thousands(done_count as u64),
            counted(planned, "run")
        ));
        return Ok(());
    }
    if sweep_results.done_before == planned {
        let done_runs = match done_count {
            1 => "the only run was".to_owned(),
            _ => format!("all {} were", counted(done_count, "run")),
        };
        terminal::note(format_args!("{}: {done_runs} already done", plaintext::path(directory)));
    }
    if !quiet {
        print_results(outcome, &mut super::out())?;
    }
    outcome.discrepancies.iter().for_each(terminal::say);
    if let Some(command) = programs::explaining_command(plan, &sweep_results.rows) {
        terminal::note(format_args!("to see what is wrong: {command}"));
    }
    let outputs = directory.join(Outputs::DIRECTORY);
    if sweep_results.rows.iter().any(|row| row.status.is_failure()) && outputs.is_dir() {
        terminal::note(format_args!("output of failed runs: {}", plaintext::path(&outputs)));
    }
    if !quiet {
        if outcome.discrepancies.is_empty() {
            agreement::sentences(&outcome.comparisons)
                .iter()
                .try_for_each(|line| writeln!(super::out(), "{line}"))?;
        }
        writeln!(super::out(), "{}", Escaped(outcome.headline.to_string()))?;
    }
    Ok(())
}

/// Prints median times by solver and size, totals, claims and the result directory.
fn print_results(
    SweepOutcome { plan, directory, results, faults, claims, medians, .. }: &SweepOutcome,
    out: &mut impl Write,
) -> io::Result<()> {
    let rows = &results.rows;
    let measured_runs = match (plan.repeat.maximum, plan.repeat.until) {
        (max_runs, Some(percent)) => {
            format!(
                "median time of at most {max_runs} runs, repeated until the confidence interval is within {percent} % of the median"
            )
        }
        (0, None) => "counting runs only; see nodes.csv".to_owned(),
        (1, None) => "time of 1 run".to_owned(),
        (runs, None) => format!("median time of {runs} runs"),
    };
    let seeds = distinct_values(plan, |cell| cell.key.seed.to_string()).len();
    let seeds = if seeds > 1 { format!(" for each of up to {seeds} seeds") } else { String::new() };
    let parallel_jobs = parallel_jobs(plan).map_or(String::new(), |how| format!(", {how}"));
    writeln!(out, "{}: {measured_runs}{seeds}{parallel_jobs}", Escaped(&plan.spec.name))?;
    print_times(medians, terminal::output_columns().unwrap_or(100), out)?;
    let duration = results
        .total_duration
        .map_or(String::new(), |time| format!(" in {}", units::approximate_duration(time)));
    let (runs, faults) = (counted(rows.len(), "run"), self::faults(faults));
    let skipped_count = rows.iter().filter(|row| row.status == Status::Skipped).count();
    writeln!(out, "{runs}{duration}: {faults}, {skipped_count} skipped")?;
    if results.earlier_plan_runs > 0 {
        let earlier_runs = counted(results.earlier_plan_runs, "run");
        writeln!(
            out,
            "{earlier_runs} of earlier plans in this directory are not part of this experiment and are not shown"
        )?;
    }
    if skipped_count == rows.len() && skipped_count > 0 {
        writeln!(out, "no run was started, because all runs were skipped")?;
    }
    verdicts(claims).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(
        out,
        "report: {}; tables and plots are in the same directory",
        plaintext::path(&directory.join("report.html"))
    )
}

fn parallel_jobs(plan: &Plan) -> Option<String> {
    (plan.jobs > 1).then(|| format!("{} parallel jobs: times are not comparable", plan.jobs))
}

/// The maximum number of lines about claims that do not hold.
const MAX_CLAIMS: usize = 10;

/// Lines about the verdicts of claims: the number of claims with each verdict, then one line for each claim that does not hold
/// or has a caveat, up to [`MAX_CLAIMS`].
pub fn verdicts(claims: &[ClaimRow]) -> Vec<String> {
    let mut lines = Vec::new();
    if !claims.is_empty() {
        lines.push(format!("claims: {}", claims::summary(claims)));
    }
    // A claim that holds is listed only if it has a caveat or was stated after the run.
    let is_late = |claim: &ClaimRow| claim.stated == Some(Stated::Afterwards);
    let is_listed =
        |claim: &&ClaimRow| claim.verdict != ClaimVerdict::Holds || claim.caveat.is_some() || is_late(claim);
    let mut listed_claims: Vec<&ClaimRow> = claims.iter().filter(is_listed).collect();
    listed_claims.sort_by_key(|claim| (claim.verdict == ClaimVerdict::Holds, claim.verdict));
    for claim in listed_claims.iter().take(MAX_CLAIMS) {
        let caveat = claim.caveat.as_ref().map(|caveat| format!("note: {caveat}"));
        let late_remark = is_late(claim).then(|| Stated::Afterwards.in_words().to_owned());
        let remarks: Vec<String> =
            claim.counterexample.iter().cloned().chain(caveat).chain(late_remark).collect();
        let result = claim.result.as_deref().map_or(String::new(), |result| format!("{result}: "));
        let (says, remarks) = (Escaped(&claim.says), remarks.join("; "));
        lines.push(format!("  {}: {}{says} ({})", claim.verdict, Escaped(result), Escaped(remarks)));
    }
    if listed_claims.len() > MAX_CLAIMS {
        lines.push(format!("  {} more in claims.csv", listed_claims.len() - MAX_CLAIMS));
    }
    lines
}

/// The minimum size at which times are compared. On smaller boards, times mostly measure the first access to code and memory
/// (docs/METHODOLOGY.md).
const MIN_COMPARED_SIZE: usize = 7;

/// The maximum number of lines about limits and skipped solvers.
const MAX_NOTES: usize = 12;

/// Prints median times with one line per series and one column per size. If the terminal is too narrow for all sizes, the
/// smallest ones are omitted. Instances have a separate table with one line per series.
fn print_times(medians: &Medians, width: usize, out: &mut impl Write) -> io::Result<()> {
    print_by_size(medians, width, out)?;
    print_by_instance(&medians.instances, out)?;
    if medians
        .rows
        .iter()
        .flat_map(|row| row.cells.values())
        .any(|cell| !median_text(cell).unanswered.is_empty())
    {
        writeln!(
            out,
            "* some runs have no answer; runs that gave up or were stopped count as slower than all others"
        )?;
    }
    medians.mark_explanation.map_or(Ok(()), |note| writeln!(out, "{note}"))?;
    if medians.rows.iter().flat_map(|row| row.cells.values()).any(|cell| cell.earlier.is_some()) {
        writeln!(out, "{EARLIER_NOTE}")?;
    }
    for Ending { name, description, sizes } in medians.endings.iter().take(MAX_NOTES) {
        writeln!(out, "{}, n = {}: {description}", Escaped(name), ranges(sizes))?;
    }
    match medians.endings.len().saturating_sub(MAX_NOTES) {
        0 => Ok(()),
        more => {
            writeln!(
                out,
                "{more} more lines: see timings.csv, nodes.csv and the column outcome_reason of runs.csv"
            )
        }
    }
}

fn print_by_size(
    Medians { sizes, rows, .. }: &Medians,
    width: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let name_width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let fastest = fastest_median(rows);
    let factor_head = match fastest {
        None => String::new(),
        Some((n, _)) if Some(&n) == sizes.last() => "  times the fastest".to_owned(),
        Some((n, _)) => format!("  times the fastest, n={n}"),
    };
    let size_head = |n: usize| format!("n={n} ");
    // A time is followed by a mark or by a space, so that columns stay aligned.
    let text = |cell: &TimingsRow| {
        let cell = median_text(cell);
        cell.text + if cell.unanswered.is_empty() { " " } else { "*" }
    };
    let cells = rows.iter().flat_map(|row| row.cells.values()).map(text);
    let max_cell_width =
        cells.chain(sizes.iter().map(|&n| size_head(n))).map(|text| text.chars().count()).max();
    let cell_width = 2 + max_cell_width.unwrap_or(0);
    let max_columns = width.saturating_sub(name_width + factor_head.len()) / cell_width;
    let (omitted, visible) = sizes.split_at(sizes.len() - max_columns.clamp(1, sizes.len()));
    let heads: String = visible.iter().map(|&n| format!("{:>cell_width$}", size_head(n))).collect();
    writeln!(out, "{:name_width$}{}", "", (heads + &factor_head).trim_end())?;
    let mut last_group = "";
    for MedianRow { name, group, cells } in rows {
        if group != last_group {
            writeln!(out, "{}", Escaped(group))?;
            last_group = group;
        }
        let cell = |n: &usize| format!("{:>cell_width$}", cells.get(n).map_or(String::new(), text));
        let mut line = format!("{name:name_width$}") + &visible.iter().map(cell).collect::<String>();
        if let Some((n, fastest_ns)) = fastest
            && let Some(median) = cells.get(&n).and_then(|cell| cell.median_ns)
        {
            line += &format!("{:>1$}", units::factor(median as f64 / fastest_ns as f64), factor_head.len());
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    if !omitted.is_empty() {
        writeln!(out, "n = {}: see timings.csv", ranges(omitted))?;
    }
    Ok(())
}

/// Prints one line per solver: the number of instances that it solved, and the median and the maximum of its times on them.
fn print_by_instance(rows: &[InstancesRow], out: &mut impl Write) -> io::Result<()> {
    let name_width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    if !rows.is_empty() {
        writeln!(out, "{:name_width$}{:>18}{:>12}{:>12}", "", "instances solved", "median", "longest")?;
    }
    for InstancesRow { name, cells } in rows {
        let times: Vec<u64> = cells.iter().filter_map(solved_ns).collect();
        let solved = format!("{} of {}", times.len(), cells.len());
        let time = |time: Option<u64>| time.map_or(String::new(), units::time);
        let (median, longest) = (time(median(times.iter().copied())), time(times.iter().max().copied()));
        writeln!(out, "{}", format!("{name:name_width$}{solved:>18}{median:>12}{longest:>12}").trim_end())?;
    }
    Ok(())
}

/// The largest size from [`MIN_COMPARED_SIZE`] on at which at least two solvers have a median time, and the smallest of these
/// medians in nanoseconds. `None` if the solvers did not solve the same problem.
fn fastest_median(rows: &[MedianRow]) -> Option<(usize, u64)> {
    let cells = || rows.iter().flat_map(|row| row.cells.values());
    let first = cells().next()?;
    if cells().any(|row| (&row.variant, &row.goal) != (&first.variant, &first.goal)) {
        return None;
    }
    let mut medians: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for row in cells().filter(|row| row.n >= MIN_COMPARED_SIZE) {
        medians.entry(row.n).or_default().extend(row.median_ns.filter(|&median| median > 0));
    }
    let (n, medians) = medians.into_iter().rev().find(|(_, medians)| medians.len() > 1)?;
    Some((n, medians.into_iter().min()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ProblemRef;
    use crate::record::{Kind, Row, Status, Verdict};
    use crate::report::{DerivedData, ReportData};
    use crate::solver::Goal;

    fn timed_row(n: usize, solver: &str, solve_ns: u64) -> Row {
        let row = Row::skipped("", "", n, Goal::Enumerate, solver);
        Row { status: Status::Complete, solve_ns: Some(solve_ns), ..row }
    }

    fn lines(rows: &[Row], width: usize) -> Vec<String> {
        let mut text = Vec::new();
        print_times(&Medians::of(&DerivedData::of(&ReportData::of_rows(rows))), width, &mut text)
            .expect("written to memory");
        String::from_utf8(text).expect("UTF-8").lines().map(str::to_owned).collect()
    }

    /// The sizes in a heading, and whether the heading has a column that compares solvers.
    fn heading(line: &str) -> (Vec<&str>, bool) {
        let mut words = line.split_whitespace().peekable();
        let sizes = std::iter::from_fn(|| words.next_if(|word| word.starts_with("n="))).collect();
        (sizes, words.next().is_some())
    }

    #[test]
    fn narrow_table_shows_only_the_largest_sizes() {
        let rows: Vec<Row> =
            (4..=12).flat_map(|n| [timed_row(n, "a", 1000), timed_row(n, "bb", 2500)]).collect();
        let wide_table = lines(&rows, 200);
        assert_eq!((heading(&wide_table[0]).0.len(), heading(&wide_table[0]).1), (9, true), "{wide_table:?}");
        assert!(wide_table[0].contains("      n=4       n=5 "), "{wide_table:?}");
        assert!(wide_table[1].ends_with("   1.00 µs                 1.0"), "{wide_table:?}");
        assert!(wide_table[2].ends_with("   2.50 µs                 2.5"), "{wide_table:?}");
        let narrow_table = lines(&rows, 60);
        assert_eq!(heading(&narrow_table[0]), (vec!["n=10", "n=11", "n=12"], true));
        assert!(narrow_table[3].starts_with("n = 4-9: "), "{narrow_table:?}");
        wording::assert_wording!("sweep", "results: a narrow table", narrow_table.join("\n"));
        assert!(narrow_table.iter().all(|line| line.chars().count() <= 60));
        assert_eq!(heading(&lines(&rows, 10)[0]), (vec!["n=12"], true), "one size is always shown");
    }

    #[test]
    fn times_have_units_and_stopped_runs_are_marked() {
        let unanswered_row = |n, status| Row {
            status,
            verdict: Verdict::Unchecked,
            solve_ns: None,
            time_limit_ns: Some(10_000_000_000),
            ..timed_row(n, "a", 0)
        };
        let rows = [
            timed_row(12, "a", 22_100),
            timed_row(12, "b", 325_000),
            timed_row(12, "c", 6_290_000_000),
            timed_row(13, "a", 4_500_000),
            timed_row(13, "a", 4_600_000),
            unanswered_row(13, Status::Timeout),
            unanswered_row(14, Status::Timeout),
            Row { kind: Kind::Counting, ..unanswered_row(14, Status::Timeout) },
            unanswered_row(14, Status::Timeout),
            unanswered_row(15, Status::Memout),
        ];
        let expected = [
            "      n=12       n=13     n=14            n=15   times the fastest, n=12",
            "a  22.1 µs    4.60 ms*  > 10 s    out of memory                       1.0",
        ];
        let output = lines(&rows, 200);
        let collapse_spaces = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(collapse_spaces(&output[0]), collapse_spaces(expected[0]));
        assert_eq!(collapse_spaces(&output[1]), collapse_spaces(expected[1]));
        let sizes: Vec<&str> = output[5..].iter().filter_map(|line| line.split(':').next()).collect();
        assert_eq!(sizes, ["a, n = 13", "a, n = 15", "a, n = 14", "a, n = 14"], "{output:?}");
        assert!(output[4].starts_with('*') && output[5].contains("1 of 3 ") && output[5].contains("10 s"));
        wording::assert_wording!("sweep", "results: runs without an answer", output[4..].join("\n"));
    }

    #[test]
    fn timeout_with_cpu_limit_names_both_limits() {
        let stopped_row = Row {
            status: Status::Timeout,
            verdict: Verdict::Unchecked,
            solve_ns: None,
            time_limit_ns: Some(10_000_000_000),
            cpu_limit_ns: Some(100_000_000),
            wall_ns: Some(210_000_000),
            ..timed_row(12, "a", 0)
        };
        let output = lines(&[timed_row(11, "a", 1000), stopped_row], 80);
        let limit_line = output.iter().find(|line| line.starts_with("a, ")).expect("an ending");
        assert!(limit_line.contains("CPU time") && limit_line.contains("210 ms"), "{limit_line}");
        wording::assert_wording!("sweep", "results: a limit of CPU time", limit_line);
    }

    #[test]
    fn summary_of_instances_has_one_line_per_solver() {
        let instance = |name: &str, solver: &str, time| Row {
            variant: ProblemRef::instance(name),
            ..timed_row(8, solver, time)
        };
        let rows = [instance("x", "a", 1_000), instance("y", "a", 9_000_000), instance("x", "b", 20_000_000)];
        let output = lines(&rows, 80);
        let [heading, a, b] = &output[..] else { panic!("a heading and two solvers: {output:?}") };
        wording::assert_wording!("sweep", "results: heading of instances", heading);
        assert_eq!(a, "a            2 of 2     4.50 ms     9.00 ms");
        assert_eq!(b, "b            1 of 1     20.0 ms     20.0 ms");
    }

    #[test]
    fn summary_compares_sizes_that_two_solvers_answered() {
        let rows = [
            timed_row(6, "a", 1),
            timed_row(6, "b", 2),
            timed_row(8, "a", 1000),
            timed_row(8, "b", 3000),
            timed_row(9, "a", 1),
        ];
        let output = lines(&rows, 80);
        assert!(heading(&output[0]).1 && output[0].ends_with(" n=8"), "{output:?}");
        wording::assert_wording!("sweep", "results: compared at another size", output[0]);
        assert!(output[2].ends_with("3.0"), "{output:?}");
        assert_eq!(heading(&lines(&rows[..2], 80)[0]), (vec!["n=6"], false));
        assert_eq!(heading(&lines(&rows[2..3], 80)[0]), (vec!["n=8"], false));
    }
}
