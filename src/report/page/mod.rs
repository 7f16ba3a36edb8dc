//! `report.html`: a self-contained page for screens, phones, printers and screen readers. It has no scripts,
//! and its content security policy forbids loading anything. askama escapes all text that comes from files;
//! only our own style sheet and pictures, whose text is escaped when they are drawn, are included unescaped.

mod sections;
mod table;

use askama::Template;

use super::plots::{Picture, Plot, no_curve};
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
    heading: String,
    parts: Vec<Part>,
}

/// A part of the page.
enum Part {
    /// A paragraph, and its class of the style sheet.
    Text(&'static str, String),
    Heading(String),
    Command(String),
    List(Vec<(String, String)>),
    Table(Table),
    /// A table that a click shows.
    Folded(&'static str, Table),
    /// A picture: its label, its SVG, and its series, for narrow screens, on which its own names are too far to the right.
    Picture(String, String, Vec<(String, String)>),
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

/// The page of a report, given its plots with their pictures.
pub(super) fn html(
    data: &Data<'_>,
    pictures: Vec<(&'static Plot, Option<Picture>)>,
) -> Result<String, ReportError> {
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let question = given(data.text(|spec| &spec.question)).map(Part::text);
    let expected = given(data.text(|spec| &spec.expected));
    let expected = expected.map(|expected| Part::Text("soft", format!("Expected: {expected}")));
    let mut figures =
        pictures.into_iter().filter_map(|(plot, picture)| figure(data, plot.name, picture)).peekable();
    let mut all: Vec<Section> = sections::claims(&data.claims).into_iter().collect();
    all.extend(figures.next_if(|section| section.id == "times"));
    all.push(sections::summary(data));
    all.extend(figures);
    all.push(sections::ranking(data));
    all.extend(sections::ratios(data));
    all.push(sections::crosscheck(&data.material.crosscheck));
    all.push(sections::machine(&data.material.parts));
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        style: include_str!("style.css"),
        title: given(data.text(|spec| &spec.name)).unwrap_or_else(|| "Results".to_owned()),
        header: question.into_iter().chain(expected).collect(),
        alerts: sections::alerts(data),
        sections: all,
    };
    page.render().map_err(|error| ReportError::Page(error.to_string()))
}

/// The section of a plot: its picture and a table of what it shows; none without either.
fn figure(data: &Data<'_>, name: &'static str, picture: Option<Picture>) -> Option<Section> {
    let table = match name {
        "time" => sections::times(data),
        "growth" => sections::growth(data),
        "nodes" => sections::nodes(data),
        "encodings" => sections::encodings(data),
        _ => None,
    };
    // The picture says the same.
    let no_curve = no_curve(data).filter(|_| name == "growth" && picture.is_none());
    let heading = picture.as_ref().map(|picture| picture.title.trim_end_matches(" against n").to_owned());
    let heading = heading
        .or(table.as_ref().map(|table| table.label.clone()))
        .or(no_curve.as_ref().map(|_| "Growth".to_owned()))?;
    let picture = picture.map(|Picture { svg, key, .. }| match svg.len() > LARGEST_PICTURE {
        true => Part::Link(format!("plots/{name}.svg")),
        false => Part::Picture(heading.clone(), svg, key),
    });
    let parts = no_curve.map(Part::text).into_iter().chain(picture).chain(table.map(Part::Table));
    Some(Section { id: if name == "time" { "times" } else { name }, heading, parts: parts.collect() })
}
