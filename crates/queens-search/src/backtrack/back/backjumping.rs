//! Backjumping: if no square of a row is safe, the search returns to the deepest row whose queen was compared with a square of the
//! row. Changing the queens between these two rows cannot make a square safe, because each square is attacked by the last queen
//! with which it was compared. From a row that had a safe square, the search returns to the row above.
//! Source: Gaschnig, "Performance measurement and analysis of certain search algorithms", 1979.

use super::row_by_row::{self, ReturnRule};
use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Stat, Task, Visitor};

pub struct Backjumping;

impl Searcher for Backjumping {
    fn info(&self) -> Info {
        Info {
            about: "returns from a dead end to the deepest row whose queen was compared with its squares (Gaschnig 1979)".into(),
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

/// By row, the deepest of the rows that [`ReturnRule::attacked`] reported for its squares.
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

    fn after_row(&mut self, row: usize, had_safe_column: bool) -> Option<usize> {
        if had_safe_column { row.checked_sub(1) } else { Some(self.by_row[row]) }
    }
}
