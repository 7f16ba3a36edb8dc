//! Means and their intervals. A mean needs every value, so a sample with a censored time has no mean.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::Range;

/// The arithmetic mean; `None` without values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The standard deviation of a sample, with n - 1 in the denominator; `None` for fewer than two values.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    variance(values).map(f64::sqrt)
}

fn variance(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| squares / (values.len() - 1) as f64)
}

/// The confidence interval of the mean, from Student's t-distribution with n - 1 degrees of freedom; `None` for fewer than two
/// values.
pub fn mean_interval(values: &[f64], confidence: f64) -> Option<Range> {
    let (mean, count) = (mean(values)?, values.len() as f64);
    let standard_error = (variance(values)? / count).sqrt();
    let half_width = t_quantile(confidence, count - 1.0)? * standard_error;
    Some(Range { low: mean - half_width, high: mean + half_width })
}

/// The half-width of a confidence interval in standard errors, which is a quantile of Student's t-distribution.
pub(crate) fn t_quantile(confidence: f64, degrees_of_freedom: f64) -> Option<f64> {
    let t = StudentsT::new(0.0, 1.0, degrees_of_freedom).ok()?;
    Some(t.inverse_cdf(1.0 - (1.0 - confidence) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_standard_deviation_agree_with_r() {
        // R 4: sd(c(2, 4, 4, 4, 5, 5, 7, 9)) is 2.13809.
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        assert_eq!(mean(&values), Some(5.0));
        assert!((standard_deviation(&values).expect("eight") - 2.138_089_935_299_395).abs() < 1e-12);
        assert_eq!((mean(&[]), standard_deviation(&[7.0]), mean_interval(&[7.0], 0.95)), (None, None, None));
    }

    #[test]
    fn interval_of_mean_uses_students_t() {
        // The mean is 7/30 and the variance is 7/300. With two degrees of freedom, the quantile has a closed form.
        let quantile = 0.95 * (2.0_f64 / (1.0 - 0.95 * 0.95)).sqrt();
        let half_width = quantile * (7.0_f64 / 300.0 / 3.0).sqrt();
        let Range { low, high } = mean_interval(&[0.1, 0.2, 0.4], 0.95).expect("three values");
        let expected = (7.0 / 30.0 - half_width, 7.0 / 30.0 + half_width);
        assert!((low - expected.0).abs() < 1e-6 && (high - expected.1).abs() < 1e-6, "{low} {high}");
        assert_eq!(mean_interval(&[0.5, 0.5], 0.95), Some(Range::exact(0.5)));
    }
}
