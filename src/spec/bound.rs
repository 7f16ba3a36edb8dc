//! The bound of a claim, as a range of numbers.

use std::fmt;
use std::str::FromStr;

use timestats::Range;

use super::value_error::ValueError;

/// A range of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    low: f64,
    high: f64,
    /// Whether `low` and `high` belong to the range.
    closed: bool,
    /// The text that the range was parsed from.
    text: String,
}

impl Bound {
    /// The bound of the difference of two numbers that must be equal: exactly 0.
    pub(super) fn zero() -> Self {
        Self { low: 0.0, high: 0.0, closed: true, text: String::new() }
    }

    /// Whether all numbers of an interval are in the range.
    pub fn includes(&self, interval: Range) -> bool {
        self.is_above_low(interval.low) && self.is_below_high(interval.high)
    }

    /// Whether no number of an interval is in the range.
    pub fn excludes(&self, interval: Range) -> bool {
        !self.is_above_low(interval.high) || !self.is_below_high(interval.low)
    }

    fn is_above_low(&self, number: f64) -> bool {
        // If a range has no upper or lower end, it includes the infinite number on that side.
        number > self.low || (number == self.low && (self.closed || self.low.is_infinite()))
    }

    fn is_below_high(&self, number: f64) -> bool {
        number < self.high || (number == self.high && (self.closed || self.high.is_infinite()))
    }
}

impl Bound {
    /// The text for reports: `≥ 2`.
    pub(super) fn for_readers(&self) -> String {
        self.text.replace(">=", "≥").replace("<=", "≤")
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Bound {
    type Err = ValueError;

    /// Parses `< 1`, `<= 1`, `> 2`, `>= 2` or the closed range `5.2-5.8`.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let (negative_infinity, infinity) = (f64::NEG_INFINITY, f64::INFINITY);
        let signs = [("<=", true), (">=", true), ("<", false), (">", false)];
        let sign = signs
            .into_iter()
            .find_map(|(sign, closed)| Some((sign, closed, text.trim().strip_prefix(sign)?)));
        let ends = match sign {
            Some((sign, closed, operand)) => number(operand.trim()).map(|value| {
                let (low, high) =
                    if sign.starts_with('<') { (negative_infinity, value) } else { (value, infinity) };
                (low, high, closed)
            }),
            None => text.trim().match_indices('-').find_map(|(at, _)| {
                let (low, high) = text.trim().split_at(at);
                let (low, high) = (number(low.trim())?, number(high[1..].trim())?);
                (low <= high).then_some((low, high, true))
            }),
        };
        let (low, high, closed) = ends.ok_or_else(|| ValueError::NotABound(text.to_owned()))?;
        Ok(Self { low, high, closed, text: text.trim().to_owned() })
    }
}

/// Parses a finite number.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bound_contains_excludes_or_intersects_an_interval() {
        let bound = |text: &str| text.parse::<Bound>().expect("a bound");
        for (text, (low, high), includes, excludes) in [
            ("< 1", (0.2, 0.9), true, false),
            ("< 1", (0.9, 1.0), false, false),
            ("< 1", (1.0, 1.0), false, true),
            ("<= 1", (1.0, 1.0), true, false),
            ("> 2", (2.0, 3.0), false, false),
            (">= 2", (2.0, f64::INFINITY), true, false),
            ("> 2", (2.1, f64::INFINITY), true, false),
            ("> 2", (1.0, 2.0), false, true),
            ("5.2-5.8", (5.2, 5.8), true, false),
            ("5.2-5.8", (5.1, 5.8), false, false),
            ("5.2-5.8", (5.9, 6.0), false, true),
            ("-3--1", (-2.0, -1.0), true, false),
            ("1e-3-2", (1.0, 2.0), true, false),
            ("> 1", (f64::INFINITY, f64::INFINITY), true, false),
            ("< 5", (f64::INFINITY, f64::INFINITY), false, true),
        ] {
            let (bound, interval) = (bound(text), Range { low, high });
            assert_eq!(
                (bound.includes(interval), bound.excludes(interval)),
                (includes, excludes),
                "{text} {interval:?}"
            );
        }
        for text in ["1", "2-1", "= 3", ""] {
            let error = text.parse::<Bound>().expect_err("no bound");
            wording::assert_wording!("claim", &format!("bound '{text}'"), error);
        }
    }
}
