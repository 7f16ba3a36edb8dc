//! The content of the sections of the page: problems, claims, and tables of times, counts and growth.

use std::collections::{BTreeMap, BTreeSet};

use super::TypedHead::{Values, Words};
use super::printed::{PageOutputs, has_output};
use super::{PageCell, PageColumn, PagePart, PageTable, Section};
use crate::record::{
    ClaimRow, ClaimVerdict, Disturbed, NodesRow, Row, Stated, Status, Table as _, TimingsRow, Verdict,
};
use crate::report::claims::{self, ObservedClaim};
use crate::report::growth;
use crate::report::number_format::{digits, precise_factor, thousands};
use crate::report::plots::title;
use crate::report::series::{Grid, RunSeries, median_text, solved_ns};
use crate::report::{DerivedData, ReportRun, Unit, counted};
use timestats::growth::{FitError, Growth, MAX_SPREAD};

/// The maximum number of rows of a table of solvers.
pub const MAX_ROWS: usize = 200;

/// The command that prints all rows of a table that is not in a file.
pub const JSON_COMMAND: &str = "'queenlab report --format json'";

/// The maximum number of rows of a table of faults.
pub const MAX_FAULTS: usize = 100;

/// Wrong answers and failed runs, remarks and warnings.
pub fn problems(data: &DerivedData<'_>, outputs: &PageOutputs) -> Option<Section> {
    let faults = faults(data, outputs);
    let heading = if faults.is_some() { "Wrong answers and failed runs" } else { "Warnings" };
    let remarks = data.source.remarks.iter().map(|remark| PagePart::text(remark.as_str()));
    let metas = data.source.parts.iter().filter_map(|part| part.meta);
    let warnings: BTreeSet<&String> = metas.flat_map(|meta| &meta.warnings).collect();
    // A single warning is shown as a line. Several warnings are in a collapsed block, so that the results stay visible.
    let has_several = warnings.len() > 1;
    let summary = has_several.then(|| PagePart::Collapsed(counted(warnings.len(), "warning")));
    let end_of_collapsed = has_several.then_some(PagePart::EndOfCollapsed);
    let warnings = warnings.into_iter().map(|warning| PagePart::Text("soft", format!("Warning: {warning}")));
    let warnings = summary.into_iter().chain(warnings).chain(end_of_collapsed);
    Section::of("problems", heading, faults.map(PagePart::Table).into_iter().chain(remarks).chain(warnings))
}

/// A sentence with the number of runs by verdict and ending. Numbers that are 0 are left out, except for the number of wrong
/// answers.
pub fn summary(data: &DerivedData<'_>) -> PagePart {
    let count = |is: &dyn Fn(&Row) -> bool| data.runs.iter().filter(|run| is(run)).count();
    let status = |status: Status| count(&|row| row.status == status);
    let solvers: BTreeSet<&str> = data.runs.iter().map(|run| run.row.solver.as_str()).collect();
    let sizes: BTreeSet<usize> = data.runs.iter().map(|run| run.n).collect();
    let earlier_plan_runs: usize = data.source.parts.iter().map(|part| part.earlier_plan_runs).sum();
    let endings = [
        (status(Status::Crashed), "crashed"),
        (status(Status::Unreadable), "unreadable"),
        (status(Status::Unknown), "gave up"),
        (status(Status::Timeout), "reached the time limit"),
        (status(Status::Memout), "out of memory"),
        (status(Status::Skipped), "skipped"),
        (count(&|row| row.disturbed == Some(Disturbed::Yes)), "disturbed by other processes"),
        (count(&Row::is_repeated), "repeated"),
        (earlier_plan_runs, "of earlier plans left out"),
    ];
    let verdict = |verdict: Verdict| count(&|row| row.verdict == verdict);
    let correct = (verdict(Verdict::Correct), "judged correct");
    // The number of wrong answers is stated even if it is 0.
    let wrong_answers = Some((verdict(Verdict::Wrong), "wrong"));
    let contradicted = (verdict(Verdict::Disagree), "contradicted by another solver");
    let is_present = |&(count, _): &(usize, &str)| count > 0;
    let other_counts = std::iter::once(contradicted).chain(endings).filter(is_present);
    let endings = Some(correct).filter(is_present).into_iter().chain(wrong_answers).chain(other_counts);
    let endings = endings.map(|(count, what)| format!("{} {what}", thousands(count as u64)));
    let runs =
        format!("{} run{}", thousands(data.runs.len() as u64), if data.runs.len() == 1 { "" } else { "s" });
    let solvers = counted(solvers.len(), "solver");
    let endings = endings.collect::<Vec<_>>().join(", ");
    PagePart::text(format!("{runs} of {solvers}, n = {}: {endings}.", size_range(&sizes)))
}

/// The smallest and the largest size.
pub fn size_range(sizes: &BTreeSet<usize>) -> String {
    match (sizes.first(), sizes.last()) {
        (Some(first), Some(last)) if first < last => format!("{first} to {last}"),
        (Some(first), _) => first.to_string(),
        _ => "none".to_owned(),
    }
}

/// Wrong answers and failed runs. Runs with the same fault are listed once.
fn faults(data: &DerivedData<'_>, outputs: &PageOutputs) -> Option<PageTable> {
    type Fault<'f> = (&'f str, usize, &'static str, Option<u64>, Option<u64>, &'f str);
    let mut faults: BTreeMap<Fault<'_>, Vec<&ReportRun<'_>>> = BTreeMap::new();
    for run in data.runs.iter().filter(|run| has_output(run)) {
        let outcome = if run.verdict.is_fault() { run.verdict.name() } else { run.status.name() };
        let error = run.row.reason().unwrap_or_default();
        let fault = (run.row.solver.as_str(), run.n, outcome, run.solutions, run.expected_solutions, error);
        faults.entry(fault).or_default().push(run);
    }
    let output = |runs: &[&ReportRun<'_>]| {
        let stored_output = runs.iter().find_map(|run| Some((&run.run_id, outputs.link(run)?)));
        stored_output.map_or_else(PageCell::default, |(id, link)| PageCell {
            link: Some(link),
            ..PageCell::of_text(id)
        })
    };
    let caption = "Wrong answers and failed runs; 'queenlab report DIR --run ID' shows what a run printed";
    PageTable::of(
        ("Faults", caption),
        &[
            (Words("Solver"), &|(fault, _): &(Fault<'_>, Vec<&ReportRun<'_>>)| PageCell::of_text(fault.0)),
            (Values("n"), &|(fault, _)| PageCell::of(fault.1.to_string()).with_value(fault.1)),
            (Words("Fault"), &|(fault, _)| PageCell::of_text(fault.2)),
            (Values("Runs"), &|(_, runs)| number(Some(runs.len() as u64))),
            (Values("Solutions"), &|(fault, _)| number(fault.3)),
            (Values("Expected"), &|(fault, _)| number(fault.4)),
            (Words("Error"), &|(fault, _)| PageCell::wrapped_text(fault.5)),
            (Words("Output of the first run"), &|(_, runs)| output(runs)),
        ],
        faults.into_iter(),
        (MAX_FAULTS, Row::FILE),
    )
}

/// The claims with their verdicts.
pub fn claims(data: &DerivedData<'_>) -> Option<Section> {
    let claims = &data.claims;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let verdict = |claim: &ClaimRow| match claim.verdict {
        ClaimVerdict::Holds => PageCell::of_text("✓ holds"),
        ClaimVerdict::Fails => PageCell { class: "text fault", ..PageCell::of("✗ fails") },
        ClaimVerdict::Undecided => PageCell::of_text("? undecided"),
    };
    let observed_text = |of: &ObservedClaim<'_>, row: &ClaimRow| match &row.observed {
        Some(_) if of.is_equal() => "equal".to_owned(),
        Some(observed) if *of.claim.equal => format!("differs by {observed}"),
        observed => text(observed),
    };
    let (claim_count, verdicts) = (counted(claims.len(), "claim"), claims::summary(claims));
    let caption = format!("Of {claim_count}, {verdicts}; claims.csv lists what each claim compares");
    let is_recorded = claims.iter().any(|claim| claim.stated.is_some());
    let stated_text = |claim: &ClaimRow| match claim.stated {
        None if is_recorded => "not recorded",
        stated => stated.map_or("", Stated::in_words),
    };
    let table = PageTable::of(
        ("Claims", &caption),
        &[
            (Words("Claim"), &|(_, row): &(&ObservedClaim<'_>, &ClaimRow)| {
                PageCell::wrapped_text(&*row.says)
            }),
            (Words("Result"), &|(_, row)| PageCell::of_text(text(&row.result))),
            (Words("Verdict"), &|(_, row)| verdict(row)),
            (Values("Observed"), &|(of, row)| PageCell::of(observed_text(of, row))),
            (Words("Bound"), &|(of, _)| PageCell::of_text(of.claim.bound_text_for_reports())),
            (Values("n"), &|(_, row)| PageCell::of(&*row.n)),
            (Words("Counterexample, or what is missing"), &|(_, row)| {
                PageCell::wrapped_text(text(&row.counterexample))
            }),
            (Words("Caveat"), &|(_, row)| PageCell::wrapped_text(text(&row.caveat))),
            (Words("When"), &|(_, row)| PageCell::of_text(stated_text(row))),
            (Words("Source"), &|(_, row)| PageCell::wrapped_text(text(&row.source))),
        ],
        data.observed_claims.iter().zip(claims),
        (MAX_ROWS, ClaimRow::FILE),
    )?;
    Section::of("claims", "Claims", [PagePart::Table(table)])
}

/// A cell with a number; empty if the number is `None`.
pub fn number(value: Option<u64>) -> PageCell {
    value.map_or_else(PageCell::default, |value| PageCell::of(thousands(value)).with_value(value))
}

/// The maximum number of columns of a table of series.
pub const MAX_SIZES: usize = 24;

/// A table with one row per series and one column per size. `series` has the number, the name and the cells of each series.
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
    let all_sizes: BTreeSet<usize> =
        series.iter().flat_map(|(_, _, cells, _)| cells.keys().copied()).collect();
    let sizes: Vec<usize> = all_sizes.iter().rev().take(MAX_SIZES).copied().collect();
    let mut caption = caption.to_owned();
    if sizes.len() < all_sizes.len() {
        caption =
            format!("{caption}. The largest {} of {} sizes; {file} has all", sizes.len(), all_sizes.len());
    }
    type Line = (usize, String, BTreeMap<usize, PageCell>, String);
    let heads: Vec<String> = sizes.iter().map(|n| format!("n = {n}")).collect();
    let cells: Vec<_> =
        sizes.iter().map(|n| |line: &Line| line.2.get(n).cloned().unwrap_or_default()).collect();
    let mut columns: Vec<PageColumn<'_, Line>> = vec![
        (Words("Solver"), &|line| PageCell::of_text(&line.1)),
        (Words("Group"), &|line| PageCell::of_text(&line.3)),
    ];
    columns.extend(
        heads.iter().zip(&cells).map(|(head, cell)| (Values(head), cell as &dyn Fn(&Line) -> PageCell)),
    );
    let lines = series.into_iter().filter(|(_, _, cells, _)| sizes.iter().any(|n| cells.contains_key(n)));
    let lines: Vec<Line> = lines.collect();
    let ids = lines.iter().map(|(id, ..)| *id).collect();
    let table = PageTable::of((label, &caption), &columns, lines.into_iter(), (MAX_ROWS, file))?;
    let size_of_column: Vec<Option<usize>> =
        [None, None].into_iter().chain(sizes.into_iter().map(Some)).collect();
    let sizes = table.columns.iter().map(|&column| size_of_column[column]).collect();
    Some(PageTable { series: ids, sizes, ..table })
}

/// Medians with their intervals; `name_suffix` is added to the name of the table.
pub fn times(data: &DerivedData<'_>, name_suffix: &str) -> Option<PageTable> {
    let time = |time| Unit::Time.show_padded(time);
    let page_cell = |cell: &TimingsRow| {
        let interval = cell.median_ns.and(cell.ci95_low_ns).map(|low| match cell.ci95_high_ns {
            Some(high) => format!("{} to {}", time(low), time(high)),
            None => format!("more than {}", time(low)),
        });
        let median_text = median_text(cell);
        // For sorting, a median beyond the limit has the value of the limit.
        let value = cell.median_ns.or(cell.limit_ns);
        let small_print = interval.into_iter().chain([median_text.unanswered]);
        value
            .into_iter()
            .fold(PageCell::of(median_text.text).with_small_print(small_print), PageCell::with_value)
    };
    let grid = Grid::of(data, |_| true);
    let series = grid.rows.iter().zip(&grid.ids).map(|((name, cells), &id)| {
        (id, name.clone(), cells.iter().map(|(&n, cell)| (n, page_cell(cell))).collect())
    });
    let caption = "Median of the timed runs; below it, for at least six runs, its 95 % interval";
    let caption = [caption].into_iter().chain(grid.notes(data)).collect::<Vec<_>>().join(". ");
    by_size(&format!("Times{name_suffix}"), &caption, "timings.csv", series, &grid.groups)
}

/// A table of startup times, for programs that report their times: the time of the process minus the reported time.
pub fn startups(data: &DerivedData<'_>, name_suffix: &str) -> Option<PageTable> {
    let page_cell = |cell: &TimingsRow| {
        let time = cell.startup_ns?;
        Some((cell.n, PageCell::of(Unit::Time.show_padded(time)).with_value(time)))
    };
    let series = data.series.iter().map(|series| {
        (
            series.id,
            data.name(&series.key),
            data.medians(series).into_iter().filter_map(page_cell).collect::<BTreeMap<_, _>>(),
        )
    });
    let caption = "Median over the runs of the time from start to end of the program, minus the time that the program reports";
    by_size(
        &format!("Start of programs{name_suffix}"),
        caption,
        "timings.csv",
        series.filter(|(_, _, cells)| !cells.is_empty()),
        &[],
    )
}

/// The descriptions of solvers in the key `idea` of the experiment. Each is followed by the speedup over the previous solver,
/// at the largest size that both solvers answered.
pub fn ideas(data: &DerivedData<'_>) -> Vec<PagePart> {
    let Some(plan) = data.source.parts.iter().find_map(|part| part.plan) else { return Vec::new() };
    let mut previous_times: BTreeMap<usize, u64> = BTreeMap::new();
    let mut items = Vec::new();
    for choice in plan.spec.solvers.iter().filter(|choice| !choice.idea.is_empty()) {
        // The full name of the solver may contain options that the table `[[solver]]` sets.
        let is_selected = |series: &&RunSeries<'_>| series.key.solver.is_selected_by(&choice.pattern);
        let Some(series) = data.series.iter().find(is_selected) else { continue };
        let solved_times =
            data.medians(series).into_iter().filter_map(|cell| Some((cell.n, solved_ns(cell)?)));
        let times: BTreeMap<usize, u64> = solved_times.collect();
        // A time of 0 is below the resolution of the clock, so that there is no ratio.
        let old_and_new_time = |(n, &new): (&usize, &u64)| Some((*n, *previous_times.get(n)?, new));
        let largest_common =
            times.iter().rev().filter_map(old_and_new_time).find(|(_, old, new)| *old > 0 && *new > 0);
        let speedup = largest_common.map_or(String::new(), |(n, old, new)| {
            let factor = old as f64 / new as f64;
            match factor >= 1.0 {
                true => format!(": {} times as fast at n\u{a0}=\u{a0}{n}", precise_factor(factor)),
                false => {
                    format!(": takes {} times as long at n\u{a0}=\u{a0}{n}", precise_factor(1.0 / factor))
                }
            }
        });
        items.push((series.key.solver.to_string(), format!("{}{speedup}", choice.idea)));
        previous_times = times;
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
pub fn all_counts(data: &DerivedData<'_>) -> Vec<PageTable> {
    let names = crate::report::plots::statistics(data);
    names.iter().filter_map(|name| counts(data, name)).collect()
}

/// The table of the values of a chart: one row per series, and one column per value of the horizontal axis. If the axis has
/// too many values, the table has columns for evenly spaced values.
pub fn values(chart: &lineplot::Chart) -> Option<PageTable> {
    let mut xs: Vec<f64> = chart.series.iter().flat_map(|series| &series.line).map(|&(x, _)| x).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let step = xs.len().div_ceil(MAX_SIZES).max(1);
    let total = xs.len();
    let mut values: Vec<f64> = xs.into_iter().rev().step_by(step).collect();
    if chart.x.scale != lineplot::Scale::Whole {
        values.reverse();
    }
    let file = "plots";
    let mut caption = chart.subtitle.clone();
    if values.len() < total {
        caption = format!("{caption}. {} of {total} values of the horizontal axis", values.len());
    }
    let head = |x: &f64| match chart.x.name.is_empty() {
        true => chart.x.unit.format(*x),
        false => format!("{} = {}", chart.x.name, chart.x.unit.format(*x)),
    };
    let heads: Vec<String> = values.iter().map(head).collect();
    type Line = lineplot::Series;
    let value = |series: &Line, x: f64| {
        let point = series.line.iter().find(|&&(other, _)| other == x);
        point.map_or_else(PageCell::default, |&(_, y)| PageCell::of(chart.y.unit.format(y)).with_value(y))
    };
    let cells: Vec<_> = values.iter().map(|&x| move |series: &Line| value(series, x)).collect();
    let mut columns: Vec<PageColumn<'_, Line>> =
        vec![(Words("Series"), &|series| PageCell::of_text(series.name.join(", ")))];
    columns.extend(
        heads.iter().zip(&cells).map(|(head, cell)| (Values(head), cell as &dyn Fn(&Line) -> PageCell)),
    );
    PageTable::of((&chart.title, &caption), &columns, chart.series.iter().cloned(), (MAX_ROWS, file))
}

/// A table of a statistic of the counting runs. For a counting run without an answer, the cell contains its status.
pub fn counts(data: &DerivedData<'_>, statistic: &str) -> Option<PageTable> {
    let page_cell = |row: &NodesRow| match row.statistic(statistic) {
        Some(value) => Some(number(Some(value))),
        None => (!row.status.is_solved()).then(|| PageCell::of(row.status.name())),
    };
    let series = data.series.iter().map(|series| (series.id, data.name(&series.key), data.counts(series)));
    let series = series.filter(|(.., rows)| rows.iter().any(|row| row.statistic(statistic).is_some()));
    let series = series.map(|(id, name, rows)| {
        (id, name, rows.iter().filter_map(|row| Some((row.n, page_cell(row)?))).collect())
    });
    let name = title(statistic);
    by_size(&name, &format!("{name}, {}", data.counted_runs_text()), "nodes.csv", series, &[])
}

/// The fitted laws, and the series whose growth neither law describes.
pub fn growth(data: &DerivedData<'_>) -> Option<Section> {
    let (mut fits, mut poor) = (Vec::new(), Vec::new());
    for series in &data.series {
        let name = data.timed_name(&series.key);
        match growth::fit_cells(&data.medians(series)) {
            Ok(fit) => fits.push((name, fit)),
            Err(FitError::PoorFit(spread)) => poor.push(format!("{name} (a factor of {})", digits(spread))),
            Err(FitError::TooFewPoints | FitError::ZeroTime(_)) => {}
        }
    }
    let no_curve = (!poor.is_empty()).then(|| {
        PagePart::text(format!(
            "Neither an exponential nor a power law fits {}. The factor is the typical distance of a median from the better of \
             the two curves. The table contains a fit only if this factor is at most {MAX_SPREAD}.",
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
            (Words("Solver"), &|(name, _): &(String, Growth)| PageCell::of_text(name)),
            (Values("Growth"), &|(_, fit)| PageCell::of(growth::show(fit)).with_value(fit.rate)),
            (Values("Sizes"), &|(_, fit)| {
                PageCell::of(format!("{} ({})", fit.points.len(), size_range(&sizes(fit))))
                    .with_value(fit.points.len())
            }),
            (Values("Spread around the curve"), &|(_, fit)| {
                PageCell::of(format!("×{}", digits(fit.residual.exp()))).with_value(fit.residual.exp())
            }),
        ],
        fits.into_iter(),
        (MAX_ROWS, JSON_COMMAND),
    );
    Section::of("growth", "Growth", no_curve.into_iter().chain(table.map(PagePart::Table)))
}
