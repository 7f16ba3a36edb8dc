//! A two-dimensional board, one queen per column: a cell is safe if the row to its left and both diagonals to
//! its left are empty, checked square by square. The search tree is that of `backtrack/board-scan` with rows and columns exchanged, so
//! the solutions come in another order.
//! Cost: O(n) squares per cell.

use super::line_by_line::{self, Cells};
use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Task, Visitor, textbook};

pub struct BoardScanColumns;

impl Searcher for BoardScanColumns {
    fn info(&self) -> Info {
        Info {
            about: "2-D board, one queen per column, scan row and diagonals leftwards".into(),
            order: Order::ByColumn,
            ..textbook("backtrack/board-scan-columns")
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
    const TRANSPOSED: bool = true;

    fn is_safe<V: Visitor>(&self, queens: &[u32], row: usize, _: &mut V) -> bool {
        let column = queens.len();
        let columns_to_the_left = || (0..column).rev();
        let rows_above = self.has_queen[..row].iter().rev();
        let rows_below = self.has_queen[row + 1..].iter();
        !columns_to_the_left().any(|column| self.has_queen[row][column])
            && !rows_above.zip(columns_to_the_left()).any(|(squares, column)| squares[column])
            && !rows_below.zip(columns_to_the_left()).any(|(squares, column)| squares[column])
    }

    fn set(&mut self, column: usize, row: usize, has_queen: bool) {
        self.has_queen[row][column] = has_queen;
    }
}
