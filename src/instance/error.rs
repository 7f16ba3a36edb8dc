//! Why a text is not an instance.

use std::fmt;

use plaintext::{Escaped, NotUtf8};

use crate::board::ProblemError;

/// A fault of an instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InstanceFault {
    /// It is not text.
    #[error(transparent)]
    Encoding(#[from] NotUtf8),
    /// It is empty.
    #[error("the file is empty: an instance is a region puzzle, an instance of CSPLib, or TOML")]
    Empty,
    /// It is not TOML, or has other keys or values.
    #[error("{0}")]
    Toml(String),
    /// The size of the board is missing.
    #[error("the size of the board is missing: write n = 8")]
    NoSize,
    /// Regions, and a variant without any.
    #[error("only the variant 'regions' has regions")]
    NoRegions,
    /// Another number of diagonals than the file states.
    #[error("'diags' has another number of pairs than 'numdiags' says: is the file complete?")]
    NumberOfDiagonals,
    /// A number below the first one of rows and columns.
    #[error("rows and columns count from {first} here, so {number} is none")]
    NoLine {
        /// The number.
        number: usize,
        /// The number of the first row.
        first: usize,
    },
    /// A number that no diagonal of the board has.
    #[error("there is no diagonal {number}: diagonals are numbered from 0 to {last}")]
    NoDiagonal {
        /// The number.
        number: i64,
        /// The number of the last diagonal.
        last: i64,
    },
    /// Neither of the types of diagonals.
    #[error("a diagonal has type 1 (sum) or 0 (difference), not {0}")]
    TypeOfDiagonal(i64),
    /// Its rules make no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// Why a text is not an instance, and where. Its text is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceError {
    /// Line and column from 1, if it has a place.
    pub place: Option<(usize, usize)>,
    /// The fault at this place.
    pub fault: InstanceFault,
}

impl InstanceError {
    /// A fault at a byte of a text.
    pub(super) fn at(text: &str, start: usize, fault: InstanceFault) -> Self {
        let before = &text[..start.min(text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Self { place: Some((line, column)), fault }
    }
}

impl<E: Into<InstanceFault>> From<E> for InstanceError {
    fn from(error: E) -> Self {
        Self { place: None, fault: error.into() }
    }
}

impl std::error::Error for InstanceError {}

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        Escaped(self.fault.to_string()).fmt(f)
    }
}
