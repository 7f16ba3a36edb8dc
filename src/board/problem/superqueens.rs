//! Superqueens, also called amazons: no two queens share a row, a column or a diagonal, or are a knight's move
//! apart (A051223).

use crate::board::{Square, lines};

/// The diagonals, and each pair of squares a knight's move apart.
pub fn lines(n: usize) -> impl Iterator<Item = Vec<Square>> {
    let step = move |square: Square, down: usize, right: isize| {
        let column = square.column.checked_add_signed(right).filter(|&column| column < n)?;
        Some(Square { row: square.row + down, column }).filter(|square| square.row < n)
    };
    let pairs = lines::rows(n).flatten().flat_map(move |square| {
        let moves = [(1, -2), (1, 2), (2, -1), (2, 1)];
        moves.into_iter().filter_map(move |(down, right)| Some(vec![square, step(square, down, right)?]))
    });
    lines::diagonals(n).chain(pairs)
}

/// A queen's or a knight's move apart.
pub fn attacks(a: Square, b: Square) -> bool {
    let distances = (a.row.abs_diff(b.row), a.column.abs_diff(b.column));
    a.attacks(b) || matches!(distances, (1, 2) | (2, 1))
}
