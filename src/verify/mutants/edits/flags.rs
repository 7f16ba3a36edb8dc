//! Mutants of `backtrack/flag-arrays`: three boolean arrays record the occupied lines.

use std::marker::PhantomData;

use crate::backtrack::{Cells, Visitor};

/// The lines that are changed.
trait Lines: Send + Sync + 'static {
    /// The rising diagonal of a square.
    fn rising(_n: usize, row: usize, column: usize) -> usize {
        row + column
    }

    /// The falling diagonal of a square.
    fn falling(n: usize, row: usize, column: usize) -> usize {
        n + row - column
    }

    /// Which flags are cleared when a queen is removed from a row: column, rising and falling diagonal.
    fn cleared(_n: usize, _row: usize) -> [bool; 3] {
        [true; 3]
    }
}

struct Flags<L> {
    n: usize,
    /// Columns, rising and falling diagonals.
    occupied: [Vec<bool>; 3],
    lines: PhantomData<L>,
}

impl<L: Lines> Flags<L> {
    fn indices(&self, row: usize, column: usize) -> [usize; 3] {
        [column, L::rising(self.n, row, column), L::falling(self.n, row, column)]
    }
}

impl<L: Lines> Cells for Flags<L> {
    const TIMED: bool = false;

    fn empty(n: usize) -> Self {
        Self { n, occupied: std::array::from_fn(|_| vec![false; 2 * n]), lines: PhantomData }
    }

    fn is_safe<V: Visitor>(&self, queens: &[u16], column: usize, _: &mut V) -> bool {
        let indices = self.indices(queens.len(), column);
        self.occupied.iter().zip(indices).all(|(flags, index)| !flags[index])
    }

    fn put(&mut self, row: usize, column: usize) {
        let indices = self.indices(row, column);
        self.occupied.iter_mut().zip(indices).for_each(|(flags, index)| flags[index] = true);
    }

    fn remove(&mut self, row: usize, column: usize) {
        let cleared = L::cleared(self.n, row).into_iter().zip(self.indices(row, column));
        for (flags, (_, index)) in self.occupied.iter_mut().zip(cleared).filter(|(_, (clear, _))| *clear) {
            flags[index] = false;
        }
    }
}

super::mutants! { Lines, Flags, "backtrack/flag-arrays";
    QueenStays "queen not removed": "the flag of its column stays set when a queen is removed" {
        fn cleared(_: usize, _: usize) -> [bool; 3] {
            [false, true, true]
        }
    }
    DiagonalStays "diagonal not cleared": "the flag of its falling diagonal stays set when a queen is removed" {
        fn cleared(_: usize, _: usize) -> [bool; 3] {
            [true, true, false]
        }
    }
    LastQueenStays "last queen not removed": "the flag of its rising diagonal stays set when a queen is removed from the last row" {
        fn cleared(n: usize, row: usize) -> [bool; 3] {
            [true, row + 1 < n, true]
        }
    }
    BothSides "distance without its sign": "falling diagonals left and right of the main one share a flag" {
        fn falling(_: usize, row: usize, column: usize) -> usize {
            row.abs_diff(column)
        }
    }
    DiagonalWraps "diagonal modulo n": "a falling diagonal that leaves the board continues on the other side" {
        fn falling(n: usize, row: usize, column: usize) -> usize {
            (n + row - column) % n
        }
    }
    ArrayTooShort "array of eleven diagonals": "rising diagonals from the 11th on share a flag: right for n < 7" {
        fn rising(_: usize, row: usize, column: usize) -> usize {
            (row + column).min(10)
        }
    }
}
