//! The growth of a time with the size of the problem. Two straight lines are fitted to ln(time) by least squares: one over the
//! size (an exponential), and one over ln(size) (a power law). The line with the smaller residual standard deviation is used. If
//! this deviation corresponds to a factor of more than [`MAX_SPREAD`], there is no fit.
//!
//! For an exponential, the rate is the factor of the time from one size to the next, which is the exponential of the slope. For a
//! power law, the rate is the exponent of the size, which is the slope. The 95 % interval is computed from the standard error of
//! the slope and Student's t-distribution, with k - 2 degrees of freedom for k points. At least four points are needed to
//! distinguish two curves with two parameters each. Source: Draper & Smith, Applied Regression Analysis, section 1.4.
//!
//! ```
//! use timestats::growth::{self, Law};
//!
//! let growth = growth::fit(&[(8, 2_000), (9, 8_200), (10, 31_900), (11, 130_000)])?;
//! assert_eq!(growth.law, Law::Exponential);
//! assert!(growth.ci95.contains(4.0));
//! # Ok::<(), growth::FitError>(())
//! ```

use crate::Range;
use crate::mean::t_quantile;

/// The minimum number of points of a fit.
pub const MIN_POINTS: usize = 4;

/// The maximum residual standard deviation of a fit, as a factor.
pub const MAX_SPREAD: f64 = 1.5;

/// A formula for the time as a function of the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// time = a * rate^size.
    Exponential,
    /// time = a * size^rate.
    Power,
}

impl Law {
    /// The name of the law.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exponential => "exponential",
            Self::Power => "power law",
        }
    }

    /// The x coordinate of a size in the fit of a straight line to ln(time).
    fn x(self, size: usize) -> f64 {
        match self {
            Self::Exponential => size as f64,
            Self::Power => (size as f64).ln(),
        }
    }
}

/// A law that was fitted to points.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The points (size, time).
    pub points: Vec<(usize, u64)>,
    /// The law that fits better.
    pub law: Law,
    /// For an exponential, the factor of the time from one size to the next; for a power law, the exponent of the size.
    pub rate: f64,
    /// The standard error of the slope, which is ln(rate) for an exponential, and the rate for a power law.
    pub slope_error: f64,
    /// The 95 % interval of the rate.
    pub ci95: Range,
    /// The standard deviation of ln(time) around the line.
    pub residual: f64,
}

/// The reason why there is no fit.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// There are fewer than [`MIN_POINTS`] points, or all points have the same size.
    #[error("a fit needs the times at {MIN_POINTS} or more sizes")]
    TooFewPoints,
    /// A time of 0 has no logarithm.
    #[error("the time at size {0} is 0")]
    ZeroTime(
        /// The size.
        usize,
    ),
    /// Neither law describes the points.
    #[error("the times typically differ by a factor of {0:.2} from the best curve")]
    PoorFit(
        /// The factor by which times typically differ from the better of the two curves.
        f64,
    ),
}

/// Fits both laws to points (size, time), and returns the better fit. If both laws fit equally well, returns the exponential.
///
/// # Errors
///
/// There are too few points, a time is 0, or neither law describes the points.
pub fn fit(points: &[(usize, u64)]) -> Result<Growth, FitError> {
    if let Some(&(size, _)) = points.iter().find(|(_, time)| *time == 0) {
        return Err(FitError::ZeroTime(size));
    }
    let fits = [Law::Exponential, Law::Power].into_iter().filter_map(|law| fit_law(points, law));
    let best = fits.min_by(|a, b| a.residual.total_cmp(&b.residual)).ok_or(FitError::TooFewPoints)?;
    let spread = best.residual.exp();
    if spread > MAX_SPREAD { Err(FitError::PoorFit(spread)) } else { Ok(best) }
}

fn fit_law(points: &[(usize, u64)], law: Law) -> Option<Growth> {
    if points.len() < MIN_POINTS || (law == Law::Power && points.iter().any(|&(size, _)| size == 0)) {
        return None;
    }
    let degrees_of_freedom = points.len() as f64 - 2.0;
    let logs = points.iter().map(|&(size, time)| (law.x(size), (time as f64).ln()));
    let logs: Vec<(f64, f64)> = logs.collect();
    let Line { slope, intercept, sxx } = Line::fitted_to(&logs)?;
    let squares: f64 = logs.iter().map(|(x, y)| (y - intercept - slope * x).powi(2)).sum();
    let residual = (squares / degrees_of_freedom).sqrt();
    let slope_error = residual / sxx.sqrt();
    let half_width = t_quantile(0.95, degrees_of_freedom)? * slope_error;
    let rate = |slope: f64| if law == Law::Exponential { slope.exp() } else { slope };
    let ci95 = Range { low: rate(slope - half_width), high: rate(slope + half_width) };
    Some(Growth { points: points.to_vec(), law, rate: rate(slope), slope_error, ci95, residual })
}

/// A straight line fitted to points by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    /// The change of y per unit of x.
    slope: f64,
    /// The value of y at x = 0.
    intercept: f64,
    /// The sum of squared deviations of x from the mean.
    sxx: f64,
}

impl Line {
    /// Fits a line to points (x, y); `None` if there are no points or all points have the same x.
    fn fitted_to(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |coordinate: fn(&(f64, f64)) -> f64| points.iter().map(coordinate).sum::<f64>() / count;
        let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
        let sxx: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let sxy: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let slope = sxy / sxx;
        (sxx > 0.0).then_some(Self { slope, intercept: mean_y - slope * mean_x, sxx })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn line_is_fitted_by_least_squares() {
        let line = Line::fitted_to(&[(8.0, 0.0), (9.0, 1.0), (10.0, 3.0), (11.0, 4.0)]).expect("four points");
        assert!((line.slope - 1.4).abs() < 1e-12 && (line.intercept + 11.3).abs() < 1e-12, "{line:?}");
        assert_eq!((Line::fitted_to(&[(8.0, 1.0)]), Line::fitted_to(&[])), (None, None));
    }

    #[test]
    fn growth_fit_agrees_with_scipy() {
        // scipy 1.17: linregress([8, 9, 10, 11, 12], log([200, 917, 4300, 21600, 118000])) and
        // t.ppf(0.975, 3).
        let points = [(8, 200), (9, 917), (10, 4300), (11, 21_600), (12, 118_000)];
        let fit = fit_law(&points, Law::Exponential).expect("enough points");
        let assert_near = |actual: f64, expected: f64| {
            assert!(
                (actual - expected).abs() < 1e-9 * expected.abs().max(1.0),
                "{actual} instead of {expected}"
            );
        };
        assert_near(fit.rate.ln(), 1.591_958_619_521_532_3);
        assert_near(fit.slope_error, 0.020_772_219_832_495_12);
        assert_near(fit.ci95.low.ln(), 1.525_852_145_263_067_3);
        assert_near(fit.ci95.high.ln(), 1.658_065_093_779_997_2);
    }

    #[test]
    fn exact_exponential_is_fitted_without_residuals() {
        let points: Vec<(usize, u64)> = (10..=20).map(|n| (n, 7 * 4_u64.pow(n as u32))).collect();
        let fit = fit(&points).expect("a fit");
        assert_eq!(fit.law, Law::Exponential);
        assert!((fit.rate - 4.0).abs() < 1e-9 && fit.slope_error < 1e-9, "{fit:?}");
    }

    #[test]
    fn exact_power_law_is_fitted_without_residuals() {
        let points: Vec<(usize, u64)> = [8, 10, 16, 50, 200].map(|n| (n, 1000 * (n as u64).pow(3))).into();
        let fit = fit(&points).expect("a fit");
        assert_eq!(fit.law, Law::Power);
        assert!((fit.rate - 3.0).abs() < 1e-9 && fit.slope_error < 1e-9, "{fit:?}");
    }

    #[test]
    fn points_that_neither_law_describes_are_an_error() {
        let jumping_points = [(8, 200_000), (9, 90_000_000), (10, 250_000), (11, 70_000_000), (12, 300_000)];
        let Err(FitError::PoorFit(spread)) = fit(&jumping_points) else {
            panic!("a law was fitted to the jumps")
        };
        assert!(spread > 10.0, "{spread}");
        // The times are alternately twice and half of an exponential. The residual standard deviation from it is ln(2) * sqrt(1.6).
        let zigzag_points = [(8, 2_000), (9, 1_000), (10, 8_000), (11, 4_000), (12, 32_000)];
        assert!(
            matches!(fit(&zigzag_points), Err(FitError::PoorFit(spread)) if spread < 2.5),
            "{:?}",
            fit(&zigzag_points)
        );
        assert_eq!(fit(&jumping_points[..3]), Err(FitError::TooFewPoints));
        assert_eq!(fit(&[(8, 1); 5]), Err(FitError::TooFewPoints), "one size");
        assert_eq!(fit(&[(8, 1), (9, 0), (10, 1), (11, 1)]), Err(FitError::ZeroTime(9)));
    }

    proptest! {
        #[test]
        fn growth_interval_contains_the_fitted_rate(
            times in prop::collection::btree_map(0..1024_usize, 1..=u64::MAX, MIN_POINTS..12),
        ) {
            let points: Vec<(usize, u64)> = times.into_iter().collect();
            for law in [Law::Exponential, Law::Power] {
                let Some(fit) = fit_law(&points, law) else {
                    prop_assert!(law == Law::Power && points[0].0 == 0);
                    continue;
                };
                prop_assert!(fit.ci95.contains(fit.rate), "{:?}", fit);
            }
        }
    }
}
