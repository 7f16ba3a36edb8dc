//! A one-dimensional array, the column of each row: a cell is safe if no earlier queen shares its
//! column or a diagonal, compared one by one, top row first, until the first conflict.
//! Cost: up to `row` comparisons per cell (A319283's trees; pair comparisons 46752 for 8 queens).

use super::line_by_line::Cells;
use super::{CellsAsked, Counts, Idea, Searcher, Visitor};

pub struct ColumnScan;

impl Searcher for ColumnScan {
    const IDEA: Idea = Idea {
        id: "backtrack/column-scan",
        about: "1-D array of columns, compared with every earlier queen",
        counts: Counts::Nodes { cells: CellsAsked::EveryColumn, comparisons: true },
        ..Idea::USUAL
    };
}

impl Cells for ColumnScan {
    fn empty(_n: usize) -> Self {
        Self
    }

    fn is_safe<V: Visitor>(&self, queens: &[u16], column: usize, visitor: &mut V) -> bool {
        let row = queens.len();
        queens.iter().enumerate().all(|(above, &other)| {
            visitor.comparison();
            let distance = column.abs_diff(usize::from(other));
            distance != 0 && distance != row - above
        })
    }

    fn put(&mut self, _row: usize, _column: usize) {}

    fn remove(&mut self, _row: usize, _column: usize) {}
}
