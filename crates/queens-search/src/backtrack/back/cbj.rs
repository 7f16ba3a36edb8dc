//! Conflict-directed backjumping (CBJ): each row has a conflict set, the rows above whose queens attacked one of its columns. When
//! no column is left, the search returns to the deepest row of this set, whose own conflict set inherits the remaining rows, so
//! that several jumps can follow each other.
//! Source: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993.

use std::collections::BTreeSet;

use super::conflicts::{Conflicts, MAX_MASK, RowSet};
use super::row_by_row::{self, Return};
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
            n @ ..=MAX_MASK => row_by_row::search(n, Conflicts::<u64>::none(n), visitor),
            n => row_by_row::search(n, Conflicts::<BTreeSet<usize>>::none(n), visitor),
        }
    }
}

impl<R: RowSet> Return for Conflicts<R> {
    fn enter(&mut self, row: usize) {
        self.of[row] = R::default();
    }

    fn attacked(&mut self, row: usize, above: usize) {
        self.of[row].insert(above);
    }

    fn after_solution(&mut self) -> Option<usize> {
        self.after_solution()
    }

    fn after_row(&mut self, row: usize, _: bool) -> Option<usize> {
        self.leave(row)
    }
}
