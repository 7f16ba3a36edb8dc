//! Three boolean arrays: the columns, rising and falling diagonals that hold a queen. A cell is safe if its
//! three flags are clear: O(1) instead of a scan along the lines.

use super::line_by_line::Cells;
use super::{Idea, Searcher, Visitor};

pub struct FlagArrays {
    columns: Vec<bool>,
    /// By row + column.
    rising: Vec<bool>,
    /// By n + row - column.
    falling: Vec<bool>,
}

impl Searcher for FlagArrays {
    const IDEA: Idea = Idea {
        id: "backtrack/flag-arrays",
        about: "three boolean arrays: columns, rising and falling diagonals",
        ..Idea::USUAL
    };
}

impl Cells for FlagArrays {
    fn empty(n: usize) -> Self {
        Self { columns: vec![false; n], rising: vec![false; 2 * n], falling: vec![false; 2 * n] }
    }

    fn is_safe<V: Visitor>(&self, queens: &[u16], column: usize, _: &mut V) -> bool {
        let (n, row) = (self.columns.len(), queens.len());
        !self.columns[column] && !self.rising[row + column] && !self.falling[n + row - column]
    }

    fn put(&mut self, row: usize, column: usize) {
        self.set(row, column, true);
    }

    fn remove(&mut self, row: usize, column: usize) {
        self.set(row, column, false);
    }
}

impl FlagArrays {
    fn set(&mut self, row: usize, column: usize, occupied: bool) {
        let n = self.columns.len();
        self.columns[column] = occupied;
        self.rising[row + column] = occupied;
        self.falling[n + row - column] = occupied;
    }
}
