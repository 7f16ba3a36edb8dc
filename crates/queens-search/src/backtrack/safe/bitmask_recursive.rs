//! Bitmask backtracking in its usual recursive form: one call per row, with masks of the attacked columns and diagonals.
//! `backtrack/bitmask` is the same search as a loop, which is faster.
//! Supports n = 0 to 64.

use crate::backtrack::searcher::{Flow, Info, Searcher, Stat, Task, Visitor, textbook};
use queens_board::column;

pub struct BitmaskRecursive;

impl Searcher for BitmaskRecursive {
    fn info(&self) -> Info {
        Info {
            about: "three bit masks, a call per row".into(),
            sizes: 0..=64,
            sizes_reason: "a mask holds 64 columns",
            statistics: vec![Stat::Nodes, Stat::DeadEnds, Stat::MaxDepth],
            ..textbook("backtrack/bitmask-recursive")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let bits_beyond_board = if n == 0 { u64::MAX } else { !(u64::MAX >> (64 - n)) };
        Search { queens: vec![0; n], visitor }.place(0, bits_beyond_board, 0, 0)
    }
}

struct Search<'v, V> {
    queens: Vec<u32>,
    visitor: &'v mut V,
}

impl<V: Visitor> Search<'_, V> {
    /// Places the queens from this row on. `columns` contains the columns with a queen and the bits beyond the board; `falling` and
    /// `rising` contain the columns of this row that are attacked along diagonals.
    fn place(&mut self, row: usize, columns: u64, falling: u64, rising: u64) -> Flow {
        self.visitor.node(row)?;
        if columns == u64::MAX {
            return self.visitor.solution(&self.queens);
        }
        let mut free = !(columns | falling | rising);
        if free == 0 {
            self.visitor.dead_end(row);
        }
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            self.queens[row] = column(queen.trailing_zeros() as usize);
            self.visitor.enter(row, queen.trailing_zeros() as usize);
            self.place(row + 1, columns | queen, (falling | queen) << 1, (rising | queen) >> 1)?;
        }
        self.visitor.leave(row);
        Flow::Continue(())
    }
}
