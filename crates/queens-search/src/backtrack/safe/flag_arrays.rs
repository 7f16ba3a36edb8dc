//! Three boolean arrays record which columns, rising diagonals and falling diagonals hold a queen. A cell is safe if its
//! three flags are clear.
//! Cost: O(1) time per cell.

use super::line_by_line::{self, Cells};
use crate::backtrack::searcher::{Flow, Info, Searcher, Task, Visitor, textbook};

pub struct FlagArrays;

impl Searcher for FlagArrays {
    fn info(&self) -> Info {
        Info {
            about: "three boolean arrays: columns, rising and falling diagonals".into(),
            ..textbook("backtrack/flag-arrays")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let cleared_flags = |lines: usize| vec![false; lines];
        line_by_line::search(
            n,
            Flags { columns: cleared_flags(n), rising: cleared_flags(2 * n), falling: cleared_flags(2 * n) },
            visitor,
        )
    }
}

struct Flags {
    columns: Vec<bool>,
    /// By row + column, whether the rising diagonal has a queen.
    rising: Vec<bool>,
    /// By n + row - column, whether the falling diagonal has a queen.
    falling: Vec<bool>,
}

impl Cells for Flags {
    fn is_safe<V: Visitor>(&self, queens: &[u32], column: usize, _: &mut V) -> bool {
        let (n, row) = (self.columns.len(), queens.len());
        !self.columns[column] && !self.rising[row + column] && !self.falling[n + row - column]
    }

    fn set(&mut self, row: usize, column: usize, has_queen: bool) {
        let n = self.columns.len();
        self.columns[column] = has_queen;
        self.rising[row + column] = has_queen;
        self.falling[n + row - column] = has_queen;
    }
}
