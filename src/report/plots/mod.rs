//! The plots of a result, as SVG; [`PLOTS`] lists them.
//!
//! A plot turns [`Data`] into SVG. `chart.rs` draws what most plots share: a line per series against n on a logarithmic
//! axis. A solver has the same colour and marker in all plots of a result.

mod axis;
mod chart;
mod counts;
mod legend;
mod scatter;
mod style;
mod svg;
mod times;
mod transition;

use super::Data;
use crate::solver::Stat;
use chart::Chart;
pub(super) use style::Style;

/// Width of a picture.
const WIDTH: f64 = 960.0;
/// Empty space around its content.
const PAD: f64 = 24.0;

/// A plot.
pub struct Plot {
    /// Name of the file, without `.svg`.
    pub name: &'static str,
    draw: fn(&Data<'_>) -> Picture,
}

/// A drawn plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The picture.
    pub svg: String,
    /// Whether there is nothing to show, which the picture says.
    pub is_empty: bool,
    /// Its series: the name of each, and its line with a marker as SVG.
    pub key: Vec<(String, String)>,
}

/// Every plot of a report.
pub const PLOTS: &[Plot] = &[
    Plot { name: "time", draw: |data| times::time(data).picture() },
    Plot { name: "growth", draw: |data| times::growth(data).picture() },
    Plot { name: "rate", draw: |data| times::rate(data).picture() },
    Plot { name: "cactus", draw: |data| times::cactus(data).picture() },
    Plot { name: "scatter", draw: scatter::draw },
    Plot { name: "share", draw: |data| transition::charts(data)[0].picture() },
    Plot { name: "hardness", draw: |data| transition::charts(data)[1].picture() },
    Plot { name: "nodes", draw: |data| counts::nodes(data).picture() },
    Plot { name: "encodings", draw: |data| counts::encodings(data).picture() },
    Plot {
        name: "cells_tested",
        draw: |data| {
            counts::statistic(data, "cells_tested", Stat::CellsTested, "cells tested for safety").picture()
        },
    },
    Plot {
        name: "learned_clauses",
        draw: |data| {
            counts::statistic(data, "learned_clauses", Stat::LearnedClauses, "learned clauses").picture()
        },
    },
    Plot {
        name: "conflicts",
        draw: |data| counts::statistic(data, "conflicts", Stat::Conflicts, "conflicts").picture(),
    },
    Plot {
        name: "decisions",
        draw: |data| counts::statistic(data, "decisions", Stat::Decisions, "decisions").picture(),
    },
    Plot { name: "memory", draw: |data| counts::memory(data).picture() },
];

impl Plot {
    /// Draws the plot.
    pub fn draw(&self, data: &Data<'_>) -> Picture {
        (self.draw)(data)
    }
}

impl Data<'_> {
    /// Title and subtitle: what is shown, and how.
    fn headings(&self, what: &str, how: &str) -> (String, String) {
        let goals = match self.keys.goals() {
            goals if goals.is_empty() => goals,
            goals => format!("goal {goals}"),
        };
        let parts = [self.titles.experiment.trim(), &goals, how].into_iter().filter(|part| !part.is_empty());
        (what.to_owned(), parts.collect::<Vec<_>>().join(" · "))
    }

    /// An empty chart of times against n.
    fn chart(&self, id: &'static str, what: &str, how: &str) -> Chart {
        let (title, subtitle) = self.headings(what, how);
        Chart {
            id,
            title,
            subtitle,
            across: "n, the size of the board",
            at: "n",
            axis: "time",
            empty: "no timed runs",
            ..Chart::default()
        }
    }
}
