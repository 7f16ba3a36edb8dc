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
mod scatter;
mod style;
mod svg;
mod times;
mod transition;

use super::Data;
use super::keys::Key;
use crate::solver::Stat;
use chart::{Chart, Series};
pub(super) use style::Style;

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
    /// The picture.
    pub svg: String,
    /// Whether there is nothing to show, which the picture says.
    pub is_empty: bool,
    /// Its series, if their names are beside the plot: the name of each, and its line with a marker as SVG.
    pub key: Vec<(String, String)>,
}

/// Every plot of a report.
pub const PLOTS: &[Plot] = &[
    plot("time", times::time),
    plot("growth", times::growth),
    plot("rate", times::rate),
    plot("cactus", times::cactus),
    plot("runtimes", times::runtimes),
    plot("scatter", scatter::scatter),
    plot("share", transition::share),
    plot("hardness", transition::hardness),
    plot("nodes", counts::nodes),
    plot("encodings", counts::encodings),
    plot("cells_tested", |data| counts::statistic(data, Stat::CellsTested, "cells tested for safety")),
    plot("learned_clauses", |data| counts::statistic(data, Stat::LearnedClauses, "learned clauses")),
    plot("conflicts", |data| counts::statistic(data, Stat::Conflicts, "conflicts")),
    plot("decisions", |data| counts::statistic(data, Stat::Decisions, "decisions")),
    plot("memory", counts::memory),
];

const fn plot(name: &'static str, chart: fn(&Data<'_>) -> Chart) -> Plot {
    Plot { name, chart }
}

impl Plot {
    /// Draws the plot.
    pub fn draw(&self, data: &Data<'_>) -> Picture {
        Chart { id: self.name, ..(self.chart)(data) }.picture()
    }
}

impl Data<'_> {
    /// The series whose line has points.
    fn lines(&self, line: impl Fn(&Key<'_>) -> Vec<(u64, u64)>) -> Vec<Series> {
        let series = self.keys.iter().map(|(key, style)| Series {
            name: vec![self.keys.name(&key, true)],
            style,
            line: line(&key),
            ..Series::default()
        });
        series.filter(|series| !series.line.is_empty()).collect()
    }

    /// An empty chart of times against n; its title and subtitle say what is shown, and how.
    fn chart(&self, what: &str, how: &str) -> Chart {
        let goals = match self.keys.goals() {
            goals if goals.is_empty() => goals,
            goals => format!("goal {goals}"),
        };
        let parts = [self.titles.experiment.trim(), &goals, how].into_iter().filter(|part| !part.is_empty());
        Chart {
            title: what.to_owned(),
            subtitle: parts.collect::<Vec<_>>().join(" · "),
            across: "n, the size of the board".into(),
            at: "n",
            axis: "time".into(),
            empty: "no timed runs",
            ..Chart::default()
        }
    }
}
