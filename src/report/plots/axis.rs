//! Axes: a logarithmic one with its ticks and their labels, and one for whole numbers.

/// A logarithmic axis.
#[derive(Clone, Copy, Debug)]
pub struct LogAxis {
    /// Decimal logarithms of its ends.
    low: f64,
    high: f64,
    pixels: f64,
}

/// A tick of a logarithmic axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Where it is.
    pub value: u64,
    /// Whether it is a power of ten.
    pub power: bool,
    /// Whether it has a label.
    pub labelled: bool,
}

impl LogAxis {
    /// An axis that shows these values and something of what surrounds them, a decade at least.
    pub fn of(values: impl Iterator<Item = u64>, pixels: f64) -> Self {
        let logs = values.map(log);
        let (low, high) = logs.fold((f64::MAX, f64::MIN), |(low, high), log| (low.min(log), high.max(log)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let margin = (0.05 * (high - low)).max(0.6 - (high - low) / 2.0);
        Self { low: low - margin, high: high + margin, pixels }
    }

    /// How far above the axis's low end a value stands, in pixels.
    pub fn up(&self, value: u64) -> f64 {
        (log(value) - self.low) / (self.high - self.low) * self.pixels
    }

    /// Powers of ten, and what lies between as far as there is room.
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
            let axis = LogAxis::of(values.iter().copied(), 400.0);
            assert!(values.iter().all(|&value| (0.0..=400.0).contains(&axis.up(value))), "{values:?}");
            assert!(axis.ticks().iter().any(|tick| tick.labelled), "{values:?}");
        }
    }

    #[test]
    fn equal_ratios_are_equal_distances() {
        let axis = LogAxis::of([1, 1_000_000].into_iter(), 660.0);
        // Six decades and 5 % of them on either side are 6.6 decades: 100 pixels each.
        assert!((axis.up(10) - axis.up(1) - 100.0).abs() < 1e-9);
        assert!((axis.up(20_000) - axis.up(200) - 200.0).abs() < 1e-9);
    }

    #[test]
    fn labels_of_a_log_axis_do_not_touch() {
        for high in [10, 1000, 1 << 30, u64::MAX] {
            let axis = LogAxis::of([1, high].into_iter(), 300.0);
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
