//! Two solvers compared within rounds. The runs of a round are neighbours in time, so that what slows the machine down
//! slows both down, and their ratio says more than the ratio of two medians. In: the differences of the logarithms of the
//! times of each round. Of a round in which a limit stopped a run, only an end of the difference is known: it is a [`Span`],
//! and every result is the one that holds wherever in their spans the differences are.
//!
//! - Test: Wilcoxon's signed-rank test, two-sided. Differences of 0 are left out, ties get midranks. Up to `EXACT`
//!   differences, p is exact: the share of all assignments of signs whose rank sum lies as far from its mean as the one seen.
//!   Beyond, the normal approximation with corrections for ties and continuity. n rounds cannot give less than 2 / 2^n.
//! - Interval: the differences that the test would not reject, from the means of all pairs (Hodges & Lehmann 1963). Where there
//!   are too few rounds for the test to reject any difference at the level, or more than `MOST_PAIRS`, Student's t, for which
//!   no run may have been stopped. If one side was stopped in every round, the end that is known needs no test.
//! - Correction of several tests: Holm (1979), among the tests that can show anything at all (Tarone 1990).

use std::ops::Sub;

use super::rounded;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Differences up to which p is exact.
const EXACT: usize = 50;

/// More differences than these have too many pairs.
const MOST_PAIRS: usize = 1000;

/// The bound of a corrected p that shows something.
pub const LEVEL: f64 = 0.05;

/// What is known about a number: its ends, which are the same if it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The least that it may be.
    pub least: f64,
    /// The most that it may be.
    pub most: f64,
}

impl Span {
    /// A number that is known.
    pub fn of(value: f64) -> Self {
        Self { least: value, most: value }
    }

    /// The number, if it is known.
    pub fn known(self) -> Option<f64> {
        (self.least == self.most).then_some(self.least)
    }

    /// Both ends transformed by a function that rises.
    pub fn map(self, rising: impl Fn(f64) -> f64) -> Self {
        Self { least: rising(self.least), most: rising(self.most) }
    }
}

impl Sub for Span {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { least: self.least - other.most, most: self.most - other.least }
    }
}

/// The two-sided p-value of the hypothesis that the differences are symmetric around 0, the largest one that their spans
/// allow; `None` without a difference.
pub fn signed_rank(differences: &[Span]) -> Option<f64> {
    let above = tail(differences.iter().map(|difference| difference.least));
    let below = tail(differences.iter().map(|difference| -difference.most));
    (!differences.is_empty()).then(|| (2.0 * above.min(below)).min(1.0))
}

/// The probability of ranks as large as those of the positive values.
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
    if sorted.len() <= EXACT {
        let ways = rank_sums(&ranks);
        return ways[..=negative].iter().sum::<f64>() / ways.iter().sum::<f64>();
    }
    let n = sorted.len() as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    let z = (total as f64 / 4.0 - negative as f64 / 2.0 - 0.5) / variance.sqrt();
    Normal::standard().sf(z)
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

/// The typical difference, and the interval in which it lies with some confidence, if there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The median of the means of all pairs.
    pub value: Span,
    /// The interval.
    pub interval: Option<(f64, f64)>,
}

/// The estimate from these differences at this level of confidence; `None` if there are none.
pub fn estimate(differences: &[Span], confidence: f64) -> Option<Estimate> {
    let (count, tail) = (differences.len(), (1.0 - confidence) / 2.0);
    let least = differences.iter().map(|difference| difference.least).reduce(f64::min)?;
    let most = differences.iter().map(|difference| difference.most).reduce(f64::max)?;
    let known: Option<Vec<f64>> = differences.iter().map(|difference| difference.known()).collect();
    let t = known.filter(|known| known.len() > 1).map(|known| student(&known, tail));
    if count > MOST_PAIRS {
        let (mean, reach) = t?;
        return Some(Estimate { value: Span::of(mean), interval: Some((mean - reach, mean + reach)) });
    }
    let means = [|of: &Span| of.least, |of: &Span| of.most].map(|end| means(differences, end));
    let [value, other] =
        means.each_ref().map(|means| f64::midpoint(means[(means.len() - 1) / 2], means[means.len() / 2]));
    let is_open = |end: fn(&Span) -> f64| differences.iter().all(|difference| end(difference).is_infinite());
    let interval = if is_open(|of| of.most) || is_open(|of| of.least) {
        (least.is_finite() || most.is_finite()).then_some((least, most))
    } else if let Some(cut) = cut(count, tail) {
        Some((means[0][cut], means[1][means[1].len() - 1 - cut]))
    } else {
        // The estimate is never outside.
        t.map(|(mean, reach)| ((mean - reach).min(value), (mean + reach).max(value)))
    };
    Some(Estimate { value: Span { least: value, most: other }, interval })
}

/// The means of all pairs of some ends, sorted.
fn means(differences: &[Span], end: fn(&Span) -> f64) -> Vec<f64> {
    let ends: Vec<f64> = differences.iter().map(end).collect();
    let of =
        |(rank, a): (usize, &f64)| ends[rank..].iter().map(|b| f64::midpoint(*a, *b)).collect::<Vec<_>>();
    let mut means: Vec<f64> = ends.iter().enumerate().flat_map(of).collect();
    means.sort_unstable_by(f64::total_cmp);
    means
}

/// How many of the smallest means of pairs are outside the interval; `None` if the test cannot reject at this level.
fn cut(count: usize, tail: f64) -> Option<usize> {
    if count > EXACT {
        let n = count as f64;
        let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
        let cut = n * (n + 1.0) / 4.0 - Normal::standard().inverse_cdf(1.0 - tail) * deviation - 0.5;
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

/// A p-value, and the least that its test could have given.
pub type Test = (f64, f64);

/// The p-values in their order, each as large as it must be so that one bound holds for all. A test that could not get below
/// [`LEVEL`] has none, and burdens no other.
pub fn holm(tests: &[Test]) -> Vec<Option<f64>> {
    let can_show =
        |tests: &[Test], k: usize| tests.iter().filter(|(_, least)| least * (k as f64) < LEVEL).count();
    let k = (1..=tests.len()).find(|&k| can_show(tests, k) <= k).unwrap_or(1);
    let mut order: Vec<usize> =
        (0..tests.len()).filter(|&test| can_show(&tests[test..=test], k) == 1).collect();
    order.sort_by(|&a, &b| tests[a].0.total_cmp(&tests[b].0));
    let mut corrected = vec![None; tests.len()];
    let (mut least, count) = (0.0_f64, order.len());
    for (rank, test) in order.into_iter().enumerate() {
        least = least.max(tests[test].0 * (count - rank) as f64).min(1.0);
        corrected[test] = Some(least);
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

    fn spans(values: &[f64]) -> Vec<Span> {
        values.iter().copied().map(Span::of).collect()
    }

    fn p(values: &[f64]) -> Option<f64> {
        signed_rank(&spans(values))
    }

    fn estimated(values: &[f64], confidence: f64) -> Option<(f64, Option<(f64, f64)>)> {
        let found = estimate(&spans(values), confidence)?;
        Some((found.value.known().expect("known"), found.interval))
    }

    #[test]
    fn p_is_that_of_scipy() {
        // scipy 1.17, wilcoxon([6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]): the data of its manual.
        let plants = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75].map(f64::from);
        near(p(&plants).expect("values"), 0.041_259_765_625);
        // Five rounds cannot reject anything at 5 %, six can.
        near(p(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("values"), 0.0625);
        near(p(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("values"), 0.03125);
        assert_eq!((p(&[]), p(&[0.0; 9])), (None, Some(1.0)));
    }

    #[test]
    fn many_values_approximate_the_exact_test() {
        // The same values just below and above the limit of the exact test.
        let values: Vec<f64> = (0..52).map(|i| f64::from(i * 37 % 101) - 38.5).collect();
        let (exact, approximate) = (p(&values[..50]).expect("p"), p(&values).expect("p"));
        assert!((exact - approximate).abs() < 0.05, "{exact} {approximate}");
    }

    #[test]
    fn holm_is_that_of_r() {
        // R 4: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005].map(|p| (p, 0.0)));
        for (found, expected) in corrected.into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            near(found.expect("tested"), expected);
        }
        assert_eq!(holm(&[(0.9, 0.0), (0.8, 0.0)]), [Some(1.0); 2]);
    }

    #[test]
    fn a_test_that_cannot_show_anything_has_no_p_and_burdens_no_other() {
        // Five rounds give 0.0625 at least, six 0.03125, and ten about 0.002.
        let [five, six, ten] = [4, 5, 9].map(|n| 0.5_f64.powi(n));
        assert_eq!(holm(&[(0.0625, five)]), [None]);
        assert_eq!(holm(&[(six, six), (six, six)]), [None; 2], "corrected for two, six rounds are too few");
        assert_eq!(holm(&[(six, six), (ten, ten), (0.3, five)]), [None, Some(ten), None]);
        assert_eq!(holm(&[]), []);
    }

    /// All times that the stopped runs may have taken: a grid of them, and none is outside.
    #[test]
    fn results_hold_for_any_times_of_the_stopped_runs() {
        let mut all = spans(&[0.3, 0.5, 0.1, 0.45, 0.2, 0.35, 0.6]);
        all[1].most = f64::INFINITY;
        all[4] = Span { least: f64::NEG_INFINITY, most: 0.2 };
        let found = estimate(&all, 0.95).expect("values");
        let (low, high) = found.interval.expect("seven rounds");
        let largest_p = signed_rank(&all).expect("p");
        for up in [0.5, 0.7, 3.0, 1e9] {
            for down in [0.2, 0.0, -0.3, -1e9] {
                let mut possible = spans(&[0.3, up, 0.1, 0.45, down, 0.35, 0.6]);
                possible.iter().for_each(|of| assert!(of.known().is_some()));
                let exact = estimate(&possible, 0.95).expect("values");
                let value = exact.value.known().expect("known");
                assert!(found.value.least <= value && value <= found.value.most, "{value} {found:?}");
                let (from, to) = exact.interval.expect("seven rounds");
                assert!(low <= from && to <= high, "{from} {to} {found:?}");
                assert!(signed_rank(&possible).expect("p") <= largest_p);
                possible.clear();
            }
        }
        assert!(low < -1e9 && high > 1e9 && largest_p > 0.1, "seven rounds bear no stopped run: {found:?}");
    }

    #[test]
    fn one_stopped_run_of_many_leaves_estimate_and_interval_known() {
        let mut all = spans(&(1..=12).map(f64::from).collect::<Vec<_>>());
        all[11].most = f64::INFINITY;
        let found = estimate(&all, 0.95).expect("values");
        // Of the 78 means of pairs, the interval leaves out 13 at each end; the stopped run is in 12 of them.
        assert_eq!((found.value.known(), found.interval), (Some(6.5), Some((4.0, 10.5))));
        near(signed_rank(&all).expect("p"), 2.0 / 4096.0);
    }

    #[test]
    fn where_one_side_was_always_stopped_the_smallest_limit_is_a_bound() {
        let open = |least: f64| Span { least, most: f64::INFINITY };
        let found = estimate(&[open(2.0), open(1.5)], 0.95).expect("values");
        assert_eq!((found.interval, found.value.known()), (Some((1.5, f64::INFINITY)), None));
        let found = estimate(&[open(f64::NEG_INFINITY)], 0.95).expect("a value");
        assert_eq!(found.interval, None, "both were stopped");
        let found = estimate(&[Span::of(1.0), open(2.0), Span::of(1.2)], 0.95).expect("values");
        assert_eq!(found.interval, None, "Student's t needs every time");
    }

    #[test]
    fn few_rounds_have_students_interval_and_one_has_none() {
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

    proptest! {
        #[test]
        fn p_is_the_share_of_all_signs_that_are_as_extreme(values in prop::collection::vec(-6..7_i32, 1..12)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            prop_assert!((p(&values).expect("values") - by_enumeration(&values)).abs() < 1e-12);
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
            let (_, interval) = estimated(&values, 0.95).expect("values");
            let (low, high) = interval.expect("an interval");
            let shifted: Vec<f64> = values.iter().map(|value| value - shift).collect();
            let p = p(&shifted).expect("p");
            prop_assert_eq!(p <= 0.05, shift < low || shift > high, "{} {} {} {}", p, shift, low, high);
        }

        #[test]
        fn the_estimate_is_in_its_interval(values in prop::collection::vec(-1e3..1e3_f64, 2..60), confidence in 0.5..0.999) {
            let (middle, interval) = estimated(&values, confidence).expect("values");
            let (low, high) = interval.expect("an interval");
            prop_assert!(low <= middle && middle <= high);
        }
    }
}
