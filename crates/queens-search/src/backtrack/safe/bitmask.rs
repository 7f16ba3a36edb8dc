//! Bitmask backtracking, row by row, lowest free column first.
//! State: three u64 masks (columns, falling and rising diagonals), shifted by one square per row.
//! Sizes 0..=64. There is no allocation during the search, and no cell is tested: the free cells are the remaining bits.

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

/// A node: queens on the first rows that do not attack each other. Each mask has a bit per column.
#[derive(Clone, Copy, Default)]
struct Node {
    /// The columns that have a queen, and the bits beyond the board.
    columns: u64,
    /// The columns of the next row that queens attack along falling and along rising diagonals.
    falling: u64,
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
        let (first, beyond) = (prefix.len(), 64 - n);
        visitor.node(first)?;
        if node.is_solution() {
            return visitor.solution(&queens[..first]);
        }
        if node.free == 0 {
            visitor.dead_end(first);
            visitor.leave(first);
            return Flow::Continue(());
        }
        // The ancestors that have columns left to try. The branch on whether a child is a dead end is unpredictable. A loop needs
        // only this branch, and is faster than recursion, which needs two.
        let (mut above, mut depth) = ([Node::default(); 64], 0);
        let mut row = first;
        loop {
            let queen = node.free & node.free.wrapping_neg();
            node.free ^= queen;
            if V::BOARDS {
                queens[row & 63] = column(queen.trailing_zeros() as usize);
            }
            visitor.enter(row, queen.trailing_zeros() as usize);
            above[depth & 63] = node;
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
            let deepest = row;
            if depth == 0 {
                (first..=deepest).rev().for_each(|row| visitor.leave(row));
                return Flow::Continue(());
            }
            depth -= 1;
            node = above[depth & 63];
            row = node.columns.count_ones() as usize - beyond;
            (row + 1..=deepest).rev().for_each(|row| visitor.leave(row));
        }
    }
}
