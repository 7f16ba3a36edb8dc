//! Rows for the tests of reports.

use super::{Data, Material};
use crate::record::{Row, Status, Verdict};
use crate::solver::Goal;

/// A timed run with a limit of 1 µs that counted correctly in this time.
pub fn run(n: usize, solver: &str, solve_ns: u64) -> Row {
    let row = Row::skipped("r".into(), "c".into(), n, Goal::Count, solver.into());
    let (status, verdict) = (Status::Complete, Verdict::Correct);
    Row { status, verdict, solve_ns: Some(solve_ns), time_limit_ns: Some(1000), ..row }
}

/// A timed run without an answer.
pub fn ended(n: usize, solver: &str, status: Status) -> Row {
    Row { status, verdict: Verdict::Unchecked, solve_ns: None, ..run(n, solver, 0) }
}

/// What a function derives from rows.
pub fn plotted<T>(rows: &[Row], plot: impl FnOnce(&Data<'_>) -> T) -> T {
    plot(&Data::of(&Material::of_rows(rows)))
}
