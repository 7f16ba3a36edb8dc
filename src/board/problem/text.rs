//! The canonical text of a problem, which CSVs hold in the column `variant`:
//! `toroidal;place=0:3,5:7;forbid=2:2;exclude=s5,d-3;regions=AAB/ABB/CCC`. Parts that are empty are left out.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::{Diagonal, Problem, Regions, RegionsError, Variant};
use crate::board::{BoardSize, Square};

/// Why something is not a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemError {
    /// A square is outside the board.
    Outside {
        /// The square.
        square: Square,
        /// The side length of the board.
        n: usize,
    },
    /// A diagonal has no square on the board.
    NoSuchDiagonal {
        /// The diagonal.
        diagonal: Diagonal,
        /// The side length of the board.
        n: usize,
    },
    /// A square must and must not hold a queen.
    PlacedAndForbidden {
        /// The square.
        square: Square,
    },
    /// All squares of a line that needs a queen must not hold one.
    FullLine {
        /// The line, in words.
        line: String,
    },
    /// The board is too large for any problem but the plain one.
    TooLarge {
        /// The side length of the board.
        n: usize,
    },
    /// The regions are those of a board of another size.
    OtherSize {
        /// The side length of the regions.
        regions: usize,
        /// The side length of the board.
        n: usize,
    },
    /// The regions are no regions.
    Regions(RegionsError),
    /// A word of the text cannot be read.
    Word(String),
}

impl Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemError::TooLarge { n } => {
                write!(f, "n = {n} is too large: above n = {}, there is only the plain board", BoardSize::MAX)
            }
            ProblemError::Outside { square, n } => write!(
                f,
                "square {}:{} is outside the board of {n} by {n} squares: rows and columns count from 0",
                square.row, square.column
            ),
            ProblemError::NoSuchDiagonal { diagonal, n } => write!(
                f,
                "diagonal {diagonal} has no square on the board of {n} by {n} squares: sums go from s0 to s{}, \
                 differences from d-{1} to d{1}",
                2 * n.saturating_sub(1),
                n.saturating_sub(1)
            ),
            ProblemError::PlacedAndForbidden { square } => write!(
                f,
                "square {}:{} must hold a queen, but it is also forbidden or on an excluded diagonal",
                square.row, square.column
            ),
            ProblemError::FullLine { line } => write!(
                f,
                "{line} needs a queen, but all its squares are forbidden or on excluded diagonals: leave one of them \
                 free (rows and columns count from 0)"
            ),
            ProblemError::OtherSize { regions, n } => {
                write!(f, "the puzzle has {regions} rows, but n is {n}")
            }
            ProblemError::Regions(error) => error.fmt(f),
            ProblemError::Word(error) => f.write_str(error),
        }
    }
}

impl std::error::Error for ProblemError {}

impl From<RegionsError> for ProblemError {
    fn from(error: RegionsError) -> Self {
        ProblemError::Regions(error)
    }
}

impl FromStr for Variant {
    type Err = String;

    /// A variant that is defined for every board size.
    fn from_str(word: &str) -> Result<Self, String> {
        Variant::NAMED.into_iter().find(|variant| variant.name() == word).ok_or_else(|| {
            let names = Variant::NAMED.map(|variant| variant.name()).join(", ");
            format!("unknown variant '{word}': choose one of {names}")
        })
    }
}

/// Reads squares: `ROW:COLUMN`, separated by commas, from 0.
pub fn read_squares(text: &str) -> Result<Vec<Square>, String> {
    let square = |word: &str| {
        let (row, column) = word.trim().split_once(':')?;
        Some(Square { row: row.parse().ok()?, column: column.parse().ok()? })
    };
    let read =
        |word| square(word).ok_or_else(|| format!("'{word}' is not a square: write ROW:COLUMN, from 0"));
    text.split(',').map(read).collect()
}

/// Reads diagonals: `s5` or `d-3`, separated by commas.
pub fn read_diagonals(text: &str) -> Result<Vec<Diagonal>, String> {
    text.split(',').map(|word| word.trim().parse()).collect()
}

impl Problem {
    /// Reads the canonical text of a problem on an `n` by `n` board.
    pub fn from_text(n: BoardSize, text: &str) -> Result<Self, ProblemError> {
        if n.get() > BoardSize::MAX && text != Variant::Queens.name() {
            return Err(ProblemError::TooLarge { n: n.get() });
        }
        let word = ProblemError::Word;
        let mut parts = text.split(';');
        let name = parts.next().unwrap_or_default();
        let mut variant = match name {
            "regions" => None,
            name => Some(name.parse().map_err(word)?),
        };
        let (mut placed, mut forbidden, mut excluded) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match part.split_once('=') {
                Some(("place", squares)) => placed = read_squares(squares).map_err(word)?,
                Some(("forbid", squares)) => forbidden = read_squares(squares).map_err(word)?,
                Some(("exclude", diagonals)) => excluded = read_diagonals(diagonals).map_err(word)?,
                Some(("regions", rows)) if variant.is_none() => {
                    variant = Some(Variant::Regions(Regions::from_rows(rows.split('/'))?));
                }
                _ => return Err(word(format!("'{part}' is no part of a problem's text"))),
            }
        }
        let variant = variant.ok_or_else(|| word("a region puzzle needs its regions".to_owned()))?;
        Problem::new(n, variant)?.forbid(forbidden)?.exclude(excluded)?.place(placed)
    }
}

impl Display for Problem {
    /// The canonical text, without the size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.variant.name())?;
        let squares = |squares: &[Square]| list(squares.iter().map(|s| format!("{}:{}", s.row, s.column)));
        let regions = match &self.variant {
            Variant::Regions(regions) => regions.rows().collect::<Vec<_>>().join("/"),
            _ => String::new(),
        };
        let parts = [
            ("regions", regions),
            ("place", squares(&self.placed)),
            ("forbid", squares(&self.forbidden)),
            ("exclude", list(self.excluded.iter().map(Diagonal::to_string))),
        ];
        parts
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .try_for_each(|(key, value)| write!(f, ";{key}={value}"))
    }
}

fn list(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(",")
}
