//! `queenlab count N --estimate`: the size of a search tree and the number of solutions, by random probes.

use std::io::Write;
use std::time::Instant;

use crate::backtrack::probe::{self, Estimate};
use crate::board::problem::Problem;
use crate::record::nanoseconds;
use crate::registry::Registry;
use crate::solver::{Goal, Solver, Task};
use anyhow::Error;
use serde_json::{Value, json};

use super::count::Count;
use super::progress::CountProgress;
use super::{Exit, out};

/// The solvers without --solver: for plain queens, and for other problems.
const USUAL: &str = "backtrack/column-scan";
const USUAL_OF_ANY: &str = "backtrack/forward-checking";

pub fn run(problem: &Problem, arguments: &Count, registry: &Registry) -> Result<Exit, Error> {
    let usual = if problem.is_plain() { USUAL } else { USUAL_OF_ANY };
    let chosen = registry.choose(arguments.solver.as_deref().unwrap_or(usual))?;
    let (info, id) = (chosen.solver.info(), chosen.info().id);
    let task = Task {
        seed: arguments.seed.seed,
        threads: arguments.threads.get(),
        options: chosen.options.clone(),
        ..Task::of(problem, Goal::Count)
    };
    let Some(pruning) = info.tree else {
        let infos = registry.iter().map(Solver::info);
        let usable = infos.filter(|info| info.tree.is_some()).map(|info| info.id);
        let usable = usable.collect::<Vec<_>>().join(", ");
        refuse!("the tree of {id} cannot be probed: choose --solver among {usable}");
    };
    if let Some(refusal) = info.refusal(problem, task.goal) {
        refuse!("{refusal}; choose another --solver, see 'queenlab list'");
    }
    if let Some(reason) = probe::objection(&task) {
        refuse!("{}: {reason}", info.id);
    }
    let started = Instant::now();
    let mut progress = CountProgress::new(&arguments.messages, task.n(), "probes");
    let probes = arguments.probes;
    let tree = probe::estimate(&task, pruning, probes, &mut |done, tree| progress.probed(done, probes, tree));
    drop(progress);
    let tree = tree
        .map_err(|error| anyhow::anyhow!("cannot start {} threads: {error}; choose fewer", task.threads))?;
    let Some(tree) = tree else {
        refuse!("n = {}: the numbers are too large for an estimate: choose a smaller n", task.n());
    };
    let wall = started.elapsed();
    let solutions = tree.levels[task.n().get()];
    let mut out = out();
    if arguments.json {
        let levels: Vec<Value> = tree.levels.iter().map(as_json).collect();
        let found = json!({
            "n": task.n().get(), "variant": problem.to_string(), "solver": id, "probes": probes,
            "seed": task.seed, "threads": task.threads, "nodes": as_json(&tree.nodes), "solutions": as_json(&solutions), "levels": levels,
            "wall_ns": nanoseconds(wall),
        });
        writeln!(out, "{found}")?;
        return Ok(Exit::Success);
    }
    writeln!(out, "{:>9}  {:>12}  {:>14}  95 % interval", "", "estimate", "standard error")?;
    let all = [("nodes".to_owned(), &tree.nodes), ("solutions".to_owned(), &solutions)].into_iter();
    let levels = tree.levels.iter().enumerate().map(|(level, nodes)| (format!("level {level}"), nodes));
    for (name, estimate) in all.chain(levels) {
        let Some((low, high)) = estimate.interval() else {
            writeln!(out, "{name:>9}  {:>12}  {:>14}  none: no probe came this far", "-", "-")?;
            continue;
        };
        let [mean, error, low, high] = [estimate.mean, estimate.standard_error, low, high].map(shown);
        writeln!(out, "{name:>9}  {mean:>12}  {error:>14}  {low} to {high}")?;
    }
    Ok(Exit::Success)
}

/// Null values where no probe came: nothing is known then, not even that the number is small.
fn as_json(estimate: &Estimate) -> Value {
    let interval = estimate.interval();
    let known = |value: f64| interval.map(|_| value);
    json!({
        "estimate": known(estimate.mean), "standard_error": known(estimate.standard_error),
        "ci95": interval.map(|(low, high)| [low, high]),
    })
}

/// A number for people: `2057.3`, and from ten million on `4.619e11`.
fn shown(number: f64) -> String {
    if number < 1e7 { format!("{number:.1}") } else { format!("{number:.3e}") }
}
