//! Measures how evenly this machine computes, by timing the same piece of work repeatedly.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::{Finding, Root, disturbs, fine};

/// Number of pieces that are timed, and the intended duration of each.
const PIECES: usize = 200;
const PIECE: Duration = Duration::from_millis(1);

/// The largest acceptable slowdown of the slowest twentieth of the pieces against the median, in percent.
const SPREAD: f64 = 5.0;

/// Measures for about a fifth of a second.
pub fn jitter(_: &Root) -> Finding {
    let steps = calibrated();
    let mut times: Vec<f64> = (0..PIECES).map(|_| timed(steps).as_secs_f64()).collect();
    judged(&mut times)
}

/// The number of steps that takes about as long as a piece should.
fn calibrated() -> u64 {
    let mut steps = 1000;
    while timed(steps) < PIECE && steps < 1 << 32 {
        steps *= 2;
    }
    steps
}

fn timed(steps: u64) -> Duration {
    let started = Instant::now();
    let mut state = black_box(steps);
    for _ in 0..steps {
        // A chain of dependent steps that no compiler can shorten (the constants are those of Knuth's MMIX).
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    }
    black_box(state);
    started.elapsed()
}

fn judged(times: &mut [f64]) -> Finding {
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    let over = |percent: usize| 100.0 * (at(percent) / at(50).max(1e-12) - 1.0);
    let found = format!(
        "a task of {:.1} ms, repeated: one run in twenty takes at least {:.1} % longer than the median, and the slowest {:.0} % \
         longer",
        1e3 * at(50),
        over(95),
        over(100)
    );
    if over(95) > SPREAD {
        disturbs(
            found,
            "correct the other findings, --pin runs to a CPU that no other process uses, or --repeat more often",
        )
    } else {
        fine(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::doctor::Health;

    #[test]
    fn even_times_are_fine_and_uneven_ones_disturb() {
        let even = judged(&mut [1e-3; 200]);
        assert_eq!(even.health, Health::Fine);
        assert_eq!(
            even.found,
            "a task of 1.0 ms, repeated: one run in twenty takes at least 0.0 % longer than the median, and the slowest 0 % \
             longer"
        );
        let mut uneven: Vec<f64> = (0..200).map(|i| if i % 10 == 0 { 1.2e-3 } else { 1e-3 }).collect();
        let uneven = judged(&mut uneven);
        assert_eq!(uneven.health, Health::Disturbs);
        assert!(uneven.found.contains("20.0 % longer"), "{}", uneven.found);
    }

    #[test]
    fn a_single_outlier_does_not_disturb() {
        let mut times = [1e-3; 200];
        times[7] = 5e-3;
        let found = judged(&mut times);
        assert_eq!(found.health, Health::Fine);
        assert!(found.found.ends_with("the slowest 400 % longer"), "{}", found.found);
    }
}
