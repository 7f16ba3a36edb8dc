#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! problem/       problems: variants, regions, placed and forbidden squares
//! prefix.rs      partial placements                  lines.rs       rows, columns and diagonals
//! symmetry.rs    the eight symmetries, orbits        published.rs   published counts and trees
//! open_board.rs  open squares, for searchers         error.rs       errors of sizes and problems
//! sizes.rs       lists of sizes, such as 4-12        number.rs      numbers as text
//! words.rs       a macro for enums with names
//! ```

// These lints do not apply to tests, which may convert numbers without a check and read the clock.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod error;
mod words;

pub mod lines;
pub mod number;
pub mod open_board;
pub mod prefix;
pub mod problem;
pub mod published;
pub mod sizes;
pub mod symmetry;

use std::fmt;

pub use error::{FullLine, ProblemError, SizeError};

/// The maximum number of different sizes in a list, and in a range of a list. Because one maximum applies to both, a list whose sizes are
/// printed as ranges can be read again.
pub(crate) const MAX_SIZES: usize = 10_000;

/// The maximum number of regions of a board, which are named by the letters A to Z.
pub(crate) const MAX_REGIONS: usize = 26;

/// The side length of a board: at most [`BoardSize::MAX`], or [`BoardSize::LARGEST`] for a few solvers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardSize(u32);

impl BoardSize {
    /// The side length of the largest board that most solvers support.
    pub const MAX: usize = 1024;

    /// The side length of the largest board that any solver supports.
    pub const LARGEST: usize = 10_000_000;

    /// Creates the size of a board with `n` by `n` squares.
    ///
    /// # Errors
    ///
    /// A size above [`BoardSize::MAX`].
    pub fn new(n: usize) -> Result<Self, SizeError> {
        Self::up_to(Self::MAX, n)
    }

    /// Creates a size that may exceed [`BoardSize::MAX`], for the few solvers that support larger boards.
    ///
    /// # Errors
    ///
    /// A size above [`BoardSize::LARGEST`].
    pub fn large(n: usize) -> Result<Self, SizeError> {
        Self::up_to(Self::LARGEST, n)
    }

    fn up_to(maximum: usize, n: usize) -> Result<Self, SizeError> {
        match u32::try_from(n) {
            Ok(small) if n <= maximum => Ok(Self(small)),
            _ => Err(SizeError::TooLarge { n, maximum }),
        }
    }

    /// The side length.
    pub fn get(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A square; row 0 is the top row, column 0 the left column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub column: usize,
}

impl Square {
    /// Whether queens on the two squares attack each other: same row, column or diagonal.
    pub fn attacks(self, other: Square) -> bool {
        let rows = self.row.abs_diff(other.row);
        let columns = self.column.abs_diff(other.column);
        self != other && (rows == 0 || columns == 0 || rows == columns)
    }
}

/// A placement of one queen per row, as the column of each row, from 0. A placement need not be a solution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement(Box<[u32]>);

impl Placement {
    /// The placement whose queen in row `r` is in `columns[r]`.
    pub fn new(columns: &[u32]) -> Self {
        Self(columns.into())
    }

    /// The column of each row.
    pub fn columns(&self) -> &[u32] {
        &self.0
    }

    /// The side length of the board, which is the number of rows.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// Whether this placement is a solution; see [`is_solution`].
    pub fn is_solution(&self) -> bool {
        is_solution(&self.0)
    }
}

impl fmt::Display for Placement {
    /// The columns from 0, separated by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, column) in self.0.iter().enumerate() {
            if row > 0 {
                f.write_str(" ")?;
            }
            column.fmt(f)?;
        }
        Ok(())
    }
}

/// Converts a column or a side length to the type that placements store.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "both are at most LARGEST, which is below 2^32")]
pub fn column(index: usize) -> u32 {
    debug_assert!(index <= BoardSize::LARGEST);
    index as u32
}

/// Sets `columns[row] = column` for the square of each queen; the inverse of [`squares`]. Other rows are not changed.
pub fn place(columns: &mut [u32], queens: impl IntoIterator<Item = Square>) {
    queens.into_iter().for_each(|queen| columns[queen.row] = column(queen.column));
}

/// The squares of a placement's queens, top row first.
pub fn squares(columns: &[u32]) -> impl Iterator<Item = Square> + Clone + '_ {
    columns.iter().enumerate().map(|(row, &column)| Square { row, column: column as usize })
}

/// Whether all queens are on the board and no two of them attack each other.
///
/// `columns[r]` is the column of the queen in row `r`. Up to [`BoardSize::MAX`], the function checks each pair of queens, which takes
/// O(n^2) time. On larger boards, it checks in O(n) time that no two queens share a column or a diagonal. The function shares no code
/// with any solver, because it is used to judge solvers.
pub fn is_solution(columns: &[u32]) -> bool {
    let n = columns.len();
    if n > BoardSize::MAX {
        return share_no_line(columns);
    }
    columns.iter().all(|&column| (column as usize) < n) && first_attack(columns).is_none()
}

/// Whether all queens are on the board and no two share a column or a diagonal, in O(n).
fn share_no_line(columns: &[u32]) -> bool {
    let n = columns.len();
    let mut lines = [vec![false; n], vec![false; 2 * n], vec![false; 2 * n]];
    columns.iter().enumerate().all(|(row, &column)| {
        let column = column as usize;
        let is_first = |(lines, index): (&mut Vec<bool>, usize)| !std::mem::replace(&mut lines[index], true);
        column < n && lines.iter_mut().zip([column, row + column, n + column - row]).all(is_first)
    })
}

/// The first pair of queens that attack each other, ordered by row.
pub fn first_attack(columns: &[u32]) -> Option<(Square, Square)> {
    squares(columns).enumerate().find_map(|(row, lower)| {
        squares(&columns[..row]).find(|upper| upper.attacks(lower)).map(|upper| (upper, lower))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_board_is_a_solution() {
        assert!(is_solution(&[]));
    }

    #[test]
    fn board_of_4_has_exactly_two_solutions() {
        let mut solutions = Vec::new();
        for code in 0..256_u32 {
            let columns = [code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3];
            if is_solution(&columns) {
                solutions.push(columns);
            }
        }
        assert_eq!(solutions, [[1, 3, 0, 2], [2, 0, 3, 1]]);
    }

    #[test]
    fn queen_outside_the_board_is_not_a_solution() {
        assert!(!is_solution(&[1]));
        assert!(!is_solution(&[1, 3, 0, 7]));
    }

    #[test]
    fn placement_has_the_given_columns() {
        let placement = Placement::new(&[1, 3, 0, 2]);
        assert_eq!((placement.columns(), placement.size()), (&[1, 3, 0, 2][..], 4));
        assert_eq!(placement.to_string(), "1 3 0 2");
        assert!(placement.is_solution() && !Placement::new(&[0, 1]).is_solution());
    }

    #[test]
    fn first_attack_has_the_squares_of_both_queens() {
        let attack = first_attack(&[0, 2, 3, 1]);
        assert_eq!(attack, Some((Square { row: 1, column: 2 }, Square { row: 2, column: 3 })));
    }

    #[test]
    fn board_size_above_the_documented_maximum_is_refused() {
        assert_eq!(BoardSize::new(1024).map(BoardSize::get), Ok(1024));
        assert_eq!(BoardSize::new(1025), Err(SizeError::TooLarge { n: 1025, maximum: 1024 }));
        assert_eq!(BoardSize::large(1_000_000).map(BoardSize::get), Ok(1_000_000));
        for n in [BoardSize::LARGEST + 1, usize::MAX] {
            assert_eq!(BoardSize::large(n), Err(SizeError::TooLarge { n, maximum: BoardSize::LARGEST }));
        }
    }

    #[test]
    fn linear_time_check_agrees_with_the_definition() {
        for n in 0..=5_usize {
            for code in 0..(n + 1).pow(n as u32) {
                let columns: Vec<u32> =
                    (0..n).map(|row| (code / (n + 1).pow(row as u32) % (n + 1)) as u32).collect();
                assert_eq!(share_no_line(&columns), is_solution(&columns), "{columns:?}");
            }
        }
    }
}
