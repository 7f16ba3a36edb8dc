//! A mutant of `backtrack/board-scan`: the squares with queens are the bits of a machine word.

use std::marker::PhantomData;

use crate::backtrack::{Cells, Visitor};

/// The line that is changed.
trait Lines: Send + Sync + 'static {
    /// The bit of a square by its number.
    fn bit(square: usize) -> u128 {
        1 << square
    }
}

struct Squares<L> {
    n: usize,
    queens: u128,
    lines: PhantomData<L>,
}

impl<L: Lines> Squares<L> {
    fn bit(&self, row: usize, column: usize) -> u128 {
        L::bit(row * self.n + column)
    }
}

impl<L: Lines> Cells for Squares<L> {
    const TIMED: bool = false;

    fn empty(n: usize) -> Self {
        Self { n, queens: 0, lines: PhantomData }
    }

    fn is_safe<V: Visitor>(&self, queens: &[u16], column: usize, _: &mut V) -> bool {
        let row = queens.len();
        !(1..=row).any(|up| {
            let columns = [Some(column), column.checked_sub(up), Some(column + up).filter(|&c| c < self.n)];
            columns.into_iter().flatten().any(|column| self.queens & self.bit(row - up, column) != 0)
        })
    }

    fn put(&mut self, row: usize, column: usize) {
        self.queens |= self.bit(row, column);
    }

    fn remove(&mut self, row: usize, column: usize) {
        self.queens &= !self.bit(row, column);
    }
}

super::mutants! { Lines, Squares, "backtrack/board-scan";
    Overflow "32-bit mask overflow": "squares are the bits of a 32-bit word, and the 33rd shares the first bit: right for n < 7" {
        fn bit(square: usize) -> u128 {
            1_u32.wrapping_shl(square as u32).into()
        }
    }
}
