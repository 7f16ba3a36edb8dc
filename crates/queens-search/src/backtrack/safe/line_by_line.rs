//! The search loop of textbook searchers, which place one queen per line (a row or a column) and try every cell of a line in order. The
//! searchers differ in how they test whether a cell is safe.

use crate::backtrack::searcher::{Flow, Stat, Visitor};
use queens_board::{Square, column, place, squares};

/// A board that can test whether a cell is safe. A line is a row or, if `TRANSPOSED`, a column.
pub trait Cells {
    /// Whether queens are placed column by column instead of row by row.
    const TRANSPOSED: bool = false;

    /// Whether a queen may be placed on `cell` of the next line; `queens` contains the cell of the queen
    /// of each earlier line.
    fn is_safe<V: Visitor>(&self, queens: &[u32], cell: usize, visitor: &mut V) -> bool;

    /// Puts a queen on a cell, or removes it.
    fn set(&mut self, _line: usize, _cell: usize, _has_queen: bool) {}
}

struct Search<'v, C, V> {
    cells: C,
    queens: Vec<u32>,
    visitor: &'v mut V,
}

/// Walks the whole tree of an `n` by `n` board, unless the visitor ends the search.
pub fn search<C: Cells, V: Visitor>(n: usize, cells: C, visitor: &mut V) -> Flow {
    Search { cells, queens: vec![0; n], visitor }.place(0)
}

impl<C: Cells, V: Visitor> Search<'_, C, V> {
    fn place(&mut self, line: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(line)?;
        if line == n {
            return self.solution();
        }
        let mut dead_end = true;
        for cell in 0..n {
            self.visitor.count(Stat::CellsTested, 1);
            if self.cells.is_safe(&self.queens[..line], cell, self.visitor) {
                dead_end = false;
                self.queens[line] = column(cell);
                self.cells.set(line, cell, true);
                self.visitor.enter(line, cell);
                self.place(line + 1)?;
                self.cells.set(line, cell, false);
            }
        }
        if dead_end {
            self.visitor.dead_end(line);
        }
        self.visitor.leave(line);
        Flow::Continue(())
    }

    fn solution(&mut self) -> Flow {
        if C::TRANSPOSED && V::BOARDS {
            return self.visitor.solution(&transposed(&self.queens));
        }
        self.visitor.solution(&self.queens)
    }
}

/// Converts the row of each column to the column of each row.
pub fn transposed(rows: &[u32]) -> Vec<u32> {
    let mut columns = vec![0; rows.len()];
    place(&mut columns, squares(rows).map(|Square { row, column }| Square { row: column, column: row }));
    columns
}
