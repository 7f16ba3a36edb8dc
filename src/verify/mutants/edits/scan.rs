//! Mutants of `backtrack/column-scan`: each queen is compared with every earlier one.

use std::marker::PhantomData;

use crate::backtrack::{Cells, Visitor};

/// The lines that are changed.
trait Lines: Send + Sync + 'static {
    /// Whether queens in two columns, `rows` rows apart, attack each other.
    fn attack(_n: usize, column: usize, other: usize, rows: usize) -> bool {
        column == other || column.abs_diff(other) == rows
    }

    /// Whether a queen can be placed in this column of the next row.
    fn is_safe(n: usize, queens: &[u16], column: usize) -> bool {
        let row = queens.len();
        (0..row).all(|above| !Self::attack(n, column, queens[above].into(), row - above))
    }
}

struct Scan<L> {
    n: usize,
    lines: PhantomData<L>,
}

impl<L: Lines> Cells for Scan<L> {
    const TIMED: bool = false;

    fn empty(n: usize) -> Self {
        Self { n, lines: PhantomData }
    }

    fn is_safe<V: Visitor>(&self, queens: &[u16], column: usize, _: &mut V) -> bool {
        L::is_safe(self.n, queens, column)
    }

    fn put(&mut self, _: usize, _: usize) {}

    fn remove(&mut self, _: usize, _: usize) {}
}

/// Whether a whole board has no attack; used by the mutants that test late.
fn is_whole(n: usize, queens: &[u16], column: usize, attack: fn(usize, usize, usize) -> bool) -> bool {
    let board: Vec<usize> = queens.iter().map(|&queen| queen.into()).chain([column]).collect();
    let lets_be = |row: usize| (0..row).all(|above| !attack(board[row], board[above], row - above));
    board.len() < n || (0..n).all(lets_be)
}

super::mutants! { Lines, Scan, "backtrack/column-scan";
    FallingUnchecked "falling diagonal not checked": "queens on the same falling diagonal are accepted" {
        fn attack(_: usize, column: usize, other: usize, rows: usize) -> bool {
            column == other || column + rows == other
        }
    }
    RisingUnchecked "rising diagonal not checked": "queens on the same rising diagonal are accepted" {
        fn attack(_: usize, column: usize, other: usize, rows: usize) -> bool {
            column == other || other + rows == column
        }
    }
    ColumnUnchecked "column not checked": "queens in the same column are accepted" {
        fn attack(_: usize, column: usize, other: usize, rows: usize) -> bool {
            column.abs_diff(other) == rows
        }
    }
    FarDiagonal "far diagonal off by one": "diagonals are checked over n - 2 squares instead of n - 1" {
        fn attack(n: usize, column: usize, other: usize, rows: usize) -> bool {
            column == other || column.abs_diff(other) == rows && rows + 1 < n
        }
    }
    NeighbourUnchecked "row above not compared": "a queen is compared with all earlier ones except the last" {
        fn is_safe(n: usize, queens: &[u16], column: usize) -> bool {
            let row = queens.len();
            (1..row).all(|above| !Self::attack(n, column, queens[above - 1].into(), row - above + 1))
        }
    }
    FirstUnchecked "first queen not compared": "the loop over the earlier queens starts at the second one" {
        fn is_safe(n: usize, queens: &[u16], column: usize) -> bool {
            let row = queens.len();
            (1..row).all(|above| !Self::attack(n, column, queens[above].into(), row - above))
        }
    }
    ShortMemory "six rows back at most": "a queen is compared only with the six before it: right for n < 8" {
        fn attack(_: usize, column: usize, other: usize, rows: usize) -> bool {
            rows <= 6 && (column == other || column.abs_diff(other) == rows)
        }
    }
    DiagonalsLate "diagonals tested on the whole board": "the search continues below placements with attacks: the right boards, from a larger tree" {
        fn is_safe(n: usize, queens: &[u16], column: usize) -> bool {
            !queens.iter().any(|&other| usize::from(other) == column)
                && is_whole(n, queens, column, |column, other, rows| column.abs_diff(other) == rows)
        }
    }
    RisingLate "one diagonal tested on the whole board": "rising diagonals are tested only when all queens are placed" {
        fn is_safe(n: usize, queens: &[u16], column: usize) -> bool {
            let row = queens.len();
            let attack = |above: usize| {
                let other = usize::from(queens[above]);
                column == other || other + row - above == column
            };
            !(0..row).any(attack) && is_whole(n, queens, column, |column, other, rows| column + rows == other)
        }
    }
}
