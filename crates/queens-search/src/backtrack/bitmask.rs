//! Bitmask backtracking, row by row, lowest free column first.
//! State: three u32 masks (columns, falling and rising diagonals), shifted by one square per row.
//! Sizes 0..=32. No allocation during the search. It tests no cells: the free cells are the remaining bits.

use super::{Flow, Info, Searcher, Stat, Task, Visitor, textbook};
use queens_board::{Square, column};

/// The searcher; it has no state between searches.
pub struct Bitmask;

impl Searcher for Bitmask {
    fn info(&self) -> Info {
        Info {
            about: "three bit masks, lowest free column first".into(),
            sizes: 0..=32,
            sizes_reason: "a mask holds 32 columns",
            statistics: vec![Stat::Nodes, Stat::DeadEnds, Stat::MaxDepth],
            ..textbook("backtrack/bitmask")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        Self::search(task.n().get(), visitor)
    }
}

struct Board<'v, V> {
    visitor: &'v mut V,
    full: u32,
    /// Maintained only for a visitor that reads boards.
    queens: [u32; 32],
}

impl Bitmask {
    /// Walks the whole tree of an `n` by `n` board, with `n` up to 32, unless the visitor ends the search.
    pub fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow {
        Self::search_below(&[], n, visitor)
    }

    /// Walks the tree below legal queens on the first rows.
    pub fn search_below<V: Visitor>(prefix: &[Square], n: usize, visitor: &mut V) -> Flow {
        let full = if n == 0 { 0 } else { u32::MAX >> (32 - n) };
        let mut board = Board { visitor, full, queens: [0; 32] };
        let (mut columns, mut falling, mut rising) = (0, 0, 0);
        for square in prefix {
            board.queens[square.row] = column(square.column);
            let queen = 1 << square.column;
            (columns, falling, rising) = (columns | queen, (falling | queen) << 1, (rising | queen) >> 1);
        }
        board.place(prefix.len(), columns, falling, rising)
    }
}

impl<V: Visitor> Board<'_, V> {
    fn place(&mut self, row: usize, columns: u32, falling: u32, rising: u32) -> Flow {
        self.visitor.node(row)?;
        if columns == self.full {
            return self.visitor.solution(&self.queens[..row]);
        }
        let mut free = self.full & !(columns | falling | rising);
        if free == 0 {
            self.visitor.dead_end(row);
        }
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            if self.visitor.reads_boards() {
                self.queens[row & 31] = column(queen.trailing_zeros() as usize);
            }
            self.visitor.enter(row, queen.trailing_zeros() as usize);
            self.place(row + 1, columns | queen, (falling | queen) << 1, (rising | queen) >> 1)?;
        }
        self.visitor.leave(row);
        Flow::Continue(())
    }
}
