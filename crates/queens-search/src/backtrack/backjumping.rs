//! Backjumping: when no column of a row is safe, it returns to the deepest row that any of them was compared with,
//! because changing the queens below cannot help. A row that had a safe column returns to the row above.
//! Source: Gaschnig, "Performance measurement and analysis of certain search algorithms", 1979.

use super::{Flow, Info, Order, Searcher, Stat, Task, Visitor, consistent};
use queens_board as board;

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
        Board { visitor, queens: vec![0; n], back_to: 0 }.place(0)
    }
}

struct Board<'v, V> {
    visitor: &'v mut V,
    queens: Vec<u32>,
    /// The row at which the search goes on.
    back_to: usize,
}

impl<V: Visitor> Board<'_, V> {
    fn place(&mut self, row: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(row)?;
        if row == n {
            self.back_to = row.saturating_sub(1);
            return self.visitor.solution(&self.queens);
        }
        let mut dead_end = true;
        let mut deepest = 0;
        for column in 0..n {
            if self.is_safe(row, column, &mut deepest) {
                dead_end = false;
                self.queens[row] = board::column(column);
                self.place(row + 1)?;
                if self.back_to < row {
                    return Flow::Continue(());
                }
            }
        }
        if dead_end {
            self.visitor.dead_end(row);
        }
        self.back_to = if dead_end { deepest } else { row.saturating_sub(1) };
        Flow::Continue(())
    }

    fn is_safe(&mut self, row: usize, column: usize, deepest: &mut usize) -> bool {
        (0..row).all(|above| {
            *deepest = above.max(*deepest);
            self.visitor.count(Stat::ConsistencyChecks, 1);
            consistent(above, self.queens[above], row, column)
        })
    }
}
