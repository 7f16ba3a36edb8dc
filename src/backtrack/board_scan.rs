//! A two-dimensional board, one queen per row: a cell is safe if the column above it and both diagonals above
//! it are empty, checked square by square.
//! Cost: O(n) squares per cell.

use super::line_by_line::Cells;
use super::{Idea, Searcher, Visitor};

pub struct BoardScan {
    has_queen: Vec<Vec<bool>>,
}

impl Searcher for BoardScan {
    const IDEA: Idea = Idea {
        id: "backtrack/board-scan",
        about: "2-D board, one queen per row, scan column and diagonals upwards",
        ..Idea::USUAL
    };
}

impl Cells for BoardScan {
    fn empty(n: usize) -> Self {
        Self { has_queen: vec![vec![false; n]; n] }
    }

    fn is_safe<V: Visitor>(&self, queens: &[u16], column: usize, _: &mut V) -> bool {
        let row = queens.len();
        let rows_above = || self.has_queen[..row].iter().rev();
        let to_the_left = (0..column).rev();
        let to_the_right = column + 1..self.has_queen.len();
        !rows_above().any(|squares| squares[column])
            && !rows_above().zip(to_the_left).any(|(squares, column)| squares[column])
            && !rows_above().zip(to_the_right).any(|(squares, column)| squares[column])
    }

    fn put(&mut self, row: usize, column: usize) {
        self.has_queen[row][column] = true;
    }

    fn remove(&mut self, row: usize, column: usize) {
        self.has_queen[row][column] = false;
    }
}
