//! The boards of one notation, read piece by piece.

use std::collections::VecDeque;

use super::Notation;
use super::line::{Line, Numbers, counts};
use super::models::Models;
use super::row_boards::RowBoards;
use super::rows::Glyphs;
use super::square_boards::SquareBoards;
use super::tokens::NO_VALUE;
use crate::board::problem::Problem;
use crate::board::{Placement, Square, column};
use crate::judge::counted;

/// A board and the place where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The line of its first row, from 1.
    pub line: u64,
    /// The board.
    pub board: ParsedBoard,
    /// Whether the text ends in it, so that it may be incomplete.
    pub open: bool,
}

impl Parsed {
    pub(super) fn new(line: u64, board: ParsedBoard) -> Self {
        Self { line, board, open: false }
    }
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
        /// The first fault, such as `row 2 has no queen`.
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
        for &Square { row, column: of } in &queens {
            let fault = match columns.get_mut(row) {
                Some(queen) if of < n => match queen.replace(column(of)) {
                    None => continue,
                    Some(_) => format!("row {row} has several queens"),
                },
                _ => format!("a queen outside the board, in row {row}, column {of}"),
            };
            faults.get_or_insert(fault);
        }
        let missing = columns.iter().position(Option::is_none);
        match faults.or_else(|| missing.map(|row| format!("row {row} has no queen"))) {
            Some(fault) => ParsedBoard::Malformed { queens, fault, misshapen: false },
            None => {
                ParsedBoard::Placement(Placement::new(&columns.into_iter().flatten().collect::<Vec<u16>>()))
            }
        }
    }

    /// A board of columns that count from `first`.
    fn of_columns(n: usize, values: &[u32], first: u32) -> Self {
        let on_board = |&value: &u32| value >= first && ((value - first) as usize) < n;
        if values.len() == n && values.iter().all(on_board) {
            let columns: Vec<u16> = values.iter().map(|&value| column((value - first) as usize)).collect();
            return ParsedBoard::Placement(Placement::new(&columns));
        }
        let mut queens = Vec::new();
        let mut fault = None;
        for (row, &value) in values.iter().enumerate().take(2 * n) {
            match value.checked_sub(first) {
                Some(column) if value != NO_VALUE => queens.push(Square { row, column: column as usize }),
                Some(_) => fault = fault.or(Some(format!("row {row}: not a column number"))),
                None => fault = fault.or(Some(format!("row {row}: there is no column {value}"))),
            }
        }
        if values.len() == n {
            return ParsedBoard::of(n, queens, fault);
        }
        let found = counted(values.len() as u64, "column");
        ParsedBoard::misshapen(queens, format!("{found} instead of {n}"))
    }
}

/// What became of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is a board, a part of one, or parts two of them.
    Yes,
    /// It is none of these.
    No,
    /// It is prose that holds as many numbers as a board, which are not taken for one.
    Passed,
}

/// At most this many ways to introduce a board are remembered.
const FRAMES: usize = 16;

/// How the notation is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// It may be another one.
    Tried,
    /// The text decided.
    Detected,
    /// It was given.
    Given,
}

/// Reads the boards of one notation.
#[derive(Debug)]
pub(super) struct Boards<'a> {
    /// The notation.
    pub notation: Notation,
    problem: &'a Problem,
    n: usize,
    certainty: Certainty,
    rows: RowBoards,
    squares: SquareBoards,
    models: Models,
    /// Whether boards are in brackets, like the first one: then two numbers in brackets resemble a board.
    bracketed: bool,
    /// The words around boards in prose that were solutions. Other prose may be a trace of the search.
    pub frames: Vec<String>,
}

impl<'a> Boards<'a> {
    pub fn new(notation: Notation, problem: &'a Problem, certainty: Certainty) -> Self {
        let n = problem.n().get();
        let first = (notation == Notation::Squares).then_some(0);
        let (rows, squares, models) = (RowBoards::new(n), SquareBoards::new(n, first), Models::new(n));
        Self { notation, problem, n, certainty, rows, squares, models, bracketed: false, frames: Vec::new() }
    }

    /// Reads one piece of text; whole boards go to `out`.
    pub fn take(&mut self, at: u64, line: &Line, out: &mut VecDeque<Parsed>) -> Taken {
        match (self.notation, line) {
            (_, &Line::End { rule }) => self.end(rule, out),
            // A count, or the only queen.
            (_, Line::Numbers(numbers))
                if self.n == 1
                    && numbers.values.len() == 1
                    && !numbers.bracketed
                    && self.certainty != Certainty::Given =>
            {
                return Taken::No;
            }
            (Notation::Columns | Notation::Columns1, Line::Numbers(numbers)) => {
                return self.columns(at, numbers, out);
            }
            (Notation::Digits | Notation::Digits0, Line::Numbers(numbers)) => {
                return self.digits(at, numbers, out);
            }
            (Notation::Binary, Line::Numbers(Numbers { values, frame: Some(_), .. }))
                if values.len() != self.n
                    || values.iter().map(|&value| u64::from(value)).sum::<u64>() != 1 =>
            {
                return if values.len() < self.n { Taken::No } else { Taken::Passed };
            }
            (Notation::Binary, Line::Numbers(numbers)) => return self.rows.bits(at, numbers, out),
            (notation, Line::Rows(rows)) => {
                // In `fen`, a board of one queen is a plain `Q`.
                let is_own = rows.glyphs.notation() == notation
                    || notation == Notation::Fen && self.n == 1 && rows.glyphs == Glyphs::Drawn;
                if !is_own {
                    return Taken::No;
                }
                self.rows.rows(at, rows, out);
            }
            (Notation::Squares, Line::Squares(squares, strange)) => {
                let index = |index: usize| u32::try_from(index).unwrap_or(NO_VALUE);
                let squares = squares.iter().map(|square| [index(square.row), index(square.column)]);
                self.squares.queens(at, squares, strange.as_ref(), out);
            }
            (Notation::Pairs, Line::Pairs(pairs)) => {
                self.squares.queens(at, pairs.iter().map(|&(row, column)| [row, column]), None, out);
            }
            (Notation::Pairs, Line::Numbers(Numbers { values, frame, .. })) if values.len() == 2 => {
                if frame.is_some() {
                    return Taken::Passed;
                }
                self.squares.queens(at, std::iter::once([values[0], values[1]]), None, out);
            }
            (Notation::Dimacs, Line::Literals(literals)) => {
                self.models.literals(at, literals.as_deref(), out);
            }
            _ => return Taken::No,
        }
        Taken::Yes
    }

    /// Ends a board of several lines, whether it is complete or not.
    pub fn end(&mut self, rule: bool, out: &mut VecDeque<Parsed>) {
        self.rows.end(rule, out);
        self.squares.end(out);
        self.models.end(out);
    }

    /// Reads a board of columns. Too few numbers may be a count or a time.
    fn columns(&mut self, at: u64, numbers: &Numbers, out: &mut VecDeque<Parsed>) -> Taken {
        let (n, values) = (self.n, &numbers.values[..]);
        if let Some(frame) = &numbers.frame {
            return self.in_prose(at, values, frame, out);
        }
        if self.is_row(values) {
            return Taken::No;
        }
        let below = values.len().max(n);
        let resembles =
            2 * values.len() > n && values.iter().all(|&value| value as usize <= below || value == NO_VALUE);
        if values.len() == n {
            self.bracketed |= numbers.bracketed;
        } else if values.len() < 2 || !resembles && !(numbers.bracketed && self.bracketed) {
            return Taken::No;
        }
        self.push(at, values, out)
    }

    /// Reads a number in which each digit is a column.
    fn digits(&mut self, at: u64, numbers: &Numbers, out: &mut VecDeque<Parsed>) -> Taken {
        let n = self.n;
        let values: Vec<u32> = numbers.digits.iter().map(|digit| u32::from(digit - b'0')).collect();
        // More or fewer digits than n may be a count or a time.
        let resembles =
            2 * values.len() > n + 1 && values.iter().all(|&digit| digit as usize <= n.max(values.len()));
        match &numbers.frame {
            _ if self.is_row(&values) => Taken::No,
            Some(frame) => self.in_prose(at, &values, frame, out),
            None if values.len() == n || resembles => self.push(at, &values, out),
            None => Taken::No,
        }
    }

    /// Reads a board in prose: a solution, or a board in the words in which there was a solution before.
    fn in_prose(&mut self, at: u64, values: &[u32], frame: &String, out: &mut VecDeque<Parsed>) -> Taken {
        if values.len() < self.n {
            return Taken::No;
        }
        let board = ParsedBoard::of_columns(self.n, values, self.first());
        let is_known = self.frames.contains(frame);
        let is_solution =
            matches!(&board, ParsedBoard::Placement(board) if self.problem.is_solution(board.columns()));
        if is_solution && !is_known && self.frames.len() < FRAMES {
            self.frames.push(frame.clone());
        }
        if is_solution || is_known {
            out.push_back(Parsed::new(at, board));
            return Taken::Yes;
        }
        if counts(values) { Taken::No } else { Taken::Passed }
    }

    /// Whether numbers speak for a matrix of zeros and ones, because all queens but one would be in the first column.
    fn is_row(&self, values: &[u32]) -> bool {
        let bits = || values.iter().map(|&value| u64::from(value));
        self.certainty == Certainty::Tried
            && self.n > 2
            && bits().max() == Some(1)
            && bits().sum::<u64>() == 1
    }

    fn first(&self) -> u32 {
        u32::from(matches!(self.notation, Notation::Columns1 | Notation::Digits))
    }

    fn push(&self, at: u64, values: &[u32], out: &mut VecDeque<Parsed>) -> Taken {
        out.push_back(Parsed::new(at, ParsedBoard::of_columns(self.n, values, self.first())));
        Taken::Yes
    }

    /// Numbers among boards that are not made of numbers: as a board that is no solution, if they resemble one.
    /// Column numbers do not.
    pub fn among_others(problem: &Problem, numbers: &Numbers) -> Option<ParsedBoard> {
        let (n, values) = (problem.n().get(), &numbers.values[..]);
        let on_board = values.iter().all(|&value| value as usize <= n);
        let resembles =
            numbers.frame.is_none() && values.len() == n && n > 1 && (on_board || numbers.bracketed);
        let board = (resembles && !counts(values))
            .then(|| ParsedBoard::of_columns(n, values, u32::from(!values.contains(&0))))?;
        Some(board).filter(
            |board| !matches!(board, ParsedBoard::Placement(board) if problem.is_solution(board.columns())),
        )
    }
}
