//! Conflict-directed backjumping: each row keeps the set of rows that a column of it failed against, and returns to the
//! deepest of them. That row inherits the rest of the set, so that several jumps can follow each other.
//! Source: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993.

use std::collections::BTreeSet;

use super::{Flow, Info, Order, Searcher, Stat, Task, Visitor, consistent};
use queens_board as board;

pub struct Cbj;

impl Searcher for Cbj {
    fn info(&self) -> Info {
        Info {
            about:
                "returns to the deepest row in conflict, which inherits the other conflicts (Prosser 1993)"
                    .into(),
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth, Stat::ConsistencyChecks],
            order: Order::ByRow,
            ..Info::named("backtrack/cbj")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        Board { visitor, queens: vec![0; n], conflicts: Conflicts::none(n) }.place(0)
    }
}

/// The conflicts of the rows, and where they lead back to.
pub struct Conflicts {
    /// The rows above that each row is in conflict with.
    pub of: Vec<BTreeSet<usize>>,
    /// The row at which the search goes on; `None` if there is none left.
    pub back_to: Option<usize>,
}

impl Conflicts {
    /// None yet, for this number of rows.
    pub fn none(n: usize) -> Self {
        Self { of: vec![BTreeSet::new(); n], back_to: None }
    }

    /// Returns from a solution to the last row. Nothing may be jumped over: other solutions may have other queens in any row.
    pub fn after_solution(&mut self) {
        if let Some(last) = self.of.len().checked_sub(1) {
            self.of[last].extend(0..last);
            self.back_to = Some(last);
        }
    }

    /// Returns from a row to the deepest one in conflict with it, which inherits the other conflicts.
    pub fn leave(&mut self, row: usize) {
        let mut conflicts = std::mem::take(&mut self.of[row]);
        self.back_to = conflicts.pop_last();
        if let Some(deepest) = self.back_to {
            self.of[deepest].append(&mut conflicts);
        }
    }
}

struct Board<'v, V> {
    visitor: &'v mut V,
    queens: Vec<u32>,
    conflicts: Conflicts,
}

impl<V: Visitor> Board<'_, V> {
    fn place(&mut self, row: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(row)?;
        if row == n {
            self.conflicts.after_solution();
            return self.visitor.solution(&self.queens);
        }
        self.conflicts.of[row].clear();
        let mut dead_end = true;
        for column in 0..n {
            if self.is_safe(row, column) {
                dead_end = false;
                self.queens[row] = board::column(column);
                self.place(row + 1)?;
                if self.conflicts.back_to != Some(row) {
                    return Flow::Continue(());
                }
            }
        }
        if dead_end {
            self.visitor.dead_end(row);
        }
        self.conflicts.leave(row);
        Flow::Continue(())
    }

    fn is_safe(&mut self, row: usize, column: usize) -> bool {
        let fails = |above: &usize| {
            self.visitor.count(Stat::ConsistencyChecks, 1);
            !consistent(*above, self.queens[*above], row, column)
        };
        let failed = (0..row).find(fails);
        self.conflicts.of[row].extend(failed);
        failed.is_none()
    }
}
