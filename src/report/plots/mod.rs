//! The plots of a result, as SVG; [`PLOTS`] lists them.
//!
//! A plot turns [`Data`] into SVG. `chart.rs` draws what most plots share: a line per series against n on a logarithmic
//! axis. A solver has the same colour and marker in all plots of a result.

mod axis;
mod chart;
mod counts;
pub(super) mod keys;
mod legend;
mod scatter;
mod style;
mod svg;
mod times;

use super::{Data, Unit};
use chart::Chart;

/// Width of a picture.
const WIDTH: f64 = 960.0;
/// Empty space around its content.
const PAD: f64 = 24.0;

/// A plot.
pub struct Plot {
    /// Name of the file, without `.svg`.
    pub name: &'static str,
    /// Its heading on the page.
    pub heading: &'static str,
    /// Its description on the page.
    pub about: &'static str,
    draw: fn(&Data<'_>) -> String,
}

/// Every plot of a report.
pub const PLOTS: &[Plot] = &[
    Plot {
        name: "time",
        heading: "Time against n",
        about: "Encoding plus solving time of each solver, measured in timed runs, which count no nodes.",
        draw: |data| times::time(data).svg(),
    },
    Plot {
        name: "growth",
        heading: "Growth",
        about: "By which factor the time grows from one n to the next: a straight line through the logarithms of \
                the medians, with its 95 % interval (Student's t).",
        draw: |data| times::growth(data).svg(),
    },
    Plot {
        name: "rate",
        heading: "Solutions per second",
        about: "How many solutions each solver finds per second.",
        draw: |data| times::rate(data).svg(),
    },
    Plot {
        name: "cactus",
        heading: "Cactus plot",
        about: "How many instances each solver solves within a given time per instance.",
        draw: |data| times::cactus(data).svg(),
    },
    Plot {
        name: "scatter",
        heading: "Two solvers",
        about: "The times of two solvers on the same instances.",
        draw: scatter::draw,
    },
    Plot {
        name: "nodes",
        heading: "Nodes against n",
        about: "The nodes that each searcher visited, counted in separate runs. A SAT solver's learned clauses are \
                not nodes.",
        draw: |data| counts::nodes(data).svg(),
    },
    Plot {
        name: "encodings",
        heading: "Encoding sizes",
        about: "Clauses and variables of the formulas given to SAT solvers.",
        draw: |data| counts::encodings(data).svg(),
    },
];

impl Plot {
    /// The plot as SVG.
    pub fn svg(&self, data: &Data<'_>) -> String {
        (self.draw)(data)
    }
}

impl Data<'_> {
    /// Title and subtitle: the question if there is one, what is shown, and how.
    fn headings(&self, what: &str, how: &str) -> (String, String) {
        let (experiment, question) = (self.titles.experiment.trim(), self.titles.question.trim());
        let goals = match self.keys.goals() {
            goals if goals.is_empty() => goals,
            goals => format!("goal {goals}"),
        };
        let (title, first) = if question.is_empty() { (what, "") } else { (question, what) };
        let parts = [first, experiment, &goals, how].into_iter().filter(|part| !part.is_empty());
        (title.to_owned(), parts.collect::<Vec<_>>().join(" · "))
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
            unit: Unit::Time,
            series: Vec::new(),
            notes: Vec::new(),
            empty: "no timed runs",
        }
    }
}
