//! Queens: no two queens share a row, a column or a diagonal (A000170).

use crate::board::{Square, lines};

/// The diagonals of both directions.
pub fn diagonals(n: usize) -> Vec<Vec<Square>> {
    lines::diagonals(n).collect()
}
