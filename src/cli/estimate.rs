//! `queenlab count N --estimate`: prints estimates of the size of a search tree and of the number of solutions.

use std::io::Write;

use crate::app::estimate::{EstimateInput, TreeEstimate};
use crate::backtrack::probe::ProbeEstimate;
use crate::record::nanoseconds;
use crate::solver::Solver;
use anyhow::Error;
use serde_json::{Value, json};

use super::{out, units};

/// Prints the estimates as a table or as JSON.
pub fn print(estimated: &TreeEstimate, input: &EstimateInput<'_>, as_json: bool) -> Result<(), Error> {
    let TreeEstimate { tree, wall } = estimated;
    let n = input.problem.n().get();
    let solutions = tree.levels[n];
    let mut out = out();
    if as_json {
        let levels: Vec<Value> = tree.levels.iter().map(estimate_as_json).collect();
        let report = json!({
            "n": n, "variant": input.problem.to_string(), "solver": input.solver.info().id, "probes": input.probes,
            "seed": input.seed, "threads": input.threads, "nodes": estimate_as_json(&tree.nodes), "solutions": estimate_as_json(&solutions), "levels": levels,
            "wall_ns": nanoseconds(*wall),
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    writeln!(out, "{:>9}  {:>12}  {:>14}  95 % interval", "", "estimate", "standard error")?;
    let totals = [("nodes".to_owned(), &tree.nodes), ("solutions".to_owned(), &solutions)].into_iter();
    let levels = tree.levels.iter().enumerate().map(|(level, nodes)| (format!("level {level}"), nodes));
    for (name, estimate) in totals.chain(levels) {
        let Some((low, high)) = estimate.interval() else {
            writeln!(out, "{name:>9}  {:>12}  {:>14}  none: no probe reached this level", "-", "-")?;
            continue;
        };
        let [mean, error, low, high] = [estimate.mean, estimate.standard_error, low, high].map(format_number);
        writeln!(out, "{name:>9}  {mean:>12}  {error:>14}  {low} to {high}")?;
    }
    Ok(())
}

/// An estimate as JSON. The values are null if no probe reached the level, because the number of nodes is then unknown and may
/// be large.
fn estimate_as_json(estimate: &ProbeEstimate) -> Value {
    let interval = estimate.interval();
    let null_if_unknown = |value: f64| interval.map(|_| value);
    json!({
        "estimate": null_if_unknown(estimate.mean), "standard_error": null_if_unknown(estimate.standard_error),
        "ci95": interval.map(|(low, high)| [low, high]),
    })
}

/// Formats a number that is not negative: `2,057.3` or, from ten million on, `4.619e11`.
fn format_number(number: f64) -> String {
    if number >= 1e7 {
        return format!("{number:.3e}");
    }
    let tenths = units::rounded(10.0 * number);
    format!("{}.{}", units::thousands(tenths / 10), tenths % 10)
}
