//! Mann-Whitney U test, two-sided: do values of one sample tend to be larger than those of the other?
//!
//! Ties get midranks. Up to [`EXACT`] values in all, p is exact: the share of all ways to pick the first
//! sample out of the values whose rank sum lies as far from its mean as the one seen, ties included (the
//! shift algorithm of Streitberg & Roehmel 1986 on doubled ranks). Beyond, the normal approximation with tie
//! correction and continuity correction, as scipy's `mannwhitneyu(method="asymptotic")` does.

use statrs::distribution::{ContinuousCDF, Normal};

/// Values up to which p is exact; C(40, 20) is exact in a double.
const EXACT: usize = 40;

/// U of the first sample (how many pairs it wins, a tie counts half), and p; `None` if a sample is empty.
pub fn mann_whitney(first: &[u64], second: &[u64]) -> Option<(f64, f64)> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let mut all: Vec<(u64, bool)> = first.iter().map(|&value| (value, true)).collect();
    all.extend(second.iter().map(|&value| (value, false)));
    all.sort_unstable();
    // Doubled midranks are whole numbers.
    let mut ranks: Vec<usize> = Vec::with_capacity(all.len());
    let mut ties = 0.0;
    for tied in all.chunk_by(|a, b| a.0 == b.0) {
        let before = ranks.len();
        ranks.extend(std::iter::repeat_n(2 * before + tied.len() + 1, tied.len()));
        ties += (tied.len() as f64).powi(3) - tied.len() as f64;
    }
    let sum: usize = ranks.iter().zip(&all).filter(|(_, (_, first))| *first).map(|(rank, _)| rank).sum();
    let (n, m) = (first.len(), second.len());
    let u = (sum - n * (n + 1)) as f64 / 2.0;
    let p = if n + m <= EXACT { exact(&ranks, n, sum) } else { normal(u, n as f64, m as f64, ties) };
    Some((u, p))
}

/// The least p-value that samples of these sizes can give.
pub fn least(first: usize, second: usize) -> f64 {
    2.0 / (1..=first).map(|i| (second + i) as f64 / i as f64).product::<f64>()
}

fn exact(ranks: &[usize], n: usize, seen: usize) -> f64 {
    let most: usize = ranks.iter().sum();
    // ways[k][s]: how many sets of k values have the (doubled) rank sum s.
    let mut ways = vec![vec![0.0_f64; most + 1]; n + 1];
    ways[0][0] = 1.0;
    for (taken, &rank) in ranks.iter().enumerate() {
        for size in (1..=n.min(taken + 1)).rev() {
            let (smaller, larger) = ways.split_at_mut(size);
            for sum in rank..=most {
                larger[0][sum] += smaller[size - 1][sum - rank];
            }
        }
    }
    // Of the doubled ranks, the mean sum is n (N + 1).
    let mean = n * (ranks.len() + 1);
    let far = seen.abs_diff(mean);
    let total: f64 = ways[n].iter().sum();
    let as_far = ways[n].iter().enumerate().filter(|(sum, _)| sum.abs_diff(mean) >= far);
    as_far.map(|(_, ways)| ways).sum::<f64>() / total
}

fn normal(u: f64, n: f64, m: f64, ties: f64) -> f64 {
    let all = n + m;
    let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = ((u - n * m / 2.0).abs() - 0.5) / variance.sqrt();
    let tail = Normal::new(0.0, 1.0).map_or(0.5, |normal| normal.sf(z));
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(found: (f64, f64), expected: (f64, f64)) {
        assert_eq!(found.0, expected.0);
        assert!((found.1 - expected.1).abs() < 1e-12, "{found:?} instead of {expected:?}");
    }

    fn test(first: &[u64], second: &[u64]) -> (f64, f64) {
        mann_whitney(first, second).expect("values")
    }

    #[test]
    fn without_ties_p_is_that_of_scipy() {
        // scipy 1.17, mannwhitneyu(method="exact").
        near(test(&[1, 2, 3, 4, 5], &[6, 7, 8, 9, 10]), (0.0, 0.007936507936507936));
        near(test(&[19, 22, 16, 29, 24], &[20, 11, 17, 12]), (17.0, 0.1111111111111111));
        assert!((least(5, 5) - 0.007936507936507936).abs() < 1e-15);
        near(test(&[3, 9, 12], &[1, 5, 7, 10, 30, 31, 32]), (8.0, 0.6666666666666666));
    }

    #[test]
    fn many_values_with_ties_are_those_of_scipys_approximation() {
        // mannwhitneyu([i*i % 23 for i in range(30)], [i*7 % 29 for i in range(25)], method="asymptotic").
        let first: Vec<u64> = (0..30).map(|i| i * i % 23).collect();
        let second: Vec<u64> = (0..25).map(|i| i * 7 % 29).collect();
        near(test(&first, &second), (198.5, 0.0028921370791106485));
        near(test(&[5; 30], &[5; 30]), (450.0, 1.0));
    }

    #[test]
    fn an_empty_sample_says_nothing() {
        assert_eq!(mann_whitney(&[], &[1]), None);
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
        let seen = wins((1 << first.len()) - 1);
        let sets = (0..1_u32 << all.len()).filter(|set| set.count_ones() as usize == first.len());
        let (mut far, mut total) = (0, 0);
        for set in sets {
            total += 1;
            far += i32::from(wins(set) >= seen);
        }
        f64::from(far) / f64::from(total)
    }

    proptest! {
        #[test]
        fn with_ties_p_is_the_share_of_all_choices_that_are_as_extreme(
            first in prop::collection::vec(0..6_u64, 1..6),
            second in prop::collection::vec(0..6_u64, 1..6),
        ) {
            let (u, p) = test(&first, &second);
            prop_assert!((p - by_enumeration(&first, &second)).abs() < 1e-12);
            let (v, q) = test(&second, &first);
            prop_assert!((u + v - (first.len() * second.len()) as f64).abs() < 1e-12 && (p - q).abs() < 1e-12);
        }
    }
}
