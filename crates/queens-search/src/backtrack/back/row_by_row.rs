//! The search loop of backjumping searchers, which may return to any earlier row. Each row is tested column by column; a square is
//! compared with the queens above it from the top, until the first conflict. A [`ReturnRule`] chooses the row to which the search
//! returns.

use crate::backtrack::searcher::{Flow, Stat, Visitor, are_consistent};
use queens_board as board;

/// Chooses the row to which a search returns when all columns of a row have been tried; `None` ends the search.
pub trait ReturnRule {
    /// Is called when the search enters a row from above.
    fn enter(&mut self, row: usize);

    /// Is called when a square of `row` is attacked. `attacker` is the first row from the top whose queen attacks it.
    fn attacked(&mut self, row: usize, attacker: usize);

    /// The row to which the search returns from a solution.
    fn after_solution(&mut self) -> Option<usize>;

    /// The row to which the search returns from `row`, all of whose columns have been tried. `had_safe_column` says
    /// whether a column was safe.
    fn after_row(&mut self, row: usize, had_safe_column: bool) -> Option<usize>;
}

struct Search<'v, R, V> {
    visitor: &'v mut V,
    queens: Vec<u32>,
    return_rule: R,
    /// The row to which the search returns: calls of `place` for deeper rows end.
    return_row: Option<usize>,
}

/// Walks the whole tree of an `n` by `n` board, unless the visitor ends the search.
pub fn search<R: ReturnRule, V: Visitor>(n: usize, return_rule: R, visitor: &mut V) -> Flow {
    Search { visitor, queens: vec![0; n], return_rule, return_row: None }.place(0)
}

impl<R: ReturnRule, V: Visitor> Search<'_, R, V> {
    fn place(&mut self, row: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(row)?;
        if row == n {
            self.return_row = self.return_rule.after_solution();
            return self.visitor.solution(&self.queens);
        }
        self.return_rule.enter(row);
        let mut had_safe_column = false;
        for column in 0..n {
            if self.is_safe(row, column) {
                had_safe_column = true;
                self.queens[row] = board::column(column);
                self.place(row + 1)?;
                if self.return_row != Some(row) {
                    return Flow::Continue(());
                }
            }
        }
        if !had_safe_column {
            self.visitor.dead_end(row);
        }
        self.return_row = self.return_rule.after_row(row, had_safe_column);
        Flow::Continue(())
    }

    fn is_safe(&mut self, row: usize, column: usize) -> bool {
        let attacks = |above: &usize| {
            self.visitor.count(Stat::ConsistencyChecks, 1);
            !are_consistent(*above, self.queens[*above], row, column)
        };
        let attacker = (0..row).find(attacks);
        attacker.into_iter().for_each(|above| self.return_rule.attacked(row, above));
        attacker.is_none()
    }
}
