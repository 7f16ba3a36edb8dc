//! Mutants of `backtrack/bitmask`: three masks, shifted by one square per row.

use super::{Mutant, Names, edits, mutant};
use crate::backtrack::{Flow, Visitor};
use crate::board;

/// The lines that are changed.
#[derive(Clone, Copy)]
struct Lines {
    /// The columns of the board.
    full: fn(n: usize) -> u32,
    /// The squares of a row that may be tried, whether free or not.
    tried: fn(n: usize, row: usize) -> u32,
    /// The queen that is tried next.
    next: fn(free: u32) -> u32,
    /// The rising diagonals that are tested in a row.
    tested: fn(row: usize, rising: u32) -> u32,
    /// The falling diagonals in the next row.
    falling: fn(n: usize, falling: u32) -> u32,
    /// The rising diagonals in the next row.
    rising: fn(rising: u32) -> u32,
    /// Whether solutions below these queens are ignored.
    ignores: fn(n: usize, queens: &[u16]) -> bool,
}

const RIGHT: Lines = Lines {
    full: |n| u32::MAX >> (32 - n),
    tried: |_, _| u32::MAX,
    next: |free| free & free.wrapping_neg(),
    tested: |_, rising| rising,
    falling: |_, falling| falling << 1,
    rising: |rising| rising >> 1,
    ignores: |_, _| false,
};

impl Lines {
    fn search(
        &self,
        n: usize,
        queens: &mut Vec<u16>,
        [columns, falling, rising]: [u32; 3],
        visitor: &mut dyn Visitor,
    ) -> Flow {
        let row = queens.len();
        visitor.node(row)?;
        if row == n {
            return visitor.solution(queens);
        }
        let occupied = columns | falling | (self.tested)(row, rising);
        let mut free = (self.full)(n) & (self.tried)(n, row) & !occupied;
        if free == 0 {
            visitor.dead_end(row);
        }
        while free != 0 {
            let queen = (self.next)(free);
            free ^= queen;
            let column = queen.trailing_zeros() as usize;
            queens.push(board::column(column));
            let below = [columns | queen, (self.falling)(n, falling | queen), (self.rising)(rising | queen)];
            if (self.ignores)(n, queens) {
                self.search(n, queens, below, &mut Muted(visitor))?;
            } else {
                visitor.enter(row, column);
                self.search(n, queens, below, visitor)?;
            }
            queens.pop();
        }
        visitor.leave(row);
        Flow::Continue(())
    }
}

/// Reports nodes and dead ends only.
struct Muted<'v>(&'v mut dyn Visitor);

impl Visitor for Muted<'_> {
    fn node(&mut self, level: usize) -> Flow {
        self.0.node(level)
    }

    fn dead_end(&mut self, level: usize) {
        self.0.dead_end(level);
    }

    fn solution(&mut self, _: &[u16]) -> Flow {
        Flow::Continue(())
    }
}

fn masks(names: Names, lines: Lines) -> Mutant {
    mutant("backtrack/bitmask", names, move |n, visitor| lines.search(n, &mut Vec::new(), [0; 3], visitor))
}

#[cfg(test)]
pub fn unchanged() -> Mutant {
    masks(("bitmask, unchanged", "nothing"), RIGHT)
}

pub fn all() -> Vec<Mutant> {
    edits! { masks, Lines, RIGHT;
        "first column skipped": "the loop over the columns starts at the second one" {
            tried: |_, _| !1
        }
        "first corner skipped":
            "the first queen never stands in the first column: right for n = 2, 3, 4 and 6" {
            tried: |_, row| if row == 0 { !1 } else { !0 }
        }
        "last column skipped": "the mask of the board is one bit short" {
            full: |n| u32::MAX >> (32 - n) >> 1
        }
        "mask of six columns": "columns from the 7th on are cut off: right for n < 7" {
            full: |n| u32::MAX >> (32 - n) & 0x3f
        }
        "n = 4 written in": "the answer for n = 4 is hard-coded, as one board" {
            tried: |n, row| if n == 4 && row == 0 { 0b0010 } else { !0 }
        }
        "rising diagonals shifted the wrong way": "both kinds of diagonals are shifted right" {
            rising: |rising| rising << 1
        }
        "falling diagonals not shifted": "the falling diagonal of a queen stays in its column" {
            falling: |_, falling| falling
        }
        "diagonal that comes back": "a falling diagonal that leaves the board is rotated in at the other side" {
            falling: |n, falling| falling << 1 | falling >> (n - 1) & 1
        }
        "row parity slip": "even rows from the 7th on ignore rising diagonals: right for n < 7" {
            tested: |row, rising| if row >= 6 && row.is_multiple_of(2) { 0 } else { rising }
        }
        "right to left":
            "the highest free column is tried first: the right boards, in another order than claimed" {
            next: |free| 1 << (31 - free.leading_zeros())
        }
    }
}

/// Only a proof shows this fault for n < 10.
pub fn rule() -> Vec<Mutant> {
    edits! { masks, Lines, RIGHT;
        "a rule that holds for n < 10":
            "a rule says that no solution has a queen in the first corner and the next one at the far edge: \
             nodes are counted there, but solutions ignored" {
            ignores: |n, queens| queens == [0, board::column(n) - 1]
        }
    }
}
