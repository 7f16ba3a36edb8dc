//! The errors of sizes, lists of sizes and problems. Most messages show a valid input.

use std::error::Error;
use std::fmt;

use crate::number::counted;
use crate::problem::{Diagonal, Variant};
use crate::{BoardSize, MAX_REGIONS, MAX_SIZES, Square};

/// The reason why a number or a text is not a board size or a list of sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeError {
    /// The size exceeds the maximum.
    TooLarge {
        /// The size.
        n: usize,
        /// The largest size that is allowed here.
        maximum: usize,
    },
    /// An item of a list is empty.
    Missing,
    /// This item of a list is not a number.
    NotASize(String),
    /// This item of a list is a range with dots.
    Dots {
        /// The item.
        item: String,
        /// The text before the dots.
        first: String,
        /// The text after the dots.
        last: String,
    },
    /// This item of a list has a step that is not a positive number.
    Step(String),
    /// A range ends before it begins.
    EmptyRange {
        /// The range as it was written.
        range: String,
        /// The first size of the range.
        first: BoardSize,
        /// The last size of the range, which is smaller.
        last: BoardSize,
    },
    /// A single range has more sizes than a list may have.
    LongRange {
        /// The range as it was written.
        item: String,
        /// The number of sizes in the range.
        count: usize,
    },
    /// A list has too many different sizes.
    LongList,
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const FORMS: &str = "write 8, 4-12, 4-20:2 or 4,8,10-12";
        let max = MAX_SIZES;
        match self {
            Self::TooLarge { n, maximum } => write!(f, "n = {n} exceeds the largest board ({maximum})"),
            Self::Missing => write!(f, "a size is missing: {FORMS}"),
            Self::NotASize(item) => write!(f, "'{item}' is not a board size: {FORMS}"),
            Self::Dots { item, first, last } => {
                write!(f, "'{item}' is not a range: write {first}-{last}")
            }
            Self::Step(item) => {
                write!(f, "'{item}': the step must be a whole number, at least 1: {FORMS}")
            }
            Self::EmptyRange { range, first, last } => {
                write!(f, "the range {range} is empty: write {last}-{first}")
            }
            Self::LongRange { item, count } => write!(
                f,
                "'{item}' has {count} sizes, but a list may have at most {max}: give a larger step, as in \
                 10000-1000000:10000"
            ),
            Self::LongList => {
                write!(f, "the list has more than {max} sizes: give larger steps, as in 10000-1000000:10000")
            }
        }
    }
}

impl Error for SizeError {}

/// The reason why a text or a set of rules is not a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemError {
    /// The size of the board is invalid.
    Size(SizeError),
    /// The board is too large for problems other than plain queens.
    TooLarge(BoardSize),
    /// A square is outside the board.
    Outside {
        /// The square.
        square: Square,
        /// The size of the board.
        n: BoardSize,
    },
    /// A diagonal has no square on the board.
    NoSuchDiagonal {
        /// The diagonal.
        diagonal: Diagonal,
        /// The size of the board.
        n: BoardSize,
    },
    /// A square both must hold a queen and must not hold a queen.
    Contradiction(Square),
    /// A line needs a queen, but none of its squares may hold a queen.
    FullLine(FullLine),
    /// No variant has this name.
    UnknownVariant(String),
    /// This text is not a square.
    NotASquare(String),
    /// This text is not a diagonal.
    NotADiagonal(String),
    /// The text of a problem has this unknown part.
    UnknownPart(String),
    /// The text of a problem has two parts with this key.
    RepeatedPart(String),
    /// A region puzzle has no regions.
    MissingRegions,
    /// The number of rows of a region puzzle differs from the size of the board.
    OtherSize {
        /// The number of rows of the puzzle.
        rows: usize,
        /// The size of the board.
        n: BoardSize,
    },
    /// A region puzzle has a character that is not a letter.
    NotALetter {
        /// The line of the character, from 1.
        line: usize,
        /// The column of the character, from 1.
        column: usize,
        /// The character.
        letter: char,
    },
    /// A region puzzle has more regions than there are letters.
    TooManyRegions {
        /// The line of the first excess letter, from 1.
        line: usize,
        /// The column of this letter, from 1.
        column: usize,
        /// The letter.
        letter: char,
    },
    /// The number of letters in a row of a region puzzle differs from the number of rows.
    RowLength {
        /// The line of the row, from 1.
        line: usize,
        /// The number of letters in the row.
        letters: usize,
        /// The number of rows.
        rows: usize,
    },
    /// The number of regions of a region puzzle differs from the number of rows.
    RegionCount {
        /// The number of different letters.
        regions: usize,
        /// The number of rows.
        rows: usize,
    },
}

/// A line without a square that may hold a queen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullLine {
    /// A row, from 0.
    Row(usize),
    /// A column, from 0.
    Column(usize),
    /// A region with its letter.
    Region(char),
}

impl fmt::Display for FullLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {row}"),
            Self::Column(column) => write!(f, "column {column}"),
            Self::Region(letter) => write!(f, "region {letter}"),
        }
    }
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => error.fmt(f),
            Self::TooLarge(n) => write!(
                f,
                "n = {n} exceeds {}, the largest board with squares that must or must not hold a queen, or with rules \
                 other than plain queens",
                BoardSize::MAX
            ),
            Self::Outside { square: Square { row, column }, n } => write!(
                f,
                "square {row}:{column} is outside the board of {n} by {n} squares: rows and columns count from 0"
            ),
            Self::NoSuchDiagonal { diagonal, n } => {
                let last = n.get().saturating_sub(1);
                write!(
                    f,
                    "diagonal {diagonal} has no square on the board of {n} by {n} squares: sums go from s0 to s{}, \
                     differences from d-{last} to d{last}",
                    2 * last
                )
            }
            Self::Contradiction(Square { row, column }) => write!(
                f,
                "square {row}:{column} must hold a queen, but it is also forbidden or on an excluded diagonal"
            ),
            Self::FullLine(line) => write!(
                f,
                "{line} needs a queen, but all its squares are forbidden or on excluded diagonals: leave one of them \
                 free (rows and columns count from 0)"
            ),
            Self::UnknownVariant(word) => {
                let names = Variant::NAMED.map(|variant| variant.name()).join(", ");
                write!(f, "unknown variant '{word}': choose one of {names}")
            }
            Self::NotASquare(word) => write!(f, "'{word}' is not a square: write ROW:COLUMN, from 0"),
            Self::NotADiagonal(word) => write!(
                f,
                "'{word}' is not a diagonal: write sK for the squares with row + column = K, or dK for those with \
                 row - column = K"
            ),
            Self::UnknownPart(part) => write!(f, "'{part}' is not a part of a problem's text"),
            Self::RepeatedPart(key) => {
                write!(f, "'{key}=' occurs twice: write one list, as in place=0:0,1:2")
            }
            Self::MissingRegions => {
                f.write_str("the regions are missing: write them as in regions;regions=AAB/ABB/CCC")
            }
            Self::OtherSize { rows, n } => {
                write!(f, "the puzzle has {}, but n is {n}", counted(*rows, "row"))
            }
            Self::NotALetter { line, column, letter } => {
                write!(f, "line {line}, column {column}: {letter:?} is not a letter from A to Z")
            }
            Self::TooManyRegions { line, column, letter } => {
                let max = MAX_REGIONS;
                write!(
                    f,
                    "line {line}, column {column}: {letter:?} is the letter of a {}th region, but a puzzle may have at most {max} regions",
                    max + 1
                )
            }
            Self::RowLength { line, letters, rows } => write!(
                f,
                "line {line}: {}, but the puzzle has {}: write a square of letters, one letter for each square",
                counted(*letters, "letter"),
                counted(*rows, "row")
            ),
            Self::RegionCount { regions, rows } => write!(
                f,
                "the puzzle has {} and {}: both numbers must be equal",
                counted(*regions, "different letter"),
                counted(*rows, "row")
            ),
        }
    }
}

impl Error for ProblemError {}

impl From<SizeError> for ProblemError {
    fn from(error: SizeError) -> Self {
        Self::Size(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_board_errors_match_the_wording_file() {
        let size = |n| BoardSize::large(n).expect("a size");
        let text = str::to_owned;
        for (key, error) in [
            ("size, too large", SizeError::TooLarge { n: 1025, maximum: 1024 }),
            ("size, missing", SizeError::Missing),
            ("size, not a size", SizeError::NotASize(text("-1"))),
            ("size, dots", SizeError::Dots { item: text("4..12"), first: text("4"), last: text("12") }),
            ("size, step", SizeError::Step(text("4-8:0"))),
            (
                "size, empty range",
                SizeError::EmptyRange { range: text("5-4"), first: size(5), last: size(4) },
            ),
            ("size, long range", SizeError::LongRange { item: text("1-10001"), count: 10_001 }),
            ("size, long list", SizeError::LongList),
        ] {
            wording::assert_wording!("errors", key, error);
        }
        let n = size(4);
        let square = Square { row: 0, column: 4 };
        let diagonal = Diagonal::Difference(4);
        for (key, error) in [
            ("problem, too large", ProblemError::TooLarge(size(2000))),
            ("problem, outside", ProblemError::Outside { square, n }),
            ("problem, no such diagonal", ProblemError::NoSuchDiagonal { diagonal, n }),
            ("problem, contradiction", ProblemError::Contradiction(square)),
            ("problem, full row", ProblemError::FullLine(FullLine::Row(0))),
            ("problem, full column", ProblemError::FullLine(FullLine::Column(2))),
            ("problem, full region", ProblemError::FullLine(FullLine::Region('B'))),
            ("problem, unknown variant", ProblemError::UnknownVariant(text("kings"))),
            ("problem, not a square", ProblemError::NotASquare(text("3"))),
            ("problem, not a diagonal", ProblemError::NotADiagonal(text("x1"))),
            ("problem, unknown part", ProblemError::UnknownPart(text("x"))),
            ("problem, repeated part", ProblemError::RepeatedPart(text("place"))),
            ("problem, missing regions", ProblemError::MissingRegions),
            ("problem, other size", ProblemError::OtherSize { rows: 2, n }),
            ("problem, not a letter", ProblemError::NotALetter { line: 2, column: 2, letter: '1' }),
            ("problem, too many regions", ProblemError::TooManyRegions { line: 27, column: 1, letter: 'a' }),
            ("problem, row length", ProblemError::RowLength { line: 2, letters: 1, rows: 2 }),
            ("problem, region count", ProblemError::RegionCount { regions: 1, rows: 2 }),
        ] {
            wording::assert_wording!("errors", key, error);
        }
    }
}
