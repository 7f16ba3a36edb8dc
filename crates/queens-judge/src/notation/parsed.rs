//! Boards as they are passed to the judge.

use super::candidate::Candidate;
use queens_board::number::counted;
use queens_board::{Placement, Square};

/// A board and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The line where the board begins, from 1.
    pub line: u64,
    /// The board.
    pub board: ParsedBoard,
    /// Whether the text ends within the last line of the board, so that the board may be incomplete.
    pub is_open: bool,
}

/// A board as it is in the text. Attacks between queens are not checked here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedBoard {
    /// One queen in each row, all of them on the board.
    Placement(Placement),
    /// A board that is not a placement.
    Malformed {
        /// Its queens in the order of the text, from 0; they may be outside the board.
        queens: Vec<Square>,
        /// The first fault, such as `row 2 has no queen`.
        fault: String,
    },
}

impl Parsed {
    /// The board of a candidate; `None` if the candidate is not certainly a board of side `n`.
    pub(super) fn from_candidate(candidate: Candidate, n: usize) -> Option<Self> {
        let (line, board) = match candidate {
            Candidate::Board { line, columns } if columns.iter().all(|&column| (column as usize) < n) => {
                (line, ParsedBoard::Placement(Placement::new(&columns)))
            }
            Candidate::Board { line, columns } => {
                let queens: Vec<[u32; 2]> = (0..).zip(columns).map(<[u32; 2]>::from).collect();
                (line, malformed(&queens, fault(&queens, n)))
            }
            Candidate::Malformed { line, queens } => (line, malformed(&queens, fault(&queens, n))),
            Candidate::WrongLength { line, queens, count, noun } => {
                (line, malformed(&queens, format!("{} instead of {n}", counted(count as u64, noun))))
            }
            Candidate::Doubtful { .. } | Candidate::OtherSize { .. } => return None,
        };
        Some(Self { line, board, is_open: false })
    }
}

fn malformed(queens: &[[u32; 2]], fault: String) -> ParsedBoard {
    let square = |&[row, column]: &[u32; 2]| Square { row: row as usize, column: column as usize };
    ParsedBoard::Malformed { queens: queens.iter().map(square).collect(), fault }
}

/// The first fault of a board that does not have exactly one queen in each row.
fn fault(queens: &[[u32; 2]], n: usize) -> String {
    let mut rows = vec![0_u32; n];
    for &[row, column] in queens {
        if row == u32::MAX || column == u32::MAX {
            return "a row or column is not a valid number".to_owned();
        }
        match rows.get_mut(row as usize).filter(|_| (column as usize) < n) {
            Some(count) => *count += 1,
            None => return format!("a queen outside the board, in row {row}, column {column}"),
        }
    }
    match rows.iter().position(|&count| count != 1) {
        Some(row) if rows[row] == 0 => format!("row {row} has no queen"),
        Some(row) => format!("row {row} has several queens"),
        // Each row has one queen, so the fault is that of a model of a SAT solver.
        None => "a literal contradicts another literal".to_owned(),
    }
}
