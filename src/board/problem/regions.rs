//! Region puzzles, known as LinkedIn Queens: each row, each column and each coloured region holds exactly one
//! queen, and queens do not touch each other, not even at a corner. Longer diagonals do not matter.

use std::fmt;

use super::{Line, Rule};
use crate::board::Square;

/// The most regions of a puzzle: they have letters from A to Z.
const MOST_REGIONS: usize = 26;

/// A board that is divided into as many regions as it has rows. The squares of a region need not be connected.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Regions {
    n: usize,
    /// The region of each square, row by row; every number in `0..n` occurs.
    of: Box<[u8]>,
}

/// Why rows of letters are not a region puzzle. Rows and columns count from 1, as in an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegionsError {
    /// A row has another number of letters than there are rows.
    NotSquare {
        /// The row.
        row: usize,
        /// Its letters.
        letters: usize,
        /// The number of rows.
        rows: usize,
    },
    /// Something else than a letter from A to Z.
    NoLetter {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// What is there.
        found: char,
    },
    /// There are more regions than letters from A to Z.
    TooMany {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The letter of one region too many.
        found: char,
    },
    /// The number of regions differs from the number of rows.
    Count {
        /// The number of different letters.
        regions: usize,
        /// The number of rows.
        rows: usize,
    },
}

impl RegionsError {
    /// The same error in a text with this number of lines above.
    pub fn below(mut self, lines: usize) -> Self {
        if let RegionsError::NotSquare { row, .. }
        | RegionsError::NoLetter { row, .. }
        | RegionsError::TooMany { row, .. } = &mut self
        {
            *row += lines;
        }
        self
    }
}

impl fmt::Display for RegionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegionsError::NotSquare { row, letters, rows } => write!(
                f,
                "line {row}: {letters} letters, but the puzzle has {rows} rows: write a square of letters, one letter \
                 for each square"
            ),
            RegionsError::NoLetter { row, column, found } => {
                write!(f, "line {row}, column {column}: {found:?} is not a letter from A to Z")
            }
            RegionsError::TooMany { row, column, found } => write!(
                f,
                "line {row}, column {column}: {found:?} is the letter of a {}th region: a puzzle has at most \
                 {MOST_REGIONS}, one for each letter from A to Z",
                MOST_REGIONS + 1
            ),
            RegionsError::Count { regions, rows } => write!(
                f,
                "the puzzle has {regions} different letters and {rows} rows: each row needs a region, and each region a \
                 row"
            ),
        }
    }
}

impl std::error::Error for RegionsError {}

impl Regions {
    /// Reads rows of letters, one letter for each square; equal letters are one region.
    pub fn from_rows<'a>(rows: impl IntoIterator<Item = &'a str>) -> Result<Self, RegionsError> {
        let rows: Vec<&str> = rows.into_iter().collect();
        let n = rows.len();
        let mut letters = Vec::new();
        let mut of = Vec::new();
        for (row, line) in rows.iter().enumerate() {
            for (column, letter) in line.chars().enumerate() {
                if !letter.is_ascii_alphabetic() {
                    return Err(RegionsError::NoLetter { row: row + 1, column: column + 1, found: letter });
                }
                let region = letters.iter().position(|known| *known == letter).unwrap_or_else(|| {
                    letters.push(letter);
                    letters.len() - 1
                });
                if region == MOST_REGIONS {
                    return Err(RegionsError::TooMany { row: row + 1, column: column + 1, found: letter });
                }
                of.push(u8::try_from(region).expect("at most 26 regions"));
            }
            if of.len() != (row + 1) * n {
                let letters = line.chars().count();
                return Err(RegionsError::NotSquare { row: row + 1, letters, rows: n });
            }
        }
        if letters.len() != n {
            return Err(RegionsError::Count { regions: letters.len(), rows: n });
        }
        Ok(Self { n, of: of.into() })
    }

    /// The side length of the board.
    pub fn size(&self) -> usize {
        self.n
    }

    /// The number of a square's region, from 0 in order of first appearance.
    pub fn region(&self, square: Square) -> usize {
        usize::from(self.of[square.row * self.n + square.column])
    }

    /// The letter of a square's region: A is the first one.
    pub fn letter(&self, square: Square) -> char {
        char::from(b'A' + self.of[square.row * self.n + square.column])
    }

    /// The rows of letters.
    pub fn rows(&self) -> impl Iterator<Item = String> {
        crate::board::lines::rows(self.n)
            .map(|row| row.into_iter().map(|square| self.letter(square)).collect())
    }

    /// The regions.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line> + use<> {
        let mut lines = vec![Vec::new(); self.n];
        for square in crate::board::lines::rows(self.n).flatten() {
            lines[self.region(square)].push(square);
        }
        lines.into_iter().map(|squares| Line { rule: Rule::ExactlyOne, squares })
    }

    /// The squares are in the same region or touch each other.
    pub(super) fn attacks(&self, a: Square, b: Square) -> bool {
        let touches = a.row.abs_diff(b.row) <= 1 && a.column.abs_diff(b.column) <= 1;
        touches || self.region(a) == self.region(b)
    }
}

/// The blocks of two by two squares: any two squares that touch are in one of them, or in a row or column.
pub(super) fn neighbours(n: usize) -> impl Iterator<Item = Vec<Square>> {
    let corners = crate::board::lines::rows(n).flatten();
    let corners = corners.filter(move |corner| corner.row + 1 < n && corner.column + 1 < n);
    let block = |corner: Square| {
        [(0, 0), (0, 1), (1, 0), (1, 1)]
            .map(|(down, right)| Square { row: corner.row + down, column: corner.column + right })
            .to_vec()
    };
    corners.map(block)
}
