//! Compares the first solutions of all solvers of a sweep that find the lexicographically first one.

use std::collections::BTreeMap;

use super::{Crosscheck, Evidence, Failure, Posed, reference};
use crate::record::{CrosscheckRow, Row, SCHEMA_VERSION, Status};
use crate::registry::Registry;
use crate::solver::Goal;

/// Compares the answers of each problem to the goal first with the reference. Runs that ended early have none.
pub fn compare(rows: &[Row], registry: &Registry, report: &mut Crosscheck) {
    let mut found: BTreeMap<Posed<'_>, Vec<Evidence<'_>>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.goal == Goal::First) {
        let is_done = matches!(row.status, Status::Sat | Status::Unsat);
        let is_promised =
            || registry.of_label(&row.solver).is_some_and(|solver| solver.finds_lexicographically_first());
        let (Some(solutions), true) = (row.solutions, is_done && is_promised()) else { continue };
        let posed = (row.n, row.variant.as_str());
        let of_problem = found.entry(posed).or_default();
        let (id, digest) = (row.solver.clone(), row.digest.clone());
        // Repetitions with the same answer are compared once.
        let is_new = |other: &Evidence<'_>| (&other.id, &other.digest) != (&id, &digest);
        if of_problem.iter().all(is_new) {
            let (is_wrong, levels) = (row.verdict.is_fault(), Vec::new());
            of_problem.push(Evidence { id, solver: None, is_wrong, solutions, digest, levels, survey: None });
        }
    }
    for ((n, variant), of_problem) in found {
        let Some(reference) = reference(&of_problem) else { continue };
        for own in of_problem.iter().filter(|own| !std::ptr::eq(*own, reference)) {
            let row = CrosscheckRow {
                schema_version: SCHEMA_VERSION,
                n,
                variant: variant.to_owned(),
                solver: own.id.clone(),
                against: reference.id.clone(),
                solutions: own.solutions,
                digest: own.digest.clone(),
                agrees: true,
                ..CrosscheckRow::default()
            };
            let differs = (own.solutions, &own.digest) != (reference.solutions, &reference.digest);
            let failure = || Failure::new(format!("found another first solution than {}", reference.id));
            report.add(row, differs.then(failure));
        }
    }
}
