//! `report.html`: a self-contained page for screens, phones, printers and screen readers. It has no scripts,
//! and its content security policy forbids loading anything. askama escapes all text that comes from files;
//! only our own style sheet and pictures, whose text is escaped when they are drawn, are included unescaped.

mod sections;
mod table;

use askama::Template;

use super::plots::{Data, PLOTS};
use super::ranking::ranking;
use super::{Material, ReportError};
use table::Table;

/// The page.
#[derive(Template)]
#[template(path = "page.html")]
struct Page {
    version: &'static str,
    style: &'static str,
    title: String,
    question: Option<String>,
    expected: Option<String>,
    summary: Vec<(&'static str, String)>,
    warnings: Vec<String>,
    faults: Option<Table>,
    figures: Vec<Figure>,
    ranking_about: String,
    ranking: Option<Table>,
    unranked: Option<String>,
    disagreements: usize,
    crosscheck_about: String,
    crosscheck: Vec<Table>,
    comparisons: Option<Table>,
    sessions: Vec<SessionText>,
    machine: Vec<(&'static str, String)>,
    build: Vec<(&'static str, String)>,
}

/// A picture with its tables.
struct Figure {
    id: &'static str,
    heading: &'static str,
    about: &'static str,
    svg: Option<String>,
    /// Path of a picture that would make the page too large.
    link: Option<String>,
    tables: Vec<Table>,
}

/// A call of the command that wrote the results.
struct SessionText {
    command: String,
    about: String,
}

/// Pictures of more bytes than this are linked instead of included.
const LARGEST_PICTURE: usize = 600_000;

/// The name, the id, the heading and the description of each picture.
const FIGURES: [(&str, &str, &str, &str); 7] = [
    (
        "time",
        "times",
        "Time against n",
        "Encoding plus solving time of each solver, measured in timed runs, which count no nodes.",
    ),
    (
        "growth",
        "growth",
        "Growth",
        "By which factor the time grows from one n to the next: a straight line through the logarithms of \
         the medians, with its 95 % interval (Student's t).",
    ),
    ("rate", "rate", "Solutions per second", "How many solutions each solver finds per second."),
    (
        "cactus",
        "cactus",
        "Cactus plot",
        "How many instances each solver solves within a given time per instance.",
    ),
    ("scatter", "scatter", "Two solvers", "The times of two solvers on the same instances."),
    (
        "nodes",
        "nodes",
        "Nodes against n",
        "The nodes that each searcher visited, counted in separate runs. A SAT solver's learned clauses are not nodes.",
    ),
    (
        "encodings",
        "encodings",
        "Encoding sizes",
        "Clauses and variables of the formulas given to SAT solvers.",
    ),
];

/// The page of a report, given its pictures in the order of [`PLOTS`].
pub(super) fn html(
    material: &Material<'_>,
    data: &Data<'_>,
    pictures: &[String],
) -> Result<String, ReportError> {
    let figures = FIGURES.into_iter().filter_map(|(name, id, heading, about)| {
        let svg = PLOTS.iter().zip(pictures).find(|(plot, _)| plot.name == name).map(|(_, svg)| svg.clone());
        let tables = match name {
            "time" => sections::times(data),
            "growth" => sections::growth(data).into_iter().collect(),
            "nodes" => sections::nodes(data).into_iter().collect(),
            "encodings" => sections::encodings(data).into_iter().collect(),
            _ => Vec::new(),
        };
        // Without the cargo feature plots there is no picture at all.
        let shown = svg.is_some() || !tables.is_empty();
        let large = svg.as_ref().is_some_and(|svg| svg.len() > LARGEST_PICTURE);
        let link = large.then(|| format!("plots/{name}.svg"));
        let svg = svg.filter(|_| !large);
        shown.then_some(Figure { id, heading, about, link, svg, tables })
    });
    let plan = |key: &str| {
        let text = material.meta.and_then(|meta| meta.plan.get(key)).and_then(|value| value.as_str());
        text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let ranking = ranking(data.timings);
    let disagreements = material.crosscheck.iter().filter(|row| !row.agrees).count();
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        style: include_str!("style.css"),
        title: plan("name").unwrap_or_else(|| "Results".to_owned()),
        question: plan("question"),
        expected: plan("expected"),
        summary: sections::summary(material.rows),
        warnings: material.meta.map(|meta| meta.warnings.clone()).unwrap_or_default(),
        faults: sections::faults(material.rows),
        figures: figures.collect(),
        ranking_about: sections::ranking_about(&ranking),
        unranked: sections::unranked(&ranking, data),
        ranking: sections::ranking(&ranking, data),
        disagreements,
        crosscheck_about: sections::crosscheck_about(material.crosscheck, disagreements),
        crosscheck: sections::crosscheck(material.crosscheck),
        comparisons: sections::comparisons(material.crosscheck),
        sessions: material.meta.map(sections::sessions).unwrap_or_default(),
        machine: material.meta.map(sections::machine).unwrap_or_default(),
        build: material.meta.map(sections::build).unwrap_or_default(),
    };
    page.render().map_err(|error| ReportError::Page(error.to_string()))
}
