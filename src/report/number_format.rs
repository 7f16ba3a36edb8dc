//! Formats times, numbers and factors for reports, usually with three significant digits and a unit.

use std::time::Duration;

use lineplot::Formatter;

pub use crate::words::{counted, thousands};
use timestats::Range;

/// The unit of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds, shown as 1 µs, 10 ms, 1 s.
    #[default]
    Time,
    /// A count, shown as 100, 10k, 1M.
    Count,
}

impl Unit {
    /// Formats a value with three significant digits, without trailing zeros: `1.5 s`.
    pub fn show(self, value: u64) -> String {
        let (digits, unit) = self.parts(value);
        without_zeros(&digits).to_owned() + unit
    }

    /// Formats a value with three significant digits, with trailing zeros, for columns: `1.50 s`.
    pub fn show_padded(self, value: u64) -> String {
        let (digits, unit) = self.parts(value);
        digits + unit
    }

    /// Formats the digits and the unit. The unit of a time begins with a space.
    fn parts(self, value: u64) -> (String, &'static str) {
        let units = self.units();
        // Rounding a value of 999.5 or more would give 1000.
        let is_large = |(factor, _): &&(f64, &str)| value as f64 / factor >= 999.5;
        let step = units.iter().take_while(is_large).count().min(units.len() - 1);
        let digits = if step == 0 { value.to_string() } else { digits(value as f64 / units[step].0) };
        (digits, units[step].1)
    }

    /// The units: the factor and the symbol of each.
    fn units(self) -> &'static [(f64, &'static str)] {
        match self {
            Unit::Time => &[(1.0, " ns"), (1e3, " µs"), (1e6, " ms"), (1e9, " s")],
            Unit::Count => {
                &[(1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T"), (1e15, "P"), (1e18, "E")]
            }
        }
    }
}

impl Formatter for Unit {
    fn format(&self, value: f64) -> String {
        self.show(rounded(value))
    }

    fn steps(&self) -> &[(f64, &str)] {
        self.units()
    }

    fn in_table(&self, value: f64) -> String {
        match self {
            Unit::Time => format!("{:e}", value / 1e9),
            Unit::Count => value.to_string(),
        }
    }

    fn in_title(&self) -> &str {
        match self {
            Unit::Time => " in seconds",
            Unit::Count => "",
        }
    }
}

/// Shares between 0 and 1, shown as 50 %, 0.33 %.
#[derive(Clone, Copy, Debug)]
pub struct Share;

impl Formatter for Share {
    fn format(&self, value: f64) -> String {
        without_zeros(&digits(100.0 * value)).to_owned() + " %"
    }

    fn steps(&self) -> &[(f64, &str)] {
        &[(0.01, " %")]
    }

    fn in_table(&self, value: f64) -> String {
        // Rounded to a millionth, because a product such as 100 * 0.28 is not exact.
        ((1e6 * value).round() / 1e4).to_string()
    }

    fn in_title(&self) -> &str {
        " in %"
    }
}

/// A decimal number without trailing zeros after the point.
fn without_zeros(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

/// The nearest whole number. A negative number becomes 0, and a number that is too large becomes `u64::MAX`.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast of a float saturates")]
pub fn rounded(value: f64) -> u64 {
    value.round() as u64
}

/// Formats a factor with three significant digits, or with two between 0.1 and 1 and from 1e6 on: `7.02`, `0.43`, `0.00281`,
/// `1.2e7`.
pub fn digits(factor: f64) -> String {
    match factor {
        1e-12..0.0000995 => format!("{factor:.2e}"),
        0.0000995..0.000995 => format!("{factor:.6}"),
        0.000995..0.00995 => format!("{factor:.5}"),
        0.00995..0.0995 => format!("{factor:.4}"),
        0.0..9.995 => format!("{factor:.2}"),
        9.995..99.95 => format!("{factor:.1}"),
        99.95..1e6 => format!("{factor:.0}"),
        _ => format!("{factor:.1e}"),
    }
}

/// Formats an interval of factors, whose ends may be unknown: `1.20 to 1.31`, `more than 8.50`. If both ends are equal, the
/// text is a single number.
pub fn range(range: Range) -> String {
    format_range(range, digits)
}

/// Like [`range`], with a comma between thousands: `5,586 to 18,204`.
pub fn precise_range(range: Range) -> String {
    format_range(range, precise_factor)
}

fn format_range(Range { low, high }: Range, show: fn(f64) -> String) -> String {
    match (low > 0.0, high < f64::INFINITY) {
        _ if low == high => show(low),
        (true, true) => format!("{} to {}", show(low), show(high)),
        (true, false) => format!("more than {}", show(low)),
        (false, true) => format!("less than {}", show(high)),
        (false, false) => "unknown".to_owned(),
    }
}

/// Formats a factor with three significant digits or, from 1,000 on, as a whole number: `7.02`, `5,586`.
pub fn precise_factor(factor: f64) -> String {
    if factor < 999.5 { digits(factor) } else { thousands(rounded(factor)) }
}

/// Formats a factor with one decimal below 10, and as a whole number from 10 on: `1.0`, `9.9`, `10`, `21,000`.
pub fn factor(factor: f64) -> String {
    if factor < 9.95 { format!("{factor:.1}") } else { thousands(rounded(factor)) }
}

/// Formats a time in nanoseconds with three significant digits: `417 ns`, `23.1 µs`, `1.05 s`, `312 s`.
pub fn time(nanoseconds: u64) -> String {
    Unit::Time.show_padded(nanoseconds)
}

/// Formats an approximate duration with its two largest units: `45 s`, `3 min 20 s`, `2 h 5 min`, `10 d 12 h`. A duration of less
/// than one second is formatted in milliseconds: `328 ms`.
pub fn approximate_duration(duration: Duration) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")];
    if !duration.is_zero() && duration < Duration::from_secs(1) {
        return format!("{} ms", duration.as_millis().max(1));
    }
    let seconds = duration.as_secs() + u64::from(duration.subsec_millis() >= 500);
    let largest_unit = UNITS.iter().position(|&(length, _)| seconds >= length).unwrap_or(UNITS.len() - 1);
    let mut remaining = seconds;
    let mut parts = Vec::new();
    for &(length, unit) in UNITS.iter().skip(largest_unit).take(2) {
        let number = remaining / length;
        remaining %= length;
        if number > 0 || parts.is_empty() {
            parts.push(format!("{} {unit}", thousands(number)));
        }
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_printed_in_a_fitting_unit() {
        let times =
            [0, 1, 999, 1000, 12_340, 999_499, 999_500, 1_500_000_000, 10_000_000_000, 3_600_000_000_000];
        let text = times.map(|time| Unit::Time.show(time));
        let expected =
            ["0 ns", "1 ns", "999 ns", "1 µs", "12.3 µs", "999 µs", "1 ms", "1.5 s", "10 s", "3600 s"];
        assert_eq!(text, expected);
        let counts = [1, 999, 1000, 2057, 15_720, 1_000_000, u64::MAX].map(|count| Unit::Count.show(count));
        assert_eq!(counts, ["1", "999", "1k", "2.06k", "15.7k", "1M", "18.4E"]);
        let shares = [0.0, 1e-6, 1.0 / 300.0, 0.05, 0.5, 1.0].map(|share| Share.format(share));
        assert_eq!(shares, ["0 %", "0.0001 %", "0.33 %", "5 %", "50 %", "100 %"]);
        let numbers = [0, 7, 724, 2057, 14_200, 666_090_624].map(thousands);
        assert_eq!(numbers, ["0", "7", "724", "2,057", "14,200", "666,090,624"]);
    }

    #[test]
    fn small_factors_have_two_or_three_significant_digits() {
        let text = [0.0, 0.000_012_3, 0.000_123, 0.002_81, 0.0214, 0.0996, 0.43, 7.02, 44.3].map(digits);
        let expected = ["0.00", "1.23e-5", "0.000123", "0.00281", "0.0214", "0.10", "0.43", "7.02", "44.3"];
        assert_eq!(text, expected);
    }

    #[test]
    fn large_ratios_have_thousands_separators() {
        let range_text = |low, high| precise_range(Range { low, high });
        let text = [
            range_text(0.5, 999.4),
            range_text(1000.0, 18_204.3),
            range_text(5586.0, f64::INFINITY),
            range_text(2e6, 2e6),
        ];
        assert_eq!(text, ["0.50 to 999", "1,000 to 18,204", "more than 5,586", "2,000,000"]);
    }

    #[test]
    fn padded_values_keep_trailing_zeros() {
        let text = [417, 1000, 23_140, 999_600, 1_050_000_000, 312_400_000_000];
        let text = text.map(|time| Unit::Time.show_padded(time));
        assert_eq!(text, ["417 ns", "1.00 µs", "23.1 µs", "1.00 ms", "1.05 s", "312 s"]);
    }

    #[test]
    fn only_factors_below_ten_have_a_decimal() {
        assert_eq!([1.0, 9.94, 9.96, 21_000.4].map(factor), ["1.0", "9.9", "10", "21,000"]);
    }

    #[test]
    fn approximate_durations_are_rounded() {
        assert_eq!(approximate_duration(Duration::from_millis(300)), "300 ms");
        assert_eq!(approximate_duration(Duration::from_millis(44_600)), "45 s");
        assert_eq!(approximate_duration(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(approximate_duration(Duration::from_secs(7_515)), "2 h 5 min");
    }

    #[test]
    fn approximate_durations_have_the_two_largest_units() {
        let texts = [0, 45, 200, 3600, 7_529, 86_400, 909_000, 200_000_000]
            .map(|seconds| approximate_duration(Duration::from_secs(seconds)));
        assert_eq!(
            texts,
            ["0 s", "45 s", "3 min 20 s", "1 h", "2 h 5 min", "1 d", "10 d 12 h", "2,314 d 19 h"]
        );
        let short_texts = [1, 499, 999, 1_600]
            .map(|milliseconds| approximate_duration(Duration::from_millis(milliseconds)));
        assert_eq!(short_texts, ["1 ms", "499 ms", "999 ms", "2 s"]);
    }
}
