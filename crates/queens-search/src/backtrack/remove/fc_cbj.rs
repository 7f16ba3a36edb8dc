//! Forward checking with conflict-directed backjumping. When a row is wiped out, the earlier rows whose queens removed squares of
//! this row become conflicts. When a row has no square left to try, the search returns to the deepest row of its conflict set, which
//! inherits the other conflicts.
//! Source: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993 (FC-CBJ).

use std::collections::BTreeSet;

use super::domains::{Domains, LineDomains, Masks, first_wiped};
use super::look_ahead::{self, Idea, SearchLimit};
use super::orders::{Orders, ROWS, VALUES};
use crate::backtrack::back::conflicts::{Conflicts, RowSet};
use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Stat, Task, Visitor};

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

pub fn search<D: Domains, R: RowSet, V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
    let n = task.n().get();
    let idea =
        BackToConflict::<R> { conflicts: Conflicts::none(n), taken_by: vec![R::default(); n], back_to: None };
    let orders = Orders::of(task, &ROWS, &VALUES);
    look_ahead::search_in(
        D::of(&task.problem),
        idea,
        orders,
        &mut std::iter::once(SearchLimit::NONE),
        visitor,
    )
}

/// The conflict set of each row. Rows are assigned from the top, so a row is also a level of the tree.
struct BackToConflict<R> {
    conflicts: Conflicts<R>,
    /// By row, the rows whose queens removed squares from it.
    taken_by: Vec<R>,
    /// The row at which the search continues.
    back_to: Option<usize>,
}

impl<D: Domains, R: RowSet> Idea<D> for BackToConflict<R> {
    fn enter(&mut self, row: usize) {
        self.conflicts.of[row] = R::default();
    }

    fn placed(&mut self, domains: &D, row: usize, is_alive: bool) {
        self.back_to = Some(row);
        let Self { conflicts, taken_by, .. } = self;
        if is_alive {
            domains.for_each_reduced(|other| {
                if other > row {
                    taken_by[other].insert(row);
                }
            });
        } else if let Some(wiped) = first_wiped(domains, row + 1..taken_by.len()) {
            conflicts.of[row].unite(&taken_by[wiped]);
        }
    }

    fn taken_back(&mut self, row: usize) {
        self.taken_by[row + 1..].iter_mut().for_each(|rows| rows.remove(row));
    }

    fn solution(&mut self) {
        self.back_to = self.conflicts.after_solution();
    }

    fn leave(&mut self, row: usize) {
        self.conflicts.of[row].unite(&self.taken_by[row]);
        self.back_to = self.conflicts.leave(row);
    }

    fn goes_on(&self, row: usize) -> bool {
        self.back_to == Some(row)
    }
}
