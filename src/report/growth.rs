//! How a solver's time grows with n: a straight line fitted to ln(median) over n by least squares.
//!
//! The exponential of the slope is the factor from one n to the next. The standard error is that of the slope, and the
//! 95 % interval comes from Student's t with k - 2 degrees of freedom for k points, of which there must be at least three.
//! A point is a cell whose runs were all answered (with timeouts, the median would be that of the faster runs only) and
//! whose median is at least [`FLOOR_NS`]: in shorter times, the first accesses to code and memory hide the growth.
//! Source: Draper & Smith, Applied Regression Analysis, section 1.4.

use std::fmt;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::unit::{digits, rounded};
use crate::experiment::estimate::Line;
use crate::record::TimingsRow;

/// The shortest median, in nanoseconds, that is used for a fit.
pub const FLOOR_NS: u64 = 100_000;

/// The fewest points of a fit: two points leave no error to estimate.
const FEWEST: usize = 3;

/// A fitted growth.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The points: n, median in nanoseconds.
    pub points: Vec<(usize, u64)>,
    /// Factor of time from n to n + 1.
    pub factor: f64,
    /// Standard error of its logarithm: 0.02 is about 2 %.
    pub log_error: f64,
    /// Its 95 % interval.
    pub ci95: (f64, f64),
    /// Standard deviation of ln(time) around the line.
    pub residual: f64,
    /// ln(nanoseconds) at n = 0.
    intercept: f64,
}

impl Growth {
    /// Fits the cells of a series, n ascending; `None` with fewer than three points.
    pub fn of(cells: &[&TimingsRow]) -> Option<Self> {
        let whole = cells.iter().filter(|cell| cell.solved == cell.runs);
        let points =
            whole.filter_map(|cell| Some((cell.n, cell.median_ns.filter(|&time| time >= FLOOR_NS)?)));
        Self::through(points.collect())
    }

    fn through(points: Vec<(usize, u64)>) -> Option<Self> {
        let count = points.len() as f64;
        if points.len() < FEWEST {
            return None;
        }
        let logs = points.iter().map(|&(n, time)| (n as f64, (time.max(1) as f64).ln()));
        let logs: Vec<(f64, f64)> = logs.collect();
        let Line { slope, intercept, sxx } = Line::through(&logs)?;
        let squares: f64 = logs.iter().map(|(x, y)| (y - intercept - slope * x).powi(2)).sum();
        let residual = (squares / (count - 2.0)).sqrt();
        let log_error = residual / sxx.sqrt();
        let reach = StudentsT::new(0.0, 1.0, count - 2.0).ok()?.inverse_cdf(0.975) * log_error;
        let ci95 = ((slope - reach).exp(), (slope + reach).exp());
        Some(Self { points, factor: slope.exp(), log_error, ci95, residual, intercept })
    }

    /// The time that the line predicts for a size, in nanoseconds.
    pub fn at(&self, n: usize) -> u64 {
        rounded((self.intercept + self.factor.ln() * n as f64).exp())
    }
}

/// `×5.62 per n (95 %: 5.41 to 5.84)`.
impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.ci95;
        write!(f, "×{} per n (95 %: {} to {})", digits(self.factor), digits(low), digits(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fit(points: &[(usize, u64)]) -> Growth {
        Growth::through(points.to_vec()).expect("enough points")
    }

    #[test]
    fn a_fit_is_that_of_scipy() {
        // scipy 1.17: linregress([8, 9, 10, 11, 12], log([200, 917, 4300, 21600, 118000])) and
        // t.ppf(0.975, 3).
        let fit = fit(&[(8, 200), (9, 917), (10, 4300), (11, 21_600), (12, 118_000)]);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} instead of {b}");
        near(fit.factor.ln(), 1.591_958_619_521_532_3);
        near(fit.intercept, -7.490_649_467_694_08);
        near(fit.log_error, 0.020_772_219_832_495_12);
        near(fit.ci95.0.ln(), 1.525_852_145_263_067_3);
        near(fit.ci95.1.ln(), 1.658_065_093_779_997_2);
    }

    #[test]
    fn an_exact_exponential_is_found_without_error() {
        let points: Vec<(usize, u64)> = (1..=10).map(|n| (n, 7 * 4_u64.pow(n as u32))).collect();
        let fit = fit(&points);
        assert!((fit.factor - 4.0).abs() < 1e-9 && fit.log_error < 1e-9, "{fit:?}");
        assert_eq!((fit.at(3), fit.at(12)), (7 * 64, 7 * 16_777_216));
        assert_eq!(fit.to_string(), "×4.00 per n (95 %: 4.00 to 4.00)");
    }

    #[test]
    fn short_lucky_and_few_times_are_no_points() {
        let cell = |n, median_ns, solved| TimingsRow {
            n,
            runs: 3,
            solved,
            median_ns: Some(median_ns),
            ..TimingsRow::default()
        };
        let cells = [
            cell(5, FLOOR_NS - 1, 3),
            cell(6, FLOOR_NS, 3),
            cell(7, 2 * FLOOR_NS, 3),
            cell(8, 4 * FLOOR_NS, 3),
            cell(9, 4 * FLOOR_NS, 2),
        ];
        let growth = Growth::of(&cells.iter().collect::<Vec<_>>()).expect("three points");
        assert_eq!(growth.points.iter().map(|&(n, _)| n).collect::<Vec<_>>(), [6, 7, 8]);
        assert_eq!(Growth::of(&cells[..3].iter().collect::<Vec<_>>()), None);
    }

    proptest! {
        #[test]
        fn whatever_the_times_the_interval_holds_the_factor(
            times in prop::collection::btree_map(0..1024_usize, any::<u64>(), 3..12),
        ) {
            let fit = fit(&times.into_iter().collect::<Vec<_>>());
            prop_assert!(fit.ci95.0 <= fit.factor && fit.factor <= fit.ci95.1, "{fit:?}");
            let _ = (fit.at(0), fit.at(1024), fit.to_string());
        }
    }
}
