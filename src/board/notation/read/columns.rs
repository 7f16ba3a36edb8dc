//! Reads boards from lines of numbers, one board per line: finds the possible meanings of a line while the
//! notation is not decided, and the boards of columns once it is.

use std::collections::VecDeque;

use super::super::line::{NO_VALUE, Numbers};
use super::super::parsed::{Parsed, ParsedBoard};
use super::Notation;
use crate::board::{Placement, Square, column, is_solution};
use crate::words::counted;

/// The possible meanings of a line of numbers.
#[derive(Debug, Default)]
pub(super) struct Readings {
    /// The notations in which it is a board, or a row of one.
    pub families: Vec<Notation>,
    /// Whether it may also be a plain number.
    pub or_number: bool,
    /// Whether it may number the columns of a board below it.
    pub or_heading: bool,
    /// Whether it resembles a board but is not one.
    pub malformed: bool,
}

impl Readings {
    /// The possible meanings of a line about boards of side `n`.
    pub fn of(numbers: &Numbers, n: usize) -> Readings {
        let lone = numbers.values.len() == 1;
        let readings = |families: &[Notation], or_number| Readings {
            families: families.to_vec(),
            or_number,
            ..Readings::default()
        };
        let malformed = Readings { malformed: true, ..Readings::default() };
        if n == 1 && lone {
            return match (numbers.values[0], numbers.bracketed) {
                (0, bracketed) => readings(&[Notation::Columns], !bracketed),
                (1, true) => readings(&[Notation::Columns1], false),
                (1, false) => readings(&[Notation::Columns1, Notation::Digits, Notation::Binary], true),
                _ => Readings::default(),
            };
        }
        let values = if lone { digits(numbers) } else { numbers.values.clone() };
        if lone && values.len() != n {
            return if resembles_digits(&values, n) { malformed } else { Readings::default() };
        }
        if n == 1 {
            return Readings::default();
        }
        let boards = values.chunks(n.max(1));
        let whole = values.len().is_multiple_of(n);
        let below = |&value: &u32| value as usize <= n.max(values.len()) || value == NO_VALUE;
        let plausible = values.len() == n && !lone || 2 * values.len() > n && values.iter().all(below);
        let bits = values.iter().all(|&value| value <= 1);
        let one_each = |values: &[u32]| values.iter().filter(|&&value| value == 1).count() == 1;
        if bits && whole {
            return match n {
                3.. if boards.clone().all(one_each) => readings(&[Notation::Binary], false),
                _ if lone => readings(&[Notation::Binary], true),
                _ => readings(&[Notation::Columns, Notation::Binary], false),
            };
        }
        // A row preceded by its number.
        if values.len() == n + 1 && n > 2 && !lone {
            let number = values[0] as usize;
            if [0, 1, n - 1, n].contains(&number)
                && values[1..].iter().all(|&v| v <= 1)
                && one_each(&values[1..])
            {
                return readings(&[Notation::Binary], false);
            }
        }
        let zero = values.contains(&0);
        let top = values.iter().any(|&value| value as usize == n);
        let on_board = values.iter().all(|&value| value as usize <= n);
        let family = |first: u32| match (lone, first) {
            (true, 0) => Notation::Digits0,
            (true, _) => Notation::Digits,
            (false, 0) => Notation::Columns,
            (false, _) => Notation::Columns1,
        };
        if lone {
            let distinct = (0..values.len()).all(|at| !values[..at].contains(&values[at]));
            return match (whole && on_board && distinct, zero, top) {
                (true, true, false) => readings(&[family(0)], false),
                (true, false, true) => readings(&[family(1)], false),
                _ if plausible => readings(&[family(1)], true),
                _ => Readings::default(),
            };
        }
        match (whole && on_board, zero, top) {
            (true, true, false) | (true, false, true) => {
                Readings { or_heading: counts(&values), ..readings(&[family(u32::from(top))], false) }
            }
            (true, false, false) => readings(&[family(0), family(1)], false),
            _ if plausible => malformed,
            _ => Readings::default(),
        }
    }
}

fn digits(numbers: &Numbers) -> Vec<u32> {
    numbers.digits.iter().map(|digit| u32::from(digit - b'0')).collect()
}

/// Whether a number with more or fewer than `n` digits resembles a board rather than a count or a time.
fn resembles_digits(digits: &[u32], n: usize) -> bool {
    2 * digits.len() > n + 1 && digits.iter().all(|&digit| digit as usize <= n.max(digits.len()))
}

/// Whether numbers count up or down by one, like column numbers.
fn counts(values: &[u32]) -> bool {
    values.windows(2).all(|two| two[1] == two[0].wrapping_add(1))
        || values.windows(2).all(|two| two[0] == two[1].wrapping_add(1))
}

/// Reads boards of columns.
#[derive(Debug)]
pub(super) struct ColumnReader {
    n: usize,
    /// Whether boards are in brackets, like the first one: then two numbers in brackets resemble a board.
    bracketed: bool,
}

impl ColumnReader {
    pub fn new(n: usize) -> Self {
        Self { n, bracketed: false }
    }

    /// Reads columns numbered from `first`. Too few numbers may be a count or a time.
    pub fn columns(&mut self, at: u64, numbers: &Numbers, first: u32, out: &mut VecDeque<Parsed>) {
        let (n, values) = (self.n, &numbers.values[..]);
        if values.len() == n {
            self.bracketed |= numbers.bracketed;
            return self.board(at, values, first, out);
        }
        if values.len() > n && values.len().is_multiple_of(n) && !values.contains(&NO_VALUE) {
            return values.chunks_exact(n).for_each(|board| self.board(at, board, first, out));
        }
        let below = values.len().max(n);
        let resembles =
            2 * values.len() > n && values.iter().all(|&value| value as usize <= below || value == NO_VALUE);
        if values.len() > 1 && (resembles || numbers.bracketed && self.bracketed) {
            self.board(at, values, first, out);
        }
    }

    /// Reads a number in which each digit is a column.
    pub fn digits(&mut self, at: u64, numbers: &Numbers, first: u32, out: &mut VecDeque<Parsed>) {
        let values = digits(numbers);
        let length = values.len();
        if numbers.values.len() == 1 && (length == self.n || resembles_digits(&values, self.n)) {
            self.board(at, &values, first, out);
        }
    }

    fn board(&mut self, at: u64, values: &[u32], first: u32, out: &mut VecDeque<Parsed>) {
        let n = self.n;
        let on_board = |&value: &u32| value >= first && ((value - first) as usize) < n;
        if values.len() == n && values.iter().all(on_board) {
            let columns: Vec<u16> = values.iter().map(|&value| column((value - first) as usize)).collect();
            let board = ParsedBoard::Placement(Placement::new(&columns));
            return out.push_back(Parsed { line: at, board });
        }
        let mut queens = Vec::new();
        let mut fault = None;
        for (row, &value) in values.iter().enumerate().take(2 * n) {
            match value.checked_sub(first) {
                Some(column) if value != NO_VALUE => queens.push(Square { row, column: column as usize }),
                None => fault = fault.or(Some(format!("row {}: there is no column {value}", row + 1))),
                Some(_) => fault = fault.or(Some(format!("row {}: not a column number", row + 1))),
            }
        }
        let board = if values.len() == n {
            ParsedBoard::of(n, queens, fault)
        } else {
            ParsedBoard::misshapen(queens, format!("{} instead of {n}", counted(values.len(), "column")))
        };
        out.push_back(Parsed { line: at, board });
    }

    /// Reads numbers among boards in another notation. They matter only if they resemble a board that is not
    /// a solution. Column numbers are not a board.
    pub fn among_others(&mut self, at: u64, numbers: &Numbers, out: &mut VecDeque<Parsed>) {
        let values = &numbers.values;
        let on_board = values.iter().all(|&value| value as usize <= self.n);
        if values.len() != self.n || self.n < 2 || counts(values) || !(on_board || numbers.bracketed) {
            return;
        }
        let first = u32::from(!values.contains(&0));
        let columns: Option<Vec<u16>> =
            values.iter().map(|&value| u16::try_from(value.checked_sub(first)?).ok()).collect();
        if !columns.is_some_and(|columns| is_solution(&columns)) {
            self.board(at, values, first, out);
        }
    }
}
