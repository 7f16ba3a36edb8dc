//! How often a cell is repeated: a number of times, or until its median is known to a given precision.

use std::fmt;
use std::str::FromStr;

use timestats::MEDIAN_INTERVAL_RUNS;

/// The largest number of runs of a cell, unless a spec gives another one with `until`.
const MOST: u32 = 50;

/// The timed runs of each cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// The largest number of them; without `until`, the number. 0: solvers only count, and no program can run.
    pub most: u32,
    /// A cell is not repeated further when the interval of its median is within this percentage of the median.
    pub until: Option<f64>,
}

impl Repeat {
    /// A fixed number of runs.
    pub fn times(most: u32) -> Self {
        Self { most, until: None }
    }
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.until {
            None => write!(f, "{}", self.most),
            Some(percent) => write!(f, "until {percent}%, at most {}", self.most),
        }
    }
}

impl FromStr for Repeat {
    type Err = String;

    /// Parses `5`, `until 2%` or `until 2%, at most 30`.
    fn from_str(text: &str) -> Result<Self, String> {
        let repeat = match text.trim().strip_prefix("until ") {
            None => text.trim().parse().ok().map(Self::times),
            Some(rest) => {
                let (percent, most) = match rest.split_once(", at most ") {
                    Some((percent, most)) => (percent, most.trim().parse().ok()),
                    None => (rest, Some(MOST)),
                };
                let until = percent.trim().strip_suffix('%').and_then(|percent| percent.trim().parse().ok());
                most.zip(until).map(|(most, until)| Self { most, until: Some(until) })
            }
        };
        let is_valid = |repeat: &Self| {
            let enough = repeat.most as usize >= MEDIAN_INTERVAL_RUNS;
            repeat.until.is_none_or(|percent| percent > 0.0 && percent <= 100.0 && enough)
        };
        repeat.filter(is_valid).ok_or_else(|| {
            format!(
                "'{text}' is not a number of runs, nor a precision such as 'until 2%' or 'until 2%, at most 30' with \
                 at least {MEDIAN_INTERVAL_RUNS} runs"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_or_a_precision_is_read_and_written() {
        let read = |value: &str| value.parse::<Repeat>();
        assert_eq!(read("7"), Ok(Repeat::times(7)));
        let until = |percent, most| Ok(Repeat { most, until: Some(percent) });
        assert_eq!(read("until 2%"), until(2.0, 50));
        assert_eq!(read("until 0.5 %, at most 200"), until(0.5, 200));
        assert_eq!(read(&read("until 0.5 %, at most 200").expect("valid").to_string()), until(0.5, 200));
        for bad in ["-1", "until", "until 0%", "until 2", "until NaN%", "until 2%, at most 5", "true"] {
            let error = read(bad).expect_err(bad);
            assert!(error.contains("until 2%, at most 30"), "{bad}: {error}");
        }
    }
}
