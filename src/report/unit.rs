//! Times, numbers and factors as readers see them: three significant digits, and a unit.

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
        let (digits, rest) = self.parts(value);
        let digits = match digits.contains('.') {
            true => digits.trim_end_matches('0').trim_end_matches('.'),
            false => &digits,
        };
        format!("{digits}{rest}")
    }

    /// Formats a value with three significant digits, with trailing zeros, for columns: `1.50 s`.
    pub fn show_padded(self, value: u64) -> String {
        let (digits, rest) = self.parts(value);
        digits + &rest
    }

    /// The digits, and the unit with the space before it.
    fn parts(self, value: u64) -> (String, String) {
        let (steps, gap): (&[&str], _) = match self {
            Unit::Time => (&["ns", "µs", "ms", "s"], " "),
            Unit::Count => (&["", "k", "M", "G", "T", "P", "E"], ""),
        };
        let mut scaled = value as f64;
        let mut step = 0;
        // 999.5 would be shown as 1000.
        while scaled >= 999.5 && step + 1 < steps.len() {
            scaled /= 1000.0;
            step += 1;
        }
        let digits = if step == 0 { value.to_string() } else { digits(scaled) };
        (digits, format!("{gap}{}", steps[step]))
    }
}

/// `1 run`, `2 runs`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The nearest whole number. Negative numbers become 0, and numbers that are too large the largest one.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast of a float stops at both ends"
)]
pub fn rounded(value: f64) -> u64 {
    value.round() as u64
}

/// A factor with three significant digits.
pub fn digits(factor: f64) -> String {
    match factor {
        0.0..9.995 => format!("{factor:.2}"),
        9.995..99.95 => format!("{factor:.1}"),
        99.95..1e6 => format!("{factor:.0}"),
        _ => format!("{factor:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_in_their_unit() {
        let times =
            [0, 1, 999, 1000, 12_340, 999_499, 999_500, 1_500_000_000, 10_000_000_000, 3_600_000_000_000];
        let shown = times.map(|time| Unit::Time.show(time));
        let expected =
            ["0 ns", "1 ns", "999 ns", "1 µs", "12.3 µs", "999 µs", "1 ms", "1.5 s", "10 s", "3600 s"];
        assert_eq!(shown, expected);
        let counts = [1, 999, 1000, 2057, 15_720, 1_000_000, u64::MAX].map(|count| Unit::Count.show(count));
        assert_eq!(counts, ["1", "999", "1k", "2.06k", "15.7k", "1M", "18.4E"]);
    }

    #[test]
    fn in_columns_zeros_stay() {
        let shown = [417, 1000, 23_140, 999_600, 1_050_000_000, 312_400_000_000];
        let shown = shown.map(|time| Unit::Time.show_padded(time));
        assert_eq!(shown, ["417 ns", "1.00 µs", "23.1 µs", "1.00 ms", "1.05 s", "312 s"]);
    }
}
