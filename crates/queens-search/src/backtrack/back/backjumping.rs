//! Backjumping: when no column of a row is safe, the search returns to the deepest row whose queen attacks one of the columns,
//! because changing the queens below that row cannot make a column safe. A row that had a safe column returns to the row above.
//! Source: Gaschnig, "Performance measurement and analysis of certain search algorithms", 1979.

use super::row_by_row::{self, Return};
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
        row_by_row::search(n, Deepest { of: vec![0; n] }, visitor)
    }
}

/// For each row, the deepest row above whose queen attacked one of its columns.
struct Deepest {
    of: Vec<usize>,
}

impl Return for Deepest {
    fn enter(&mut self, row: usize) {
        self.of[row] = 0;
    }

    fn attacked(&mut self, row: usize, above: usize) {
        self.of[row] = self.of[row].max(above);
    }

    fn after_solution(&mut self) -> Option<usize> {
        self.of.len().checked_sub(1)
    }

    fn after_row(&mut self, row: usize, was_safe: bool) -> Option<usize> {
        if was_safe { row.checked_sub(1) } else { Some(self.of[row]) }
    }
}
