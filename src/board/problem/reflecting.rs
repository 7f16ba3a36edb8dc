//! Reflecting queens: above the top row lies a mirror, one row high. A diagonal that reaches the mirror comes back
//! from the same square of it on the other diagonal. No two queens share a row, a column, a diagonal or a
//! reflected diagonal (A007631; Klarner, Amer. Math. Monthly 74, 1967).

use std::collections::BTreeMap;

use crate::board::Square;

/// The square of the mirror that a queen's rising diagonal reaches, counted in columns of the board, and the one
/// that its falling diagonal reaches. Squares of the mirror exist only for columns `0..n`.
fn ends(square: Square) -> [isize; 2] {
    let (row, column) = (square.row as isize, square.column as isize);
    [column + row + 1, column - row - 1]
}

/// All diagonals; the two that meet in a square of the mirror are one line.
pub fn diagonals(n: usize) -> impl Iterator<Item = Vec<Square>> {
    let mut lines: BTreeMap<isize, Vec<Square>> = BTreeMap::new();
    for square in crate::board::lines::rows(n).flatten() {
        ends(square).into_iter().for_each(|end| lines.entry(end).or_default().push(square));
    }
    lines.into_values()
}

/// A diagonal of one queen ends where one of the other's ends.
pub fn attacks(a: Square, b: Square) -> bool {
    ends(a).iter().any(|end| ends(b).contains(end))
}
