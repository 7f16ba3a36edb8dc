//! The content of the sections of the page: lists and tables from rows.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::Title::{Values, Words};
use super::printed::{PageOutputs, is_kept};
use super::{Baseline, PageCell, PageColumn, PagePart, PageTable, Section};
use crate::command;
use crate::record::{
    ClaimRow, ClaimVerdict, CrosscheckRow, Disturbed, Meta, NodesRow, Row, Stated, Status, Table as _,
    TimingsRow, Verdict,
};
use crate::report::claims::{self, ObservedClaim};
use crate::report::growth;
use crate::report::number_format::{digits, separated, separated_range, thousands};
use crate::report::plots::title;
use crate::report::ratios::{PairedRatio, Ratios, RoundTimes};
use crate::report::series::{Grid, ReportKey, RunSeries, median_text, solved_ns};
use crate::report::{self, Data, ReportRun, Unit, counted};
use runlab::Session;
use timestats::growth::{FitError, Growth, MAX_SPREAD};

/// The maximum number of rows of a table of solvers.
const MAX_ROWS: usize = 200;

/// The command that prints all rows of a table that is not in a file.
const JSON: &str = "'queenlab report --format json'";

/// The maximum number of faults that are shown.
const MAX_FAULTS: usize = 100;

/// Wrong answers and failed runs, remarks and warnings.
pub fn problems(data: &Data<'_>, outputs: &PageOutputs) -> Option<Section> {
    let faults = faults(data, outputs);
    let heading = if faults.is_some() { "Wrong answers and failed runs" } else { "Warnings" };
    let remarks = data.material.remarks.iter().map(|remark| PagePart::text(remark.as_str()));
    let metas = data.material.parts.iter().filter_map(|part| part.meta);
    let warnings: BTreeSet<&String> = metas.flat_map(|meta| &meta.warnings).collect();
    // A single warning is shown as a line. Several warnings are in a closed block, so that the results stay visible.
    let is_long = warnings.len() > 1;
    let summary = is_long.then(|| PagePart::Closed(counted(warnings.len(), "warning")));
    let end = is_long.then_some(PagePart::EndOfClosed);
    let warnings = warnings.into_iter().map(|warning| PagePart::Text("soft", format!("Warning: {warning}")));
    let warnings = summary.into_iter().chain(warnings).chain(end);
    Section::of("problems", heading, faults.map(PagePart::Table).into_iter().chain(remarks).chain(warnings))
}

/// The number of runs by their endings. Endings without runs are left out, except for wrong answers.
pub fn summary(data: &Data<'_>) -> PagePart {
    let count = |is: &dyn Fn(&Row) -> bool| data.runs.iter().filter(|run| is(run)).count();
    let status = |status: Status| count(&|row| row.status == status);
    let solvers: BTreeSet<&str> = data.runs.iter().map(|run| run.row.solver.as_str()).collect();
    let sizes: BTreeSet<usize> = data.runs.iter().map(|run| run.n).collect();
    let others: usize = data.material.parts.iter().map(|part| part.others).sum();
    let ended = [
        (status(Status::Crashed), "crashed"),
        (status(Status::Unreadable), "unreadable"),
        (status(Status::Unknown), "gave up"),
        (status(Status::Timeout), "reached the time limit"),
        (status(Status::Memout), "out of memory"),
        (status(Status::Skipped), "skipped"),
        (count(&|row| row.disturbed == Some(Disturbed::Yes)), "disturbed by other processes"),
        (count(&Row::is_repeated), "repeated"),
        (others, "of earlier plans left out"),
    ];
    let correct = (count(&|row| row.verdict == Verdict::Correct), "judged correct");
    // That nothing is wrong is worth a word.
    let wrong = Some((count(&|row| row.verdict.is_fault()), "wrong"));
    let is_there = |&(count, _): &(usize, &str)| count > 0;
    let ended =
        Some(correct).filter(is_there).into_iter().chain(wrong).chain(ended.into_iter().filter(is_there));
    let ended = ended.map(|(count, what)| format!("{} {what}", thousands(count as u64)));
    let runs =
        format!("{} run{}", thousands(data.runs.len() as u64), if data.runs.len() == 1 { "" } else { "s" });
    let solvers = counted(solvers.len(), "solver");
    let ended = ended.collect::<Vec<_>>().join(", ");
    PagePart::text(format!("{runs} of {solvers}, n = {}: {ended}.", ends(&sizes)))
}

/// The smallest and the largest size.
fn ends(sizes: &BTreeSet<usize>) -> String {
    match (sizes.first(), sizes.last()) {
        (Some(first), Some(last)) if first < last => format!("{first} to {last}"),
        (Some(first), _) => first.to_string(),
        _ => "none".to_owned(),
    }
}

/// Wrong answers and failed runs. Runs with the same fault are listed once.
fn faults(data: &Data<'_>, outputs: &PageOutputs) -> Option<PageTable> {
    type Fault<'f> = (&'f str, usize, &'static str, Option<u64>, Option<u64>, &'f str);
    let mut faults: BTreeMap<Fault<'_>, Vec<&ReportRun<'_>>> = BTreeMap::new();
    for run in data.runs.iter().filter(|run| is_kept(run)) {
        let how = if run.verdict.is_fault() { run.verdict.name() } else { run.status.name() };
        let error = run.row.reason().unwrap_or_default();
        let fault = (run.row.solver.as_str(), run.n, how, run.solutions, run.expected_solutions, error);
        faults.entry(fault).or_default().push(run);
    }
    let output = |runs: &[&ReportRun<'_>]| {
        let kept = runs.iter().find_map(|run| Some((&run.run_id, outputs.link(run)?)));
        kept.map_or_else(PageCell::default, |(id, link)| PageCell { link: Some(link), ..PageCell::words(id) })
    };
    let caption = "Wrong answers and failed runs; 'queenlab report DIR --run ID' shows what a run printed";
    PageTable::of(
        ("Faults", caption),
        &[
            (Words("Solver"), &|(fault, _): &(Fault<'_>, Vec<&ReportRun<'_>>)| PageCell::words(fault.0)),
            (Values("n"), &|(fault, _)| PageCell::of(fault.1.to_string()).worth(fault.1)),
            (Words("How it ended"), &|(fault, _)| PageCell::words(fault.2)),
            (Values("Runs"), &|(_, runs)| number(Some(runs.len() as u64))),
            (Values("Solutions"), &|(fault, _)| number(fault.3)),
            (Values("Expected"), &|(fault, _)| number(fault.4)),
            (Words("Error"), &|(fault, _)| PageCell::long(fault.5)),
            (Words("Output of the first run"), &|(_, runs)| output(runs)),
        ],
        faults.into_iter(),
        (MAX_FAULTS, Row::FILE),
    )
}

/// The claims with their verdicts.
pub fn claims(data: &Data<'_>) -> Option<Section> {
    let claims = &data.claims;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let verdict = |claim: &ClaimRow| match claim.verdict {
        ClaimVerdict::Holds => PageCell::words("✓ holds"),
        ClaimVerdict::Fails => PageCell { class: "text fault", ..PageCell::of("✗ fails") },
        ClaimVerdict::Undecided => PageCell::words("? undecided"),
    };
    let observed = |of: &ObservedClaim<'_>, row: &ClaimRow| match &row.observed {
        Some(_) if of.is_equal() => "equal".to_owned(),
        Some(observed) if *of.claim.equal => format!("differs by {observed}"),
        observed => text(observed),
    };
    let (claimed, verdicts) = (counted(claims.len(), "claim"), claims::summary(claims));
    let caption = format!("Of {claimed}, {verdicts}; claims.csv has what each one compares");
    let is_recorded = claims.iter().any(|claim| claim.stated.is_some());
    let stated = |claim: &ClaimRow| match claim.stated {
        None if is_recorded => "not recorded",
        stated => stated.map_or("", Stated::in_words),
    };
    let table = PageTable::of(
        ("Claims", &caption),
        &[
            (Words("Claim"), &|(_, row): &(&ObservedClaim<'_>, &ClaimRow)| PageCell::long(&*row.says)),
            (Words("Result"), &|(_, row)| PageCell::words(text(&row.result))),
            (Words("Verdict"), &|(_, row)| verdict(row)),
            (Values("Observed"), &|(of, row)| PageCell::of(observed(of, row))),
            (Words("Bound"), &|(of, _)| PageCell::words(of.claim.bound_for_readers())),
            (Values("n"), &|(_, row)| PageCell::of(&*row.n)),
            (Words("Counterexample, or what is missing"), &|(_, row)| {
                PageCell::long(text(&row.counterexample))
            }),
            (Words("Caveat"), &|(_, row)| PageCell::long(text(&row.caveat))),
            (Words("When"), &|(_, row)| PageCell::words(stated(row))),
            (Words("Source"), &|(_, row)| PageCell::long(text(&row.source))),
        ],
        data.observed_claims.iter().zip(claims),
        (MAX_ROWS, ClaimRow::FILE),
    )?;
    Section::of("claims", "Claims", [PagePart::Table(table)])
}

fn number(value: Option<u64>) -> PageCell {
    value.map_or_else(PageCell::default, |value| PageCell::of(thousands(value)).worth(value))
}

/// The number of comparisons, and the comparisons that disagree; the commands that wrote the results, the machines and the programs.
pub fn record(results: &[(&str, &[CrosscheckRow])], all: &[report::ReportPart<'_>]) -> Option<Section> {
    let parts = crosscheck(results).into_iter().chain(machine(all));
    Section::of("crosscheck", "Cross-check, machine and commands", parts)
}

fn crosscheck(results: &[(&str, &[CrosscheckRow])]) -> Vec<PagePart> {
    let mut parts = Vec::new();
    for (result, rows) in results {
        parts.extend((!result.is_empty()).then(|| PagePart::Heading((*result).to_owned())));
        let disagree = rows.iter().filter(|row| !row.agrees);
        parts.push(match (rows.len(), disagree.clone().count()) {
            (0, _) => PagePart::text("No comparison was made."),
            (all, 0) => PagePart::text(format!("All {all} comparisons agree; crosscheck.csv lists them.")),
            (all, some) => PagePart::Text("fault", format!("{some} of {all} comparisons disagree.")),
        });
        let table = PageTable::of(
            ("Disagreements", "Comparisons that disagree"),
            &[
                (Words("Solver"), &|row: &&CrosscheckRow| PageCell::words(row.solver.as_str())),
                (Values("n"), &|row| PageCell::of(row.n.to_string()).worth(row.n)),
                (Words("Against"), &|row| PageCell::words(row.against.as_str())),
                (Values("Solutions"), &|row| number(Some(row.solutions))),
                (Values("Missing"), &|row| number(row.missing)),
                (Values("Extra"), &|row| number(row.extra)),
                (Values("Illegal"), &|row| number(row.illegal)),
                (Values("Repeated"), &|row| number(row.duplicates)),
                (Words("First difference"), &|row| {
                    PageCell::long(row.first_difference.as_deref().unwrap_or_default())
                }),
            ],
            disagree,
            (MAX_FAULTS, CrosscheckRow::FILE),
        );
        parts.extend(table.map(PagePart::Table));
    }
    if results.is_empty() {
        parts.push(PagePart::text("No comparison was made."));
    }
    parts
}

fn machine(all: &[report::ReportPart<'_>]) -> Vec<PagePart> {
    let mut parts = Vec::new();
    for part in all {
        // All parts of one result have the same name.
        parts.extend((!part.result.is_empty()).then(|| PagePart::Heading(part.result.to_owned())));
        match part.meta {
            Some(meta) => parts.extend(provenance(meta)),
            None => parts.push(PagePart::text(
                "There is no meta.json: the command and the machine that made these results are unknown.",
            )),
        }
    }
    let summary =
        PagePart::Closed("The commands, the machine and the program that made these results".to_owned());
    std::iter::once(summary).chain(parts).chain([PagePart::EndOfClosed]).collect()
}

fn provenance(meta: &Meta) -> Vec<PagePart> {
    let heading = |text: &str| PagePart::Heading(text.to_owned());
    let mut parts = vec![heading(if meta.sessions.len() == 1 { "The command" } else { "The commands" })];
    parts.extend(meta.sessions.iter().flat_map(session));
    parts.extend([heading("The machine"), PagePart::List(properties(&meta.machine, &[]))]);
    // The other results have separate tables and plots.
    let others = ["schema_version", "machine", "sessions", "warnings", "files"];
    parts.extend([heading("The program"), PagePart::List(properties(meta, &others))]);
    parts
}

/// A point in time to the second: `2026-11-26 04:40:00 UTC`.
fn moment(text: &str) -> String {
    match text.strip_suffix('Z').and_then(|text| text.split_once('T')) {
        Some((day, time)) => format!("{day} {} UTC", time.split('.').next().unwrap_or(time)),
        None => text.to_owned(),
    }
}

/// A command as text for a shell, and the time when it ran.
fn session(session: &Session) -> [PagePart; 2] {
    let ended = session.ended_at.as_deref().map_or("an unknown time".to_owned(), moment);
    let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
    let about = format!(
        "{} to {ended}: {}; load average {} before and {} after.",
        moment(&session.started_at),
        session.runs.map_or("an unknown number of runs".to_owned(), |runs| counted(runs, "run")),
        load(session.load_before),
        load(session.load_after)
    );
    [
        PagePart::Command(command::joined(session.argv.iter().map(String::as_str))),
        PagePart::Text("soft", about),
    ]
}

/// The values of meta.json by the names of their keys, except for some.
fn properties(of: &impl Serialize, but: &[&str]) -> Vec<(String, String)> {
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
    let values = values.into_iter().filter(|(key, _)| !but.contains(&key.as_str()));
    values.map(|(key, value)| (key.replace('_', " "), text(value))).collect()
}

/// The maximum number of columns of a table of series.
const MAX_SIZES: usize = 24;

/// A table with one row per series and one column per size, given name and cells of each series.
fn by_size(
    label: &str,
    caption: &str,
    file: &str,
    series: impl Iterator<Item = (usize, String, BTreeMap<usize, PageCell>)>,
    groups: &[&str],
) -> Option<PageTable> {
    let groups = groups.iter().map(|group| (*group).to_owned()).chain(std::iter::repeat(String::new()));
    let series: Vec<_> =
        series.zip(groups).map(|((id, name, cells), group)| (id, name, cells, group)).collect();
    let all: BTreeSet<usize> = series.iter().flat_map(|(_, _, cells, _)| cells.keys().copied()).collect();
    let sizes: Vec<usize> = all.iter().rev().take(MAX_SIZES).copied().collect();
    let mut caption = caption.to_owned();
    if sizes.len() < all.len() {
        caption = format!("{caption}. The largest {} of {} sizes; {file} has all", sizes.len(), all.len());
    }
    type Line = (usize, String, BTreeMap<usize, PageCell>, String);
    let heads: Vec<String> = sizes.iter().map(|n| format!("n = {n}")).collect();
    let cells: Vec<_> =
        sizes.iter().map(|n| |line: &Line| line.2.get(n).cloned().unwrap_or_default()).collect();
    let mut columns: Vec<PageColumn<'_, Line>> = vec![
        (Words("Solver"), &|line| PageCell::words(&line.1)),
        (Words("Group"), &|line| PageCell::words(&line.3)),
    ];
    columns.extend(
        heads.iter().zip(&cells).map(|(head, cell)| (Values(head), cell as &dyn Fn(&Line) -> PageCell)),
    );
    let lines = series.into_iter().filter(|(_, _, cells, _)| sizes.iter().any(|n| cells.contains_key(n)));
    let lines: Vec<Line> = lines.collect();
    let ids = lines.iter().map(|(id, ..)| *id).collect();
    let table = PageTable::of((label, &caption), &columns, lines.into_iter(), (MAX_ROWS, file))?;
    let of_column: Vec<Option<usize>> = [None, None].into_iter().chain(sizes.into_iter().map(Some)).collect();
    let sizes = table.columns.iter().map(|&column| of_column[column]).collect();
    Some(PageTable { series: ids, sizes, ..table })
}

/// Medians with their intervals; `about` is added to the name of the table.
pub fn times(data: &Data<'_>, about: &str) -> Option<PageTable> {
    let time = |time| Unit::Time.show_padded(time);
    let show = |cell: &TimingsRow| {
        let interval = cell.median_ns.and(cell.ci95_low_ns).map(|low| match cell.ci95_high_ns {
            Some(high) => format!("{} to {}", time(low), time(high)),
            None => format!("more than {}", time(low)),
        });
        let median_text = median_text(cell);
        // For sorting, a median beyond the limit has the value of the limit.
        let value = cell.median_ns.or(cell.limit_ns);
        let small = interval.into_iter().chain([median_text.lost]);
        value.into_iter().fold(PageCell::of(median_text.text).with(small), PageCell::worth)
    };
    let grid = Grid::of(data, |_| true);
    let series = grid.rows.iter().zip(&grid.ids).map(|((name, cells), &id)| {
        (id, name.clone(), cells.iter().map(|(&n, cell)| (n, show(cell))).collect())
    });
    let caption = "Median of the timed runs; below it, for at least six runs, its 95 % interval";
    let caption = [caption].into_iter().chain(grid.notes(data)).collect::<Vec<_>>().join(". ");
    by_size(&format!("Times{about}"), &caption, "timings.csv", series, &grid.groups)
}

/// For programs that report their times: the additional time from the start to the end of the process.
pub fn startups(data: &Data<'_>, about: &str) -> Option<PageTable> {
    let show = |cell: &TimingsRow| {
        let time = cell.startup_ns?;
        Some((cell.n, PageCell::of(Unit::Time.show_padded(time)).worth(time)))
    };
    let series = data.series.iter().map(|series| {
        (
            series.id,
            data.name(&series.key),
            data.medians(series).into_iter().filter_map(show).collect::<BTreeMap<_, _>>(),
        )
    });
    let caption = "Start of programs: the time from start to end without the time that the program reports, the median of its runs";
    by_size(
        &format!("Start of programs{about}"),
        caption,
        "timings.csv",
        series.filter(|(_, _, cells)| !cells.is_empty()),
        &[],
    )
}

/// The ideas of the experiment's solvers, each with the factor that it gained over the one before it, at the largest size that
/// both answered.
pub fn ideas(data: &Data<'_>) -> Vec<PagePart> {
    let Some(plan) = data.material.parts.iter().find_map(|part| part.plan) else { return Vec::new() };
    let mut before: BTreeMap<usize, u64> = BTreeMap::new();
    let mut items = Vec::new();
    for choice in plan.spec.solvers.iter().filter(|choice| !choice.idea.is_empty()) {
        // The name of the solver may contain options of the table.
        let is_it = |series: &&RunSeries<'_>| series.key.solver.is_selected_by(&choice.pattern);
        let Some(series) = data.series.iter().find(is_it) else { continue };
        let solved = data.medians(series).into_iter().filter_map(|cell| Some((cell.n, solved_ns(cell)?)));
        let times: BTreeMap<usize, u64> = solved.collect();
        // A time of 0 is below the resolution of its clock.
        let both = |(n, &new): (&usize, &u64)| Some((*n, *before.get(n)?, new));
        let both = times.iter().rev().filter_map(both).find(|(_, old, new)| *old > 0 && *new > 0);
        let gained = both.map_or(String::new(), |(n, old, new)| {
            let factor = old as f64 / new as f64;
            match factor >= 1.0 {
                true => format!(": {} times as fast at n\u{a0}=\u{a0}{n}", separated(factor)),
                false => format!(": takes {} times as long at n\u{a0}=\u{a0}{n}", separated(1.0 / factor)),
            }
        });
        items.push((series.key.solver.to_string(), format!("{}{gained}", choice.idea)));
        before = times;
    }
    match items.is_empty() {
        true => Vec::new(),
        false => {
            vec![
                PagePart::Text("soft", "Each idea, compared with the line above it:".into()),
                PagePart::List(items),
            ]
        }
    }
}

/// The statistics of the counting runs, followed by the statistics that programs print.
pub fn all_counts(data: &Data<'_>) -> Vec<PageTable> {
    let names = crate::report::plots::statistics(data);
    names.iter().filter_map(|name| counts(data, name)).collect()
}

/// The table of a chart whose values are not in another table: one row per series, and one column per value of the horizontal axis. If
/// there are too many columns, some are left out evenly.
pub fn values(chart: &lineplot::Chart) -> Option<PageTable> {
    let mut places: Vec<f64> = chart.series.iter().flat_map(|series| &series.line).map(|&(x, _)| x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let every = places.len().div_ceil(MAX_SIZES).max(1);
    let all = places.len();
    let mut values: Vec<f64> = places.into_iter().rev().step_by(every).collect();
    if chart.x.scale != lineplot::Scale::Whole {
        values.reverse();
    }
    let file = "plots";
    let mut caption = chart.subtitle.clone();
    if values.len() < all {
        caption = format!("{caption}. {} of {all} values of the horizontal axis", values.len());
    }
    let head = |x: &f64| match chart.x.name.is_empty() {
        true => chart.x.unit.format(*x),
        false => format!("{} = {}", chart.x.name, chart.x.unit.format(*x)),
    };
    let heads: Vec<String> = values.iter().map(head).collect();
    type Line = lineplot::Series;
    let value = |series: &Line, x: f64| {
        let at = series.line.iter().find(|&&(other, _)| other == x);
        at.map_or_else(PageCell::default, |&(_, y)| PageCell::of(chart.y.unit.format(y)).worth(y))
    };
    let cells: Vec<_> = values.iter().map(|&x| move |series: &Line| value(series, x)).collect();
    let mut columns: Vec<PageColumn<'_, Line>> =
        vec![(Words("Series"), &|series| PageCell::words(series.name.join(", ")))];
    columns.extend(
        heads.iter().zip(&cells).map(|(head, cell)| (Values(head), cell as &dyn Fn(&Line) -> PageCell)),
    );
    PageTable::of((&chart.title, &caption), &columns, chart.series.iter().cloned(), (MAX_ROWS, file))
}

/// A statistic of the counting runs; how a counting run without an answer ended.
pub fn counts(data: &Data<'_>, statistic: &str) -> Option<PageTable> {
    let show = |row: &NodesRow| match row.statistic(statistic) {
        Some(value) => Some(number(Some(value))),
        None => (!row.status.is_solved()).then(|| PageCell::of(row.status.name())),
    };
    let series = data.series.iter().map(|series| (series.id, data.name(&series.key), data.counts(series)));
    let series = series.filter(|(.., rows)| rows.iter().any(|row| row.statistic(statistic).is_some()));
    let series = series.map(|(id, name, rows)| {
        (id, name, rows.iter().filter_map(|row| Some((row.n, show(row)?))).collect())
    });
    let name = title(statistic);
    by_size(&name, &format!("{name}, {}", data.how_counted()), "nodes.csv", series, &[])
}

/// The fitted laws, and the series whose growth neither law describes.
pub fn growth(data: &Data<'_>) -> Option<Section> {
    let (mut fits, mut poor) = (Vec::new(), Vec::new());
    for series in &data.series {
        let name = data.timed_name(&series.key);
        match growth::of(&data.medians(series)) {
            Ok(fit) => fits.push((name, fit)),
            Err(FitError::PoorFit(spread)) => poor.push(format!("{name} (a factor of {})", digits(spread))),
            Err(FitError::TooFewPoints | FitError::ZeroTime(_)) => {}
        }
    }
    let no_curve = (!poor.is_empty()).then(|| {
        PagePart::text(format!(
            "Neither an exponential nor a power law fits {}: the factor is the typical distance of a median from the better of \
             the two. A fit is given up to a factor of {MAX_SPREAD}.",
            poor.join(", ")
        ))
    });
    let sizes = |fit: &Growth| fit.points.iter().map(|&(n, _)| n).collect::<BTreeSet<usize>>();
    let table = PageTable::of(
        (
            "Growth",
            "Growth of the median with n, with its 95 % interval; the spread is the factor by which medians typically \
             differ from the curve",
        ),
        &[
            (Words("Solver"), &|(name, _): &(String, Growth)| PageCell::words(name)),
            (Values("Growth"), &|(_, fit)| PageCell::of(growth::show(fit)).worth(fit.rate)),
            (Values("Sizes"), &|(_, fit)| {
                PageCell::of(format!("{} ({})", fit.points.len(), ends(&sizes(fit)))).worth(fit.points.len())
            }),
            (Values("Spread around the curve"), &|(_, fit)| {
                PageCell::of(format!("×{}", digits(fit.residual.exp()))).worth(fit.residual.exp())
            }),
        ],
        fits.into_iter(),
        (MAX_ROWS, JSON),
    );
    Section::of("growth", "Growth", no_curve.into_iter().chain(table.map(PagePart::Table)))
}

/// The maximum number of ratios for other baselines on the page.
const MAX_RATIOS: usize = 4000;

/// The ratios of times within rounds; none if there is nothing to compare. A reader may choose another baseline.
pub fn ratios(data: &Data<'_>) -> Option<Section> {
    let times = RoundTimes::of(data);
    let ratios = Ratios::of(data);
    let baseline = ratios.reference?;
    if ratios.cells.is_empty() {
        return None;
    }
    let is_comparable = |series: &&RunSeries<'_>| {
        (series.key.problems, series.key.goal) == (baseline.problems, baseline.goal)
            && data.medians(series).iter().any(|cell| cell.median_ns.is_some() || cell.limit_ns.is_some())
    };
    let compared: Vec<&RunSeries<'_>> = data.series.iter().filter(is_comparable).take(MAX_ROWS).collect();
    let sizes: BTreeSet<usize> = ratios.cells.iter().flat_map(|cell| cell.sizes.iter().copied()).collect();
    let sizes: Vec<usize> = sizes.into_iter().rev().take(MAX_SIZES).collect();
    let heads: Vec<String> = sizes.iter().map(|n| format!("n = {n}")).collect();
    let method = "The runs of one round are neighbours in time and are compared with each other; the ratio is the median of all pairs \
        of them. p is that of the signed-rank test, corrected for all rows of its table: if no solver differs, some p is below \
        0.05 in at most one of twenty tables. It is left out where the rounds are too few to show anything.";
    let overall_heads = ["Ratio", "95 % interval", "p", "Stopped", "Sizes", "Rounds"].map(str::to_owned);
    let rows = |of: &Ratios<'_>| -> [Vec<Vec<PageCell>>; 2] {
        let rows =
            compared.iter().map(|series| (overall_cells(series, of), cells_of_sizes(series, of, &sizes)));
        let (overall, by_size) = rows.unzip();
        [overall, by_size]
    };
    let names: Vec<String> = compared.iter().map(|series| data.timed_name(&series.key)).collect();
    let [overall, by_size] = rows(&ratios);
    let table = |label: &str, caption: &str, heads: &[String], cells: Vec<Vec<PageCell>>| {
        let column =
            |at: usize| move |row: &(String, Vec<PageCell>)| row.1.get(at).cloned().unwrap_or_default();
        let columns: Vec<_> = (0..heads.len()).map(column).collect();
        let mut all: Vec<PageColumn<'_, (String, Vec<PageCell>)>> =
            vec![(Words("Solver"), &|row| PageCell::words(&row.0))];
        let cell = |(head, cell)| (Values(head), cell as &dyn Fn(&(String, Vec<PageCell>)) -> PageCell);
        all.extend(heads.iter().map(String::as_str).zip(&columns).map(cell));
        PageTable::of((label, caption), &all, names.iter().cloned().zip(cells), (MAX_ROWS, JSON))
    };
    let mut overall = table(
        "Ratios over all sizes",
        "How many times as long as the baseline each solver takes, over all sizes at which both take at least 100 µs",
        &overall_heads,
        overall,
    );
    let caption = "How many times as long as the baseline each solver takes; below it, the 95 % interval";
    let mut by_size = table("Ratios", caption, &heads, by_size);
    // Results beside each other have a baseline each.
    let is_one = data.series.iter().all(|series| series.key.result.is_empty());
    if is_one && compared.len() * compared.len() * (sizes.len() + 1) <= MAX_RATIOS {
        for (series, name) in compared.iter().zip(&names) {
            let is_baseline = series.key == baseline;
            let of = if is_baseline { rows(&ratios) } else { rows(&times.against(series.key)) };
            for (table, cells) in [&mut overall, &mut by_size].into_iter().zip(of) {
                let Some(table) = table else { continue };
                let kept = |row: Vec<PageCell>| -> Vec<PageCell> {
                    let columns = table.columns.iter().skip(1);
                    columns.map(|&column| row.get(column - 1).cloned().unwrap_or_default()).collect()
                };
                let rows = cells.into_iter().map(kept).collect();
                table.baselines.push(Baseline { name: name.clone(), is_shown: is_baseline, rows });
            }
        }
    }
    let more = [
        PagePart::Closed("Ratios of each size, and how they are computed".to_owned()),
        PagePart::text(method),
    ];
    let parts = overall.map(PagePart::Table).into_iter().chain(more);
    let parts = parts.chain(by_size.map(PagePart::Table)).chain([PagePart::EndOfClosed]);
    Section::of("ratios", "Ratios", parts)
}

/// The p-value of a ratio: `p < 0.001`, `p = 0.031`.
fn p_value(of: &PairedRatio<'_>) -> Option<String> {
    of.p.map(|p| if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") })
}

/// The number of rounds with a run that was stopped by a limit.
fn stopped(of: &PairedRatio<'_>) -> Option<String> {
    (of.stopped > 0).then(|| format!("{} of {}", of.stopped, of.rounds))
}

/// A ratio with its interval, its p-value and the number of stopped rounds.
fn ratio(of: &PairedRatio<'_>) -> PageCell {
    let stopped = stopped(of).map(|stopped| format!("{stopped} stopped"));
    let small = of.ci95.map(separated_range).into_iter().chain(p_value(of)).chain(stopped);
    PageCell::of(separated_range(of.ratio)).with(small).worth(of.ratio.low)
}

/// Whether a series is the baseline of these ratios.
fn is_baseline(series: &RunSeries<'_>, of: &Ratios<'_>) -> bool {
    of.reference.is_some_and(|baseline| ReportKey { result: series.key.result, ..baseline } == series.key)
}

/// The ratio of a series over all sizes with its interval, its p-value, the stopped rounds, the sizes and the number of rounds.
fn overall_cells(series: &RunSeries<'_>, of: &Ratios<'_>) -> Vec<PageCell> {
    if is_baseline(series, of) {
        return vec![PageCell::of("1").worth(1.0), PageCell::of("baseline")];
    }
    let Some(ratio) = of.overall.iter().find(|ratio| ratio.key == series.key) else { return Vec::new() };
    let text = |text: Option<String>| text.map_or_else(PageCell::default, PageCell::of);
    vec![
        PageCell::of(separated_range(ratio.ratio)).worth(ratio.ratio.low),
        text(ratio.ci95.map(separated_range)),
        ratio.p.map_or_else(PageCell::default, |p| text(p_value(ratio)).worth(p)),
        text(stopped(ratio)),
        PageCell::of(ends(&ratio.sizes.iter().copied().collect())),
        PageCell::of(ratio.rounds.to_string()).worth(ratio.rounds),
    ]
}

/// The ratio of a series at each of these sizes.
fn cells_of_sizes(series: &RunSeries<'_>, of: &Ratios<'_>, sizes: &[usize]) -> Vec<PageCell> {
    let one = is_baseline(series, of);
    let cell = |n: &usize| match of.cells.iter().find(|ratio| ratio.key == series.key && ratio.sizes == [*n])
    {
        Some(paired) => ratio(paired),
        None if one => PageCell::of("1").worth(1.0),
        None => PageCell::default(),
    };
    sizes.iter().map(cell).collect()
}
