//! Region puzzles, which are also known as LinkedIn Queens: each row, each column and each coloured region holds exactly one
//! queen, and no two queens are on adjacent squares, including diagonally adjacent squares. Queens on a diagonal at a larger distance
//! do not attack each other.

use crate::{Square, lines};

/// The regions of a board. There are as many regions as rows. The squares of a region need not be connected.
///
/// The letters of the regions are only names; see [`super::Problem::canonical_text`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Regions {
    n: usize,
    /// The region of each square, row by row; every number in `0..n` occurs.
    region_of: Box<[u8]>,
    /// The letter of each region.
    letters: Box<[char]>,
}

impl Regions {
    /// Creates regions from the region of each square, row by row, and the letter of each region.
    pub(super) fn new(region_of: Vec<u8>, letters: Vec<char>) -> Self {
        Self { n: letters.len(), region_of: region_of.into(), letters: letters.into() }
    }

    /// The side length of the board.
    pub fn size(&self) -> usize {
        self.n
    }

    /// The number of a square's region. Regions are numbered from 0 in the order of their first squares.
    pub fn region(&self, square: Square) -> usize {
        usize::from(self.region_of[square.row * self.n + square.column])
    }

    /// The letter of a square's region.
    pub fn letter(&self, square: Square) -> char {
        self.letters[self.region(square)]
    }

    /// The rows of the board, from top to bottom, as the letters of their squares.
    pub fn rows(&self) -> impl Iterator<Item = String> {
        let letter = |region: &u8| self.letters[usize::from(*region)];
        self.region_of.chunks(self.n.max(1)).map(move |row| row.iter().map(letter).collect())
    }

    /// Renames the regions to A, B, ... in the order of their first squares.
    pub(super) fn rename(&mut self) {
        self.letters = ('A'..='Z').take(self.n).collect();
    }

    /// The squares of each region.
    pub(super) fn squares(&self) -> Vec<Vec<Square>> {
        let mut squares_of = vec![Vec::new(); self.n];
        for square in lines::rows(self.n).flatten() {
            squares_of[self.region(square)].push(square);
        }
        squares_of
    }

    /// Whether the squares are in the same region or touch each other.
    pub(super) fn attacks(&self, a: Square, b: Square) -> bool {
        let touches = a.row.abs_diff(b.row) <= 1 && a.column.abs_diff(b.column) <= 1;
        touches || self.region(a) == self.region(b)
    }
}

/// All blocks of two by two squares. Any two squares that touch at a side or a corner are in a common block.
pub(super) fn touching_blocks(n: usize) -> impl Iterator<Item = Vec<Square>> {
    let corners = lines::rows(n).flatten();
    let corners = corners.filter(move |corner| corner.row + 1 < n && corner.column + 1 < n);
    let block = |corner: Square| {
        [(0, 0), (0, 1), (1, 0), (1, 1)]
            .map(|(down, right)| Square { row: corner.row + down, column: corner.column + right })
            .to_vec()
    };
    corners.map(block)
}
