//! The error rates of the comparison of solvers within rounds. The code of the report compares the solvers of simulated sweeps,
//! whose true ratios are known. docs/METHODOLOGY.md contains the figures.
//!
//! In the simulation, each round multiplies the times of its runs by a common factor (as if the machine were slower for minutes).
//! In addition, each time varies randomly, and one run in twenty is slowed down by up to 35 %. Random numbers are seeded, so that
//! the figures are the same everywhere.

use fastrand::Rng;
use queenlab::record::{Row, Status, Verdict};
use queenlab::report::ratios::Ratios;
use queenlab::report::{DerivedData, ReportData};
use queenlab::solver::Goal;

use crate::harness::row;

/// The number of simulated sweeps. To detect a mistake, fewer sweeps suffice than in the recorded calibration.
const SWEEPS: usize = 200;
const SIZES: std::ops::Range<usize> = 8..13;
const SOLVERS: [&str; 4] = ["a", "b", "c", "d"];
const ROUNDS: u32 = 15;

/// The standard deviation of ln(time) within a round, as in the record of `textbook`.
const NOISE: f64 = 0.02;

/// The standard deviation of the common factor of a round, as ln(factor).
const DRIFT: f64 = 0.1;

/// A normally distributed value (Box and Muller 1958).
fn normal(random: &mut Rng) -> f64 {
    let (radius, angle) = (random.f64().max(f64::MIN_POSITIVE), random.f64());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// The rows of a sweep in which one solver is slower than the others by a factor.
fn sweep(random: &mut Rng, slowdown: f64) -> Vec<Row> {
    let mut rows = Vec::new();
    for round in 1..=ROUNDS {
        let drift = DRIFT * normal(random);
        for n in SIZES {
            for (rank, solver) in SOLVERS.into_iter().enumerate() {
                let disturbance = if random.usize(..20) == 0 { 0.3 * random.f64() } else { 0.0 };
                let ln_slowdown = if rank == 2 { slowdown.ln() } else { 0.0 };
                let time =
                    (1e7_f64.ln() + drift + NOISE * normal(random) + disturbance + ln_slowdown).exp() as u64;
                let row = row(n, Goal::Count, solver);
                let (status, verdict) = (Status::Complete, Verdict::Correct);
                rows.push(Row { round, repetition: round, status, verdict, solve_ns: Some(time), ..row });
            }
        }
    }
    rows
}

/// The simulated sweeps of equal solvers.
pub fn sweeps_of_equal_solvers() -> Vec<Vec<Row>> {
    let mut random = Rng::with_seed(77);
    (0..SWEEPS).map(|_| sweep(&mut random, 1.0)).collect()
}

/// The smallest corrected p-values of a sweep in which one solver is slower than the others by a factor: over all sizes, and
/// for single sizes.
fn smallest_p_values(rows: &[Row], slowdown: f64) -> [f64; 2] {
    let report_data = ReportData::of_rows(rows);
    let ratios = Ratios::of(&DerivedData::of(&report_data));
    let reference = ratios.baseline.expect("four solvers").solver;
    let min_p_value = |values: &mut dyn Iterator<Item = Option<f64>>| values.flatten().fold(1.0, f64::min);
    let involves_slow_solver = |solver: &str| slowdown == 1.0 || [solver, reference].contains(&"c");
    let overall = ratios.overall.iter().filter(|of| involves_slow_solver(of.key.solver));
    [min_p_value(&mut overall.map(|of| of.p)), min_p_value(&mut ratios.cells.iter().map(|cell| cell.p))]
}

#[test]
#[ignore = "long: hundreds of simulated sweeps"]
fn false_alarm_rate_is_at_most_five_percent() {
    let p_values: Vec<[f64; 2]> =
        sweeps_of_equal_solvers().iter().map(|rows| smallest_p_values(rows, 1.0)).collect();
    for table in [0, 1] {
        let alarms = p_values.iter().filter(|p| p[table] < 0.05).count();
        eprintln!("table {table}: {alarms} false alarms in {SWEEPS} sweeps");
        // The upper bound is the 99th percentile for a rate of 5 %. The lower bound detects a test that never rejects anything.
        let max_alarms = 0.05 * SWEEPS as f64 + 2.33 * (0.05 * 0.95 * SWEEPS as f64).sqrt();
        assert!(alarms > 0 && alarms as f64 <= max_alarms, "table {table}: {alarms} of {SWEEPS}");
    }
}

#[test]
#[ignore = "long: hundreds of simulated sweeps"]
fn fifteen_rounds_detect_slowdown_of_three_percent() {
    let mut random = Rng::with_seed(2);
    let detected =
        (0..SWEEPS).filter(|_| smallest_p_values(&sweep(&mut random, 1.03), 1.03)[0] < 0.05).count();
    eprintln!("detected in {detected} of {SWEEPS} sweeps");
    assert!(detected >= 4 * SWEEPS / 5, "{detected} of {SWEEPS}");
}
