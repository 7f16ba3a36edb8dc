//! All-different by matching: the columns of the queens differ, and so do their rising and falling diagonals. Of each of
//! these three conditions, a square is kept only if it is part of a matching of all rows to different lines; besides, the
//! squares are kept arc-consistent as by `backtrack/mac`.
//! Source: Régin, "A filtering algorithm for constraints of difference in CSPs", 1994.

use super::domains::{Domains, Masks};
use super::mac::make_consistent;
use super::matching::all_different;
use super::orders::{Orders, ROWS, VALUES};
use super::{Counts, Flow, Idea, Order, Searcher, TaskSearch, Visitor};
use crate::solver::{SolverOption, Stat, Task};

pub struct Gac;

impl Searcher for Gac {
    const IDEA: Idea = Idea {
        id: "backtrack/gac",
        about: "mac, and all-different by matching for columns and diagonals (Régin 1994)",
        sizes: (0..=Masks::MAX, "a mask holds 32 columns"),
        pattern_limit: None,
        counts: Counts::Listed(&[Stat::Nodes, Stat::Failures, Stat::MaxDepth]),
        order: Order::ByRow,
    };
    const OPTIONS: &'static [SolverOption] = &[ROWS, VALUES];
}

struct Board<'v, V> {
    visitor: &'v mut V,
    queens: Vec<u16>,
    domains: Masks,
    orders: Orders,
    /// The columns that are tried at each level.
    columns: Vec<Vec<u16>>,
}

impl TaskSearch for Gac {
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let domains = Masks::of(&task.problem);
        let orders = Orders::of(task, &ROWS, &VALUES);
        let mut board = Board { visitor, queens: vec![0; n], domains, orders, columns: vec![Vec::new(); n] };
        if board.filter() {
            return board.place(0);
        }
        board.visitor.node(0)?;
        board.visitor.dead_end(0);
        Flow::Continue(())
    }
}

impl<V: Visitor> Board<'_, V> {
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
            if self.domains.place(row, column.into()) && self.filter() {
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

    /// Removes squares until nothing changes. `false` if a condition cannot be met.
    fn filter(&mut self) -> bool {
        let n = self.queens.len();
        loop {
            if !make_consistent(&mut self.domains, &self.orders) {
                return false;
            }
            let before = self.domains.rows().to_vec();
            for line in [|_, _| 0, |row, _| row, |row, n| n - 1 - row] as [fn(usize, usize) -> usize; 3] {
                let lines = self.domains.rows().iter().enumerate();
                let mut lines: Vec<u64> = lines.map(|(row, &left)| u64::from(left) << line(row, n)).collect();
                if !all_different(&mut lines) {
                    return false;
                }
                let kept = lines.iter().enumerate().map(|(row, lines)| columns(lines >> line(row, n)));
                self.domains.rows().iter_mut().zip(kept).for_each(|(row, kept)| *row = kept);
            }
            if *self.domains.rows() == before {
                return true;
            }
        }
    }
}

/// The lines of the first 32 columns.
#[allow(clippy::cast_possible_truncation, reason = "the lines behind them are left out on purpose")]
fn columns(lines: u64) -> u32 {
    lines as u32
}
