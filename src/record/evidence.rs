//! Converts rows to evidence for the judge.

use super::Row;
use crate::judging::{Evidence, Source};
use crate::model::{Answer, Kind};
use crate::solver::Goal;

impl Row {
    /// The answer of the run.
    pub fn answer(&self) -> Answer<'_> {
        Answer { goal: self.goal, solutions: self.solutions, digest: self.digest.as_deref() }
    }

    /// The answer of the run, as evidence about its problem.
    pub fn evidence(&self) -> Evidence<'_> {
        let source = Source::Solver(&self.solver);
        Evidence {
            // In a timed enumeration, a built-in solver only computes the digest of its boards.
            has_judged_boards: source.is_external()
                || self.goal == Goal::First
                || self.kind == Kind::Counting,
            verdict: self.verdict,
            statistics: Some(&self.stats),
            ..Evidence::new(source, self.n, &self.variant, self.answer())
        }
    }
}
