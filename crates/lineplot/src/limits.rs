//! The limits that observations reached, as labelled lines with markers.

use std::collections::BTreeMap;

use crate::chart::Chart;
use crate::curve::{Curve, OrderedNumber, ascending};
use crate::frame::Frame;
use crate::style::{GREY, SMALL};
use crate::svg::{self, Canvas, stroke};

/// The factor by which an axis exceeds a limit, to leave room for the label of the limit.
pub const LIMIT_ROOM: f64 = 2.0;

/// The limits that observations reached. Each limit is a line, on which the markers of the series that reached it stand side by side.
/// Limits that are close to each other share a label.
pub struct Limits {
    /// The y values of the lines.
    pub lines: Vec<f64>,
    /// The labels, each with the limit above which it is drawn.
    pub labels: Vec<(f64, String)>,
    /// The markers: index of the series, x value, limit, and offset to the right in pixels.
    pub marks: Vec<(usize, f64, f64, f64)>,
}

impl Limits {
    /// Collects the limits of all series. `x_values` are the distinct x values of the chart, in ascending order.
    pub fn new(chart: &Chart, curves: &[Curve], x_values: &[f64], frame: &Frame<'_>) -> Self {
        let mut series_by_position: BTreeMap<(OrderedNumber, OrderedNumber), Vec<usize>> = BTreeMap::new();
        for (index, curve) in curves.iter().enumerate() {
            for &(x, limit) in &curve.series.limits {
                series_by_position.entry((OrderedNumber(limit), OrderedNumber(x))).or_default().push(index);
            }
        }
        let lines = ascending(series_by_position.keys().map(|(limit, _)| limit.0));
        let Chart { y, words, .. } = chart;
        let mut labels: Vec<(f64, String)> = Vec::new();
        for &limit in &lines {
            let value = y.unit.format(limit);
            match labels.last_mut() {
                Some((previous_limit, label))
                    if frame.height(*previous_limit) - frame.height(limit) < 16.0 =>
                {
                    (*previous_limit, *label) = (limit, format!("{label}, {value}"));
                }
                _ => labels.push((limit, format!("{} {value}", words.limit))),
            }
        }
        let mut marks = Vec::new();
        for ((OrderedNumber(limit), OrderedNumber(x)), series_indices) in series_by_position {
            let spacing =
                (0.9 * frame.x_axis.distance_to_nearest(x, x_values) / series_indices.len() as f64).min(12.0);
            for (index, &series) in series_indices.iter().enumerate() {
                let offset = (index as f64 - (series_indices.len() - 1) as f64 / 2.0) * spacing;
                marks.push((series, x, limit, offset));
            }
        }
        Self { lines, labels, marks }
    }

    /// Draws the lines, their labels, and the markers.
    pub fn draw(&self, canvas: &mut Canvas, frame: &Frame<'_>, curves: &[Curve]) {
        for &limit in &self.lines {
            let y = frame.height(limit);
            canvas.group(&[("class", "limit")], |canvas| {
                canvas.line([(frame.left, y), (frame.right(), y)], &stroke(GREY, 1.0).dashed(2.0, 4.0));
            });
        }
        for (limit, label) in &self.labels {
            let label = svg::cut(label, SMALL, frame.right() - frame.left - 6.0);
            canvas.group(&[("class", "limit-label")], |canvas| {
                canvas.text(&label, (frame.left + 6.0, frame.height(*limit) - 13.0), "start", SMALL);
            });
        }
        for &(series, x, limit, offset) in &self.marks {
            let Curve { series, id, .. } = &curves[series];
            let (center, y) = frame.position((x, limit));
            canvas.group(&[("class", "limit-mark"), ("data-s", id)], |canvas| {
                canvas.marker(series.style, (center + offset, y), 4.2, false);
            });
        }
    }
}
