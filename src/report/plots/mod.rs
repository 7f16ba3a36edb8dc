//! The plots of a result, as SVG. One file a plot; [`PLOTS`] is their table.
//!
//! A plot turns [`Data`] into SVG; `chart.rs` draws what most of them share, a line per solver against n
//! on a logarithmic axis. A solver has the same colour and marker in all plots of a result.

#[cfg(feature = "plots")]
mod alike;
#[cfg(feature = "plots")]
mod axis;
#[cfg(feature = "plots")]
mod cactus;
#[cfg(feature = "plots")]
mod canvas;
#[cfg(feature = "plots")]
mod chart;
#[cfg(feature = "plots")]
mod encodings;
#[cfg(feature = "plots")]
mod frame;
#[cfg(feature = "plots")]
mod growth;
pub(super) mod keys;
#[cfg(feature = "plots")]
mod legend;
#[cfg(feature = "plots")]
mod nodes;
#[cfg(feature = "plots")]
mod rate;
#[cfg(feature = "plots")]
mod scatter;
#[cfg(feature = "plots")]
mod style;
#[cfg(feature = "plots")]
mod time;

use crate::record::{NodesRow, TimingsRow};
use crate::report::Run;
use keys::Keys;

/// What the plots are called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Titles {
    /// Name of the experiment.
    pub experiment: String,
    /// Its question; may be empty.
    pub question: String,
}

/// The input of a plot.
pub struct Data<'a> {
    /// Every run.
    pub rows: &'a [Run],
    /// The table of times.
    pub timings: &'a [TimingsRow],
    /// The table of counts.
    pub nodes: &'a [NodesRow],
    /// Name and question of the experiment.
    pub titles: &'a Titles,
    /// The two solvers of the scatter plot; chosen automatically if absent.
    pub pair: Option<&'a [String; 2]>,
}

/// A plot.
pub struct Plot {
    /// Name of the file, without `.svg`.
    pub name: &'static str,
    #[cfg(feature = "plots")]
    draw: fn(&Data<'_>) -> canvas::Drawn<String>,
}

/// Every plot of a report: none without the cargo feature `plots`.
#[cfg(not(feature = "plots"))]
pub const PLOTS: &[Plot] = &[];

/// Every plot of a report.
#[cfg(feature = "plots")]
pub const PLOTS: &[Plot] = &[
    Plot { name: "time", draw: time::draw },
    Plot { name: "growth", draw: growth::draw },
    Plot { name: "rate", draw: rate::draw },
    Plot { name: "cactus", draw: cactus::draw },
    Plot { name: "scatter", draw: scatter::draw },
    Plot { name: "nodes", draw: nodes::draw },
    Plot { name: "encodings", draw: encodings::draw },
];

impl Plot {
    /// The plot as SVG; the reason when it cannot be drawn.
    pub fn svg(&self, data: &Data<'_>) -> Result<String, String> {
        #[cfg(feature = "plots")]
        return (self.draw)(data).map_err(|error| error.to_string());
        #[cfg(not(feature = "plots"))]
        Err(format!("{}: this build draws no plots: {data:p}", self.name))
    }
}

impl Data<'_> {
    /// The series of all runs.
    pub(super) fn keys(&self) -> Keys<'_> {
        Keys::of(self.rows)
    }

    /// Title and subtitle: the question, if there is one, then what is shown and how.
    #[cfg(feature = "plots")]
    fn headings(&self, what: &str, how: &str) -> (String, String) {
        let question = self.titles.question.trim();
        let goals = match self.keys().goals() {
            goals if goals.is_empty() => goals,
            goals => format!("goal {goals}"),
        };
        let mut parts = vec![self.titles.experiment.trim(), &goals, how];
        if !question.is_empty() {
            parts.insert(0, what);
        }
        parts.retain(|part| !part.is_empty());
        (if question.is_empty() { what } else { question }.to_owned(), parts.join(" · "))
    }
}

/// `3 runs`, `1 run`, `no run` for 0.
#[cfg(feature = "plots")]
fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
