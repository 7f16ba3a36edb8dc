//! Whether the answer of a run is right: against published counts, the board itself, and the digests
//! of runs that were found right before.

use std::collections::HashMap;

use super::protocol::Report;
use crate::board::known;
use crate::record::{Row, Verdict};
use crate::solver::Goal;

/// Judges runs, and remembers the digests of those that it found right.
#[derive(Default)]
pub struct Bench {
    /// Per size: a solver whose every board was judged, and the digest of its boards.
    trusted: HashMap<usize, (String, String)>,
}

impl Bench {
    /// Judges a report and the row that was made from it; says what is wrong.
    pub fn judge(&self, row: &Row, report: &Report) -> (Verdict, Option<String>) {
        if report.illegal.is_some_and(|illegal| illegal > 0) {
            let shown = report.first_illegal.as_deref().unwrap_or("it has not one queen a row");
            let boards = if report.illegal == Some(1) { "board is" } else { "boards are" };
            let illegal = report.illegal.unwrap_or(0);
            return (Verdict::Wrong, Some(format!("{illegal} {boards} no solution; first: {shown}")));
        }
        self.judge_row(row)
    }

    /// Judges the answer that a row holds; says what is wrong.
    pub fn judge_row(&self, row: &Row) -> (Verdict, Option<String>) {
        let wrong = |reason: String| (Verdict::Wrong, Some(reason));
        let solutions = row.solutions.unwrap_or(0);
        if row.goal == Goal::First {
            return match (solutions > 0, known::has_solution(row.n)) {
                (false, true) => wrong(format!("it found no solution, but there is one for n = {}", row.n)),
                (true, false) => wrong(format!("it found a solution, but there is none for n = {}", row.n)),
                _ => (Verdict::Correct, None),
            };
        }
        let expected = known::solutions(row.n);
        if let Some(expected) = expected.filter(|&expected| expected != solutions) {
            let source = known::SOLUTIONS_SOURCE;
            return wrong(format!("it found {solutions}, {source} says {expected}"));
        }
        if solutions == 0 && known::has_solution(row.n) {
            return wrong(format!("it found no solution, but there is one for n = {}", row.n));
        }
        if let (Some(digest), Some((solver, trusted))) = (&row.solutions_digest, self.trusted.get(&row.n))
            && digest != trusted
        {
            let reason = format!("as many solutions as {solver}, but not the same ones: the digests differ");
            return (Verdict::Disagree, Some(reason));
        }
        (if expected.is_some() { Verdict::Correct } else { Verdict::Unchecked }, None)
    }

    /// Remembers an enumeration that was found right and whose every board was judged: counting
    /// runs, and programs.
    pub fn remember(&mut self, row: &Row) {
        let judged = row.counting || row.solver.starts_with("program/");
        if row.goal != Goal::Enumerate || !judged || row.verdict != Verdict::Correct {
            return;
        }
        if let Some(digest) = &row.solutions_digest {
            self.trusted.entry(row.n).or_insert_with(|| (row.solver.clone(), digest.clone()));
        }
    }
}
