//! The number of runs that an interval of a given width needs.

/// Estimates the number of runs for an interval with the half-width `target`, from the half-width after `runs` runs. The estimate
/// assumes that the half-width is inversely proportional to the square root of the number of runs. Returns at least `runs + 1`,
/// and [`usize::MAX`] if no number of runs is enough, for example for a target of 0.
pub fn runs_for_half_width(runs: usize, half_width: f64, target: f64) -> usize {
    let estimate = (runs as f64 * (half_width / target).powi(2)).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
    let estimate = if estimate.is_nan() { usize::MAX } else { estimate as usize };
    estimate.max(runs.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halved_width_needs_four_times_the_runs() {
        assert_eq!(runs_for_half_width(7, 0.1, 0.05), 28);
        assert_eq!(runs_for_half_width(7, 0.1, 0.2), 8, "at least one more run");
        assert_eq!(runs_for_half_width(7, 0.1, 0.0), usize::MAX);
        assert_eq!(runs_for_half_width(7, 0.0, 0.0), usize::MAX);
        assert_eq!(runs_for_half_width(7, f64::INFINITY, 0.1), usize::MAX);
    }
}
