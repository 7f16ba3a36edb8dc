//! `report.html`: a self-contained page for screens, phones, printers and screen readers. It has no scripts,
//! and its content security policy forbids loading anything. askama escapes all text that comes from files;
//! only our own style sheet and pictures, whose text is escaped when they are drawn, are included unescaped.

mod sections;
mod table;

use askama::Template;

use super::plots::{PLOTS, Picture, Plot};
use super::{Data, ReportError};
use table::Table;

/// The page.
#[derive(Template)]
#[template(path = "page.html")]
struct Page {
    version: &'static str,
    style: &'static str,
    title: String,
    /// The question and the expected answer.
    header: Vec<Part>,
    /// Warnings and faults.
    alerts: Vec<Part>,
    sections: Vec<Section>,
}

/// A section, which the contents list.
struct Section {
    id: &'static str,
    heading: &'static str,
    parts: Vec<Part>,
}

/// A part of the page.
enum Part {
    /// A paragraph, and its class of the style sheet.
    Text(&'static str, String),
    Heading(&'static str),
    Command(String),
    List(Vec<(&'static str, String)>),
    Table(Table),
    /// A table that a click shows.
    Folded(&'static str, Table),
    /// A picture: its label, its SVG, and its series, for narrow screens, on which its own names are too far to the right.
    Picture(&'static str, String, Vec<(String, String)>),
    /// The path of a picture that would make the page too large.
    Link(String),
}

impl Part {
    fn text(text: impl Into<String>) -> Self {
        Self::Text("", text.into())
    }
}

/// Pictures of more bytes than this are linked instead of included.
const LARGEST_PICTURE: usize = 600_000;

/// The page of a report, given its pictures in the order of [`PLOTS`].
pub(super) fn html(data: &Data<'_>, pictures: Vec<Picture>) -> Result<String, ReportError> {
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let question = given(&data.titles.question).map(Part::text);
    let expected = given(&data.titles.expected).map(|text| Part::Text("soft", format!("Expected: {text}")));
    let mut figures = PLOTS.iter().zip(pictures).filter_map(|(plot, picture)| figure(data, plot, picture));
    let mut sections: Vec<Section> = sections::claims(&data.claims).into_iter().collect();
    sections.extend(figures.next());
    sections.push(sections::summary(data));
    sections.extend(figures);
    sections.push(sections::ranking(data));
    sections.extend(sections::ratios(data));
    sections.push(sections::crosscheck(data.material.crosscheck));
    sections.push(sections::machine(data.material.meta));
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        style: include_str!("style.css"),
        title: given(&data.titles.experiment).unwrap_or_else(|| "Results".to_owned()),
        header: question.into_iter().chain(expected).collect(),
        alerts: sections::alerts(data),
        sections,
    };
    page.render().map_err(|error| ReportError::Page(error.to_string()))
}

/// The section of a plot; none if it would show nothing.
fn figure(data: &Data<'_>, plot: &Plot, picture: Picture) -> Option<Section> {
    let (heading, about, table) = match plot.name {
        "time" => (
            "Time against n",
            "Encoding plus solving time of each solver, measured in timed runs, which count no nodes.",
            sections::times(data),
        ),
        "growth" => (
            "Growth",
            "How the time grows with n: an exponential or a power law, whichever leaves the smaller residuals, with its 95 % \
             interval (Student's t). Neither is shown where medians typically differ from both by more than a factor of 1.5.",
            sections::growth(data),
        ),
        "rate" => ("Solutions per second", "How many solutions each solver finds per second.", None),
        "cactus" => {
            ("Cactus plot", "How many instances each solver solves within a given time per instance.", None)
        }
        "runtimes" => (
            "Runtime distributions",
            "The share of the runs with different seeds that take at least a given time. On these axes, a heavy tail is a \
             straight line that falls slowly: a few unlucky runs take much longer than the median.",
            None,
        ),
        "scatter" => ("Two solvers", "The times of two solvers on the same instances.", None),
        "share" => (
            "Problems with a solution",
            "The share of problems that have a solution, against the number of given queens, forbidden squares and excluded \
             diagonals.",
            None,
        ),
        "hardness" => (
            "Hard problems",
            "The median time to decide a problem, against the number of given queens, forbidden squares and excluded diagonals.",
            None,
        ),
        "nodes" => (
            "Nodes against n",
            "The nodes that each searcher visited, counted in separate runs. A SAT solver's learned clauses \
             are not nodes.",
            sections::nodes(data),
        ),
        "encodings" => (
            "Encoding sizes",
            "Clauses and variables of the formulas given to SAT solvers.",
            sections::encodings(data),
        ),
        "cells_tested" => ("Cells tested", "The squares that each searcher tested for safety.", None),
        "learned_clauses" => {
            ("Learned clauses", "The clauses that each SAT solver learned from conflicts.", None)
        }
        "conflicts" => ("Conflicts", "The conflicts that each SAT solver reports.", None),
        "decisions" => ("Decisions", "The decisions that each SAT solver reports.", None),
        "memory" => ("Memory", "The largest peak memory of the timed runs of each solver.", None),
        other => (other, "", None),
    };
    let poor = if plot.name == "growth" { sections::poor_growth(data) } else { None };
    let Picture { svg, is_empty, key } = picture;
    if is_empty && table.is_none() && poor.is_none() {
        return None;
    }
    let about = std::iter::once(about.to_owned()).chain(poor).collect::<Vec<_>>().join(" ");
    let picture = match svg.len() > LARGEST_PICTURE {
        true => Part::Link(format!("plots/{}.svg", plot.name)),
        false => Part::Picture(heading, svg, key),
    };
    let parts = [Part::text(about)].into_iter().chain((!is_empty).then_some(picture));
    let id = if plot.name == "time" { "times" } else { plot.name };
    Some(Section { id, heading, parts: parts.chain(table.map(Part::Table)).collect() })
}
