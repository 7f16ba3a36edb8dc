//! Compares two programs within rounds (paired samples). The runs of a round are close in time, so that a disturbance of the machine
//! affects both runs, and their ratio is more precise than the ratio of two medians. The input is the difference of the logarithms of
//! the times of each round. In a round with a censored time, only one end of the difference is known; every result is valid
//! for all differences within their ranges.
//!
//! - Test: Wilcoxon's signed-rank test, two-sided. Differences of 0 are omitted, and ties get midranks. Up to [`MAX_EXACT`]
//!   differences, p is exact: the share of all assignments of signs whose rank sum is at least as far from the mean as the observed rank
//!   sum. For more differences, p is from the normal approximation with corrections for ties and continuity. For n rounds, p is at least
//!   2 / 2^n.
//! - Interval: all differences that the test would not reject. They are computed from the Walsh averages, which are the means of all
//!   pairs of differences (Hodges & Lehmann 1963). If there are more than [`MAX_PAIRWISE`] rounds, or so few that the test cannot reject
//!   any difference at the level, the interval is from Student's t, for which no time may be censored. If one end of the difference is
//!   unknown in every round, the interval is unbounded at that end.
//!
//! ```
//! use timestats::{Range, Time, paired};
//!
//! // Times of two programs in the same rounds; the machine is slower in the third round.
//! let rounds = [(100, 210), (104, 205), (190, 401), (101, 199), (99, 202), (103, 211)];
//! let differences: Vec<Range> =
//!     rounds.iter().map(|&(a, b)| Time::Exact(b).ln() - Time::Exact(a).ln()).collect();
//! let estimate = paired::estimate(&differences, 0.95).expect("rounds");
//! let ratio = estimate.value.map(f64::exp).value().expect("all times are exact");
//! assert!((2.0..2.1).contains(&ratio));
//! assert_eq!(paired::signed_rank(&differences).map(|test| test.p), Some(0.03125));
//! ```

use statrs::distribution::{ContinuousCDF, Normal};

use crate::multiple::Test;
use crate::{Range, mean, mean_interval};

/// The maximum number of differences for which p is exact.
pub const MAX_EXACT: usize = 50;

/// The maximum number of differences for which the means of all pairs are computed.
pub const MAX_PAIRWISE: usize = 1000;

/// Tests the hypothesis that the differences are symmetric around 0. The p-value is the largest that the ranges of the differences
/// allow. `None` if there are no differences.
pub fn signed_rank(differences: &[Range]) -> Option<Test> {
    let p_positive = tail(differences.iter().map(|difference| difference.low));
    let p_negative = tail(differences.iter().map(|difference| -difference.high));
    let smallest_p = 0.5_f64.powi(i32::try_from(differences.len()).unwrap_or(i32::MAX) - 1);
    (!differences.is_empty()).then(|| Test { p: (2.0 * p_positive.min(p_negative)).min(1.0), smallest_p })
}

/// The probability, under the hypothesis, of a rank sum that is at least as large as the rank sum of the positive values.
fn tail(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.filter(|&value| value != 0.0).collect();
    sorted.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    // Doubled midranks are whole numbers.
    let mut ranks: Vec<usize> = Vec::with_capacity(sorted.len());
    let mut ties = 0.0;
    for tied in sorted.chunk_by(|a, b| a.abs() == b.abs()) {
        ranks.extend(std::iter::repeat_n(2 * ranks.len() + tied.len() + 1, tied.len()));
        ties += (tied.len() as f64).powi(3) - tied.len() as f64;
    }
    let total: usize = ranks.iter().sum();
    let negative: usize =
        ranks.iter().zip(&sorted).filter(|(_, value)| **value < 0.0).map(|(rank, _)| rank).sum();
    if sorted.len() <= MAX_EXACT {
        let ways = rank_sums(&ranks);
        return ways[..=negative].iter().sum::<f64>() / ways.iter().sum::<f64>();
    }
    let n = sorted.len() as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    let z = (total as f64 / 4.0 - negative as f64 / 2.0 - 0.5) / variance.sqrt();
    Normal::standard().sf(z)
}

/// Element `s` is the number of subsets of the ranks whose sum is `s`.
fn rank_sums(ranks: &[usize]) -> Vec<f64> {
    let mut ways = vec![1.0];
    for &rank in ranks {
        ways.resize(ways.len() + rank, 0.0);
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    ways
}

/// An estimate of the median difference with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The median of the means of all pairs.
    pub value: Range,
    /// The interval; `None` for a single round, or if there is no interval because of censored times.
    pub interval: Option<Range>,
}

/// Estimates the median difference and its interval with this confidence. `None` if there are no differences, or if there are more than
/// [`MAX_PAIRWISE`] differences and one of them is censored.
pub fn estimate(differences: &[Range], confidence: f64) -> Option<Estimate> {
    let (count, tail) = (differences.len(), (1.0 - confidence) / 2.0);
    let low = differences.iter().map(|difference| difference.low).reduce(f64::min)?;
    let high = differences.iter().map(|difference| difference.high).reduce(f64::max)?;
    let exact: Option<Vec<f64>> = differences.iter().map(|difference| difference.value()).collect();
    let students = exact.as_deref().and_then(|exact| mean_interval(exact, confidence));
    if count > MAX_PAIRWISE {
        return Some(Estimate { value: Range::exact(mean(&exact?)?), interval: students });
    }
    let means = [|difference: &Range| difference.low, |difference: &Range| difference.high]
        .map(|end| means(differences, end));
    let [least, greatest] =
        means.each_ref().map(|means| f64::midpoint(means[(means.len() - 1) / 2], means[means.len() / 2]));
    let is_open = |end: fn(&Range) -> f64| differences.iter().all(|difference| end(difference).is_infinite());
    let interval = if is_open(|difference| difference.high) || is_open(|difference| difference.low) {
        (low.is_finite() || high.is_finite()).then_some(Range { low, high })
    } else if let Some(outside) = means_below(count, tail) {
        Some(Range { low: means[0][outside], high: means[1][means[1].len() - 1 - outside] })
    } else {
        students
    };
    Some(Estimate { value: Range { low: least, high: greatest }, interval })
}

/// The minimum number of rounds for which the signed-rank test can reject at the level of this confidence.
pub fn min_rounds(confidence: f64) -> usize {
    (1..=i32::MAX)
        .find(|&rounds| 0.5_f64.powi(rounds - 1) <= 1.0 - confidence)
        .map_or(usize::MAX, |rounds| rounds.unsigned_abs() as usize)
}

/// The sorted means of all pairs of the ends that `end` selects.
fn means(differences: &[Range], end: fn(&Range) -> f64) -> Vec<f64> {
    let ends: Vec<f64> = differences.iter().map(end).collect();
    let of =
        |(rank, a): (usize, &f64)| ends[rank..].iter().map(|b| f64::midpoint(*a, *b)).collect::<Vec<_>>();
    let mut means: Vec<f64> = ends.iter().enumerate().flat_map(of).collect();
    means.sort_unstable_by(f64::total_cmp);
    means
}

/// How many of the sorted means of pairs lie below the interval; `None` if the test cannot reject at this level.
fn means_below(count: usize, tail: f64) -> Option<usize> {
    if count > MAX_EXACT {
        let n = count as f64;
        let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
        let below = n * (n + 1.0) / 4.0 - Normal::standard().inverse_cdf(1.0 - tail) * deviation - 0.5;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
        return (below >= 0.0).then_some(below as usize);
    }
    let ways = rank_sums(&(1..=count).collect::<Vec<_>>());
    let total: f64 = ways.iter().sum();
    let sums = ways.iter().scan(0.0, |sum, ways| {
        *sum += ways;
        Some(*sum / total)
    });
    sums.take_while(|&share| share <= tail).count().checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The p-value by definition, from all assignments of signs to the ranks of the absolute values.
    fn by_enumeration(differences: &[f64]) -> f64 {
        let values: Vec<f64> = differences.iter().copied().filter(|value| *value != 0.0).collect();
        let rank = |value: f64| {
            let (below, same) = values.iter().fold((0, 0), |(below, same), other| {
                (below + i32::from(other.abs() < value.abs()), same + i32::from(other.abs() == value.abs()))
            });
            2 * below + same + 1
        };
        let ranks: Vec<i32> = values.iter().map(|&value| rank(value)).collect();
        let distance_from_mean = |sum: i32| (2 * sum - ranks.iter().sum::<i32>()).abs();
        let observed =
            ranks.iter().zip(&values).filter(|(_, value)| **value > 0.0).map(|(rank, _)| rank).sum();
        let as_far = (0..1_u32 << ranks.len()).filter(|signs| {
            let positive = ranks.iter().enumerate().filter(|(index, _)| signs >> index & 1 == 1);
            distance_from_mean(positive.map(|(_, rank)| rank).sum()) >= distance_from_mean(observed)
        });
        as_far.count() as f64 / f64::from(1 << ranks.len())
    }

    fn near(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-12, "{actual} instead of {expected}");
    }

    fn ranges(values: &[f64]) -> Vec<Range> {
        values.iter().copied().map(Range::exact).collect()
    }

    fn largest_p(differences: &[Range]) -> f64 {
        signed_rank(differences).expect("differences").p
    }

    fn p(values: &[f64]) -> Option<f64> {
        signed_rank(&ranges(values)).map(|test| test.p)
    }

    fn estimated(values: &[f64], confidence: f64) -> Option<(f64, Option<(f64, f64)>)> {
        let result = estimate(&ranges(values), confidence)?;
        Some((result.value.value().expect("known"), result.interval.map(|Range { low, high }| (low, high))))
    }

    #[test]
    fn p_value_agrees_with_scipy() {
        // scipy 1.17, wilcoxon([6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]): the data of its manual.
        let plants = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75].map(f64::from);
        near(p(&plants).expect("values"), 0.041_259_765_625);
        // With five rounds, the test cannot reject at 5 %; with six rounds, it can.
        near(p(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("values"), 0.0625);
        near(p(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("values"), 0.03125);
        assert_eq!((p(&[]), p(&[0.0; 9])), (None, Some(1.0)));
        let six = signed_rank(&ranges(&[-1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).expect("values");
        near(six.smallest_p, 0.03125);
        // wilcoxon([i*i % 23 - 7 for i in range(60)], correction=True, method="asymptotic").
        let ties: Vec<f64> = (0..60).map(|i| f64::from(i * i % 23 - 7)).collect();
        assert!((p(&ties).expect("values") - 0.342_986_227_159_498_2).abs() < 1e-9);
    }

    #[test]
    fn normal_approximation_is_close_to_exact_signed_ranks() {
        // The same values just below and above the limit of the exact test.
        let values: Vec<f64> = (0..52).map(|i| f64::from(i * 37 % 101) - 38.5).collect();
        let (exact, approximate) = (p(&values[..50]).expect("p"), p(&values).expect("p"));
        assert!((exact - approximate).abs() < 0.05, "{exact} {approximate}");
    }

    /// Tries a grid of possible times of the stopped runs. The result for each of them lies within the ranges of the censored result.
    #[test]
    fn paired_results_hold_for_any_censored_times() {
        let mut all = ranges(&[0.3, 0.5, 0.1, 0.45, 0.2, 0.35, 0.6]);
        all[1].high = f64::INFINITY;
        all[4] = Range { low: f64::NEG_INFINITY, high: 0.2 };
        let result = estimate(&all, 0.95).expect("values");
        let Range { low, high } = result.interval.expect("seven rounds");
        let p = largest_p(&all);
        for up in [0.5, 0.7, 3.0, 1e9] {
            for down in [0.2, 0.0, -0.3, -1e9] {
                let possible = ranges(&[0.3, up, 0.1, 0.45, down, 0.35, 0.6]);
                let exact = estimate(&possible, 0.95).expect("values");
                let value = exact.value.value().expect("known");
                assert!(result.value.low <= value && value <= result.value.high, "{value} {result:?}");
                let Range { low: from, high: to } = exact.interval.expect("seven rounds");
                assert!(low <= from && to <= high, "{from} {to} {result:?}");
                assert!(largest_p(&possible) <= p);
            }
        }
        assert!(low < -1e9 && high > 1e9 && p > 0.1, "seven rounds bear no censored time: {result:?}");
    }

    #[test]
    fn estimate_stays_exact_with_one_censored_time() {
        let mut all = ranges(&(1..=12).map(f64::from).collect::<Vec<_>>());
        all[11].high = f64::INFINITY;
        let result = estimate(&all, 0.95).expect("values");
        // Of the 78 means of pairs, the interval leaves out 13 at each end; the censored difference is part of only 12 means.
        assert_eq!(
            (result.value.value(), result.interval),
            (Some(6.5), Some(Range { low: 4.0, high: 10.5 }))
        );
        near(largest_p(&all), 2.0 / 4096.0);
    }

    #[test]
    fn side_without_exact_times_is_bounded_by_limits() {
        let open = |low: f64| Range { low, high: f64::INFINITY };
        let result = estimate(&[open(2.0), open(1.5)], 0.95).expect("values");
        assert_eq!(
            (result.interval, result.value.value()),
            (Some(Range { low: 1.5, high: f64::INFINITY }), None)
        );
        let result = estimate(&[open(f64::NEG_INFINITY)], 0.95).expect("a value");
        assert_eq!(result.interval, None, "both are censored");
        let result = estimate(&[Range::exact(1.0), open(2.0), Range::exact(1.2)], 0.95).expect("values");
        assert_eq!(result.interval, None, "Student's t needs every time");
    }

    #[test]
    fn interval_of_few_rounds_is_from_student_t() {
        // Mean 7/30, variance 7/300; with two degrees of freedom, the quantile has a closed form.
        let quantile = 0.95 * (2.0_f64 / (1.0 - 0.95 * 0.95)).sqrt();
        let reach = quantile * (7.0_f64 / 300.0 / 3.0).sqrt();
        let (middle, interval) = estimated(&[0.1, 0.2, 0.4], 0.95).expect("values");
        let (low, high) = interval.expect("an interval");
        let expected = (7.0 / 30.0 - reach, 7.0 / 30.0 + reach);
        assert!(
            (low - expected.0).abs() < 1e-6 && (high - expected.1).abs() < 1e-6,
            "{low} {high} {expected:?}"
        );
        near(middle, 0.225);
        assert_eq!(estimated(&[0.5], 0.95), Some((0.5, None)));
        assert_eq!(estimated(&[0.5, 0.5], 0.95), Some((0.5, Some((0.5, 0.5)))));
        assert_eq!(estimated(&[], 0.95), None);
    }

    #[test]
    fn estimate_of_equal_values_is_in_its_interval() {
        // The mean of three times 0.1 is rounded up.
        let Estimate { value, interval } = estimate(&ranges(&[0.1; 3]), 0.95).expect("values");
        assert_eq!(value, Range::exact(0.1));
        assert!(interval.is_some_and(|interval| interval.contains(0.1)), "{interval:?}");
    }

    #[test]
    fn estimate_of_many_differences_is_their_mean() {
        let skewed: Vec<f64> = (0..=MAX_PAIRWISE).map(|i| (i as f64).powi(2)).collect();
        let value = |values: &[f64]| estimated(values, 0.95).expect("values").0;
        let mean = mean(&skewed).expect("values");
        assert_eq!(value(&skewed), mean);
        assert!(value(&skewed[1..]) < 0.99 * mean, "the median of the means of pairs is smaller");
        let mut all = ranges(&skewed);
        all[0].high = f64::INFINITY;
        assert_eq!((estimate(&all, 0.95), estimate(&all[..MAX_PAIRWISE], 0.95).is_some()), (None, true));
    }

    proptest! {
        #[test]
        fn p_value_agrees_with_enumeration_of_signs(values in prop::collection::vec(-6..7_i32, 1..12)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            prop_assert!((p(&values).expect("values") - by_enumeration(&values)).abs() < 1e-12);
        }

        /// A shift is outside the interval exactly when the test rejects it.
        #[test]
        fn interval_contains_exactly_the_accepted_shifts(
            values in prop::collection::btree_set(-1000..1000_i32, 6..14),
            shift in -1000..1000_i32,
        ) {
            // Distinct means of pairs: no ties.
            let values: Vec<f64> = values.into_iter().map(|v| f64::from(v) + f64::from(v).powi(3) * 1.234_567e-7).collect();
            let shift = f64::from(shift) + 0.123_456_789;
            let (_, interval) = estimated(&values, 0.95).expect("values");
            let (low, high) = interval.expect("an interval");
            let shifted: Vec<f64> = values.iter().map(|value| value - shift).collect();
            let p = p(&shifted).expect("p");
            prop_assert_eq!(p <= 0.05, shift < low || shift > high, "{} {} {} {}", p, shift, low, high);
        }

        #[test]
        fn estimate_is_in_its_interval(values in prop::collection::vec(-1e3..1e3_f64, 2..60), confidence in 0.5..0.999) {
            let (middle, interval) = estimated(&values, confidence).expect("values");
            let (low, high) = interval.expect("an interval");
            prop_assert!(low <= middle && middle <= high);
        }
    }
}
