//! Backjumping: if no column of a row is safe, the search returns to the deepest row whose queen attacks one of the columns. Changing
//! the queens between that row and the dead end cannot make a column safe. From a row that had a safe column, the search returns to
//! the row above.
//! Source: Gaschnig, "Performance measurement and analysis of certain search algorithms", 1979.

use super::row_by_row::{self, ReturnRule};
use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Stat, Task, Visitor};

pub struct Backjumping;

impl Searcher for Backjumping {
    fn info(&self) -> Info {
        Info {
            about: "returns from a dead end to the deepest row that was checked for conflicts with it (Gaschnig 1979)".into(),
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth, Stat::ConsistencyChecks],
            order: Order::ByRow,
            ..Info::named("backtrack/backjumping")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        row_by_row::search(n, DeepestConflicts { by_row: vec![0; n] }, visitor)
    }
}

/// By row, the deepest earlier row whose queen attacked one of its columns.
struct DeepestConflicts {
    by_row: Vec<usize>,
}

impl ReturnRule for DeepestConflicts {
    fn enter(&mut self, row: usize) {
        self.by_row[row] = 0;
    }

    fn attacked(&mut self, row: usize, attacker: usize) {
        self.by_row[row] = self.by_row[row].max(attacker);
    }

    fn after_solution(&mut self) -> Option<usize> {
        self.by_row.len().checked_sub(1)
    }

    fn after_row(&mut self, row: usize, was_safe: bool) -> Option<usize> {
        if was_safe { row.checked_sub(1) } else { Some(self.by_row[row]) }
    }
}
