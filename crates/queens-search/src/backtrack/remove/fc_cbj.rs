//! Forward checking with conflict-directed backjumping. If a queen wipes out the domain of a later row, the earlier rows whose
//! queens removed squares of that row are added to the conflict set of the queen's row. When all squares of a row have been tried,
//! the earlier rows whose queens removed squares of this row are added to its conflict set, and the search returns to the deepest
//! row of the set. The other rows of the set are added to the conflict set of the row to which the search returns.
//! Source: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993 (FC-CBJ).

use std::collections::BTreeSet;

use super::domains::{Domains, LineDomains, Masks, first_wiped};
use super::look_ahead::{self, LookAheadExtension, SearchLimit};
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
    let extension = ConflictBackjumping::<R> {
        conflicts: Conflicts::empty(n),
        pruned_by: vec![R::default(); n],
        return_row: None,
    };
    let orders = Orders::from_options(task, &ROWS, &VALUES);
    look_ahead::search_with_domains(
        D::initial(&task.problem),
        extension,
        orders,
        &mut std::iter::once(SearchLimit::NONE),
        visitor,
    )
}

/// The conflict set of each row. Rows are assigned from the top, so a row is also a level of the tree.
struct ConflictBackjumping<R> {
    conflicts: Conflicts<R>,
    /// By row, the earlier rows whose queens removed squares of this row.
    pruned_by: Vec<R>,
    /// The row to which the search returns.
    return_row: Option<usize>,
}

impl<D: Domains, R: RowSet> LookAheadExtension<D> for ConflictBackjumping<R> {
    fn enter(&mut self, row: usize) {
        self.conflicts.by_row[row] = R::default();
    }

    fn after_place(&mut self, domains: &D, row: usize, is_alive: bool) {
        self.return_row = Some(row);
        let Self { conflicts, pruned_by, .. } = self;
        if is_alive {
            domains.for_each_reduced(|other| {
                if other > row {
                    pruned_by[other].insert(row);
                }
            });
        } else if let Some(wiped) = first_wiped(domains, row + 1..pruned_by.len()) {
            conflicts.by_row[row].unite(&pruned_by[wiped]);
        }
    }

    fn after_undo(&mut self, row: usize) {
        self.pruned_by[row + 1..].iter_mut().for_each(|rows| rows.remove(row));
    }

    fn at_solution(&mut self) {
        self.return_row = self.conflicts.after_solution();
    }

    fn leave(&mut self, row: usize) {
        self.conflicts.by_row[row].unite(&self.pruned_by[row]);
        self.return_row = self.conflicts.leave(row);
    }

    fn continues_after(&self, row: usize) -> bool {
        self.return_row == Some(row)
    }
}
