//! Times, which are exact or censored, and ranges of numbers that are computed from times.

use std::ops::Sub;

/// The time of a run, in nanoseconds or any other unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Time {
    /// The run ended after this time.
    Exact(u64),
    /// A limit stopped the run: the time is longer than this value.
    Censored(u64),
}

impl Time {
    /// The time, if it is exact.
    pub fn exact(self) -> Option<u64> {
        match self {
            Self::Exact(time) => Some(time),
            Self::Censored(_) => None,
        }
    }

    /// Whether the time is only known to be longer than a limit.
    pub fn is_censored(self) -> bool {
        self.exact().is_none()
    }

    /// The values that the time may have.
    pub fn range(self) -> Range {
        match self {
            Self::Exact(time) => Range::exact(time as f64),
            Self::Censored(limit) => Range { low: limit as f64, high: f64::INFINITY },
        }
    }

    /// The values that the natural logarithm of the time may have. The logarithm of 0 is minus infinity.
    pub fn ln(self) -> Range {
        self.range().map(f64::ln)
    }
}

impl From<u64> for Time {
    fn from(time: u64) -> Self {
        Self::Exact(time)
    }
}

/// The possible values of a number, or its confidence interval. An unknown end is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
}

impl Range {
    /// The range of a number that is known exactly.
    pub fn exact(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// The number, if it is known exactly.
    pub fn value(self) -> Option<f64> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether both ends are finite.
    pub fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// Whether the range contains a value.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Applies an increasing function to both ends.
    #[must_use]
    pub fn map(self, function: impl Fn(f64) -> f64) -> Self {
        Self { low: function(self.low), high: function(self.high) }
    }
}

/// Serializes a range as `[low, high]`. Infinite ends are null in JSON.
#[cfg(feature = "serde")]
impl serde::Serialize for Range {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.low, self.high).serialize(serializer)
    }
}

impl Sub for Range {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { low: self.low - other.high, high: self.high - other.low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_of_ranges_contains_every_difference() {
        let (censored, exact) = (Time::Censored(10).range(), Time::Exact(4).range());
        assert_eq!(censored - exact, Range { low: 6.0, high: f64::INFINITY });
        assert_eq!(exact - censored, Range { low: f64::NEG_INFINITY, high: -6.0 });
        assert_eq!((exact - exact).value(), Some(0.0));
        assert_eq!((censored - censored).value(), None);
    }

    #[test]
    fn logarithm_of_censored_time_has_no_upper_end() {
        let ln = Time::Censored(1).ln();
        assert_eq!((ln.low, ln.high, ln.is_finite()), (0.0, f64::INFINITY, false));
        assert!(ln.contains(7.0) && !ln.contains(-0.1));
    }
}
