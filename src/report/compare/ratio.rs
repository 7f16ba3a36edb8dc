//! The ratio of two medians, and its 95 % interval by percentile bootstrap: both samples are drawn anew with
//! a fixed seed, so that the same runs always give the same interval. Below [`CI_MIN_RUNS`] runs on either
//! side there is none. A median of which half of the runs were stopped is infinite.

use super::Overall;
use crate::report::stats::{CI_MIN_RUNS, STOPPED, percentile};

const RESAMPLES: usize = 10_000;
const SEED: u64 = 1;

/// Median of the second sample over that of the first, both sorted and without a time of 0; below 1 the second is faster. `None`
/// if one is not known.
pub fn of_medians(first: &[u64], second: &[u64]) -> Option<f64> {
    let known =
        |times: &[u64]| (!times.is_empty()).then(|| median(times)).filter(|median| median.is_finite());
    Some(known(second)? / known(first)?)
}

/// Logarithms of the ratio in every resample, in the order in which they were drawn.
pub fn resampled_logs(first: &[u64], second: &[u64], cell: usize) -> Option<Vec<f64>> {
    if first.len() < CI_MIN_RUNS || second.len() < CI_MIN_RUNS {
        return None;
    }
    // A seed for each cell: otherwise cells would err alike, and their mean would seem less certain.
    let mut random = fastrand::Rng::with_seed(SEED.wrapping_add(cell as u64));
    let mut draw = |from: &[u64], into: &mut Vec<u64>| {
        into.clear();
        into.extend(from.iter().map(|_| from[random.usize(..from.len())]));
        into.sort_unstable();
        median(into)
    };
    let (mut a, mut b) = (Vec::new(), Vec::new());
    Some((0..RESAMPLES).map(|_| (draw(second, &mut b) / draw(first, &mut a)).ln()).collect())
}

/// The middle 95 % of resamples. Where both medians are infinite, their ratio may be anything.
pub fn middle_95(logs: &[f64]) -> [f64; 2] {
    let sorted = |unknown: f64| {
        let known = |log: &f64| if log.is_nan() { unknown } else { *log };
        let mut logs: Vec<f64> = logs.iter().map(known).collect();
        logs.sort_unstable_by(f64::total_cmp);
        logs
    };
    let cut = logs.len() / 40;
    [sorted(f64::NEG_INFINITY)[cut].exp(), sorted(f64::INFINITY)[logs.len() - 1 - cut].exp()]
}

fn median(sorted: &[u64]) -> f64 {
    match percentile(sorted, 50) {
        STOPPED => f64::INFINITY,
        time => time as f64,
    }
}

/// The geometric mean of ratios.
#[derive(Default)]
pub struct Mean {
    cells: usize,
    log_sum: f64,
    /// The sums of the logarithms in every resample.
    sums: Vec<f64>,
}

impl Mean {
    /// Adds a ratio that is known in all of its resamples.
    pub fn add(&mut self, ratio: f64, logs: Option<&[f64]>) {
        let Some(logs) = logs.filter(|logs| logs.iter().all(|log| log.is_finite())) else { return };
        self.cells += 1;
        self.log_sum += ratio.ln();
        self.sums.resize(logs.len(), 0.0);
        self.sums.iter_mut().zip(logs).for_each(|(sum, log)| *sum += log);
    }

    /// The mean of what was added; `None` if nothing was.
    pub fn overall(self) -> Option<Overall> {
        let Self { cells, log_sum, mut sums } = self;
        sums.iter_mut().for_each(|sum| *sum /= cells as f64);
        let overall = || Overall { cells, ratio: (log_sum / cells as f64).exp(), ci95: middle_95(&sums) };
        (cells > 0).then(overall)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_the_second_over_the_first() {
        assert_eq!(of_medians(&[100, 200, 300], &[400]), Some(2.0));
        assert_eq!(of_medians(&[], &[3]), None);
    }

    #[test]
    fn the_interval_of_distinct_samples_holds_their_ratio_and_equal_runs_leave_no_doubt() {
        let (a, b) = ([100, 101, 102, 103, 104], [200, 202, 204, 206, 208]);
        let [low, high] = middle_95(&resampled_logs(&a, &b, 0).expect("enough runs"));
        // The bounds are ratios of order statistics: 200/104 and 208/100 at most.
        assert!((200.0 / 104.0..2.0).contains(&low) && (2.0..=2.08).contains(&high), "{low} {high}");
        let [low, high] = middle_95(&resampled_logs(&[7; 5], &[7; 5], 0).expect("enough runs"));
        assert_eq!((low, high), (1.0, 1.0));
        assert_eq!(resampled_logs(&a[..4], &b, 0), None);
        // The median of five with one stopped run is stopped in 5.8 % of all resamples, and that of both in 0.3 %.
        let (a, b) = ([100, 101, 102, 103, STOPPED], [200, 202, 204, 206, STOPPED]);
        let [low, high] = middle_95(&resampled_logs(&a, &b, 0).expect("enough runs"));
        assert_eq!((low, high), (0.0, f64::INFINITY));
        assert_eq!((of_medians(&a, &b), of_medians(&a, &[1, STOPPED])), (Some(2.0), None));
    }
}
