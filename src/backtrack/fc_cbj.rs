//! Forward checking with conflict-directed backjumping. A row that is wiped out is in conflict with the earlier rows
//! that took squares from it; a row with no square left to try returns to the deepest row in conflict with it, which
//! inherits the other conflicts.
//! Source: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993 (FC-CBJ).

use std::collections::BTreeSet;

use super::domains::{Domains, first_wiped};
use super::look_ahead::{self, LookAhead};
use super::{Counts, Flow, Idea, Searcher, TaskSearch, Visitor};
use crate::solver::{Stat, Task};

pub struct FcCbj;

impl Searcher for FcCbj {
    const IDEA: Idea = Idea {
        id: "backtrack/fc-cbj",
        about: "forward checking that returns to the deepest row in conflict (Prosser 1993)",
        counts: Counts::Listed(&[Stat::Nodes, Stat::Failures, Stat::MaxDepth, Stat::ConsistencyChecks]),
        ..Idea::USUAL
    };
    const ANY_PROBLEM: bool = true;
}

struct Board<'v, D, V: ?Sized> {
    visitor: &'v mut V,
    queens: Vec<u16>,
    domains: D,
    /// The rows that each row is in conflict with.
    conflicts: Vec<BTreeSet<usize>>,
    /// The rows whose queens took squares from each row.
    taken_by: Vec<BTreeSet<usize>>,
    /// The row at which the search goes on; `None` if there is none left.
    back_to: Option<usize>,
}

impl TaskSearch for FcCbj {
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
        look_ahead::search::<Self, V>(task, visitor)
    }
}

impl<D: Domains> LookAhead<D> for FcCbj {
    fn search<V: Visitor + ?Sized>(task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let domains = D::of(&task.problem);
        if first_wiped(&domains, 0..n).is_some() {
            visitor.node(0)?;
            visitor.dead_end(0);
            return Flow::Continue(());
        }
        let sets = vec![BTreeSet::new(); n];
        let (conflicts, taken_by) = (sets.clone(), sets);
        Board { visitor, queens: vec![0; n], domains, conflicts, taken_by, back_to: None }.place(0)
    }
}

impl<D: Domains, V: Visitor + ?Sized> Board<'_, D, V> {
    fn place(&mut self, row: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(row)?;
        if row == n {
            // Nothing may be jumped over: other solutions may have other queens in any row.
            if let Some(last) = row.checked_sub(1) {
                self.conflicts[last].extend(0..last);
                self.back_to = Some(last);
            }
            return self.visitor.solution(&self.queens);
        }
        self.conflicts[row].clear();
        let mut columns = Vec::new();
        self.domains.values(row, &mut columns);
        for column in columns {
            self.queens[row] = column;
            self.back_to = Some(row);
            if self.put(row, column.into()) {
                self.place(row + 1)?;
            } else {
                self.visitor.node(row + 1)?;
                self.visitor.dead_end(row + 1);
            }
            self.domains.undo();
            for rows in &mut self.taken_by[row + 1..] {
                rows.remove(&row);
            }
            if self.back_to != Some(row) {
                return Flow::Continue(());
            }
        }
        let mut conflicts = std::mem::take(&mut self.conflicts[row]);
        conflicts.extend(&self.taken_by[row]);
        self.back_to = conflicts.pop_last();
        if let Some(deepest) = self.back_to {
            self.conflicts[deepest].append(&mut conflicts);
        }
        Flow::Continue(())
    }

    /// Puts a queen on a square, and returns whether every row has a square left.
    fn put(&mut self, row: usize, column: usize) -> bool {
        let n = self.queens.len();
        let sizes: Vec<usize> = (row + 1..n).map(|below| self.domains.size(below)).collect();
        let alive = self.domains.place(row, column);
        let wiped = if alive { None } else { first_wiped(&self.domains, row + 1..n) };
        let tested = row + 1..wiped.map_or(n, |wiped| wiped + 1);
        self.visitor.consistency_checks(sizes[..tested.len()].iter().map(|&size| size as u64).sum());
        match wiped {
            Some(wiped) => self.conflicts[row].extend(&self.taken_by[wiped]),
            None => {
                for (below, _) in tested.zip(sizes).filter(|&(below, size)| self.domains.size(below) < size) {
                    self.taken_by[below].insert(row);
                }
            }
        }
        wiped.is_none()
    }
}
