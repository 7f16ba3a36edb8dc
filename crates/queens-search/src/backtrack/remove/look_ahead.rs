//! The search loop of look-ahead searchers: after a queen is placed, the squares that it attacks are removed from the domains of
//! the rows without a queen. A domain wipeout is a dead end. No square in a domain is attacked, so squares need no test when they
//! are tried. The searchers differ in which further squares they remove, in the row to which they return after a failure, and in
//! when they restart.

use super::domains::{Domains, LineDomains, Masks, first_wiped};
use super::orders::{Branch, Failure, Orders};
use crate::backtrack::searcher::{Flow, Stat, Task, Visitor};
use queens_board::{self as board, Square};

/// The limits of one search. When a search reaches a limit, the next search begins.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimit {
    /// The maximum number of failures.
    pub failures: u64,
    /// The maximum number of discrepancies on a path: decisions for a column that is not the first in the column order.
    pub discrepancies: usize,
}

impl SearchLimit {
    /// No limits: there is only one search.
    pub const NONE: Self = Self { failures: u64::MAX, discrepancies: usize::MAX };
}

/// What a look-ahead searcher adds to forward checking. The default methods add nothing.
pub trait LookAheadExtension<D: Domains> {
    /// Removes further squares. Is called before the first queen and after each queen.
    ///
    /// # Errors
    ///
    /// A variable without a queen has no remaining value.
    #[inline]
    fn filter(&mut self, _domains: &mut D, _orders: &Orders) -> Result<(), Failure> {
        Ok(())
    }

    /// Is called when the search enters a variable from above.
    #[inline]
    fn enter(&mut self, _variable: usize) {}

    /// Is called when a variable gets a queen. `is_alive` says whether every variable has a remaining
    /// value.
    #[inline]
    fn after_place(&mut self, _domains: &D, _variable: usize, _is_alive: bool) {}

    /// Is called when the queen of a variable has been removed.
    #[inline]
    fn after_undo(&mut self, _variable: usize) {}

    /// Is called at a solution.
    #[inline]
    fn at_solution(&mut self) {}

    /// Is called when all values of a variable have been tried.
    #[inline]
    fn leave(&mut self, _variable: usize) {}

    /// Whether, after the subtree of a value, the search tries the next value of the variable. Otherwise, it returns to an earlier
    /// variable.
    #[inline]
    fn continues_after(&self, _variable: usize) -> bool {
        true
    }
}

/// Runs one search for each of these limits, until a search visits its whole tree without reaching its limit, or the visitor ends the
/// search.
pub fn search<I: LookAheadExtension<Masks> + LookAheadExtension<LineDomains>, V: Visitor>(
    extension: I,
    task: &Task<'_>,
    orders: Orders,
    limits: &mut dyn Iterator<Item = SearchLimit>,
    visitor: &mut V,
) -> Flow {
    let problem = &task.problem;
    match (orders.branch(), task.n().get()) {
        (Branch::Dual, _) => {
            search_with_domains(LineDomains::dual(problem), extension, orders, limits, visitor)
        }
        (Branch::Rows, ..=Masks::MAX) => {
            search_with_domains(Masks::initial(problem), extension, orders, limits, visitor)
        }
        (Branch::Rows, _) => {
            search_with_domains(LineDomains::initial(problem), extension, orders, limits, visitor)
        }
    }
}

/// Like [`search`], with domains that the caller chooses.
pub fn search_with_domains<D: Domains, I: LookAheadExtension<D>, V: Visitor>(
    mut domains: D,
    mut extension: I,
    orders: Orders,
    limits: &mut dyn Iterator<Item = SearchLimit>,
    visitor: &mut V,
) -> Flow {
    if first_wiped(&domains, orders.free()).is_some() || extension.filter(&mut domains, &orders).is_err() {
        visitor.node(0)?;
        visitor.dead_end(0);
        return Flow::Continue(());
    }
    let queens = vec![0; orders.n()];
    let mut search =
        Search { visitor, extension, domains, orders, queens, remaining_failures: 0, was_cut_off: false };
    for limit in limits {
        (search.remaining_failures, search.was_cut_off) = (limit.failures, false);
        search.place(0, limit.discrepancies)?;
        if search.remaining_failures > 0 && !search.was_cut_off {
            break;
        }
        search.visitor.count(Stat::Restarts, 1);
    }
    Flow::Continue(())
}

struct Search<'v, I, D, V> {
    visitor: &'v mut V,
    extension: I,
    domains: D,
    orders: Orders,
    queens: Vec<u32>,
    /// The number of failures until the search ends.
    remaining_failures: u64,
    /// Whether the limit of discrepancies has excluded a column.
    was_cut_off: bool,
}

impl<I: LookAheadExtension<D>, D: Domains, V: Visitor> Search<'_, I, D, V> {
    fn place(&mut self, level: usize, discrepancies: usize) -> Flow {
        self.visitor.node(level)?;
        if level == self.queens.len() {
            self.extension.at_solution();
            return self.visitor.solution(&self.queens);
        }
        let variable = self.orders.take_next(&self.domains, level);
        self.extension.enter(variable);
        if self.orders.is_ascending() {
            self.try_values(level, variable, self.domains.values(variable), discrepancies)?;
        } else {
            let mut values = Vec::new();
            self.orders.values(&self.domains, variable, &mut values);
            self.try_values(level, variable, values.into_iter(), discrepancies)?;
        }
        self.orders.release(variable);
        Flow::Continue(())
    }

    /// Tries the values of a variable one after another, and visits their subtrees.
    #[inline]
    fn try_values(
        &mut self,
        level: usize,
        variable: usize,
        values: impl Iterator<Item = usize>,
        mut discrepancies: usize,
    ) -> Flow {
        for (index, value) in values.enumerate() {
            match index {
                1 if discrepancies == 0 => {
                    self.was_cut_off = true;
                    return Flow::Continue(());
                }
                1 => discrepancies -= 1,
                _ => {}
            }
            let Square { row, column } = self.domains.square(variable, value);
            self.queens[row] = board::column(column);
            let dual_variable = self.domains.dual_variable(variable, value);
            dual_variable.into_iter().for_each(|variable| self.orders.occupy(variable));
            match self.put(variable, value) {
                Ok(()) => self.place(level + 1, discrepancies)?,
                Err(failure) => {
                    self.visitor.node(level + 1)?;
                    self.visitor.dead_end(level + 1);
                    self.orders.record_failure(&self.domains, failure);
                    self.remaining_failures -= 1;
                }
            }
            self.domains.undo();
            self.extension.after_undo(variable);
            dual_variable.into_iter().for_each(|variable| self.orders.release(variable));
            if self.remaining_failures == 0 || !self.extension.continues_after(variable) {
                return Flow::Continue(());
            }
        }
        self.extension.leave(variable);
        Flow::Continue(())
    }

    /// Puts a queen on a square, and counts the checks: the number of values of all variables without a queen, up to the first
    /// variable whose domain becomes empty.
    #[inline]
    fn put(&mut self, variable: usize, value: usize) -> Result<(), Failure> {
        let sizes_before: Vec<(usize, usize)> = match V::COUNTERS {
            true => self.orders.free().map(|variable| (variable, self.domains.size(variable))).collect(),
            false => Vec::new(),
        };
        let is_alive = self.domains.place(variable, value);
        if V::COUNTERS {
            let wiped_variable = first_wiped(&self.domains, self.orders.free());
            let tested_domains = sizes_before.iter().filter(|(variable, _)| {
                wiped_variable.is_none_or(|wiped_variable| *variable <= wiped_variable)
            });
            self.visitor.count(Stat::ConsistencyChecks, tested_domains.map(|(_, size)| *size as u64).sum());
        }
        self.extension.after_place(&self.domains, variable, is_alive);
        if is_alive {
            self.extension.filter(&mut self.domains, &self.orders)
        } else {
            Err(Failure::Wipeout(variable))
        }
    }
}
