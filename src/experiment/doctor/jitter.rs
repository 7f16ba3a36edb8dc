//! How evenly this machine computes: the same piece of work, again and again.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::{Finding, disturbs, fine};

/// Pieces that are timed, and how long each is meant to take.
const PIECES: usize = 200;
const PIECE: Duration = Duration::from_millis(1);

/// Percent by which one piece in twenty may be slower than the median.
const SPREAD: f64 = 5.0;

/// Computes for about a fifth of a second.
pub fn jitter() -> Finding {
    let steps = calibrated();
    let mut times: Vec<f64> = (0..PIECES).map(|_| timed(steps).as_secs_f64()).collect();
    told(&mut times)
}

/// So many steps take about as long as a piece should.
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
        // A chain of dependent steps that no compiler can shorten (Knuth's MMIX constants).
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    }
    black_box(state);
    started.elapsed()
}

fn told(times: &mut [f64]) -> Finding {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let over = |share: f64| 100.0 * (at(share) / at(0.5).max(1e-12) - 1.0);
    let found = format!(
        "the same work of {:.1} ms: one in twenty takes {:.1} % longer, the worst {:.0} %",
        1e3 * at(0.5),
        over(0.95),
        over(1.0)
    );
    if over(0.95) > SPREAD {
        disturbs(
            "jitter",
            found,
            "mend what stands above; --pin to a CPU that nobody else uses; --repeat more",
        )
    } else {
        fine("jitter", found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::doctor::Health;

    #[test]
    fn even_times_are_fine_and_uneven_ones_disturb() {
        let even = told(&mut [1e-3; 200]);
        assert_eq!(even.health, Health::Fine);
        assert_eq!(even.found, "the same work of 1.0 ms: one in twenty takes 0.0 % longer, the worst 0 %");
        let mut uneven: Vec<f64> = (0..200).map(|i| if i % 10 == 0 { 1.2e-3 } else { 1e-3 }).collect();
        let uneven = told(&mut uneven);
        assert_eq!(uneven.health, Health::Disturbs);
        assert!(uneven.found.contains("20.0 % longer"), "{}", uneven.found);
    }

    #[test]
    fn a_single_outlier_does_not_disturb() {
        let mut times = [1e-3; 200];
        times[7] = 5e-3;
        let found = told(&mut times);
        assert_eq!(found.health, Health::Fine);
        assert!(found.found.ends_with("the worst 400 %"), "{}", found.found);
    }
}
