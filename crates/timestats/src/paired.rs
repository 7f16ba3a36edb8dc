//! Compares the times of two programs that ran in the same rounds (paired samples).
//!
//! Each round has one run of each program. These two runs are close in time, so that a disturbance of the machine is likely to
//! affect both. Their ratio is therefore more precise than the ratio of two medians. The input is one number for each round: the
//! difference of the logarithms of the two times. If one of the times is censored, only the lower or the upper end of the
//! difference is known; if both times are censored, neither end is known. All results are valid for all possible values of the
//! differences.
//!
//! - Test: Wilcoxon's signed-rank test, two-sided. Differences of 0 are omitted, and ties get midranks. For up to [`MAX_EXACT`]
//!   differences, p is exact: the probability that, with random signs, the rank sum of the positive differences is at least as
//!   far from its mean as the observed rank sum. For more differences, p is from the normal approximation with corrections for
//!   ties and continuity. For n rounds, p is at least 2 / 2^n.
//! - Estimate: the median of the Walsh averages, which are the means of all pairs of differences, including the pairs of a
//!   difference with itself (Hodges & Lehmann 1963). If there are more than [`MAX_PAIRWISE`] differences, the estimate is their
//!   mean.
//! - Interval: from one Walsh average to another, such that it contains the values that the test does not reject as the median
//!   difference. There are two exceptions:
//!   - If there are more than [`MAX_PAIRWISE`] rounds, or too few rounds for any rejection, the interval is that of the mean from
//!     Student's t-distribution, and exists only if no time is censored.
//!   - If all differences have an unknown upper end, the interval reaches from the smallest lower end to infinity. Unknown lower
//!     ends are treated in the same way.
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

/// The maximum number of differences for which Walsh averages are computed.
pub const MAX_PAIRWISE: usize = 1000;

/// Tests the hypothesis that the distribution of the differences is symmetric around 0. If some differences are not known exactly, the
/// p-value is an upper bound for all possible values that are neither 0 nor tied. `None` if there are no differences.
pub fn signed_rank(differences: &[Range]) -> Option<Test> {
    let p_positive = one_sided_p(differences.iter().map(|difference| difference.low));
    let p_negative = one_sided_p(differences.iter().map(|difference| -difference.high));
    let smallest_p = 0.5_f64.powi(i32::try_from(differences.len()).unwrap_or(i32::MAX) - 1);
    (!differences.is_empty()).then(|| Test { p: (2.0 * p_positive.min(p_negative)).min(1.0), smallest_p })
}

/// The probability, under the hypothesis, that the rank sum of the positive values is at least as large as observed.
fn one_sided_p(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.filter(|&value| value != 0.0).collect();
    sorted.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    // The ranks are doubled, so that midranks are whole numbers.
    let mut ranks: Vec<usize> = Vec::with_capacity(sorted.len());
    let mut ties = 0.0;
    for tied in sorted.chunk_by(|a, b| a.abs() == b.abs()) {
        ranks.extend(std::iter::repeat_n(2 * ranks.len() + tied.len() + 1, tied.len()));
        ties += (tied.len() as f64).powi(3) - tied.len() as f64;
    }
    let total: usize = ranks.iter().sum();
    let negative_sum: usize =
        ranks.iter().zip(&sorted).filter(|(_, value)| **value < 0.0).map(|(rank, _)| rank).sum();
    if sorted.len() <= MAX_EXACT {
        let ways = rank_sums(&ranks);
        // The rank sums of the positive and of the negative values have the same distribution, and their sum is constant.
        return ways[..=negative_sum].iter().sum::<f64>() / ways.iter().sum::<f64>();
    }
    let n = sorted.len() as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    let z = (total as f64 / 4.0 - negative_sum as f64 / 2.0 - 0.5) / variance.sqrt();
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

/// An estimate of a difference, with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate: a range, because it may depend on censored times.
    pub value: Range,
    /// The confidence interval; `None` if there are too few runs or too many censored times for an interval.
    pub interval: Option<Range>,
}

/// Estimates the median difference and its interval with this confidence. Returns `None` if there are no differences, or if there
/// are more than [`MAX_PAIRWISE`] differences and one of them is not known exactly.
pub fn estimate(differences: &[Range], confidence: f64) -> Option<Estimate> {
    let (count, tail) = (differences.len(), (1.0 - confidence) / 2.0);
    let low = differences.iter().map(|difference| difference.low).reduce(f64::min)?;
    let high = differences.iter().map(|difference| difference.high).reduce(f64::max)?;
    let exact_values: Option<Vec<f64>> = differences.iter().map(|difference| difference.value()).collect();
    let students_interval =
        exact_values.as_deref().and_then(|exact_values| mean_interval(exact_values, confidence));
    if count > MAX_PAIRWISE {
        return Some(Estimate { value: Range::exact(mean(&exact_values?)?), interval: students_interval });
    }
    let averages = [|difference: &Range| difference.low, |difference: &Range| difference.high]
        .map(|end| walsh_averages(differences, end));
    let [low_estimate, high_estimate] = averages.each_ref().map(|averages| median_of_sorted(averages));
    let is_unknown =
        |end: fn(&Range) -> f64| differences.iter().all(|difference| end(difference).is_infinite());
    let interval = if is_unknown(|difference| difference.high) || is_unknown(|difference| difference.low) {
        (low.is_finite() || high.is_finite()).then_some(Range { low, high })
    } else if let Some(outside_count) = averages_outside(count, tail) {
        Some(Range {
            low: averages[0][outside_count],
            high: averages[1][averages[1].len() - 1 - outside_count],
        })
    } else {
        students_interval
    };
    Some(Estimate { value: Range { low: low_estimate, high: high_estimate }, interval })
}

/// The minimum number of rounds for which the signed-rank test can reject at the level of this confidence.
pub fn min_rounds(confidence: f64) -> usize {
    (1..=i32::MAX)
        .find(|&rounds| 0.5_f64.powi(rounds - 1) <= 1.0 - confidence)
        .map_or(usize::MAX, |rounds| rounds.unsigned_abs() as usize)
}

/// The sorted Walsh averages of one end of each difference, which `end` selects.
fn walsh_averages(differences: &[Range], end: fn(&Range) -> f64) -> Vec<f64> {
    let ends: Vec<f64> = differences.iter().map(end).collect();
    let averages_from =
        |(index, a): (usize, &f64)| ends[index..].iter().map(|b| f64::midpoint(*a, *b)).collect::<Vec<_>>();
    let mut averages: Vec<f64> = ends.iter().enumerate().flat_map(averages_from).collect();
    averages.sort_unstable_by(f64::total_cmp);
    averages
}

fn median_of_sorted(values: &[f64]) -> f64 {
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}

/// The number of Walsh averages outside the interval at each end, for `count` differences. `tail` is the maximum probability of
/// each one-sided rejection. Returns `None` if the test cannot reject with this probability.
fn averages_outside(count: usize, tail: f64) -> Option<usize> {
    if count > MAX_EXACT {
        let n = count as f64;
        let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
        let outside_count =
            n * (n + 1.0) / 4.0 - Normal::standard().inverse_cdf(1.0 - tail) * deviation - 0.5;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
        return (outside_count >= 0.0).then_some(outside_count as usize);
    }
    let ways = rank_sums(&(1..=count).collect::<Vec<_>>());
    let total: f64 = ways.iter().sum();
    let probabilities = ways.iter().scan(0.0, |sum, ways| {
        *sum += ways;
        Some(*sum / total)
    });
    probabilities.take_while(|&probability| probability <= tail).count().checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The p-value by definition: tries all assignments of signs to the ranks of the absolute values.
    fn p_by_enumeration(differences: &[f64]) -> f64 {
        let values: Vec<f64> = differences.iter().copied().filter(|value| *value != 0.0).collect();
        let rank = |value: f64| {
            let (smaller, equal) = values.iter().fold((0, 0), |(smaller, equal), x| {
                (smaller + i32::from(x.abs() < value.abs()), equal + i32::from(x.abs() == value.abs()))
            });
            2 * smaller + equal + 1
        };
        let ranks: Vec<i32> = values.iter().map(|&value| rank(value)).collect();
        let distance_from_mean = |sum: i32| (2 * sum - ranks.iter().sum::<i32>()).abs();
        let observed_sum =
            ranks.iter().zip(&values).filter(|(_, value)| **value > 0.0).map(|(rank, _)| rank).sum();
        let extreme_assignments = (0..1_u32 << ranks.len()).filter(|signs| {
            let positive_ranks = ranks.iter().enumerate().filter(|(index, _)| signs >> index & 1 == 1);
            distance_from_mean(positive_ranks.map(|(_, rank)| rank).sum()) >= distance_from_mean(observed_sum)
        });
        extreme_assignments.count() as f64 / f64::from(1 << ranks.len())
    }

    fn assert_near(actual: f64, expected: f64) {
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

    fn exact_estimate(values: &[f64], confidence: f64) -> Option<(f64, Option<(f64, f64)>)> {
        let result = estimate(&ranges(values), confidence)?;
        Some((result.value.value().expect("known"), result.interval.map(|Range { low, high }| (low, high))))
    }

    #[test]
    fn p_value_agrees_with_scipy() {
        // scipy 1.17, wilcoxon([6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]): the data of its manual.
        let differences = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75].map(f64::from);
        assert_near(p(&differences).expect("values"), 0.041_259_765_625);
        // With five rounds, the test cannot reject at 5 %; with six rounds, it can.
        assert_near(p(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("values"), 0.0625);
        assert_near(p(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("values"), 0.03125);
        assert_eq!((p(&[]), p(&[0.0; 9])), (None, Some(1.0)));
        let six_rounds = signed_rank(&ranges(&[-1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).expect("values");
        assert_near(six_rounds.smallest_p, 0.03125);
        // wilcoxon([i*i % 23 - 7 for i in range(60)], correction=True, method="asymptotic").
        let tied_values: Vec<f64> = (0..60).map(|i| f64::from(i * i % 23 - 7)).collect();
        assert!((p(&tied_values).expect("values") - 0.342_986_227_159_498_2).abs() < 1e-9);
    }

    #[test]
    fn normal_approximation_is_close_to_exact_signed_ranks() {
        // 50 values use the exact test; with two more values, the normal approximation is used.
        let values: Vec<f64> = (0..52).map(|i| f64::from(i * 37 % 101) - 38.5).collect();
        let (exact, approximate) = (p(&values[..50]).expect("p"), p(&values).expect("p"));
        assert!((exact - approximate).abs() < 0.05, "{exact} {approximate}");
    }

    /// Tries possible values of two censored times. Each exact result lies within the ranges of the result with censored times.
    #[test]
    fn paired_results_hold_for_any_censored_times() {
        let mut differences = ranges(&[0.3, 0.5, 0.1, 0.45, 0.2, 0.35, 0.6]);
        differences[1].high = f64::INFINITY;
        differences[4] = Range { low: f64::NEG_INFINITY, high: 0.2 };
        let result = estimate(&differences, 0.95).expect("values");
        let Range { low, high } = result.interval.expect("seven rounds");
        let p = largest_p(&differences);
        for first in [0.5, 0.7, 3.0, 1e9] {
            for second in [0.2, 0.0, -0.3, -1e9] {
                let possible_differences = ranges(&[0.3, first, 0.1, 0.45, second, 0.35, 0.6]);
                let exact_result = estimate(&possible_differences, 0.95).expect("values");
                let value = exact_result.value.value().expect("known");
                assert!(result.value.low <= value && value <= result.value.high, "{value} {result:?}");
                let Range { low: from, high: to } = exact_result.interval.expect("seven rounds");
                assert!(low <= from && to <= high, "{from} {to} {result:?}");
                assert!(largest_p(&possible_differences) <= p);
            }
        }
        assert!(
            low < -1e9 && high > 1e9 && p > 0.1,
            "two censored times are too many for seven rounds: {result:?}"
        );
    }

    #[test]
    fn estimate_stays_exact_with_one_censored_time() {
        let mut differences = ranges(&(1..=12).map(f64::from).collect::<Vec<_>>());
        differences[11].high = f64::INFINITY;
        let result = estimate(&differences, 0.95).expect("values");
        // The interval leaves out 13 of the 78 Walsh averages at each end. The censored difference is part of only 12 averages.
        assert_eq!(
            (result.value.value(), result.interval),
            (Some(6.5), Some(Range { low: 4.0, high: 10.5 }))
        );
        assert_near(largest_p(&differences), 2.0 / 4096.0);
    }

    #[test]
    fn interval_without_known_upper_ends_is_unbounded() {
        let range_from = |low: f64| Range { low, high: f64::INFINITY };
        let result = estimate(&[range_from(2.0), range_from(1.5)], 0.95).expect("values");
        assert_eq!(
            (result.interval, result.value.value()),
            (Some(Range { low: 1.5, high: f64::INFINITY }), None)
        );
        let result = estimate(&[range_from(f64::NEG_INFINITY)], 0.95).expect("a value");
        assert_eq!(result.interval, None, "both times are censored");
        let result =
            estimate(&[Range::exact(1.0), range_from(2.0), Range::exact(1.2)], 0.95).expect("values");
        assert_eq!(result.interval, None, "Student's t needs every time");
    }

    #[test]
    fn interval_of_few_rounds_is_students_t_interval() {
        // The mean is 7/30 and the variance is 7/300. With two degrees of freedom, the quantile has a closed form.
        let quantile = 0.95 * (2.0_f64 / (1.0 - 0.95 * 0.95)).sqrt();
        let half_width = quantile * (7.0_f64 / 300.0 / 3.0).sqrt();
        let (middle, interval) = exact_estimate(&[0.1, 0.2, 0.4], 0.95).expect("values");
        let (low, high) = interval.expect("an interval");
        let expected = (7.0 / 30.0 - half_width, 7.0 / 30.0 + half_width);
        assert!(
            (low - expected.0).abs() < 1e-6 && (high - expected.1).abs() < 1e-6,
            "{low} {high} {expected:?}"
        );
        assert_near(middle, 0.225);
        assert_eq!(exact_estimate(&[0.5], 0.95), Some((0.5, None)));
        assert_eq!(exact_estimate(&[0.5, 0.5], 0.95), Some((0.5, Some((0.5, 0.5)))));
        assert_eq!(exact_estimate(&[], 0.95), None);
    }

    #[test]
    fn estimate_of_equal_values_is_in_its_interval() {
        // In floating point, the mean of 0.1, 0.1 and 0.1 is larger than 0.1.
        let Estimate { value, interval } = estimate(&ranges(&[0.1; 3]), 0.95).expect("values");
        assert_eq!(value, Range::exact(0.1));
        assert!(interval.is_some_and(|interval| interval.contains(0.1)), "{interval:?}");
    }

    #[test]
    fn estimate_of_many_differences_is_their_mean() {
        let skewed_values: Vec<f64> = (0..=MAX_PAIRWISE).map(|i| (i as f64).powi(2)).collect();
        let value = |values: &[f64]| exact_estimate(values, 0.95).expect("values").0;
        let mean = mean(&skewed_values).expect("values");
        assert_eq!(value(&skewed_values), mean);
        assert!(value(&skewed_values[1..]) < 0.99 * mean, "the median of the Walsh averages is smaller");
        let mut differences = ranges(&skewed_values);
        differences[0].high = f64::INFINITY;
        assert_eq!(
            (estimate(&differences, 0.95), estimate(&differences[..MAX_PAIRWISE], 0.95).is_some()),
            (None, true)
        );
    }

    proptest! {
        #[test]
        fn p_value_agrees_with_enumeration_of_signs(values in prop::collection::vec(-6..7_i32, 1..12)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            prop_assert!((p(&values).expect("values") - p_by_enumeration(&values)).abs() < 1e-12);
        }

        /// Subtracts a shift from all values. The test rejects the shifted values exactly if the shift is outside the interval.
        #[test]
        fn interval_contains_exactly_the_accepted_shifts(
            values in prop::collection::btree_set(-1000..1000_i32, 6..14),
            shift in -1000..1000_i32,
        ) {
            // The cubes make all Walsh averages different, so that there are no ties.
            let values: Vec<f64> = values.into_iter().map(|v| f64::from(v) + f64::from(v).powi(3) * 1.234_567e-7).collect();
            let shift = f64::from(shift) + 0.123_456_789;
            let (_, interval) = exact_estimate(&values, 0.95).expect("values");
            let (low, high) = interval.expect("an interval");
            let shifted_values: Vec<f64> = values.iter().map(|value| value - shift).collect();
            let p = p(&shifted_values).expect("p");
            prop_assert_eq!(p <= 0.05, shift < low || shift > high, "{} {} {} {}", p, shift, low, high);
        }

        #[test]
        fn estimate_is_in_its_interval(values in prop::collection::vec(-1e3..1e3_f64, 2..60), confidence in 0.5..0.999) {
            let (middle, interval) = exact_estimate(&values, confidence).expect("values");
            let (low, high) = interval.expect("an interval");
            prop_assert!(low <= middle && middle <= high);
        }
    }
}
