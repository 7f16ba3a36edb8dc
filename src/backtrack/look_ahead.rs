//! The searchers that look ahead: a queen removes the squares that it attacks from the rows without a queen, and a row
//! without a square left is a dead end at once. Squares that are left need no test. The searchers that use it differ in
//! what else they remove, and in when they give up a search and begin another one.

use std::iter;

use super::domains::{Domains, Lines, Masks, first_wiped};
use super::orders::{self, Orders};
use super::{Flow, Visitor};
use crate::solver::{SolverOption, Task};

/// How far a search may go before another one begins.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The failures at which it ends.
    pub failures: u64,
    /// How often it may take a column that is not the first one left.
    pub discrepancies: usize,
}

impl Limit {
    /// The limit of the only search.
    pub const NONE: Self = Self { failures: u64::MAX, discrepancies: usize::MAX };
}

/// A searcher that looks ahead, with domains of this kind.
pub trait LookAhead<D: Domains> {
    /// The option with the order of the rows.
    const ROWS: SolverOption = orders::ROWS;
    /// The option with the order of the columns.
    const VALUES: SolverOption = orders::VALUES;

    /// The limits of the searches, one after the other.
    fn limits(_task: &Task<'_>) -> Box<dyn Iterator<Item = Limit>> {
        Box::new(iter::once(Limit::NONE))
    }

    /// Removes squares before the first queen and after each one. `false` if a row without a queen cannot get one.
    #[inline]
    fn filter(_domains: &mut D, _orders: &Orders) -> bool {
        true
    }

    /// Puts a queen on a square, and returns whether every row can still get one.
    #[inline]
    fn put<V: Visitor + ?Sized>(board: &mut Board<'_, D, V>, row: usize, column: usize) -> bool {
        board.domains.place(row, column) && Self::filter(&mut board.domains, &board.orders)
    }

    /// Walks the whole tree unless the visitor ends the search.
    fn search<V: Visitor + ?Sized>(task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let mut domains = D::of(&task.problem);
        let orders = Orders::of(task, &Self::ROWS, &Self::VALUES);
        if first_wiped(&domains, 0..n).is_some() || !Self::filter(&mut domains, &orders) {
            visitor.node(0)?;
            visitor.dead_end(0);
            return Flow::Continue(());
        }
        let (queens, columns) = (vec![0; n], vec![Vec::new(); n]);
        let mut board = Board { visitor, queens, domains, orders, columns, failures_left: 0, was_cut: false };
        for limit in Self::limits(task) {
            (board.failures_left, board.was_cut) = (limit.failures, false);
            board.place::<Self>(0, limit.discrepancies)?;
            if board.failures_left > 0 && !board.was_cut {
                break;
            }
            board.visitor.restart();
        }
        Flow::Continue(())
    }
}

/// Searches with the domains that fit the size of the board. Above the masks, the calls of the visitor do not matter for
/// the time, and one compiled search for all visitors is enough.
pub fn search<S: LookAhead<Masks> + LookAhead<Lines>, V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
    if task.n().get() <= Masks::MAX {
        return <S as LookAhead<Masks>>::search(task, visitor);
    }
    let visitor: &mut dyn Visitor = visitor;
    <S as LookAhead<Lines>>::search(task, visitor)
}

/// A board during a search.
pub struct Board<'v, D, V: ?Sized> {
    pub visitor: &'v mut V,
    pub domains: D,
    pub orders: Orders,
    queens: Vec<u16>,
    /// The columns that are tried at each level.
    columns: Vec<Vec<u16>>,
    /// The failures until the search ends.
    failures_left: u64,
    /// Whether too few discrepancies have kept the search from trying a column.
    was_cut: bool,
}

impl<D: Domains, V: Visitor + ?Sized> Board<'_, D, V> {
    fn place<S: LookAhead<D> + ?Sized>(&mut self, level: usize, discrepancies: usize) -> Flow {
        self.visitor.node(level)?;
        if level == self.queens.len() {
            return self.visitor.solution(&self.queens);
        }
        let row = self.orders.take(&self.domains, level);
        let mut columns = std::mem::take(&mut self.columns[level]);
        self.orders.columns(&self.domains, row, &mut columns);
        let tried = if discrepancies == 0 { 1 } else { columns.len() };
        self.was_cut |= tried < columns.len();
        for (index, &column) in columns.iter().enumerate().take(tried) {
            self.queens[row] = column;
            if S::put(self, row, column.into()) {
                self.place::<S>(level + 1, discrepancies - usize::from(index > 0))?;
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
}
