//! The eight symmetries of the square, canonical forms and orbits.
//! Two solutions are the same fundamental solution if a symmetry maps one of them to the other.
//! Placements must be permutations: each column occurs once, as in a solution.

use super::{Square, place, squares};

/// A symmetry of the square: an optional transposition, then an optional reflection that swaps top and bottom, and an optional
/// reflection that swaps left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transpose: bool,
    flip_rows: bool,
    flip_columns: bool,
}

impl Symmetry {
    /// All eight symmetries, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry { transpose: false, flip_rows: false, flip_columns: false }; 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Symmetry { transpose: i & 4 != 0, flip_rows: i & 2 != 0, flip_columns: i & 1 != 0 };
            i += 1;
        }
        all
    };

    /// The reflection that swaps left and right.
    pub const LEFT_RIGHT: Symmetry = Self::ALL[1];
    /// The reflection that swaps top and bottom.
    pub const TOP_BOTTOM: Symmetry = Self::ALL[2];
    /// The rotations: the identity, a half turn, and a quarter turn in either direction.
    pub const ROTATIONS: [Symmetry; 4] = [Self::ALL[0], Self::ALL[3], Self::ALL[5], Self::ALL[6]];

    /// The image of a square of an `n` by `n` board.
    pub fn square(self, n: usize, square: Square) -> Square {
        let Square { mut row, mut column } = square;
        if self.transpose {
            (row, column) = (column, row);
        }
        if self.flip_rows {
            row = n - 1 - row;
        }
        if self.flip_columns {
            column = n - 1 - column;
        }
        Square { row, column }
    }

    /// Writes the image of a permutation to `image`, which has the same length.
    pub fn map(self, columns: &[u32], image: &mut [u32]) {
        place(image, squares(columns).map(|square| self.square(columns.len(), square)));
    }
}

/// The distinct images of a permutation under the eight symmetries, in lexicographic order.
/// There are 1, 2, 4 or 8 of them.
pub fn orbit(columns: &[u32]) -> Vec<Vec<u32>> {
    let mut images: Vec<Vec<u32>> = images(columns, &Symmetry::ALL).collect();
    images.sort_unstable();
    images.dedup();
    images
}

/// The images of a permutation under these symmetries, in the order of the symmetries.
pub fn images(columns: &[u32], symmetries: &[Symmetry]) -> impl Iterator<Item = Vec<u32>> {
    symmetries.iter().map(|symmetry| {
        let mut image = vec![0; columns.len()];
        symmetry.map(columns, &mut image);
        image
    })
}

/// Whether a permutation is canonical: the lexicographically first member of its orbit.
pub fn is_canonical(columns: &[u32]) -> bool {
    let mut image = vec![0; columns.len()];
    Symmetry::ALL.iter().all(|symmetry| {
        symmetry.map(columns, &mut image);
        columns <= image.as_slice()
    })
}

/// The canonical member of a permutation's orbit.
pub fn canonical(columns: &[u32]) -> Vec<u32> {
    orbit(columns).swap_remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_placements_have_smaller_orbits() {
        assert_eq!(orbit(&[0, 2, 4, 1, 3]).len(), 8);
        assert_eq!(orbit(&[1, 4, 2, 0, 3]).len(), 2);
        assert_eq!(orbit(&[1, 3, 0, 2]), [[1, 3, 0, 2], [2, 0, 3, 1]]);
        assert_eq!(orbit(&[0, 4, 7, 5, 2, 6, 1, 3]).len(), 8);
        assert_eq!(orbit(&[]), [[0_u32; 0]]);
    }

    #[test]
    fn symmetries_preserve_the_number_of_attacks() {
        let columns = [3, 1, 4, 0, 2];
        for symmetry in Symmetry::ALL {
            let mut image = [0; 5];
            symmetry.map(&columns, &mut image);
            let attacks = |c: &[u32]| -> usize {
                let queens: Vec<Square> = squares(c).collect();
                queens.iter().flat_map(|&a| queens.iter().map(move |&b| usize::from(a.attacks(b)))).sum()
            };
            assert_eq!(attacks(&columns), attacks(&image));
        }
    }

    #[test]
    fn four_quarter_turns_are_the_identity() {
        let columns = [0, 4, 7, 5, 2, 6, 1, 3];
        let [_, half, quarter, back] = Symmetry::ROTATIONS.map(|symmetry| {
            move |columns: &[u32]| {
                let mut image = vec![0; columns.len()];
                symmetry.map(columns, &mut image);
                image
            }
        });
        assert_eq!(quarter(&quarter(&columns)), half(&columns));
        assert_eq!(back(&quarter(&columns)), columns);
        // The queen in the top-left corner moves to the top-right or to the bottom-left corner.
        assert!(quarter(&columns)[0] == 7 || quarter(&columns)[7] == 0);
    }

    #[test]
    fn exactly_one_member_of_an_orbit_is_canonical() {
        for columns in [vec![0, 4, 7, 5, 2, 6, 1, 3], vec![1, 3, 0, 2], vec![0], vec![]] {
            let orbit = orbit(&columns);
            let canonical_members: Vec<_> = orbit.iter().filter(|image| is_canonical(image)).collect();
            assert_eq!(canonical_members, [&canonical(&columns)]);
        }
    }
}
