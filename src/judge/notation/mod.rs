//! Boards as text, for writing and reading, in every common notation for solutions.
//!
//! [`Writer`] prints placements one by one in one [`Notation`]; [`read()`] finds the boards of a text, whichever program
//! printed it.
//!
//! ```text
//! write.rs, svg.rs      placements in each notation
//! segments.rs           the text in pieces of limited length      tokens.rs  the words and numbers of a piece
//! line.rs               what a piece holds, by itself             rows.rs    rows of cells
//! boards.rs             the boards of one notation, piece by piece
//! read.rs               decides on the beginning of the text which notation it is, then reads it
//! ```

mod boards;
mod error;
mod line;
mod read;
mod rows;
mod segments;
mod svg;
#[cfg(test)]
mod tests;
mod tokens;
mod write;

use std::fmt;
use std::str::FromStr;

pub use boards::{Parsed, ParsedBoard};
pub(super) use error::excerpt;
pub use error::{NotationError, ReadError};
pub use read::{Shown, read};
pub use write::{Writer, write_large};

/// A way to write boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Notation {
    /// `1 3 0 2`: the column of each row, from 0.
    Columns,
    /// `2 4 1 3`: the column of each row, from 1.
    Columns1,
    /// `2413`: the column of each row, from 1, without separators; n <= 9.
    Digits,
    /// `. Q . .`: one row per line.
    Matrix,
    /// `0 1 0 0`: one row per line.
    Binary,
    /// `[[.Q.., ...Q, Q..., ..Q.], [..Q., Q..., ...Q, .Q..]]`: all boards in one list.
    List,
    /// `_ Q _ _`: one row per line.
    Underscore,
    /// `*<TAB>Q<TAB>*<TAB>*`: one row per line.
    Stars,
    /// `[[1,3,0,2],[2,0,3,1]]`: all boards in one list, columns from 0.
    Json,
    /// `v -1 2 -3 ... 0`: a SAT solver's model; row r and column c are literal r * n + c + 1.
    Dimacs,
    /// A drawn board.
    Unicode,
    /// One picture of all boards; written only.
    Svg,
    /// `1302`: the column of each row, from 0, without separators; n <= 10.
    Digits0,
    /// `b1 d2 a3 c4`: the letter is the column, the number is the row, from 1; n <= 26.
    Squares,
    /// `[(0, 1), (1, 3), (2, 0), (3, 2)]`: row and column of each queen, from 0.
    Pairs,
    /// `1Q2/3Q/Q3/2Q1`: the notation of chess programs; written only.
    Fen,
}

use Notation::{
    Binary, Columns, Columns1, Digits, Digits0, Dimacs, Fen, Json, List, Matrix, Pairs, Squares, Stars, Svg,
    Underscore, Unicode,
};

impl Notation {
    /// Every notation.
    pub const ALL: [Self; 16] = [
        Columns, Columns1, Digits, Matrix, Binary, List, Underscore, Stars, Json, Dimacs, Unicode, Svg,
        Digits0, Squares, Pairs, Fen,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Columns => "columns",
            Columns1 => "columns1",
            Digits => "digits",
            Matrix => "matrix",
            Binary => "binary",
            List => "list",
            Underscore => "underscore",
            Stars => "stars",
            Json => "json",
            Dimacs => "dimacs",
            Unicode => "unicode",
            Svg => "svg",
            Digits0 => "digits0",
            Squares => "squares",
            Pairs => "pairs",
            Fen => "fen",
        }
    }

    /// Whether boards can be read back.
    pub fn is_readable(self) -> bool {
        !matches!(self, Fen | Svg)
    }

    /// The notation as which this one is read.
    fn family(self) -> Notation {
        match self {
            Json => Columns,
            List | Underscore | Stars | Unicode => Matrix,
            notation => notation,
        }
    }

    /// The largest board that the notation can write.
    pub fn max_size(self) -> usize {
        match self {
            Digits => 9,
            Digits0 => 10,
            Squares => 26,
            _ => crate::board::BoardSize::MAX,
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

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(name: &str) -> Result<Self, NotationError> {
        let found = Notation::ALL.into_iter().find(|notation| notation.name() == name);
        found.ok_or_else(|| NotationError::Unknown(name.to_owned()))
    }
}
