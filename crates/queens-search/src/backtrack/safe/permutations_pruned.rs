//! Permutations of the columns, with the diagonals tested as queens are placed: a partial permutation is abandoned if its last
//! queen shares a diagonal with an earlier queen. The unused columns are a linked list in ascending order. Removing a column from
//! the list and restoring it take O(1) time (dancing links).
//! Only cells in unused columns are tested.

use crate::backtrack::searcher::{Flow, Info, Searcher, Stat, Task, Visitor, textbook};
use queens_board as board;

pub struct PermutationsPruned;

impl Searcher for PermutationsPruned {
    fn info(&self) -> Info {
        Info {
            about: "permutations of the columns, diagonals tested as queens are placed".into(),
            ..textbook("backtrack/permutations-pruned")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let mut next: Vec<u32> = (1..=board::column(n)).collect();
        next.push(0);
        let (rising, falling) = (vec![false; 2 * n], vec![false; 2 * n]);
        Search { visitor, queens: vec![0; n], next, rising, falling }.place(0)
    }
}

struct Search<'v, V> {
    visitor: &'v mut V,
    queens: Vec<u32>,
    /// `next[c]` is the unused column after `c`; the list begins at `next[n]` and ends with `n`.
    next: Vec<u32>,
    rising: Vec<bool>,
    falling: Vec<bool>,
}

impl<V: Visitor> Search<'_, V> {
    fn place(&mut self, row: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(row)?;
        if row == n {
            return self.visitor.solution(&self.queens);
        }
        let mut dead_end = true;
        let mut previous_column = n;
        let mut column = self.next[n] as usize;
        while column < n {
            self.visitor.count(Stat::CellsTested, 1);
            let (up, down) = (row + column, row + n - column);
            let next_column = self.next[column];
            if !self.rising[up] && !self.falling[down] {
                dead_end = false;
                self.queens[row] = board::column(column);
                (self.rising[up], self.falling[down]) = (true, true);
                self.next[previous_column] = next_column;
                self.place(row + 1)?;
                self.next[previous_column] = board::column(column);
                (self.rising[up], self.falling[down]) = (false, false);
            }
            previous_column = column;
            column = next_column as usize;
        }
        if dead_end {
            self.visitor.dead_end(row);
        }
        Flow::Continue(())
    }
}
