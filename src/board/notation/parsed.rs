//! The output of a reader: boards as they are in the text, whole or malformed.

use crate::board::{Placement, Square, column as stored};

/// A board and the place where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The line of its first row, from 1.
    pub line: u64,
    /// The board.
    pub board: ParsedBoard,
}

/// A board as it is in the text. Attacks between queens are not checked here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedBoard {
    /// One queen per row, all on the board.
    Placement(Placement),
    /// Anything else.
    Malformed {
        /// Its queens in the order of the text, from 0; they may be outside the board.
        queens: Vec<Square>,
        /// The first fault, such as `row 2 has no queen`; rows and columns count from 1 here.
        fault: String,
        /// Whether even its size differs from the expected size.
        misshapen: bool,
    },
}

impl ParsedBoard {
    /// A board whose size differs from the expected size.
    pub(super) fn misshapen(queens: Vec<Square>, fault: String) -> Self {
        ParsedBoard::Malformed { queens, fault, misshapen: true }
    }

    /// A placement, if there is one queen per row; otherwise malformed with the given fault, or else with the
    /// first one found.
    pub(super) fn of(n: usize, queens: Vec<Square>, fault: Option<String>) -> Self {
        let mut columns: Vec<Option<u16>> = vec![None; n];
        let mut faults = fault;
        for &Square { row, column } in &queens {
            let fault = match columns.get_mut(row) {
                Some(queen) if column < n => match queen.replace(stored(column)) {
                    None => continue,
                    Some(_) => format!("row {} has several queens", row + 1),
                },
                _ => format!("a queen outside the board, in row {}, column {}", row + 1, column + 1),
            };
            faults.get_or_insert(fault);
        }
        let missing = columns.iter().position(Option::is_none);
        let fault = faults.or_else(|| missing.map(|row| format!("row {} has no queen", row + 1)));
        match fault {
            Some(fault) => ParsedBoard::Malformed { queens, fault, misshapen: false },
            None => {
                ParsedBoard::Placement(Placement::new(&columns.into_iter().flatten().collect::<Vec<u16>>()))
            }
        }
    }
}
