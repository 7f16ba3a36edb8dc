//! The shape that most plots share: values on a logarithmic axis against n or another quantity, with a line per series. More
//! series than [`MOST_TOGETHER`] would hide each other: each gets a small picture of its own.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::axis::{Axis, Frame};
use super::style::Style;
use super::svg::{Canvas, Paint, Sheet, fill, stroke};
use super::{PAD, Picture, WIDTH, legend, marks, panels};
use crate::report::Unit;

const PLOT_HEIGHT: f64 = 420.0;
/// Factor above a limit that leaves room for its label.
const LIMIT_ROOM: u64 = 2;

/// The largest number of series in one picture.
const MOST_TOGETHER: usize = 8;

/// A series: values against n or another quantity, which ascends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// Its name, and lines that explain it.
    pub name: Vec<String>,
    /// Its look.
    pub style: Style,
    /// Whether its line is dashed.
    pub dashed: bool,
    /// The line and its markers.
    pub line: Vec<(u64, u64)>,
    /// Single observations.
    pub dots: Vec<(u64, u64)>,
    /// Low and high end of the spread around the line.
    pub band: Vec<(u64, u64, u64)>,
    /// Limits that were reached without an answer: hollow markers.
    pub limits: Vec<(u64, u64)>,
    /// A line that replaces the one from marker to marker.
    pub fit: Option<Vec<(u64, u64)>>,
    /// Where its markers are outlines.
    pub hollow_at: Vec<u64>,
}

impl Series {
    /// The line from marker to marker, or the one that replaces it.
    pub fn through(&self) -> &[(u64, u64)] {
        self.fit.as_ref().unwrap_or(&self.line)
    }

    /// The look of its line.
    pub fn paint(&self, width: f64) -> Paint {
        let paint = stroke(self.style.color(), width);
        match (self.dashed, self.style.dash()) {
            (true, _) => paint.dashed(5.0, 5.0),
            (false, Some((dash, gap))) => paint.dashed(dash, gap),
            (false, None) => paint,
        }
    }
}

/// A chart.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Prefix of the ids inside the SVG.
    pub id: &'static str,
    /// The question.
    pub title: String,
    /// What is shown.
    pub subtitle: String,
    /// Name of the horizontal axis.
    pub across: String,
    /// What the horizontal axis counts, in a word.
    pub at: &'static str,
    /// Unit of the horizontal axis; whole numbers have none. With a unit, both axes are logarithmic.
    pub across_unit: Option<Unit>,
    /// Name of the vertical axis.
    pub axis: String,
    /// Unit of the vertical axis.
    pub unit: Unit,
    /// The series.
    pub series: Vec<Series>,
    /// Remarks below the picture.
    pub notes: Vec<String>,
}

impl Chart {
    /// Whether there is a line, a limit or an observation.
    pub fn shows_something(&self) -> bool {
        let shows =
            |series: &Series| series.line.len() > 1 || !series.dots.is_empty() || !series.limits.is_empty();
        self.series.iter().any(shows)
    }

    /// The chart as a picture.
    pub fn picture(&self) -> Picture {
        let key = self.series.iter().map(|series| (series.name.join(", "), legend::swatch(series)));
        let key = if self.is_apart() { Vec::new() } else { key.collect() };
        Picture { title: self.title.clone(), svg: self.svg(), key }
    }

    /// Whether each series has a small picture of its own, with its name above it.
    fn is_apart(&self) -> bool {
        self.series.len() > MOST_TOGETHER
    }

    /// The numbers on the horizontal axis that have values.
    fn numbers(&self) -> Vec<u64> {
        let of = |series: &Series| {
            let Series { line, limits, dots, band, .. } = series;
            let points = line.iter().chain(limits).chain(dots).map(|&(n, _)| n);
            points.chain(band.iter().map(|&(n, ..)| n)).collect::<BTreeSet<u64>>()
        };
        self.series.iter().flat_map(of).collect::<BTreeSet<u64>>().into_iter().collect()
    }

    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let numbers = self.numbers();
        let rows = panels::rows(&self.series);
        let height = match self.is_apart() {
            true => rows.iter().map(|row| row.height).sum(),
            false => PLOT_HEIGHT.max(legend::height(&self.series)),
        };
        let titles = (self.title.as_str(), self.subtitle.as_str());
        let sheet =
            Sheet { id: self.id, titles, description: self.description(), notes: &self.notes, height };
        sheet.svg(|canvas, top, bottom| {
            if self.is_apart() {
                return self.draw_panels(canvas, top, &rows, &numbers);
            }
            let up = self.up(bottom - top);
            let left = up.width();
            let across = self.across(&numbers, WIDTH - PAD - legend::width(&self.series) - left);
            let frame = Frame { across, up, left, bottom };
            frame.draw(canvas, &self.across, &self.axis);
            self.draw(canvas, &frame, &numbers, &self.series);
            self.names(canvas, &frame);
        })
    }

    /// The vertical axis.
    pub(super) fn up(&self, pixels: f64) -> Axis {
        let values = self.places().map(|(_, value)| value);
        match self.across_unit {
            Some(_) => Axis::log(values, pixels, self.unit),
            None => Axis::of(values, pixels, self.unit),
        }
    }

    /// The horizontal axis.
    pub(super) fn across(&self, numbers: &[u64], pixels: f64) -> Axis {
        match self.across_unit {
            Some(unit) => Axis::log(numbers.iter().copied(), pixels, unit),
            None => Axis::numbers(numbers, pixels),
        }
    }

    /// Everything that has a position.
    fn places(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.series.iter().flat_map(|series| {
            let band = series.band.iter().flat_map(|&(n, from, to)| [(n, from), (n, to)]);
            let above = |&(n, limit): &(u64, u64)| [(n, limit), (n, limit.saturating_mul(LIMIT_ROOM))];
            let limits = series.limits.iter().flat_map(above);
            let fit = series.fit.iter().flatten();
            series.line.iter().chain(&series.dots).chain(fit).copied().chain(band).chain(limits)
        })
    }

    /// Draws some of the series.
    pub(super) fn draw(&self, canvas: &mut Canvas, frame: &Frame, numbers: &[u64], all: &[Series]) {
        let at = |&(n, value): &(u64, u64)| frame.at(n, value);
        for series in all {
            let upper = series.band.iter().map(|&(n, _, to)| at(&(n, to)));
            let lower = series.band.iter().rev().map(|&(n, from, _)| at(&(n, from)));
            if !series.band.is_empty() {
                canvas.polygon(upper.chain(lower), &fill(series.style.color()).faded(0.18));
            }
            let paint = fill(series.style.color()).faded(0.45);
            for dot in &series.dots {
                canvas.circle(at(dot), 1.8, &paint);
            }
        }
        for series in all {
            if series.through().len() > 1 {
                canvas.line(series.through().iter().map(at), &series.paint(1.8));
            }
        }
        marks::draw(canvas, frame, numbers, all);
        marks::limits(canvas, frame, numbers, all, self.unit);
    }

    fn names(&self, canvas: &mut Canvas, frame: &Frame) {
        let last_n = self.places().map(|(n, _)| n).max();
        let entries = self.series.iter().filter_map(|series| {
            let Series { line, limits, .. } = series;
            let beyond = limits.last().filter(|limit| line.last().is_none_or(|end| limit.0 > end.0));
            let &last = beyond.or(line.last())?;
            let end = line.last().filter(|end| Some(end.0) == last_n && beyond.is_none());
            let tie = line.last().map(|&(n, value)| (n, Reverse(value)));
            let end = end.map(|&(n, value)| frame.at(n, value));
            Some((frame.at(0, last.1).1, tie, series, end))
        });
        legend::draw(canvas, frame.right(), (frame.top(), frame.bottom), entries.collect());
    }

    /// The chart in words: the first and the last point of each line.
    fn description(&self) -> String {
        let mut words = vec![format!("{}.", self.subtitle)];
        for series in &self.series {
            let number = |n: u64| self.across_unit.map_or_else(|| n.to_string(), |unit| unit.show(n));
            let show = |&(n, value): &(u64, u64)| {
                format!("{} at {} = {}", self.unit.show(value), self.at, number(n))
            };
            let mut points: Vec<String> = series.line.first().map(show).into_iter().collect();
            points.extend(series.line.last().filter(|_| series.line.len() > 1).map(show));
            points.extend(series.limits.first().map(|(n, _)| format!("timeout at {} = {n}", self.at)));
            words.push(format!("{}: {}.", series.name.join(", "), points.join(", ")));
        }
        words.extend(self.notes.iter().cloned());
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::svg::Point;
    use super::*;
    use proptest::prelude::*;

    fn series(rank: usize, line: &[(u64, u64)], limits: &[(u64, u64)]) -> Series {
        Series {
            name: vec![format!("family/variant-{rank}")],
            style: Style(rank),
            dashed: rank % 3 == 1,
            line: line.to_vec(),
            dots: line.to_vec(),
            band: line.iter().map(|&(n, value)| (n, value / 2, value)).collect(),
            limits: limits.to_vec(),
            ..Series::default()
        }
    }

    fn svg(series: Vec<Series>) -> String {
        let chart = Chart {
            id: "x",
            title: "a question ".repeat(20),
            subtitle: "what is shown ".repeat(20),
            series,
            at: "n",
            notes: vec!["a note".to_owned()],
            ..Chart::default()
        };
        chart.svg()
    }

    /// Pairs of numbers that follow a text, up to a mark.
    fn pairs(svg: &str, begin: &str, end: char) -> Vec<Point> {
        let values = svg.split(begin).skip(1).filter_map(|rest| rest.split(end).next());
        let numbers =
            values.flat_map(|value| value.split([' ', ','])).filter_map(|number| number.parse().ok());
        numbers.collect::<Vec<f64>>().chunks(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// Whether the points of all shapes and the places of all texts lie on the sheet.
    fn is_on_the_sheet(svg: &str) -> bool {
        let (width, height) = pairs(svg, " viewBox=\"", '"')[1];
        let svg = svg.replace("\" y=\"", ",").replace("\" cy=\"", ",");
        let begins = [(" points=\"", '"'), ("\"translate(", ')'), (" x=\"", '"'), (" cx=\"", '"')];
        let points: Vec<Point> =
            begins.into_iter().flat_map(|(begin, end)| pairs(&svg, begin, end)).collect();
        let on_sheet = |(x, y): &Point| (0.0..=width).contains(x) && (0.0..=height).contains(y);
        points.len() > 4 && points.iter().all(on_sheet)
    }

    #[test]
    fn a_chart_names_its_series_and_its_limit() {
        let svg = svg(vec![series(0, &[(4, 1000), (5, 30_000)], &[(6, 10_000_000_000)])]);
        assert!(svg.contains(">family/variant-0</text>"));
        assert!(svg.contains(">timeout 10 s</text>"));
        assert!(svg.contains("family/variant-0: 1 µs at n = 4, 30 µs at n = 5, timeout at n = 6."), "{svg}");
    }

    #[test]
    fn the_slower_of_two_that_timed_out_is_named_first() {
        let limit = [(6, 10_000_000_000), (7, 10_000_000_000)];
        let slow = series(0, &[(4, 1000), (5, 90_000)], &limit);
        let fast = series(1, &[(4, 1000), (5, 30_000)], &limit);
        let svg = svg(vec![fast, slow]);
        let at = |name: &str| svg.find(&format!(">{name}<")).expect("named");
        assert!(at("family/variant-0") < at("family/variant-1"));
    }

    #[test]
    fn where_markers_would_hide_each_other_their_number_stands() {
        let limit = [(6, 10_000_000_000)];
        let many = (0..8).map(|rank| series(rank, &[(4, 1000), (5, 2000), (30, 3000)], &limit));
        let svg = svg(many.collect());
        assert!(svg.contains(">8</text>"));
    }

    proptest! {
        #[test]
        fn whatever_the_data_all_is_drawn_on_the_sheet(
            all in prop::collection::vec(
                (prop::collection::btree_map(0..40_u64, 0..u64::MAX, 0..8), prop::collection::btree_map(0..40_u64, 0..u64::MAX, 0..3)),
                0..45,
            ),
        ) {
            let series: Vec<Series> = all.into_iter().enumerate().map(|(rank, (line, limits))| {
                series(rank, &line.into_iter().collect::<Vec<_>>(), &limits.into_iter().collect::<Vec<_>>())
            }).collect();
            let svg = svg(series);
            prop_assert!(is_on_the_sheet(&svg), "{}", svg);
            prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
