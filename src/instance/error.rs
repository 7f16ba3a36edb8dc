//! Why a text is not an instance.

use std::fmt;

use plaintext::{Escaped, NotUtf8};

use crate::board::ProblemError;

/// What is wrong in the text of an instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InstanceFault {
    /// The file is not UTF-8.
    #[error(transparent)]
    Encoding(#[from] NotUtf8),
    /// The file is empty.
    #[error("the file is empty: an instance is a region puzzle, an instance of CSPLib, or TOML")]
    Empty,
    /// The text is not TOML, or has an unknown key or a value of the wrong type.
    #[error("{0}")]
    Toml(String),
    /// The size of the board is missing.
    #[error("the size of the board is missing: write n = 8")]
    NoSize,
    /// The file has regions, and a variant that does not use regions.
    #[error("only the variant 'regions' has regions")]
    UnexpectedRegions,
    /// The number of diagonals differs from the stated number.
    #[error("the number of pairs in 'diags' differs from 'numdiags': is the file complete?")]
    NumberOfDiagonals,
    /// The number of a row or column is smaller than that of the first row.
    #[error("rows and columns are numbered from {first} here, so {number} is not valid")]
    NoLine {
        /// The number.
        number: usize,
        /// The number of the first row.
        first: usize,
    },
    /// The board does not have a diagonal with this number.
    #[error("there is no diagonal {number}: diagonals are numbered from 0 to {last}")]
    NoDiagonal {
        /// The number.
        number: i64,
        /// The number of the last diagonal.
        last: i64,
    },
    /// The type of a diagonal is neither 0 nor 1.
    #[error("a diagonal has type 1 (sum) or 0 (difference), not {0}")]
    TypeOfDiagonal(i64),
    /// The rules do not define a valid problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// Why a text is not an instance, with the place. The message has one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceError {
    /// Line and column, both from 1; `None` if the fault concerns the whole text.
    pub place: Option<(usize, usize)>,
    /// What is wrong.
    pub fault: InstanceFault,
}

impl InstanceError {
    /// Makes an error with the place of the byte `start` of `text`.
    pub(super) fn with_place(text: &str, start: usize, fault: InstanceFault) -> Self {
        let text_before = &text[..start.min(text.len())];
        let line = text_before.matches('\n').count() + 1;
        let column = text_before.chars().rev().take_while(|&c| c != '\n').count() + 1;
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
