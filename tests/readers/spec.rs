//! Experiment files. An error must have a position in the text. A plan must contain each run once, and its cells must be the same after
//! they are written as JSON and read again.

use std::collections::HashSet;

use queenlab::experiment::plan::{Cell, Plan};
use queenlab::registry::Registry;
use queenlab::spec::{Spec, SpecError};

const ORIGIN: &str = "x.toml";

/// The maximum number of solvers times sizes for which a plan is made, and a tenth of the maximum number of runs that are checked.
const MAX_CELLS: usize = 300;

pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let spec = match Spec::parse(ORIGIN, text) {
        Ok(spec) => spec,
        Err(error) => return assert_has_position(&error, text),
    };
    assert!(!spec.solvers.is_empty() || !spec.programs.is_empty());
    let choices = spec.solvers.len() + spec.programs.len();
    if choices * spec.sweep.sizes().iter().count() > MAX_CELLS {
        return;
    }
    let registry = Registry::builtin();
    let plan = match Plan::new(spec.clone(), &registry) {
        Ok(plan) => plan,
        Err(error) => return assert_has_position(&error, text),
    };
    if plan.runs.len() > 10 * MAX_CELLS {
        return;
    }
    let ids: HashSet<&str> = plan.cells.iter().map(|cell| cell.id.as_str()).collect();
    assert_eq!(ids.len(), plan.cells.len(), "two cells have the same id");
    let runs: HashSet<String> = plan.runs.iter().map(|run| plan.run_id(run)).collect();
    assert_eq!(runs.len(), plan.runs.len(), "two runs have the same id");
    let timed_cells = plan.cells.iter().filter(|cell| cell.skip.is_none()).count() as u64;
    let rounds = u64::from(spec.sweep.repeats().maximum) + u64::from(spec.sweep.warmups());
    let single_run_cells =
        plan.cells.iter().filter(|cell| cell.program.is_none() || cell.skip.is_some()).count() as u64;
    assert_eq!(plan.runs.len() as u64, single_run_cells + timed_cells * rounds);
    assert!(plan.cells.iter().all(|cell| spec.sweep.sizes().iter().any(|n| n.get() == cell.key.n)));
    for cell in &plan.cells {
        let json = serde_json::to_string(cell).expect("a plain struct");
        let parsed_cell: Cell = serde_json::from_str(&json).expect("what was written");
        assert_eq!(&parsed_cell, cell);
    }
    // The experiment that is written to a result directory must be the same.
    let written_spec = Spec::parse(ORIGIN, &spec.to_toml()).expect("what was written");
    let plan_of_written = Plan::new(written_spec, &registry).expect("the same plan");
    assert_eq!((&plan_of_written.cells, &plan_of_written.runs), (&plan.cells, &plan.runs));
}

/// Asserts that the position of an error is `x.toml:LINE:COLUMN` where the text has this line, or `x.toml`, which means the whole text.
fn assert_has_position(error: &SpecError, text: &str) {
    assert!(!error.reason.is_empty());
    if error.place == ORIGIN {
        return;
    }
    let place = error.place.strip_prefix(ORIGIN).and_then(|place| place.strip_prefix(':'));
    let (line, column) = place.and_then(|place| place.split_once(':')).expect("a line and a column");
    let (line, column): (usize, usize) = (line.parse().expect("a line"), column.parse().expect("a column"));
    let lines: Vec<&str> = text.split('\n').collect();
    assert!((1..=lines.len()).contains(&line), "{error}");
    assert!((1..=lines[line - 1].chars().count() + 1).contains(&column), "{error}");
}
