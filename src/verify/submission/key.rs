//! Legal boards as keys that sort as the boards do, lexicographically by columns.

use crate::board::Placement;

/// A legal board, packed.
pub(super) trait Key: Ord + Clone {
    /// The key of a board in which each column occurs once.
    fn of(columns: &[u16]) -> Self;

    /// The board of side `n` with this key.
    fn columns(&self, n: usize) -> Vec<u16>;
}

/// The largest board whose permutations can be numbered in 64 bits: 20! < 2^64.
pub(super) const MAX_RANKED: usize = 20;

/// The number of the permutation among all of them in lexicographic order; n <= [`MAX_RANKED`].
impl Key for u64 {
    fn of(columns: &[u16]) -> Self {
        let n = columns.len();
        let mut used = 0_u32;
        columns.iter().enumerate().fold(0, |rank, (row, &column)| {
            let smaller = (used & ((1 << column) - 1)).count_ones();
            used |= 1 << column;
            rank * (n - row) as u64 + u64::from(u32::from(column) - smaller)
        })
    }

    fn columns(&self, n: usize) -> Vec<u16> {
        let mut rank = *self;
        let mut choices: Vec<usize> = (1..=n as u64)
            .map(|free| {
                let choice = rank % free;
                rank /= free;
                choice as usize
            })
            .collect();
        choices.reverse();
        let mut free: Vec<u16> = (0..n as u16).collect();
        choices.into_iter().map(|choice| free.remove(choice)).collect()
    }
}

impl Key for Placement {
    fn of(columns: &[u16]) -> Self {
        Placement::new(columns)
    }

    fn columns(&self, _n: usize) -> Vec<u16> {
        Placement::columns(self).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_24_permutations_of_4_are_numbered_in_order() {
        let mut permutations = Vec::new();
        for code in 0..256_u16 {
            let columns = [code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3];
            if (0..4).all(|column| columns.contains(&column)) {
                permutations.push(columns);
            }
        }
        let ranks: Vec<u64> = permutations.iter().map(|columns| Key::of(columns)).collect();
        assert_eq!(ranks, (0..24).collect::<Vec<u64>>());
        for (rank, columns) in permutations.iter().enumerate() {
            assert_eq!(Key::columns(&(rank as u64), 4), columns);
        }
    }

    #[test]
    fn the_last_permutation_of_20_fits() {
        let columns: Vec<u16> = (0..20).rev().collect();
        let rank: u64 = Key::of(&columns);
        assert_eq!(rank, (1..=20).product::<u64>() - 1);
        assert_eq!(Key::columns(&rank, 20), columns);
        assert_eq!((<u64 as Key>::of(&[]), Key::columns(&0_u64, 0)), (0, Vec::new()));
    }
}
