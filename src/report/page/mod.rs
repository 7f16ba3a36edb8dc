//! `report.html`: a self-contained page for screens, phones, printers and screen readers. It has no scripts,
//! and its content security policy forbids loading anything. askama escapes all text that comes from files;
//! only our own style sheet and pictures, whose text is escaped when they are drawn, are included unescaped.

mod sections;
mod table;

use askama::Template;

use super::plots::PLOTS;
use super::portfolio::portfolio;
use super::ranking::ranking;
use super::ratios::Ratios;
use super::{Data, Material, ReportError};
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
    claims: Option<Table>,
    claims_about: String,
    /// The picture that comes before all others.
    first: Option<Figure>,
    figures: Vec<Figure>,
    ranking_about: String,
    ranking: Option<Table>,
    unranked: Option<String>,
    portfolio_about: String,
    portfolio: Option<Table>,
    ratios_about: String,
    ratios: Option<Table>,
    disagreements: usize,
    crosscheck_about: String,
    crosscheck: Vec<Table>,
    comparisons: Option<Table>,
    sessions: Vec<SessionText>,
    machine: Vec<(&'static str, String)>,
    build: Vec<(&'static str, String)>,
}

/// A picture with its table.
struct Figure {
    id: &'static str,
    heading: &'static str,
    about: &'static str,
    svg: Option<String>,
    /// Path of a picture that would make the page too large.
    link: Option<String>,
    table: Option<Table>,
}

/// A command that wrote results.
struct SessionText {
    command: String,
    about: String,
}

/// Pictures of more bytes than this are linked instead of included.
const LARGEST_PICTURE: usize = 600_000;

/// The page of a report, given its pictures in the order of [`PLOTS`].
pub(super) fn html(data: &Data<'_>, pictures: Vec<String>) -> Result<String, ReportError> {
    let Material { rows, crosscheck, meta, .. } = data.material;
    let mut figures = PLOTS.iter().zip(pictures).map(|(plot, svg)| {
        let (heading, about, table) = match plot.name {
            "time" => (
                "Time against n",
                "Encoding plus solving time of each solver, measured in timed runs, which count no nodes.",
                sections::times(data),
            ),
            "growth" => (
                "Growth",
                "By which factor the time grows from one n to the next: a straight line through the logarithms of \
                 the medians, with its 95 % interval (Student's t).",
                sections::growth(data),
            ),
            "rate" => ("Solutions per second", "How many solutions each solver finds per second.", None),
            "cactus" => (
                "Cactus plot",
                "How many instances each solver solves within a given time per instance.",
                None,
            ),
            "scatter" => ("Two solvers", "The times of two solvers on the same instances.", None),
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
            other => (other, "", None),
        };
        let large = svg.len() > LARGEST_PICTURE;
        Figure {
            id: if plot.name == "time" { "times" } else { plot.name },
            heading,
            about,
            link: large.then(|| format!("plots/{}.svg", plot.name)),
            svg: (!large).then_some(svg),
            table,
        }
    });
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let ranking = ranking(&data.timings);
    let portfolio = portfolio(&data.timings);
    let ratios = Ratios::of(data);
    let disagreements = crosscheck.iter().filter(|row| !row.agrees).count();
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        style: include_str!("style.css"),
        title: given(&data.titles.experiment).unwrap_or_else(|| "Results".to_owned()),
        question: given(&data.titles.question),
        expected: given(&data.titles.expected),
        summary: sections::summary(rows),
        warnings: meta.map(|meta| meta.warnings.clone()).unwrap_or_default(),
        faults: sections::faults(rows),
        claims: sections::claims(&data.claims),
        claims_about: sections::claims_about(&data.claims),
        first: figures.next(),
        figures: figures.collect(),
        ranking_about: sections::ranking_about(&ranking),
        unranked: sections::unranked(&ranking, data),
        portfolio_about: sections::portfolio_about(&portfolio),
        portfolio: sections::portfolio(&portfolio, data),
        ratios_about: sections::ratios_about(&ratios),
        ratios: sections::ratios(&ratios, data),
        ranking: sections::ranking(&ranking, data),
        disagreements,
        crosscheck_about: sections::crosscheck_about(crosscheck, disagreements),
        crosscheck: sections::crosscheck(crosscheck),
        comparisons: sections::comparisons(crosscheck),
        sessions: meta.map(sections::sessions).unwrap_or_default(),
        machine: meta.map(sections::machine).unwrap_or_default(),
        build: meta.map(sections::build).unwrap_or_default(),
    };
    page.render().map_err(|error| ReportError::Page(error.to_string()))
}
