//! How often a cell is repeated: a number of times, or until its median is known to a given precision.
//!
//! Whether another run of a cell is needed follows from its earlier timed runs alone, so that a sweep that is resumed
//! decides as one that was never interrupted.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use super::plan::{Plan, Run};
use crate::record::{Kind, Row};
use timestats::{MEDIAN_INTERVAL_RUNS, Sample, Time};

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

/// The timed runs of each cell so far, which decide whether it is repeated.
#[derive(Default)]
pub struct Precision {
    until: Option<f64>,
    cells: HashMap<String, Times>,
}

#[derive(Default)]
struct Times {
    runs: usize,
    answered: usize,
    /// Times of the answered runs, and of the runs that a limit stopped.
    known: Vec<Time>,
    /// Whether these runs suffice, once it was asked.
    suffices: Option<bool>,
}

impl Precision {
    /// The runs of these rows.
    pub fn of(plan: &Plan, rows: &[Row]) -> Self {
        let mut precision = Self { until: plan.repeat.until, ..Self::default() };
        rows.iter().for_each(|row| precision.observe(row));
        precision
    }

    /// Records a run. Warm-up and counting runs do not count, nor does a run that another one replaces.
    pub fn observe(&mut self, row: &Row) {
        if self.until.is_none() || row.kind != Kind::Timed || row.is_replaced() {
            return;
        }
        let times = self.cells.entry(row.cell_id.clone()).or_default();
        times.runs += 1;
        times.answered += usize::from(row.is_answered());
        times.known.extend(row.time());
        times.suffices = None;
    }

    /// Whether this run is not needed any more: it is a further timed run of a cell whose runs suffice. They do after at
    /// least [`MEDIAN_INTERVAL_RUNS`] runs, when the interval of the median is narrow enough, or when fewer than half of them have
    /// an answer.
    pub fn leaves_out(&mut self, plan: &Plan, run: &Run) -> bool {
        let Some(percent) = self.until else { return false };
        let Some(times) = self.cells.get_mut(&plan.cells[run.cell].id) else { return false };
        if run.kind != Kind::Timed {
            return false;
        }
        let suffices = times.suffices.unwrap_or_else(|| times.suffice(percent));
        times.suffices = Some(suffices);
        suffices
    }
}

impl Times {
    fn suffice(&self, percent: f64) -> bool {
        if self.runs < MEDIAN_INTERVAL_RUNS || 2 * self.answered < self.runs {
            return self.runs >= MEDIAN_INTERVAL_RUNS;
        }
        let sample: Sample = self.known.iter().copied().collect();
        let Some((low, high)) = sample.median_interval(0.95) else { return false };
        let exact = [Some(low), sample.median(), Some(high)].map(|time| time.and_then(Time::exact));
        let [Some(low), Some(median), Some(high)] = exact else { return false };
        let farthest = (high - median).max(median - low) as f64;
        farthest <= median as f64 * percent / 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Status, Verdict};
    use crate::solver::Goal;

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

    fn suffice(times: &[u64], unanswered: usize) -> bool {
        let timed = |status, time| Row {
            status,
            verdict: Verdict::Correct,
            solve_ns: Some(time),
            ..Row::skipped("r".into(), "c".into(), 8, Goal::Count, "s".into())
        };
        let answered = times.iter().map(|&time| timed(Status::Complete, time));
        let mut precision = Precision { until: Some(2.0), ..Precision::default() };
        let failed = std::iter::repeat_n(timed(Status::Timeout, 0), unanswered);
        answered.chain(failed).for_each(|row| precision.observe(&row));
        let times = precision.cells.get("c").expect("timed runs");
        times.suffice(2.0)
    }

    #[test]
    fn a_cell_is_repeated_until_the_interval_of_its_median_is_within_the_percentage() {
        assert!(!suffice(&[1000; 5], 0), "no interval is given for five runs");
        assert!(suffice(&[1000; 6], 0));
        // Of seven runs, the interval of the median reaches from the smallest to the largest.
        assert!(suffice(&[980, 990, 1000, 1000, 1000, 1010, 1020], 0));
        assert!(!suffice(&[979, 990, 1000, 1000, 1000, 1010, 1020], 0));
        assert!(!suffice(&[980, 990, 1000, 1000, 1000, 1010, 1021], 0));
        assert!(suffice(&[0; 6], 0), "the clock does not show a difference");
    }

    #[test]
    fn a_cell_without_answers_is_not_repeated_to_the_end() {
        assert!(!suffice(&[], 5));
        assert!(suffice(&[], 6));
        assert!(suffice(&[1000, 2000], 4), "two of six");
        assert!(
            !suffice(&[1000, 1000, 1000, 2000], 2),
            "four of six have a median, and its interval has no end"
        );
        assert!(!suffice(&[1000, 1000, 1000], 3), "half of six have no median");
    }
}
