//! Conflict-directed backjumping (CBJ): each row has a conflict set. For each attacked square of the row, the set contains the
//! topmost row whose queen attacked the square. When all columns of a row have been tried, the search returns to the deepest row of
//! the conflict set. The other rows of the set are added to the conflict set of the row to which the search returns, so that it can
//! jump again.
//! Source: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993.

use std::collections::BTreeSet;

use super::conflicts::{Conflicts, MAX_MASK, RowSet};
use super::row_by_row::{self, ReturnRule};
use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Stat, Task, Visitor};

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
        match task.n().get() {
            n @ ..=MAX_MASK => row_by_row::search(n, Conflicts::<u64>::empty(n), visitor),
            n => row_by_row::search(n, Conflicts::<BTreeSet<usize>>::empty(n), visitor),
        }
    }
}

impl<R: RowSet> ReturnRule for Conflicts<R> {
    fn enter(&mut self, row: usize) {
        self.by_row[row] = R::default();
    }

    fn attacked(&mut self, row: usize, attacker: usize) {
        self.by_row[row].insert(attacker);
    }

    fn after_solution(&mut self) -> Option<usize> {
        self.after_solution()
    }

    fn after_row(&mut self, row: usize, _: bool) -> Option<usize> {
        self.leave(row)
    }
}
