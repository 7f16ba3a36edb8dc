//! Chooses the run that may begin next while other runs are active.
//!
//! A round begins when the previous one has ended. With `stop_after_timeouts`, a run also waits for smaller
//! boards of the same series in its round, because their timeouts decide whether it is run at all.

use std::collections::VecDeque;

use crate::experiment::plan::{Plan, Run};

/// The remaining runs, in plan order.
pub struct Queue<'a> {
    plan: &'a Plan,
    pending: VecDeque<&'a Run>,
    under_way: Vec<&'a Run>,
}

impl<'a> Queue<'a> {
    pub fn new(plan: &'a Plan, pending: Vec<&'a Run>) -> Self {
        Self { plan, pending: pending.into(), under_way: Vec::new() }
    }

    /// The runs that have not begun.
    pub fn pending(&self) -> impl Iterator<Item = &'a Run> {
        self.pending.iter().copied()
    }

    /// Begins a run; `None` if all remaining runs must wait, or none remains.
    pub fn next(&mut self) -> Option<&'a Run> {
        let round = self.under_way.first().or(self.pending.front())?.round;
        let mut of_round = self.pending.iter().take_while(|run| run.round == round);
        let place = of_round.position(|run| !self.waits(run))?;
        let run = self.pending.remove(place)?;
        self.under_way.push(run);
        Some(run)
    }

    /// Records that a run has ended, with or without a row.
    pub fn ended(&mut self, run: &Run) {
        self.under_way.retain(|other| *other != run);
    }

    fn waits(&self, run: &Run) -> bool {
        let series = |run: &Run| self.plan.cells[run.cell].series();
        self.plan.stop_after_timeouts.is_some()
            && self.under_way.iter().any(|other| series(other) == series(run))
    }
}
