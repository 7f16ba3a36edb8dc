//! Toroidal queens, also called modular queens: a diagonal that leaves the board continues on the opposite side
//! (A051906).

use crate::board::Square;

/// The `n` falling and the `n` rising diagonals, each of `n` squares.
pub fn diagonals(n: usize) -> impl Iterator<Item = Vec<Square>> {
    let squares = move |column: &dyn Fn(usize) -> usize| -> Vec<Square> {
        (0..n).map(|row| Square { row, column: column(row) % n }).collect()
    };
    let falling = (0..n).map(move |start| squares(&|row| start + row));
    let rising = (0..n).map(move |start| squares(&|row| start + n - row));
    falling.chain(rising)
}

/// The distance in rows equals the distance in columns modulo n, in one direction or the other.
pub fn attacks(n: usize, a: Square, b: Square) -> bool {
    let n = n as isize;
    let rows = a.row as isize - b.row as isize;
    let columns = a.column as isize - b.column as isize;
    (rows - columns).rem_euclid(n) == 0 || (rows + columns).rem_euclid(n) == 0
}
