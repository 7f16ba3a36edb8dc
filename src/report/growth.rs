//! How a solver's time grows with n: a straight line fitted by least squares to ln(median) over n (an exponential) or over
//! ln(n) (a power law), whichever leaves the smaller residuals. If medians typically differ from both by more than a factor
//! of [`POOR`], neither is given.
//!
//! For an exponential, the exponential of the slope is the factor from one n to the next; for a power law, the slope is the
//! exponent. The standard error is that of the slope, and the 95 % interval comes from Student's t with k - 2 degrees of
//! freedom for k points, of which there must be at least four: two curves with two parameters each can be told apart by
//! no fewer.
//! A point is a cell whose runs were all answered (with timeouts, the median would be that of the faster runs only) and
//! whose median is at least [`FLOOR_NS`]: in shorter times, the first accesses to code and memory hide the growth.
//! Source: Draper & Smith, Applied Regression Analysis, section 1.4.

use std::fmt;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::unit::digits;
use crate::record::TimingsRow;

/// The shortest median, in nanoseconds, that is used for a fit.
pub const FLOOR_NS: u64 = 100_000;

/// The fewest points of a fit.
pub const FEWEST: usize = 4;

/// The factor by which medians may typically differ from a fitted curve.
pub const POOR: f64 = 1.5;

/// The shape of a growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// time = a * rate^n.
    Exponential,
    /// time = a * n^rate.
    Power,
}

impl Law {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exponential => "exponential",
            Self::Power => "power law",
        }
    }

    fn of(self, n: usize) -> f64 {
        match self {
            Self::Exponential => n as f64,
            Self::Power => (n as f64).ln(),
        }
    }
}

/// A fitted growth.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The points: n, median in nanoseconds.
    pub points: Vec<(usize, u64)>,
    /// The law that fits better.
    pub law: Law,
    /// Exponential: the factor of time from n to n + 1. Power law: the exponent of n.
    pub rate: f64,
    /// Standard error of the slope: of ln(rate) for an exponential, of the rate for a power law.
    pub slope_error: f64,
    /// The 95 % interval of the rate.
    pub ci95: (f64, f64),
    /// Standard deviation of ln(time) around the line.
    pub residual: f64,
}

/// Why no growth is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unfitted {
    /// There are fewer than [`FEWEST`] points.
    Few,
    /// The factor by which medians typically differ from the better of the two curves.
    Poor(f64),
}

impl Growth {
    /// Fits the cells of a series, n ascending.
    pub fn of(cells: &[&TimingsRow]) -> Result<Self, Unfitted> {
        let whole = cells.iter().filter(|cell| cell.solved == cell.runs);
        let points =
            whole.filter_map(|cell| Some((cell.n, cell.median_ns.filter(|&time| time >= FLOOR_NS)?)));
        let points: Vec<(usize, u64)> = points.collect();
        let fits = [Law::Exponential, Law::Power].into_iter().filter_map(|law| Self::through(&points, law));
        // Where both fit as well, the exponential comes first.
        let best = fits.min_by(|a, b| a.residual.total_cmp(&b.residual)).ok_or(Unfitted::Few)?;
        let spread = best.residual.exp();
        if spread > POOR { Err(Unfitted::Poor(spread)) } else { Ok(best) }
    }

    fn through(points: &[(usize, u64)], law: Law) -> Option<Self> {
        let count = points.len() as f64;
        if points.len() < FEWEST || (law == Law::Power && points.iter().any(|&(n, _)| n == 0)) {
            return None;
        }
        let logs = points.iter().map(|&(n, time)| (law.of(n), (time as f64).ln()));
        let logs: Vec<(f64, f64)> = logs.collect();
        let Line { slope, intercept, sxx } = Line::through(&logs)?;
        let squares: f64 = logs.iter().map(|(x, y)| (y - intercept - slope * x).powi(2)).sum();
        let residual = (squares / (count - 2.0)).sqrt();
        let slope_error = residual / sxx.sqrt();
        let reach = StudentsT::new(0.0, 1.0, count - 2.0).ok()?.inverse_cdf(0.975) * slope_error;
        let rate = |slope: f64| if law == Law::Exponential { slope.exp() } else { slope };
        let ci95 = (rate(slope - reach), rate(slope + reach));
        let (points, rate) = (points.to_vec(), rate(slope));
        Some(Self { points, law, rate, slope_error, ci95, residual })
    }
}

/// A straight line fitted to points by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    /// Change of y per unit of x.
    slope: f64,
    /// y at x = 0.
    intercept: f64,
    /// Sum of the squared distances of the x from their mean.
    sxx: f64,
}

impl Line {
    /// Fits a line to points (x, y); `None` if there are no points or all have the same x.
    fn through(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
        let sxx: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let sxy: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let slope = sxy / sxx;
        (sxx > 0.0).then_some(Self { slope, intercept: mean_y - slope * mean_x, sxx })
    }
}

/// `×5.62 per n (95 %: 5.41 to 5.84)`, `n^2.10 (95 %: 1.95 to 2.25)`.
impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rate, low, high) = (digits(self.rate), digits(self.ci95.0), digits(self.ci95.1));
        match self.law {
            Law::Exponential => write!(f, "×{rate} per n (95 %: {low} to {high})"),
            Law::Power => write!(f, "n^{rate} (95 %: {low} to {high})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fit(points: &[(usize, u64)], law: Law) -> Growth {
        Growth::through(points, law).expect("enough points")
    }

    fn cell(n: usize, median_ns: u64, solved: u64) -> TimingsRow {
        TimingsRow { n, runs: 3, solved, median_ns: Some(median_ns), ..TimingsRow::default() }
    }

    fn of(points: &[(usize, u64)]) -> Result<Growth, Unfitted> {
        let cells: Vec<TimingsRow> = points.iter().map(|&(n, time)| cell(n, time, 3)).collect();
        Growth::of(&cells.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_line_is_fitted_by_least_squares() {
        let line = Line::through(&[(8.0, 0.0), (9.0, 1.0), (10.0, 3.0), (11.0, 4.0)]).expect("four points");
        assert!((line.slope - 1.4).abs() < 1e-12 && (line.intercept + 11.3).abs() < 1e-12, "{line:?}");
        assert_eq!((Line::through(&[(8.0, 1.0)]), Line::through(&[])), (None, None));
    }

    #[test]
    fn a_fit_is_that_of_scipy() {
        // scipy 1.17: linregress([8, 9, 10, 11, 12], log([200, 917, 4300, 21600, 118000])) and
        // t.ppf(0.975, 3).
        let fit = fit(&[(8, 200), (9, 917), (10, 4300), (11, 21_600), (12, 118_000)], Law::Exponential);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} instead of {b}");
        near(fit.rate.ln(), 1.591_958_619_521_532_3);
        near(fit.slope_error, 0.020_772_219_832_495_12);
        near(fit.ci95.0.ln(), 1.525_852_145_263_067_3);
        near(fit.ci95.1.ln(), 1.658_065_093_779_997_2);
    }

    #[test]
    fn an_exact_exponential_is_found_without_error() {
        let points: Vec<(usize, u64)> = (10..=20).map(|n| (n, 7 * 4_u64.pow(n as u32))).collect();
        let fit = of(&points).expect("a fit");
        assert_eq!(fit.law, Law::Exponential);
        assert!((fit.rate - 4.0).abs() < 1e-9 && fit.slope_error < 1e-9, "{fit:?}");
        assert_eq!(fit.to_string(), "×4.00 per n (95 %: 4.00 to 4.00)");
    }

    #[test]
    fn an_exact_power_law_is_found_without_error() {
        let points: Vec<(usize, u64)> = [8, 10, 16, 50, 200].map(|n| (n, 1000 * (n as u64).pow(3))).into();
        let fit = of(&points).expect("a fit");
        assert_eq!((fit.law, fit.to_string().as_str()), (Law::Power, "n^3.00 (95 %: 3.00 to 3.00)"));
    }

    #[test]
    fn what_neither_law_describes_is_not_fitted() {
        let jumps = [(8, 200_000), (9, 90_000_000), (10, 250_000), (11, 70_000_000), (12, 300_000)];
        let Err(Unfitted::Poor(spread)) = of(&jumps) else { panic!("jumps have no law") };
        assert!(spread > 10.0, "{spread}");
        assert_eq!(of(&jumps[..2]), Err(Unfitted::Few));
    }

    #[test]
    fn short_lucky_and_few_times_are_no_points() {
        let cells = [
            cell(5, FLOOR_NS - 1, 3),
            cell(6, FLOOR_NS, 3),
            cell(7, 2 * FLOOR_NS, 3),
            cell(8, 4 * FLOOR_NS, 3),
            cell(9, 8 * FLOOR_NS, 3),
            cell(10, 8 * FLOOR_NS, 2),
        ];
        let growth = Growth::of(&cells.iter().collect::<Vec<_>>()).expect("four points");
        assert_eq!(growth.points.iter().map(|&(n, _)| n).collect::<Vec<_>>(), [6, 7, 8, 9]);
        assert_eq!(Growth::of(&cells[..4].iter().collect::<Vec<_>>()), Err(Unfitted::Few));
    }

    proptest! {
        #[test]
        fn whatever_the_times_the_interval_holds_the_rate(
            times in prop::collection::btree_map(0..1024_usize, any::<u64>(), FEWEST..12),
        ) {
            let points: Vec<(usize, u64)> = times.into_iter().collect();
            for law in [Law::Exponential, Law::Power] {
                let Some(fit) = Growth::through(&points, law) else {
                    prop_assert!(law == Law::Power && points[0].0 == 0);
                    continue;
                };
                prop_assert!(fit.ci95.0 <= fit.rate && fit.rate <= fit.ci95.1, "{fit:?}");
            }
        }
    }
}
