//! Robust statistics of a cell's times. In: integers. Out: integers, rounded half up.
//!
//! A run that a limit stopped is [`STOPPED`], longer than every answered one. What depends on its time is [`STOPPED`] as
//! well: the median, if half of the runs were stopped or more (of two runs in the middle, the upper one decides).
//!
//! - percentile: linear interpolation between order statistics (Hyndman & Fan's type 7, the default
//!   of R and NumPy); the median is the 50th.
//! - MAD: median of the absolute deviations from the median, not scaled. One run has none.
//! - interval: percentile bootstrap of the median with a fixed seed, so that the same times always
//!   give the same interval; below [`CI_MIN_RUNS`] runs it would be no more than the range, so none.
//! - outliers: hyperfine's modified z-score, of answered runs. They are counted, never removed.

use std::collections::{BTreeMap, HashMap};

/// The nearest whole number. Negative numbers become 0, and numbers that are too large the largest one.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast of a float stops at both ends"
)]
pub fn rounded(value: f64) -> u64 {
    value.round() as u64
}

/// The time of a run that a limit stopped.
pub const STOPPED: u64 = u64::MAX;

/// Fewest runs, answered or stopped, for which a confidence interval is given.
pub const CI_MIN_RUNS: usize = 5;

/// Ten standard deviations of a normal distribution, in MADs: hyperfine's threshold.
const OUTLIER_MADS: f64 = 14.826;

const RESAMPLES: usize = 10_000;
const BOOTSTRAP_SEED: u64 = 1;

/// Larger samples are not drawn anew: the interval's ranks are those of the normal approximation.
const MOST_RESAMPLED: usize = 500;

/// The 97.5th percentile of the normal distribution.
const NORMAL_97_5: f64 = 1.959_964;

/// What the times of a cell say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The smallest.
    pub min: u64,
    /// First quartile.
    pub p25: u64,
    /// The median.
    pub median: u64,
    /// Third quartile.
    pub p75: u64,
    /// Median absolute deviation; a single run has none.
    pub mad: Option<u64>,
    /// 95 % confidence interval of the median.
    pub ci95: Option<(u64, u64)>,
    /// How many are outliers; a single run cannot tell.
    pub outliers: Option<u64>,
}

impl Summary {
    /// Of times in any order; `None` when there are none. Samples of one size share their resamples.
    pub fn with(bootstrap: &mut Bootstrap, times: &[u64]) -> Option<Self> {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let min = *sorted.first()?;
        let median = percentile(&sorted, 50);
        let mad = mad(&sorted);
        Some(Self {
            min,
            p25: percentile(&sorted, 25),
            median,
            p75: percentile(&sorted, 75),
            mad,
            ci95: bootstrap.median_ci95(&sorted),
            outliers: mad.filter(|&mad| mad < STOPPED).map(|mad| outliers(&sorted, median, mad)),
        })
    }
}

/// A percentile of sorted, non-empty values.
pub fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let hundredths = (sorted.len() - 1) * percent;
    let (rank, part) = (hundredths / 100, (hundredths % 100) as u64);
    let below = sorted[rank];
    let above = *sorted.get(rank + 1).unwrap_or(&below);
    if part == 0 || above == STOPPED {
        return if part == 0 { below } else { STOPPED };
    }
    let gap = above - below;
    below + gap / 100 * part + (gap % 100 * part + 50) / 100
}

/// Arithmetic mean; `None` without values.
pub fn mean(values: &[u64]) -> Option<f64> {
    let sum: f64 = values.iter().map(|&value| value as f64).sum();
    (!values.is_empty()).then(|| sum / values.len() as f64)
}

/// Standard deviation of a sample, with n - 1 in the denominator; `None` below two values.
pub fn standard_deviation(values: &[u64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|&value| (value as f64 - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// Median absolute deviation of sorted values; `None` below two.
fn mad(sorted: &[u64]) -> Option<u64> {
    let median = percentile(sorted, 50);
    if sorted.len() < 2 || median == STOPPED {
        return None;
    }
    let distance = |&time: &u64| if time == STOPPED { STOPPED } else { time.abs_diff(median) };
    let mut deviations: Vec<u64> = sorted.iter().map(distance).collect();
    deviations.sort_unstable();
    Some(percentile(&deviations, 50))
}

/// How many values lie further from the median than [`OUTLIER_MADS`] MADs. A MAD of 0 says that most
/// values agree to the nanosecond, not that the next one is infinitely far: it counts as one
/// nanosecond, the resolution of what was measured.
fn outliers(sorted: &[u64], median: u64, mad: u64) -> u64 {
    let allowed = OUTLIER_MADS * mad.max(1) as f64;
    let answered = sorted.iter().filter(|&&time| time < STOPPED);
    answered.filter(|time| time.abs_diff(median) as f64 > allowed).count() as u64
}

/// The percentile bootstrap of the median. Its draws depend on the number of runs alone, so that they are made once for
/// each number.
#[derive(Debug, Default)]
pub struct Bootstrap {
    /// By the number of runs: the ranks between which the median of a draw lies, and the number of draws for which it does.
    draws: HashMap<usize, BTreeMap<(usize, usize), usize>>,
}

impl Bootstrap {
    /// The interval of the median of sorted values.
    fn median_ci95(&mut self, sorted: &[u64]) -> Option<(u64, u64)> {
        let runs = sorted.len();
        if runs < CI_MIN_RUNS {
            return None;
        }
        let last = runs - 1;
        if runs > MOST_RESAMPLED {
            // The median's rank in a resample is as good as normal, with a standard deviation of sqrt(runs) / 2.
            let low = last as f64 / 2.0 - NORMAL_97_5 * (runs as f64).sqrt() / 2.0;
            let low = usize::try_from(rounded(low.floor())).ok()?;
            return Some((sorted[low], sorted[last - low]));
        }
        let mut medians: Vec<(u64, usize)> = Vec::new();
        for (&(low, high), &count) in self.draws.entry(runs).or_insert_with(|| draws(runs)).iter() {
            medians.push((percentile(&[sorted[low], sorted[high]], 50), count));
            medians.push((percentile(&[sorted[last - high], sorted[last - low]], 50), count));
        }
        Some(middle_95(medians))
    }
}

/// The ranks between which the median of a resample lies, and the number of draws for which it does.
fn draws(runs: usize) -> BTreeMap<(usize, usize), usize> {
    let mut random = fastrand::Rng::with_seed(BOOTSTRAP_SEED);
    let mut ranks = vec![0; runs];
    // Ranks in order are a sorted resample. So are they counted from the other end, which makes two
    // resamples of one draw and the interval's ranks symmetric.
    let mut draws = BTreeMap::new();
    for _ in 0..RESAMPLES / 2 {
        ranks.fill_with(|| random.usize(..runs));
        ranks.sort_unstable();
        *draws.entry((ranks[(runs - 1) / 2], ranks[runs / 2])).or_default() += 1;
    }
    draws
}

/// The middle 95 % of the medians of all resamples, given each with the number of resamples that have it.
fn middle_95(mut medians: Vec<(u64, usize)>) -> (u64, u64) {
    medians.sort_unstable();
    // The values that cut off at most 2.5 % on either side: no interpolation between jumps.
    let cut_off = |rank: usize| {
        let mut below = 0;
        let reaches = |&&(_, count): &&(u64, usize)| {
            below += count;
            below > rank
        };
        medians.iter().find(reaches).map_or(STOPPED, |&(median, _)| median)
    };
    (cut_off(RESAMPLES / 40), cut_off(RESAMPLES - 1 - RESAMPLES / 40))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn alone(times: &[u64]) -> Option<Summary> {
        Summary::with(&mut Bootstrap::default(), times)
    }

    fn summary(times: &[u64]) -> Summary {
        alone(times).expect("there are times")
    }

    #[test]
    fn percentiles_are_type_7() {
        // R 4: quantile(c(15, 20, 35, 40, 50), c(.25, .5, .75)) is 20 35 40; of c(1, 2, 4, 8) it is
        // 1.75 3 5: position 3 * .25 = .75 between 1 and 2; 1.5 between 2 and 4; 2.25 between 4 and 8.
        let five = [15, 20, 35, 40, 50];
        assert_eq!([25, 50, 75].map(|percent| percentile(&five, percent)), [20, 35, 40]);
        let four = [1000, 2000, 4000, 8000];
        assert_eq!([0, 25, 50, 75, 100].map(|p| percentile(&four, p)), [1000, 1750, 3000, 5000, 8000]);
        assert_eq!(percentile(&[1, 2], 50), 2, "1.5 rounds up");
    }

    #[test]
    fn mad_is_the_median_distance_to_the_median() {
        // The textbook example: median 2, distances 1 1 0 0 2 4 7, sorted 0 0 1 1 2 4 7: MAD 1.
        assert_eq!(summary(&[1, 1, 2, 2, 4, 6, 9]).mad, Some(1));
        assert_eq!(summary(&[10, 30]).mad, Some(10));
    }

    #[test]
    fn mean_and_standard_deviation_are_those_of_a_sample() {
        // R 4: sd(c(2, 4, 4, 4, 5, 5, 7, 9)) is 2.13809.
        let values = [2, 4, 4, 4, 5, 5, 7, 9];
        assert_eq!(mean(&values), Some(5.0));
        assert!((standard_deviation(&values).expect("eight") - 2.138_089_935_299_395).abs() < 1e-12);
        assert_eq!((mean(&[]), standard_deviation(&[7])), (None, None));
    }

    #[test]
    fn one_run_has_a_median_and_no_spread() {
        let one = summary(&[42]);
        assert_eq!((one.min, one.p25, one.median, one.p75), (42, 42, 42, 42));
        assert_eq!((one.mad, one.ci95, one.outliers), (None, None, None));
        assert_eq!(alone(&[]), None);
    }

    #[test]
    fn an_outlier_is_more_than_14_826_mads_away() {
        // Median 1000; distances 0 1000 1000 1000 and the last one's: MAD 1000, so 14826 is allowed.
        assert_eq!(summary(&[0, 0, 1000, 2000, 15_826]).outliers, Some(0));
        assert_eq!(summary(&[0, 0, 1000, 2000, 15_827]).outliers, Some(1));
    }

    #[test]
    fn a_clock_tick_is_no_outlier_among_equal_times() {
        assert_eq!(summary(&[500, 500, 500, 500, 501]).outliers, Some(0));
        assert_eq!(summary(&[500, 500, 500, 500, 515]).outliers, Some(1));
        assert_eq!(summary(&[500; 5]).outliers, Some(0));
    }

    #[test]
    fn no_interval_below_five_runs() {
        assert_eq!(summary(&[1, 2, 3, 4]).ci95, None);
        assert!(summary(&[1, 2, 3, 4, 5]).ci95.is_some());
    }

    /// P(at least `k` of `n` draws hit an event of probability `p`).
    fn binomial_tail(n: u32, k: u32, p: f64) -> f64 {
        let choose = |k| (0..k).fold(1.0, |c, i| c * f64::from(n - i) / f64::from(i + 1));
        (k..=n).map(|k| choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)).sum()
    }

    #[test]
    fn the_interval_is_that_of_the_exact_bootstrap_distribution() {
        // Without simulation: of an odd number n of distinct sorted values, the resampled median is
        // at most the k-th when at least (n + 1) / 2 of n draws are, each with probability k / n.
        // The bounds are the first k at which that exceeds 2.5 %, and its mirror image. At these n no
        // such probability is within 0.5 % of 2.5 %, where 10,000 resamples could fall on either side.
        for n in [5_u32, 7, 9, 11, 13, 17, 21, 27, 37] {
            let at_most = |k: u32| binomial_tail(n, n.div_ceil(2), f64::from(k) / f64::from(n));
            let first = (1..=n).find(|&k| at_most(k) > 0.025).expect("it ends at 1");
            assert!((1..n).all(|k| (at_most(k) - 0.025).abs() > 0.005), "n = {n} is too close to call");
            let times: Vec<u64> = (1..=u64::from(n)).map(|rank| 1000 * rank * rank).collect();
            let (low, high) = (u64::from(first), u64::from(n + 1 - first));
            assert_eq!(summary(&times).ci95, Some((1000 * low * low, 1000 * high * high)), "n = {n}");
        }
    }

    #[test]
    fn large_samples_have_the_interval_that_resampling_would_give() {
        let runs = MOST_RESAMPLED + 1;
        let times: Vec<u64> = (0..runs as u64).collect();
        let (low, high) = summary(&times).ci95.expect("enough runs");
        let of = |(&(rank, _), &count): (&(usize, usize), &usize)| {
            [(times[rank], count), (times[runs - 1 - rank], count)]
        };
        let medians = draws(runs).iter().flat_map(of).collect();
        let (drawn_low, drawn_high) = middle_95(medians);
        assert!(low.abs_diff(drawn_low) <= 1 && high.abs_diff(drawn_high) <= 1, "{low} {high}");
        assert_eq!(low, runs as u64 - 1 - high);
    }

    #[test]
    fn samples_of_one_size_share_their_draws() {
        let mut shared = Bootstrap::default();
        for times in [[1, 2, 3, 4, 5, 60], [9, 9, 9, 1, 2, 3]] {
            assert_eq!(Summary::with(&mut shared, &times), alone(&times));
        }
        assert_eq!(shared.draws.len(), 1);
    }

    /// The example of five runs of which one was stopped after 10 s, in ms: the median of the others alone is 8230.
    #[test]
    fn a_stopped_run_is_longer_than_every_answered_one() {
        let five = summary(&[7900, 8070, 8390, 8410, STOPPED]);
        assert_eq!((five.min, five.p25, five.median, five.p75), (7900, 8070, 8390, 8410));
        assert_eq!((five.mad, five.outliers), (Some(320), Some(0)));
        // The resampled median is the stopped run in 5.8 % of all samples (binomial: three of five draws or more).
        assert_eq!(five.ci95, Some((7900, STOPPED)));
        let half = summary(&[7900, 8070, STOPPED, STOPPED]);
        assert_eq!((half.median, half.mad, half.outliers), (STOPPED, None, None));
        assert_eq!(summary(&[7900, 8070, 8390, STOPPED]).median, 8230, "the middle of two that are known");
    }

    proptest! {
        #[test]
        fn a_summary_is_ordered_and_ignores_the_order_of_runs(
            times in prop::collection::vec(0..10_000_000_000_u64, 1..40),
            turn in any::<prop::sample::Index>(),
        ) {
            let one = summary(&times);
            let max = *times.iter().max().expect("not empty");
            prop_assert!(one.min <= one.p25 && one.p25 <= one.median && one.median <= one.p75 && one.p75 <= max);
            let half = times.len().div_ceil(2);
            prop_assert!(times.iter().filter(|&&time| time <= one.median).count() >= half);
            prop_assert!(times.iter().filter(|&&time| time >= one.median.saturating_sub(1)).count() >= half);
            if let Some((low, high)) = one.ci95 {
                prop_assert!(one.min <= low && low <= one.median && one.median <= high && high <= max);
            }
            if let Some(mad) = one.mad {
                prop_assert!(mad <= max - one.min);
                prop_assert!(one.outliers.is_some_and(|outliers| outliers <= times.len() as u64 / 2));
            }
            let mut turned = times.clone();
            turned.rotate_left(turn.index(times.len()));
            prop_assert_eq!(summary(&turned), one);
        }

        #[test]
        fn spread_does_not_depend_on_where_the_times_lie(
            times in prop::collection::vec(0..1_000_000_u64, 2..20),
            shift in 0..1_000_000_u64,
        ) {
            let here = summary(&times);
            let there = summary(&times.iter().map(|time| time + shift).collect::<Vec<_>>());
            prop_assert_eq!(there.median, here.median + shift);
            prop_assert_eq!((there.mad, there.outliers), (here.mad, here.outliers));
        }
    }
}
