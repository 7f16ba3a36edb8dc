//! How often a cell is repeated: a number of times, or until its median is known to a given precision.
//!
//! Whether another run of a cell is needed follows from its earlier timed runs alone, so that an experiment that is resumed
//! decides as one that was never interrupted.

use std::fmt;
use std::str::FromStr;

use timestats::{MEDIAN_INTERVAL_RUNS, Sample, Time};

use crate::finished::{FinishedRun, Outcome};
use crate::plan::{Kind, Run};

/// The largest number of runs of a cell with a precision, unless another one is given.
const DEFAULT_MAXIMUM: u32 = 50;

/// The timed runs of each cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// The largest number of them; without `until`, the number.
    pub maximum: u32,
    /// A cell is not repeated further when the interval of its median is within this percentage of the median.
    pub until: Option<f64>,
}

impl Repeat {
    /// A fixed number of runs.
    pub fn times(number: u32) -> Self {
        Self { maximum: number, until: None }
    }

    /// Whether another run takes the place of a run that other processes disturbed.
    pub fn replaces(&self, run: &Run) -> bool {
        self.until.is_some() && run.kind == Kind::Timed && run.repetition < self.maximum
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
    "'{0}' is not a number of runs, nor a precision such as 'until 2%' or 'until 2%, at most 30' with \
     at least {MEDIAN_INTERVAL_RUNS} runs"
)]
pub struct RepeatError(String);

impl FromStr for Repeat {
    type Err = RepeatError;

    /// Parses `5`, `until 2%` or `until 2%, at most 30`.
    fn from_str(text: &str) -> Result<Self, RepeatError> {
        let repeat = match text.trim().strip_prefix("until ") {
            None => text.trim().parse().ok().map(Self::times),
            Some(rest) => {
                let (percent, maximum) = match rest.split_once(", at most ") {
                    Some((percent, maximum)) => (percent, maximum.trim().parse().ok()),
                    None => (rest, Some(DEFAULT_MAXIMUM)),
                };
                let until = percent.trim().strip_suffix('%').and_then(|percent| percent.trim().parse().ok());
                maximum.zip(until).map(|(maximum, until)| Self { maximum, until: Some(until) })
            }
        };
        let is_valid = |repeat: &Self| {
            let enough = repeat.maximum as usize >= MEDIAN_INTERVAL_RUNS;
            repeat.until.is_none_or(|percent| percent > 0.0 && percent <= 100.0 && enough)
        };
        repeat.filter(is_valid).ok_or_else(|| RepeatError(text.to_owned()))
    }
}

/// The timed runs of each cell so far, which decide whether it is repeated.
pub(crate) struct Precision {
    until: Option<f64>,
    cells: Vec<Times>,
}

#[derive(Clone, Default)]
struct Times {
    runs: usize,
    answered: usize,
    /// Times of the answered runs, and of the runs that a limit stopped.
    times: Vec<Time>,
    /// Whether these runs suffice, once that was computed.
    suffices: Option<bool>,
}

impl Precision {
    /// No runs of this many cells.
    pub fn new(repeat: Repeat, cells: usize) -> Self {
        Self { until: repeat.until, cells: vec![Times::default(); cells] }
    }

    /// Records a run. Warm-up and counting runs do not count, nor does a run that another one replaces.
    pub fn observe(&mut self, run: &Run, row: &impl FinishedRun) {
        if self.until.is_none() || run.kind != Kind::Timed || row.is_replaced() {
            return;
        }
        let cell = &mut self.cells[run.cell];
        cell.runs += 1;
        cell.answered += usize::from(row.outcome() == Outcome::Answered);
        cell.times.extend(row.time());
        cell.suffices = None;
    }

    /// Whether this run is not needed any more: it is a further timed run of a cell whose runs suffice. They do after at
    /// least [`MEDIAN_INTERVAL_RUNS`] runs, when the interval of the median is narrow enough, or when fewer than half of them
    /// have an answer.
    pub fn suffices_without(&mut self, run: &Run) -> bool {
        let Some(percent) = self.until.filter(|_| run.kind == Kind::Timed) else { return false };
        let cell = &mut self.cells[run.cell];
        let suffices = cell.suffices.unwrap_or_else(|| cell.suffice(percent));
        cell.suffices = Some(suffices);
        suffices
    }
}

impl Times {
    fn suffice(&self, percent: f64) -> bool {
        if self.runs < MEDIAN_INTERVAL_RUNS || 2 * self.answered < self.runs {
            return self.runs >= MEDIAN_INTERVAL_RUNS;
        }
        let sample: Sample = self.times.iter().copied().collect();
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

    #[test]
    fn a_number_or_a_precision_is_read_and_written() {
        let read = |value: &str| value.parse::<Repeat>();
        assert_eq!(read("7"), Ok(Repeat::times(7)));
        let until = |percent, maximum| Ok(Repeat { maximum, until: Some(percent) });
        assert_eq!(read("until 2%"), until(2.0, 50));
        assert_eq!(read("until 0.5 %, at most 200"), until(0.5, 200));
        assert_eq!(read(&read("until 0.5 %, at most 200").expect("valid").to_string()), until(0.5, 200));
        for bad in ["-1", "until", "until 0%", "until 2", "until NaN%", "until 2%, at most 5", "true"] {
            assert_eq!(read(bad), Err(RepeatError(bad.to_owned())));
        }
        wording::assert_wording!("runlab", "repeat = -1", RepeatError("-1".to_owned()));
    }

    struct Toy(Outcome, Option<Time>);

    impl FinishedRun for Toy {
        fn run_id(&self) -> &str {
            ""
        }

        fn outcome(&self) -> Outcome {
            self.0
        }

        fn time(&self) -> Option<Time> {
            self.1
        }

        fn wall(&self) -> std::time::Duration {
            std::time::Duration::ZERO
        }
    }

    fn suffice(times: &[u64], unanswered: usize) -> bool {
        let mut precision = Precision::new(Repeat { maximum: 50, until: Some(2.0) }, 1);
        let run = Run { cell: 0, round: 1, kind: Kind::Timed, repetition: 1 };
        let answered = times.iter().map(|&time| Toy(Outcome::Answered, Some(Time::Exact(time))));
        let stopped = (0..unanswered).map(|_| Toy(Outcome::TimedOut, Some(Time::Censored(10_000))));
        answered.chain(stopped).for_each(|row| precision.observe(&run, &row));
        precision.suffices_without(&run)
    }

    #[test]
    fn interval_of_the_median_decides_on_repetition() {
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
        assert!(!suffice(&[1000, 1000, 1000, 2000], 2), "the interval has no end");
        assert!(!suffice(&[1000, 1000, 1000], 3), "half of six have no median");
    }
}
