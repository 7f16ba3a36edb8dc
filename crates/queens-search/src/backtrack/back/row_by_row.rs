//! The search loop of backjumping searchers, which may return further than to the row above. Each row is tested column by column; a
//! square is compared with the queens above it from the top, until the first conflict. The searchers differ in the row to which
//! they return.

use crate::backtrack::searcher::{Flow, Stat, Visitor, consistent};
use queens_board as board;

/// The row to which a search returns when a row has no column left to try; `None` ends the search.
pub trait Return {
    /// Is called when the search enters a row from above.
    fn enter(&mut self, row: usize);

    /// Is called when a square of `row` is attacked. `above` is the first row from the top whose queen attacks it.
    fn attacked(&mut self, row: usize, above: usize);

    /// The row to which the search returns from a solution.
    fn after_solution(&mut self) -> Option<usize>;

    /// The row to which the search returns from a row without columns left. `was_safe` says whether any column was safe.
    fn after_row(&mut self, row: usize, was_safe: bool) -> Option<usize>;
}

struct Search<'v, R, V> {
    visitor: &'v mut V,
    queens: Vec<u32>,
    returns: R,
    /// The row at which the search continues.
    back_to: Option<usize>,
}

/// Walks the whole tree of an `n` by `n` board, unless the visitor ends the search.
pub fn search<R: Return, V: Visitor>(n: usize, returns: R, visitor: &mut V) -> Flow {
    Search { visitor, queens: vec![0; n], returns, back_to: None }.place(0)
}

impl<R: Return, V: Visitor> Search<'_, R, V> {
    fn place(&mut self, row: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(row)?;
        if row == n {
            self.back_to = self.returns.after_solution();
            return self.visitor.solution(&self.queens);
        }
        self.returns.enter(row);
        let mut was_safe = false;
        for column in 0..n {
            if self.is_safe(row, column) {
                was_safe = true;
                self.queens[row] = board::column(column);
                self.place(row + 1)?;
                if self.back_to != Some(row) {
                    return Flow::Continue(());
                }
            }
        }
        if !was_safe {
            self.visitor.dead_end(row);
        }
        self.back_to = self.returns.after_row(row, was_safe);
        Flow::Continue(())
    }

    fn is_safe(&mut self, row: usize, column: usize) -> bool {
        let attacks = |above: &usize| {
            self.visitor.count(Stat::ConsistencyChecks, 1);
            !consistent(*above, self.queens[*above], row, column)
        };
        let attacker = (0..row).find(attacks);
        attacker.into_iter().for_each(|above| self.returns.attacked(row, above));
        attacker.is_none()
    }
}
