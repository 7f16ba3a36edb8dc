//! Mutants of `backtrack/bitmask`: three masks, shifted by one square per row.

use std::marker::PhantomData;

use crate::backtrack::{Flow, Search, Visitor};

/// The lines that are changed.
trait Lines: Send + Sync + 'static {
    /// The columns of the board.
    fn full(n: usize) -> u32 {
        u32::MAX >> (32 - n)
    }

    /// The free squares of a row.
    fn free(n: usize, _row: usize, [columns, falling, rising]: [u32; 3]) -> u32 {
        Self::full(n) & !(columns | falling | rising)
    }

    /// The queen that is tried next.
    fn next(free: u32) -> u32 {
        free & free.wrapping_neg()
    }

    /// The falling diagonals in the next row.
    fn falling(_n: usize, falling: u32) -> u32 {
        falling << 1
    }

    /// The rising diagonals in the next row.
    fn rising(rising: u32) -> u32 {
        rising >> 1
    }
}

struct Masks<L>(PhantomData<L>);

struct Board<'v, V, L> {
    n: usize,
    queens: Vec<u16>,
    visitor: &'v mut V,
    lines: PhantomData<L>,
}

impl<L: Lines> Search for Masks<L> {
    const TIMED: bool = false;

    fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow {
        Board::<V, L> { n, queens: vec![0; n], visitor, lines: PhantomData }.place(0, [0; 3])
    }
}

impl<V: Visitor, L: Lines> Board<'_, V, L> {
    fn place(&mut self, row: usize, occupied: [u32; 3]) -> Flow {
        self.visitor.node(row)?;
        if row == self.n {
            return self.visitor.solution(&self.queens);
        }
        let mut free = L::free(self.n, row, occupied);
        if free == 0 {
            self.visitor.dead_end(row);
        }
        while free != 0 {
            let queen = L::next(free);
            free ^= queen;
            let column = queen.trailing_zeros();
            self.queens[row] = column as u16;
            self.visitor.enter(row, column as usize);
            let [columns, falling, rising] = occupied.map(|mask| mask | queen);
            self.place(row + 1, [columns, L::falling(self.n, falling), L::rising(rising)])?;
        }
        self.visitor.leave(row);
        Flow::Continue(())
    }
}

super::mutants! { Lines, Masks, "backtrack/bitmask";
    FirstColumn "first column skipped": "the loop over the columns starts at the second one" {
        fn free(n: usize, _: usize, [columns, falling, rising]: [u32; 3]) -> u32 {
            Self::full(n) & !1 & !(columns | falling | rising)
        }
    }
    FirstCorner "first corner skipped": "the first queen never stands in the first column: right for n = 2, 3, 4 and 6" {
        fn free(n: usize, row: usize, [columns, falling, rising]: [u32; 3]) -> u32 {
            let skipped = if row == 0 { 1 } else { 0 };
            Self::full(n) & !skipped & !(columns | falling | rising)
        }
    }
    LastColumn "last column skipped": "the mask of the board is one bit short" {
        fn full(n: usize) -> u32 {
            u32::MAX >> (32 - n) >> 1
        }
    }
    SixColumns "mask of six columns": "columns from the 7th on are cut off: right for n < 7" {
        fn full(n: usize) -> u32 {
            u32::MAX >> (32 - n) & 0x3f
        }
    }
    FourWrittenIn "n = 4 written in": "the answer for n = 4 is hard-coded, as one board" {
        fn free(n: usize, row: usize, [columns, falling, rising]: [u32; 3]) -> u32 {
            let first = if n == 4 && row == 0 { 0b0010 } else { Self::full(n) };
            first & !(columns | falling | rising)
        }
    }
    WrongWay "rising diagonals shifted the wrong way": "both kinds of diagonals are shifted right" {
        fn rising(rising: u32) -> u32 {
            rising << 1
        }
    }
    NoShift "falling diagonals not shifted": "the falling diagonal of a queen stays in its column" {
        fn falling(_: usize, falling: u32) -> u32 {
            falling
        }
    }
    ComesBack "diagonal that comes back": "a falling diagonal that leaves the board is rotated in at the other side" {
        fn falling(n: usize, falling: u32) -> u32 {
            falling << 1 | falling >> (n - 1) & 1
        }
    }
    RowParity "row parity slip": "even rows from the 7th on ignore rising diagonals: right for n < 7" {
        fn free(n: usize, row: usize, [columns, falling, rising]: [u32; 3]) -> u32 {
            let rising = if row >= 6 && row.is_multiple_of(2) { 0 } else { rising };
            Self::full(n) & !(columns | falling | rising)
        }
    }
    RightToLeft "right to left": "the highest free column is tried first: the right boards, in another order than claimed" {
        fn next(free: u32) -> u32 {
            1 << (31 - free.leading_zeros())
        }
    }
}
