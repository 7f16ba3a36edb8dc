//! The diagonals of a board.

use std::fmt;

use crate::Square;

/// A diagonal: `s5` has the squares with row + column = 5, and `d-3` has the squares with row - column = -3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Diagonal {
    /// A rising diagonal: row + column is this number.
    Sum(u32),
    /// A falling diagonal: row - column is this number.
    Difference(i32),
}

impl Diagonal {
    /// The squares of the diagonal on an `n` by `n` board, from top to bottom.
    pub fn squares(self, n: usize) -> impl Iterator<Item = Square> {
        let column = move |row: usize| match self {
            Diagonal::Sum(sum) => (sum as usize).checked_sub(row),
            Diagonal::Difference(difference) => row.checked_add_signed(-(difference as isize)),
        };
        (0..n).filter_map(move |row| Some(Square { row, column: column(row).filter(|&column| column < n)? }))
    }
}

impl fmt::Display for Diagonal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Diagonal::Sum(sum) => write!(f, "s{sum}"),
            Diagonal::Difference(difference) => write!(f, "d{difference}"),
        }
    }
}
