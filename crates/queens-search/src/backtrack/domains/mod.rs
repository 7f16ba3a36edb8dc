//! What is left for each row: the columns that no placed queen attacks. The searchers that look ahead share it.
//!
//! [`Masks`] is for boards up to 64, [`Lines`] for larger ones.

mod lines;
mod masks;

pub use lines::Lines;
pub use masks::{Masks, Members};
use queens_board::problem::Problem;

/// The domains of the rows of a problem.
pub trait Domains {
    /// The columns of a row.
    type Columns: Iterator<Item = usize>;

    /// The squares that may hold a queen.
    fn of(problem: &Problem) -> Self;

    /// The number of columns left for a row.
    fn size(&self, row: usize) -> usize;

    /// The columns left for a row, ascending, whatever is removed or put back meanwhile.
    fn columns(&self, row: usize) -> Self::Columns;

    /// Puts a queen on a square and removes the squares that it attacks; its own row keeps this square only. Whether
    /// every row has a column left.
    fn place(&mut self, row: usize, column: usize) -> bool;

    /// Takes back the last queen, and everything removed since.
    fn undo(&mut self);

    /// Calls `visit` with each row that has lost columns since the last queen was put down, possibly more than once.
    fn for_each_reduced_row(&self, visit: impl FnMut(usize));

    /// Removes the squares that every column left for `row` attacks.
    fn support(&mut self, row: usize) -> Change;

    /// A row with more columns left than this attacks no square with all of them.
    fn most_support(&self) -> usize;

    /// The number of squares that a queen would remove from other rows, up to a constant for each row.
    fn removed_by(&self, row: usize, column: usize) -> usize;
}

/// The effect of [`Domains::support`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// No square was removed.
    Nothing,
    /// Squares were removed.
    Smaller,
    /// A row has no column left.
    Wiped,
}

/// The first row without a column, among the rows from which a queen has just removed columns.
pub fn first_wiped(domains: &impl Domains, mut rows: impl Iterator<Item = usize>) -> Option<usize> {
    rows.find(|&row| domains.size(row) == 0)
}

#[cfg(test)]
mod tests;
