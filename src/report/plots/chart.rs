//! The shape that most plots share: values on a logarithmic axis against n, with a line per series.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::axis::{LogAxis, integer_ticks};
use super::legend;
use super::style::{FAINT, GREY, LABEL, PAPER, SMALL, Style, TITLE};
use super::svg::{self, Canvas, Caption, Point, fill, stroke, wrap};
use super::{PAD, Unit, WIDTH};

const PLOT_HEIGHT: f64 = 420.0;
/// Factor above a limit that leaves room for its label.
const LIMIT_ROOM: u64 = 2;

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
    /// The last point of the line before the first limit: later medians are of the lucky runs only.
    fn before_limits(&self) -> Option<(usize, u64)> {
        let first = self.limits.first().map_or(usize::MAX, |&(n, _)| n);
        self.line.iter().copied().take_while(|&(n, _)| n < first).last()
    }
}

/// A chart.
#[derive(Clone, Debug)]
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

/// The positions of n and of values on the canvas.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    low: f64,
    high: f64,
    axis: LogAxis,
}

impl Frame {
    fn y(&self, value: u64) -> f64 {
        self.bottom - self.axis.up(value)
    }

    fn at(&self, (n, value): (usize, u64)) -> Point {
        (self.left + (n as f64 - self.low) * self.column(), self.y(value))
    }

    /// Width of one n.
    fn column(&self) -> f64 {
        (self.right - self.left) / (self.high - self.low)
    }
}

/// Draws a picture: title and subtitle, a plot of this height between a top and a bottom, and notes. Without a plot, a
/// text takes its place.
pub fn sheet<F: FnOnce(&mut Canvas, f64, f64)>(
    caption: &Caption<'_>,
    subtitle: &str,
    notes: &[String],
    plot_height: f64,
    plot: Result<F, &str>,
) -> String {
    let lines = |text: &str, font, most| wrap(text, font, WIDTH - 2.0 * PAD, most);
    let (title, subtitle) = (lines(caption.title, TITLE, 3), lines(subtitle, SMALL, 3));
    let notes: Vec<String> = notes.iter().flat_map(|note| lines(note, SMALL, 4)).collect();
    let below_title = PAD + 22.0 * title.len() as f64;
    let head = below_title + 16.0 * subtitle.len() as f64;
    let (top, bottom) = (head + 28.0, head + 28.0 + plot_height);
    let height = bottom + 62.0 + 16.0 * notes.len() as f64;
    svg::picture((WIDTH, height), caption, |canvas| {
        for (lines, y, step, font) in [
            (title, PAD + 4.0, 22.0, TITLE),
            (subtitle, below_title, 16.0, SMALL),
            (notes, bottom + 58.0, 16.0, SMALL),
        ] {
            for (index, line) in lines.iter().enumerate() {
                canvas.text(line, (PAD, y + index as f64 * step), "start", font);
            }
        }
        match plot {
            Ok(draw) => draw(canvas, top, bottom),
            Err(empty) => {
                canvas.rectangle((PAD, head + 10.0), (WIDTH - PAD, bottom), &fill(FAINT));
                let middle = (WIDTH / 2.0, f64::midpoint(head, bottom));
                canvas.text(empty, middle, "middle", super::style::Font { color: GREY, ..TITLE });
            }
        }
    })
}

impl Chart {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let description = self.description();
        let caption = Caption { id: self.id, title: &self.title, description: &description };
        let height = PLOT_HEIGHT.max(legend::height(&self.series));
        let sizes: BTreeSet<usize> = self.places().map(|(n, _)| n).collect();
        let plot = sizes.first().zip(sizes.last()).ok_or(self.empty);
        let plot = plot.map(|(&first, &last)| {
            move |canvas: &mut Canvas, top: f64, bottom: f64| {
                let beside = if last > first { (0.035 * (last - first) as f64).max(0.35) } else { 0.5 };
                let axis = LogAxis::of(self.places().map(|(_, value)| value), bottom - top, self.unit);
                let (left, right) = (axis.left(), WIDTH - PAD - legend::width(&self.series));
                let (low, high) = (first as f64 - beside, last as f64 + beside);
                self.draw(canvas, &Frame { left, right, top, bottom, low, high, axis });
            }
        });
        sheet(&caption, &self.subtitle, &self.notes, height, plot)
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

    fn draw(&self, canvas: &mut Canvas, frame: &Frame) {
        let &Frame { left, right, bottom, .. } = frame;
        frame.axis.draw(canvas, self.axis, (left, right, bottom));
        canvas.line([(left, bottom), (right, bottom)], &stroke(GREY, 1.0));
        for n in integer_ticks(frame.low.ceil() as usize, frame.high.floor() as usize) {
            let (x, _) = frame.at((n, 1));
            canvas.line([(x, bottom), (x, bottom + 5.0)], &stroke(GREY, 1.0));
            canvas.text(&n.to_string(), (x, bottom + 15.0), "middle", LABEL);
        }
        canvas.text(self.across, (f64::midpoint(left, right), bottom + 35.0), "middle", LABEL);
        for series in &self.series {
            let upper = series.band.iter().map(|&(n, _, to)| frame.at((n, to)));
            let lower = series.band.iter().rev().map(|&(n, from, _)| frame.at((n, from)));
            if !series.band.is_empty() {
                canvas.polygon(upper.chain(lower), &fill(series.style.color()).faded(0.18));
            }
            let paint = fill(series.style.color()).faded(0.45);
            for &dot in &series.dots {
                canvas.circle(frame.at(dot), 1.8, &paint);
            }
        }
        for series in &self.series {
            let through = series.fit.as_ref().unwrap_or(&series.line);
            let paint = stroke(series.style.color(), 1.8);
            let paint = if series.dashed { paint.dashed(5.0, 5.0) } else { paint };
            if through.len() > 1 {
                canvas.line(through.iter().map(|&place| frame.at(place)), &paint);
            }
        }
        for series in &self.series {
            for &place in &series.line {
                series.style.marker(canvas, frame.at(place), 3.8, true);
            }
        }
        self.limits(canvas, frame);
        self.hollow(canvas, frame);
        self.names(canvas, frame);
    }

    /// A labelled line for each limit that was reached; limits that are close share a label.
    fn limits(&self, canvas: &mut Canvas, frame: &Frame) {
        let all: BTreeSet<u64> =
            self.series.iter().flat_map(|series| series.limits.iter().map(|&(_, limit)| limit)).collect();
        let mut labels: Vec<(f64, String)> = Vec::new();
        for limit in all {
            let y = frame.y(limit);
            canvas.line([(frame.left, y), (frame.right, y)], &stroke(GREY, 1.0).dashed(2.0, 4.0));
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
    }

    /// At each limit, side by side, the markers of the series that reached it; only their number if there is no room.
    fn hollow(&self, canvas: &mut Canvas, frame: &Frame) {
        let mut at_place: BTreeMap<(usize, u64), Vec<&Series>> = BTreeMap::new();
        for series in &self.series {
            for &place in &series.limits {
                at_place.entry(place).or_default().push(series);
            }
        }
        for (place, reached) in at_place {
            let apart = 0.9 * frame.column() / reached.len() as f64;
            let crowded = apart < CROWDED;
            let (middle, y) = frame.at(place);
            for (index, series) in reached.iter().enumerate() {
                let aside = (index as f64 - (reached.len() - 1) as f64 / 2.0) * apart.min(12.0);
                let x = if crowded { middle } else { middle + aside };
                let first = series.limits.first() == Some(&place);
                if let Some(&last) = series.line.last().filter(|last| first && last.0 < place.0) {
                    let paint = stroke(series.style.color(), 1.2).dashed(1.0, 4.0);
                    canvas.line([frame.at(last), (x, y)], &paint);
                }
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
            let &last = series.limits.last().max(series.line.last())?;
            let reaches =
                series.line.last().filter(|end| Some(end.0) == last_n && series.limits.last() < Some(end));
            Some(legend::Entry {
                series,
                y: frame.y(last.1),
                tie: series.before_limits().map(|(n, value)| (n, Reverse(value))),
                end: reaches.map(|&end| frame.at(end)),
            })
        });
        legend::draw(canvas, frame.right, (frame.top, frame.bottom), entries.collect());
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
            across: "n",
            at: "n",
            axis: "time",
            unit: Unit::Time,
            series,
            notes: vec!["a note".to_owned()],
            empty: "nothing",
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
