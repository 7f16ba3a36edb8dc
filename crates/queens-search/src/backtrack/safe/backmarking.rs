//! Backmarking: plain backtracking that avoids tests whose result is known. It visits the same tree with fewer checks. For this, it
//! records where the last test of each square failed, and how far the search has backtracked since that test.
//!
//! `failed_at[row][column]` is the row whose queen attacked the square in its last test, or the row of the square if no queen
//! attacked it. `changed[row]` is the topmost row whose queen has changed since the squares of `row` were last tested. If
//! `failed_at` is above `changed`, the attacking queen has not moved, and the square need not be tested. Otherwise, the queens above
//! `changed` have not moved and do not attack the square, so it is compared only with the queens from `changed` on.
//!
//! With `rows=smallest`, the row with the fewest safe squares gets the next queen. Every node tests the squares of all free rows,
//! up to the first row without a safe square. The values of `failed_at` and `changed` are then levels of the search instead of
//! rows.
//! Sources: Gaschnig, "A general backtrack algorithm that eliminates most redundant tests", 1977; Bacchus & van Run,
//! "Dynamic variable ordering in CSPs", 1995.

use crate::backtrack::remove::orders::{self, RowOrder};
use crate::backtrack::searcher::{Flow, Info, Searcher, Stat, Task, Visitor, are_consistent, textbook};
use queens_board as board;
use queens_solver::SolverOption;

const ROWS: SolverOption = SolverOption {
    values: &["first", "smallest"],
    about: "the row that gets the next queen",
    ..orders::ROWS
};

pub struct Backmarking;

impl Searcher for Backmarking {
    fn info(&self) -> Info {
        Info {
            about: "backtracking that repeats no test whose result is known (Gaschnig 1977)".into(),
            statistics: vec![Stat::Nodes, Stat::DeadEnds, Stat::MaxDepth, Stat::ConsistencyChecks],
            options: vec![ROWS],
            ..textbook("backtrack/backmarking")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let failed_at = vec![vec![0; n]; n];
        let rows = (0..n).collect();
        let mut search = Search { visitor, queens: vec![0; n], failed_at, changed: vec![0; n], rows };
        match RowOrder::named(task.options.value(&ROWS)) {
            Some(RowOrder::Smallest) => search.place_in_smallest(0),
            _ => search.place(0),
        }
    }
}

struct Search<'v, V> {
    visitor: &'v mut V,
    queens: Vec<u32>,
    failed_at: Vec<Vec<u32>>,
    changed: Vec<usize>,
    /// The row of each level so far, followed by the free rows in any order.
    rows: Vec<usize>,
}

impl<V: Visitor> Search<'_, V> {
    fn place(&mut self, row: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(row)?;
        if row == n {
            return self.visitor.solution(&self.queens);
        }
        let mut dead_end = true;
        for column in 0..n {
            if self.is_safe(row, row, column) {
                dead_end = false;
                self.queens[row] = board::column(column);
                self.place(row + 1)?;
            }
        }
        if dead_end {
            self.visitor.dead_end(row);
        }
        self.changed[row] = row;
        self.leave(row);
        Flow::Continue(())
    }

    fn place_in_smallest(&mut self, level: usize) -> Flow {
        self.visitor.node(level)?;
        if level == self.queens.len() {
            return self.visitor.solution(&self.queens);
        }
        let (index, columns) = self.smallest_row(level);
        if columns.is_empty() {
            self.visitor.dead_end(level);
        } else {
            let row = self.rows[index];
            self.rows.swap(level, index);
            for column in columns {
                self.queens[row] = column;
                self.place_in_smallest(level + 1)?;
            }
            self.rows.swap(level, index);
        }
        self.leave(level);
        Flow::Continue(())
    }

    /// The free row with the fewest safe columns, as an index into `rows`, and its safe columns. On ties, the first such row.
    fn smallest_row(&mut self, level: usize) -> (usize, Vec<u32>) {
        let n = self.queens.len();
        let mut free_indices: Vec<usize> = (level..n).collect();
        free_indices.sort_unstable_by_key(|&index| self.rows[index]);
        let mut smallest: Option<(usize, Vec<u32>)> = None;
        for index in free_indices {
            let row = self.rows[index];
            let safe_columns = (0..n).filter(|&column| self.is_safe(level, row, column)).map(board::column);
            let columns: Vec<u32> = safe_columns.collect();
            self.changed[row] = level;
            if smallest.as_ref().is_none_or(|(_, fewest)| columns.len() < fewest.len()) {
                smallest = Some((index, columns));
            }
            if smallest.as_ref().is_some_and(|(_, fewest)| fewest.is_empty()) {
                break;
            }
        }
        smallest.unwrap_or_default()
    }

    /// Updates `changed` when the search returns to the level above, whose queen will change.
    fn leave(&mut self, level: usize) {
        for &row in &self.rows[level..] {
            self.changed[row] = self.changed[row].min(level.saturating_sub(1));
        }
    }

    fn is_safe(&mut self, level: usize, row: usize, column: usize) -> bool {
        let changed = self.changed[row];
        if (self.failed_at[row][column] as usize) < changed {
            return false;
        }
        for above in changed..level {
            self.failed_at[row][column] = board::column(above);
            self.visitor.count(Stat::ConsistencyChecks, 1);
            let queen_row = self.rows[above];
            if !are_consistent(queen_row.min(row), self.queens[queen_row], queen_row.max(row), column) {
                return false;
            }
        }
        self.failed_at[row][column] = board::column(level);
        true
    }
}
