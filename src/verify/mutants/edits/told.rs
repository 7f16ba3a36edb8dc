//! Mutants of `backtrack/bitmask` that search correctly but report something else.

use std::marker::PhantomData;

use crate::backtrack::{Bitmask, Flow, Search, Visitor};
use crate::board::{known, symmetry};

/// The solutions found so far.
#[derive(Default)]
struct Found {
    n: usize,
    solutions: usize,
    last: Option<Vec<u16>>,
}

/// The lines that are changed.
trait Lines: Send + Sync + 'static {
    /// The boards that are printed when a solution is found.
    fn printed(_found: &mut Found, columns: Vec<u16>) -> Vec<Vec<u16>> {
        vec![columns]
    }

    /// Whether a node of this level is counted.
    fn counts_node(_level: usize) -> bool {
        true
    }

    /// Whether a dead end of this level is counted.
    fn counts_dead_end(_n: usize, _level: usize) -> bool {
        true
    }
}

struct Told<L>(PhantomData<L>);

struct Telling<'v, V, L> {
    visitor: &'v mut V,
    found: Found,
    lines: PhantomData<L>,
}

impl<L: Lines> Search for Told<L> {
    const TIMED: bool = false;

    fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow {
        let found = Found { n, ..Found::default() };
        Bitmask::search(n, &mut Telling::<V, L> { visitor, found, lines: PhantomData })
    }
}

impl<V: Visitor, L: Lines> Visitor for Telling<'_, V, L> {
    const BOARDS: bool = true;

    fn node(&mut self, level: usize) -> Flow {
        if L::counts_node(level) { self.visitor.node(level) } else { Flow::Continue(()) }
    }

    fn dead_end(&mut self, level: usize) {
        if L::counts_dead_end(self.found.n, level) {
            self.visitor.dead_end(level);
        }
    }

    fn enter(&mut self, line: usize, cell: usize) {
        self.visitor.enter(line, cell);
    }

    fn leave(&mut self, level: usize) {
        self.visitor.leave(level);
    }

    fn cell_tested(&mut self) {}

    fn comparison(&mut self) {}

    fn candidate(&mut self) -> Flow {
        Flow::Continue(())
    }

    fn solution(&mut self, columns: &[u16]) -> Flow {
        self.found.solutions += 1;
        let printed = L::printed(&mut self.found, columns.to_vec());
        self.found.last.get_or_insert_with(|| columns.to_vec());
        printed.iter().try_for_each(|board| self.visitor.solution(board))
    }
}

super::mutants! { Lines, Told, "backtrack/bitmask";
    LastDropped "last solution dropped": "a solution is printed only when the next one is found" {
        fn printed(found: &mut Found, columns: Vec<u16>) -> Vec<Vec<u16>> {
            found.last.replace(columns).into_iter().collect()
        }
    }
    FirstTwice "a duplicate": "the first solution is printed twice" {
        fn printed(found: &mut Found, columns: Vec<u16>) -> Vec<Vec<u16>> {
            vec![columns; if found.solutions == 1 { 2 } else { 1 }]
        }
    }
    FirstForSecond "a duplicate for a missing one": "the first solution is printed in place of the second: the number of boards is right" {
        fn printed(found: &mut Found, columns: Vec<u16>) -> Vec<Vec<u16>> {
            vec![found.last.clone().filter(|_| found.solutions == 2).unwrap_or(columns)]
        }
    }
    Mirrored "mirrored order": "each board is printed from right to left: the same set, in another order than claimed" {
        fn printed(found: &mut Found, columns: Vec<u16>) -> Vec<Vec<u16>> {
            vec![columns.iter().map(|column| found.n as u16 - 1 - column).collect()]
        }
    }
    Transposed "rows for columns": "the row of each column is printed: the same set, in another order than claimed" {
        fn printed(found: &mut Found, columns: Vec<u16>) -> Vec<Vec<u16>> {
            let row_of = |column| columns.iter().position(|&queen| queen == column).unwrap_or(found.n) as u16;
            vec![(0..found.n as u16).map(row_of).collect()]
        }
    }
    FromOne "columns from 1": "columns are counted from 1 instead of 0" {
        fn printed(_: &mut Found, columns: Vec<u16>) -> Vec<Vec<u16>> {
            vec![columns.iter().map(|column| column + 1).collect()]
        }
    }
    OneOfEight "one of eight": "only the first of the symmetric images of a solution is printed" {
        fn printed(_: &mut Found, columns: Vec<u16>) -> Vec<Vec<u16>> {
            Some(columns).filter(|columns| symmetry::is_canonical(columns)).into_iter().collect()
        }
    }
    CountsWrittenIn "hard-coded table of counts": "one solution is found, and printed as many times as a table of counts says" {
        fn printed(found: &mut Found, columns: Vec<u16>) -> Vec<Vec<u16>> {
            let times = if found.solutions == 1 { known::solutions(found.n).unwrap_or(1) } else { 0 };
            vec![columns; times as usize]
        }
    }
    RootForgotten "root not counted": "the empty board is not counted as a node: the right boards, one node too few" {
        fn counts_node(level: usize) -> bool {
            level > 0
        }
    }
    LateDeadEnds "dead ends of the last row not counted": "a dead end with only the last queen missing is not counted" {
        fn counts_dead_end(n: usize, level: usize) -> bool {
            level + 1 < n
        }
    }
}
