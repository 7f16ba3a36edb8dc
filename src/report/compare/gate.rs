//! The decision of `compare --fail-on-regression`. If a regression cannot be excluded, the gate does not pass.

use super::times::SolverRatio;
use super::{Comparison, ReportKey};
use crate::report::tables::ReportCell;

/// The decision of a gate.
#[derive(Clone, Debug, PartialEq)]
pub enum Gate<'a> {
    /// A series is slower by more than the tolerance, or cells are no longer answered.
    Regression,
    /// No regression was found, but a regression cannot be excluded.
    Undecided(Vec<Undecided<'a>>),
    /// No series is slower by more than the tolerance.
    Passed,
}

/// A reason why a regression cannot be excluded.
#[derive(Clone, Debug, PartialEq)]
pub enum Undecided<'a> {
    /// The two results are from different or unknown machines.
    DifferentMachines,
    /// The two results have no timed answer in common.
    NothingInCommon,
    /// Cells of the first result whose times cannot be compared with the second result.
    NotCompared(Vec<ReportCell<'a>>),
    /// Cells with a time of 0.
    Unresolved(Vec<ReportCell<'a>>),
    /// A series with too few rounds for an interval, and the minimum number for an interval.
    FewRounds(ReportKey<'a>, usize),
    /// A series whose interval contains the bound, and the number of rounds that would decide; `None` if no number would.
    WideInterval(ReportKey<'a>, Option<usize>),
}

impl<'a> Comparison<'a> {
    /// The series that are slower by more than the tolerance.
    pub fn regressions(&self) -> impl Iterator<Item = &SolverRatio<'a>> {
        self.solvers.iter().filter(|solver| solver.time.is_above(self.within_percent))
    }

    /// Decides whether a regression beyond the tolerance is found, excluded or neither.
    pub fn gate(&self) -> Gate<'a> {
        if self.regressions().next().is_some() || !self.lost.is_empty() {
            return Gate::Regression;
        }
        let mut reasons = Vec::new();
        reasons.extend(self.are_different_machines.then_some(Undecided::DifferentMachines));
        reasons.extend(
            (self.ratios.is_empty() && self.unresolved.is_empty()).then_some(Undecided::NothingInCommon),
        );
        reasons.extend(
            (!self.not_compared.is_empty()).then(|| Undecided::NotCompared(self.not_compared.clone())),
        );
        reasons.extend((!self.unresolved.is_empty()).then(|| Undecided::Unresolved(self.unresolved.clone())));
        for SolverRatio { key, time, .. } in &self.solvers {
            let runs_needed = time.runs_needed_for(self.within_percent);
            match (time.ci95, runs_needed) {
                (None, Some(runs_needed)) => reasons.push(Undecided::FewRounds(*key, runs_needed)),
                _ if time.is_below(self.within_percent) => {}
                _ => reasons.push(Undecided::WideInterval(*key, runs_needed)),
            }
        }
        if reasons.is_empty() { Gate::Passed } else { Gate::Undecided(reasons) }
    }
}
