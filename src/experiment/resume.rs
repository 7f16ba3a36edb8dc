//! Decides whether results can be resumed: compares what made them with the current plan, executable and
//! machine.

use std::collections::BTreeSet;

use serde_json::Value;

use super::files;
use crate::record::Meta;

/// Every difference that prevents resuming, in words.
pub fn differences(old: &Meta, new: &Meta) -> Vec<String> {
    let mut differences = Vec::new();
    if old.plan_sha256 != new.plan_sha256 {
        differences.push(format!("another plan ({})", plans(&old.plan, &new.plan)));
    }
    let mut compare = |what: &str, old: &str, new: &str| {
        if old != new {
            differences.push(format!("another {what} ({old}, now {new})"));
        }
    };
    let short = |digest: &str| digest.get(..12).unwrap_or(digest).to_owned();
    compare("executable", &short(&old.executable_sha256), &short(&new.executable_sha256));
    compare("CPU", &old.machine.cpu_model, &new.machine.cpu_model);
    compare("number of cores", &old.machine.cores.to_string(), &new.machine.cores.to_string());
    compare("operating system", &old.machine.os, &new.machine.os);
    differences
}

/// The differences between two plans, for example `repeat 2, now 3; 4 cells removed, 6 added`.
fn plans(old: &Value, new: &Value) -> String {
    let mut found = Vec::new();
    for key in ["repeat", "until", "warmup", "order_seed", "jobs", "pin", "stop_after_timeouts"] {
        let value = |plan: &Value| match plan.get(key) {
            // Plans of older versions have no such key; they ran one job at a time.
            None if key == "jobs" => "1".to_owned(),
            None | Some(Value::Null) => "none".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
        };
        let (old, new) = (value(old), value(new));
        if old != new {
            found.push(format!("{key} {old}, now {new}"));
        }
    }
    let changes = files::changes(old, new);
    found.extend(changes.iter().map(|change| format!("{change} has changed")));
    // The cells of a changed program have new ids because of its files, which are already listed.
    let changed: BTreeSet<&str> = changes.iter().map(|change| change.solver.as_str()).collect();
    let (before, after) = (cells(old, &changed), cells(new, &changed));
    let (gone, come) = (before.difference(&after).count(), after.difference(&before).count());
    if gone + come > 0 {
        let cells = if gone == 1 { "cell" } else { "cells" };
        found.push(format!("{gone} {cells} removed, {come} added"));
    }
    if found.is_empty() { "the runs are in a different order".to_owned() } else { found.join("; ") }
}

/// The ids of a plan's cells, except those of the solvers in `without`.
fn cells<'a>(plan: &'a Value, without: &BTreeSet<&str>) -> BTreeSet<&'a str> {
    let cells = plan.get("cells").and_then(Value::as_array).into_iter().flatten();
    let own =
        |cell: &&Value| !cell.get("solver").and_then(Value::as_str).is_some_and(|id| without.contains(id));
    cells.filter(own).filter_map(|cell| cell.get("id")?.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changed_files_are_named_and_their_cells_are_not_counted() {
        let plan = |digest: &str, id: &str| {
            json!({"cells": [
                {"id": id, "solver": "program/p", "files": {"p.py": digest, "python3": "same"}},
                {"id": "b", "solver": "backtrack/bitmask"},
            ]})
        };
        assert_eq!(plans(&plan("1", "x"), &plan("2", "y")), "p.py of program/p has changed");
    }

    #[test]
    fn plans_differ_in_named_keys_and_in_cells() {
        let plan = |repeat: u32, cells: &[&str]| {
            let cells: Vec<Value> = cells.iter().map(|id| json!({"id": id})).collect();
            json!({"repeat": repeat, "warmup": 0, "pin": null, "cells": cells})
        };
        assert_eq!(plans(&plan(2, &["a"]), &plan(3, &["a"])), "repeat 2, now 3");
        assert_eq!(plans(&plan(2, &["a", "b"]), &plan(2, &["b", "c", "d"])), "1 cell removed, 2 added");
        assert_eq!(plans(&plan(2, &["a"]), &plan(2, &["a"])), "the runs are in a different order");
        let mut pinned = plan(2, &["a"]);
        pinned["pin"] = json!("0-1");
        pinned["jobs"] = json!(2);
        assert_eq!(plans(&plan(2, &["a"]), &pinned), "jobs 1, now 2; pin none, now 0-1");
    }
}
