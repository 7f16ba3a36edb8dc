//! Conflict-directed backjumping: each row keeps the set of rows that a column of it failed against, and returns to the
//! deepest of them. That row inherits the rest of the set, so that several jumps can follow each other.
//! Source: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993.

use std::collections::BTreeSet;

use super::conflicts::{Conflicts, MAX_MASK, RowSet};
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
        match n {
            ..=MAX_MASK => search::<u64, V>(n, visitor),
            _ => search::<BTreeSet<usize>, V>(n, visitor),
        }
    }
}

pub(super) fn search<R: RowSet, V: Visitor>(n: usize, visitor: &mut V) -> Flow {
    Board { visitor, queens: vec![0; n], conflicts: Conflicts::<R>::none(n) }.place(0)
}

struct Board<'v, R, V> {
    visitor: &'v mut V,
    queens: Vec<u32>,
    conflicts: Conflicts<R>,
}

impl<R: RowSet, V: Visitor> Board<'_, R, V> {
    fn place(&mut self, row: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(row)?;
        if row == n {
            self.conflicts.after_solution();
            return self.visitor.solution(&self.queens);
        }
        self.conflicts.of[row] = R::default();
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
        if let Some(above) = failed {
            self.conflicts.of[row].insert(above);
        }
        failed.is_none()
    }
}
