//! Corrects the p-values of several tests by Holm's method (1979). Tests that cannot be significant are left out (Tarone 1990).

use crate::LEVEL;

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// The p-value.
    pub p: f64,
    /// The smallest p-value that this test can have, given its number of runs.
    pub smallest_p: f64,
}

/// Returns the corrected p-values, in the order of the tests. They control the family-wise error rate at [`LEVEL`].
///
/// A test whose smallest possible p-value is not below `LEVEL / k` is left out: it has no corrected p-value, and is not counted
/// in the correction of the other tests. Here, k is the smallest number such that at most k tests have a
/// smallest possible p-value below `LEVEL / k`.
pub fn holm(tests: &[Test]) -> Vec<Option<f64>> {
    let can_be_significant = |test: &Test, k: usize| test.smallest_p * (k as f64) < LEVEL;
    let remaining = |k: usize| tests.iter().filter(|test| can_be_significant(test, k)).count();
    let k = (1..=tests.len()).find(|&k| remaining(k) <= k).unwrap_or(1);
    let mut order: Vec<usize> =
        (0..tests.len()).filter(|&test| can_be_significant(&tests[test], k)).collect();
    order.sort_by(|&a, &b| tests[a].p.total_cmp(&tests[b].p));
    let mut corrected = vec![None; tests.len()];
    let (mut largest_p, count) = (0.0_f64, order.len());
    for (rank, test) in order.into_iter().enumerate() {
        largest_p = largest_p.max(tests[test].p * (count - rank) as f64).min(1.0);
        corrected[test] = Some(largest_p);
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests<const N: usize>(tests: [(f64, f64); N]) -> [Test; N] {
        tests.map(|(p, smallest_p)| Test { p, smallest_p })
    }

    #[test]
    fn holm_correction_agrees_with_r() {
        // R 4: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005].map(|p| Test { p, smallest_p: 0.0 }));
        for (actual, expected) in corrected.into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((actual.expect("tested") - expected).abs() < 1e-12, "{actual:?} instead of {expected}");
        }
        assert_eq!(holm(&tests([(0.9, 0.0), (0.8, 0.0)])), [Some(1.0); 2]);
    }

    #[test]
    fn test_that_cannot_be_significant_is_left_out() {
        // The smallest possible p-value is 0.0625 for five rounds, 0.03125 for six rounds, and about 0.002 for ten rounds.
        let [five, six, ten] = [4, 5, 9].map(|n| 0.5_f64.powi(n));
        assert_eq!(holm(&tests([(0.0625, five)])), [None]);
        assert_eq!(holm(&tests([(six, six), (six, six)])), [None; 2], "six rounds are too few for two tests");
        assert_eq!(holm(&tests([(six, six), (ten, ten), (0.3, five)])), [None, Some(ten), None]);
        assert_eq!(holm(&tests([(0.05, 0.05)])), [None], "0.05 is not below the level");
        assert_eq!(holm(&[]), []);
    }
}
