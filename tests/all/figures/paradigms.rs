//! The tables of docs/PARADIGMS.md, from the records `paradigms-limits` and `paradigms`.

use std::collections::BTreeSet;

use queenlab::experiment::StoredResults;
use queenlab::record::{Row, Status};
use queenlab::report::Unit;
use queenlab::solver::Goal;

use super::results;
use crate::harness::record;
use queenlab::report::{DerivedData, ReportData, ReportPart};

/// Each solver, and a description of its model in one line.
const MODELS: &[(&str, &str)] = &[
    ("backtrack/bitmask", "row by row, attacked lines as bit masks"),
    ("backtrack/column-scan", "row by row, each square compared with all earlier queens"),
    ("backtrack/dlx", "exact cover by dancing links, with diagonals as optional items"),
    ("backtrack/dxz:next=in-order", "dancing links with a memo, which build a ZDD"),
    (
        "sat/pairwise/varisat/cubes",
        "pairwise clauses; queenlab enumerates the middle rows, and SAT the other rows",
    ),
    ("program/python", "row by row, attacked lines as sets"),
    ("program/gprolog:order=leftmost", "three inequalities per pair of rows; rows in order"),
    ("program/gprolog:order=first-fail", "three inequalities per pair of rows; the smallest domain first"),
    ("program/gecode:order=leftmost", "three all-different constraints; rows in order"),
    ("program/gecode:order=first-fail", "three all-different constraints; the smallest domain first"),
    ("program/cpsat", "three all-different constraints"),
    ("program/clingo", "a cardinality constraint per row, column and diagonal"),
    ("program/cadical", "pairwise clauses, and a blocking clause per solution"),
    (
        "program/z3",
        "a bit vector per row, three all-different constraints, and a blocking constraint per solution",
    ),
    (
        "program/bitwuzla",
        "a bit vector per row, three all-different constraints, and a blocking constraint per solution",
    ),
    ("program/highs", "a 0/1 variable per square, and a linear constraint per row, column and diagonal"),
    ("program/oxidd:diagram=bdd", "the conjunction of the constraints of all rows as a BDD"),
    ("program/oxidd:diagram=zdd", "the sets of squares of all solutions, built row by row as a ZDD"),
    ("program/buddy", "the conjunction of the constraints of all rows as a BDD"),
    ("counter/pairwise/d4", "pairwise clauses; exact model counting"),
];

/// The largest size of each solver within the limit.
pub fn paradigms() -> String {
    let stored = StoredResults::read(&record("paradigms-limits")).expect("a record");
    let small_boards = StoredResults::read(&record("paradigms")).expect("a record");
    let limit = stored.rows.iter().filter_map(|row| row.time_limit_ns).max().expect("a limit");
    let limit = Unit::Time.show(limit);
    let plan = stored.plan.expect("a plan");
    let label = |solver: &str| match plan.names.get(solver) {
        Some(naming) if !naming.label.is_empty() => naming.label.clone(),
        _ => format!("`{solver}`"),
    };
    let mut lines = vec![
        "| paradigm | solver | model | largest n counted | largest n enumerated | first solution of n = 32 | n = 4: count | n = 4: enumerate | n = 4: first |\n|---|---|---|---|---|---|---|---|---|".to_owned(),
    ];
    let mut documented_solvers = BTreeSet::new();
    for &(solver, model) in MODELS {
        documented_solvers.insert(solver);
        let timed_runs = |goal| {
            stored.rows.iter().filter(move |row| row.solver == solver && row.goal == goal && row.is_timed())
        };
        let largest_size = |goal| {
            let largest_answered = timed_runs(goal).filter(|row| row.is_answered()).map(|row| row.n).max();
            let first_unanswered = timed_runs(goal).filter(|row| !row.is_answered()).min_by_key(|row| row.n);
            match (largest_answered, first_unanswered) {
                (None, None) => String::new(),
                (Some(n), None) => format!("{n} or more"),
                (largest_answered, Some(first_unanswered)) => {
                    let largest_answered = largest_answered.map_or("none".to_owned(), |n| n.to_string());
                    match first_unanswered.status == Status::Crashed {
                        true => format!("{largest_answered}; crashes at {}", first_unanswered.n),
                        false => largest_answered,
                    }
                }
            }
        };
        let time_of_32 =
            timed_runs(Goal::First).find(|row| row.n == 32 && row.is_answered()).and_then(Row::job_ns);
        let time_cell = match (time_of_32, timed_runs(Goal::First).next()) {
            (Some(time), _) => Unit::Time.show(time),
            (None, Some(_)) => format!("> {limit}"),
            (None, None) => String::new(),
        };
        let start = [Goal::Count, Goal::Enumerate, Goal::First].map(|goal| {
            let runs =
                small_boards.rows.iter().filter(|row| row.solver == solver && row.goal == goal && row.n == 4);
            let times: Vec<u64> = runs.filter(|row| row.is_timed()).filter_map(Row::job_ns).collect();
            lower_median(times).map_or(String::new(), |time| Unit::Time.show(time))
        });
        lines.push(format!(
            "| {} | {} | {model} | {} | {} | {time_cell} | {} |",
            plan.names[solver].group,
            label(solver),
            largest_size(Goal::Count),
            largest_size(Goal::Enumerate),
            start.join(" | "),
        ));
    }
    assert!(
        stored.rows.iter().all(|row| documented_solvers.contains(row.solver.as_str())),
        "a solver is not in the table"
    );
    lines.join("\n")
}

/// The median of the times; of an even number of times, the lower of the two middle ones.
fn lower_median(mut times: Vec<u64>) -> Option<u64> {
    times.sort_unstable();
    times.get(times.len().checked_sub(1)? / 2).copied()
}

/// The claims with their bounds, observed values and verdicts.
pub fn claims() -> String {
    let stored = StoredResults::read(&record("paradigms")).expect("a record");
    let report_data = ReportData { parts: vec![ReportPart::of(&stored, "")], ..ReportData::default() };
    let data = DerivedData::of(&report_data);
    let mut lines = vec![
        "| claim | n | bound | observed | 95 % interval | verdict |\n|---|---|---|---|---|---|".to_owned(),
    ];
    let specs = &stored.plan.as_ref().expect("a plan").spec.claims;
    for (claim, spec) in data.claims.iter().zip(specs) {
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {} |",
            claim.says,
            claim.n,
            claim.bound,
            claim.observed.as_deref().unwrap_or_default(),
            results::interval(claim, spec, &data).unwrap_or_default(),
            results::verdict(claim)
        ));
    }
    lines.join("\n")
}
