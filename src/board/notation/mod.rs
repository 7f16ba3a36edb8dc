//! Boards as text, for writing and reading, in every common notation for solutions.
//!
//! [`Writer`] prints placements one by one in one [`Notation`]; [`Reader`] yields the boards of a text,
//! whichever program printed it.
//! Uses only `std`: no files, no terminal, only `Write` and `BufRead`.

mod error;
mod line;
mod parsed;
mod read;
mod segment;
mod svg;
mod write;

use std::fmt;
use std::str::FromStr;

pub use error::ReadError;
pub use line::stated_count;
pub use parsed::{Parsed, ParsedBoard};
pub use read::Reader;
pub use write::{Writer, write_large};

words! {
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
        self.family().is_some()
    }

    /// The notation whose reader reads this one; `None` if it is only written.
    fn family(self) -> Option<Notation> {
        match self {
            Notation::Json => Some(Notation::Columns),
            Notation::List | Notation::Underscore | Notation::Stars | Notation::Unicode => {
                Some(Notation::Matrix)
            }
            Notation::Svg => None,
            notation => Some(notation),
        }
    }

    /// The largest board that the notation can write.
    pub fn max_size(self) -> usize {
        match self {
            Notation::Digits => 9,
            Notation::Digits0 => 10,
            Notation::Squares => 26,
            _ => super::BoardSize::MAX,
        }
    }

    /// An error if this notation cannot write boards of side `n`.
    fn admit(self, n: usize) -> Result<(), NotationError> {
        if n > self.max_size() {
            return Err(NotationError::Size { notation: self, n });
        }
        Ok(())
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(name: &str) -> Result<Self, NotationError> {
        let found = Notation::ALL.into_iter().find(|notation| notation.name() == name);
        found.ok_or_else(|| NotationError::Unknown(name.to_owned()))
    }
}

/// A notation that does not exist or cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotationError {
    /// No notation has this name.
    Unknown(String),
    /// The board is too large for the notation.
    Size {
        /// The chosen notation.
        notation: Notation,
        /// The side of the board.
        n: usize,
    },
    /// The notation can be written but not read.
    WriteOnly(Notation),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::Unknown(name) => {
                let names = Notation::ALL.map(Notation::name).join(", ");
                write!(f, "unknown notation '{name}': choose one of {names}")
            }
            NotationError::Size { notation, n } => {
                let limit = notation.max_size();
                write!(f, "notation {notation}: n = {n} exceeds its limit ({limit})")?;
                match notation {
                    Notation::Digits => f.write_str(": choose columns1"),
                    _ => f.write_str(": choose columns"),
                }
            }
            NotationError::WriteOnly(notation) => {
                write!(f, "notation {notation} can be written but not read: choose another")
            }
        }
    }
}

impl std::error::Error for NotationError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_is_found_by_its_name() {
        for notation in Notation::ALL {
            assert_eq!(notation.to_string().parse(), Ok(notation));
        }
    }

    #[test]
    fn an_unknown_notation_names_those_that_exist() {
        let error = "matrx".parse::<Notation>().expect_err("refused").to_string();
        assert_eq!(
            error,
            "unknown notation 'matrx': choose one of columns, columns1, digits, matrix, binary, list, \
             underscore, stars, json, dimacs, unicode, svg, digits0, squares, pairs, fen"
        );
    }
}
