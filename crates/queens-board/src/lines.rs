//! The lines of a board as lists of squares: rows, columns, and falling and rising diagonals.
//! Diagonals that consist of a single square are included. The squares of a diagonal are listed from top to bottom.

use super::Square;

/// The `n` rows from top to bottom, each from left to right.
pub fn rows(n: usize) -> impl Iterator<Item = Vec<Square>> {
    (0..n).map(move |row| (0..n).map(|column| Square { row, column }).collect())
}

/// The `n` columns from left to right, each from top to bottom.
pub fn columns(n: usize) -> impl Iterator<Item = Vec<Square>> {
    (0..n).map(move |column| (0..n).map(|row| Square { row, column }).collect())
}

/// The `2n - 1` falling diagonals (`column - row` is constant), bottom-left corner first.
pub fn falling_diagonals(n: usize) -> impl Iterator<Item = Vec<Square>> {
    // offset = column - row + n - 1
    (0..(2 * n).saturating_sub(1)).map(move |offset| {
        let first_row = (n - 1).saturating_sub(offset);
        let first_column = (offset + 1).saturating_sub(n);
        (0..n - first_row.max(first_column))
            .map(|step| Square { row: first_row + step, column: first_column + step })
            .collect()
    })
}

/// The `2n - 1` rising diagonals (`row + column` is constant), top-left corner first.
pub fn rising_diagonals(n: usize) -> impl Iterator<Item = Vec<Square>> {
    (0..(2 * n).saturating_sub(1)).map(move |sum| {
        let first_row = (sum + 1).saturating_sub(n);
        let last_row = sum.min(n - 1);
        (first_row..=last_row).map(|row| Square { row, column: sum - row }).collect()
    })
}

/// All diagonals, falling and rising.
pub fn diagonals(n: usize) -> impl Iterator<Item = Vec<Square>> {
    falling_diagonals(n).chain(rising_diagonals(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares attack each other exactly if some line contains both.
    #[test]
    fn two_squares_share_a_line_iff_they_attack() {
        for n in 0..=7 {
            let lines: Vec<Vec<Square>> = rows(n).chain(columns(n)).chain(diagonals(n)).collect();
            let squares: Vec<Square> = rows(n).flatten().collect();
            assert_eq!(squares.len(), n * n);
            for &a in &squares {
                for &b in squares.iter().filter(|&&b| b != a) {
                    let shared_count = lines.iter().filter(|l| l.contains(&a) && l.contains(&b)).count();
                    assert_eq!(shared_count, usize::from(a.attacks(b)), "n={n} {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn diagonals_of_each_direction_partition_the_board() {
        for n in 0..=6 {
            for diagonals in [falling_diagonals(n).collect::<Vec<_>>(), rising_diagonals(n).collect()] {
                assert_eq!(diagonals.len(), (2 * n).saturating_sub(1));
                assert_eq!(diagonals.iter().map(Vec::len).sum::<usize>(), n * n);
            }
        }
    }
}
