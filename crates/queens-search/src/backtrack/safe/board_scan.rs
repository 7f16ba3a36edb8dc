//! A two-dimensional board, one queen per row: a square is safe if the column above it and both diagonals above
//! it are empty, checked square by square.
//! Cost: each check reads O(n) squares.

use super::line_by_line::{self, Cells};
use crate::backtrack::searcher::{Flow, Info, Searcher, Task, Visitor, textbook};

pub struct BoardScan;

impl Searcher for BoardScan {
    fn info(&self) -> Info {
        Info {
            about: "2-D board, one queen per row, scan column and diagonals upwards".into(),
            ..textbook("backtrack/board-scan")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        line_by_line::search(n, Squares { has_queen: vec![vec![false; n]; n] }, visitor)
    }
}

struct Squares {
    has_queen: Vec<Vec<bool>>,
}

impl Cells for Squares {
    fn is_safe<V: Visitor>(&self, queens: &[u32], column: usize, _: &mut V) -> bool {
        let row = queens.len();
        let rows_above = || self.has_queen[..row].iter().rev();
        let columns_to_the_left = (0..column).rev();
        let columns_to_the_right = column + 1..self.has_queen.len();
        !rows_above().any(|squares| squares[column])
            && !rows_above().zip(columns_to_the_left).any(|(squares, column)| squares[column])
            && !rows_above().zip(columns_to_the_right).any(|(squares, column)| squares[column])
    }

    fn set(&mut self, row: usize, column: usize, has_queen: bool) {
        self.has_queen[row][column] = has_queen;
    }
}
