//! Two independent samples: the Mann-Whitney test, and the ratio of their medians.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::multiple::Test;
use crate::{Range, Sample, Time};

/// The largest number of times of both samples for which p is exact; C(40, 20) is exact in a double.
pub const EXACT: usize = 40;

/// The smallest number of runs of either sample for which a ratio has an interval.
pub const RATIO_INTERVAL_RUNS: usize = 5;

/// The result of a Mann-Whitney test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// U of the first sample: the number of pairs in which its time is the longer one, where a tie counts half.
    pub u: f64,
    /// The two-sided p-value, and the smallest one for samples of these sizes.
    pub test: Test,
}

/// The Mann-Whitney U test, two-sided: do the times of one sample tend to be longer than those of the other? `None` if a sample is
/// empty.
///
/// Ties get midranks, and censored times are tied. Up to [`EXACT`] times in all, p is exact: the share of all ways to pick
/// the first sample out of the times whose rank sum is as far from its mean as the observed one, ties included (the shift
/// algorithm of Streitberg & Roehmel 1986 on doubled ranks). Beyond, the normal approximation with tie correction and continuity
/// correction, as scipy's `mannwhitneyu(method="asymptotic")` does.
pub fn mann_whitney(first: &Sample, second: &Sample) -> Option<MannWhitney> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let times = |sample: &Sample, is_first| -> Vec<(bool, u64, bool)> {
        let exact = sample.exact().iter().map(move |&time| (false, time, is_first));
        exact.chain(std::iter::repeat_n((true, 0, is_first), sample.censored())).collect()
    };
    let mut all = [times(first, true), times(second, false)].concat();
    all.sort_unstable();
    // Doubled midranks are whole numbers.
    let mut ranks: Vec<usize> = Vec::with_capacity(all.len());
    let mut ties = 0.0;
    for tied in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let before = ranks.len();
        ranks.extend(std::iter::repeat_n(2 * before + tied.len() + 1, tied.len()));
        ties += (tied.len() as f64).powi(3) - tied.len() as f64;
    }
    let sum: usize = ranks.iter().zip(&all).filter(|(_, time)| time.2).map(|(rank, _)| rank).sum();
    let (n, m) = (first.len(), second.len());
    let u = (sum - n * (n + 1)) as f64 / 2.0;
    let p = if n + m <= EXACT { exact(&ranks, n, sum) } else { normal(u, n as f64, m as f64, ties) };
    Some(MannWhitney { u, test: Test { p, smallest_p: smallest_p(n, m) } })
}

/// The smallest p-value that samples of these sizes can give.
fn smallest_p(first: usize, second: usize) -> f64 {
    2.0 / (1..=first).map(|i| (second + i) as f64 / i as f64).product::<f64>()
}

fn exact(ranks: &[usize], n: usize, observed: usize) -> f64 {
    let largest: usize = ranks.iter().sum();
    // ways[k][s]: how many sets of k values have the (doubled) rank sum s.
    let mut ways = vec![vec![0.0_f64; largest + 1]; n + 1];
    ways[0][0] = 1.0;
    for (taken, &rank) in ranks.iter().enumerate() {
        for size in (1..=n.min(taken + 1)).rev() {
            let (smaller, larger) = ways.split_at_mut(size);
            for sum in rank..=largest {
                larger[0][sum] += smaller[size - 1][sum - rank];
            }
        }
    }
    // Of the doubled ranks, the mean sum is n (N + 1).
    let mean = n * (ranks.len() + 1);
    let distance = observed.abs_diff(mean);
    let total: f64 = ways[n].iter().sum();
    let as_far = ways[n].iter().enumerate().filter(|(sum, _)| sum.abs_diff(mean) >= distance);
    as_far.map(|(_, ways)| ways).sum::<f64>() / total
}

fn normal(u: f64, n: f64, m: f64, ties: f64) -> f64 {
    let all = n + m;
    let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = ((u - n * m / 2.0).abs() - 0.5) / variance.sqrt();
    (2.0 * Normal::standard().sf(z)).min(1.0)
}

/// A ratio of medians, or the geometric mean of several, with its 95 % interval.
///
/// The interval combines those of the two medians, on the scale of logarithms: the distance of either end from the ratio is the square
/// root of the sum of the squared distances of the ends of the two medians (MOVER; Zou & Donner 2008). Of five runs, whose median
/// has no interval with 95 % confidence, the range is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    value: f64,
    log: f64,
    log_interval: Option<Range>,
}

impl Ratio {
    /// The median of the second sample over that of the first: below 1, the second is faster. `None` if a median is not known or 0.
    pub fn of_medians(first: &Sample, second: &Sample) -> Option<Self> {
        let known = |sample: &Sample| sample.median()?.exact().filter(|&median| median > 0);
        let value = known(second)? as f64 / known(first)? as f64;
        let interval = distances(first).zip(distances(second)).map(|(first, second)| Range {
            low: value.ln() - second.low.hypot(first.high),
            high: value.ln() + second.high.hypot(first.low),
        });
        Some(Self { value, log: value.ln(), log_interval: interval })
    }

    /// The geometric mean of ratios of different samples; `None` without ratios. It has an interval if each of them has one.
    pub fn geometric_mean(ratios: &[Self]) -> Option<Self> {
        let count = ratios.len() as f64;
        let log = ratios.iter().map(|ratio| ratio.log).sum::<f64>() / count;
        let intervals: Option<Vec<(f64, Range)>> =
            ratios.iter().map(|ratio| Some((ratio.log, ratio.log_interval?))).collect();
        let interval = intervals.map(|intervals| {
            let reach = |distance: fn(&(f64, Range)) -> f64| {
                intervals.iter().map(|of| distance(of).powi(2)).sum::<f64>().sqrt() / count
            };
            Range { low: log - reach(|(log, of)| log - of.low), high: log + reach(|(log, of)| of.high - log) }
        });
        (!ratios.is_empty()).then(|| Self { value: log.exp(), log, log_interval: interval })
    }

    /// The ratio.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The 95 % interval; `None` below [`RATIO_INTERVAL_RUNS`] runs of a sample. An end that depends on a censored time is 0 or infinite.
    pub fn ci95(&self) -> Option<Range> {
        self.log_interval.map(|interval| interval.map(f64::exp))
    }
}

/// How far the ends of the interval of a median are from it, on the scale of logarithms.
fn distances(sample: &Sample) -> Option<Range> {
    let log = |time: Time| time.range().value().map_or(f64::INFINITY, f64::ln);
    let (low, high) = match sample.median_interval(0.95) {
        Some(interval) => interval,
        None if sample.len() >= RATIO_INTERVAL_RUNS => (sample.at(0)?, sample.at(sample.len() - 1)?),
        None => return None,
    };
    let median = log(sample.median()?);
    Some(Range { low: median - log(low), high: log(high) - median })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(times: &[u64]) -> Sample {
        times.iter().copied().collect()
    }

    fn near(found: (f64, f64), expected: (f64, f64)) {
        assert_eq!(found.0, expected.0);
        assert!((found.1 - expected.1).abs() < 1e-12, "{found:?} instead of {expected:?}");
    }

    fn test(first: &[u64], second: &[u64]) -> (f64, f64) {
        let MannWhitney { u, test } = mann_whitney(&sample(first), &sample(second)).expect("values");
        (u, test.p)
    }

    #[test]
    fn p_without_ties_is_that_of_scipy() {
        // scipy 1.17, mannwhitneyu(method="exact").
        near(test(&[1, 2, 3, 4, 5], &[6, 7, 8, 9, 10]), (0.0, 0.007936507936507936));
        near(test(&[19, 22, 16, 29, 24], &[20, 11, 17, 12]), (17.0, 0.1111111111111111));
        assert!((smallest_p(5, 5) - 0.007936507936507936).abs() < 1e-15);
        near(test(&[3, 9, 12], &[1, 5, 7, 10, 30, 31, 32]), (8.0, 0.6666666666666666));
    }

    #[test]
    fn p_of_many_ties_is_that_of_scipy() {
        // mannwhitneyu([i*i % 23 for i in range(30)], [i*7 % 29 for i in range(25)], method="asymptotic").
        let first: Vec<u64> = (0..30).map(|i| i * i % 23).collect();
        let second: Vec<u64> = (0..25).map(|i| i * 7 % 29).collect();
        near(test(&first, &second), (198.5, 0.0028921370791106485));
        near(test(&[5; 30], &[5; 30]), (450.0, 1.0));
    }

    #[test]
    fn censored_times_are_tied_and_longest() {
        let censored: Sample = [Time::Exact(1), Time::Censored(5), Time::Censored(9)].into_iter().collect();
        let found = mann_whitney(&censored, &sample(&[2, 3])).expect("values");
        near((found.u, found.test.p), test(&[1, 10, 10], &[2, 3]));
        assert_eq!(mann_whitney(&sample(&[]), &sample(&[1])), None);
    }

    #[test]
    fn ratio_is_the_second_median_over_the_first() {
        let ratio = Ratio::of_medians(&sample(&[100, 200, 300]), &sample(&[400])).expect("known");
        assert_eq!((ratio.value(), ratio.ci95()), (2.0, None));
        assert_eq!(Ratio::of_medians(&sample(&[]), &sample(&[3])), None);
        assert_eq!(Ratio::of_medians(&sample(&[0]), &sample(&[3])), None);
        let half: Sample = [Time::Exact(1), Time::Censored(5)].into_iter().collect();
        assert_eq!(Ratio::of_medians(&sample(&[3]), &half), None);
    }

    #[test]
    fn ratio_interval_combines_the_intervals_of_the_medians() {
        let (a, b) = (sample(&[100, 101, 102, 103, 104]), sample(&[200, 202, 204, 206, 208]));
        let ratio = Ratio::of_medians(&a, &b).expect("known");
        let Range { low, high } = ratio.ci95().expect("five runs");
        let reach = |a: f64, b: f64| a.ln().hypot(b.ln()).exp();
        assert!((low - 2.0 / reach(204.0 / 200.0, 104.0 / 102.0)).abs() < 1e-12, "{low}");
        assert!((high - 2.0 * reach(208.0 / 204.0, 102.0 / 100.0)).abs() < 1e-12, "{high}");
        let same = Ratio::of_medians(&sample(&[7; 5]), &sample(&[7; 5])).expect("known");
        assert_eq!(same.ci95(), Some(Range::exact(1.0)));
        assert_eq!(Ratio::of_medians(&sample(&[7; 4]), &b).expect("known").ci95(), None);
    }

    #[test]
    fn ratio_interval_is_open_where_a_time_is_censored() {
        let with_limit = |times: [u64; 4]| -> Sample {
            times.map(Time::Exact).into_iter().chain([Time::Censored(900)]).collect()
        };
        let (open, whole) = (with_limit([100, 101, 102, 103]), sample(&[100, 101, 102, 103, 104]));
        let ci95 =
            |a: &Sample, b: &Sample| Ratio::of_medians(a, b).expect("known").ci95().expect("five runs");
        assert_eq!(ci95(&whole, &open).high, f64::INFINITY);
        assert!(ci95(&whole, &open).low > 0.97);
        assert_eq!(ci95(&open, &whole).low, 0.0);
        assert_eq!(ci95(&open, &open), Range { low: 0.0, high: f64::INFINITY });
    }

    #[test]
    fn geometric_mean_of_many_cells_is_more_certain() {
        let (a, b) = (sample(&[100, 110, 120, 130, 140, 150]), sample(&[200, 210, 260, 270, 290, 310]));
        let one = Ratio::of_medians(&a, &b).expect("known");
        let inverse = Ratio::of_medians(&b, &a).expect("known");
        assert!((Ratio::geometric_mean(&[one, inverse]).expect("two").value() - 1.0).abs() < 1e-12);
        let width =
            |ratio: Ratio| ratio.ci95().map(|Range { low, high }| (high / low).ln()).expect("an interval");
        let four = Ratio::geometric_mean(&[one; 4]).expect("four");
        assert!((four.value() - one.value()).abs() < 1e-12 && (width(four) - width(one) / 2.0).abs() < 1e-12);
        let few = Ratio::of_medians(&sample(&[5]), &b).expect("known");
        assert_eq!(Ratio::geometric_mean(&[one, few]).expect("two").ci95(), None);
        assert_eq!(Ratio::geometric_mean(&[]), None);
    }

    /// Pairs of samples from equal distributions, of a fixed generator: the interval misses 1 in at most 5.5 % of them.
    #[test]
    fn ratio_interval_covers_the_ratio_of_equal_distributions() {
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
            for runs in [5, 6, 11, 40] {
                let mut draw = || (0..runs).map(|_| times(uniform()) as u64).collect::<Sample>();
                let misses = (0..2000).filter(|_| {
                    let ratio = Ratio::of_medians(&draw(), &draw()).expect("exact");
                    !ratio.ci95().expect("enough runs").contains(1.0)
                });
                let misses = misses.count();
                assert!((1..=110).contains(&misses), "{misses} of 2000 with {runs} runs");
            }
        }
    }

    /// The definition itself: all ways to choose the first sample out of all values.
    fn by_enumeration(first: &[u64], second: &[u64]) -> f64 {
        let all: Vec<u64> = first.iter().chain(second).copied().collect();
        let wins = |chosen: u32| {
            let (mut wins, mut losses) = (0_i64, 0_i64);
            for (i, a) in all.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1) {
                for (j, b) in all.iter().enumerate().filter(|(j, _)| chosen >> j & 1 == 0) {
                    assert_ne!(i, j);
                    wins += i64::from(a > b);
                    losses += i64::from(a < b);
                }
            }
            (wins - losses).abs()
        };
        let observed = wins((1 << first.len()) - 1);
        let sets = (0..1_u32 << all.len()).filter(|set| set.count_ones() as usize == first.len());
        let (mut far, mut total) = (0, 0);
        for set in sets {
            total += 1;
            far += i32::from(wins(set) >= observed);
        }
        f64::from(far) / f64::from(total)
    }

    proptest! {
        #[test]
        fn p_with_ties_is_the_share_of_choices_as_extreme(
            first in prop::collection::vec(0..6_u64, 1..6),
            second in prop::collection::vec(0..6_u64, 1..6),
        ) {
            let (u, p) = test(&first, &second);
            prop_assert!((p - by_enumeration(&first, &second)).abs() < 1e-12);
            let (v, q) = test(&second, &first);
            prop_assert!((u + v - (first.len() * second.len()) as f64).abs() < 1e-12 && (p - q).abs() < 1e-12);
        }

        #[test]
        fn ratio_is_in_its_interval(
            first in prop::collection::vec(1..1_000_000_u64, 5..30),
            second in prop::collection::vec(1..1_000_000_u64, 5..30),
        ) {
            let ratio = Ratio::of_medians(&sample(&first), &sample(&second)).expect("exact");
            let Range { low, high } = ratio.ci95().expect("enough runs");
            let value = ratio.value();
            prop_assert!(low <= value * (1.0 + 1e-12) && value <= high * (1.0 + 1e-12), "{:?}", ratio);
        }
    }
}
