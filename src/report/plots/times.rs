//! The charts of times: times against n, solutions per second, the cactus plot and runtime distributions; and the chart of memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lineplot::{Axis, Chart, Scale, Series, Style};

use super::{TimeAxis, log_axis, point, short_times, whole_axis, without_zero_times};
use crate::model::ProblemRef;
use crate::record::{Status, TimingsRow, Verdict};
use crate::report::number_format::{Share, Unit};
use crate::report::series::{self, MedianText, ReportKey};
use crate::report::tables::{Clock, median};
use crate::report::{DerivedData, ReportRun, counted, rounded};
use crate::solver::Goal;

/// The maximum number of dots. If there are more, dots are not drawn, because they would hide each other and make the file large.
const MAX_DOTS: usize = 5_000;

/// Time against n: the medians of timed runs, a band around them, the single runs, and hollow markers at the limit for runs that
/// timed out. The band is the 95 % interval of the median, or the middle half of the runs if there are too few runs for any
/// interval.
pub fn time(data: &DerivedData<'_>) -> Chart {
    let mut runs: HashMap<ReportKey<'_>, Vec<&ReportRun<'_>>> = HashMap::new();
    for run in data.runs.iter().filter(|run| run.is_timed()) {
        runs.entry(ReportKey::of(run)).or_default().push(run);
    }
    let clock = data.source.clock;
    let all_cells = || data.series.iter().flat_map(|series| data.medians(series));
    let has_intervals = all_cells().any(|cell| cell.ci95_low_ns.is_some());
    let band_name = if has_intervals { "95 % interval of the median" } else { "middle half of the runs" };
    let all_series = data.series.iter().map(|series| {
        let runs = runs.get(&series.key).map_or(&[][..], Vec::as_slice);
        let cells = data.medians(series);
        let mut dots: Vec<(u64, u64)> =
            runs.iter().filter_map(|run| Some((run.n as u64, clock.answered_ns(run)?))).collect();
        dots.sort_unstable();
        let band = |cell: &TimingsRow| {
            let (low, high) = match has_intervals {
                true => (cell.ci95_low_ns, cell.ci95_high_ns),
                false => (cell.p25_ns, cell.p75_ns),
            };
            Some((cell.n as f64, low? as f64, high? as f64))
        };
        // Each size has at most one mark, because thousands of marks would make the page large.
        let first_of_size = |time: &dyn Fn(&ReportRun<'_>) -> Option<u64>| -> Vec<(f64, f64)> {
            let mut first_times: BTreeMap<u64, u64> = BTreeMap::new();
            for (n, time) in runs.iter().filter_map(|run| Some((run.n as u64, time(run)?))) {
                first_times.entry(n).and_modify(|least| *least = time.min(*least)).or_insert(time);
            }
            first_times.into_iter().map(|(n, time)| point(n, time)).collect()
        };
        let timeouts = runs.iter().filter(|run| run.status == Status::Timeout);
        let limits: BTreeSet<(u64, u64)> =
            timeouts.filter_map(|run| Some((run.n as u64, run.stopped_ns()?))).collect();
        let answered_cells = || cells.iter().filter(|cell| cell.median_ns.is_some());
        Series {
            line: answered_cells().filter_map(|cell| Some(point(cell.n as u64, cell.median_ns?))).collect(),
            labels: answered_cells().map(|cell| label(cell)).collect(),
            dots: dots.into_iter().map(|(n, time)| point(n, time)).collect(),
            band: cells.iter().filter_map(|cell| band(cell)).collect(),
            limits: limits.into_iter().map(|(n, limit)| point(n, limit)).collect(),
            rejected: first_of_size(&|run| run.job_ns().filter(|_| is_wrong(run))),
            unanswered: first_of_size(&|run| run.stopped_ns().filter(|_| run.status == Status::Unknown)),
            hollow_at: cells.iter().filter(|cell| is_partial(cell)).map(|cell| cell.n as f64).collect(),
            ..data.series_without_points(series)
        }
    });
    let is_drawn = |series: &Series| {
        let Series { line, limits, rejected, unanswered, .. } = series;
        !(line.is_empty() && limits.is_empty() && rejected.is_empty() && unanswered.is_empty())
    };
    let mut series = data.with_interruptions(all_series.filter(is_drawn).collect());
    let measure = match clock {
        Clock::Solving => "encoding and solving",
        Clock::Wall => "wall time",
        Clock::Reported => "reported time",
    };
    let mut subtitle = format!("median of timed runs, {measure}; dots: single runs; band: {band_name}");
    if series.iter().map(|series| series.dots.len()).sum::<usize>() > MAX_DOTS {
        series.iter_mut().for_each(|series| series.dots.clear());
        subtitle =
            format!("median of timed runs, {measure}; band: {band_name}; single times are in runs.csv");
    }
    let (notes, title) = (notes(data, &series), data.time_to("Time"));
    let caption = caption(all_cells(), &series, band_name);
    without_zero_times(
        Chart { notes, series, caption, shade: short_times(), ..data.chart(&title, &subtitle) },
        TimeAxis::Vertical,
    )
}

/// Explains the marks: `Median of 7 runs; band: 95 % interval of the median; hollow: stopped at 10 s`.
fn caption<'c>(cells: impl Iterator<Item = &'c TimingsRow>, series: &[Series], band_name: &str) -> String {
    let runs: BTreeSet<u64> = cells.map(|cell| cell.runs).collect();
    let runs = match (runs.first(), runs.last()) {
        (Some(smallest), Some(largest)) if smallest < largest => format!("{smallest} to {largest} runs"),
        (_, largest) => counted(largest.copied().unwrap_or(0), "run"),
    };
    let mut parts = vec![format!("Median of {runs}")];
    parts.extend(series.iter().any(|series| !series.band.is_empty()).then(|| format!("band: {band_name}")));
    parts.extend(series.iter().any(|series| !series.dots.is_empty()).then(|| "dots: single runs".to_owned()));
    let limits = series.iter().flat_map(|series| &series.limits).map(|&(_, limit)| rounded(limit));
    let limits: BTreeSet<u64> = limits.collect();
    let limits: Vec<String> = limits.into_iter().map(|limit| Unit::Time.show(limit)).collect();
    parts.extend((!limits.is_empty()).then(|| format!("hollow: stopped at {}", limits.join(", "))));
    let mut add_explanation = |is_any: bool, text: &str| parts.extend(is_any.then(|| text.to_owned()));
    add_explanation(series.iter().any(|series| !series.unanswered.is_empty()), "question mark: gave up");
    add_explanation(series.iter().any(|series| !series.rejected.is_empty()), "cross: a wrong answer");
    parts.join("; ")
}

/// The times that programs report, which exclude their start, and the times of other solvers, against n. Empty if no program
/// reports a time.
pub fn reported_times(data: &DerivedData<'_>) -> Chart {
    let mut times: BTreeMap<(ReportKey<'_>, usize), Vec<u64>> = BTreeMap::new();
    for run in data.runs.iter().filter(|run| run.is_timed()) {
        times.entry((ReportKey::of(run), run.n)).or_default().extend(Clock::Reported.answered_ns(run));
    }
    let is_reported = data.runs.iter().any(|run| run.reported_solve_ns.is_some());
    let median_series = |series: &series::RunSeries<'_>| {
        let times = times.range((series.key, 0)..=(series.key, usize::MAX)).filter(|_| is_reported);
        let median = |((_, n), times): (&(ReportKey<'_>, usize), &Vec<u64>)| {
            Some(point(*n as u64, median(times.iter().copied())?))
        };
        Series {
            name: vec![data.name(&series.key)],
            line: times.filter_map(median).collect(),
            ..data.series_without_points(series)
        }
    };
    let subtitle =
        "median of timed runs; for programs, the time that they report, which excludes their start";
    let chart = Chart {
        series: data.with_interruptions(
            data.series.iter().map(median_series).filter(|series| !series.line.is_empty()).collect(),
        ),
        shade: short_times(),
        ..data.chart(&data.time_to("Reported time"), subtitle)
    };
    without_zero_times(chart, TimeAxis::Vertical)
}

/// A median in words, with its interval and the number of its runs.
fn label(cell: &TimingsRow) -> String {
    let time = |time| Unit::Time.show(time);
    let spread = match (cell.ci95_low_ns, cell.ci95_high_ns, cell.p25_ns, cell.p75_ns) {
        (Some(low), Some(high), ..) => format!(", 95 % interval {} to {}", time(low), time(high)),
        (None, _, Some(low), Some(high)) if cell.runs > 1 => {
            format!(", middle half {} to {}", time(low), time(high))
        }
        _ => String::new(),
    };
    let MedianText { text, unanswered } = series::median_text(cell);
    let unanswered = if unanswered.is_empty() { unanswered } else { format!(" ({unanswered})") };
    format!("{text}{spread}, {}{unanswered}", counted(cell.runs, "run"))
}

fn notes(data: &DerivedData<'_>, series: &[Series]) -> Vec<String> {
    let hollow_note = "Hollow marker at a limit: at least one run was stopped there. In a median, such a run counts as longer than \
        all others, and the marker of the median is hollow, too. If half of the runs or more were stopped, there is no median.";
    let has_limits = series.iter().any(|series| !series.limits.is_empty());
    let count = |what, is: &dyn Fn(&ReportRun<'_>) -> bool| {
        let count = data.runs.iter().filter(|run| run.is_timed() && is(run)).count();
        (count > 0).then(|| counted(count, what))
    };
    let omitted_runs = [
        count("wrong answer", &|run| is_wrong(run) && run.job_ns().is_none()),
        count("crashed run", &|run| run.status == Status::Crashed),
        count("unreadable output", &|run| run.status == Status::Unreadable),
        count("out-of-memory run", &|run| run.status == Status::Memout),
    ];
    let omitted_runs: Vec<String> = omitted_runs.into_iter().flatten().collect();
    let mut notes: Vec<String> = has_limits.then(|| hollow_note.to_owned()).into_iter().collect();
    let is_rejected = series.iter().any(|series| !series.rejected.is_empty());
    let gave_up = series.iter().any(|series| !series.unanswered.is_empty());
    notes.extend(gave_up.then(|| {
        "Question mark: at least one run gave up, the fastest of them after this time. In a median, such a run counts as longer \
         than all others."
            .to_owned()
    }));
    notes.extend(is_rejected.then(|| "Cross: a wrong answer; medians do not include it.".to_owned()));
    notes.extend((!omitted_runs.is_empty()).then(|| format!("Not shown: {}.", omitted_runs.join(", "))));
    notes.extend(data.started_note().map(str::to_owned));
    notes
}

/// Whether a run has a wrong answer.
fn is_wrong(run: &ReportRun<'_>) -> bool {
    run.status.is_solved() && run.verdict == Verdict::Wrong
}

/// Whether a median includes a run that was stopped or gave up.
fn is_partial(cell: &TimingsRow) -> bool {
    cell.median_ns.is_some() && cell.timeouts + cell.memouts + cell.unknown > 0
}

/// A remark if some medians include runs that were stopped or gave up.
fn partial_medians_note<'r>(cells: impl Iterator<Item = &'r TimingsRow>) -> Option<String> {
    let count = cells.filter(|cell| is_partial(cell)).count();
    (count > 0).then(|| {
        let medians = counted(count, "median");
        format!("In {medians}, runs that were stopped by a limit or gave up count as longer than all others.")
    })
}

/// Solutions per second against n: the number of solutions divided by the median time, for goals that visit all solutions.
pub fn rate(data: &DerivedData<'_>) -> Chart {
    // The correct numbers of solutions by size and problem. Problems without a solution have no rate.
    let runs = data.runs.iter();
    let solutions: HashMap<(usize, &ProblemRef), u64> = runs
        .filter(|run| run.goal != Goal::First && run.verdict == Verdict::Correct)
        .filter_map(|run| {
            Some(((run.n, &run.row.variant), run.solutions.filter(|&solutions| solutions > 0)?))
        })
        .collect();
    let rate = |solutions: u64, ns: u64| {
        // A time of 0 is below the resolution of the clock, so that there is no rate.
        let rate = (u128::from(solutions) * 1_000_000_000).checked_div(ns.into())?;
        Some(u64::try_from(rate).unwrap_or(u64::MAX).max(1))
    };
    let line = |series: &series::RunSeries<'_>| {
        let cells = data.medians(series).into_iter().filter(|_| series.key.goal != Goal::First);
        let rate_of_cell = |cell: &TimingsRow| {
            let solutions = *solutions.get(&(cell.n, &cell.variant))?;
            Some(point(cell.n as u64, rate(solutions, cell.median_ns?)?))
        };
        cells.filter_map(rate_of_cell).collect()
    };
    Chart {
        y: log_axis("solutions per second", &Unit::Count),
        more_is_better: true,
        series: data.lines_against_n(line),
        notes: partial_medians_note(data.timings.iter()).into_iter().collect(),
        ..data.chart("Solutions per second", "number of solutions divided by the median time")
    }
}

/// Cactus plot: the number of instances that a solver solves within a given time per instance. The k-th point of a solver is the
/// time of its k-th fastest instance, so that longer lines are better. Empty if no solver has several instances of a size,
/// because the plot would then repeat the plot of times.
pub fn cactus(data: &DerivedData<'_>) -> Chart {
    let has_instances =
        data.series.iter().any(|series| data.cells(series).len() > data.medians(series).len());
    let line = |series: &series::RunSeries<'_>| {
        let cells = if has_instances { data.cells(series) } else { Vec::new() };
        let mut times: Vec<u64> = cells.iter().filter_map(|cell| series::solved_ns(cell)).collect();
        times.sort_unstable();
        (1..).zip(times).map(|(at, time)| point(at, time)).collect()
    };
    let solved_note = "An instance is solved if more than half of its runs were answered; its time is the median of its runs.";
    let chart = Chart {
        x: whole_axis("instances solved", "instances"),
        y: log_axis("time of the slowest of these instances", &Unit::Time),
        series: data.lines(line),
        notes: std::iter::once(solved_note.to_owned())
            .chain(partial_medians_note(data.timings.iter()))
            .collect(),
        ..data.chart(
            "Instances solved within a time",
            "number of instances that each solver solves within a given time per instance",
        )
    };
    without_zero_times(chart, TimeAxis::Vertical)
}

/// The largest peak memory of the answered timed runs, against n.
pub fn memory(data: &DerivedData<'_>) -> Chart {
    let line = |series: &series::RunSeries<'_>| {
        let cells = data.medians(series).into_iter();
        cells.filter_map(|cell| Some(point(cell.n as u64, cell.peak_rss_bytes?))).collect()
    };
    Chart {
        y: log_axis("peak memory in bytes", &Unit::Count),
        series: data.lines_against_n(line),
        ..data.chart("Peak memory", "the largest of the timed runs")
    }
}

/// The minimum number of seeds for a distribution.
const MIN_SEEDS: usize = 20;

/// Runtime distributions: the share of the runs of a randomised searcher, with different seeds, that take at least a given
/// time. Both axes are logarithmic, so that a heavy tail is a straight line.
pub fn runtimes(data: &DerivedData<'_>) -> Chart {
    let mut groups: BTreeMap<(ReportKey<'_>, usize), Vec<&ReportRun<'_>>> = BTreeMap::new();
    for run in data.runs.iter().filter(|run| run.is_timed()) {
        groups.entry((ReportKey::of(run), run.n)).or_default().push(run);
    }
    groups.retain(|_, runs| runs.iter().map(|run| run.seed).collect::<BTreeSet<u64>>().len() >= MIN_SEEDS);
    let sizes: BTreeSet<usize> = groups.keys().map(|&(_, n)| n).collect();
    let series = groups.iter().enumerate().map(|(rank, ((key, n), runs))| {
        let mut times: Vec<u64> = runs.iter().filter_map(|run| data.source.clock.answered_ns(run)).collect();
        times.sort_unstable();
        let share = |faster: usize| (runs.len() - faster) as f64 / runs.len() as f64;
        let mut name = vec![data.timed_name(key)];
        name.extend((sizes.len() > 1).then(|| format!("n = {n}")));
        let line = times.iter().enumerate().map(|(faster, &time)| (time as f64, share(faster))).collect();
        Series { name, style: Style(rank), line, ..Series::default() }
    });
    let subtitle = "runs with different seeds; a straight line that falls slowly is a heavy tail: a few unlucky runs take much \
        longer than the median";
    let chart = Chart {
        x: Axis { name: "time".to_owned(), ..log_axis("time", &Unit::Time) },
        y: Axis {
            scale: Scale::Log { floor: 1e-6 },
            ..log_axis("runs that take at least this time", &Share)
        },
        series: series.filter(|series| !series.line.is_empty()).collect(),
        notes: vec![
            "If a line ends above the others, its remaining runs have no answer within the limit.".to_owned(),
        ],
        ..data.chart("Runtime distributions", subtitle)
    };
    without_zero_times(chart, TimeAxis::Horizontal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;
    use crate::report::ReportData;
    use crate::report::fixture::{run, unanswered_run, with_data};

    fn only_series(chart: &Chart) -> &Series {
        let [series] = &chart.series[..] else { panic!("one series: {chart:?}") };
        series
    }

    #[test]
    fn line_shows_medians_and_band_shows_quartiles() {
        let timeout = |n| unanswered_run(n, "s", Status::Timeout);
        let rows = [10, 20, 40].map(|time| run(5, "s", time)).to_vec();
        let four_runs = [300, 100, 200].map(|time| run(4, "s", time)).to_vec();
        let rows = [rows, four_runs, vec![timeout(5), timeout(6), timeout(6)]].concat();
        let chart = with_data(&rows, time);
        let series = only_series(&chart);
        assert_eq!(
            series.line,
            [(4.0, 200.0), (5.0, 30.0)],
            "with the stopped run, the third of four is the upper middle"
        );
        assert_eq!(
            series.dots,
            [(4, 100), (4, 200), (4, 300), (5, 10), (5, 20), (5, 40)].map(|(n, time)| point(n, time))
        );
        assert_eq!(series.band, [(4.0, 150.0, 250.0)], "the upper quartile of n = 5 is beyond the limit");
        assert_eq!(
            (&series.limits[..], &series.hollow_at[..]),
            (&[(5.0, 1000.0), (6.0, 1000.0)][..], &[5.0][..])
        );
        wording::assert_wording!("plots", "a hollow marker", chart.notes[0]);
        let instance = |name: &str, row: &Row| Row { variant: ProblemRef::instance(name), ..row.clone() };
        let mut instances: Vec<Row> = rows.iter().map(|row| instance("x", row)).collect();
        instances.push(instance("y", &rows[0]));
        let cactus = &with_data(&instances, cactus).notes[1];
        assert!(cactus.contains(" 1 "), "{cactus}");
        wording::assert_wording!("plots", "medians with stopped runs", cactus);
    }

    #[test]
    fn times_reported_by_programs_have_their_own_plot() {
        let program_run = |time, reported| Row { reported_solve_ns: reported, ..run(8, "program/p", time) };
        let rows = [
            program_run(100, Some(10)),
            program_run(100, Some(30)),
            program_run(100, Some(20)),
            run(8, "s", 7),
        ];
        let chart = with_data(&rows, reported_times);
        let lines: Vec<_> =
            chart.series.iter().map(|series| (series.name[0].as_str(), series.line.clone())).collect();
        assert_eq!(lines, [("program/p", vec![(8.0, 20.0)]), ("s", vec![(8.0, 7.0)])]);
        assert_eq!(with_data(&[program_run(100, None), run(8, "s", 7)], reported_times).series, []);
    }

    #[test]
    fn run_that_gave_up_has_a_question_mark() {
        let gave_up = |n, wall| Row { wall_ns: Some(wall), ..unanswered_run(n, "s", Status::Unknown) };
        let rows = [run(4, "s", 9), gave_up(5, 700), gave_up(5, 300), gave_up(6, 5000)];
        let chart = with_data(&rows, time);
        // A mark is drawn at most at the limit.
        assert_eq!(only_series(&chart).unanswered, [(5.0, 300.0), (6.0, 1000.0)]);
        assert!(chart.caption.contains("question mark"), "{}", chart.caption);
        wording::assert_wording!("plots", "a run that gave up", chart.notes[0]);
        let unmarked_chart = with_data(&rows[..1], time);
        assert!(
            only_series(&unmarked_chart).unanswered.is_empty()
                && !unmarked_chart.caption.contains("question mark")
        );
    }

    #[test]
    fn plot_notes_count_runs_that_are_not_drawn() {
        let wrong_run = Row { verdict: Verdict::Wrong, ..run(4, "program/s", 1) };
        let untimed_run = Row { solve_ns: None, ..wrong_run.clone() };
        let chart_with_cross = with_data(&[wrong_run, run(5, "program/s", 9)], time);
        assert_eq!(
            (&only_series(&chart_with_cross).rejected[..], &only_series(&chart_with_cross).line[..]),
            (&[(4.0, 1.0)][..], &[(5.0, 9.0)][..])
        );
        wording::assert_wording!("plots", "a wrong answer", chart_with_cross.notes[0]);
        let unanswered_run = |n, status| unanswered_run(n, "program/s", status);
        let rows = [
            untimed_run,
            unanswered_run(4, Status::Crashed),
            unanswered_run(4, Status::Crashed),
            unanswered_run(5, Status::Memout),
        ];
        let chart = with_data(&rows, time);
        assert_eq!(chart.series, []);
        let [not_shown, started_note] = &chart.notes[..] else { panic!("two notes: {:?}", chart.notes) };
        assert_eq!(started_note, series::STARTED_NOTE);
        let numbers: Vec<u32> = not_shown.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers, [1, 2, 1], "{not_shown}");
        wording::assert_wording!("plots", "what is not shown", not_shown);
        assert!(chart.subtitle.starts_with("goal count · median"), "{}", chart.subtitle);
        wording::assert_wording!("plots", "the title of the plot of times", chart.title);
    }

    #[test]
    fn rate_is_number_of_solutions_over_median_time() {
        let complete_run = |n, solutions, ns| Row { solutions: Some(solutions), ..run(n, "s", ns) };
        let rows = [
            complete_run(8, 92, 1_000),
            complete_run(8, 92, 2_000),
            complete_run(8, 92, 4_000),
            complete_run(9, 352, 1_000_000_000),
        ];
        assert_eq!(only_series(&with_data(&rows, rate)).line, [(8.0, 46_000_000.0), (9.0, 352.0)]);
        let toroidal_run = Row { variant: "toroidal".into(), ..complete_run(9, 4, 1_000) };
        let rows_with_other_problem = [&rows[3..], &[toroidal_run]].concat();
        let points: Vec<_> =
            with_data(&rows_with_other_problem, rate).series.into_iter().map(|series| series.line).collect();
        assert_eq!(points, [[(9.0, 352.0)], [(9.0, 4_000_000.0)]]);
        let wrong_run = Row { verdict: Verdict::Wrong, ..complete_run(8, 91, 1_000) };
        let first_run = Row { goal: Goal::First, ..complete_run(6, 1, 10) };
        assert_eq!(with_data(&[first_run, complete_run(3, 0, 10), wrong_run], rate).series, []);
    }

    #[test]
    fn cactus_plot_orders_solved_instances_by_time() {
        let timeout = |n, solver| unanswered_run(n, solver, Status::Timeout);
        let mut rows = vec![run(4, "a", 30), run(5, "a", 10), run(6, "a", 20), timeout(7, "a")];
        rows.extend([run(8, "a", 1), timeout(8, "a"), timeout(4, "b")]);
        assert_eq!(
            with_data(&rows, cactus).series,
            [],
            "with one problem per size, the plot would repeat the plot of times"
        );
        let instance = |row: Row| Row { variant: ProblemRef::instance(&row.n.to_string()), n: 8, ..row };
        let rows: Vec<Row> = rows.into_iter().map(instance).collect();
        let chart = with_data(&rows, cactus);
        let series = only_series(&chart);
        assert_eq!(
            (series.name[0].as_str(), &series.line[..]),
            ("a", &[(1.0, 10.0), (2.0, 20.0), (3.0, 30.0)][..])
        );
    }

    #[test]
    fn runtime_distribution_shows_share_of_unfinished_seeds() {
        let run_with_seed = |seed: u64, row: Row| Row { seed, goal: Goal::First, ..row };
        let mut rows: Vec<Row> =
            (1..=20).map(|seed| run_with_seed(seed, run(8, "random", 100 * seed))).collect();
        rows[19] = run_with_seed(20, unanswered_run(8, "random", Status::Timeout));
        // Repetitions of one seed do not show the distribution over seeds.
        rows.extend((1..=30).map(|time| run_with_seed(1, run(8, "fixed", time))));
        let chart = with_data(&rows, runtimes);
        let series = only_series(&chart);
        assert_eq!((series.name[0].as_str(), series.line.len()), ("random", 19));
        assert_eq!((series.line[0], series.line[18]), ((100.0, 1.0), (1900.0, 0.1)));
        let svg = chart.draw().expect("finite").svg;
        assert!(svg.contains(">10 %<") && svg.contains(">1 µs<"), "{svg}");
        assert!(!with_data(&rows[..18], runtimes).has_content());
        let rows: Vec<Row> = rows.into_iter().map(|row| Row { wall_ns: Some(5000), ..row }).collect();
        let source = ReportData { clock: Clock::Wall, ..ReportData::of_rows(&rows) };
        assert_eq!(runtimes(&DerivedData::of(&source)).series[0].line[0], (5000.0, 1.0));
    }
}
