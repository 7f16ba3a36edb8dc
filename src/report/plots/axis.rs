//! A logarithmic axis, and the ticks of an axis of whole numbers.

use super::style::{FAINT, GRID, LABEL};
use super::svg::{Canvas, stroke, text_width};
use super::{PAD, Unit};

/// A logarithmic axis.
#[derive(Clone, Copy, Debug)]
pub struct LogAxis {
    /// Decimal logarithms of its ends.
    low: f64,
    high: f64,
    /// Its length.
    pixels: f64,
    unit: Unit,
}

/// A tick of a logarithmic axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Its value.
    pub value: u64,
    /// Whether it is a power of ten.
    pub power: bool,
    /// Whether it has a label.
    pub labelled: bool,
}

impl LogAxis {
    /// An axis that shows these values with a margin, and at least a decade.
    pub fn of(values: impl Iterator<Item = u64>, pixels: f64, unit: Unit) -> Self {
        let logs = values.map(log);
        let (low, high) = logs.fold((f64::MAX, f64::MIN), |(low, high), log| (low.min(log), high.max(log)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let margin = (0.05 * (high - low)).max(0.6 - (high - low) / 2.0);
        Self { low: low - margin, high: high + margin, pixels, unit }
    }

    /// The distance of a value from the low end, in pixels.
    pub fn up(&self, value: u64) -> f64 {
        (log(value) - self.low) / (self.high - self.low) * self.pixels
    }

    /// Powers of ten, and the values between them if there is room.
    pub fn ticks(&self) -> Vec<Tick> {
        let decade = self.pixels / (self.high - self.low);
        let every = (22.0 / decade).ceil().max(1.0) as u32;
        let mut ticks = Vec::new();
        for power in 0..=19_u32 {
            for digit in 1..=9_u64 {
                let Some(value) = 10_u64.checked_pow(power).and_then(|ten| ten.checked_mul(digit)) else {
                    break;
                };
                let labelled = match digit {
                    1 => power.is_multiple_of(every),
                    2 | 5 => decade >= 110.0,
                    _ => false,
                };
                let shown = (self.low..=self.high).contains(&log(value));
                if shown && (digit == 1 || decade >= 40.0) {
                    ticks.push(Tick { value, power: digit == 1, labelled });
                }
            }
        }
        ticks
    }

    /// The left edge of a plot that leaves room for the labels.
    pub fn left(&self) -> f64 {
        let labels = self.ticks().into_iter().filter(|tick| tick.labelled);
        PAD + 8.0 + labels.map(|tick| text_width(&self.unit.show(tick.value), LABEL)).fold(0.0, f64::max)
    }

    /// The paint of the grid line at a tick.
    pub fn paint(tick: &Tick) -> super::svg::Paint {
        if tick.power { stroke(GRID, 1.0) } else { stroke(FAINT, 0.7) }
    }

    /// Draws this vertical axis left of a plot with these left, right and bottom edges: name, grid and labels.
    pub fn draw(&self, canvas: &mut Canvas, name: &str, (left, right, bottom): (f64, f64, f64)) {
        for tick in self.ticks() {
            let y = bottom - self.up(tick.value);
            canvas.line([(left, y), (right, y)], &Self::paint(&tick));
            if tick.labelled {
                canvas.text(&self.unit.show(tick.value), (left - 8.0, y), "end", LABEL);
            }
        }
        canvas.text(name, (PAD, bottom - self.pixels - 12.0), "start", LABEL);
    }
}

/// A logarithmic axis has no zero: a time below the clock's resolution is shown as one nanosecond.
fn log(value: u64) -> f64 {
    (value.max(1) as f64).log10()
}

/// Round numbers among `low..=high`, at most twenty or so.
pub fn integer_ticks(low: usize, high: usize) -> Vec<usize> {
    let span = high - low;
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)));
    let step = steps.take(40).find(|step| span / step <= 20).unwrap_or(1);
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
            let axis = LogAxis::of(values.iter().copied(), 400.0, Unit::Time);
            assert!(values.iter().all(|&value| (0.0..=400.0).contains(&axis.up(value))), "{values:?}");
            assert!(axis.ticks().iter().any(|tick| tick.labelled), "{values:?}");
        }
    }

    #[test]
    fn equal_ratios_are_equal_distances() {
        let axis = LogAxis::of([1, 1_000_000].into_iter(), 660.0, Unit::Time);
        // Six decades and 5 % of them on either side are 6.6 decades: 100 pixels each.
        assert!((axis.up(10) - axis.up(1) - 100.0).abs() < 1e-9);
        assert!((axis.up(20_000) - axis.up(200) - 200.0).abs() < 1e-9);
    }

    #[test]
    fn labels_of_a_log_axis_do_not_touch() {
        for high in [10, 1000, 1 << 30, u64::MAX] {
            let axis = LogAxis::of([1, high].into_iter(), 300.0, Unit::Time);
            let labels: Vec<f64> =
                axis.ticks().iter().filter(|tick| tick.labelled).map(|tick| axis.up(tick.value)).collect();
            assert!(labels.windows(2).all(|pair| pair[1] - pair[0] >= 20.0), "{high}: {labels:?}");
        }
    }

    #[test]
    fn integer_ticks_are_round() {
        assert_eq!(integer_ticks(8, 8), [8]);
        assert_eq!(integer_ticks(0, 4), [0, 1, 2, 3, 4]);
        assert_eq!(integer_ticks(3, 27), [4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26]);
        assert!(integer_ticks(0, 1_000_000).len() <= 21);
    }
}
