//! Number of fundamental solutions from the number of all solutions, by rotational symmetry and Burnside's
//! lemma.
//!
//! No solution of n >= 2 is its own mirror image, so 8 F = Q + P + 2 R: Q solutions, of which P are fixed by
//! a half turn and R by a quarter turn (OEIS A000170, A032522, A033148; F is A002562). Cost: P and R are
//! searched by placing a queen together with its images; n = 18 takes milliseconds, n = 22 seconds.

/// Occupied lines: rows, columns, rising and falling diagonals. Boards up to n = 32.
#[derive(Clone, Copy, Default)]
struct Taken {
    rows: u64,
    columns: u64,
    rising: u64,
    falling: u64,
}

impl Taken {
    /// Adds a queen on each of the squares; `None` if any two queens attack each other.
    fn with(mut self, n: usize, squares: &[(usize, usize)]) -> Option<Self> {
        for &(row, column) in squares {
            let queen = Taken {
                rows: 1 << row,
                columns: 1 << column,
                rising: 1 << (row + column),
                falling: 1 << (row + n - 1 - column),
            };
            let attacked = self.rows & queen.rows | self.columns & queen.columns;
            if attacked | self.rising & queen.rising | self.falling & queen.falling != 0 {
                return None;
            }
            self.rows |= queen.rows;
            self.columns |= queen.columns;
            self.rising |= queen.rising;
            self.falling |= queen.falling;
        }
        Some(self)
    }
}

/// Maps the row and column of a square of an n by n board to all images of the square.
type Images<const IMAGES: usize> = fn(usize, usize, usize) -> [(usize, usize); IMAGES];

/// Counts boards that contain all images of each of their queens.
fn closed<const IMAGES: usize>(n: usize, images: Images<IMAGES>) -> u64 {
    fn search<const IMAGES: usize>(n: usize, images: Images<IMAGES>, taken: Taken) -> u64 {
        let row = taken.rows.trailing_ones() as usize;
        if row == n {
            return 1;
        }
        let free = (0..n).filter(|column| taken.columns >> column & 1 == 0);
        let next = free.filter_map(|column| taken.with(n, &images(n, row, column)));
        next.map(|taken| search(n, images, taken)).sum()
    }
    // Only the centre is its own image, and the middle row needs a queen.
    let centre = [(n / 2, n / 2)];
    let start = Taken::default().with(n, if n.is_multiple_of(2) { &[] } else { &centre });
    start.map_or(0, |taken| search(n, images, taken))
}

/// Number of solutions that a half turn maps to themselves (A032522), 1 <= n <= 32.
pub fn fixed_by_half_turn(n: usize) -> u64 {
    closed(n, |n, row, column| [(row, column), (n - 1 - row, n - 1 - column)])
}

/// Number of solutions that a quarter turn maps to themselves (A033148), 1 <= n <= 32.
pub fn fixed_by_quarter_turn(n: usize) -> u64 {
    closed(n, |n, row, column| {
        let (r, c) = (n - 1 - row, n - 1 - column);
        [(row, column), (column, r), (r, c), (c, row)]
    })
}

/// Number of fundamental solutions (A002562) of a board with `solutions` solutions; n <= 32. `None` if
/// `solutions` cannot be right, because the orbits would not be whole.
pub fn fundamental(n: usize, solutions: u128) -> Option<u128> {
    if n <= 1 {
        return Some(solutions);
    }
    let eight = solutions + u128::from(fixed_by_half_turn(n)) + 2 * u128::from(fixed_by_quarter_turn(n));
    eight.is_multiple_of(8).then_some(eight / 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{known, prefix::Prefix, symmetry::Symmetry};

    #[test]
    fn fixed_boards_are_those_among_all_solutions_that_a_turn_maps_to_themselves() {
        for n in 1..=10 {
            let all = Prefix::all(n, n);
            let fixed = |turn: Symmetry| {
                let image = |board: &[u16]| {
                    let mut image = vec![0; n];
                    turn.map(board, &mut image);
                    image
                };
                all.iter().filter(|board| image(board.columns()) == board.columns()).count() as u64
            };
            let [_, half, quarter, _] = Symmetry::ROTATIONS;
            assert_eq!(fixed_by_half_turn(n), fixed(half), "n = {n}");
            assert_eq!(fixed_by_quarter_turn(n), fixed(quarter), "n = {n}");
        }
    }

    #[test]
    fn fundamental_solutions_are_as_published() {
        for n in 1..=16 {
            let solutions = known::solutions(n).expect("published");
            let published = known::fundamental_solutions(n).map(u128::from);
            assert_eq!(fundamental(n, u128::from(solutions)), published, "n = {n}");
        }
        assert_eq!(fundamental(8, 91), None);
    }
}
