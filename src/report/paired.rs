//! Two solvers compared within rounds. The runs of a round are neighbours in time, so that what slows the machine down
//! slows both down, and their ratio says more than the ratio of two medians. In: the differences of the logarithms of the
//! times of each round.
//!
//! - Test: Wilcoxon's signed-rank test, two-sided. Differences of 0 are left out, ties get midranks. Up to `EXACT`
//!   differences, p is exact: the share of all assignments of signs whose rank sum lies as far from its mean as the one seen.
//!   Beyond, the normal approximation with corrections for ties and continuity. n rounds cannot give less than 2 / 2^n.
//! - Interval: the differences that the test would not reject, from the means of all pairs (Hodges & Lehmann 1963). Where there
//!   are too few rounds for the test to reject any difference at the level, or more than `MOST_PAIRS`, Student's t.
//! - Holm's correction (1979) of the p-values of several tests: the chance that one or more of them errs is that of one test.

use super::rounded;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Differences up to which p is exact.
const EXACT: usize = 50;

/// More differences than these have too many pairs.
const MOST_PAIRS: usize = 1000;

/// The two-sided p-value of the hypothesis that the differences are symmetric around 0; `None` without a difference.
pub fn signed_rank(differences: &[f64]) -> Option<f64> {
    if differences.is_empty() {
        return None;
    }
    let mut sorted: Vec<f64> = differences.iter().copied().filter(|&difference| difference != 0.0).collect();
    sorted.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    // Doubled midranks are whole numbers.
    let mut ranks: Vec<usize> = Vec::with_capacity(sorted.len());
    let mut ties = 0.0;
    for tied in sorted.chunk_by(|a, b| a.abs() == b.abs()) {
        ranks.extend(std::iter::repeat_n(2 * ranks.len() + tied.len() + 1, tied.len()));
        ties += (tied.len() as f64).powi(3) - tied.len() as f64;
    }
    let total: usize = ranks.iter().sum();
    let positive: usize =
        ranks.iter().zip(&sorted).filter(|(_, value)| **value > 0.0).map(|(rank, _)| rank).sum();
    let smaller = positive.min(total - positive);
    if sorted.len() <= EXACT {
        let ways = rank_sums(&ranks);
        let tail: f64 = ways[..=smaller].iter().sum();
        return Some((2.0 * tail / ways.iter().sum::<f64>()).min(1.0));
    }
    let n = sorted.len() as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    let z = (total as f64 / 4.0 - smaller as f64 / 2.0 - 0.5) / variance.sqrt();
    Some((2.0 * standard_normal().sf(z)).min(1.0))
}

/// How many of all subsets of the ranks have each sum.
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

fn standard_normal() -> Normal {
    Normal::standard()
}

/// The estimate of the typical difference (the median of the means of all pairs), and its interval at this level of
/// confidence; `None` for the interval of fewer than two differences.
pub fn estimate(differences: &[f64], confidence: f64) -> Option<(f64, Option<(f64, f64)>)> {
    let count = differences.len();
    let first = *differences.first()?;
    if count == 1 {
        return Some((first, None));
    }
    let tail = (1.0 - confidence) / 2.0;
    if count > MOST_PAIRS {
        let (mean, reach) = student(differences, tail);
        return Some((mean, Some((mean - reach, mean + reach))));
    }
    let mut means = Vec::with_capacity(count * (count + 1) / 2);
    for (rank, a) in differences.iter().enumerate() {
        means.extend(differences[rank..].iter().map(|b| f64::midpoint(*a, *b)));
    }
    means.sort_unstable_by(f64::total_cmp);
    let middle = f64::midpoint(means[(means.len() - 1) / 2], means[means.len() / 2]);
    let interval = match cut(count, tail) {
        Some(cut) => (means[cut], means[means.len() - 1 - cut]),
        None => {
            let (mean, reach) = student(differences, tail);
            // The estimate is never outside.
            ((mean - reach).min(middle), (mean + reach).max(middle))
        }
    };
    Some((middle, Some(interval)))
}

/// How many of the smallest means of pairs are outside the interval; `None` if the test cannot reject at this level.
fn cut(count: usize, tail: f64) -> Option<usize> {
    if count > EXACT {
        let n = count as f64;
        let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
        let cut = n * (n + 1.0) / 4.0 - standard_normal().inverse_cdf(1.0 - tail) * deviation - 0.5;
        return (cut >= 0.0).then(|| usize::try_from(rounded(cut.floor())).unwrap_or(usize::MAX));
    }
    let ways = rank_sums(&(1..=count).collect::<Vec<_>>());
    let total: f64 = ways.iter().sum();
    let sums = ways.iter().scan(0.0, |sum, ways| {
        *sum += ways;
        Some(*sum / total)
    });
    sums.take_while(|&share| share <= tail).count().checked_sub(1)
}

/// Mean, and half the width of its interval by Student's t.
pub(super) fn student(differences: &[f64], tail: f64) -> (f64, f64) {
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    let quantile = StudentsT::new(0.0, 1.0, count - 1.0).map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - tail));
    (mean, if error == 0.0 { 0.0 } else { quantile * error })
}

/// Holm's correction: the p-values in their order, each as large as it must be so that the one bound holds for all.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut corrected = vec![1.0; values.len()];
    let mut least = 0.0_f64;
    for (rank, index) in order.into_iter().enumerate() {
        least = least.max(values[index] * (values.len() - rank) as f64).min(1.0);
        corrected[index] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition itself: all assignments of signs to the ranks of the absolute values.
    fn by_enumeration(differences: &[f64]) -> f64 {
        let values: Vec<f64> = differences.iter().copied().filter(|value| *value != 0.0).collect();
        let rank = |value: f64| {
            let (below, same) = values.iter().fold((0, 0), |(below, same), other| {
                (below + i32::from(other.abs() < value.abs()), same + i32::from(other.abs() == value.abs()))
            });
            2 * below + same + 1
        };
        let ranks: Vec<i32> = values.iter().map(|&value| rank(value)).collect();
        let far = |sum: i32| (2 * sum - ranks.iter().sum::<i32>()).abs();
        let seen = ranks.iter().zip(&values).filter(|(_, value)| **value > 0.0).map(|(rank, _)| rank).sum();
        let as_far = (0..1_u32 << ranks.len()).filter(|signs| {
            let positive = ranks.iter().enumerate().filter(|(index, _)| signs >> index & 1 == 1);
            far(positive.map(|(_, rank)| rank).sum()) >= far(seen)
        });
        as_far.count() as f64 / f64::from(1 << ranks.len())
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }

    #[test]
    fn p_is_that_of_scipy() {
        // scipy 1.17, wilcoxon([6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]): the data of its manual.
        let plants = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75].map(f64::from);
        near(signed_rank(&plants).expect("values"), 0.041_259_765_625);
        // Five rounds cannot reject anything at 5 %, six can.
        near(signed_rank(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("values"), 0.0625);
        near(signed_rank(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("values"), 0.03125);
        assert_eq!((signed_rank(&[]), signed_rank(&[0.0; 9])), (None, Some(1.0)));
    }

    #[test]
    fn many_values_approximate_the_exact_test() {
        // The same values just below and above the limit of the exact test.
        let values: Vec<f64> = (0..52).map(|i| f64::from(i * 37 % 101) - 38.5).collect();
        let (exact, approximate) = (signed_rank(&values[..50]).expect("p"), signed_rank(&values).expect("p"));
        assert!((exact - approximate).abs() < 0.05, "{exact} {approximate}");
    }

    #[test]
    fn holm_is_that_of_r() {
        // R 4: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in corrected.into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            near(found, expected);
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }

    #[test]
    fn few_rounds_have_students_interval_and_one_has_none() {
        // Mean 7/30, variance 7/300; with two degrees of freedom, the quantile has a closed form.
        let quantile = 0.95 * (2.0_f64 / (1.0 - 0.95 * 0.95)).sqrt();
        let reach = quantile * (7.0_f64 / 300.0 / 3.0).sqrt();
        let (middle, interval) = estimate(&[0.1, 0.2, 0.4], 0.95).expect("values");
        let (low, high) = interval.expect("an interval");
        let expected = (7.0 / 30.0 - reach, 7.0 / 30.0 + reach);
        assert!(
            (low - expected.0).abs() < 1e-6 && (high - expected.1).abs() < 1e-6,
            "{low} {high} {expected:?}"
        );
        near(middle, 0.225);
        assert_eq!(estimate(&[0.5], 0.95), Some((0.5, None)));
        assert_eq!(estimate(&[0.5, 0.5], 0.95), Some((0.5, Some((0.5, 0.5)))));
        assert_eq!(estimate(&[], 0.95), None);
    }

    proptest! {
        #[test]
        fn p_is_the_share_of_all_signs_that_are_as_extreme(values in prop::collection::vec(-6..7_i32, 1..12)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            prop_assert!((signed_rank(&values).expect("values") - by_enumeration(&values)).abs() < 1e-12);
        }

        /// A shift is outside the interval exactly when the test rejects it.
        #[test]
        fn the_interval_is_what_the_test_does_not_reject(
            values in prop::collection::btree_set(-1000..1000_i32, 6..14),
            shift in -1000..1000_i32,
        ) {
            // Distinct means of pairs: no ties.
            let values: Vec<f64> = values.into_iter().map(|v| f64::from(v) + f64::from(v).powi(3) * 1.234_567e-7).collect();
            let shift = f64::from(shift) + 0.123_456_789;
            let (_, interval) = estimate(&values, 0.95).expect("values");
            let (low, high) = interval.expect("an interval");
            let shifted: Vec<f64> = values.iter().map(|value| value - shift).collect();
            let p = signed_rank(&shifted).expect("p");
            prop_assert_eq!(p <= 0.05, shift < low || shift > high, "{} {} {} {}", p, shift, low, high);
        }

        #[test]
        fn the_estimate_is_in_its_interval(values in prop::collection::vec(-1e3..1e3_f64, 2..60), confidence in 0.5..0.999) {
            let (middle, interval) = estimate(&values, confidence).expect("values");
            let (low, high) = interval.expect("an interval");
            prop_assert!(low <= middle && middle <= high);
        }
    }
}
