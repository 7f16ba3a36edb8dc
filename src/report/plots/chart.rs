//! The shape that most plots share: values on a logarithmic axis against n, with a line per series.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::axis::{Axis, Frame};
use super::legend;
use super::style::{GREY, PAPER, SMALL, Style};
use super::svg::{Canvas, Paint, Point, Sheet, fill, stroke};
use super::{PAD, Picture, WIDTH};
use crate::report::Unit;

const PLOT_HEIGHT: f64 = 420.0;
/// Factor above a limit that leaves room for its label.
const LIMIT_ROOM: u64 = 2;

/// Markers closer than this fall together.
const TOGETHER: f64 = 5.0;

/// Hollow markers closer than this cannot be distinguished.
const CROWDED: f64 = 7.0;

/// A series: its values at each n, n ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// Its name, and lines that explain it.
    pub name: Vec<String>,
    /// Its look.
    pub style: Style,
    /// Whether its line is dashed.
    pub dashed: bool,
    /// The line and its markers.
    pub line: Vec<(usize, u64)>,
    /// Single observations.
    pub dots: Vec<(usize, u64)>,
    /// Low and high end of the spread around the line.
    pub band: Vec<(usize, u64, u64)>,
    /// Limits that were reached without an answer: hollow markers.
    pub limits: Vec<(usize, u64)>,
    /// A line that replaces the one from marker to marker.
    pub fit: Option<Vec<(usize, u64)>>,
}

impl Series {
    /// The points of the line before the first limit: what follows a timeout is the faster runs only.
    fn before_limit(&self) -> &[(usize, u64)] {
        let limit = self.limits.first().map_or(usize::MAX, |&(n, _)| n);
        &self.line[..self.line.iter().take_while(|&&(n, _)| n < limit).count()]
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
    pub across: &'static str,
    /// What the horizontal axis counts, in a word.
    pub at: &'static str,
    /// Name of the vertical axis.
    pub axis: &'static str,
    /// Unit of the vertical axis.
    pub unit: Unit,
    /// The series.
    pub series: Vec<Series>,
    /// Remarks below the picture.
    pub notes: Vec<String>,
    /// The text that replaces an empty picture.
    pub empty: &'static str,
}

impl Chart {
    /// The chart as a picture.
    pub fn picture(&self) -> Picture {
        let key = self.series.iter().map(|series| (series.name.join(", "), legend::swatch(series)));
        Picture { svg: self.svg(), is_empty: self.places().next().is_none(), key: key.collect() }
    }

    /// The numbers on the horizontal axis that have values.
    fn numbers(&self) -> Vec<usize> {
        let of = |series: &Series| {
            let Series { line, limits, dots, band, .. } = series;
            let points = line.iter().chain(limits).chain(dots).map(|&(n, _)| n);
            points.chain(band.iter().map(|&(n, ..)| n)).collect::<BTreeSet<usize>>()
        };
        self.series.iter().flat_map(of).collect::<BTreeSet<usize>>().into_iter().collect()
    }

    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let numbers = self.numbers();
        let plot = if numbers.is_empty() { Err(self.empty) } else { Ok(&numbers) };
        let plot = plot.map(|numbers| {
            move |canvas: &mut Canvas, top: f64, bottom: f64| {
                let up = Axis::of(self.places().map(|(_, value)| value), bottom - top, self.unit);
                let left = up.width();
                let across = Axis::numbers(numbers, WIDTH - PAD - legend::width(&self.series) - left);
                self.draw(canvas, &Frame { across, up, left, bottom }, numbers);
            }
        });
        let titles = (self.title.as_str(), self.subtitle.as_str());
        let height = PLOT_HEIGHT.max(legend::height(&self.series));
        let description = self.description();
        Sheet { id: self.id, titles, description, notes: &self.notes, height }.svg(plot)
    }

    /// Everything that has a position.
    fn places(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.series.iter().flat_map(|series| {
            let band = series.band.iter().flat_map(|&(n, from, to)| [(n, from), (n, to)]);
            let above = |&(n, limit): &(usize, u64)| [(n, limit), (n, limit.saturating_mul(LIMIT_ROOM))];
            let limits = series.limits.iter().flat_map(above);
            let fit = series.fit.iter().flatten();
            series.line.iter().chain(&series.dots).chain(fit).copied().chain(band).chain(limits)
        })
    }

    fn draw(&self, canvas: &mut Canvas, frame: &Frame, numbers: &[usize]) {
        frame.draw(canvas, self.across, self.axis);
        let at = |&(n, value): &(usize, u64)| frame.at(n as u64, value);
        for series in &self.series {
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
        for series in &self.series {
            let through = series.fit.as_deref().unwrap_or(series.before_limit());
            if through.len() > 1 {
                canvas.line(through.iter().map(at), &series.paint(1.8));
            }
        }
        for (series, places) in self.series.iter().zip(self.apart(frame, numbers)) {
            for place in places {
                series.style.marker(canvas, place, 3.8, true);
            }
        }
        self.limits(canvas, frame, numbers);
        self.names(canvas, frame);
    }

    /// The places of the markers of each series. Markers that would fall together are moved apart to both sides.
    fn apart(&self, frame: &Frame, numbers: &[usize]) -> Vec<Vec<Point>> {
        let mut places: Vec<Vec<Point>> = Vec::new();
        let mut at_number: BTreeMap<usize, Vec<(f64, usize, usize)>> = BTreeMap::new();
        for (rank, series) in self.series.iter().enumerate() {
            let own = series.line.iter().map(|&(n, value)| (n, frame.at(n as u64, value)));
            for (index, (n, place)) in own.clone().enumerate() {
                at_number.entry(n).or_default().push((place.1, rank, index));
            }
            places.push(own.map(|(_, place)| place).collect());
        }
        for (n, mut markers) in at_number {
            markers.sort_by(|a, b| a.0.total_cmp(&b.0));
            for close in markers.chunk_by(|a, b| b.0 - a.0 < TOGETHER) {
                let step = (0.7 * frame.across.room(n, numbers) / close.len() as f64).min(TOGETHER);
                for (index, &(_, rank, at)) in close.iter().enumerate() {
                    let place = &mut places[rank][at].0;
                    *place += (index as f64 - (close.len() - 1) as f64 / 2.0) * step;
                    *place = place.clamp(frame.left, frame.right());
                }
            }
        }
        places
    }

    /// A labelled line for each limit that was reached, and on it, side by side, the markers of the series that reached it;
    /// only their number if there is no room. Limits that are close share a label.
    fn limits(&self, canvas: &mut Canvas, frame: &Frame, numbers: &[usize]) {
        let mut at_place: BTreeMap<(usize, u64), Vec<&Series>> = BTreeMap::new();
        for series in &self.series {
            for &place in &series.limits {
                at_place.entry(place).or_default().push(series);
            }
        }
        let mut labels: Vec<(f64, String)> = Vec::new();
        for limit in at_place.keys().map(|&(_, limit)| limit).collect::<BTreeSet<u64>>() {
            let (_, y) = frame.at(0, limit);
            canvas.line([(frame.left, y), (frame.right(), y)], &stroke(GREY, 1.0).dashed(2.0, 4.0));
            let value = self.unit.show(limit);
            match labels.last_mut() {
                Some((below, label)) if *below - y < 16.0 => {
                    (*below, *label) = (y, format!("{label}, {value}"))
                }
                _ => labels.push((y, format!("timeout {value}"))),
            }
        }
        for (y, label) in labels {
            canvas.text(&label, (frame.left + 6.0, y - 13.0), "start", SMALL);
        }
        for (place, reached) in at_place {
            let apart = 0.9 * frame.across.room(place.0, numbers) / reached.len() as f64;
            let crowded = apart < CROWDED;
            let (middle, y) = frame.at(place.0 as u64, place.1);
            for (index, series) in reached.iter().enumerate() {
                let aside = (index as f64 - (reached.len() - 1) as f64 / 2.0) * apart.min(12.0);
                let x = if crowded { middle } else { middle + aside };
                if !crowded {
                    series.style.marker(canvas, (x, y), 4.2, false);
                }
            }
            if crowded {
                canvas.circle((middle, y), 9.0, &fill(PAPER).rimmed(GREY, 2.0));
                canvas.text(&reached.len().to_string(), (middle, y), "middle", SMALL);
            }
        }
    }

    fn names(&self, canvas: &mut Canvas, frame: &Frame) {
        let last_n = self.places().map(|(n, _)| n).max();
        let entries = self.series.iter().filter_map(|series| {
            let Series { line, limits, .. } = series;
            let &last = limits.last().max(line.last())?;
            let end = line.last().filter(|end| Some(end.0) == last_n && limits.last() < Some(end));
            let tie = series.before_limit().last().map(|&(n, value)| (n, Reverse(value)));
            let end = end.map(|&(n, value)| frame.at(n as u64, value));
            Some((frame.at(0, last.1).1, tie, series, end))
        });
        legend::draw(canvas, frame.right(), (frame.top(), frame.bottom), entries.collect());
    }

    /// The chart in words: the first and the last point of each line.
    fn description(&self) -> String {
        let mut words = vec![format!("{}.", self.subtitle)];
        if self.series.is_empty() {
            words.push(format!("{}.", self.empty));
        }
        for series in &self.series {
            let show = |(n, value): &(usize, u64)| format!("{} at {} = {n}", self.unit.show(*value), self.at);
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
    use super::*;
    use proptest::prelude::*;

    fn series(rank: usize, line: &[(usize, u64)], limits: &[(usize, u64)]) -> Series {
        Series {
            name: vec![format!("family/variant-{rank}")],
            style: Style(rank),
            dashed: rank % 3 == 1,
            line: line.to_vec(),
            dots: line.to_vec(),
            band: line.iter().map(|&(n, value)| (n, value / 2, value)).collect(),
            limits: limits.to_vec(),
            fit: None,
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
            empty: "nothing",
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
    fn a_chart_of_nothing_says_so() {
        let svg = svg(Vec::new());
        assert!(svg.contains(">nothing</text>"), "{svg}");
        assert!(svg.contains("<desc id=\"x-desc\">") && svg.contains("nothing. a note</desc>"), "{svg}");
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
        // A lucky run at n = 6 does not make the slow one fast.
        let slow = series(0, &[(4, 1000), (5, 90_000), (6, 5)], &limit);
        let fast = series(1, &[(4, 1000), (5, 30_000)], &limit);
        let svg = svg(vec![fast, slow]);
        let at = |name: &str| svg.find(&format!(">{name}<")).expect("named");
        assert!(at("family/variant-0") < at("family/variant-1"));
    }

    #[test]
    fn a_line_ends_before_the_first_limit_and_marks_that_fall_together_are_moved_apart() {
        let torn = series(0, &[(4, 1000), (5, 2000), (6, 3000), (8, 9000)], &[(7, 10_000_000)]);
        assert_eq!(torn.before_limit(), [(4, 1000), (5, 2000), (6, 3000)]);
        let places = |chart: &Chart| {
            let up = Axis::log(chart.places().map(|(_, value)| value), 400.0, Unit::Time);
            let frame = Frame { across: Axis::numbers(&[4, 5, 6], 600.0), up, left: 50.0, bottom: 450.0 };
            (chart.apart(&frame, &[4, 5, 6]), frame.at(5, 2000))
        };
        let same = [(4, 1000), (5, 2000), (6, 300_000)];
        let other = [(4, 900_000), (5, 2000), (6, 3)];
        let chart = Chart { series: vec![series(0, &same, &[]), series(1, &other, &[])], ..Chart::default() };
        let (apart, at) = places(&chart);
        let (left, right) = (apart[0][1], apart[1][1]);
        assert!((right.0 - left.0 - TOGETHER).abs() < 1e-9 && left.1 == right.1, "{left:?} {right:?}");
        assert!((f64::midpoint(left.0, right.0) - at.0).abs() < 1e-9);
        assert!(apart[0][0].0 == apart[1][0].0, "distant markers stay where they are");
    }

    #[test]
    fn where_markers_would_hide_each_other_their_number_stands() {
        let limit = [(6, 10_000_000_000)];
        let many = (0..40).map(|rank| series(rank, &[(4, 1000), (5, 2000), (15, 3000)], &limit));
        let svg = svg(many.collect());
        assert!(svg.contains(">40</text>"));
    }

    proptest! {
        #[test]
        fn whatever_the_data_all_is_drawn_on_the_sheet(
            all in prop::collection::vec(
                (prop::collection::btree_map(0..40_usize, 0..u64::MAX, 0..8), prop::collection::btree_map(0..40_usize, 0..u64::MAX, 0..3)),
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
