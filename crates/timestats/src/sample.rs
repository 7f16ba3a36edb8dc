//! A sample of the times of several runs, with its quantiles, spread, outliers, and the interval of the median.
//!
//! - Quantile: linear interpolation between order statistics (Hyndman & Fan's type 7, the default of R and NumPy), rounded half
//!   up. A quantile is censored if one of its two order statistics is censored.
//! - Interval of the median: two order statistics, from the sign test. It is valid for every distribution (Hahn & Meeker,
//!   Statistical Intervals, section 5.2).
//! - MAD: the median of the absolute deviations from the median, not scaled.
//! - Outliers: the exact times whose modified z-score is above the threshold of hyperfine.

use statrs::function::gamma::ln_gamma;

use crate::{Time, mean, standard_deviation};

/// The minimum number of runs for a 95 % interval of the median.
pub const MEDIAN_INTERVAL_RUNS: usize = 6;

/// An outlier is further from the median than this number of MADs. As in hyperfine, this is ten standard deviations of a normal
/// distribution.
const OUTLIER_MADS: f64 = 14.826;

/// The times of several runs in ascending order. Censored times come last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    exact: Vec<u64>,
    censored: usize,
    /// The smallest limit of a censored time.
    limit: u64,
}

/// The statistics of a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The shortest time.
    pub min: Time,
    /// The first quartile.
    pub p25: Time,
    /// The median.
    pub median: Time,
    /// The third quartile.
    pub p75: Time,
    /// The median absolute deviation; `None` for a single run, or if it depends on a censored time.
    pub mad: Option<u64>,
    /// The 95 % interval of the median; `None` for fewer than [`MEDIAN_INTERVAL_RUNS`] runs.
    pub ci95: Option<(Time, Time)>,
    /// The number of outliers; `None` if there is no MAD. Outliers are included in all other statistics.
    pub outliers: Option<u64>,
}

impl<T: Into<Time>> FromIterator<T> for Sample {
    fn from_iter<I: IntoIterator<Item = T>>(times: I) -> Self {
        let mut sample = Self::default();
        for time in times {
            match time.into() {
                Time::Exact(time) => sample.exact.push(time),
                Time::Censored(limit) => {
                    sample.limit = if sample.censored == 0 { limit } else { sample.limit.min(limit) };
                    sample.censored += 1;
                }
            }
        }
        sample.exact.sort_unstable();
        sample
    }
}

impl Sample {
    /// The number of times.
    pub fn len(&self) -> usize {
        self.exact.len() + self.censored
    }

    /// Whether there are no times.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of censored times.
    pub fn censored(&self) -> usize {
        self.censored
    }

    /// The exact times in ascending order.
    pub fn exact(&self) -> &[u64] {
        &self.exact
    }

    /// The order statistic with this rank, from 0; `None` beyond the last rank. The limit of a censored time is the smallest
    /// limit of the sample.
    pub fn at(&self, rank: usize) -> Option<Time> {
        match self.exact.get(rank) {
            Some(&time) => Some(Time::Exact(time)),
            None => (rank < self.len()).then_some(Time::Censored(self.limit)),
        }
    }

    /// The shortest time.
    pub fn min(&self) -> Option<Time> {
        self.at(0)
    }

    /// A percentile, from 0 to 100; `None` if there are no times.
    pub fn percentile(&self, percent: u8) -> Option<Time> {
        let hundredths = self.len().checked_sub(1)? * usize::from(percent.min(100));
        let (rank, part) = (hundredths / 100, (hundredths % 100) as u64);
        let lower_time = self.at(rank)?;
        if part == 0 {
            return Some(lower_time);
        }
        Some(match (lower_time, self.at(rank + 1)?) {
            (Time::Exact(lower_time), Time::Exact(upper)) => {
                let difference = upper - lower_time;
                Time::Exact(lower_time + difference / 100 * part + (difference % 100 * part + 50) / 100)
            }
            (_, censored) => censored,
        })
    }

    /// The median; `None` without times.
    pub fn median(&self) -> Option<Time> {
        self.percentile(50)
    }

    /// An interval of the distribution's median with at least this confidence: two order statistics with equal ranks from both
    /// ends. `None` if even the interval from the shortest to the longest time has a lower confidence. For 95 %, this is the case
    /// for fewer than [`MEDIAN_INTERVAL_RUNS`] runs.
    pub fn median_interval(&self, confidence: f64) -> Option<(Time, Time)> {
        let cut = sign_test_cut(self.len(), (1.0 - confidence) / 2.0)?;
        Some((self.at(cut)?, self.at(self.len() - 1 - cut)?))
    }

    /// The median absolute deviation; `None` for fewer than two times, or if it depends on a censored time.
    pub fn mad(&self) -> Option<u64> {
        let median = self.median()?.exact().filter(|_| self.len() > 1)?;
        let mad = |censored_deviation: Time| {
            let exact_deviations = self.exact.iter().map(|time| Time::Exact(time.abs_diff(median)));
            exact_deviations
                .chain(std::iter::repeat_n(censored_deviation, self.censored))
                .collect::<Self>()
                .median()
        };
        // The deviation of a censored time is at least `min_deviation`, and may be longer than all exact deviations.
        let min_deviation = self.limit.saturating_sub(median);
        let largest_mad = mad(Time::Censored(min_deviation))?.exact()?;
        (mad(Time::Exact(min_deviation)) == Some(Time::Exact(largest_mad))).then_some(largest_mad)
    }

    /// The number of exact times that are further from the median than ten standard deviations of a normal distribution with the
    /// same MAD; `None` if there is no MAD.
    pub fn outliers(&self) -> Option<u64> {
        let (median, mad) = (self.median()?.exact()?, self.mad()?);
        // If the MAD is 0, most times are equal within the resolution of the clock. In this case, a MAD of 1 is used.
        let max_distance = OUTLIER_MADS * mad.max(1) as f64;
        Some(self.exact.iter().filter(|time| time.abs_diff(median) as f64 > max_distance).count() as u64)
    }

    /// The arithmetic mean; `None` if there are no times, or if a time is censored.
    pub fn mean(&self) -> Option<f64> {
        mean(&self.exact_values()?)
    }

    /// The standard deviation, with n - 1 in the denominator; `None` for fewer than two times, or if a time is censored.
    pub fn standard_deviation(&self) -> Option<f64> {
        standard_deviation(&self.exact_values()?)
    }

    fn exact_values(&self) -> Option<Vec<f64>> {
        (self.censored == 0).then(|| self.exact.iter().map(|&time| time as f64).collect())
    }

    /// The summary; `None` without times.
    pub fn summary(&self) -> Option<Summary> {
        Some(Summary {
            min: self.min()?,
            p25: self.percentile(25)?,
            median: self.median()?,
            p75: self.percentile(75)?,
            mad: self.mad(),
            ci95: self.median_interval(0.95),
            outliers: self.outliers(),
        })
    }
}

/// The number of order statistics at either end that are outside the interval of the median: the largest k such that the
/// probability of at most k runs below the median is at most `tail`. `None` if there is no such k.
fn sign_test_cut(runs: usize, tail: f64) -> Option<usize> {
    let n = runs as f64;
    // The sum begins 20 standard deviations below the mean, because the sum of all smaller terms is below the resolution of a
    // double. For up to 400 runs, it begins at 0, and its first term is exact.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and half the runs"
    )]
    let first_k = (n / 2.0 - 10.0 * n.sqrt()).max(0.0) as usize;
    let ln_choose = ln_gamma(n + 1.0) - ln_gamma(first_k as f64 + 1.0) - ln_gamma(n - first_k as f64 + 1.0);
    let mut term = match first_k {
        0 => 0.5_f64.powf(n),
        _ => (ln_choose - n * std::f64::consts::LN_2).exp(),
    };
    let (mut probability, mut cut) = (0.0, None);
    for k in first_k..runs.div_ceil(2) {
        probability += term;
        if probability > tail {
            break;
        }
        cut = Some(k);
        term *= (runs - k) as f64 / (k + 1) as f64;
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use Time::{Censored, Exact};
    use proptest::prelude::*;

    fn sample(times: &[u64]) -> Sample {
        times.iter().copied().collect()
    }

    fn summary(times: &[u64]) -> Summary {
        sample(times).summary().expect("there are times")
    }

    fn sample_with_limit(times: &[u64], limit: u64, censored: usize) -> Sample {
        let exact_times = times.iter().map(|&time| Exact(time));
        exact_times.chain(std::iter::repeat_n(Censored(limit), censored)).collect()
    }

    #[test]
    fn percentiles_agree_with_r_type_7() {
        // R 4: quantile(c(15, 20, 35, 40, 50), c(.25, .5, .75)) is 20 35 40,
        // and quantile(c(1, 2, 4, 8), c(.25, .5, .75)) is 1.75 3 5.
        let five_times = sample(&[15, 20, 35, 40, 50]);
        assert_eq!(
            [25, 50, 75].map(|percent| five_times.percentile(percent)),
            [20, 35, 40].map(|p| Some(Exact(p)))
        );
        let four_times = sample(&[1000, 2000, 4000, 8000]);
        let expected_times = [1000, 1750, 3000, 5000, 8000].map(|p| Some(Exact(p)));
        assert_eq!([0, 25, 50, 75, 100].map(|percent| four_times.percentile(percent)), expected_times);
        assert_eq!(sample(&[1, 2]).median(), Some(Exact(2)), "1.5 rounds up");
    }

    #[test]
    fn mad_is_the_median_absolute_deviation() {
        // The median is 2, and the deviations are 1 1 0 0 2 4 7, in ascending order 0 0 1 1 2 4 7.
        assert_eq!(sample(&[1, 1, 2, 2, 4, 6, 9]).mad(), Some(1));
        assert_eq!(sample(&[10, 30]).mad(), Some(10));
    }

    #[test]
    fn mad_that_depends_on_censored_times_is_missing() {
        // The median is 1000, and the exact deviations are 0 100 1000. Two deviations of at least 1000 give a MAD of 1000.
        assert_eq!(sample_with_limit(&[0, 900, 1000], 2000, 2).mad(), Some(1000));
        // If the stopped runs took 1001, the MAD is 1; if they took 9000, the MAD is 1000.
        assert_eq!(sample_with_limit(&[0, 900, 1000], 1000, 2).mad(), None);
        assert_eq!(sample(&[0, 900, 1000, 1001, 1001]).mad(), Some(1));
        assert_eq!(sample(&[0, 900, 1000, 9000, 9000]).mad(), Some(1000));
    }

    #[test]
    fn one_run_has_a_median_and_no_spread() {
        let summary = summary(&[42]);
        assert_eq!([summary.min, summary.p25, summary.median, summary.p75], [Exact(42); 4]);
        assert_eq!((summary.mad, summary.ci95, summary.outliers), (None, None, None));
        assert_eq!(sample(&[]).summary(), None);
    }

    #[test]
    fn outlier_is_beyond_ten_standard_deviations() {
        // The median and the MAD are 1000, so that a distance of 14826 from the median is not an outlier.
        assert_eq!(sample(&[0, 0, 1000, 2000, 15_826]).outliers(), Some(0));
        assert_eq!(sample(&[0, 0, 1000, 2000, 15_827]).outliers(), Some(1));
    }

    #[test]
    fn one_clock_tick_is_not_an_outlier() {
        assert_eq!(sample(&[500, 500, 500, 500, 501]).outliers(), Some(0));
        assert_eq!(sample(&[500, 500, 500, 500, 515]).outliers(), Some(1));
        assert_eq!(sample(&[500; 5]).outliers(), Some(0));
    }

    #[test]
    fn median_interval_needs_six_runs() {
        assert_eq!(sample(&[1, 2, 3, 4, 5]).median_interval(0.95), None);
        assert_eq!(sample(&[1, 2, 3, 4, 5, 6]).median_interval(0.95), Some((Exact(1), Exact(6))));
        // The range of five runs has a confidence of 1 - 2 / 2^5 = 93.75 %, exactly.
        assert_eq!(sample(&[1, 2, 3, 4, 5]).median_interval(0.9375), Some((Exact(1), Exact(5))));
        assert_eq!(sample(&[]).median_interval(0.95), None);
        assert_eq!(sample(&[1; 9]).median_interval(1.0), None);
        assert_eq!(sample(&[1, 2, 3]).median_interval(0.0), Some((Exact(2), Exact(2))));
    }

    #[test]
    fn median_interval_ranks_agree_with_r() {
        // R 4: qbinom(0.025, n, 0.5) is the rank of the lower end, counted from 1. Exact integers in Python give the same ranks.
        let ranks =
            [(6, 1), (8, 1), (9, 2), (12, 3), (15, 4), (20, 6), (25, 8), (30, 10), (50, 18), (100, 40)];
        let ranks_of_large_samples =
            [(400, 180), (401, 181), (1000, 469), (20_001, 9862), (1_000_000, 499_020)];
        for (runs, rank) in ranks.into_iter().chain(ranks_of_large_samples) {
            let sample: Sample = (1..=runs).collect();
            let interval = sample.median_interval(0.95);
            assert_eq!(interval, Some((Exact(rank), Exact(runs + 1 - rank))), "{runs} runs");
        }
    }

    /// One of five runs was stopped after 10 s; times are in ms. The median of the four exact times would be 8230.
    #[test]
    fn censored_time_sorts_after_every_exact_time() {
        let one_of_five_censored =
            sample_with_limit(&[8410, 7900, 8390, 8070], 10_000, 1).summary().expect("five");
        assert_eq!(
            [
                one_of_five_censored.min,
                one_of_five_censored.p25,
                one_of_five_censored.median,
                one_of_five_censored.p75
            ],
            [7900, 8070, 8390, 8410].map(Exact)
        );
        assert_eq!((one_of_five_censored.mad, one_of_five_censored.outliers), (Some(320), Some(0)));
        let two_of_four_censored = sample_with_limit(&[7900, 8070], 10_000, 2).summary().expect("four");
        assert_eq!(
            (two_of_four_censored.median, two_of_four_censored.mad, two_of_four_censored.outliers),
            (Censored(10_000), None, None)
        );
        let one_of_four_censored = sample_with_limit(&[7900, 8070, 8390], 10_000, 1);
        assert_eq!(one_of_four_censored.median(), Some(Exact(8230)), "the midpoint of two exact times");
        assert_eq!((one_of_four_censored.mean(), one_of_four_censored.standard_deviation()), (None, None));
        let one_of_six_censored = sample_with_limit(&[1, 2, 3, 4, 5], 10, 1);
        assert_eq!(one_of_six_censored.median_interval(0.95), Some((Exact(1), Censored(10))));
    }

    #[test]
    fn censored_median_has_the_smallest_limit() {
        let sample: Sample = [Censored(30), Censored(10), Censored(20)].into_iter().collect();
        assert_eq!((sample.median(), sample.len(), sample.censored()), (Some(Censored(10)), 3, 3));
    }

    proptest! {
        #[test]
        fn summary_is_ordered_and_ignores_run_order(
            times in prop::collection::vec(0..10_000_000_000_u64, 1..40),
            rotation in any::<prop::sample::Index>(),
        ) {
            let original_summary = summary(&times);
            let [min, p25, median, p75] =
                [original_summary.min, original_summary.p25, original_summary.median, original_summary.p75].map(|time| time.exact().expect("exact"));
            let max = *times.iter().max().expect("not empty");
            prop_assert!(min <= p25 && p25 <= median && median <= p75 && p75 <= max);
            let half = times.len().div_ceil(2);
            prop_assert!(times.iter().filter(|&&time| time <= median).count() >= half);
            prop_assert!(times.iter().filter(|&&time| time >= median.saturating_sub(1)).count() >= half);
            prop_assert_eq!(original_summary.ci95.is_some(), times.len() >= MEDIAN_INTERVAL_RUNS);
            if let Some((low, high)) = original_summary.ci95 {
                let (low, high) = (low.exact().expect("exact"), high.exact().expect("exact"));
                prop_assert!(min <= low && low <= median && median <= high && high <= max);
            }
            if let Some(mad) = original_summary.mad {
                prop_assert!(mad <= max - min);
                prop_assert!(original_summary.outliers.is_some_and(|outliers| outliers <= times.len() as u64 / 2));
            }
            let mut rotated_times = times.clone();
            rotated_times.rotate_left(rotation.index(times.len()));
            prop_assert_eq!(summary(&rotated_times), original_summary);
        }

        #[test]
        fn spread_is_unchanged_by_shifted_times(
            times in prop::collection::vec(0..1_000_000_u64, 2..20),
            shift in 0..1_000_000_u64,
        ) {
            let original_summary = summary(&times);
            let shifted_summary = summary(&times.iter().map(|time| time + shift).collect::<Vec<_>>());
            prop_assert_eq!(shifted_summary.median.exact(), original_summary.median.exact().map(|median| median + shift));
            prop_assert_eq!((shifted_summary.mad, shifted_summary.outliers), (original_summary.mad, original_summary.outliers));
        }

        /// If a statistic of a sample with stopped runs is exact, it has the same value for all possible times of these runs.
        #[test]
        fn exact_statistics_hold_for_any_censored_times(
            times in prop::collection::vec(0..1000_u64, 1..12),
            stopped_times in prop::collection::vec(1000..3000_u64, 1..6),
        ) {
            let censored = sample_with_limit(&times, 1000, stopped_times.len()).summary().expect("times");
            let possible = summary(&[&times[..], &stopped_times].concat());
            for (censored, possible) in [
                (censored.min, possible.min),
                (censored.p25, possible.p25),
                (censored.median, possible.median),
                (censored.p75, possible.p75),
            ] {
                prop_assert!(censored.is_censored() || censored == possible, "{:?} {:?}", censored, possible);
            }
            prop_assert!(censored.mad.is_none() || censored.mad == possible.mad);
            if let (Some((low, high)), Some((possible_low, possible_high))) = (censored.ci95, possible.ci95) {
                prop_assert!(low.is_censored() || low == possible_low);
                prop_assert!(high.is_censored() || high == possible_high);
            }
        }
    }
}
