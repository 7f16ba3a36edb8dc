//! Forward checking: a queen removes the squares that it attacks from the rows below, and a row without a square left is
//! a dead end at once. Squares that are left need no test.
//! With `rows=smallest` the row with the fewest squares left is next; with `restarts` the search begins again when it has
//! failed too often, which pays if something in it is random or learned (`rows=dom-wdeg`).
//! A *check* tests one square that is left in a later row; rows after the first one without a square are not tested.
//! Source: Haralick & Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980.

use super::domains::{Domains, LookAhead, first_wiped, look_ahead};
use super::orders::{Orders, RESTARTS, ROWS, VALUES, limits};
use super::{Counts, Flow, Idea, Searcher, TaskSearch, Visitor};
use crate::solver::{Goal, SolverOption, Stat, Task};

pub struct ForwardChecking;

impl Searcher for ForwardChecking {
    const IDEA: Idea = Idea {
        id: "backtrack/forward-checking",
        about: "removes attacked squares from the rows below and sees empty rows at once (Haralick & Elliott 1980)",
        counts: Counts::Listed(&[
            Stat::Nodes,
            Stat::Failures,
            Stat::MaxDepth,
            Stat::ConsistencyChecks,
            Stat::Restarts,
        ]),
        ..Idea::USUAL
    };
    const OPTIONS: &'static [SolverOption] = &[ROWS, VALUES, RESTARTS];
    const ANY_PROBLEM: bool = true;

    fn objection(task: &Task<'_>) -> Option<String> {
        let restarts = task.options.value(&RESTARTS);
        let all = task.goal != Goal::First && restarts != "none";
        all.then(|| format!("option restarts: '{restarts}' works only with the goal first: leave it out"))
    }
}

struct Board<'v, D, V: ?Sized> {
    visitor: &'v mut V,
    queens: Vec<u16>,
    domains: D,
    orders: Orders,
    /// The columns that are tried at each level.
    columns: Vec<Vec<u16>>,
    /// The failures until the search begins again.
    failures_left: u64,
}

impl TaskSearch for ForwardChecking {
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
        look_ahead::<Self, V>(task, visitor)
    }
}

impl LookAhead for ForwardChecking {
    fn search<D: Domains, V: Visitor + ?Sized>(task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let mut board = Board {
            visitor,
            queens: vec![0; n],
            domains: D::of(&task.problem),
            orders: Orders::of(task, &ROWS, &VALUES),
            columns: vec![Vec::new(); n],
            failures_left: 0,
        };
        if first_wiped(&board.domains, 0..n).is_some() {
            board.visitor.node(0)?;
            board.visitor.dead_end(0);
            return Flow::Continue(());
        }
        for limit in limits(task.options.value(&RESTARTS)) {
            board.failures_left = limit;
            board.place(0)?;
            if board.failures_left > 0 {
                break;
            }
            board.visitor.restart();
        }
        Flow::Continue(())
    }
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
            if self.put(row, column.into()) {
                self.place(level + 1)?;
            } else {
                self.visitor.node(level + 1)?;
                self.visitor.dead_end(level + 1);
                self.orders.blame(&self.domains, row);
                self.failures_left -= 1;
            }
            self.domains.undo();
            if self.failures_left == 0 {
                break;
            }
        }
        self.columns[level] = columns;
        self.orders.give_back(row);
        Flow::Continue(())
    }

    /// Puts a queen on a square, and returns whether every row has a square left.
    #[inline]
    fn put(&mut self, row: usize, column: usize) -> bool {
        if !self.visitor.counts() {
            return self.domains.place(row, column);
        }
        let tests: Vec<_> = self.orders.free().map(|row| (row, self.domains.size(row) as u64)).collect();
        let alive = self.domains.place(row, column);
        let wiped = if alive { None } else { first_wiped(&self.domains, self.orders.free()) };
        let tested = tests.iter().filter(|(row, _)| wiped.is_none_or(|wiped| *row <= wiped));
        self.visitor.consistency_checks(tested.map(|(_, tests)| tests).sum());
        wiped.is_none()
    }
}
