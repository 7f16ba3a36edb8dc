//! Forward checking with conflict-directed backjumping. A row that is wiped out is in conflict with the earlier rows
//! that took squares from it; a row with no square left to try returns to the deepest row in conflict with it, which
//! inherits the other conflicts.
//! Source: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993 (FC-CBJ).

use std::collections::BTreeSet;

use super::conflicts::{Conflicts, RowSet};
use super::domains::{Domains, LineDomains, Masks, first_wiped};
use super::{Flow, Info, Order, Searcher, Stat, Task, Visitor};
use queens_board as board;

pub struct FcCbj;

impl Searcher for FcCbj {
    fn info(&self) -> Info {
        Info {
            about: "forward checking that returns to the deepest row in conflict (Prosser 1993)".into(),
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth, Stat::ConsistencyChecks],
            order: Order::ByRow,
            any_problem: true,
            ..Info::named("backtrack/fc-cbj")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        match task.n().get() {
            ..=Masks::MAX => search::<Masks, u64, V>(task, visitor),
            _ => search::<LineDomains, BTreeSet<usize>, V>(task, visitor),
        }
    }
}

pub(super) fn search<D: Domains, R: RowSet, V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
    let n = task.n().get();
    let domains = D::of(&task.problem);
    if first_wiped(&domains, 0..n).is_some() {
        visitor.node(0)?;
        visitor.dead_end(0);
        return Flow::Continue(());
    }
    let (conflicts, taken_by) = (Conflicts::<R>::none(n), vec![R::default(); n]);
    Board { visitor, queens: vec![0; n], domains, conflicts, taken_by }.place(0)
}

struct Board<'v, D, R, V> {
    visitor: &'v mut V,
    queens: Vec<u32>,
    domains: D,
    conflicts: Conflicts<R>,
    /// The rows whose queens took squares from each row.
    taken_by: Vec<R>,
}

impl<D: Domains, R: RowSet, V: Visitor> Board<'_, D, R, V> {
    fn place(&mut self, row: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(row)?;
        if row == n {
            self.conflicts.after_solution();
            return self.visitor.solution(&self.queens);
        }
        self.conflicts.of[row] = R::default();
        for column in self.domains.values(row) {
            self.queens[row] = board::column(column);
            self.conflicts.back_to = Some(row);
            if self.put(row, column) {
                self.place(row + 1)?;
            } else {
                self.visitor.node(row + 1)?;
                self.visitor.dead_end(row + 1);
            }
            self.domains.undo();
            for rows in &mut self.taken_by[row + 1..] {
                rows.remove(row);
            }
            if self.conflicts.back_to != Some(row) {
                return Flow::Continue(());
            }
        }
        self.conflicts.of[row].unite(&self.taken_by[row]);
        self.conflicts.leave(row);
        Flow::Continue(())
    }

    /// Puts a queen on a square, and returns whether every row has a square left. Counted are the squares of the rows
    /// below that this tests: they end with the first row that has none left.
    fn put(&mut self, row: usize, column: usize) -> bool {
        let below = row + 1..self.queens.len();
        let sizes: Vec<usize> = match V::COUNTERS {
            true => below.clone().map(|below| self.domains.size(below)).collect(),
            false => Vec::new(),
        };
        let is_alive = self.domains.place(row, column);
        let wiped = if is_alive { None } else { first_wiped(&self.domains, below) };
        if V::COUNTERS {
            let tested = wiped.map_or(sizes.len(), |wiped| wiped - row);
            self.visitor
                .count(Stat::ConsistencyChecks, sizes[..tested].iter().map(|&size| size as u64).sum());
        }
        match wiped {
            Some(wiped) => self.conflicts.of[row].unite(&self.taken_by[wiped]),
            None => {
                let taken_by = &mut self.taken_by;
                self.domains.for_each_reduced(|other| {
                    if other > row {
                        taken_by[other].insert(row);
                    }
                });
            }
        }
        wiped.is_none()
    }
}
