//! A two-dimensional board, one queen per column: a cell is safe if the row to its left and both diagonals to
//! its left are empty, checked square by square. The tree is that of `backtrack/board-scan`, mirrored at the
//! main diagonal, so solutions are found in another order.
//! Cost: O(n) squares per cell.

use super::line_by_line::Cells;
use super::{Idea, Order, Searcher, Visitor};

pub struct BoardScanColumns {
    has_queen: Vec<Vec<bool>>,
}

impl Searcher for BoardScanColumns {
    const IDEA: Idea = Idea {
        id: "backtrack/board-scan-columns",
        about: "2-D board, one queen per column, scan row and diagonals leftwards",
        order: Order::ByColumn,
        ..Idea::USUAL
    };
}

impl Cells for BoardScanColumns {
    const TRANSPOSED: bool = true;

    fn empty(n: usize) -> Self {
        Self { has_queen: vec![vec![false; n]; n] }
    }

    fn is_safe<V: Visitor>(&self, queens: &[u16], row: usize, _: &mut V) -> bool {
        let column = queens.len();
        let columns_to_the_left = || (0..column).rev();
        let upwards = self.has_queen[..row].iter().rev();
        let downwards = self.has_queen[row + 1..].iter();
        !columns_to_the_left().any(|column| self.has_queen[row][column])
            && !upwards.zip(columns_to_the_left()).any(|(squares, column)| squares[column])
            && !downwards.zip(columns_to_the_left()).any(|(squares, column)| squares[column])
    }

    fn put(&mut self, column: usize, row: usize) {
        self.has_queen[row][column] = true;
    }

    fn remove(&mut self, column: usize, row: usize) {
        self.has_queen[row][column] = false;
    }
}
