//! A one-dimensional array with the column of each row: a cell is safe if no earlier queen shares its
//! column or a diagonal. The queens are compared one by one, from the top row, until the first conflict.
//! Cost: up to one comparison per earlier queen and cell: for 8 queens, 2,057 nodes (OEIS A319283) and 46,752 comparisons.

use super::line_by_line::{self, Cells};
use crate::backtrack::searcher::{Flow, Info, Searcher, Stat, Task, Visitor, are_consistent, textbook};

pub struct ColumnScan;

impl Searcher for ColumnScan {
    fn info(&self) -> Info {
        let base = textbook("backtrack/column-scan");
        Info {
            about: "1-D array of columns, compared with every earlier queen".into(),
            statistics: [&base.statistics[..], &[Stat::Comparisons]].concat(),
            ..base
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        line_by_line::search(task.n().get(), QueensOnly, visitor)
    }
}

/// A board that stores nothing: a cell is compared with the queens of the earlier rows.
struct QueensOnly;

impl Cells for QueensOnly {
    fn is_safe<V: Visitor>(&self, queens: &[u32], column: usize, visitor: &mut V) -> bool {
        queens.iter().enumerate().all(|(above, &queen)| {
            visitor.count(Stat::Comparisons, 1);
            are_consistent(above, queen, queens.len(), column)
        })
    }
}
