//! The shape of all plots: values against n or another quantity, with a line per series. More series than
//! [`MOST_TOGETHER`] would hide each other: each gets a small picture of its own, all with the same axes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::slice::from_ref;

use super::axis::{Axis, Frame};
use super::style::{Font, GREY, LABEL, SMALL, Style};
use super::svg::{Canvas, Paint, Sheet, fill, stroke, text_width, wrap};
use super::{PAD, WIDTH};
use crate::report::Unit;

/// The largest number of series in one picture.
const MOST_TOGETHER: usize = 8;

/// The height of a plot, and that of a small one, with the space below it for its axis.
const PLOT_HEIGHT: f64 = 420.0;
const SMALL_HEIGHT: f64 = 130.0;
const BELOW: f64 = 42.0;

/// Small pictures side by side, and their width.
const COLUMNS: usize = 3;
const STEP: f64 = (WIDTH - PAD) / COLUMNS as f64;

/// Factor above a limit that leaves room for its label.
const LIMIT_ROOM: u64 = 2;

/// The largest number of markers on a line; a longer one has a marker at every second, third, ... point.
const MOST_MARKERS: usize = 60;

/// Width of a piece of a line before a name.
const SWATCH: f64 = 28.0;

/// Names: the space between them and the plot, the largest width, the height of a line, the most lines.
const GAP: f64 = 16.0;
const WIDEST_NAME: f64 = 280.0;
const LINE: f64 = 15.0;
const MOST_LINES: usize = 8;

/// A series: values against n or another quantity, which ascends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// Its name, and lines that explain it.
    pub name: Vec<String>,
    /// Its look.
    pub style: Style,
    /// The line and its markers.
    pub line: Vec<(u64, u64)>,
    /// Single observations.
    pub dots: Vec<(u64, u64)>,
    /// Low and high end of the spread around the line.
    pub band: Vec<(u64, u64, u64)>,
    /// Limits that were reached without an answer: hollow markers.
    pub limits: Vec<(u64, u64)>,
    /// Where its markers are outlines.
    pub hollow_at: Vec<u64>,
}

impl Series {
    /// The look of its line.
    fn paint(&self) -> Paint {
        stroke(self.style.color(), 1.8)
    }

    /// The lines of its name: the first part in black, explanations smaller in grey.
    fn lines(&self, width: f64) -> Vec<(String, Font)> {
        let fonts = std::iter::once(LABEL).chain(std::iter::repeat(SMALL));
        let parts = self.name.iter().zip(fonts);
        let broken = |(part, font): (&String, Font)| {
            wrap(part, font, width, MOST_LINES).into_iter().map(move |line| (line, font))
        };
        parts.flat_map(broken).collect()
    }

    /// Draws a piece of its line with a marker, and its name. Returns the height of the name.
    fn draw_name(&self, canvas: &mut Canvas, (left, top): (f64, f64), width: f64) -> f64 {
        canvas.line([(left, top), (left + SWATCH - 8.0, top)], &self.paint());
        self.style.marker(canvas, (left + SWATCH / 2.0 - 4.0, top), 4.0, true);
        let lines = self.lines(width);
        for (index, (line, font)) in lines.iter().enumerate() {
            canvas.text(line, (left + SWATCH, top + index as f64 * LINE), "start", *font);
        }
        lines.len() as f64 * LINE
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

    /// The numbers on the horizontal axis that have values.
    fn numbers(&self) -> Vec<u64> {
        let numbers: BTreeSet<u64> = self.places().map(|(n, _)| n).collect();
        numbers.into_iter().collect()
    }

    /// Everything that has a position.
    fn places(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.series.iter().flat_map(|series| {
            let band = series.band.iter().flat_map(|&(n, from, to)| [(n, from), (n, to)]);
            let above = |&(n, limit): &(u64, u64)| [(n, limit), (n, limit.saturating_mul(LIMIT_ROOM))];
            let limits = series.limits.iter().flat_map(above);
            series.line.iter().chain(&series.dots).copied().chain(band).chain(limits)
        })
    }

    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let is_apart = self.series.len() > MOST_TOGETHER;
        let height = if is_apart { self.height_apart() } else { PLOT_HEIGHT.max(self.height_of_names()) };
        let titles = (self.title.as_str(), self.subtitle.as_str());
        let sheet =
            Sheet { id: self.id, titles, description: self.description(), notes: &self.notes, height };
        sheet.svg(|canvas, top, bottom| match is_apart {
            true => self.draw_apart(canvas, top),
            false => self.draw_together(canvas, top, bottom),
        })
    }

    fn draw_together(&self, canvas: &mut Canvas, top: f64, bottom: f64) {
        let lines = self.series.iter().flat_map(|series| series.lines(WIDEST_NAME));
        let names = lines.map(|(line, font)| text_width(&line, font)).fold(0.0, f64::max);
        let up = self.up(bottom - top);
        let left = up.width();
        let across = self.across(WIDTH - PAD - GAP - SWATCH - names - left);
        let frame = Frame { across, up, left, bottom };
        frame.draw(canvas, &self.across, &self.axis);
        self.draw(canvas, &frame, &self.series);
        // In the order in which the lines end, from the top; of two that reached the limit, the slower one first.
        let mut named: Vec<&Series> = self.series.iter().collect();
        let last = |place: Option<&(u64, u64)>| place.map(|&(_, value)| value);
        let end = |series: &Series| last(series.limits.last().max(series.line.last()));
        named.sort_by_key(|series| Reverse((end(series), last(series.line.last()))));
        let mut y = top + LINE / 2.0;
        for series in named {
            y += series.draw_name(canvas, (frame.right() + GAP, y), WIDEST_NAME);
        }
    }

    fn height_of_names(&self) -> f64 {
        self.series.iter().map(|series| series.lines(WIDEST_NAME).len() as f64 * LINE).sum()
    }

    /// The small pictures that are side by side, with their height.
    fn rows(&self) -> impl Iterator<Item = (&[Series], f64)> {
        self.series.chunks(COLUMNS).map(|row| {
            let lines = row.iter().map(|series| series.lines(STEP - SWATCH - 3.0 * PAD).len()).max();
            (row, lines.unwrap_or(0) as f64 * LINE + SMALL_HEIGHT + BELOW)
        })
    }

    fn height_apart(&self) -> f64 {
        self.rows().map(|(_, height)| height).sum()
    }

    /// Draws each series in a picture of its own.
    fn draw_apart(&self, canvas: &mut Canvas, mut top: f64) {
        canvas.text(&format!("{} against {}", self.axis, self.across), (PAD, top - 22.0), "start", LABEL);
        let up = self.up(SMALL_HEIGHT);
        let across = self.across(STEP - up.width());
        for (row, height) in self.rows() {
            for (column, series) in row.iter().enumerate() {
                let left = column as f64 * STEP + up.width();
                let frame = Frame { across, up, left, bottom: top + height - BELOW };
                series.draw_name(canvas, (left, top), STEP - SWATCH - 3.0 * PAD);
                frame.draw(canvas, "", "");
                self.draw(canvas, &frame, from_ref(series));
            }
            top += height;
        }
    }

    /// The vertical axis.
    fn up(&self, pixels: f64) -> Axis {
        let values = self.places().map(|(_, value)| value);
        match self.across_unit {
            Some(_) => Axis::log(values, pixels, self.unit),
            None => Axis::of(values, pixels, self.unit),
        }
    }

    /// The horizontal axis.
    fn across(&self, pixels: f64) -> Axis {
        match self.across_unit {
            Some(unit) => Axis::log(self.numbers().into_iter(), pixels, unit),
            None => Axis::numbers(&self.numbers(), pixels),
        }
    }

    /// Draws some of the series.
    fn draw(&self, canvas: &mut Canvas, frame: &Frame, all: &[Series]) {
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
        for series in all.iter().filter(|series| series.line.len() > 1) {
            canvas.line(series.line.iter().map(at), &series.paint());
        }
        for series in all {
            let every = series.line.len().div_ceil(MOST_MARKERS).max(1);
            for point in series.line.iter().step_by(every) {
                series.style.marker(canvas, at(point), 3.8, !series.hollow_at.contains(&point.0));
            }
        }
        self.draw_limits(canvas, frame, all);
    }

    /// A labelled line for each limit that was reached, and on it, side by side, the markers of the series that reached it.
    /// Limits that are close share a label.
    fn draw_limits(&self, canvas: &mut Canvas, frame: &Frame, all: &[Series]) {
        let mut at_place: BTreeMap<(u64, u64), Vec<&Series>> = BTreeMap::new();
        for series in all {
            for &(n, limit) in &series.limits {
                at_place.entry((limit, n)).or_default().push(series);
            }
        }
        let mut labels: Vec<(f64, String)> = Vec::new();
        for limit in at_place.keys().map(|&(limit, _)| limit).collect::<BTreeSet<u64>>() {
            let (_, y) = frame.at(0, limit);
            canvas.line([(frame.left, y), (frame.right(), y)], &stroke(GREY, 1.0).dashed(2.0, 4.0));
            let value = self.unit.show(limit);
            match labels.last_mut() {
                Some((below, label)) if *below - y < 16.0 => {
                    (*below, *label) = (y, format!("{label}, {value}"));
                }
                _ => labels.push((y, format!("timeout {value}"))),
            }
        }
        for (y, label) in labels {
            canvas.text(&label, (frame.left + 6.0, y - 13.0), "start", SMALL);
        }
        let numbers = self.numbers();
        for ((limit, n), reached) in at_place {
            let (middle, y) = frame.at(n, limit);
            let apart = (0.9 * frame.across.room(n, &numbers) / reached.len() as f64).min(12.0);
            for (index, series) in reached.iter().enumerate() {
                let aside = (index as f64 - (reached.len() - 1) as f64 / 2.0) * apart;
                series.style.marker(canvas, (middle + aside, y), 4.2, false);
            }
        }
    }

    /// The chart in words: the first and the last point of each line.
    fn description(&self) -> String {
        let mut words = vec![format!("{}.", self.subtitle)];
        let number = |n: u64| self.across_unit.map_or_else(|| n.to_string(), |unit| unit.show(n));
        let show =
            |&(n, value): &(u64, u64)| format!("{} at {} = {}", self.unit.show(value), self.at, number(n));
        for series in &self.series {
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
    fn more_than_eight_series_have_pictures_of_their_own_with_the_same_axes() {
        let svg =
            |count| svg((0..count).map(|rank| series(rank, &[(4, 1000), (5, 1_000_000)], &[])).collect());
        let ticks = |count| svg(count).matches(">1 ms</text>").count();
        assert_eq!((ticks(8), ticks(9)), (1, 9));
        assert!((0..9).all(|rank| svg(9).contains(&format!(">family/variant-{rank}</text>"))));
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
