//! The plots of a result, as SVG; [`all`] lists them.
//!
//! A plot turns [`Data`] into a `Chart`. A solver has the same colour and marker in all plots of a result.

mod axis;
mod chart;
mod pgfplots;
mod style;
mod svg;
mod times;
mod transition;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{Data, Unit, series as report};
use crate::record::ClaimRow;
use crate::record::table::OWN;
use crate::solver::{Goal, Stat};
use chart::{Chart, Series};
pub(super) use style::Style;

/// How a picture is laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The width in units of the picture, in which numbers have a height of 12.
    width: f64,
    /// The width on paper in inches; the units are pixels if there is none.
    inches: Option<f64>,
    /// The height of the plot.
    height: f64,
    /// Empty space around the content.
    pad: f64,
    /// The families of the font, the preferred one first.
    font: String,
    /// Whether each series has a panel of its own, with the others in grey.
    has_panels: bool,
}

impl Default for Look {
    /// A picture of a page.
    fn default() -> Self {
        let font = "Helvetica Neue, Helvetica, Arial, sans-serif".to_owned();
        Self { width: 960.0, inches: None, height: 420.0, pad: 24.0, font, has_panels: false }
    }
}

impl Look {
    /// A picture of a page, with a panel for each series.
    pub fn panels() -> Self {
        Self { has_panels: true, ..Self::default() }
    }

    /// A figure of a paper with two columns, one or both of them wide: its text is about 7.5 points high, the names are below
    /// the plot, and it has no title.
    pub fn figure(is_wide: bool, font: Option<&str>) -> Self {
        let page = Self::default();
        let (width, inches, height) = if is_wide { (820.0, 7.16, 400.0) } else { (400.0, 3.5, 240.0) };
        let font = font.map_or(page.font, str::to_owned);
        Self { width, inches: Some(inches), height, pad: 4.0, font, has_panels: false }
    }
}

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

/// A drawn plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Its title.
    pub title: String,
    /// The picture.
    pub svg: String,
    /// For narrow screens, on which the names are too far to the right: each name, and its line with a marker as SVG.
    pub key: Vec<(String, String)>,
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
    pub fn draw(&self, data: &Data<'_>, look: &Look) -> Option<Picture> {
        self.chart(data, look).map(Chart::picture)
    }

    /// The plot as code for the LaTeX package pgfplots; `None` if it would show nothing.
    pub fn pgfplots(&self, data: &Data<'_>, look: &Look) -> Option<String> {
        self.chart(data, look).map(|chart| pgfplots::code(&chart))
    }

    fn chart(&self, data: &Data<'_>, look: &Look) -> Option<Chart> {
        let of_goal = self.goal.map(|goal| data.of_goal(goal));
        let data = of_goal.as_ref().unwrap_or(data);
        let chart = match self.shows {
            Shows::Times => times::time(data),
            Shows::Chart(chart) => chart(data),
            Shows::Counts => data.counts_against_n(&self.name),
        };
        let mut chart = Chart { id: self.name.replace('.', "-"), look: look.clone(), ..chart };
        chart.leave_out_unresolved_times();
        chart.shows_something().then_some(chart)
    }
}

impl Data<'_> {
    /// The series whose line has points.
    fn lines(&self, line: impl Fn(&report::Series<'_>) -> Vec<(u64, u64)>) -> Vec<Series> {
        let of = |own| Series { line: line(own), ..self.line(own) };
        self.series.iter().map(of).filter(|series| !series.line.is_empty()).collect()
    }

    /// A series without points.
    fn line(&self, own: &report::Series<'_>) -> Series {
        let names = |claim: &ClaimRow| {
            claim.of == own.key.solver || claim.compared_with.as_deref() == Some(own.key.solver)
        };
        Series {
            name: vec![self.timed_name(&own.key)],
            style: own.style,
            group: own.naming.group.clone(),
            is_claimed: self.claims.iter().any(names),
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
            across: "n, the size of the board".into(),
            at: "n",
            axis: "time".into(),
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
            let line = rows.filter_map(|row| Some((row.n as u64, row.statistic(statistic)?))).collect();
            Series { name: vec![self.name(&own.key)], line, ..self.line(own) }
        };
        let series = self.series.iter().map(line).filter(|series| !series.line.is_empty()).collect();
        let title = title(statistic);
        let how = &format!("{}; solvers with the same counts share a line", self.how_counted());
        let axis = title.to_lowercase();
        let series = merged(series);
        Chart { axis, unit: Unit::Count, series, ..self.chart(&format!("{title} against n"), how) }
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
        let agrees =
            |group: &&mut Series| series.line.iter().all(|point| group.line.binary_search(point).is_ok());
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
        assert_eq!(chart.series[0].line, [(4, 17), (5, 54), (6, 153)]);
        assert_eq!((chart.title.as_str(), chart.axis.as_str()), ("Nodes against n", "nodes"));
    }

    #[test]
    fn a_solver_looks_the_same_as_in_the_plot_of_times_and_one_without_counts_is_left_out() {
        let rows = [counting(4, "a", None), counting(4, "b", Some(17)), counting(4, "c", Some(18))];
        let chart = plotted(&rows, |data| data.counts_against_n("nodes"));
        assert_eq!(chart.series.iter().map(|series| series.style).collect::<Vec<_>>(), [Style(1), Style(2)]);
    }
}
