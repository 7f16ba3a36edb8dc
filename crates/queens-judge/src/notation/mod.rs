//! Reads and writes boards as text, in every common notation for solutions.
//!
//! [`Writer`] prints placements one by one in one [`Notation`]. [`read()`] finds the boards in the output of any program.
//!
//! A *reading* is one interpretation of a text: the boards have a certain kind, such as drawn boards or numbers, and a certain
//! layout.
//!
//! ```text
//! read.rs            chooses the reading of a text, then reads it
//! query.rs           the boards that are searched for                     parsed.rs      boards as they are passed to the judge
//! reading.rs         all readings, and the best one for some lines        candidate.rs   possible boards
//! leftover.rs        lines in which the chosen reading has no board       other_sizes.rs boards of other sizes
//! lines.rs           the lines of a text                                  prose.rs       lines that are not boards
//!
//! places.rs          drawn boards with squares at equal distances         rows.rs        boards whose rows are words or lists
//! windows.rs         the search for drawn boards                          one.rs         the board of one square
//! geometry.rs        where squares are, and what is beside them           drawn.rs       lines as symbols
//! roles.rs           which symbol is a queen                              cells.rs       symbols with their colours
//!
//! numbers.rs         boards as numbers                                    models.rs      models of SAT solvers
//! number_format/     how boards are written as numbers                    sequences.rs   the numbers of lines and lists
//! single_line.rs     recognises boards and labels on a single line        table.rs       tables of numbers
//!
//! write.rs           writes placements in each notation                   svg.rs         writes an SVG picture
//! ```

mod candidate;
mod cells;
mod drawn;
mod geometry;
mod leftover;
mod lines;
mod models;
mod number_format;
mod numbers;
mod one;
mod other_sizes;
mod parsed;
mod places;
mod prose;
mod query;
mod read;
mod reading;
mod roles;
mod rows;
mod sequences;
mod single_line;
mod svg;
mod table;
#[cfg(test)]
mod tests;
mod windows;
mod write;

use std::io;
use std::str::FromStr;

use plaintext::Escaped;
use queens_board::number::thousands;

pub(crate) use lines::ascii_digit;
pub use parsed::{Parsed, ParsedBoard};
pub use query::Hints;
pub use read::{TextSummary, read};
pub use roles::Symbols;
pub use write::Writer;

queens_board::words! {
    /// A way to write boards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Notation {
        /// `1 3 0 2`: the column of each row, from 0.
        Columns = "columns",
        /// `2 4 1 3`: the column of each row, from 1.
        Columns1 = "columns1",
        /// `2413`: the column of each row, from 1, without separators; n <= 9.
        Digits = "digits",
        /// `. Q . .`: one row per line.
        Matrix = "matrix",
        /// `0 1 0 0`: one row per line.
        Binary = "binary",
        /// `[[.Q.., ...Q, Q..., ..Q.], [..Q., Q..., ...Q, .Q..]]`: all boards in one list.
        List = "list",
        /// `_ Q _ _`: one row per line.
        Underscore = "underscore",
        /// `*<TAB>Q<TAB>*<TAB>*`: one row per line.
        Stars = "stars",
        /// `[[1,3,0,2],[2,0,3,1]]`: all boards in one list, columns from 0.
        Json = "json",
        /// `v -1 2 -3 ... 0`: a SAT solver's model; row r and column c are literal r * n + c + 1.
        Dimacs = "dimacs",
        /// A drawn board.
        Unicode = "unicode",
        /// One picture of all boards; written only.
        Svg = "svg",
        /// `1302`: the column of each row, from 0, without separators; n <= 10.
        Digits0 = "digits0",
        /// `b1 d2 a3 c4`: the letter is the column, the number is the row, from 1; n <= 26.
        Squares = "squares",
        /// `[(0, 1), (1, 3), (2, 0), (3, 2)]`: row and column of each queen, from 0.
        Pairs = "pairs",
        /// `1Q2/3Q/Q3/2Q1`: the notation of chess programs.
        Fen = "fen",
    }
}

impl Notation {
    /// Whether boards can be read back.
    pub fn is_readable(self) -> bool {
        self != Self::Svg
    }

    /// The notation that represents all notations that are read in the same way as this one.
    fn family(self) -> Self {
        match self {
            Self::Json => Self::Columns,
            Self::List | Self::Underscore | Self::Stars | Self::Unicode => Self::Matrix,
            notation => notation,
        }
    }

    /// Whether a board is written as rows of squares.
    fn has_rows(self) -> bool {
        matches!(self.family(), Self::Matrix | Self::Binary | Self::Fen)
    }

    /// Whether a board is written as the numbers or letters of rows and columns.
    fn has_numbers(self) -> bool {
        !self.has_rows() && self != Self::Dimacs
    }

    /// The largest board that the notation can write.
    pub fn max_size(self) -> usize {
        match self {
            Self::Digits => 9,
            Self::Digits0 => 10,
            Self::Squares => 26,
            Self::Columns | Self::Columns1 | Self::Json => queens_board::BoardSize::LARGEST,
            _ => queens_board::BoardSize::MAX,
        }
    }

    /// Returns an error if this notation cannot write boards of side `n`.
    fn check_size(self, n: usize) -> Result<(), NotationError> {
        let max_size = self.max_size();
        if n <= max_size {
            return Ok(());
        }
        let alternative = if self == Self::Digits { "columns1" } else { "columns" };
        Err(NotationError(format!(
            "notation {self}: n = {n} exceeds its limit ({max_size}): choose {alternative}"
        )))
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(name: &str) -> Result<Self, NotationError> {
        let names = || Notation::WORDS.join(", ");
        let error = || NotationError(format!("unknown notation '{name}': choose one of {}", names()));
        Notation::named(name).ok_or_else(error)
    }
}

/// The message that a notation does not exist or cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(String);

/// Why a text was not read to its end, or has no board.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is ambiguous whether columns are counted from 0 or from 1.
    #[error(
        "line {line}: '{text}' may count columns from 0 or from 1: use --notation columns or --notation columns1"
    )]
    Ambiguous {
        /// The number of the line, from 1.
        line: u64,
        /// The beginning of the line.
        text: String,
    },
    /// There is text, but no board in it.
    #[error("no board of size {n} found; the closest line is line {line}: '{text}'")]
    NoBoard {
        /// The number of the line that is most similar to a board, from 1.
        line: u64,
        /// The beginning of that line.
        text: String,
        /// The side of the expected boards.
        n: usize,
    },
    /// There are only boards of another size.
    #[error("no board of size {n} found, but {} of size {side}, the first in line {line}: check n", thousands(*boards))]
    OtherSize {
        /// The side of these boards.
        side: usize,
        /// The number of boards of this size that were recognised.
        boards: u64,
        /// The line where the first of these boards begins, from 1.
        line: u64,
        /// The side of the expected boards.
        n: usize,
    },
    /// No board in this many bytes of text.
    #[error("no board in {} MiB of text: check n, or specify the notation with --notation", .0 >> 20)]
    Endless(u64),
    /// The beginning of the input is not text.
    #[error("line {line}: the input is not text but a binary file")]
    NotText {
        /// The number of the line, from 1.
        line: u64,
    },
    /// A line is longer than any board.
    #[error("line {line}: longer than a board can be ({limit} bytes): print one board or one row per line")]
    TooLong {
        /// The number of the line, from 1.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// The input cannot be read.
    #[error("cannot read the boards: {0}")]
    Io(#[source] io::Error),
}

/// The first 40 characters of an untrusted text, escaped for a terminal.
pub(super) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    let excerpt = Escaped(text.chars().take(40).collect::<String>()).to_string();
    if text.chars().nth(40).is_some() { excerpt + "…" } else { excerpt }
}
