//! `report.html`: a self-contained page for screens, phones, printers and screen readers. It has no scripts,
//! and its content security policy forbids loading anything. askama escapes all text that comes from files;
//! only our own style sheet and pictures, whose text is escaped when they are drawn, are included unescaped.

mod sections;
mod table;

use askama::Template;

use super::plots::{PLOTS, Picture};
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
    overall_ratios: Option<Table>,
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
    about: String,
    svg: Option<String>,
    /// Path of a picture that would make the page too large.
    link: Option<String>,
    /// The series of the picture, for narrow screens, on which its own names are too far to the right.
    key: Vec<(String, String)>,
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
pub(super) fn html(data: &Data<'_>, pictures: Vec<Picture>) -> Result<String, ReportError> {
    let Material { rows, crosscheck, meta, .. } = data.material;
    let mut figures = PLOTS.iter().zip(pictures).filter_map(|(plot, picture)| {
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
            "cactus" => (
                "Cactus plot",
                "How many instances each solver solves within a given time per instance.",
                None,
            ),
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
            "learned_clauses" => ("Learned clauses", "The clauses that each SAT solver learned from conflicts.", None),
            "conflicts" => ("Conflicts", "The conflicts that each SAT solver reports.", None),
            "decisions" => ("Decisions", "The decisions that each SAT solver reports.", None),
            "memory" => ("Memory", "The largest peak memory of the timed runs of each solver.", None),
            other => (other, "", None),
        };
        let poor = if plot.name == "growth" { sections::poor_growth(data) } else { None };
        // A picture that shows nothing is left out.
        if picture.is_empty && table.is_none() && poor.is_none() {
            return None;
        }
        let about = std::iter::once(about.to_owned()).chain(poor).collect::<Vec<_>>().join(" ");
        let Picture { svg, is_empty, key } = picture;
        let large = svg.len() > LARGEST_PICTURE;
        Some(Figure {
            id: if plot.name == "time" { "times" } else { plot.name },
            heading,
            about,
            link: (large && !is_empty).then(|| format!("plots/{}.svg", plot.name)),
            svg: (!large && !is_empty).then_some(svg),
            key,
            table,
        })
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
        summary: sections::summary(rows, data.material.others),
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
        overall_ratios: sections::overall_ratios(&ratios, data),
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
