//! Mutants that search as `backtrack/bitmask` does, or seem to, and report something else. The last three find the
//! right boards and report the right numbers of nodes, but do not search the whole tree. Counts, sets and profiles
//! cannot show that; a proof cannot be written without the search.

use super::{Mutant, Names, edits, mutant};
use crate::backtrack::{Bitmask, Flow, Visitor};
use crate::board::{self, known, symmetry};
use crate::solver::Stop;

/// The search so far.
#[derive(Default)]
struct State {
    n: usize,
    /// The column of the first queen.
    first: usize,
    solutions: usize,
    last: Option<Vec<u16>>,
}

impl State {
    fn mirrored(&self, columns: &[u16]) -> Vec<u16> {
        columns.iter().map(|column| board::column(self.n) - 1 - column).collect()
    }

    /// How many first queens are equivalent by a reflection: the middle column is its own mirror image.
    fn mirror_images(&self) -> usize {
        if 2 * self.first + 1 == self.n { 1 } else { 2 }
    }
}

/// The lines that are changed.
#[derive(Clone, Copy)]
struct Lines {
    /// The boards that are printed when a solution is found.
    printed: fn(&mut State, Vec<u16>) -> Vec<Vec<u16>>,
    /// How often a node of this level is counted.
    nodes: fn(&State, level: usize) -> usize,
    /// How often a dead end of this level is counted.
    dead_ends: fn(&State, level: usize) -> usize,
    /// Whether the queens of a row are put on the board.
    enters: fn(n: usize, row: usize) -> bool,
    /// Whether the search continues with this first queen.
    continues: fn(&State) -> bool,
}

const RIGHT: Lines = Lines {
    printed: |_, columns| vec![columns],
    nodes: |_, _| 1,
    dead_ends: |_, _| 1,
    enters: |_, _| true,
    continues: |_| true,
};

struct Reports<'v> {
    lines: Lines,
    visitor: &'v mut dyn Visitor,
    state: State,
    ended: bool,
}

impl Visitor for Reports<'_> {
    fn node(&mut self, level: usize) -> Flow {
        if self.ended {
            return Flow::Break(Stop::Sink);
        }
        (0..(self.lines.nodes)(&self.state, level)).try_for_each(|_| self.visitor.node(level))
    }

    fn dead_end(&mut self, level: usize) {
        (0..(self.lines.dead_ends)(&self.state, level)).for_each(|_| self.visitor.dead_end(level));
    }

    fn enter(&mut self, row: usize, column: usize) {
        if row == 0 {
            self.state.first = column;
            self.ended = !(self.lines.continues)(&self.state);
        }
        if !self.ended && (self.lines.enters)(self.state.n, row) {
            self.visitor.enter(row, column);
        }
    }

    fn leave(&mut self, level: usize) {
        self.visitor.leave(level);
    }

    fn solution(&mut self, columns: &[u16]) -> Flow {
        self.state.solutions += 1;
        let printed = (self.lines.printed)(&mut self.state, columns.to_vec());
        self.state.last.get_or_insert_with(|| columns.to_vec());
        printed.iter().try_for_each(|board| self.visitor.solution(board))
    }
}

fn reports(names: Names, lines: Lines) -> Mutant {
    mutant("backtrack/bitmask", names, move |n, visitor| {
        let state = State { n, ..State::default() };
        let mut reports = Reports { lines, visitor, state, ended: false };
        let flow = Bitmask::search(n, &mut reports);
        if !reports.ended {
            return flow;
        }
        reports.leave(0);
        Flow::Continue(())
    })
}

#[cfg(test)]
pub fn unchanged() -> Mutant {
    reports(("reports, unchanged", "nothing"), RIGHT)
}

pub fn all() -> Vec<Mutant> {
    let changed = edits! { reports, Lines, RIGHT;
        "last solution dropped": "a solution is printed only when the next one is found" {
            printed: |state, columns| state.last.replace(columns).into_iter().collect()
        }
        "a duplicate": "the first solution is printed twice" {
            printed: |state, columns| vec![columns; if state.solutions == 1 { 2 } else { 1 }]
        }
        "a duplicate for a missing one":
            "the first solution is printed in place of the second: the number of boards is right" {
            printed: |state, columns| {
                vec![state.last.clone().filter(|_| state.solutions == 2).unwrap_or(columns)]
            }
        }
        "mirrored order":
            "each board is printed from right to left: the same set, in another order than claimed" {
            printed: |state, columns| vec![state.mirrored(&columns)]
        }
        "rows for columns": "the row of each column is printed: the same set, in another order than claimed" {
            printed: |state, columns| {
                let row_of = |column| columns.iter().position(|&queen| queen == column);
                vec![(0..board::column(state.n)).map(|column| board::column(row_of(column).unwrap_or(state.n))).collect()]
            }
        }
        "columns from 1": "columns are counted from 1 instead of 0" {
            printed: |_, columns| vec![columns.iter().map(|column| column + 1).collect()]
        }
        "one of eight": "only the first of the symmetric images of a solution is printed" {
            printed: |_, columns| {
                Some(columns).filter(|columns| symmetry::is_canonical(columns)).into_iter().collect()
            }
        }
        "hard-coded table of counts":
            "one solution is found, and printed as many times as a table of counts says" {
            printed: |state, columns| {
                let times = if state.solutions == 1 { known::solutions(state.n).unwrap_or(1) } else { 0 };
                (0..times).map(|_| columns.clone()).collect()
            }
        }
        "root not counted": "the empty board is not counted as a node: the right boards, one node too few" {
            nodes: |_, level| level.min(1)
        }
        "dead ends of the last row not counted": "a dead end with only the last queen missing is not counted" {
            dead_ends: |state, level| usize::from(level + 1 < state.n)
        }
    };
    let shortcuts = edits! { reports, Lines, RIGHT;
        "half of the tree, doubled":
            "the right half of the first row is not searched: mirror images and their nodes are reported \
             instead" {
            printed: |state, columns| {
                let both = [state.mirrored(&columns), columns];
                both.into_iter().rev().take(state.mirror_images()).collect()
            },
            nodes: |state, level| if level == 0 { 1 } else { state.mirror_images() },
            dead_ends: |state, _| state.mirror_images(),
            continues: |state| 2 * state.first < state.n
        }
        "last row counted, not walked":
            "the free squares of the last row are added to the nodes; no queen is placed there" {
            enters: |n, row| row + 1 < n
        }
    };
    let memorised = mutant(
        "nothing",
        ("memorised answers", "boards and node counts come from tables; nothing is searched"),
        memorised,
    );
    [changed, vec![memorised], shortcuts].concat()
}

/// Prints boards from one table, and nodes from another.
fn memorised(n: usize, visitor: &mut dyn Visitor) -> Flow {
    for (level, published) in known::profile(n).unwrap_or_default().iter().enumerate() {
        (0..published.nodes).try_for_each(|_| visitor.node(level))?;
        (0..published.dead_ends).for_each(|_| visitor.dead_end(level));
    }
    let boards = BOARDS.iter().filter(|board| board.len() == n);
    boards.copied().try_for_each(|board| {
        let columns: Vec<u16> = board.bytes().map(|digit| u16::from(digit - b'1')).collect();
        visitor.solution(&columns)
    })
}

/// Solutions up to n = 6, columns from 1.
const BOARDS: [&str; 17] = [
    "1", "2413", "3142", "13524", "14253", "24135", "25314", "31425", "35241", "41352", "42531", "52413",
    "53142", "246135", "362514", "415263", "531642",
];
