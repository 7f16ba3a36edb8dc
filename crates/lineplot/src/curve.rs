//! A series in a drawing: its id, its paint, its line, markers, swatch and exact values.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::chart::{Chart, Scale, Series, Words};
use crate::frame::Frame;
use crate::island::SeriesValues;
use crate::style::{FAULT, Font, GREY, LABEL, SMALL};
use crate::svg::{Canvas, Paint, fill, stroke, wrap};

/// The maximum number of markers on a line. A longer line has markers at every second, third, ... point.
const MAX_MARKERS: usize = 60;

/// The width of the swatch before a name, in pixels. A swatch is a short line with a marker.
pub const SWATCH_WIDTH: f64 = 28.0;

/// The height of a line of a name, in pixels.
pub const LINE_HEIGHT: f64 = 15.0;
/// The space below a name, in pixels.
const NAME_GAP: f64 = 3.0;

/// The maximum width of a name, in pixels.
const MAX_NAME_WIDTH: f64 = 280.0;
/// The maximum number of lines of a name.
pub const MAX_NAME_LINES: usize = 8;

/// A series in the key of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// The id of the series in the picture and in its island; `others` for all grey series together.
    pub id: String,
    /// The name of the series.
    pub name: String,
    /// A short line with a marker in the style of the series, as SVG.
    pub swatch: String,
}

/// A floating-point number with a total order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderedNumber(pub f64);

impl Eq for OrderedNumber {}

impl PartialOrd for OrderedNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The distinct values, in ascending order.
pub fn ascending(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: BTreeSet<OrderedNumber> = values.map(OrderedNumber).collect();
    values.into_iter().map(|OrderedNumber(value)| value).collect()
}

/// A series in a drawing.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    pub series: Series,
    /// The id of the series in the picture. Series with the same name share an id.
    pub id: String,
    /// Whether the series is drawn thin and grey, because there are many series.
    pub is_grey: bool,
}

impl Curve {
    /// The name with its explanations, on one line.
    pub fn name(&self) -> String {
        self.series.name.join(", ")
    }

    /// The colour, width and opacity of the line.
    fn paint(&self) -> Paint {
        match self.is_grey {
            true => stroke(GREY, 1.0).faded(0.45),
            false => stroke(self.series.style.color(), 1.8),
        }
    }

    /// The lines of the name: the first part in black, and explanations in smaller, grey text.
    pub fn name_lines(&self) -> Vec<(String, Font)> {
        let fonts = std::iter::once(if self.is_grey { SMALL } else { LABEL }).chain(std::iter::repeat(SMALL));
        let parts = self.series.name.iter().zip(fonts);
        let wrapped = |(part, font): (&String, Font)| {
            wrap(part, font, MAX_NAME_WIDTH, MAX_NAME_LINES).into_iter().map(move |line| (line, font))
        };
        parts.flat_map(wrapped).collect()
    }

    /// The uninterrupted segments of the line.
    pub fn segments(&self) -> impl Iterator<Item = &[(f64, f64)]> {
        self.series.segments()
    }

    /// The point at which the series ends: the last point of the line or the last limit, whichever has the larger x value. Without both, it
    /// is the last rejected observation or else the last observation without a result.
    pub fn end(&self) -> Option<(f64, f64)> {
        let position = |&&(x, y): &&(f64, f64)| (OrderedNumber(x), OrderedNumber(y));
        let Series { line, limits, rejected, unanswered, .. } = &self.series;
        let ends = line.last().into_iter().chain(limits.last());
        ends.max_by_key(position).or(rejected.last()).or(unanswered.last()).copied()
    }

    /// The height of the name, in pixels.
    pub fn name_height(&self) -> f64 {
        self.name_lines().len() as f64 * LINE_HEIGHT + NAME_GAP
    }

    /// The distance between points with markers: 1 if every point has a marker.
    fn marker_interval(&self) -> usize {
        self.series.line.len().div_ceil(MAX_MARKERS).max(1)
    }

    /// Whether the marker at an x value is outlined.
    fn is_hollow_at(&self, x: f64) -> bool {
        !self.is_grey && self.series.hollow_at.contains(&x)
    }

    /// Draws the swatch: a short line with a marker.
    pub fn draw_swatch(&self, canvas: &mut Canvas, (left, y): (f64, f64)) {
        canvas.line([(left, y), (left + SWATCH_WIDTH - 8.0, y)], &self.paint());
        if !self.is_grey {
            canvas.marker(self.series.style, (left + SWATCH_WIDTH / 2.0 - 4.0, y), 4.0, true);
        }
    }

    /// The entry of the series in the key of a picture.
    pub fn key_entry(&self) -> KeyEntry {
        let swatch = Canvas::small_svg((SWATCH_WIDTH, 12.0), |canvas| self.draw_swatch(canvas, (4.0, 6.0)));
        KeyEntry { id: self.id.clone(), name: self.name(), swatch }
    }

    /// The exact values of the series for the island.
    pub fn values(&self, chart: &Chart) -> SeriesValues {
        let Series { line, labels, band, dots, interrupted_before, rejected, unanswered, .. } = &self.series;
        let breaks = (1..line.len()).filter(|&index| interrupted_before.contains(&line[index].0));
        let prefixed_labels = |word: &str, points: &[(f64, f64)]| -> Vec<String> {
            points.iter().map(|&(_, y)| format!("{word}, {}", chart.y.unit.format(y))).collect()
        };
        let hollow_indices = (0..line.len()).filter(|&index| self.is_hollow_at(line[index].0));
        let value_labels = || line.iter().map(|&(_, y)| chart.y.unit.format(y)).collect();
        let x_labels = match chart.x.scale {
            Scale::Whole => Vec::new(),
            _ => line.iter().map(|&(x, _)| chart.x.unit.format(x)).collect(),
        };
        SeriesValues {
            id: self.id.clone(),
            name: self.name(),
            x: line.iter().map(|&(x, _)| x).collect(),
            y: line.iter().map(|&(_, y)| y).collect(),
            labels: if labels.is_empty() { value_labels() } else { labels.clone() },
            x_labels,
            band: band.clone(),
            dots: dots.clone(),
            breaks: breaks.collect(),
            rejected: rejected.clone(),
            rejected_labels: prefixed_labels(&chart.words.rejected, rejected),
            unanswered: unanswered.clone(),
            unanswered_labels: prefixed_labels(&chart.words.unanswered, unanswered),
            every: self.marker_interval(),
            hollow: hollow_indices.collect(),
        }
    }
}

/// Draws bands and single observations, then lines, then markers. The class of each group of shapes names their kind. A script finds the
/// values of the shapes in the [`Island`](crate::Island), in the same order.
pub fn draw_lines(canvas: &mut Canvas, frame: &Frame<'_>, curves: &[Curve]) {
    let position_of = |&point: &(f64, f64)| frame.position(point);
    for Curve { series, id, .. } in curves {
        if series.band.is_empty() && series.dots.is_empty() {
            continue;
        }
        let paint = fill(series.style.color()).faded(0.45);
        canvas.group(&[("class", "spread"), ("data-s", id)], |canvas| {
            for segment in series.band_segments() {
                let upper_edge = segment.iter().map(|&(x, _, to)| frame.position((x, to)));
                let lower_edge = segment.iter().rev().map(|&(x, from, _)| frame.position((x, from)));
                canvas.polygon(upper_edge.chain(lower_edge), &fill(series.style.color()).faded(0.18));
            }
            series.dots.iter().for_each(|dot| canvas.circle(position_of(dot), 1.8, &paint));
        });
    }
    for curve in curves {
        canvas.group(&[("class", "line"), ("data-s", &curve.id)], |canvas| {
            canvas.title(&curve.name());
            for segment in curve.segments() {
                canvas.line(segment.iter().map(position_of), &curve.paint());
            }
        });
    }
    for curve in curves {
        canvas.group(&[("class", "marks"), ("data-s", &curve.id)], |canvas| {
            for point in curve.series.line.iter().step_by(curve.marker_interval()) {
                match curve.is_grey {
                    true => canvas.circle(position_of(point), 1.4, &fill(GREY).faded(0.45)),
                    false => canvas.marker(
                        curve.series.style,
                        position_of(point),
                        3.8,
                        !curve.is_hollow_at(point.0),
                    ),
                }
            }
        });
    }
}

/// Draws a question mark at each observation without a result, and a cross at each rejected observation. The tooltips are
/// those of `words`.
pub fn draw_crosses_and_question_marks(
    canvas: &mut Canvas,
    frame: &Frame<'_>,
    curves: &[Curve],
    words: &Words,
) {
    for Curve { series, id, .. } in curves.iter().filter(|curve| !curve.series.unanswered.is_empty()) {
        canvas.group(&[("class", "unanswered"), ("data-s", id)], |canvas| {
            canvas.title(&words.unanswered);
            let font = Font { size: 17.0, color: series.style.color(), bold: true };
            series.unanswered.iter().for_each(|&point| canvas.letter('?', frame.position(point), font));
        });
    }
    for Curve { series, id, .. } in curves.iter().filter(|curve| !curve.series.rejected.is_empty()) {
        canvas.group(&[("class", "rejected"), ("data-s", id)], |canvas| {
            canvas.title(&words.rejected);
            series.rejected.iter().for_each(|&point| canvas.cross(frame.position(point), 6.5, FAULT));
        });
    }
}
