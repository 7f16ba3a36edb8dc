//! Small multiples: a picture for each series, all with the same axes, so that many series do not hide each other.

use std::collections::BTreeMap;
use std::slice::from_ref;

use super::axis::Frame;
use super::chart::{Chart, Series};
use super::style::{GRID, LABEL};
use super::svg::{Canvas, fill, wrap};
use super::{PAD, WIDTH, legend};

/// Pictures side by side, with their width and the height of their plots.
const COLUMNS: usize = 3;
const STEP: f64 = (WIDTH - PAD) / COLUMNS as f64;
const HEIGHT: f64 = 130.0;

/// The space below a plot, for its horizontal axis.
const BELOW: f64 = 42.0;

/// Height of a line of a name, and the largest number of them.
const LINE: f64 = 15.0;
const MOST_LINES: usize = 8;

/// Pictures side by side.
pub struct Row<'a> {
    /// The series, each with the lines of its name.
    named: Vec<(&'a Series, Vec<String>)>,
    /// The height with names and axes.
    pub height: f64,
}

/// The rows of the pictures of some series.
pub fn rows(all: &[Series]) -> Vec<Row<'_>> {
    let width = STEP - legend::SWATCH - 3.0 * PAD;
    all.chunks(COLUMNS).map(|row| named(row, width)).collect()
}

fn named(row: &[Series], width: f64) -> Row<'_> {
    let names = row.iter().map(|series| wrap(&series.name.join(", "), LABEL, width, MOST_LINES));
    let named: Vec<_> = row.iter().zip(names).collect();
    let lines = named.iter().map(|(_, name)| name.len()).max().unwrap_or(0);
    Row { named, height: lines as f64 * LINE + HEIGHT + BELOW }
}

impl Chart {
    /// Draws each series in a picture of its own, with the range of all series in grey.
    pub(super) fn draw_panels(&self, canvas: &mut Canvas, mut top: f64, rows: &[Row<'_>], numbers: &[u64]) {
        let grey =
            if self.across_unit.is_none() { "; grey: from the smallest to the largest of all" } else { "" };
        let axes = format!("{} against {}{grey}", self.axis, self.across);
        canvas.text(&axes, (PAD, top - 22.0), "start", LABEL);
        let up = self.up(HEIGHT);
        let across = self.across(numbers, STEP - up.width());
        for Row { named, height } in rows {
            let bottom = top + height - BELOW;
            for (column, (series, name)) in named.iter().enumerate() {
                let left = column as f64 * STEP + up.width();
                let frame = Frame { across, up, left, bottom };
                legend::line(canvas, series, (left, top));
                for (index, line) in name.iter().enumerate() {
                    let place = (left + legend::SWATCH, top + LINE * index as f64);
                    canvas.text(line, place, "start", LABEL);
                }
                frame.draw(canvas, "", "");
                self.draw_range(canvas, &frame);
                self.draw(canvas, &frame, numbers, from_ref(*series));
            }
            top += height;
        }
    }

    /// From the smallest to the largest value of all series at each whole number.
    fn draw_range(&self, canvas: &mut Canvas, frame: &Frame) {
        if self.across_unit.is_some() {
            return;
        }
        let mut range: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        for &(n, value) in self.series.iter().flat_map(|series| &series.line) {
            let (least, most) = range.entry(n).or_insert((value, value));
            (*least, *most) = (value.min(*least), value.max(*most));
        }
        let upper = range.iter().map(|(&n, &(_, most))| frame.at(n, most));
        let lower = range.iter().rev().map(|(&n, &(least, _))| frame.at(n, least));
        canvas.polygon(upper.chain(lower), &fill(GRID).faded(0.5));
    }
}

#[cfg(test)]
mod tests {
    use super::super::style::Style;
    use super::*;

    #[test]
    fn more_than_eight_series_have_pictures_of_their_own_with_the_same_axes() {
        let chart = |count: usize| {
            let series = (0..count).map(|rank| Series {
                name: vec![format!("solver-{rank}")],
                style: Style(rank),
                line: vec![(4, 1000 * (rank as u64 + 1)), (5, 1_000_000)],
                ..Series::default()
            });
            Chart { series: series.collect(), ..Chart::default() }
        };
        let ticks = |count| chart(count).svg().matches(">1 ms</text>").count();
        assert_eq!((ticks(8), ticks(9)), (1, 9));
        let picture = chart(9).picture();
        assert!(picture.key.is_empty(), "each picture has its name");
        assert!(
            (0..9).all(|rank| picture.svg.contains(&format!(">solver-{rank}</text>"))),
            "{}",
            picture.svg
        );
    }
}
