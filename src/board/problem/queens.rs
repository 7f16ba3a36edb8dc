//! Queens: no two queens share a row, a column or a diagonal (A000170).

use crate::board::{Square, lines};

/// The diagonals of both directions.
pub fn diagonals(n: usize) -> impl Iterator<Item = Vec<Square>> {
    lines::diagonals(n)
}
