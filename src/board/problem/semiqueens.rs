//! Semiqueens: no two queens share a row, a column or a rising diagonal (A099152).

use crate::board::{Square, lines};

/// The rising diagonals.
pub fn diagonals(n: usize) -> impl Iterator<Item = Vec<Square>> {
    lines::rising_diagonals(n)
}

/// Row + column is the same.
pub fn attacks(a: Square, b: Square) -> bool {
    a.row + a.column == b.row + b.column
}
