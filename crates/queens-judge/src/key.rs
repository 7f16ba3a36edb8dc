//! Keys of legal boards. The order of the keys is the lexicographic order of the columns of the boards.

use queens_board::{Placement, column};

/// The key of a legal board: a number that contains the columns, or the placement itself.
pub(super) trait Key: Ord + Clone {
    /// The key of a board in which each column occurs once.
    fn from_columns(columns: &[u32]) -> Self;

    /// The board of side `n` with this key.
    fn columns(&self, n: usize) -> Vec<u32>;
}

/// The largest board whose permutations can be numbered in 64 bits: 20! < 2^64.
pub(super) const MAX_RANKED: usize = 20;

/// The largest board whose columns are packed into 4 bits each, which is faster than the rank of a permutation.
const MAX_PACKED: usize = 16;

/// Up to [`MAX_PACKED`], 4 bits per column, with the top row in the highest bits. Above that size, up to [`MAX_RANKED`], the rank
/// of the permutation in lexicographic order.
impl Key for u64 {
    fn from_columns(columns: &[u32]) -> Self {
        let n = columns.len();
        if n <= MAX_PACKED {
            return columns.iter().fold(0, |key, &column| key << 4 | u64::from(column));
        }
        let mut used = 0_u32;
        columns.iter().enumerate().fold(0, |rank, (row, &column)| {
            let smaller_count = (used & ((1 << column) - 1)).count_ones();
            used |= 1 << column;
            rank * (n - row) as u64 + u64::from(column - smaller_count)
        })
    }

    fn columns(&self, n: usize) -> Vec<u32> {
        if n <= MAX_PACKED {
            return (0..n).rev().map(|row| (self >> (4 * row) & 15) as u32).collect();
        }
        let mut rank = *self;
        let mut choices: Vec<usize> = (1..=n as u64)
            .map(|free| {
                let choice = rank % free;
                rank /= free;
                usize::try_from(choice).expect("below n")
            })
            .collect();
        choices.reverse();
        let mut free: Vec<u32> = (0..column(n)).collect();
        choices.into_iter().map(|choice| free.remove(choice)).collect()
    }
}

impl Key for Placement {
    fn from_columns(columns: &[u32]) -> Self {
        Placement::new(columns)
    }

    fn columns(&self, _n: usize) -> Vec<u32> {
        Placement::columns(self).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All permutations of 4, in order.
    fn permutations() -> Vec<Vec<u32>> {
        let codes = (0..256_u32).map(|code| vec![code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3]);
        codes.filter(|columns| (0..4).all(|column| columns.contains(&column))).collect()
    }

    #[test]
    fn keys_sort_like_boards_and_convert_back() {
        for n in [4, 15, 16, 17, 20] {
            // The last four rows go through all permutations of the last four columns.
            let first: Vec<u32> = (0..n as u32 - 4).collect();
            let boards: Vec<Vec<u32>> = permutations()
                .iter()
                .map(|last| first.iter().copied().chain(last.iter().map(|c| c + n as u32 - 4)).collect())
                .collect();
            let keys: Vec<u64> = boards.iter().map(|columns| Key::from_columns(columns)).collect();
            assert_eq!(keys.len(), 24);
            assert!(keys.is_sorted_by(|a, b| a < b), "{n}");
            for (key, columns) in keys.iter().zip(&boards) {
                assert_eq!(Key::columns(key, n), *columns);
            }
            if n > MAX_PACKED {
                assert_eq!(keys, (0..24).collect::<Vec<u64>>());
            }
        }
    }

    #[test]
    fn last_permutation_of_20_fits_into_key() {
        let columns: Vec<u32> = (0..20).rev().collect();
        let rank: u64 = Key::from_columns(&columns);
        assert_eq!(rank, (1..=20).product::<u64>() - 1);
        assert_eq!(Key::columns(&rank, 20), columns);
        assert_eq!((<u64 as Key>::from_columns(&[]), Key::columns(&0_u64, 0)), (0, Vec::new()));
    }
}
