//! The names of series, beside or below a plot.

use crate::curve::{Curve, LINE_HEIGHT, MAX_NAME_LINES, SWATCH_WIDTH};
use crate::frame::Frame;
use crate::style::LABEL;
use crate::svg::{Canvas, stroke, text_width, wrap};

/// The distance between the plot and the names beside it, in pixels.
const LEADER_WIDTH: f64 = 26.0;

/// The space between two names in a row below a plot, in pixels.
const NAME_SPACING: f64 = 12.0;

/// A name below a plot: its distance from the left edge of the plot in pixels, its series, and its lines.
pub struct Name<'n> {
    distance: f64,
    curve: &'n Curve,
    lines: Vec<String>,
}

/// The height of the names below a plot, in pixels.
pub fn height_of_rows(rows: &[Vec<Name<'_>>]) -> f64 {
    rows.iter().map(|row| row_height(row)).sum()
}

fn row_height(row: &[Name<'_>]) -> f64 {
    LINE_HEIGHT * row.iter().map(|name| name.lines.len()).max().unwrap_or(0) as f64
}

/// Draws names in rows below a plot, whose first line is centred at this position.
pub fn draw_rows(canvas: &mut Canvas, rows: &[Vec<Name<'_>>], (left, mut y): (f64, f64)) {
    for row in rows {
        for Name { distance, curve, lines } in row {
            curve.draw_swatch(canvas, (left + distance, y));
            for (index, line) in lines.iter().enumerate() {
                canvas.text(
                    line,
                    (left + distance + SWATCH_WIDTH, y + index as f64 * LINE_HEIGHT),
                    "start",
                    LABEL,
                );
            }
        }
        y += row_height(row);
    }
}

/// Arranges names side by side in rows. `max_width` is the maximum width of a row, in pixels.
pub fn rows(curves: &[Curve], max_width: f64) -> Vec<Vec<Name<'_>>> {
    let mut rows: Vec<Vec<Name<'_>>> = Vec::new();
    let mut next_left = f64::MAX;
    for curve in curves {
        let lines = wrap(&curve.name(), LABEL, max_width - SWATCH_WIDTH, MAX_NAME_LINES);
        let width = SWATCH_WIDTH + lines.iter().map(|line| text_width(line, LABEL)).fold(0.0, f64::max);
        if next_left + width > max_width {
            rows.push(Vec::new());
            next_left = 0.0;
        }
        rows.last_mut().expect("a row is pushed first").push(Name { distance: next_left, curve, lines });
        next_left += width + NAME_SPACING;
    }
    rows
}

/// The width of names beside a plot, in pixels.
pub fn width_beside(curves: &[Curve]) -> f64 {
    let lines = curves.iter().flat_map(Curve::name_lines);
    LEADER_WIDTH + SWATCH_WIDTH + lines.map(|(line, font)| text_width(&line, font)).fold(0.0, f64::max)
}

/// The position at which the leader lines of names beside a plot end, in pixels.
pub fn leader_end(frame: &Frame<'_>) -> f64 {
    frame.right() + LEADER_WIDTH - 4.0
}

/// Draws names to the right of a plot, as close as possible to the ends of their lines. Leader lines connect the names with the lines that
/// end at `last_x`, the largest x value. Returns the position of the first line of each name, from the top, in pixels.
pub fn draw_beside(
    canvas: &mut Canvas,
    frame: &Frame<'_>,
    curves: &[Curve],
    last_x: Option<f64>,
) -> Vec<f64> {
    let mut tops = Vec::new();
    let mut next_top = frame.top();
    for curve in curves {
        let ideal_top = curve.end().map_or(frame.bottom, |(_, value)| frame.height(value));
        tops.push(next_top.max(ideal_top - LINE_HEIGHT / 2.0));
        next_top = tops[tops.len() - 1] + curve.name_height();
    }
    let mut next_bottom = frame.bottom;
    for (top, curve) in tops.iter_mut().zip(curves).rev() {
        *top = top.min(next_bottom - curve.name_height());
        next_bottom = *top;
    }
    let left = frame.right() + LEADER_WIDTH;
    let centers: Vec<f64> = tops.into_iter().map(|top| top + LINE_HEIGHT / 2.0).collect();
    for (curve, &y) in curves.iter().zip(&centers) {
        let end = curve.series.line.last().filter(|(x, _)| Some(*x) == last_x && !curve.is_grey);
        if let Some(&end) = end {
            let end = frame.position(end);
            let leader = stroke(curve.series.style.color(), 0.8).faded(0.45);
            canvas.group(&[("class", "leader"), ("data-s", &curve.id)], |canvas| {
                canvas.line([end, (frame.right(), end.1), (leader_end(frame), y)], &leader);
            });
        }
        canvas.group(&[("class", "name"), ("data-s", &curve.id)], |canvas| {
            curve.draw_swatch(canvas, (left, y));
            for (index, (line, font)) in curve.name_lines().iter().enumerate() {
                canvas.text(line, (left + SWATCH_WIDTH, y + index as f64 * LINE_HEIGHT), "start", *font);
            }
        });
    }
    centers
}
