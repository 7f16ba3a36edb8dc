//! A one-dimensional array with the column of each row: a cell is safe if no earlier queen shares its
//! column or a diagonal. The queens are compared one by one, from the top row, until the first conflict.
//! Cost: up to `row` comparisons per cell (A319283's trees; pair comparisons 46752 for 8 queens).

use super::line_by_line::{self, Cells};
use crate::backtrack::searcher::{Flow, Info, Searcher, Stat, Task, Visitor, consistent, textbook};

pub struct ColumnScan;

impl Searcher for ColumnScan {
    fn info(&self) -> Info {
        let usual = textbook("backtrack/column-scan");
        Info {
            about: "1-D array of columns, compared with every earlier queen".into(),
            statistics: [&usual.statistics[..], &[Stat::Comparisons]].concat(),
            ..usual
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        line_by_line::search(task.n().get(), QueensOnly, visitor)
    }
}

struct QueensOnly;

impl Cells for QueensOnly {
    fn is_safe<V: Visitor>(&self, queens: &[u32], column: usize, visitor: &mut V) -> bool {
        queens.iter().enumerate().all(|(above, &queen)| {
            visitor.count(Stat::Comparisons, 1);
            consistent(above, queen, queens.len(), column)
        })
    }
}
