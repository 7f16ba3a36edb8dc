//! Rooks: no two share a row or a column. The solutions are the n! permutations (A000142).

use super::{Line, Rule};
use crate::board::lines;

/// The rows from the top and the columns from the left.
pub fn lines(n: usize) -> impl Iterator<Item = Line> {
    let squares = lines::rows(n).chain(lines::columns(n));
    squares.map(|squares| Line { rule: Rule::ExactlyOne, squares })
}
