//! The decisions of `compare --fail-on-regression 5` in simulated sweeps whose true ratios are known, for METHODOLOGY.md.
//!
//! In the simulation, runs vary by 2 % within a round, as in the record of `textbook`, and one run in twenty is disturbed by up to 35
//! %. The random numbers are seeded, so the figures are the same everywhere.

use std::fmt::Write as _;

use fastrand::Rng;
use queenlab::experiment::StoredResults;
use queenlab::record::{Meta, Row, SCHEMA_VERSION, Status, Verdict};
use queenlab::report::compare::{Comparison, Gate};
use queenlab::solver::Goal;

use crate::harness::row;

/// The number of simulated gates for each figure.
const GATES: usize = 200;

/// The bound of the gates, in percent.
const BOUND: f64 = 5.0;

const OLD: &str = "program/old";
const NEW: &str = "program/new";

/// Which results are compared.
#[derive(Clone, Copy)]
enum Kind {
    /// Two series of one sweep.
    OneSweep,
    /// Two results, each of four solvers.
    TwoSweeps,
}

/// A normally distributed value (Box and Muller 1958).
fn normal_value(random: &mut Rng) -> f64 {
    let (radius, angle) = (random.f64().max(f64::MIN_POSITIVE), random.f64());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// The runs of these solvers in rounds that vary by `drift`. Each solver takes 10 ms times its factor.
fn sweep(random: &mut Rng, rounds: u32, drift: f64, solvers: &[(&str, f64)]) -> Vec<Row> {
    let mut rows = Vec::new();
    for round in 1..=rounds {
        let drift = drift * normal_value(random);
        for (solver, factor) in solvers {
            let disturbed = if random.usize(..20) == 0 { 0.3 * random.f64() } else { 0.0 };
            let time = (1e7 * factor * (drift + 0.02 * normal_value(random) + disturbed).exp()) as u64;
            let (status, verdict) = (Status::Complete, Verdict::Correct);
            let row = row(8, Goal::Count, solver);
            rows.push(Row { round, repetition: round, status, verdict, solve_ns: Some(time), ..row });
        }
    }
    rows
}

fn meta() -> Meta {
    let meta = serde_json::json!({
        "schema_version": SCHEMA_VERSION, "queenlab_version": "", "executable_sha256": "", "rustc": "", "target": "",
        "target_features": "", "solvers": {}, "sessions": [], "warnings": [],
        "machine": {"host": "", "os": "", "kernel": "", "cpu_model": "", "cores": 1},
    });
    serde_json::from_value(meta).expect("every key")
}

/// The number of gates that report a regression, and the number that pass, if the new version takes `factor` times as long.
fn gate_counts(kind: Kind, rounds: u32, drift: f64, factor: f64) -> [usize; 2] {
    let mut random = Rng::with_seed(49);
    let stored = |rows| StoredResults { rows, meta: Some(meta()), ..StoredResults::default() };
    let (mut detected, mut passed) = (0, 0);
    for _ in 0..GATES {
        let gate = match kind {
            Kind::OneSweep => {
                let stored = stored(sweep(&mut random, rounds, drift, &[(OLD, 1.0), (NEW, factor)]));
                match Comparison::of_series(&stored, NEW, OLD, BOUND).expect("two series").gate() {
                    Gate::Regression => 5,
                    Gate::Undecided(_) => 8,
                    Gate::Passed => 0,
                }
            }
            Kind::TwoSweeps => {
                let mut solvers = [(OLD, 1.0), ("program/b", 1.0), ("program/c", 1.0), ("program/d", 1.0)];
                let first_result = stored(sweep(&mut random, rounds, drift, &solvers));
                solvers[0].1 = factor;
                let second_result = stored(sweep(&mut random, rounds, drift, &solvers));
                match Comparison::of(&first_result, &second_result, BOUND).gate() {
                    Gate::Regression => 5,
                    Gate::Undecided(_) => 8,
                    Gate::Passed => 0,
                }
            }
        };
        detected += usize::from(gate == 5);
        passed += usize::from(gate == 0);
    }
    [detected, passed]
}

/// The table of false alarms and missed regressions.
pub fn table() -> String {
    let mut lines = String::from(
        "| compared | runs a side | equal: false alarm | equal: passed | 5 % slower: failed or passed | 10 % slower: missed | \
         10 % slower: detected |\n|---|---|---|---|---|---|---|",
    );
    let share = |count: usize| format!("{:.1} %", 100.0 * count as f64 / GATES as f64);
    for (name, kind, drift) in [
        ("two series of one sweep, rounds vary by 10 %", Kind::OneSweep, 0.1),
        ("two results of four solvers, rounds vary by 2 %", Kind::TwoSweeps, 0.02),
        ("two results of four solvers, rounds vary by 10 %", Kind::TwoSweeps, 0.1),
    ] {
        for rounds in [7, 11, 30] {
            let [alarms, passed] = gate_counts(kind, rounds, drift, 1.0);
            let [detected, missed] = gate_counts(kind, rounds, drift, 1.1);
            // If a solver is slower by exactly the bound, neither decision is right, and one interval in twenty may exclude the bound.
            let at_bound = gate_counts(kind, rounds, drift, 1.0 + BOUND / 100.0).iter().sum();
            let columns = [alarms, passed, at_bound, missed, detected].map(share).join(" | ");
            write!(lines, "\n| {name} | {rounds} | {columns} |").expect("a text");
        }
    }
    lines
}
