//! Rows as evidence.

use super::{Kind, Row, is_foreign};
use crate::judging::{Evidence, Source};
use crate::solver::Goal;

/// A solver as a source, by its id.
pub fn solver_named(id: &str) -> Source<'_> {
    Source::Solver { id, is_external: is_foreign(id), is_sat: id.starts_with("sat/") }
}

impl Row {
    /// The answer of the run, as evidence about its problem.
    pub fn evidence(&self) -> Evidence<'_> {
        let source = solver_named(&self.solver);
        Evidence {
            n: self.n,
            problem: &self.variant,
            source,
            goal: self.goal,
            solutions: self.solutions,
            digest: self.digest.as_deref(),
            // A timed enumeration of a built-in solver only digests its boards.
            has_judged_boards: source.is_external() || self.goal == Goal::First || self.kind == Kind::Counting,
            verdict: self.verdict,
            statistics: Some(&self.stats),
            ..Evidence::default()
        }
    }
}
