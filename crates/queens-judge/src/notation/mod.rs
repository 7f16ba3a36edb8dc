//! Boards as text, for writing and reading, in every common notation for solutions.
//!
//! [`Writer`] prints placements one by one in one [`Notation`]; [`read()`] finds the boards of a text, whichever program
//! printed it.
//!
//! ```text
//! read.rs            decides on the reading of a text, then reads it
//! query.rs           which boards are read                                parsed.rs      boards as the judge gets them
//! reading.rs         the readings, and the best one for some lines        candidate.rs   what readers find
//! leftover.rs        lines that the reading leaves over                   other_sizes.rs boards of other sizes
//! lines.rs           the lines of a text                                  prose.rs       lines that are not boards
//!
//! places.rs          rows of squares in fixed places                      rows.rs        rows that are words or lists
//! windows.rs         the search for these places                          one.rs         the board of one square
//! geometry.rs        where squares are, and what is beside them           drawn.rs       lines as symbols
//! roles.rs           which symbol is a queen                              cells.rs       symbols with their colours
//!
//! numbers.rs         boards as numbers                                    models.rs      models of SAT solvers
//! number_format/     which numbers are boards, and the search for it      sequences.rs   the numbers of lines and lists
//! single_line.rs     what a line of numbers may be by itself              table.rs       tables of other numbers
//!
//! write.rs, svg.rs   placements in each notation
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

    /// The notation of the boards when they are read: several notations are read in the same way.
    fn family(self) -> Self {
        match self {
            Self::Json => Self::Columns,
            Self::List | Self::Underscore | Self::Stars | Self::Unicode => Self::Matrix,
            notation => notation,
        }
    }

    /// Whether boards have one row of squares for each row.
    fn has_rows(self) -> bool {
        matches!(self.family(), Self::Matrix | Self::Binary | Self::Fen)
    }

    /// Whether boards are written as numbers of rows and columns.
    fn is_number(self) -> bool {
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

    /// An error if this notation cannot write boards of side `n`.
    fn admit(self, n: usize) -> Result<(), NotationError> {
        let (limit, instead) = (self.max_size(), if self == Self::Digits { "columns1" } else { "columns" });
        if n <= limit {
            return Ok(());
        }
        Err(NotationError(format!("notation {self}: n = {n} exceeds its limit ({limit}): choose {instead}")))
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(name: &str) -> Result<Self, NotationError> {
        let names = || Notation::WORDS.join(", ");
        let unknown = || NotationError(format!("unknown notation '{name}': choose one of {}", names()));
        Notation::named(name).ok_or_else(unknown)
    }
}

/// A notation that does not exist or cannot be used, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(String);

/// Why reading stopped before the end of the text.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Columns may count from 0 or from 1.
    #[error(
        "line {line}: '{text}' may count columns from 0 or from 1: give --notation columns or --notation columns1"
    )]
    Ambiguous {
        /// The line, from 1.
        line: u64,
        /// Its beginning.
        text: String,
    },
    /// There is text, but no board in it.
    #[error("no board of size {n} found; the line most like one: line {line}: {text}")]
    NoBoard {
        /// The line that is most like a board, from 1.
        line: u64,
        /// The beginning of that line, in quotes.
        text: String,
        /// The side of the expected boards.
        n: usize,
    },
    /// There are only boards of another size.
    #[error("no board of size {n} found, but {} of size {side}, the first in line {line}: check n", thousands(*boards))]
    OtherSize {
        /// The size of these boards.
        side: usize,
        /// How many there are, at least.
        boards: u64,
        /// The line of the first, from 1.
        line: u64,
        /// The side of the expected boards.
        n: usize,
    },
    /// No board in this many bytes of text.
    #[error("no board in {} MiB of text: check n, or name the notation with --notation", .0 >> 20)]
    Endless(u64),
    /// The beginning is not text.
    #[error("line {line}: this is not text but a binary file")]
    NotText {
        /// The line, from 1.
        line: u64,
    },
    /// A line is longer than any board.
    #[error("line {line}: longer than a board can be ({limit} bytes): put one board or row on a line")]
    TooLong {
        /// The line, from 1.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// The input failed.
    #[error("cannot read the boards: {0}")]
    Io(#[source] io::Error),
}

/// The beginning of a text of unknown origin, safe for a terminal.
pub(super) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    let excerpt = Escaped(text.chars().take(40).collect::<String>()).to_string();
    if text.chars().nth(40).is_some() { excerpt + "…" } else { excerpt }
}
