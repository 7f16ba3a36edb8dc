//! The ratio of two medians, and its 95 % interval by percentile bootstrap: both samples are drawn anew with
//! a fixed seed, so that the same runs always give the same interval. Below [`CI_MIN_RUNS`] runs on either
//! side there is none.

use crate::report::stats::{CI_MIN_RUNS, percentile};

const RESAMPLES: usize = 10_000;
const SEED: u64 = 1;

/// Median of the second sample over that of the first; below 1 the second is faster.
pub fn of_medians(first: &[u64], second: &[u64]) -> Option<f64> {
    Some(median(&mut second.to_vec())? / median(&mut first.to_vec())?)
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
        median(into)
    };
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let logs = (0..RESAMPLES).map(|_| Some((draw(second, &mut b)? / draw(first, &mut a)?).ln()));
    logs.collect()
}

/// The middle 95 % of resamples.
pub fn middle_95(logs: &mut [f64]) -> (f64, f64) {
    logs.sort_unstable_by(f64::total_cmp);
    let cut = logs.len() / 40;
    (logs[cut].exp(), logs[logs.len() - 1 - cut].exp())
}

/// A clock that says 0 says less than its resolution.
fn median(values: &mut [u64]) -> Option<f64> {
    values.sort_unstable();
    (!values.is_empty()).then(|| percentile(values, 50).max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_the_second_over_the_first() {
        assert_eq!(of_medians(&[100, 300, 200], &[400]), Some(2.0));
        assert_eq!(of_medians(&[0], &[3]), Some(3.0));
        assert_eq!(of_medians(&[], &[3]), None);
    }

    #[test]
    fn the_interval_of_distinct_samples_holds_their_ratio_and_equal_runs_leave_no_doubt() {
        let (a, b) = ([100, 101, 102, 103, 104], [200, 202, 204, 206, 208]);
        let (low, high) = middle_95(&mut resampled_logs(&a, &b, 0).expect("enough runs"));
        // The bounds are ratios of order statistics: 200/104 and 208/100 at most.
        assert!((200.0 / 104.0..2.0).contains(&low) && (2.0..=2.08).contains(&high), "{low} {high}");
        let (low, high) = middle_95(&mut resampled_logs(&[7; 5], &[7; 5], 0).expect("enough runs"));
        assert_eq!((low, high), (1.0, 1.0));
        assert_eq!(resampled_logs(&a[..4], &b, 0), None);
    }
}
