//! The plots of a result, as SVG; [`PLOTS`] lists them.
//!
//! A plot turns [`Data`] into SVG. `chart.rs` draws what most plots share: a line per series against n on a logarithmic
//! axis, or, of more than eight series, a small picture for each (`panels.rs`). A solver has the same colour and marker in all plots of a result.

mod axis;
mod chart;
mod counts;
mod legend;
mod marks;
mod panels;
mod style;
mod svg;
mod times;
mod transition;

use super::{Data, series as report};
use crate::solver::Stat;
use chart::{Chart, Series};
use counts::Column;
pub(super) use style::Style;
pub(super) use times::no_curve;

/// Width of a picture.
const WIDTH: f64 = 960.0;
/// Empty space around its content.
const PAD: f64 = 24.0;

/// A plot.
pub struct Plot {
    /// Name of the file, without `.svg`.
    pub name: &'static str,
    chart: fn(&Data<'_>) -> Chart,
}

/// A drawn plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Its title.
    pub title: String,
    /// The picture.
    pub svg: String,
    /// Its series, if their names are beside the plot: the name of each, and its line with a marker as SVG.
    pub key: Vec<(String, String)>,
}

/// Every plot of a report, in the order of its page.
pub const PLOTS: [Plot; 14] = [
    plot("time", times::time),
    plot("growth", times::growth),
    plot("rate", times::rate),
    plot("cactus", times::cactus),
    plot("runtimes", times::runtimes),
    plot("share", transition::share),
    plot("hardness", transition::hardness),
    plot("nodes", counts::nodes),
    plot("encodings", counts::encodings),
    plot("cells_tested", |data| {
        counts::column(data, Column::Count(Stat::CellsTested, "cells tested for safety"))
    }),
    plot("learned_clauses", |data| {
        counts::column(data, Column::Count(Stat::LearnedClauses, "learned clauses"))
    }),
    plot("conflicts", |data| counts::column(data, Column::Count(Stat::Conflicts, "conflicts"))),
    plot("decisions", |data| counts::column(data, Column::Count(Stat::Decisions, "decisions"))),
    plot("memory", |data| counts::column(data, Column::Memory)),
];

const fn plot(name: &'static str, chart: fn(&Data<'_>) -> Chart) -> Plot {
    Plot { name, chart }
}

impl Plot {
    /// Draws the plot; `None` if it would show nothing.
    pub fn draw(&self, data: &Data<'_>) -> Option<Picture> {
        let chart = Chart { id: self.name, ..(self.chart)(data) };
        chart.shows_something().then(|| chart.picture())
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
        Series { name: vec![self.name(&own.key)], style: own.style, ..Series::default() }
    }

    /// An empty chart of times against n; its title and subtitle say what is shown, and how.
    fn chart(&self, what: &str, how: &str) -> Chart {
        let goals = match self.goals() {
            goals if goals.is_empty() => goals,
            goals => format!("goal {goals}"),
        };
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
}
