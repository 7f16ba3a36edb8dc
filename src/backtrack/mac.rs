//! Maintaining arc consistency: after each queen, a square of a later row is removed if some row has only squares left
//! that it attacks, until nothing changes. The same is done before the first queen.
//! Source: Sabin & Freuder, "Contradicting conventional wisdom in constraint satisfaction", 1994. Branching is d-way:
//! nothing is concluded from a square that failed.

use super::domains::{Change, Domains, LookAhead, first_wiped, look_ahead};
use super::orders::{Orders, ROWS, VALUES};
use super::{Counts, Flow, Idea, Searcher, TaskSearch, Visitor};
use crate::solver::{SolverOption, Stat, Task};

pub struct Mac;

impl Searcher for Mac {
    const IDEA: Idea = Idea {
        id: "backtrack/mac",
        about: "maintains arc consistency: keeps a square only if every other row has a compatible one (Sabin & Freuder 1994)",
        counts: Counts::Listed(&[Stat::Nodes, Stat::Failures, Stat::MaxDepth]),
        ..Idea::USUAL
    };
    const OPTIONS: &'static [SolverOption] = &[ROWS, VALUES];
    const ANY_PROBLEM: bool = true;
}

struct Board<'v, D, V: ?Sized> {
    visitor: &'v mut V,
    queens: Vec<u16>,
    domains: D,
    orders: Orders,
    /// The columns that are tried at each level.
    columns: Vec<Vec<u16>>,
}

impl TaskSearch for Mac {
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
        look_ahead::<Self, V>(task, visitor)
    }
}

impl LookAhead for Mac {
    fn search<D: Domains, V: Visitor + ?Sized>(task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let domains = D::of(&task.problem);
        let orders = Orders::of(task, &ROWS, &VALUES);
        let mut board = Board { visitor, queens: vec![0; n], domains, orders, columns: vec![Vec::new(); n] };
        if first_wiped(&board.domains, 0..n).is_none() && make_consistent(&mut board.domains, &board.orders) {
            return board.place(0);
        }
        board.visitor.node(0)?;
        board.visitor.dead_end(0);
        Flow::Continue(())
    }
}

/// Removes squares until every square that is left has one in each other row that it does not attack. `false` if a
/// row has no square left.
pub fn make_consistent(domains: &mut impl Domains, orders: &Orders) -> bool {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for row in orders.free() {
            if domains.size(row) <= domains.most_support() {
                match domains.support(row) {
                    Change::Nothing => {}
                    Change::Smaller => changed = true,
                    Change::Wiped => return false,
                }
            }
        }
    }
    true
}

impl<D: Domains, V: Visitor + ?Sized> Board<'_, D, V> {
    fn place(&mut self, level: usize) -> Flow {
        self.visitor.node(level)?;
        if level == self.queens.len() {
            return self.visitor.solution(&self.queens);
        }
        let row = self.orders.take(&self.domains, level);
        let mut columns = std::mem::take(&mut self.columns[level]);
        self.orders.columns(&self.domains, row, &mut columns);
        for &column in &columns {
            self.queens[row] = column;
            if self.domains.place(row, column.into()) && make_consistent(&mut self.domains, &self.orders) {
                self.place(level + 1)?;
            } else {
                self.visitor.node(level + 1)?;
                self.visitor.dead_end(level + 1);
                self.orders.blame(&self.domains, row);
            }
            self.domains.undo();
        }
        self.columns[level] = columns;
        self.orders.give_back(row);
        Flow::Continue(())
    }
}
