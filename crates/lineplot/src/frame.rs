//! The axes of a plot, which map values to positions, with their ticks and labels.

use crate::chart::{Axis, Scale};
use crate::style::{GREY, LABEL, MAJOR_GRID, MINOR_GRID};
use crate::svg::{Canvas, Paint, Point, cut, stroke, text_width};

/// An axis with a length in pixels.
#[derive(Clone, Debug)]
pub struct Ruler<'c> {
    axis: &'c Axis,
    /// The value at the low end; on a logarithmic axis, its decimal logarithm.
    pub low: f64,
    /// The value at the high end; on a logarithmic axis, its decimal logarithm.
    pub high: f64,
    /// The length in pixels.
    pixels: f64,
    /// The smallest value on the logarithmic scale; `None` if the axis is linear.
    pub floor: Option<f64>,
    /// The position of values below the floor, including 0, as a decimal logarithm; `None` if there are no such values.
    pub zero: Option<f64>,
    /// The values that get ticks: those of the chart if they are few whole numbers. If empty, round numbers get ticks.
    pub tick_values: Vec<f64>,
}

/// A tick: the distance from the low end in pixels, the label (empty if there is none), and whether it is a main tick.
type Tick = (f64, String, bool);

/// The distance of the position of 0 from the logarithmic scale, as a share of the length of that scale.
const ZERO_GAP: f64 = 0.07;
/// The distance of the position of 0 from the end of the axis, as a share of the length of the logarithmic scale.
const ZERO_MARGIN: f64 = 0.04;

/// The maximum width of the label of a tick, in pixels.
const MAX_LABEL_WIDTH: f64 = 110.0;

/// The maximum number of whole numbers that all get ticks.
const MAX_TICK_VALUES: usize = 24;

/// The maximum number of ticks on an axis of whole numbers.
const MAX_WHOLE_TICKS: f64 = 20.0;
/// The maximum number of ticks on another linear axis.
const MAX_LINEAR_TICKS: f64 = 10.0;

impl<'c> Ruler<'c> {
    /// Creates an axis with positions for all these values, which must be in ascending order.
    pub fn new(axis: &'c Axis, values: &[f64], pixels: f64) -> Self {
        let tick_values = Vec::new();
        let linear_ruler =
            |low, high| Self { axis, low, high, pixels, floor: None, zero: None, tick_values: Vec::new() };
        let ends = values.first().copied().zip(values.last().copied());
        match axis.scale {
            Scale::Linear { low, high } => {
                let margin = 0.04 * (high - low);
                linear_ruler(low - margin, high + margin)
            }
            Scale::Log { floor } => {
                let first_on_scale = values.iter().copied().find(|value| *value >= floor);
                let default_ends =
                    if values.is_empty() { (0.0, 1.0) } else { (log(floor, floor), log(floor, floor)) };
                let ends = first_on_scale.zip(values.last().copied());
                let (low, high) =
                    ends.map_or(default_ends, |(low, high)| (log(low, floor), log(high, floor)));
                let margin = (0.05 * (high - low)).max(0.6 - (high - low) / 2.0);
                let (low, high) = (low - margin, high + margin);
                let has_zero = values.first().is_some_and(|value| *value < floor);
                let zero = has_zero.then_some(low - ZERO_GAP * (high - low));
                let low = zero.map_or(low, |zero| zero - ZERO_MARGIN * (high - low));
                Self { axis, low, high, pixels, floor: Some(floor), zero, tick_values }
            }
            Scale::Whole => {
                let (first, last) = ends.unwrap_or((0.0, 1.0));
                let gaps = values.windows(2).map(|pair| pair[1] - pair[0]);
                let (min_gap, max_gap) =
                    gaps.fold((f64::MAX, 0.0_f64), |(low, high), gap| (low.min(gap), high.max(gap)));
                let min_gap = if values.len() > 1 { min_gap.max(1.0) } else { 1.0 };
                let is_log = max_gap >= 4.0 * min_gap && first > 0.0 && last >= 8.0 * first;
                let (low, high) = if is_log { (first.log10(), last.log10()) } else { (first, last) };
                let margin = match (high > low, is_log) {
                    (true, true) => 0.035 * (high - low),
                    (true, false) => (0.035 * (high - low)).max(0.35),
                    (false, _) => 0.5,
                };
                let floor = is_log.then_some(first);
                let is_few = !values.is_empty() && values.len() <= MAX_TICK_VALUES;
                let tick_values = if is_few { values.to_vec() } else { Vec::new() };
                Self { axis, low: low - margin, high: high + margin, pixels, floor, zero: None, tick_values }
            }
        }
    }

    /// The distance of a value from the low end, in pixels.
    pub fn position(&self, value: f64) -> f64 {
        (self.to_scale(value) - self.low) * self.pixels_per_unit()
    }

    fn to_scale(&self, value: f64) -> f64 {
        match (self.floor, self.zero) {
            (Some(floor), Some(zero)) if value < floor => zero,
            (Some(floor), _) => log(value, floor),
            (None, _) => value,
        }
    }

    /// The low end of the logarithmic scale. Only the position of 0 is below it.
    fn scale_low_end(&self) -> f64 {
        self.zero.map_or(self.low, |zero| {
            zero + ZERO_GAP * (self.high - self.low) / (1.0 + ZERO_GAP + ZERO_MARGIN)
        })
    }

    /// The distance between a value and the nearest other value of `values`, in pixels.
    pub fn distance_to_nearest(&self, value: f64, values: &[f64]) -> f64 {
        let other_values = values.iter().filter(|other| **other != value);
        let distances = other_values.map(|&other| (self.position(other) - self.position(value)).abs());
        distances.fold(self.pixels / 4.0, f64::min)
    }

    /// The length of a decade (logarithmic) or of 1 (linear), in pixels.
    fn pixels_per_unit(&self) -> f64 {
        self.pixels / (self.high - self.low)
    }

    fn is_whole(&self) -> bool {
        self.axis.scale == Scale::Whole
    }

    fn label(&self, value: f64) -> String {
        cut(&self.axis.unit.format(value), LABEL, MAX_LABEL_WIDTH)
    }

    fn ticks(&self) -> Vec<Tick> {
        let zero = self.zero.map(|zero| ((zero - self.low) * self.pixels_per_unit(), self.label(0.0), true));
        let tick_values = || {
            self.tick_values.iter().map(|&value| (self.position(value), self.label(value), true)).collect()
        };
        let ticks = match self.floor {
            _ if !self.tick_values.is_empty() => tick_values(),
            Some(_) => self.log_ticks(),
            None => self.linear_ticks(),
        };
        zero.into_iter().chain(ticks).collect()
    }

    fn linear_ticks(&self) -> Vec<Tick> {
        let values = match self.axis.scale {
            Scale::Linear { low, high } => round_values(low, high, 0.0, MAX_LINEAR_TICKS),
            _ => round_values(self.low.ceil().max(0.0), self.high.floor(), 1.0, MAX_WHOLE_TICKS),
        };
        values.into_iter().map(|value| (self.position(value), self.label(value), true)).collect()
    }

    /// The ticks of a logarithmic axis: powers of ten, and values between them if there is room.
    fn log_ticks(&self) -> Vec<Tick> {
        // The exponents of all 64-bit floating-point numbers are in this range.
        let exponent = |end: f64| end.clamp(-330.0, 330.0) as i32;
        let label_interval = exponent((22.0 / self.pixels_per_unit()).ceil().max(1.0));
        let digits = if self.pixels_per_unit() >= 40.0 { 1..=9_u8 } else { 1..=1 };
        let powers = exponent(self.scale_low_end().floor())..=exponent(self.high.ceil());
        let values = powers.flat_map(|power| digits.clone().map(move |digit| (power, digit)));
        let tick = |(power, digit): (i32, u8)| {
            let value = f64::from(digit) * 10_f64.powi(power);
            let scaled = value.log10();
            // There are no ticks below the floor.
            let is_below =
                matches!(self.axis.scale, Scale::Log { floor } if value < floor * (1.0 - TOLERANCE));
            if is_below || !(self.scale_low_end()..=self.high).contains(&scaled) {
                return None;
            }
            let is_labelled = match digit {
                1 => power.rem_euclid(label_interval) == 0,
                2 | 5 => self.is_whole() || self.pixels_per_unit() >= 110.0,
                _ => false,
            };
            let label = if is_labelled { self.label(value) } else { String::new() };
            Some(((scaled - self.low) * self.pixels_per_unit(), label, digit == 1))
        };
        values.filter_map(tick).collect()
    }

    /// The width that a vertical axis needs for its labels.
    pub fn width(&self) -> f64 {
        let widths = self.ticks().into_iter().map(|(_, label, _)| text_width(&label, LABEL));
        8.0 + widths.fold(0.0, f64::max)
    }
}

/// The decimal logarithm of a value or of `floor`, whichever is larger.
fn log(value: f64, floor: f64) -> f64 {
    value.max(floor).log10()
}

/// The multiples of a round step between `low` and `high`. The step is 1, 2 or 5 times a power of ten, is at least `min_step`, and
/// results in at most `max_steps` steps.
fn round_values(low: f64, high: f64, min_step: f64, max_steps: f64) -> Vec<f64> {
    let span = high - low;
    let first_power = (span / max_steps).max(min_step).max(f64::MIN_POSITIVE).log10().floor() as i32;
    let steps = (first_power..first_power + 3)
        .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    let is_allowed = |step: &f64| *step >= min_step && (span / step + TOLERANCE).floor() <= max_steps;
    let step = steps.into_iter().find(is_allowed).unwrap_or(span.max(1.0));
    let (from, to) = ((low / step - TOLERANCE).ceil(), (high / step + TOLERANCE).floor());
    (0..)
        .map(|index| from + f64::from(index))
        .take_while(|multiple| *multiple <= to)
        .map(|multiple| multiple * step)
        .collect()
}

/// The tolerance for rounding errors of a quotient that should be a whole number.
const TOLERANCE: f64 = 1e-9;

/// The axes of a plot and their position.
#[derive(Clone)]
pub struct Frame<'c> {
    /// The horizontal axis.
    pub x_axis: Ruler<'c>,
    /// The vertical axis.
    pub y_axis: Ruler<'c>,
    /// The left edge of the plot.
    pub left: f64,
    /// The bottom edge of the plot.
    pub bottom: f64,
}

impl Frame<'_> {
    /// The right edge of the plot.
    pub fn right(&self) -> f64 {
        self.left + self.x_axis.pixels
    }

    /// The top edge of the plot.
    pub fn top(&self) -> f64 {
        self.bottom - self.y_axis.pixels
    }

    /// The position of a point of the plot in the picture.
    pub fn position(&self, (x, y): (f64, f64)) -> Point {
        (self.left + self.x_axis.position(x), self.height(y))
    }

    /// The distance of a value of the vertical axis from the top edge of the picture.
    pub fn height(&self, y: f64) -> f64 {
        self.bottom - self.y_axis.position(y)
    }

    /// Draws the grid and both axes with their titles.
    pub fn draw(&self, canvas: &mut Canvas) {
        let (left, right, top, bottom) = (self.left, self.right(), self.top(), self.bottom);
        canvas.group(&[("class", "grid")], |canvas| self.draw_grid(canvas));
        canvas.text(&self.x_axis.axis.title, (f64::midpoint(left, right), bottom + 35.0), "middle", LABEL);
        canvas.text(&self.y_axis.axis.title, (left - self.y_axis.width(), top - 12.0), "start", LABEL);
    }

    fn draw_grid(&self, canvas: &mut Canvas) {
        let (left, right, top, bottom) = (self.left, self.right(), self.top(), self.bottom);
        let paint = |is_main| if is_main { stroke(MAJOR_GRID, 1.0) } else { stroke(MINOR_GRID, 0.7) };
        for (distance, label, is_main) in self.y_axis.ticks() {
            canvas.line([(left, bottom - distance), (right, bottom - distance)], &paint(is_main));
            canvas.text(&label, (left - 8.0, bottom - distance), "end", LABEL);
        }
        let is_whole = self.x_axis.is_whole();
        let end = if is_whole { bottom + 5.0 } else { top };
        if is_whole {
            canvas.line([(left, bottom), (right, bottom)], &stroke(GREY, 1.0));
        }
        let short_tick_paint: fn(bool) -> Paint = |_| stroke(GREY, 1.0);
        let paint = if is_whole && self.x_axis.floor.is_none() { short_tick_paint } else { paint };
        // A label that would touch the previous label is omitted.
        let mut next_left = f64::MIN;
        for (distance, label, is_main) in self.x_axis.ticks() {
            let (x, half_width) = (left + distance, text_width(&label, LABEL) / 2.0);
            canvas.line([(x, bottom), (x, end)], &paint(is_main));
            if half_width > 0.0 && x - half_width > next_left {
                canvas.text(&label, (x, bottom + 15.0), "middle", LABEL);
                next_left = x + half_width + 6.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_axis() -> Axis {
        Axis::default()
    }

    fn whole_axis() -> Axis {
        Axis { scale: Scale::Whole, ..Axis::default() }
    }

    #[test]
    fn log_axis_shows_all_values_and_a_label() {
        let value_lists: [&[f64]; 8] =
            [&[], &[1.0], &[3e3], &[0.0, 5.0], &[2.0, 1e12], &[999.0, 1001.0], &[1.8e19], &[0.0, f64::MAX]];
        let axis = log_axis();
        for values in value_lists {
            let ruler = Ruler::new(&axis, values, 400.0);
            assert!(values.iter().all(|&value| (0.0..=400.0).contains(&ruler.position(value))), "{values:?}");
            assert!(ruler.ticks().iter().any(|(_, label, _)| !label.is_empty()), "{values:?}");
        }
    }

    #[test]
    fn equal_ratios_have_equal_distances_on_log_axis() {
        let axis = log_axis();
        let ruler = Ruler::new(&axis, &[1.0, 1e6], 660.0);
        // Six decades with margins of 5 % are 6.6 decades, of 100 pixels each.
        assert!((ruler.position(10.0) - ruler.position(1.0) - 100.0).abs() < 1e-9);
        assert!((ruler.position(20_000.0) - ruler.position(200.0) - 200.0).abs() < 1e-9);
    }

    #[test]
    fn log_axis_draws_zero_below_its_smallest_value() {
        let axis = Axis { scale: Scale::Log { floor: 0.01 }, ..Axis::default() };
        let ruler = Ruler::new(&axis, &[0.0, 1.0], 220.0);
        // 0 has a separate, labelled position below all other values.
        let ticks = ruler.ticks();
        assert_eq!((ticks[0].0, ticks[0].1.as_str()), (ruler.position(0.0), "0"));
        assert!(
            ruler.position(0.0) > 0.0 && ticks[1..].iter().all(|tick| tick.0 > ruler.position(0.0) + 10.0),
            "{ticks:?}"
        );
        let ruler_without_zero = Ruler::new(&axis, &[0.01, 1.0], 220.0);
        assert!((ruler_without_zero.position(1.0) - ruler_without_zero.position(0.01) - 200.0).abs() < 1e-9);
        let first_tick =
            ruler_without_zero.ticks().into_iter().next().map(|(at, label, _)| (at.round(), label));
        assert_eq!(first_tick, Some((10.0, "0.01".to_owned())), "there are no ticks below the floor");
    }

    #[test]
    fn integer_axis_with_growing_gaps_is_logarithmic() {
        let axis = whole_axis();
        let is_log = |numbers: &[f64]| {
            let ruler = Ruler::new(&axis, numbers, 700.0);
            let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
            assert!(numbers.iter().all(|&n| (0.0..=700.0).contains(&ruler.position(n))), "{numbers:?}");
            let labels: Vec<String> = ruler.ticks().into_iter().map(|(_, label, _)| label).collect();
            assert_eq!(
                labels,
                numbers.iter().map(f64::to_string).collect::<Vec<_>>(),
                "measured numbers have ticks"
            );
            (ruler.position(2.0 * first)
                - ruler.position(first)
                - (ruler.position(last) - ruler.position(last / 2.0)))
            .abs()
                < 1e-6
        };
        assert!(is_log(&[8., 10., 12., 14., 16., 32., 40., 50., 64., 80., 100., 128., 160., 200.]));
        assert!(!is_log(&[8., 9., 10., 11., 12., 13.]));
        assert!(!is_log(&[4., 5., 6., 20., 24.]), "a factor of six");
        assert!(!is_log(&[1., 2., 3., 4., 5., 6., 7., 8., 9., 10.]), "evenly spread");
    }

    #[test]
    fn labels_of_log_axis_do_not_overlap() {
        let axis = log_axis();
        for high in [10.0, 1000.0, 1e9, 1.8e19, 1e300] {
            let ruler = Ruler::new(&axis, &[1.0, high], 300.0);
            let labelled_ticks = ruler.ticks().into_iter().filter(|(_, label, _)| !label.is_empty());
            let labels: Vec<f64> = labelled_ticks.map(|(distance, ..)| distance).collect();
            assert!(
                labels.len() > 1 && labels.windows(2).all(|pair| pair[1] - pair[0] >= 20.0),
                "{high}: {labels:?}"
            );
        }
    }

    #[test]
    fn linear_axis_has_ticks_at_round_values() {
        let axis = Axis { scale: Scale::Linear { low: 0.0, high: 1.0 }, ..Axis::default() };
        let ruler = Ruler::new(&axis, &[], 108.0);
        let ticks: Vec<f64> = ruler.ticks().into_iter().map(|(at, ..)| at.round()).collect();
        assert_eq!(ticks, [4., 14., 24., 34., 44., 54., 64., 74., 84., 94., 104.]);
    }

    #[test]
    fn number_of_ticks_is_limited_for_any_range() {
        assert_eq!(round_values(8.0, 8.0, 1.0, 20.0), [8.0]);
        assert_eq!(round_values(0.0, 4.0, 1.0, 20.0), [0.0, 1.0, 2.0, 3.0, 4.0]);
        let even_numbers = [4., 6., 8., 10., 12., 14., 16., 18., 20., 22., 24., 26.];
        assert_eq!(round_values(3.0, 27.0, 1.0, 20.0), even_numbers);
        assert_eq!(round_values(0.0, 1e6, 1.0, 20.0).len(), 21);
        assert_eq!(round_values(-1e300, 1e300, 0.0, 10.0).len(), 11);
        assert_eq!(round_values(0.0, 0.0, 0.0, 10.0), [0.0]);
    }
}
