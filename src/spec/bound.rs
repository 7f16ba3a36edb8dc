//! The bound of a claim, as a range of numbers.

use std::fmt;
use std::str::FromStr;

use timestats::Range;

use super::value_error::ValueError;

/// The range of numbers for which a claim holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    low: f64,
    high: f64,
    /// Whether `low` and `high` belong to the range.
    is_closed: bool,
    /// The text that the range was parsed from.
    text: String,
}

impl Bound {
    /// The bound of the difference of two numbers that must be equal: exactly 0.
    pub(super) fn zero() -> Self {
        Self { low: 0.0, high: 0.0, is_closed: true, text: String::new() }
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
        // A range without a lower end includes negative infinity, and a range without an upper end includes infinity.
        number > self.low || (number == self.low && (self.is_closed || self.low.is_infinite()))
    }

    fn is_below_high(&self, number: f64) -> bool {
        number < self.high || (number == self.high && (self.is_closed || self.high.is_infinite()))
    }
}

impl Bound {
    /// The text for reports: `≥ 2`.
    pub(super) fn text_for_reports(&self) -> String {
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
        let operators = [("<=", true), (">=", true), ("<", false), (">", false)];
        let operator = operators.into_iter().find_map(|(operator, is_closed)| {
            Some((operator, is_closed, text.trim().strip_prefix(operator)?))
        });
        let ends = match operator {
            Some((operator, is_closed, operand)) => number(operand.trim()).map(|value| {
                let (low, high) =
                    if operator.starts_with('<') { (negative_infinity, value) } else { (value, infinity) };
                (low, high, is_closed)
            }),
            None => text.trim().match_indices('-').find_map(|(index, _)| {
                let (low, high) = text.trim().split_at(index);
                let (low, high) = (number(low.trim())?, number(high[1..].trim())?);
                (low <= high).then_some((low, high, true))
            }),
        };
        let (low, high, is_closed) = ends.ok_or_else(|| ValueError::NotABound(text.to_owned()))?;
        Ok(Self { low, high, is_closed, text: text.trim().to_owned() })
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
    fn bound_may_include_exclude_or_overlap_an_interval() {
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
            let error = text.parse::<Bound>().expect_err("not a bound");
            wording::assert_wording!("claim", &format!("bound '{text}'"), error);
        }
    }
}
