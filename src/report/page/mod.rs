//! `report.html`: a self-contained page for screens, phones, printers and screen readers. Its only script is `page.js`, which makes
//! pictures and tables interactive. The content security policy contains the digest of this script, and forbids all other scripts
//! and all requests. Without scripts, the page shows the same results.
//!
//! askama escapes all text from files. The following parts are included without escaping: the style sheet and the script; the
//! pictures, whose texts are escaped when they are drawn; and the data island, the JSON that the script reads, in which every
//! `<` is escaped.

mod island;
mod printed;
mod provenance;
mod ratio_tables;
mod sections;

use std::path::Path;

use askama::Template;
use base64::prelude::{BASE64_STANDARD, Engine};
use serde::Serialize;
use serde_json::Number;
use sha2::{Digest, Sha256};

use lineplot::{KeyEntry, Picture};

use super::headline::{Headline, Severity};
use super::plots::{PictureLayout, Plot, PlotContent};
use super::{DerivedData, ReportError};
use TypedHead::{Values, Words};
use printed::PageOutputs;

/// The page.
#[derive(Template)]
#[template(path = "page.html")]
struct Page {
    version: &'static str,
    style: &'static str,
    script: &'static str,
    /// The SHA-256 digest of the script in base 64.
    script_hash: String,
    title: String,
    question: String,
    headline: Headline,
    sections: Vec<Section>,
    /// The data for the script as JSON.
    island: String,
}

const SCRIPT: &str = include_str!("page.js");

impl Severity {
    /// The CSS class of a paragraph about a problem of this severity.
    fn class(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::Failed => "failed",
            Self::Incomplete | Self::Disturbed => "doubt",
        }
    }
}

/// A section of the page, which the table of contents lists.
struct Section {
    id: String,
    heading: String,
    parts: Vec<PagePart>,
}

impl Section {
    /// A section with these parts; `None` if there are no parts.
    fn of(id: &str, heading: &str, parts: impl IntoIterator<Item = PagePart>) -> Option<Self> {
        let parts: Vec<PagePart> = parts.into_iter().collect();
        (!parts.is_empty()).then(|| Self { id: id.to_owned(), heading: heading.to_owned(), parts })
    }
}

/// A part of the page.
enum PagePart {
    /// A paragraph with its CSS class.
    Text(&'static str, String),
    Heading(String),
    Command(String),
    List(Vec<(String, String)>),
    Table(PageTable),
    Figure(Box<Figure>),
    /// The beginning of a collapsed block, with its summary, which is always visible.
    Collapsed(String),
    EndOfCollapsed,
    /// The beginning of a row of small pictures.
    Gallery,
    EndOfGallery,
}

impl PagePart {
    fn text(text: impl Into<String>) -> Self {
        Self::Text("", text.into())
    }

    /// The table of the part; `None` if it has no table.
    fn table(&self) -> Option<&PageTable> {
        match self {
            Self::Table(table) => Some(table),
            Self::Figure(figure) => figure.table.as_ref(),
            _ => None,
        }
    }

    fn table_mut(&mut self) -> Option<&mut PageTable> {
        match self {
            Self::Table(table) => Some(table),
            Self::Figure(figure) => figure.table.as_mut(),
            _ => None,
        }
    }
}

/// A picture.
struct Figure {
    /// The name of the file, which links the picture with its values in the island.
    name: String,
    /// The title.
    label: String,
    /// The picture for wide screens; `None` for a secondary plot, which has only a small picture.
    wide: Option<String>,
    /// The picture for narrow screens, or the only picture of a secondary plot; `None` for a picture with panels.
    narrow: Option<String>,
    /// The legend, if the names of the series are not in the picture.
    key: Vec<KeyEntry>,
    /// The caption: the subtitle and the notes of the chart.
    caption: String,
    /// The values for the script.
    island: Option<lineplot::Island>,
    /// The positions of the values in the narrow picture.
    places: Option<lineplot::Places>,
    /// A table of the plotted values; `None` if another table of the page has them.
    table: Option<PageTable>,
}

impl Figure {
    /// Draws the pictures of a plot; `None` if the plot has no content.
    fn of(data: &DerivedData<'_>, plot: &Plot, layout: &PictureLayout) -> Result<Option<Self>, ReportError> {
        let Some(chart) = plot.chart(data, layout) else { return Ok(None) };
        let draw_picture = |layout: PictureLayout, suffix: &str| {
            let id = format!("{}{suffix}", plot.name);
            lineplot::Chart { layout, id, ..chart.clone() }.draw()
        };
        let is_small = plot.content.is_secondary();
        let (wide, narrow) = match layout.has_panels() {
            true => (Some(draw_picture(layout.clone(), "")?), None),
            false if is_small => (None, Some(draw_picture(PictureLayout::small(), "")?)),
            false => (
                Some(draw_picture(PictureLayout::page(), "")?),
                Some(draw_picture(PictureLayout::small(), "-narrow")?),
            ),
        };
        let Picture { title, subtitle, notes, key, island, .. } = match (&wide, &narrow) {
            (Some(picture), _) | (None, Some(picture)) => picture.clone(),
            (None, None) => return Ok(None),
        };
        let places =
            wide.is_some().then(|| narrow.as_ref()?.island.as_ref().map(|island| island.places().clone()));
        let svg = |picture: Option<Picture>| picture.map(|picture| picture.svg);
        let mut caption: Vec<String> = vec![subtitle];
        caption.extend(notes);
        Ok(Some(Self {
            name: plot.name.to_string(),
            label: title,
            wide: svg(wide),
            narrow: svg(narrow),
            key,
            caption: caption.iter().map(|text| text.trim_end_matches('.')).collect::<Vec<_>>().join(". ")
                + ".",
            island,
            places: places.flatten(),
            table: (!plot.content.has_table()).then(|| sections::values(&chart)).flatten(),
        }))
    }
}

/// Renders the page of a report with these plots, for a directory.
pub(super) fn html(
    data: &DerivedData<'_>,
    plots: &[Plot],
    layout: &PictureLayout,
    directory: &Path,
) -> Result<String, ReportError> {
    let outputs = PageOutputs::of(data, directory);
    let nonempty = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let (mut times, mut charts, mut secondary) = (Vec::new(), Vec::new(), Vec::new());
    for plot in plots {
        match plot.content {
            PlotContent::Times => times.extend(times_section(data, plot, layout)?),
            _ => match Figure::of(data, plot, layout)? {
                Some(figure) if plot.content.is_secondary() => secondary.push(figure),
                Some(figure) => charts.push(figure),
                None => {}
            },
        }
    }
    let expected = nonempty(data.text(|spec| &spec.expected));
    let stated_text =
        data.expected_stated().map_or(String::new(), |stated| format!(" ({})", stated.in_words()));
    let expected =
        expected.map(|expected| PagePart::Text("soft", format!("Expected{stated_text}: {expected}")));
    let background = expected.into_iter().chain([sections::summary(data)]);
    match times.first_mut() {
        Some(Section { parts, .. }) => parts.extend(background),
        None => times.extend(Section::of("runs", "Runs", background)),
    }
    let mut times = times.into_iter();
    let mut sections: Vec<Section> = times.next().into_iter().collect();
    sections.extend(sections::problems(data, &outputs));
    sections.extend(sections::claims(data));
    sections.extend(times);
    for figure in charts {
        let (id, heading) = (figure.name.clone(), figure.label.clone());
        sections.extend(Section::of(&id, &heading, [PagePart::Figure(Box::new(figure))]));
    }
    sections.extend(sections::growth(data));
    sections.extend(ratio_tables::ratios(data));
    sections.extend(gallery(data, secondary));
    sections.extend(provenance::section(&data.source.crosscheck, &data.source.parts));
    // Tables are numbered in the order of the page.
    let parts = sections.iter_mut().flat_map(|section| &mut section.parts);
    parts.filter_map(PagePart::table_mut).enumerate().for_each(|(number, table)| table.number = number);
    let island = island::json(data, &outputs, sections.iter().flat_map(|section| &section.parts))?;
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        style: include_str!("style.css"),
        script: SCRIPT,
        script_hash: BASE64_STANDARD.encode(Sha256::digest(SCRIPT)),
        island,
        title: nonempty(data.text(|spec| &spec.name)).unwrap_or_else(|| "Results".to_owned()),
        question: data.text(|spec| &spec.question).to_owned(),
        headline: Headline::of(data),
        sections,
    };
    page.render().map_err(|error| ReportError::Page(error.to_string()))
}

/// The section of a plot of times: the picture, the tables, and the descriptions of the solvers. `None` if it is empty.
fn times_section(
    data: &DerivedData<'_>,
    plot: &Plot,
    layout: &PictureLayout,
) -> Result<Option<Section>, ReportError> {
    let figure = Figure::of(data, plot, layout)?;
    let goal_data = plot.goal.map(|goal| data.of_goal(goal));
    let data = goal_data.as_ref().unwrap_or(data);
    let name_suffix = plot.goal.map_or(String::new(), |goal| format!(", goal {goal}"));
    let tables = [sections::times(data, &name_suffix), sections::startups(data, &name_suffix)];
    let label = tables[0].as_ref().map(|table| table.label.clone());
    let Some(heading) = figure.as_ref().map(|figure| figure.label.clone()).or(label) else { return Ok(None) };
    let id = plot.name.replacen("time", "times", 1);
    let figure = figure.into_iter().map(|figure| PagePart::Figure(Box::new(figure)));
    let [times, startups] = tables.map(|table| table.map(PagePart::Table));
    let startups = startups
        .map(|table| [PagePart::Collapsed("Start of programs".to_owned()), table, PagePart::EndOfCollapsed]);
    let tables = times.into_iter().chain(startups.into_iter().flatten());
    Ok(Section::of(&id, &heading, figure.chain(tables).chain(sections::ideas(data))))
}

/// The section that explains the times, in collapsed blocks: small pictures with their tables, and the tables of counts.
fn gallery(data: &DerivedData<'_>, figures: Vec<Figure>) -> Option<Section> {
    let names: Vec<&str> = figures.iter().map(|figure| figure.label.as_str()).collect();
    let counts = sections::all_counts(data);
    let mut parts = Vec::new();
    if !figures.is_empty() {
        parts.push(PagePart::Collapsed(format!("Plots: {}", names.join(", "))));
        parts.push(PagePart::Gallery);
        parts.extend(figures.into_iter().map(|figure| PagePart::Figure(Box::new(figure))));
        parts.extend([PagePart::EndOfGallery, PagePart::EndOfCollapsed]);
    }
    if !counts.is_empty() {
        let names: Vec<&str> = counts.iter().map(|table| table.label.as_str()).collect();
        parts.push(PagePart::Collapsed(format!("Tables: {}", names.join(", "))));
        parts.extend(counts.into_iter().map(PagePart::Table));
        parts.push(PagePart::EndOfCollapsed);
    }
    Section::of("counts", "Counts and other measurements", parts)
}

/// A table.
struct PageTable {
    /// The name, for screen readers and for the tools of the table.
    label: String,
    /// The caption.
    caption: String,
    /// The heads of the columns.
    head: Vec<ColumnHead>,
    /// The index of each column in the list of columns from which the table was made. Empty columns are omitted.
    columns: Vec<usize>,
    /// The rows. The first cell is the head of the row.
    rows: Vec<Vec<PageCell>>,
    /// The number of the table on the page, which links it with its values in the island.
    number: usize,
    /// The number of the series of each row, if the table has one row per series and one column per size.
    series: Vec<usize>,
    /// The size of each column, if the table has one row per series and one column per size.
    sizes: Vec<Option<usize>>,
    /// The cells for each baseline that can be chosen on the page.
    baselines: Vec<Baseline>,
}

/// The cells of a table of ratios to a baseline, without the heads of its rows.
#[derive(Serialize)]
struct Baseline {
    name: String,
    /// Whether the table shows these cells initially.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_shown: bool,
    rows: Vec<Vec<PageCell>>,
}

/// The head of a column of a table.
struct ColumnHead {
    /// The text.
    name: String,
    /// Whether the column contains text, which is aligned to the left.
    text: bool,
}

/// A cell.
#[derive(Clone, Default)]
struct PageCell {
    /// The text.
    text: String,
    /// The exact value, if the cell is a number.
    value: Option<Number>,
    /// Small print below the text.
    small_print: Option<String>,
    /// The CSS class.
    class: &'static str,
    /// The file to which the cell links, relative to the page.
    link: Option<String>,
}

/// The head of a column, with the type of the column's content.
#[derive(Clone, Copy)]
enum TypedHead<'c> {
    /// A column of text, which is aligned to the left.
    Words(&'c str),
    /// A column of numbers, or of texts in place of numbers.
    Values(&'c str),
}

/// A column: its head, and the function that makes its cell for an item.
type PageColumn<'c, T> = (TypedHead<'c>, &'c dyn Fn(&T) -> PageCell);

/// The maximum number of rows, and the file that contains all rows.
type Limit<'l> = (usize, &'l str);

impl PageTable {
    /// Makes a table with one row per item. If there are more than `max` items, the table has the first ones, and the caption
    /// names the file that has all rows. Columns without text are omitted. `None` if there are no items.
    fn of<T>(
        (label, caption): (&str, &str),
        columns: &[PageColumn<'_, T>],
        mut items: impl Iterator<Item = T>,
        (max, file): Limit<'_>,
    ) -> Option<Self> {
        let first_items: Vec<T> = items.by_ref().take(max).collect();
        let mut caption = caption.to_owned();
        let omitted_count = items.count();
        if omitted_count > 0 {
            caption = format!("{caption}. The first {max} of {} rows; {file} has all", max + omitted_count);
        }
        let (mut head, mut columns_with_text) = (Vec::new(), Vec::new());
        let mut rows: Vec<Vec<PageCell>> = first_items.iter().map(|_| Vec::new()).collect();
        for (index, (title, cell)) in columns.iter().enumerate() {
            let cells: Vec<PageCell> = first_items.iter().map(cell).collect();
            if cells.iter().any(|cell| !cell.text.is_empty()) {
                let (name, text) = match *title {
                    Words(name) => (name, true),
                    Values(name) => (name, false),
                };
                head.push(ColumnHead { name: name.to_owned(), text });
                columns_with_text.push(index);
                rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
            }
        }
        let label = label.to_owned();
        let (series, sizes) = (Vec::new(), Vec::new());
        (!rows.is_empty()).then_some(Self {
            label,
            caption,
            head,
            columns: columns_with_text,
            rows,
            number: 0,
            series,
            sizes,
            baselines: Vec::new(),
        })
    }
}

/// An exact value as a JSON number; `None` if it is infinite.
struct Exact(Option<Number>);

impl From<u64> for Exact {
    fn from(value: u64) -> Self {
        Self(Some(value.into()))
    }
}

impl From<usize> for Exact {
    fn from(value: usize) -> Self {
        Self(Some(value.into()))
    }
}

impl From<f64> for Exact {
    fn from(value: f64) -> Self {
        Self(Number::from_f64(value))
    }
}

impl PageCell {
    /// A cell that is aligned to the right, for a number.
    fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Adds the exact value.
    fn with_value(self, value: impl Into<Exact>) -> Self {
        Self { value: value.into().0, ..self }
    }

    /// A cell that is aligned to the left, for text.
    fn of_text(text: impl Into<String>) -> Self {
        Self { class: "text", ..Self::of(text) }
    }

    /// Adds small print, if there is any.
    fn with_small_print(self, small: impl IntoIterator<Item = String>) -> Self {
        let small_print = small.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ");
        Self { small_print: Some(small_print).filter(|small_print| !small_print.is_empty()), ..self }
    }

    /// A cell that is aligned to the left, with text that may be broken into lines.
    fn wrapped_text(text: impl Into<String>) -> Self {
        Self { class: "text long", ..Self::of(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_without_any_text_is_omitted() {
        type Row = (&'static str, &'static str, &'static str);
        let table_of = |rows: &[Row]| {
            let columns: [PageColumn<'_, Row>; 3] = [
                (Words("Name"), &|row| PageCell::of_text(row.0)),
                (Values("Number"), &|row| PageCell::of(row.1)),
                (Words("Note"), &|row| PageCell::of(row.2)),
            ];
            PageTable::of(("T", "t"), &columns, rows.iter().copied(), (9, "t.csv"))
        };
        let table = table_of(&[("a", "", ""), ("b", "", "x")]).expect("rows");
        assert_eq!(table.head.iter().map(|head| &*head.name).collect::<Vec<_>>(), ["Name", "Note"]);
        assert_eq!(table.columns, [0, 2]);
        assert_eq!(table.rows[1].iter().map(|cell| &*cell.text).collect::<Vec<_>>(), ["b", "x"]);
        assert!(table_of(&[]).is_none());
    }
}
