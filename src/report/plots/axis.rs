//! The axes of a plot, with their ticks and labels.

use super::style::{FAINT, GREY, GRID, LABEL};
use super::svg::{Canvas, Paint, Point, stroke, text_width};
use crate::report::{Unit, rounded};

/// An axis.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The ends, on a logarithmic axis their decimal logarithms.
    low: f64,
    high: f64,
    /// The length.
    pixels: f64,
    /// The unit of the values; whole numbers have none.
    unit: Option<Unit>,
    is_log: bool,
}

/// A tick: the distance from the low end in pixels, the label (empty if it has none), and the look of the grid's line.
type Tick = (f64, String, Paint);

impl Axis {
    /// The axis of values in a unit: logarithmic, except from 0 to 100 %.
    pub fn of(values: impl Iterator<Item = u64>, pixels: f64, unit: Unit) -> Self {
        match unit {
            Unit::Share => Self { low: -4e4, high: 1.04e6, pixels, unit: Some(unit), is_log: false },
            Unit::Time | Unit::Count => Self::log(values, pixels, unit),
        }
    }

    /// A logarithmic axis that shows these values with a margin, and at least a decade.
    pub fn log(values: impl Iterator<Item = u64>, pixels: f64, unit: Unit) -> Self {
        let (low, high) =
            values.map(log).fold((f64::MAX, f64::MIN), |(low, high), log| (low.min(log), high.max(log)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let margin = (0.05 * (high - low)).max(0.6 - (high - low) / 2.0);
        Self { low: low - margin, high: high + margin, pixels, unit: Some(unit), is_log: true }
    }

    /// An axis of whole numbers, which shows at least these ones, ascending. It is logarithmic where they are spread
    /// unevenly over at least a factor of eight, as 8, 10, 12, 50, 100, 200.
    pub fn numbers(numbers: &[u64], pixels: f64) -> Self {
        let ends = numbers.first().zip(numbers.last());
        let (first, last) = ends.map_or((0, 1), |(&first, &last)| (first, last));
        let gaps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
        let uneven = gaps.clone().max().unwrap_or(0) >= 4 * gaps.min().unwrap_or(1).max(1);
        let is_log = uneven && first > 0 && last >= 8 * first;
        let scale = |value: u64| if is_log { log(value) } else { value as f64 };
        let (low, high) = (scale(first), scale(last));
        let margin = match (high > low, is_log) {
            (true, true) => 0.035 * (high - low),
            (true, false) => (0.035 * (high - low)).max(0.35),
            (false, _) => 0.5,
        };
        Self { low: low - margin, high: high + margin, pixels, unit: None, is_log }
    }

    /// The distance of a value from the low end, in pixels.
    pub fn at(&self, value: u64) -> f64 {
        let value = if self.is_log { log(value) } else { value as f64 };
        (value - self.low) * self.step()
    }

    /// The pixels between a whole number and the nearest of these numbers beside it.
    pub fn room(&self, number: u64, numbers: &[u64]) -> f64 {
        let beside = numbers.iter().filter(|other| **other != number);
        let distances = beside.map(|&other| (self.at(other) - self.at(number)).abs());
        distances.fold(self.pixels / 4.0, f64::min)
    }

    /// Pixels per decade, or per whole number.
    pub fn step(&self) -> f64 {
        self.pixels / (self.high - self.low)
    }

    /// The ends, whether it is logarithmic, and the unit, for a script that draws it anew.
    fn scale(&self) -> String {
        let kind = if self.is_log { "log" } else { "linear" };
        let unit = self.unit.map_or("number", Unit::name);
        format!("{:.6} {:.6} {kind} {unit}", self.low, self.high)
    }

    fn ticks(&self) -> Vec<Tick> {
        if !self.is_log {
            let (low, high) = (rounded(self.low.ceil().max(0.0)), rounded(self.high.floor()));
            let most = if self.unit.is_some() { 10 } else { 20 };
            let colour = if self.unit.is_some() { GRID } else { GREY };
            let label = |n: u64| self.unit.map_or_else(|| n.to_string(), |unit| unit.show(n));
            let ticks = integer_ticks(low, high, most).into_iter();
            return ticks.map(|n| (self.at(n), label(n), stroke(colour, 1.0))).collect();
        }
        // Powers of ten, and the values between them if there is room.
        let every = rounded((22.0 / self.step()).ceil().max(1.0));
        let digits = if self.step() >= 40.0 { 1..=9_u64 } else { 1..=1 };
        let values = (0..=19).flat_map(|power| digits.clone().map(move |digit| (power, digit)));
        let tick = |(power, digit): (u32, u64)| {
            let value = 10_u64.checked_pow(power)?.checked_mul(digit)?;
            let labelled = match digit {
                1 => u64::from(power).is_multiple_of(every),
                2 | 5 => self.unit.is_none() || self.step() >= 110.0,
                _ => false,
            };
            let label = match self.unit {
                _ if !labelled => String::new(),
                Some(unit) => unit.show(value),
                None => value.to_string(),
            };
            let paint = if digit == 1 { stroke(GRID, 1.0) } else { stroke(FAINT, 0.7) };
            let shown = (self.low..=self.high).contains(&log(value));
            shown.then(|| (self.at(value), label, paint))
        };
        values.filter_map(tick).collect()
    }

    /// The width that a vertical axis needs for its labels.
    pub fn width(&self) -> f64 {
        let widths = self.ticks().into_iter().map(|(_, label, _)| text_width(&label, LABEL));
        8.0 + widths.fold(0.0, f64::max)
    }
}

/// The axes of a plot and their position.
pub struct Frame {
    /// The horizontal axis.
    pub across: Axis,
    /// The vertical axis.
    pub up: Axis,
    /// The left edge of the plot.
    pub left: f64,
    /// The bottom edge of the plot.
    pub bottom: f64,
}

impl Frame {
    /// The right edge of the plot.
    pub fn right(&self) -> f64 {
        self.left + self.across.pixels
    }

    /// The top edge of the plot.
    pub fn top(&self) -> f64 {
        self.bottom - self.up.pixels
    }

    /// The place of a point of the plot.
    pub fn at(&self, across: u64, up: u64) -> Point {
        (self.left + self.across.at(across), self.bottom - self.up.at(up))
    }

    /// Draws the grid and both axes with their names; the horizontal one has a short name, too. The attributes of the grid say
    /// how values become places.
    pub fn draw(&self, canvas: &mut Canvas, (across, at): (&str, &str), up: &str) {
        let (left, right, top, bottom) = (self.left, self.right(), self.top(), self.bottom);
        let place = format!("{left:.1} {right:.1} {top:.1} {bottom:.1}");
        let scales = [self.across.scale(), self.up.scale()];
        let [x, y] = scales.each_ref().map(String::as_str);
        let attributes =
            [("class", "grid"), ("data-at", at), ("data-place", &place), ("data-x", x), ("data-y", y)];
        canvas.group(&attributes, |canvas| self.draw_grid(canvas));
        canvas.text(across, (f64::midpoint(left, right), bottom + 35.0), "middle", LABEL);
        canvas.text(up, (left - self.up.width(), top - 12.0), "start", LABEL);
    }

    fn draw_grid(&self, canvas: &mut Canvas) {
        let (left, right, top, bottom) = (self.left, self.right(), self.top(), self.bottom);
        for (distance, label, paint) in self.up.ticks() {
            canvas.line([(left, bottom - distance), (right, bottom - distance)], &paint);
            canvas.text(&label, (left - 8.0, bottom - distance), "end", LABEL);
        }
        let mut end = top;
        if self.across.unit.is_none() {
            canvas.line([(left, bottom), (right, bottom)], &stroke(GREY, 1.0));
            end = bottom + 5.0;
        }
        // A label that would touch the one before it is left out.
        let mut free = f64::MIN;
        for (distance, label, paint) in self.across.ticks() {
            let (x, half) = (left + distance, text_width(&label, LABEL) / 2.0);
            canvas.line([(x, bottom), (x, end)], &paint);
            if half > 0.0 && x - half > free {
                canvas.text(&label, (x, bottom + 15.0), "middle", LABEL);
                free = x + half + 6.0;
            }
        }
    }
}

/// A logarithmic axis has no zero: a time below the clock's resolution is shown as one nanosecond.
fn log(value: u64) -> f64 {
    (value.max(1) as f64).log10()
}

/// Round numbers among `low..=high`, about `most` at most.
pub fn integer_ticks(low: u64, high: u64, most: u64) -> Vec<u64> {
    let span = high - low;
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
    let step = steps.take(40).find(|step| span / step <= most).unwrap_or(1);
    (low.div_ceil(step)..=high / step).map(|tick| tick * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_axis_shows_all_values_and_a_labelled_tick() {
        for values in
            [vec![], vec![1], vec![3_000], vec![0, 5], vec![2, 1 << 40], vec![999, 1001], vec![u64::MAX]]
        {
            let axis = Axis::log(values.iter().copied(), 400.0, Unit::Time);
            assert!(values.iter().all(|&value| (0.0..=400.0).contains(&axis.at(value))), "{values:?}");
            assert!(axis.ticks().iter().any(|(_, label, _)| !label.is_empty()), "{values:?}");
        }
    }

    #[test]
    fn equal_ratios_are_equal_distances() {
        let axis = Axis::log([1, 1_000_000].into_iter(), 660.0, Unit::Time);
        // Six decades and 5 % of them on either side are 6.6 decades: 100 pixels each.
        assert!((axis.at(10) - axis.at(1) - 100.0).abs() < 1e-9);
        assert!((axis.at(20_000) - axis.at(200) - 200.0).abs() < 1e-9);
    }

    #[test]
    fn numbers_that_are_spread_unevenly_have_a_log_axis() {
        let is_log = |numbers: &[u64]| {
            let axis = Axis::numbers(numbers, 700.0);
            let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
            assert!(numbers.iter().all(|&n| (0.0..=700.0).contains(&axis.at(n))), "{numbers:?}");
            assert!(
                axis.ticks().iter().filter(|(_, label, _)| !label.is_empty()).count() >= numbers.len().min(3)
            );
            (axis.at(2 * first) - axis.at(first) - (axis.at(last) - axis.at(last / 2))).abs() < 1e-6
        };
        assert!(is_log(&[8, 10, 12, 14, 16, 32, 40, 50, 64, 80, 100, 128, 160, 200]));
        assert!(!is_log(&[8, 9, 10, 11, 12, 13]));
        assert!(!is_log(&[4, 5, 6, 20, 24]), "a factor of six");
        assert!(!is_log(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), "evenly spread");
    }

    #[test]
    fn labels_of_a_log_axis_do_not_touch() {
        for high in [10, 1000, 1 << 30, u64::MAX] {
            let axis = Axis::log([1, high].into_iter(), 300.0, Unit::Time);
            let labelled = axis.ticks().into_iter().filter(|(_, label, _)| !label.is_empty());
            let labels: Vec<f64> = labelled.map(|(up, ..)| up).collect();
            assert!(labels.windows(2).all(|pair| pair[1] - pair[0] >= 20.0), "{high}: {labels:?}");
        }
    }

    #[test]
    fn integer_ticks_are_round() {
        assert_eq!(integer_ticks(8, 8, 20), [8]);
        assert_eq!(integer_ticks(0, 4, 20), [0, 1, 2, 3, 4]);
        assert_eq!(integer_ticks(3, 27, 20), [4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26]);
        assert!(integer_ticks(0, 1_000_000, 20).len() <= 21);
    }
}
