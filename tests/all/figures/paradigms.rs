//! The tables of docs/PARADIGMS.md, from the records `paradigms-limits` and `paradigms`.

use std::collections::BTreeSet;

use queenlab::experiment::Stored;
use queenlab::record::{Row, Status};
use queenlab::report::Unit;
use queenlab::solver::Goal;

use crate::harness::record;
use queenlab::report::{Part, ReportData, claims, runs};

/// Each solver, and its model in one line.
const MODELS: [(&str, &str); 19] = [
    ("backtrack/bitmask", "row by row, attacked lines as bit masks"),
    ("backtrack/column-scan", "row by row, each column against all earlier queens"),
    ("backtrack/dlx", "exact cover by dancing links, diagonals optional"),
    ("backtrack/dxz:next=in-order", "dancing links with a memo, into a ZDD"),
    ("sat/pairwise/varisat/cubes", "pairwise clauses; the first rows by hand, each rest by SAT"),
    ("program/python", "row by row, attacked lines as sets"),
    ("program/gprolog:order=leftmost", "three inequalities per pair of rows, rows in order"),
    ("program/gprolog:order=first-fail", "the same, the smallest domain first"),
    ("program/gecode:order=leftmost", "three all-different constraints, rows in order"),
    ("program/gecode:order=first-fail", "the same, the smallest domain first"),
    ("program/cpsat", "three all-different constraints"),
    ("program/clingo", "a cardinality constraint per line"),
    ("program/cadical", "pairwise clauses, a blocking clause per solution"),
    ("program/z3", "a bit vector per row, three distinct constraints, a blocking constraint per solution"),
    ("program/bitwuzla", "the same"),
    ("program/highs", "a 0/1 variable per square, a row of the matrix per line"),
    ("program/oxidd:diagram=bdd", "the conjunction of all rows as a BDD"),
    ("program/oxidd:diagram=zdd", "sets of squares row by row as a ZDD"),
    ("program/buddy", "the conjunction of all rows as a BDD"),
];

/// What each solver reached within the limit.
pub fn paradigms() -> String {
    let stored = Stored::read(&record("paradigms-limits")).expect("a record");
    let plan = stored.plan.expect("a plan");
    let label = |solver: &str| match plan.names.get(solver) {
        Some(naming) if !naming.label.is_empty() => naming.label.clone(),
        _ => format!("`{solver}`"),
    };
    let models =
        MODELS.into_iter().chain([("counter/pairwise/d4", "pairwise clauses, compiled into a d-DNNF")]);
    let mut lines = vec![
        "| paradigm | solver | model | largest n counted | enumerated | first solution, n = 32 | start |\n|---|---|---|---|---|---|---|".to_owned(),
    ];
    let mut documented = BTreeSet::new();
    for (solver, model) in models {
        documented.insert(solver);
        let timed = |goal| {
            stored.rows.iter().filter(move |row| row.solver == solver && row.goal == goal && row.is_timed())
        };
        let largest = |goal| {
            let answered = timed(goal).filter(|row| row.is_answered()).map(|row| row.n).max();
            let is_stopped = timed(goal).any(|row| !row.is_answered());
            match (answered, is_stopped) {
                (None, false) => String::new(),
                (Some(n), false) => format!("{n} or more"),
                (answered, true) => answered.map_or("none".to_owned(), |n| n.to_string()),
            }
        };
        let first = timed(Goal::First).find(|row| row.n == 32 && row.is_answered()).and_then(Row::job_ns);
        let first = match (first, timed(Goal::First).next()) {
            (Some(time), _) => Unit::Time.show(time),
            (None, Some(_)) => "> 20 s".to_owned(),
            (None, None) => String::new(),
        };
        let small = || stored.rows.iter().filter(|row| row.solver == solver && row.n == 4 && row.is_timed());
        assert!(small().all(|row| row.status != Status::Skipped), "{solver}");
        let start = small().filter_map(|row| row.job_ns()).min().expect("n = 4");
        lines.push(format!(
            "| {} | {} | {model} | {} | {} | {first} | {} |",
            plan.names[solver].group,
            label(solver),
            largest(Goal::Count),
            largest(Goal::Enumerate),
            Unit::Time.show(start),
        ));
    }
    assert!(
        stored.rows.iter().all(|row| documented.contains(row.solver.as_str())),
        "a solver is not in the table"
    );
    lines.join("\n")
}

/// The claims with their verdicts and what was observed.
pub fn learned() -> String {
    let stored = Stored::read(&record("paradigms")).expect("a record");
    let material = ReportData { parts: vec![Part::of(&stored, "")], ..ReportData::default() };
    let judged = claims::judge(&material, &runs(&material.parts));
    let mut lines = vec!["| claim | n | bound | observed | verdict |\n|---|---|---|---|---|".to_owned()];
    for claim in judged {
        let observed = claim.observed.unwrap_or_default();
        lines.push(format!(
            "| {} | {} | {} | {observed} | {} |",
            claim.says, claim.n, claim.bound, claim.verdict
        ));
    }
    lines.join("\n")
}
