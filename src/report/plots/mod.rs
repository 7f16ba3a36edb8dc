//! The plots of a result, as SVG; [`all`] lists them.
//!
//! A plot turns [`Data`] into a chart, which `lineplot` draws. A solver has the same colour and marker in all plots of a result.

mod times;
mod transition;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use lineplot::{Axis, Chart, Formatter, Picture, Plain, PlotError, Scale, Series, Words};

use super::unit::Unit;
use super::{Data, counted, series as report};
use crate::record::ClaimRow;
use crate::record::table::OWN;
use crate::solver::{Goal, Stat};
pub use lineplot::Look;

/// A plot.
#[derive(Clone)]
pub struct Plot {
    /// Name of the file, without `.svg`.
    pub name: Cow<'static, str>,
    /// Its goal, if the plot is one of several of different goals.
    pub(super) goal: Option<Goal>,
    /// What it shows.
    pub(super) shows: Shows,
}

/// What a plot shows.
#[derive(Clone, Copy)]
pub(super) enum Shows {
    /// Times, beside which there are tables.
    Times,
    Chart(Draws),
    /// The statistic with the name of the plot against n.
    Counts,
}

/// Makes a chart.
type Draws = fn(&Data<'_>) -> Chart;

/// The plots of times, which are drawn for each goal if there are several.
const TIMES: [(&str, Shows); 2] = [("time", Shows::Times), ("reported", Shows::Chart(times::reported))];

/// The plots of rates, of instances and of memory.
const CHARTS: [(&str, Draws); 5] = [
    ("rate", times::rate),
    ("cactus", times::cactus),
    ("runtimes", times::runtimes),
    ("share", transition::share),
    ("hardness", transition::hardness),
];

/// The statistics that have a plot.
const COUNTS: [Stat; 9] = [
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

/// Every plot of a report in the order of its page: times, other charts, statistics and memory. Programs print statistics of
/// their own, `stat.NAME`.
pub fn all(data: &Data<'_>) -> Vec<Plot> {
    let goals: Vec<Option<Goal>> = match data.goals() {
        several if several.len() > 1 => several.into_iter().map(Some).collect(),
        _ => vec![None],
    };
    let times = TIMES.iter().flat_map(|&(name, shows)| {
        goals.iter().map(move |&goal| {
            let name = goal.map_or(name.into(), |goal| format!("{name}-{goal}").into());
            Plot { name, goal, shows }
        })
    });
    let plot = |name, shows| Plot { name, goal: None, shows };
    let charts = CHARTS.iter().map(|&(name, chart)| plot(name.into(), Shows::Chart(chart)));
    let own: BTreeSet<&String> = data.nodes.iter().flat_map(|row| row.own.keys()).collect();
    let own = own.into_iter().filter(|name| Stat::named(name).is_none());
    let counts = COUNTS.into_iter().map(|stat| Cow::Borrowed(stat.name()));
    let counts = counts.chain(own.map(|name| format!("{OWN}{name}").into()));
    let counts = counts.map(|name| plot(name, Shows::Counts));
    times.chain(charts).chain(counts).chain([plot("memory".into(), Shows::Chart(times::memory))]).collect()
}

impl Plot {
    /// Draws the plot; `None` if it would show nothing.
    ///
    /// # Errors
    ///
    /// If its values have no place in a chart.
    pub fn draw(&self, data: &Data<'_>, look: &Look) -> Result<Option<Picture>, PlotError> {
        self.chart(data, look).map(|chart| chart.draw()).transpose()
    }

    /// The plot as code for the LaTeX package pgfplots; `None` if it would show nothing.
    ///
    /// # Errors
    ///
    /// If its values have no place in a chart.
    pub fn pgfplots(&self, data: &Data<'_>, look: &Look) -> Result<Option<String>, PlotError> {
        self.chart(data, look).map(|chart| chart.pgfplots()).transpose()
    }

    /// Whether the plot is one of these results.
    pub fn shows_something(&self, data: &Data<'_>) -> bool {
        self.chart(data, &Look::default()).is_some()
    }

    /// The plot as a chart; `None` if it would show nothing.
    fn chart(&self, data: &Data<'_>, look: &Look) -> Option<Chart> {
        let of_goal = self.goal.map(|goal| data.of_goal(goal));
        let data = of_goal.as_ref().unwrap_or(data);
        let chart = match self.shows {
            Shows::Times => times::time(data),
            Shows::Chart(chart) => chart(data),
            Shows::Counts => data.counts_against_n(&self.name),
        };
        let chart = Chart { id: self.name.to_string(), look: look.clone(), ..chart };
        chart.shows_something().then_some(chart)
    }
}

/// Which axis has times.
#[derive(Clone, Copy, PartialEq)]
enum Times {
    Across,
    Up,
}

/// A chart without times of 0, which are below the resolution of their clock and have no place on a logarithmic axis, and with a
/// remark about them.
fn resolved(mut chart: Chart, times: Times) -> Chart {
    let is_resolved = |x: f64, y: f64| if times == Times::Across { x != 0.0 } else { y != 0.0 };
    let mut left_out = 0;
    for series in &mut chart.series {
        let keep: Vec<bool> = series.line.iter().map(|&(x, y)| is_resolved(x, y)).collect();
        left_out += keep.iter().filter(|keep| !**keep).count();
        if series.labels.len() == keep.len() {
            let mut kept = keep.iter();
            series.labels.retain(|_| *kept.next().unwrap_or(&true));
        }
        series.line.retain(|&(x, y)| is_resolved(x, y));
        series.dots.retain(|&(x, y)| is_resolved(x, y));
        series.band.retain(|&(x, low, _)| is_resolved(x, low));
    }
    chart
        .series
        .retain(|series| !(series.line.is_empty() && series.dots.is_empty() && series.limits.is_empty()));
    if left_out > 0 {
        let times = counted(left_out, "time");
        chart.notes.push(format!("Not shown: {times} of 0, below the resolution of the clock."));
    }
    chart
}

/// A logarithmic axis. What is below 1 is drawn at 1.
fn log_axis(title: &str, unit: &'static dyn Formatter) -> Axis {
    Axis { title: title.to_owned(), unit, scale: Scale::Log { floor: 1.0 }, ..Axis::default() }
}

/// An axis of whole numbers, and its name in sentences.
fn whole_axis(title: &str, name: &str) -> Axis {
    Axis { title: title.to_owned(), name: name.to_owned(), unit: &Plain, scale: Scale::Whole }
}

/// A point of a chart. Floating-point numbers are exact up to 2^53: 104 days in nanoseconds.
fn point(x: u64, y: u64) -> (f64, f64) {
    (x as f64, y as f64)
}

impl Data<'_> {
    /// The series whose line has points.
    fn lines(&self, line: impl Fn(&report::Series<'_>) -> Vec<(f64, f64)>) -> Vec<Series> {
        let of = |own| Series { line: line(own), ..self.line(own) };
        self.series.iter().map(of).filter(|series| !series.line.is_empty()).collect()
    }

    /// A series without points.
    fn line(&self, own: &report::Series<'_>) -> Series {
        let names = |claim: &ClaimRow| {
            claim.of == *own.key.solver || claim.compared_with.as_deref() == Some(own.key.solver.as_str())
        };
        Series {
            name: vec![self.timed_name(&own.key)],
            style: own.style,
            group: own.naming.group.clone(),
            is_emphasised: self.claims.iter().any(names),
            ..Series::default()
        }
    }

    /// An empty chart of times against n; its title and subtitle say what is shown, and how.
    fn chart(&self, what: &str, how: &str) -> Chart {
        let goals = self.goals().iter().map(Goal::to_string).collect::<Vec<_>>().join(", ");
        let goals = if goals.is_empty() { goals } else { format!("goal {goals}") };
        let parts = [self.text(|spec| &spec.name), &goals, how].into_iter().filter(|part| !part.is_empty());
        Chart {
            title: what.to_owned(),
            subtitle: parts.collect::<Vec<_>>().join(" · "),
            x: whole_axis("n, the size of the board", "n"),
            y: log_axis("time", &Unit::Time),
            words: Words {
                limit: "timeout".to_owned(),
                emphasised: "the series of claims".to_owned(),
                grouped: "One colour for each group of series; the table of times names the groups."
                    .to_owned(),
            },
            ..Chart::default()
        }
    }

    /// Where the statistics are from.
    pub(super) fn how_counted(&self) -> &'static str {
        match self.nodes.iter().any(|row| !row.own.is_empty()) {
            true => "counted in separate runs, or printed by programs",
            false => "counted in separate runs",
        }
    }

    fn counts_against_n(&self, statistic: &str) -> Chart {
        let line = |own: &report::Series<'_>| {
            let rows = self.counts(own).into_iter();
            let line = rows.filter_map(|row| Some(point(row.n as u64, row.statistic(statistic)?))).collect();
            Series { name: vec![self.name(&own.key)], line, ..self.line(own) }
        };
        let series = self.series.iter().map(line).filter(|series| !series.line.is_empty()).collect();
        let title = title(statistic);
        let how = &format!("{}; solvers with the same counts share a line", self.how_counted());
        let y = log_axis(&title.to_lowercase(), &Unit::Count);
        Chart { y, series: merged(series), ..self.chart(&format!("{title} against n"), how) }
    }
}

/// The name of a statistic, for a title.
pub(super) fn title(statistic: &str) -> String {
    let name = statistic.trim_start_matches(OWN).replace('_', " ");
    let mut letters = name.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    first.chain(letters).collect()
}

/// Joins series that agree with the longest one wherever they have values: they become one line with all their names.
fn merged(mut all: Vec<Series>) -> Vec<Series> {
    all.sort_by_key(|series| Reverse(series.line.len()));
    let mut groups: Vec<Series> = Vec::new();
    for series in all {
        let has = |group: &Series, &(x, y): &(f64, f64)| {
            let at = group.line.binary_search_by(|(other, _)| other.total_cmp(&x));
            at.is_ok_and(|at| group.line[at].1 == y)
        };
        let agrees = |group: &&mut Series| series.line.iter().all(|point| has(group, point));
        match groups.iter_mut().find(agrees) {
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
    use crate::report::fixture::{plotted, run};
    use lineplot::Style;

    fn counting(n: usize, solver: &str, nodes: Option<u64>) -> Row {
        let mut row = Row { kind: Kind::Counting, ..run(n, solver, 1) };
        row.stats.set(Stat::Nodes, nodes);
        row
    }

    #[test]
    fn solvers_that_count_the_same_are_one_line_with_all_their_names() {
        let counts = [(4, "a", 17), (4, "b", 17), (4, "c", 17), (4, "d", 18)];
        let more = [(5, "b", 54), (5, "d", 54), (6, "b", 153), (5, "c", 54)];
        let rows: Vec<Row> = [counts, more]
            .concat()
            .into_iter()
            .map(|(n, solver, nodes)| counting(n, solver, Some(nodes)))
            .collect();
        let chart = plotted(&rows, |data| data.counts_against_n("nodes"));
        let names: Vec<_> = chart.series.iter().map(|series| series.name.clone()).collect();
        assert_eq!(names, [vec!["b", "c", "a"], vec!["d"]]);
        assert_eq!(chart.series[0].line, [(4.0, 17.0), (5.0, 54.0), (6.0, 153.0)]);
        assert_eq!((chart.title.as_str(), chart.y.title.as_str()), ("Nodes against n", "nodes"));
    }

    #[test]
    fn times_of_zero_are_left_out_with_a_remark() {
        let series =
            |line: &[(f64, f64)]| Series { line: line.to_vec(), dots: line.to_vec(), ..Series::default() };
        let line = [(4.0, 0.0), (5.0, 10.0), (6.0, 20.0)];
        let labels = ["zero", "ten", "twenty"].map(str::to_owned).to_vec();
        let all = vec![Series { labels, ..series(&line) }, series(&line[..1])];
        let times = resolved(Chart { series: all, ..Chart::default() }, Times::Up);
        let [only] = &times.series[..] else { panic!("one series has times") };
        assert_eq!((&only.line[..], &only.dots[..], only.labels.len()), (&line[1..], &line[1..], 2));
        assert_eq!(times.notes.len(), 1);
    }

    #[test]
    fn a_solver_looks_the_same_as_in_the_plot_of_times_and_one_without_counts_is_left_out() {
        let rows = [counting(4, "a", None), counting(4, "b", Some(17)), counting(4, "c", Some(18))];
        let chart = plotted(&rows, |data| data.counts_against_n("nodes"));
        assert_eq!(chart.series.iter().map(|series| series.style).collect::<Vec<_>>(), [Style(1), Style(2)]);
    }
}
