//! Compares two independent samples, with the Mann-Whitney test and with the ratio of their times.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::multiple::Test;
use crate::paired::Estimate;
use crate::{Range, Sample};

/// The maximum number of times, in both samples together, for which p is exact. C(40, 20) is exact in a double.
pub const MAX_EXACT: usize = 40;

/// The result of a Mann-Whitney test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// The statistic U: the number of pairs of a time of each sample in which the time of the first sample is longer. A tie
    /// counts as half a pair.
    pub u: f64,
    /// The two-sided p-value, and the smallest possible p-value for samples of these sizes.
    pub test: Test,
}

/// The two-sided Mann-Whitney U test. Its hypothesis is that neither sample tends to have longer times than the other one. `None`
/// if a sample is empty.
///
/// Ties get midranks, and all censored times are tied. For up to [`MAX_EXACT`] times in all, p is exact, also with ties. It is
/// the probability that the rank sum of a random first sample of the same size is at least as far from its mean as the observed
/// rank sum (computed by the shift algorithm of Streitberg & Roehmel 1986 on doubled ranks). For more times, p is from the normal
/// approximation with tie correction and continuity correction, as in scipy's `mannwhitneyu(method="asymptotic")`.
pub fn mann_whitney(first: &Sample, second: &Sample) -> Option<MannWhitney> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let times = |sample: &Sample, is_first| -> Vec<(bool, u64, bool)> {
        let exact_times = sample.exact().iter().map(move |&time| (false, time, is_first));
        exact_times.chain(std::iter::repeat_n((true, 0, is_first), sample.censored())).collect()
    };
    let mut all_times = [times(first, true), times(second, false)].concat();
    all_times.sort_unstable();
    // The ranks are doubled, so that midranks are whole numbers.
    let mut ranks: Vec<usize> = Vec::with_capacity(all_times.len());
    let mut ties = 0.0;
    for tied_times in all_times.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let rank_before = ranks.len();
        ranks.extend(std::iter::repeat_n(2 * rank_before + tied_times.len() + 1, tied_times.len()));
        ties += (tied_times.len() as f64).powi(3) - tied_times.len() as f64;
    }
    let sum: usize = ranks.iter().zip(&all_times).filter(|(_, time)| time.2).map(|(rank, _)| rank).sum();
    let (n, m) = (first.len(), second.len());
    let u = (sum - n * (n + 1)) as f64 / 2.0;
    let p =
        if n + m <= MAX_EXACT { exact_p(&ranks, n, sum) } else { approximate_p(u, n as f64, m as f64, ties) };
    Some(MannWhitney { u, test: Test { p, smallest_p: smallest_p(n, m) } })
}

/// The smallest possible p-value for samples of these sizes.
fn smallest_p(first: usize, second: usize) -> f64 {
    2.0 / (1..=first).map(|i| (second + i) as f64 / i as f64).product::<f64>()
}

fn exact_p(ranks: &[usize], n: usize, observed: usize) -> f64 {
    let ways = rank_sums(ranks, n);
    // The mean rank sum, which is n (N + 1) / 2 for N times, is doubled because the ranks are doubled.
    let mean = n * (ranks.len() + 1);
    let distance = observed.abs_diff(mean);
    let extreme_sums = ways.iter().enumerate().filter(|(sum, _)| sum.abs_diff(mean) >= distance);
    extreme_sums.map(|(_, ways)| ways).sum::<f64>() / ways.iter().sum::<f64>()
}

/// Element `s` is the number of sets of `n` ranks whose sum is `s`.
fn rank_sums(ranks: &[usize], n: usize) -> Vec<f64> {
    let largest_sum: usize = ranks.iter().sum();
    // ways[k][s] is the number of sets of k ranks with the sum s.
    let mut ways = vec![vec![0.0_f64; largest_sum + 1]; n + 1];
    ways[0][0] = 1.0;
    for (index, &rank) in ranks.iter().enumerate() {
        for size in (1..=n.min(index + 1)).rev() {
            let (smaller, larger) = ways.split_at_mut(size);
            for sum in rank..=largest_sum {
                larger[0][sum] += smaller[size - 1][sum - rank];
            }
        }
    }
    ways.swap_remove(n)
}

fn approximate_p(u: f64, n: f64, m: f64, ties: f64) -> f64 {
    let total = n + m;
    let variance = n * m / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = ((u - n * m / 2.0).abs() - 0.5) / variance.sqrt();
    (2.0 * Normal::standard().sf(z)).min(1.0)
}

/// Estimates the logarithm of the ratio of the second sample to the first, from the logarithms of their times. The estimate is
/// the median of the differences of all pairs (Hodges & Lehmann 1963). The interval consists of the differences that the
/// Mann-Whitney test does not reject. `None` if a sample is empty.
///
/// The only assumption of the interval is that the distributions differ by a constant factor. For up to [`MAX_EXACT`] times in
/// all, the interval is exact if there are no ties. For more times, it is from the normal approximation without tie correction.
/// If the samples are too small for a significant test, there is no interval. If a time is censored, only one end of its
/// differences is known; the estimate and the interval are valid for all possible times.
///
/// Takes O(n) memory and O(n log n) time.
///
/// ```
/// use timestats::{Time, unpaired};
///
/// let [first, second] = [[100, 104, 99, 101, 103, 98, 102], [110, 112, 108, 111, 115, 109, 113]]
///     .map(|times| times.map(|time| Time::Exact(time).ln()));
/// let ratio = unpaired::estimate(&first, &second, 0.95).expect("times");
/// let interval = ratio.interval.expect("seven runs of each program").map(f64::exp);
/// assert!(interval.low > 1.05 && interval.high < 1.15);
/// ```
pub fn estimate(first: &[Range], second: &[Range], confidence: f64) -> Option<Estimate> {
    let pairs = first.len() * second.len();
    if pairs == 0 {
        return None;
    }
    let low = Differences::new(first.iter().map(|log| log.high), second.iter().map(|log| log.low));
    let is_exact = first.iter().chain(second).all(|log| log.low == log.high);
    let high = (!is_exact)
        .then(|| Differences::new(first.iter().map(|log| log.low), second.iter().map(|log| log.high)));
    let median = |differences: &Differences| {
        let [lower, upper] = [(pairs - 1) / 2, pairs / 2];
        match lower == upper {
            true => differences.with_rank(lower),
            false => f64::midpoint(differences.with_rank(lower), differences.with_rank(upper)),
        }
    };
    let low_estimate = median(&low);
    let high_estimate = high.as_ref().map_or(low_estimate, median);
    let outside_count = differences_outside(first.len(), second.len(), (1.0 - confidence) / 2.0);
    let high = high.as_ref().unwrap_or(&low);
    Some(Estimate {
        value: Range { low: low_estimate, high: high_estimate },
        interval: outside_count.map(|outside_count| Range {
            low: low.with_rank(outside_count),
            high: high.with_rank(pairs - 1 - outside_count),
        }),
    })
}

/// The minimum number of runs in each sample for which [`estimate`] returns an interval with this confidence.
pub fn min_runs(confidence: f64) -> usize {
    (1..).find(|&runs| smallest_p(runs, runs) <= 1.0 - confidence).unwrap_or(usize::MAX)
}

/// The differences of all pairs: a value of the second sample minus a value of the first sample. Only the values are stored,
/// because there are too many pairs.
struct Differences {
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Differences {
    fn new(first: impl Iterator<Item = f64>, second: impl Iterator<Item = f64>) -> Self {
        let (mut first, mut second) = (first.collect::<Vec<_>>(), second.collect::<Vec<_>>());
        first.sort_unstable_by(f64::total_cmp);
        second.sort_unstable_by(f64::total_cmp);
        Self { first, second }
    }

    /// For each value of the first sample, the number of its differences that are at most `value`.
    fn counts_up_to(&self, value: f64) -> impl Iterator<Item = usize> {
        let mut count = 0;
        self.first.iter().map(move |first| {
            count += self.second[count..].iter().take_while(|&second| second - first <= value).count();
            count
        })
    }

    /// The difference with this rank, from 0. Bisects the range of differences until it contains at most `max_listed` of them,
    /// and then selects the difference from their list.
    fn with_rank(&self, rank: usize) -> f64 {
        // `key` maps doubles to integers in the same order, and `value` is its inverse.
        let value = |key: i64| f64::from_bits((key ^ ((key >> 63) & i64::MAX)).cast_unsigned());
        let key =
            |value: f64| value.to_bits().cast_signed() ^ ((value.to_bits().cast_signed() >> 63) & i64::MAX);
        let max_listed = self.first.len() + self.second.len();
        let (mut lower, mut upper) = (key(f64::NEG_INFINITY) - 1, key(f64::INFINITY));
        if let ([first_min, .., first_max], [second_min, .., second_max]) =
            (&self.first[..], &self.second[..])
            && (second_min - first_max).is_finite()
            && (second_max - first_min).is_finite()
        {
            (lower, upper) = (key(second_min - first_max) - 1, key(second_max - first_min));
        }
        // The numbers of differences that are at most `lower`, and at most `upper`.
        let (mut up_to_lower, mut up_to_upper) = (0, self.first.len() * self.second.len());
        for step in 0.. {
            if lower + 1 >= upper || up_to_upper - up_to_lower <= max_listed {
                break;
            }
            // The midpoint of the values converges faster, except near 0, where it would take a thousand steps.
            let middle = key(f64::midpoint(value(lower), value(upper)));
            let is_between = step < STEPS_BY_VALUE && (lower + 1..upper).contains(&middle);
            let middle = if is_between { middle } else { lower.midpoint(upper) };
            let count = self.counts_up_to(value(middle)).sum();
            if count > rank {
                (upper, up_to_upper) = (middle, count)
            } else {
                (lower, up_to_lower) = (middle, count)
            }
        }
        // Adding 0.0 turns -0.0 into 0.0.
        if lower + 1 >= upper {
            return value(upper) + 0.0;
        }
        let rows = self.counts_up_to(value(lower)).zip(self.counts_up_to(value(upper))).zip(&self.first);
        let mut differences: Vec<f64> = rows
            .flat_map(|((from, to), first)| self.second[from..to].iter().map(move |second| second - first))
            .collect();
        *differences.select_nth_unstable_by(rank - up_to_lower, f64::total_cmp).1 + 0.0
    }
}

/// The number of steps of [`Differences::with_rank`] that bisect the values. Later steps bisect the integer keys of the values.
const STEPS_BY_VALUE: usize = 40;

/// The number of differences outside the interval at each end, for samples of these sizes. `tail` is the maximum probability of
/// each one-sided rejection. Returns `None` if the test cannot reject with this probability.
fn differences_outside(first: usize, second: usize, tail: f64) -> Option<usize> {
    if first + second > MAX_EXACT {
        let (n, m) = (first as f64, second as f64);
        let deviation = (n * m * (n + m + 1.0) / 12.0).sqrt();
        let outside_count = n * m / 2.0 - Normal::standard().inverse_cdf(1.0 - tail) * deviation - 0.5;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
        return (outside_count >= 0.0).then_some(outside_count as usize);
    }
    // Without ties, U is the rank sum minus the smallest possible rank sum.
    let ways = rank_sums(&(1..=first + second).collect::<Vec<_>>(), first);
    let (smallest_sum, total) = (first * (first + 1) / 2, ways.iter().sum::<f64>());
    let probabilities = ways[smallest_sum..].iter().scan(0.0, |sum, ways| {
        *sum += ways;
        Some(*sum / total)
    });
    probabilities.take_while(|&probability| probability <= tail).count().checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Time;
    use proptest::prelude::*;

    fn sample(times: &[u64]) -> Sample {
        times.iter().copied().collect()
    }

    fn assert_near(actual: (f64, f64), expected: (f64, f64)) {
        assert_eq!(actual.0, expected.0);
        assert!((actual.1 - expected.1).abs() < 1e-12, "{actual:?} instead of {expected:?}");
    }

    fn test(first: &[u64], second: &[u64]) -> (f64, f64) {
        let MannWhitney { u, test } = mann_whitney(&sample(first), &sample(second)).expect("values");
        (u, test.p)
    }

    #[test]
    fn p_value_without_ties_agrees_with_scipy() {
        // scipy 1.17, mannwhitneyu(method="exact").
        assert_near(test(&[1, 2, 3, 4, 5], &[6, 7, 8, 9, 10]), (0.0, 0.007936507936507936));
        assert_near(test(&[19, 22, 16, 29, 24], &[20, 11, 17, 12]), (17.0, 0.1111111111111111));
        assert!((smallest_p(5, 5) - 0.007936507936507936).abs() < 1e-15);
        assert_near(test(&[3, 9, 12], &[1, 5, 7, 10, 30, 31, 32]), (8.0, 0.6666666666666666));
    }

    #[test]
    fn p_value_with_ties_agrees_with_scipy() {
        // mannwhitneyu([i*i % 23 for i in range(30)], [i*7 % 29 for i in range(25)], method="asymptotic").
        let first: Vec<u64> = (0..30).map(|i| i * i % 23).collect();
        let second: Vec<u64> = (0..25).map(|i| i * 7 % 29).collect();
        assert_near(test(&first, &second), (198.5, 0.0028921370791106485));
        assert_near(test(&[5; 30], &[5; 30]), (450.0, 1.0));
    }

    #[test]
    fn censored_times_are_tied_and_longest() {
        let censored_sample: Sample =
            [Time::Exact(1), Time::Censored(5), Time::Censored(9)].into_iter().collect();
        let result = mann_whitney(&censored_sample, &sample(&[2, 3])).expect("values");
        assert_near((result.u, result.test.p), test(&[1, 10, 10], &[2, 3]));
        assert_eq!(mann_whitney(&sample(&[]), &sample(&[1])), None);
    }

    fn logs(times: &[u64]) -> Vec<Range> {
        times.iter().map(|&time| Time::Exact(time).ln()).collect()
    }

    fn interval(first: &[Range], second: &[Range]) -> Option<Range> {
        estimate(first, second, 0.95).expect("times").interval
    }

    #[test]
    fn critical_values_of_u_match_published_table() {
        // The table of critical values of U, two-sided at 5 % (Mann & Whitney 1947; Milton 1964).
        let table = [
            (4, 4, 0),
            (5, 5, 2),
            (5, 8, 6),
            (7, 7, 8),
            (8, 8, 13),
            (10, 10, 23),
            (15, 20, 90),
            (20, 20, 127),
        ];
        for (n, m, critical) in table {
            assert_eq!(differences_outside(n, m, 0.025), Some(critical), "{n} and {m}");
        }
        assert_eq!((differences_outside(3, 3, 0.025), differences_outside(1, 30, 0.025)), (None, None));
        // Two-sided at 1 %.
        assert_eq!(
            (differences_outside(7, 7, 0.005), differences_outside(20, 20, 0.005)),
            (Some(4), Some(105))
        );
        assert_eq!([0.95, 0.99, 0.9975].map(min_runs), [4, 5, 6]);
    }

    #[test]
    fn normal_approximation_agrees_with_the_exact_distribution() {
        for (n, tail) in [(21, 0.025), (30, 0.025), (30, 0.003)] {
            let ways = rank_sums(&(1..=2 * n).collect::<Vec<_>>(), n);
            let (smallest_sum, total) = (n * (n + 1) / 2, ways.iter().sum::<f64>());
            let probability = |u: usize| ways[smallest_sum..=smallest_sum + u].iter().sum::<f64>() / total;
            let exact_count = (0..).take_while(|&u| probability(u) <= tail).count() - 1;
            let approximate_count = differences_outside(n, n, tail);
            assert!(
                approximate_count.is_some_and(|outside| outside.abs_diff(exact_count) <= 2),
                "{n}: {exact_count}"
            );
        }
    }

    #[test]
    fn ratio_and_interval_agree_with_r() {
        // R 4: with these times, wilcox.test(log(b), log(a), conf.int = TRUE) gives the order statistics 9 and 41 of the 49
        // differences.
        let (a, b) = ([100_u32, 104, 99, 101, 103, 98, 102], [110, 112, 108, 111, 115, 109, 113]);
        let mut differences: Vec<f64> =
            a.iter().flat_map(|a| b.iter().map(move |b| f64::from(*b).ln() - f64::from(*a).ln())).collect();
        differences.sort_unstable_by(f64::total_cmp);
        let [first, second] = [a, b].map(|times| logs(&times.map(u64::from)));
        let result = estimate(&first, &second, 0.95).expect("times");
        assert_eq!(result.value, Range::exact(differences[24]));
        assert_eq!(result.interval, Some(Range { low: differences[8], high: differences[40] }));
    }

    #[test]
    fn ratio_needs_one_run_and_interval_needs_four() {
        assert_eq!(estimate(&[], &logs(&[3]), 0.95), None);
        let estimate_of_single_runs = estimate(&logs(&[100]), &logs(&[200]), 0.95).expect("times");
        assert_eq!(
            (estimate_of_single_runs.value, estimate_of_single_runs.interval),
            (Range::exact(200_f64.ln() - 100_f64.ln()), None)
        );
        assert_eq!(interval(&logs(&[7; 3]), &logs(&[7; 3])), None);
        assert_eq!(interval(&logs(&[7; 4]), &logs(&[7; 4])), Some(Range::exact(0.0)));
    }

    #[test]
    fn censored_time_makes_ratio_interval_unbounded() {
        let logs_with_limit = |times: &[u64], censored: usize| -> Vec<Range> {
            [logs(times), vec![Time::Censored(900).ln(); censored]].concat()
        };
        let (exact_logs, half_censored_logs) =
            (logs_with_limit(&[100, 101, 102, 103, 104, 105], 0), logs_with_limit(&[100, 101, 102], 3));
        let interval_of_ratio = interval(&exact_logs, &half_censored_logs).expect("six runs of each program");
        assert!(
            interval_of_ratio.low.is_finite() && interval_of_ratio.high == f64::INFINITY,
            "{interval_of_ratio:?}"
        );
        assert_eq!(
            interval(&half_censored_logs, &exact_logs).expect("six runs of each program").low,
            f64::NEG_INFINITY
        );
        // If one run is censored, 6 of 36 differences have no upper end, and the interval leaves out only 5 differences at each
        // end.
        let one_censored_log = logs_with_limit(&[100, 101, 102, 103, 104], 1);
        let interval_of_ratio = interval(&exact_logs, &one_censored_log).expect("six runs of each program");
        assert!(
            interval_of_ratio.low.is_finite() && interval_of_ratio.high == f64::INFINITY,
            "{interval_of_ratio:?}"
        );
    }

    #[test]
    fn ratio_of_twenty_thousand_runs_has_narrow_interval() {
        let times = |factor: f64| -> Vec<Range> {
            (0..20_000_u32)
                .map(|run| Range::exact((factor * f64::from(1000 + run * 7919 % 500)).ln()))
                .collect()
        };
        let result = estimate(&times(1.0), &times(1.01), 0.95).expect("times");
        assert!((result.value.low - 1.01_f64.ln()).abs() < 1e-12, "{result:?}");
        let interval = result.interval.expect("many runs");
        assert!(interval.contains(1.01_f64.ln()) && interval.high - interval.low < 0.006, "{interval:?}");
    }

    /// Draws pairs of samples from equal distributions with a fixed generator of random numbers. The interval misses the ratio 1
    /// in at most 5.5 % of the pairs.
    #[test]
    fn ratio_interval_has_its_confidence_for_equal_distributions() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut uniform = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let exponential: fn(f64) -> f64 = |share| 1e6 * (0.2 - (1.0 - share).ln());
        let two_modes: fn(f64) -> f64 =
            |share| if share < 0.5 { 1e6 + share * 1e5 } else { 2e6 + share * 1e5 };
        for times in [exponential, two_modes, |share| 1e6 * (1.0 + share)] {
            for runs in [4, 7, 11, 30] {
                let mut draw = || (0..runs).map(|_| Range::exact(times(uniform()).ln())).collect::<Vec<_>>();
                let misses = (0..2000).filter(|_| {
                    let (first, second) = (draw(), draw());
                    !interval(&first, &second).expect("enough runs").contains(0.0)
                });
                let misses = misses.count();
                assert!((1..=110).contains(&misses), "{misses} of 2000 with {runs} runs");
            }
        }
    }

    /// The p-value by definition: tries all ways to choose the first sample from the values of both samples.
    fn p_by_enumeration(first: &[u64], second: &[u64]) -> f64 {
        let times: Vec<u64> = first.iter().chain(second).copied().collect();
        let distance = |set: u32| {
            let (mut wins, mut losses) = (0_i64, 0_i64);
            for (i, a) in times.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1) {
                for (j, b) in times.iter().enumerate().filter(|(j, _)| set >> j & 1 == 0) {
                    assert_ne!(i, j);
                    wins += i64::from(a > b);
                    losses += i64::from(a < b);
                }
            }
            (wins - losses).abs()
        };
        let observed = distance((1 << first.len()) - 1);
        let sets = (0..1_u32 << times.len()).filter(|set| set.count_ones() as usize == first.len());
        let (mut extreme_sets, mut all_sets) = (0, 0);
        for set in sets {
            all_sets += 1;
            extreme_sets += i32::from(distance(set) >= observed);
        }
        f64::from(extreme_sets) / f64::from(all_sets)
    }

    proptest! {
        #[test]
        fn p_value_with_ties_agrees_with_enumeration(
            first in prop::collection::vec(0..6_u64, 1..6),
            second in prop::collection::vec(0..6_u64, 1..6),
        ) {
            let (u, p) = test(&first, &second);
            prop_assert!((p - p_by_enumeration(&first, &second)).abs() < 1e-12);
            let (v, q) = test(&second, &first);
            prop_assert!((u + v - (first.len() * second.len()) as f64).abs() < 1e-12 && (p - q).abs() < 1e-12);
        }

        #[test]
        fn ranked_difference_equals_entry_of_sorted_list(
            first in prop::collection::vec(1..2000_u64, 1..12),
            second in prop::collection::vec(1..2000_u64, 1..12),
            censored in 0..3_usize,
        ) {
            let second = [logs(&second), vec![Time::Censored(2000).ln(); censored]].concat();
            let differences = Differences::new(logs(&first).iter().map(|log| log.low), second.iter().map(|log| log.high));
            let mut sorted_differences: Vec<f64> =
                logs(&first).iter().flat_map(|a| second.iter().map(move |b| b.high - a.low)).collect();
            sorted_differences.sort_unstable_by(f64::total_cmp);
            let differences_by_rank: Vec<f64> = (0..sorted_differences.len()).map(|rank| differences.with_rank(rank)).collect();
            prop_assert_eq!(differences_by_rank, sorted_differences);
        }

        /// The samples have more differences than [`Differences::with_rank`] lists. The differences have ties and both signs.
        #[test]
        fn rank_of_many_tied_differences_is_exact(
            first in prop::collection::vec(0..30_i32, 20..60),
            second in prop::collection::vec(0..30_i32, 20..60),
            share in 0.0..1.0_f64,
        ) {
            let floats = |values: &[i32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>();
            let (first, second) = (floats(&first), floats(&second));
            let differences = Differences::new(first.iter().copied(), second.iter().copied());
            let mut sorted_differences: Vec<f64> = first.iter().flat_map(|a| second.iter().map(move |b| b - a)).collect();
            sorted_differences.sort_unstable_by(f64::total_cmp);
            let rank = (share * sorted_differences.len() as f64) as usize;
            prop_assert_eq!(differences.with_rank(rank), sorted_differences[rank]);
        }

        /// Divides the second sample by a ratio. The test rejects equality exactly if the ratio is outside the interval.
        #[test]
        fn interval_contains_exactly_the_accepted_ratios(
            first in prop::collection::hash_set(1..1_000_000_u64, 4..9),
            second in prop::collection::hash_set(1..1_000_000_u64, 4..9),
            shift in -5.0..5.0_f64,
        ) {
            let [first, second] = [first, second].map(|set| logs(&set.into_iter().collect::<Vec<_>>()));
            let interval = interval(&first, &second).expect("four runs of each program");
            // The test takes whole numbers.
            let whole_numbers = |logs: &[Range], shift: f64| -> Sample {
                logs.iter().map(|log| ((log.low - shift + 20.0) * 1e12) as u64).collect()
            };
            let p = mann_whitney(&whole_numbers(&first, 0.0), &whole_numbers(&second, shift)).expect("times").test.p;
            prop_assert_eq!(interval.contains(shift), p > 0.05, "{} {:?}", p, interval);
        }
    }
}
