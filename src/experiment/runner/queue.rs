//! Which run may begin next, where several are under way.
//!
//! A round begins when the one before it has ended. Where timeouts spare sizes, a run also waits for
//! the smaller boards of its solver in that round: they decide whether it is run at all.

use std::collections::VecDeque;

use crate::experiment::plan::{Plan, Run};

/// The runs that are left, in the order of the plan.
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

    /// Begins a run; `None` if all that are left must wait, or none is left.
    pub fn next(&mut self) -> Option<&'a Run> {
        let round = self.under_way.first().or(self.pending.front())?.round;
        let mut of_round = self.pending.iter().take_while(|run| run.round == round);
        let place = of_round.position(|run| !self.waits(run))?;
        let run = self.pending.remove(place)?;
        self.under_way.push(run);
        Some(run)
    }

    /// A run that had begun has its row, or will get none.
    pub fn ended(&mut self, run: &Run) {
        self.under_way.retain(|other| *other != run);
    }

    fn waits(&self, run: &Run) -> bool {
        let solver = |run: &Run| &self.plan.cells[run.cell].solver;
        self.plan.stop_after_timeouts.is_some()
            && self.under_way.iter().any(|other| solver(other) == solver(run))
    }
}
