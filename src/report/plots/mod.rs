//! The plots of a result, as SVG; [`all`] lists them.
//!
//! [`DerivedData`] is converted to charts, which `lineplot` draws. A series has the same colour and marker in all plots of a
//! result, except in plots whose lines are not series: runtime distributions and shares of problems.

mod times;
mod transition;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use lineplot::{Axis, Chart, Formatter, Picture, Plain, PlotError, Scale, Series, Shade, Words};

use super::growth::MIN_COMPARED_NS;
use super::number_format::Unit;
use super::{DerivedData, counted, series as report};
use crate::model::ProgramColumn;
use crate::record::ClaimRow;
use crate::solver::{Goal, Stat};
pub use lineplot::PictureLayout;

/// A plot.
#[derive(Clone)]
pub struct Plot {
    /// Name of the file, without `.svg`.
    pub name: Cow<'static, str>,
    /// The goal, if each goal has its own plot.
    pub(super) goal: Option<Goal>,
    /// The content.
    pub(super) content: PlotContent,
}

/// The content of a plot.
#[derive(Clone, Copy)]
pub(super) enum PlotContent {
    /// Times, for which the page also has tables.
    Times,
    /// Other values that answer the question.
    Chart(ChartBuilder),
    /// Values that explain the times, against n.
    Secondary(ChartBuilder),
    /// The statistic after which the plot is named, against n.
    Counts,
}

impl PlotContent {
    /// Whether the plot only explains the times.
    pub(super) fn is_secondary(self) -> bool {
        matches!(self, Self::Secondary(_) | Self::Counts)
    }

    /// Whether the page has a table of the values.
    pub(super) fn has_table(self) -> bool {
        matches!(self, Self::Times | Self::Counts)
    }
}

/// A function that makes a chart.
type ChartBuilder = fn(&DerivedData<'_>) -> Chart;

/// The plots of times, which are drawn for each goal if there are several.
const TIME_PLOTS: [(&str, PlotContent); 2] =
    [("time", PlotContent::Times), ("reported", PlotContent::Secondary(times::reported_times))];

/// The plots of instances, runtime distributions and rates.
const CHART_PLOTS: [(&str, PlotContent); 5] = [
    ("cactus", PlotContent::Chart(times::cactus)),
    ("runtimes", PlotContent::Chart(times::runtimes)),
    ("share", PlotContent::Chart(transition::share)),
    ("hardness", PlotContent::Chart(transition::hardness)),
    ("rate", PlotContent::Secondary(times::rate)),
];

/// The statistics that have a plot.
const PLOTTED_STATISTICS: [Stat; 9] = [
    Stat::Nodes,
    Stat::Candidates,
    Stat::CellsTested,
    Stat::Clauses,
    Stat::Vars,
    Stat::LearnedClauses,
    Stat::Conflicts,
    Stat::Decisions,
    Stat::ZddNodes,
];

/// All plots of a report in the order of the page: times, other charts, statistics (including `stat.NAME` of programs) and
/// memory. A statistic that equals an earlier one up to a constant factor has no plot.
pub fn all(data: &DerivedData<'_>) -> Vec<Plot> {
    let goals: Vec<Option<Goal>> = match data.goals() {
        several if several.len() > 1 => several.into_iter().map(Some).collect(),
        _ => vec![None],
    };
    let times = TIME_PLOTS.iter().flat_map(|&(name, content)| {
        goals.iter().map(move |&goal| {
            let name = goal.map_or(name.into(), |goal| format!("{name}-{goal}").into());
            Plot { name, goal, content }
        })
    });
    let plot = |name, content| Plot { name, goal: None, content };
    let charts = CHART_PLOTS.iter().map(|&(name, content)| plot(name.into(), content));
    let mut earlier_charts: Vec<Chart> = Vec::new();
    let counts = statistics(data).into_iter().map(|name| plot(name, PlotContent::Counts)).filter(|plot| {
        let chart = plot.unchecked_chart(data);
        let is_new = !earlier_charts.iter().any(|other| repeats(&chart, other));
        earlier_charts.push(chart);
        is_new
    });
    let counts: Vec<Plot> = counts.collect();
    times
        .chain(charts)
        .chain(counts)
        .chain([plot("memory".into(), PlotContent::Secondary(times::memory))])
        .collect()
}

/// The statistics that have a plot, and those that programs print.
pub(super) fn statistics(data: &DerivedData<'_>) -> Vec<Cow<'static, str>> {
    let names: BTreeSet<&String> = data.nodes.iter().flat_map(|row| row.program_stats.keys()).collect();
    let names = names.into_iter().filter(|name| Stat::named(name).is_none());
    let counts = PLOTTED_STATISTICS.into_iter().map(|stat| Cow::Borrowed(stat.name()));
    counts.chain(names.map(|name| ProgramColumn::Statistic(name).to_string().into())).collect()
}

/// A series is considered constant if its largest value is at most this factor above its smallest value.
const CONSTANT_FACTOR: f64 = 1.25;

/// Whether a line is constant or a polynomial in n of degree 3 or less, like the number of variables of an encoding. The fourth
/// divided differences of such a line are 0.
fn is_predictable(line: &[(f64, f64)]) -> bool {
    let values = || line.iter().map(|&(_, y)| y);
    let (low, high) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
    if high <= CONSTANT_FACTOR * low {
        return true;
    }
    let mut differences: Vec<f64> = values().collect();
    for order in 1..=4 {
        let divided_difference =
            |at: usize| (differences[at + 1] - differences[at]) / (line[at + order].0 - line[at].0);
        differences = (0..differences.len().saturating_sub(1)).map(divided_difference).collect();
    }
    !differences.is_empty() && differences.iter().all(|difference| difference.abs() < 1e-9 * high)
}

/// Whether two charts have the same lines up to a common factor.
fn repeats(chart: &Chart, other: &Chart) -> bool {
    let points_of = |chart: &Chart| {
        let of_series = |series: &Series| {
            series.line.iter().map(|&(x, y)| (series.name.clone(), x, y)).collect::<Vec<_>>()
        };
        let mut points: Vec<_> = chart.series.iter().flat_map(of_series).collect();
        points.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        points
    };
    let (points, other_points) = (points_of(chart), points_of(other));
    let Some(factor) = points.iter().zip(&other_points).find_map(|(a, b)| (b.2 != 0.0).then(|| a.2 / b.2))
    else {
        return false;
    };
    points.len() == other_points.len()
        && points
            .iter()
            .zip(&other_points)
            .all(|(a, b)| a.0 == b.0 && a.1 == b.1 && (a.2 - factor * b.2).abs() <= 1e-9 * a.2.abs())
}

/// A line is interrupted at a gap between sizes that is larger than the neighbouring gaps by this factor.
const WIDE_GAP_FACTOR: f64 = 2.0;

/// The sizes before which a line is interrupted: because the series has no value at the preceding size, or because the gap is much
/// larger than the neighbouring gaps.
fn interruptions(line: &[(f64, f64)], sizes: &BTreeSet<usize>) -> Vec<f64> {
    let sizes: Vec<f64> = sizes.iter().map(|&n| n as f64).collect();
    let gap = |at: usize| Some(sizes.get(at + 1)? - sizes[at]);
    let is_wide = |at: usize| {
        let neighbouring_gap =
            [at.checked_sub(1).and_then(gap), gap(at + 1)].into_iter().flatten().reduce(f64::max);
        gap(at)
            .zip(neighbouring_gap)
            .is_some_and(|(gap_here, neighbouring_gap)| gap_here > WIDE_GAP_FACTOR * neighbouring_gap)
    };
    let is_open = |pair: &&[(f64, f64)]| {
        let index_of = |x: f64| sizes.iter().position(|&size| size == x);
        match (index_of(pair[0].0), index_of(pair[1].0)) {
            (Some(from), Some(to)) => to != from + 1 || is_wide(from),
            _ => false,
        }
    };
    line.windows(2).filter(is_open).map(|pair| pair[1].0).collect()
}

impl Plot {
    /// Draws the plot; `None` if it has no content.
    ///
    /// # Errors
    ///
    /// A value cannot be drawn on the axes.
    pub fn draw(&self, data: &DerivedData<'_>, layout: &PictureLayout) -> Result<Option<Picture>, PlotError> {
        self.chart(data, layout).map(|chart| chart.draw()).transpose()
    }

    /// The plot as code for the LaTeX package pgfplots; `None` if it has no content.
    ///
    /// # Errors
    ///
    /// A value cannot be drawn on the axes.
    pub fn pgfplots(
        &self,
        data: &DerivedData<'_>,
        layout: &PictureLayout,
    ) -> Result<Option<String>, PlotError> {
        self.chart(data, layout).map(|chart| chart.pgfplots()).transpose()
    }

    /// Whether the plot has any content for these results.
    pub fn has_content(&self, data: &DerivedData<'_>) -> bool {
        self.chart(data, &PictureLayout::default()).is_some()
    }

    /// The plot as a chart; `None` if it has no content.
    pub(super) fn chart(&self, data: &DerivedData<'_>, layout: &PictureLayout) -> Option<Chart> {
        let chart = Chart { id: self.name.to_string(), layout: layout.clone(), ..self.unchecked_chart(data) };
        let is_predictable =
            self.content.is_secondary() && chart.series.iter().all(|series| is_predictable(&series.line));
        (chart.has_content() && !is_predictable).then_some(chart)
    }

    /// The plot as a chart, even if it has no content.
    fn unchecked_chart(&self, data: &DerivedData<'_>) -> Chart {
        let goal_data = self.goal.map(|goal| data.of_goal(goal));
        let data = goal_data.as_ref().unwrap_or(data);
        match self.content {
            PlotContent::Times => times::time(data),
            PlotContent::Chart(chart) | PlotContent::Secondary(chart) => chart(data),
            PlotContent::Counts => data.counts_against_n(&self.name),
        }
    }
}

/// The axis of a chart that shows times.
#[derive(Clone, Copy, PartialEq)]
enum TimeAxis {
    Horizontal,
    Vertical,
}

/// Removes times of 0 from a chart, because they are below the resolution of the clock and cannot be drawn on a logarithmic axis.
/// Adds a remark about them.
fn without_zero_times(mut chart: Chart, time_axis: TimeAxis) -> Chart {
    let is_resolved = |x: f64, y: f64| if time_axis == TimeAxis::Horizontal { x != 0.0 } else { y != 0.0 };
    let mut removed_count = 0;
    for series in &mut chart.series {
        let is_resolved_point: Vec<bool> = series.line.iter().map(|&(x, y)| is_resolved(x, y)).collect();
        removed_count += is_resolved_point.iter().filter(|is_resolved| !**is_resolved).count();
        if series.labels.len() == is_resolved_point.len() {
            let mut resolved_points = is_resolved_point.iter();
            series.labels.retain(|_| *resolved_points.next().unwrap_or(&true));
        }
        series.line.retain(|&(x, y)| is_resolved(x, y));
        series.dots.retain(|&(x, y)| is_resolved(x, y));
        series.rejected.retain(|&(x, y)| is_resolved(x, y));
        series.unanswered.retain(|&(x, y)| is_resolved(x, y));
        series.band.retain(|&(x, low, _)| is_resolved(x, low));
    }
    chart.series.retain(|series| {
        !(series.line.is_empty()
            && series.dots.is_empty()
            && series.limits.is_empty()
            && series.rejected.is_empty()
            && series.unanswered.is_empty())
    });
    if removed_count > 0 {
        let values = counted(removed_count, "value");
        chart.notes.push(format!("Not shown: {values} of 0, below the resolution of the clock."));
    }
    chart
}

/// The band of times that are too short to be compared.
fn short_times() -> Option<Shade> {
    let label = format!("below {}: not comparable", Unit::Time.show(MIN_COMPARED_NS));
    Some(Shade { below: MIN_COMPARED_NS as f64, label })
}

/// A logarithmic axis. All values below 1 have the same position.
fn log_axis(title: &str, unit: &'static dyn Formatter) -> Axis {
    Axis { title: title.to_owned(), unit, scale: Scale::Log { floor: 1.0 }, ..Axis::default() }
}

/// An axis of whole numbers. `name` is its name within a sentence.
fn whole_axis(title: &str, name: &str) -> Axis {
    Axis { title: title.to_owned(), name: name.to_owned(), unit: &Plain, scale: Scale::Whole }
}

/// A point of a chart. Floating-point numbers represent all integers up to 2^53 exactly, which is 104 days in nanoseconds.
fn point(x: u64, y: u64) -> (f64, f64) {
    (x as f64, y as f64)
}

impl DerivedData<'_> {
    /// One series for each solver, with the points that `line` computes. Series without points are left out.
    fn lines(&self, line: impl Fn(&report::RunSeries<'_>) -> Vec<(f64, f64)>) -> Vec<Series> {
        let series_with_points = |series| Series { line: line(series), ..self.series_without_points(series) };
        self.series.iter().map(series_with_points).filter(|series| !series.line.is_empty()).collect()
    }

    /// Like [`DerivedData::lines`], with lines that are interrupted at sizes without a value.
    fn lines_against_n(&self, line: impl Fn(&report::RunSeries<'_>) -> Vec<(f64, f64)>) -> Vec<Series> {
        self.with_interruptions(self.lines(line))
    }

    /// Series against n with lines that are interrupted at sizes without a value.
    fn with_interruptions(&self, series: Vec<Series>) -> Vec<Series> {
        let goals = self.goals();
        let runs = self.runs.iter().filter(|run| goals.contains(&run.goal));
        let sizes: BTreeSet<usize> = runs.map(|run| run.n).collect();
        let interrupted_series =
            |series: Series| Series { interrupted_before: interruptions(&series.line, &sizes), ..series };
        series.into_iter().map(interrupted_series).collect()
    }

    /// The name and the style of a series, without points.
    fn series_without_points(&self, series: &report::RunSeries<'_>) -> Series {
        let names_solver = |claim: &ClaimRow| {
            claim.of == *series.key.solver
                || claim.compared_with.as_deref() == Some(series.key.solver.as_str())
        };
        Series {
            name: vec![self.timed_name(&series.key)],
            style: series.style,
            group: series.naming.group.clone(),
            is_emphasised: self.claims.iter().any(names_solver),
            ..Series::default()
        }
    }

    /// A chart of times against n without series, with a title and a subtitle.
    fn chart(&self, title: &str, subtitle: &str) -> Chart {
        let goals = self.goals().iter().map(Goal::to_string).collect::<Vec<_>>().join(", ");
        let goals = if goals.is_empty() { goals } else { format!("goal {goals}") };
        let parts =
            [self.text(|spec| &spec.name), &goals, subtitle].into_iter().filter(|part| !part.is_empty());
        Chart {
            title: title.to_owned(),
            subtitle: parts.collect::<Vec<_>>().join(" · "),
            x: whole_axis("n, the size of the board", "n"),
            y: log_axis("time", &Unit::Time),
            words: Words {
                limit: "timeout".to_owned(),
                rejected: "wrong answer".to_owned(),
                unanswered: "gave up".to_owned(),
                emphasised: "the series of claims".to_owned(),
                grouped: "One colour for each group of series; the table of times names the groups."
                    .to_owned(),
            },
            ..Chart::default()
        }
    }

    /// Describes which runs have the statistics.
    pub(super) fn counted_runs_text(&self) -> &'static str {
        match self.nodes.iter().any(|row| !row.program_stats.is_empty()) {
            true => "counted in separate runs, or printed by programs",
            false => "counted in separate runs",
        }
    }

    /// The chart of a statistic against n.
    fn counts_against_n(&self, statistic: &str) -> Chart {
        let line = |series: &report::RunSeries<'_>| {
            let rows = self.counts(series).into_iter();
            let line = rows.filter_map(|row| Some(point(row.n as u64, row.statistic(statistic)?))).collect();
            Series { name: vec![self.name(&series.key)], line, ..self.series_without_points(series) }
        };
        let series = self.series.iter().map(line).filter(|series| !series.line.is_empty()).collect();
        let title = title(statistic);
        let subtitle = &format!("{}; solvers with the same counts share a line", self.counted_runs_text());
        let y = log_axis(&in_words(statistic), &Unit::Count);
        Chart {
            y,
            series: self.with_interruptions(merge_equal_series(series)),
            ..self.chart(&title, subtitle)
        }
    }

    /// A title such as `Time to enumerate all solutions`; `what` is its beginning.
    fn time_to(&self, what: &str) -> String {
        match Vec::from_iter(self.goals())[..] {
            [goal] => format!("{what} to {}", goal_in_words(goal)),
            _ => what.to_owned(),
        }
    }
}

/// A goal as a verb phrase: `enumerate all solutions`.
pub(super) fn goal_in_words(goal: Goal) -> &'static str {
    match goal {
        Goal::Enumerate => "enumerate all solutions",
        Goal::Count => "count all solutions",
        Goal::First => "find a first solution",
    }
}

/// The name of a statistic, for a title.
pub(super) fn title(statistic: &str) -> String {
    let words = in_words(statistic);
    let mut letters = words.chars();
    let first_letter = letters.next().map(char::to_uppercase).into_iter().flatten();
    first_letter.chain(letters).collect()
}

/// A statistic in words: `max depth`.
fn in_words(statistic: &str) -> String {
    let name = ProgramColumn::of(statistic).map_or(statistic, ProgramColumn::name).replace('_', " ");
    match name.as_str() {
        "vars" => "variables".to_owned(),
        "zdd nodes" => "ZDD nodes".to_owned(),
        "bdd nodes" => "BDD nodes".to_owned(),
        _ => name,
    }
}

/// Combines series with the same values into one line with all their names. A series is combined with a longer one if both have
/// the same values at all sizes of the shorter one.
fn merge_equal_series(mut all: Vec<Series>) -> Vec<Series> {
    all.sort_by_key(|series| Reverse(series.line.len()));
    let mut groups: Vec<Series> = Vec::new();
    for series in all {
        let has_point = |group: &Series, &(x, y): &(f64, f64)| {
            let position = group.line.binary_search_by(|(other, _)| other.total_cmp(&x));
            position.is_ok_and(|position| group.line[position].1 == y)
        };
        let has_all_points = |group: &&mut Series| series.line.iter().all(|point| has_point(group, point));
        match groups.iter_mut().find(has_all_points) {
            Some(group) => group.name.extend(series.name),
            None => groups.push(series),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Kind, Row};
    use crate::report::fixture::{run, with_data};
    use lineplot::Style;

    fn counting_run(n: usize, solver: &str, nodes: Option<u64>) -> Row {
        let mut row = Row { kind: Kind::Counting, ..run(n, solver, 1) };
        row.stats.set(Stat::Nodes, nodes);
        row
    }

    #[test]
    fn solvers_with_equal_counts_share_a_line() {
        let counts = [(4, "a", 17), (4, "b", 17), (4, "c", 17), (4, "d", 18)];
        let later_counts = [(5, "b", 54), (5, "d", 54), (6, "b", 153), (5, "c", 54)];
        let rows: Vec<Row> = [counts, later_counts]
            .concat()
            .into_iter()
            .map(|(n, solver, nodes)| counting_run(n, solver, Some(nodes)))
            .collect();
        let chart = with_data(&rows, |data| data.counts_against_n("nodes"));
        let names: Vec<_> = chart.series.iter().map(|series| series.name.clone()).collect();
        assert_eq!(names, [vec!["b", "c", "a"], vec!["d"]]);
        assert_eq!(chart.series[0].line, [(4.0, 17.0), (5.0, 54.0), (6.0, 153.0)]);
        assert_eq!((chart.title.as_str(), chart.y.title.as_str()), ("Nodes", "nodes"));
    }

    #[test]
    fn predictable_or_repeated_statistic_has_no_plot() {
        let plots_of = |stats: fn(u64) -> Vec<(Stat, u64)>| {
            let rows: Vec<Row> = (4..11)
                .map(|n| Row { stats: stats(n as u64).into_iter().collect(), ..counting_run(n, "a", None) })
                .collect();
            with_data(&rows, |data| {
                let plots = all(data).into_iter().filter(|plot| plot.has_content(data));
                plots
                    .map(|plot| plot.name.into_owned())
                    .filter(|name| Stat::named(name).is_some())
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(plots_of(|n| vec![(Stat::Nodes, 1 << n)]), ["nodes"]);
        assert_eq!(plots_of(|n| vec![(Stat::Nodes, 70 + n)]), [""; 0], "nearly constant");
        assert_eq!(plots_of(|n| vec![(Stat::Vars, n * n), (Stat::Clauses, n * n * (n - 1) / 2)]), [""; 0]);
        assert_eq!(plots_of(|n| vec![(Stat::Nodes, 1 << n), (Stat::Candidates, 3 << n)]), ["nodes"]);
        assert_eq!(
            plots_of(|n| vec![(Stat::Nodes, 1 << n), (Stat::Candidates, 3_u64.pow(n as u32))]),
            ["nodes", "candidates"]
        );
    }

    #[test]
    fn line_is_interrupted_at_missing_sizes_and_gaps() {
        let interruptions_of = |line: &[usize], sizes: &[usize]| {
            let line: Vec<(f64, f64)> = line.iter().map(|&n| (n as f64, 1.0)).collect();
            interruptions(&line, &sizes.iter().copied().collect())
        };
        assert_eq!(interruptions_of(&[4, 5, 7, 8], &[4, 5, 6, 7, 8]), [7.0]);
        assert_eq!(interruptions_of(&[4, 6, 8], &[4, 6, 8]), [0.0; 0]);
        assert_eq!(interruptions_of(&[4, 5, 6, 24], &[4, 5, 6, 24]), [24.0]);
        assert_eq!(interruptions_of(&[8, 10, 12, 50, 100, 200], &[8, 10, 12, 50, 100, 200]), [0.0; 0]);
        assert_eq!(interruptions_of(&[4, 100], &[4, 100]), [0.0; 0], "two sizes have no other gaps");
    }

    #[test]
    fn times_of_zero_are_excluded_with_a_remark() {
        let series =
            |line: &[(f64, f64)]| Series { line: line.to_vec(), dots: line.to_vec(), ..Series::default() };
        let line = [(4.0, 0.0), (5.0, 10.0), (6.0, 20.0)];
        let labels = ["zero", "ten", "twenty"].map(str::to_owned).to_vec();
        let all_series = vec![Series { labels, ..series(&line) }, series(&line[..1])];
        let times = without_zero_times(Chart { series: all_series, ..Chart::default() }, TimeAxis::Vertical);
        let [only] = &times.series[..] else { panic!("one series has times") };
        assert_eq!((&only.line[..], &only.dots[..], only.labels.len()), (&line[1..], &line[1..], 2));
        assert_eq!(times.notes.len(), 1);
    }

    #[test]
    fn solver_has_the_same_style_in_all_plots() {
        let rows =
            [counting_run(4, "a", None), counting_run(4, "b", Some(17)), counting_run(4, "c", Some(18))];
        let styles = |chart: &Chart| chart.series.iter().map(|series| series.style).collect::<Vec<_>>();
        let counts = with_data(&rows, |data| styles(&data.counts_against_n("nodes")));
        let expected =
            with_data(&rows, |data| data.series.iter().map(|series| series.style).collect::<Vec<Style>>());
        assert_eq!(counts, expected[1..]);
    }
}
