//! The frame of a chart: where n and values lie on the canvas, and the grid that says so.

use plotters::style::text_anchor::HPos;

use super::axis::{LogAxis, integer_ticks};
use super::canvas::{Canvas, Drawn, Point, text_width};
use super::style::{FAINT, GREY, GRID, LABEL};
use crate::report::Unit;

/// Width of a picture.
pub const WIDTH: f64 = 960.0;
/// What stays empty around it.
pub const PAD: f64 = 24.0;

/// Where values lie on the canvas.
pub struct Frame {
    unit: Unit,
    /// The left edge of the plot.
    pub left: f64,
    /// The right edge of the plot.
    pub right: f64,
    /// The top edge of the plot.
    pub top: f64,
    /// The bottom edge of the plot.
    pub bottom: f64,
    low: f64,
    high: f64,
    axis: LogAxis,
}

impl Frame {
    /// A frame for these places, between two heights, that leaves room for a legend; none without places.
    pub fn of(places: &[(usize, u64)], unit: Unit, (top, bottom): (f64, f64), legend: f64) -> Option<Self> {
        let low = places.iter().map(|&(n, _)| n).min()? as f64;
        let high = places.iter().map(|&(n, _)| n).max()? as f64;
        let beside = if high > low { (0.035 * (high - low)).max(0.35) } else { 0.5 };
        let axis = LogAxis::of(places.iter().map(|&(_, value)| value), bottom - top);
        let labels = axis.ticks().into_iter().filter(|tick| tick.labelled);
        let widest = labels.map(|tick| text_width(&unit.show(tick.value), LABEL)).fold(0.0, f64::max);
        let (left, right) = (PAD + widest + 8.0, WIDTH - PAD - legend);
        Some(Self { unit, left, right, top, bottom, low: low - beside, high: high + beside, axis })
    }

    /// Where an n lies.
    fn x(&self, n: usize) -> f64 {
        self.left + (n as f64 - self.low) / (self.high - self.low) * (self.right - self.left)
    }

    /// At which height a value lies.
    pub fn y(&self, value: u64) -> f64 {
        self.bottom - self.axis.up(value)
    }

    /// Where a value lies.
    pub fn at(&self, (n, value): (usize, u64)) -> Point {
        (self.x(n), self.y(value))
    }

    /// Width of one n.
    pub fn column(&self) -> f64 {
        (self.right - self.left) / (self.high - self.low)
    }

    /// Draws the grid, the ticks and the names of both axes.
    pub fn grid(&self, canvas: &Canvas<'_>, across: &str, vertical: &str) -> Drawn {
        let Self { left, right, top, bottom, .. } = *self;
        for tick in self.axis.ticks() {
            let y = self.y(tick.value);
            let color = if tick.power { GRID } else { FAINT };
            canvas.line(&[(left, y), (right, y)], &color, if tick.power { 1.0 } else { 0.7 })?;
            if tick.labelled {
                canvas.text(&self.unit.show(tick.value), (left - 8.0, y), HPos::Right, LABEL)?;
            }
        }
        canvas.line(&[(left, bottom), (right, bottom)], &GREY, 1.0)?;
        for n in integer_ticks(self.low.ceil() as usize, self.high.floor() as usize) {
            let x = self.x(n);
            canvas.line(&[(x, bottom), (x, bottom + 5.0)], &GREY, 1.0)?;
            canvas.text(&n.to_string(), (x, bottom + 15.0), HPos::Center, LABEL)?;
        }
        let middle = f64::midpoint(left, right);
        canvas.text(across, (middle, bottom + 35.0), HPos::Center, LABEL)?;
        canvas.text(vertical, (PAD, top - 12.0), HPos::Left, LABEL)
    }
}
