//! The bound from sums of diagonals; the parent module derives it.
//! Coordinates of diagonals are doubled, so that a centre may be half a diagonal.

use super::Level;
use crate::board::Square;

/// The number of queens to come, and sums over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sums {
    queens: i32,
    /// Of `column - row`.
    falling: i32,
    /// Of `row + column`.
    rising: i32,
    /// Of the squares of both.
    squares: i32,
}

/// A coordinate of a board of at most 64 rows.
fn small(number: usize) -> i32 {
    i32::try_from(number).expect("at most 64 rows")
}

fn squared(number: i32) -> i32 {
    number * number
}

impl Sums {
    /// Over the queens of every solution.
    pub fn of_empty(n: usize) -> Self {
        let n = small(n);
        // Each row and each column occurs once; (column - row)² + (row + column)² = 2 row² + 2 column².
        let squares = 4 * (0..n).map(|line| line * line).sum::<i32>();
        Self { queens: n, falling: 0, rising: n * (n - 1), squares }
    }

    /// Without this queen.
    pub fn without(self, queen: Square) -> Self {
        let (row, column) = (small(queen.row), small(queen.column));
        Self {
            queens: self.queens - 1,
            falling: self.falling - (column - row),
            rising: self.rising - (row + column),
            squares: self.squares - 2 * (row * row + column * column),
        }
    }

    /// Whether the bound may refute anything worth its cost.
    pub fn are_worth_comparing(self) -> bool {
        self.queens >= 4
    }
}

/// The free diagonals of one direction, and the squared distances of the queens to come from their centre.
struct Direction {
    /// Twice the centre, as an index of diagonals.
    centre: i32,
    /// The sum of the smallest squared distances.
    least: i32,
    /// The largest of these.
    largest: i32,
}

/// What each diagonal of a direction has beyond the largest of the smallest squared distances.
type Excess = [i32; 2 * super::MAX];

impl Direction {
    /// `free` has the free diagonals, `sum` is that of the indices of the queens' diagonals. `None` if there are fewer
    /// free diagonals than queens.
    fn new(free: u128, sum: i32, queens: i32) -> Option<Self> {
        let centre = (2 * sum + queens / 2).div_euclid(queens);
        let distance = |diagonal: i32| squared(2 * diagonal - centre);
        let middle = u32::try_from(centre / 2 + 1).unwrap_or(0);
        let below = u128::MAX.checked_shl(middle).map_or(u128::MAX, |above| !above);
        let (mut lower, mut upper) = (free & below, free & !below);
        let (mut least, mut largest) = (0, 0);
        for _ in 0..queens {
            let low = (lower != 0).then(|| 127 - lower.leading_zeros() as i32);
            let high = (upper != 0).then(|| upper.trailing_zeros() as i32);
            largest = match (low.map(distance), high.map(distance)) {
                (None, None) => return None,
                (Some(low), high) if high.is_none_or(|high| low <= high) => {
                    lower ^= 1 << (127 - lower.leading_zeros());
                    low
                }
                (_, high) => {
                    upper &= upper - 1;
                    high?
                }
            };
            least += largest;
        }
        Some(Self { centre, least, largest })
    }

    fn excess(&self, diagonals: usize) -> Excess {
        let mut excess = [0; 2 * super::MAX];
        for (diagonal, excess) in (0..).zip(&mut excess[..diagonals]) {
            *excess = (squared(2 * diagonal - self.centre) - self.largest).max(0);
        }
        excess
    }

    /// The sum of the squared distances of the queens, without the squares of their indices.
    fn linear(&self, sum: i32, queens: i32) -> i32 {
        self.centre * (queens * self.centre - 4 * sum)
    }
}

/// Removes the free squares that are too far from the centres. Whether there were any; `None` if the queens to come
/// have no place.
pub(super) fn remove_too_far(level: &mut Level, n: usize) -> Option<bool> {
    let Sums { queens, falling, rising, squares } = level.sums;
    let diagonals = 2 * n - 1;
    // The index of a falling diagonal is `column - row + n - 1`, that of a rising one `row + column`.
    let shift = small(n) - 1;
    let (mut free_falling, mut free_rising) = (0, 0);
    for row in bits(level.open_rows) {
        free_falling |= u128::from(level.rows[row]) << (n - 1 - row);
        free_rising |= u128::from(level.rows[row]) << row;
    }
    let falling_sum = falling + queens * shift;
    let falling_squares = 2 * shift * falling + queens * shift * shift;
    let along = Direction::new(free_falling, falling_sum, queens)?;
    let across = Direction::new(free_rising, rising, queens)?;
    let total =
        4 * (squares + falling_squares) + along.linear(falling_sum, queens) + across.linear(rising, queens);
    let mut slack = total - along.least - across.least;
    if slack < 0 {
        return None;
    }

    let (along, across) = (along.excess(diagonals), across.excess(diagonals));
    // The excess of a square is that of its diagonals, less what its row, and then its column, have added.
    let of_row = |row: usize| {
        let (along, across) = (&along[n - 1 - row..][..n], &across[row..][..n]);
        move |column: usize| along[column] + across[column]
    };
    let (mut by_row, mut by_column) = ([0; super::MAX], [i32::MAX >> 8; super::MAX]);
    for row in bits(level.open_rows) {
        let excess = of_row(row);
        let least = bits(level.rows[row]).map(&excess).min()?;
        for column in bits(level.rows[row]) {
            by_column[column] = by_column[column].min(excess(column) - least);
        }
        by_row[row] = least;
        slack -= least;
        if slack < 0 {
            return None;
        }
    }
    slack -= bits(level.open_columns).map(|column| by_column[column]).sum::<i32>();
    if slack < 0 {
        return None;
    }
    let mut removed = false;
    for row in bits(level.open_rows) {
        let excess = of_row(row);
        for column in bits(level.rows[row]) {
            if excess(column) - by_row[row] - by_column[column] > slack {
                level.remove(Square { row, column });
                removed = true;
            }
        }
    }
    Some(removed)
}

/// The places of the bits that are set, in ascending order.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as usize;
        set &= set.checked_sub(1)?;
        Some(lowest)
    })
}
