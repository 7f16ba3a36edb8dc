//! Bitmask backtracking, row by row, leftmost free column first.
//!
//! The state of the search is three `u64` masks of the next row: the columns that are attacked vertically, along falling diagonals,
//! and along rising diagonals. From one row to the next, the masks of the diagonals are shifted by one bit. The bits that are in
//! none of the masks are the free columns, so no cell is tested.
//! Supports n = 0 to 64. The search allocates no memory.

use crate::backtrack::searcher::{Flow, Info, Searcher, Stat, Task, Visitor, textbook};
use queens_board::{Square, column};

/// The searcher; it has no state between searches.
pub struct Bitmask;

impl Searcher for Bitmask {
    fn info(&self) -> Info {
        Info {
            about: "three bit masks, lowest free column first".into(),
            sizes: 0..=64,
            sizes_reason: "a mask holds 64 columns",
            statistics: vec![Stat::Nodes, Stat::DeadEnds, Stat::MaxDepth],
            ..textbook("backtrack/bitmask")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        Self::search(task.n().get(), visitor)
    }
}

/// A node: non-attacking queens on the first rows. Each mask has a bit per column.
#[derive(Clone, Copy, Default)]
struct Node {
    /// The columns that have a queen. The bits beyond the board are set, too.
    columns: u64,
    /// The columns of the next row that queens attack along falling diagonals.
    falling: u64,
    /// The columns of the next row that queens attack along rising diagonals.
    rising: u64,
    /// The columns of the next row that have not been tried yet.
    free: u64,
}

impl Node {
    /// The empty board.
    fn root(n: usize) -> Self {
        let free = if n == 0 { 0 } else { u64::MAX >> (64 - n) };
        Self { columns: !free, free, ..Self::default() }
    }

    fn child(self, queen: u64) -> Self {
        let columns = self.columns | queen;
        let (falling, rising) = ((self.falling | queen) << 1, (self.rising | queen) >> 1);
        Self { columns, falling, rising, free: !(columns | falling | rising) }
    }

    fn is_solution(self) -> bool {
        self.columns == u64::MAX
    }
}

impl Bitmask {
    /// Walks the whole tree of an `n` by `n` board, with `n` up to 64, unless the visitor ends the search.
    pub fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow {
        Self::search_below(&[], n, visitor)
    }

    /// Walks the subtree below a legal placement on the first rows.
    pub fn search_below<V: Visitor>(prefix: &[Square], n: usize, visitor: &mut V) -> Flow {
        let mut queens = [0; 64];
        let mut node = Node::root(n);
        for square in prefix {
            queens[square.row] = column(square.column);
            node = node.child(1 << square.column);
        }
        let (first_row, bits_beyond_board) = (prefix.len(), 64 - n);
        visitor.node(first_row)?;
        if node.is_solution() {
            return visitor.solution(&queens[..first_row]);
        }
        if node.free == 0 {
            visitor.dead_end(first_row);
            visitor.leave(first_row);
            return Flow::Continue(());
        }
        // The stack of the ancestors that have untried columns. The branch on whether a child is a dead end is unpredictable. The loop
        // has one such branch per node; recursion would have two and be slower.
        let (mut stack, mut depth) = ([Node::default(); 64], 0);
        let mut row = first_row;
        loop {
            let queen = node.free & node.free.wrapping_neg();
            node.free ^= queen;
            if V::BOARDS {
                queens[row & 63] = column(queen.trailing_zeros() as usize);
            }
            visitor.enter(row, queen.trailing_zeros() as usize);
            stack[depth & 63] = node;
            depth += usize::from(node.free != 0);
            let child = node.child(queen);
            visitor.node(row + 1)?;
            if child.free != 0 {
                node = child;
                row += 1;
                continue;
            }
            if child.is_solution() {
                visitor.solution(&queens[..=row & 63])?;
            } else {
                visitor.dead_end(row + 1);
                visitor.leave(row + 1);
            }
            let deepest_row = row;
            if depth == 0 {
                (first_row..=deepest_row).rev().for_each(|row| visitor.leave(row));
                return Flow::Continue(());
            }
            depth -= 1;
            node = stack[depth & 63];
            row = node.columns.count_ones() as usize - bits_beyond_board;
            (row + 1..=deepest_row).rev().for_each(|row| visitor.leave(row));
        }
    }
}
