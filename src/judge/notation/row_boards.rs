//! Boards from rows: `n` rows make a board.
//!
//! An empty line, the end of a list, a rule (unless bars frame the cells) and the end of the text end a board early: it is
//! malformed, not ignored.

use std::collections::VecDeque;

use super::boards::{Parsed, ParsedBoard, Taken};
use super::line::{Numbers, counts};
use super::rows::{Row, Rows};
use crate::board::Square;
use crate::judge::counted;

#[derive(Debug, Default)]
pub(super) struct RowBoards {
    n: usize,
    line: u64,
    rows: Vec<Row>,
    /// Whether bars frame the cells of the last row.
    framed: bool,
}

impl RowBoards {
    pub fn new(n: usize) -> Self {
        Self { n, ..Self::default() }
    }

    /// Reads the rows of one line or list.
    pub fn rows(&mut self, at: u64, rows: &Rows, out: &mut VecDeque<Parsed>) {
        // A run of dashes, dots or stars separates boards, unless it can be a row of one.
        let is_row = !self.rows.is_empty() && rows.rows[0].width == self.n && !self.framed;
        if rows.uniform && !is_row {
            return self.end(true, out);
        }
        // Several rows in one list are one board or several, never a part of one.
        let whole = rows.rows.len() > 1;
        if whole {
            self.end(false, out);
        }
        for row in &rows.rows {
            self.row(at, row.clone(), rows.framed, out);
        }
        if whole {
            self.end(false, out);
        }
    }

    /// Reads a row of zeros and ones, each a number or all of them one number, perhaps preceded by the number of the row.
    pub fn bits(&mut self, at: u64, numbers: &Numbers, out: &mut VecDeque<Parsed>) -> Taken {
        let (n, row) = (self.n, self.rows.len());
        let digits: Vec<u32> = numbers.digits.iter().map(|digit| u32::from(digit - b'0')).collect();
        let mut values = if digits.is_empty() { &numbers.values[..] } else { &digits };
        let is_row = digits.len() == n || 2 * digits.len() > n + 1;
        if !digits.is_empty() && (digits.iter().any(|&digit| digit > 1) || !is_row) {
            // A count or a time.
            return Taken::No;
        }
        if values.len() == n + 1 && [row, row + 1, n - row, n - row - 1].contains(&(values[0] as usize)) {
            values = &values[1..];
        }
        let mut cells = Row { width: values.len(), ..Row::default() };
        for (column, &value) in values.iter().enumerate() {
            match value {
                0 => {}
                1 => cells.queens.push(column),
                _ => cells.strange = cells.strange.or(char::from_digit(value, 10)).or(Some('?')),
            }
        }
        // Other numbers may mean anything, in particular the numbers of the columns.
        let strange = values.iter().filter(|&&value| value > 1).count();
        if strange > 0 && (cells.width != n || 2 * strange > n || counts(values)) {
            return Taken::No;
        }
        self.row(at, cells, false, out);
        Taken::Yes
    }

    fn row(&mut self, at: u64, mut row: Row, framed: bool, out: &mut VecDeque<Parsed>) {
        let n = self.n;
        // A lone glyph is an initial or a bullet; cells without a queen may be an ellipsis.
        if row.width != n && (row.width < 2 || row.queens.is_empty() && row.marks.is_empty()) {
            return;
        }
        if self.rows.is_empty() {
            self.line = at;
        }
        self.framed = framed;
        // A board cannot be wider than this; reading on would only take memory.
        row.queens.truncate(2 * n);
        row.marks.truncate(if row.queens.is_empty() { 2 * n } else { 0 });
        self.rows.push(row);
        if self.rows.len() == n {
            self.end(false, out);
        }
    }

    /// Ends the current board, if there is one, whether it is complete or not. A rule may stand between framed rows.
    pub fn end(&mut self, rule: bool, out: &mut VecDeque<Parsed>) {
        if rule && self.framed {
            return;
        }
        self.framed = false;
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return;
        }
        // Marks such as `X` are queens if the whole board has no other ones.
        let marks = rows.iter().all(|row| row.queens.is_empty());
        let queens = |row: &Row| if marks { row.marks.clone() } else { row.queens.clone() };
        let squares = rows
            .iter()
            .enumerate()
            .flat_map(|(row, cells)| queens(cells).into_iter().map(move |column| Square { row, column }));
        let n = self.n;
        let misfit = rows.iter().position(|row| row.width != n);
        let strange = rows.iter().enumerate().find_map(|(index, row)| Some((index, row.strange?)));
        let board = match misfit {
            Some(row) => {
                let cells = counted(rows[row].width as u64, "cell");
                ParsedBoard::misshapen(squares.collect(), format!("row {row} has {cells} instead of {n}"))
            }
            None if rows.len() != n => {
                let rows = counted(rows.len() as u64, "row");
                ParsedBoard::misshapen(squares.collect(), format!("{rows} instead of {n}"))
            }
            None => {
                let fault =
                    strange.map(|(row, cell)| format!("row {row}: '{}' is not a cell", cell.escape_debug()));
                ParsedBoard::of(n, squares.collect(), fault)
            }
        };
        out.push_back(Parsed::new(self.line, board));
    }
}
