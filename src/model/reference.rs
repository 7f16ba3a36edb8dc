//! The references that answers are compared with.

use std::fmt;
use std::str::FromStr;

use super::{SolverError, SolverRef};

/// The text of [`ComparedWith::Board`].
const BOARD: &str = "board";

/// The reference that an answer is compared with: the column `against` of a cross-check. In sorted order, solvers precede the
/// definition, and the definition precedes published values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ComparedWith {
    /// The answer of a solver.
    Solver(SolverRef),
    /// The definition of a solution: a board is legal or not.
    #[default]
    Board,
    /// A published value, by its sequence in the OEIS.
    Published(String),
}

impl ComparedWith {
    /// The text in the column `against`.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Solver(solver) => solver.as_str(),
            Self::Board => BOARD,
            Self::Published(sequence) => sequence,
        }
    }
}

/// Whether a text is the number of a sequence in the OEIS: `A000170`.
fn is_sequence(text: &str) -> bool {
    let digits = text.strip_prefix('A');
    digits.is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

impl FromStr for ComparedWith {
    type Err = SolverError;

    fn from_str(text: &str) -> Result<Self, SolverError> {
        Ok(match text {
            BOARD => Self::Board,
            text if is_sequence(text) => Self::Published(text.to_owned()),
            text => Self::Solver(text.parse()?),
        })
    }
}

impl fmt::Display for ComparedWith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl PartialEq<str> for ComparedWith {
    fn eq(&self, text: &str) -> bool {
        self.as_str() == text
    }
}

impl PartialEq<&str> for ComparedWith {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == *text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_round_trip_and_are_ordered() {
        let parse = |text: &str| text.parse::<ComparedWith>().expect(text);
        let texts = ["backtrack/dlx", "program/A000170", "board", "A000170", "A319286"];
        assert_eq!(texts.map(|text| parse(text).to_string()), texts);
        assert!(texts.map(parse).is_sorted());
        assert_eq!(
            [parse("board"), parse("A000170")],
            [ComparedWith::Board, ComparedWith::Published("A000170".to_owned())]
        );
        assert_eq!(parse("A0001"), ComparedWith::Solver("A0001".into()));
        assert_eq!("".parse::<ComparedWith>(), Err(SolverError::NoId));
    }
}
