//! Backmarking: remembers where the test of each square failed, and how far the search has backed up since, so that no
//! test is repeated whose result is known. It visits the nodes of plain backtracking with fewer checks.
//! `failed_at[row][column]` is the deepest row that the square was compared with; `changed[row]` is the shallowest row
//! that has changed since this row was last tried. A square that failed above the change fails again; one that passed
//! there is compared with the rows from the change on only.
//! Source: Gaschnig, "A general backtrack algorithm that eliminates most redundant tests", 1977.

use super::{Counts, Flow, Idea, Search, Searcher, Visitor, consistent};
use crate::board;
use crate::solver::Stat;

pub struct Backmarking;

impl Searcher for Backmarking {
    const IDEA: Idea = Idea {
        id: "backtrack/backmarking",
        about: "backtracking that repeats no test whose result is known (Gaschnig 1977)",
        counts: Counts::Listed(&[Stat::Nodes, Stat::DeadEnds, Stat::MaxDepth, Stat::ConsistencyChecks]),
        ..Idea::USUAL
    };
}

struct Board<'v, V> {
    visitor: &'v mut V,
    queens: Vec<u16>,
    failed_at: Vec<Vec<u16>>,
    changed: Vec<usize>,
}

impl Search for Backmarking {
    fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow {
        let failed_at = vec![vec![0; n]; n];
        Board { visitor, queens: vec![0; n], failed_at, changed: vec![0; n] }.place(0)
    }
}

impl<V: Visitor> Board<'_, V> {
    fn place(&mut self, row: usize) -> Flow {
        let n = self.queens.len();
        self.visitor.node(row)?;
        if row == n {
            return self.visitor.solution(&self.queens);
        }
        let mut dead_end = true;
        for column in 0..n {
            if self.is_safe(row, column) {
                dead_end = false;
                self.queens[row] = board::column(column);
                self.place(row + 1)?;
            }
        }
        if dead_end {
            self.visitor.dead_end(row);
        }
        self.changed[row] = row.saturating_sub(1);
        for changed in &mut self.changed[row + 1..] {
            *changed = (*changed).min(row.saturating_sub(1));
        }
        Flow::Continue(())
    }

    fn is_safe(&mut self, row: usize, column: usize) -> bool {
        let changed = self.changed[row];
        if usize::from(self.failed_at[row][column]) < changed {
            return false;
        }
        for above in changed..row {
            self.failed_at[row][column] = board::column(above);
            self.visitor.consistency_checks(1);
            if !consistent(above, self.queens[above], row, column) {
                return false;
            }
        }
        true
    }
}
