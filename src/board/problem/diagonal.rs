//! Diagonals by name: `s5` has the squares with row + column = 5, `d-3` those with row - column = -3.

use std::fmt;
use std::str::FromStr;

use crate::board::Square;

/// A diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Diagonal {
    /// A rising diagonal: row + column is this number.
    Sum(u16),
    /// A falling diagonal: row - column is this number.
    Difference(i16),
}

impl Diagonal {
    /// Its squares on an `n` by `n` board, from the top.
    pub fn squares(self, n: usize) -> impl Iterator<Item = Square> {
        let column = move |row: usize| match self {
            Diagonal::Sum(sum) => usize::from(sum).checked_sub(row),
            Diagonal::Difference(difference) => row.checked_add_signed(-isize::from(difference)),
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

impl FromStr for Diagonal {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let sum = word.strip_prefix('s').and_then(|number| number.parse().ok().map(Diagonal::Sum));
        let difference = || word.strip_prefix('d').and_then(|number| number.parse().ok());
        sum.or_else(|| difference().map(Diagonal::Difference)).ok_or_else(|| {
            format!(
                "'{word}' is not a diagonal: write sK for the squares with row + column = K, or dK for those with \
                 row - column = K"
            )
        })
    }
}
