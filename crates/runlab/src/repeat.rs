//! The number of repetitions of a cell: fixed, or until its median has a given precision.

use std::fmt;
use std::str::FromStr;

use timestats::MEDIAN_INTERVAL_RUNS;

/// The default maximum number of runs of a cell with a given precision.
const DEFAULT_MAXIMUM: u32 = 50;

/// The number of timed runs of each cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// The number of runs, or if `until` is given, their maximum number.
    pub maximum: u32,
    /// The cell gets no further runs if both ends of the interval of its median are within this percentage of the median.
    pub until: Option<f64>,
}

impl Repeat {
    /// A fixed number of runs.
    pub fn times(number: u32) -> Self {
        Self { maximum: number, until: None }
    }
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.until {
            None => write!(f, "{}", self.maximum),
            Some(percent) => write!(f, "until {percent}%, at most {}", self.maximum),
        }
    }
}

/// A text that is neither a number of runs nor a precision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is neither a number of runs nor a precision: write '7', 'until 2%', or 'until 2%, at most 30' with a maximum of at \
     least {MEDIAN_INTERVAL_RUNS} runs"
)]
pub struct RepeatError(String);

impl FromStr for Repeat {
    type Err = RepeatError;

    /// Parses `5`, `until 2%` or `until 2%, at most 30`.
    fn from_str(text: &str) -> Result<Self, RepeatError> {
        let repeat = match text.trim().strip_prefix("until ") {
            None => text.trim().parse().ok().map(Self::times),
            Some(precision) => {
                let (percent, maximum) = match precision.split_once(", at most ") {
                    Some((percent, maximum)) => (percent, maximum.trim().parse().ok()),
                    None => (precision, Some(DEFAULT_MAXIMUM)),
                };
                let until = percent.trim().strip_suffix('%').and_then(|percent| percent.trim().parse().ok());
                maximum.zip(until).map(|(maximum, until)| Self { maximum, until: Some(until) })
            }
        };
        let is_valid = |repeat: &Self| {
            let has_interval = repeat.maximum as usize >= MEDIAN_INTERVAL_RUNS;
            repeat.until.is_none_or(|percent| percent > 0.0 && percent <= 100.0 && has_interval)
        };
        repeat.filter(is_valid).ok_or_else(|| RepeatError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_and_precision_are_parsed_and_printed() {
        let parse = |value: &str| value.parse::<Repeat>();
        assert_eq!(parse("7"), Ok(Repeat::times(7)));
        let until_precise = |percent, maximum| Ok(Repeat { maximum, until: Some(percent) });
        assert_eq!(parse("until 2%"), until_precise(2.0, 50));
        assert_eq!(parse("until 0.5 %, at most 200"), until_precise(0.5, 200));
        assert_eq!(
            parse(&parse("until 0.5 %, at most 200").expect("valid").to_string()),
            until_precise(0.5, 200)
        );
        for invalid in ["-1", "until", "until 0%", "until 2", "until NaN%", "until 2%, at most 5", "true"] {
            assert_eq!(parse(invalid), Err(RepeatError(invalid.to_owned())));
        }
        wording::assert_wording!("runlab", "repeat = -1", RepeatError("-1".to_owned()));
    }
}
