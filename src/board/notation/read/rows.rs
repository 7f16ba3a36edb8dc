//! Reads boards from rows: `n` rows make a board, or several boards side by side.
//!
//! An empty line, the end of a list, a rule (unless bars frame the cells) and the end of the text end a board
//! early: it is malformed, not ignored. If an empty line follows the first row and each later one, the board
//! is double-spaced, and two empty lines end it.

use std::collections::VecDeque;

use super::super::line::{Glyphs, Row, Rows};
use super::super::parsed::{Parsed, ParsedBoard};
use crate::board::Square;
use crate::words::counted;

/// The maximum number of boards side by side.
const SIDE_BY_SIDE: usize = 64;

#[derive(Debug)]
pub(super) struct RowReader {
    n: usize,
    /// How cells are written: like the first row.
    pub glyphs: Option<Glyphs>,
    pending: Pending,
}

/// A board whose end has not been seen.
#[derive(Debug, Default)]
struct Pending {
    line: u64,
    rows: Vec<Row>,
    framed: bool,
    /// `blank`: whether an empty line follows the last row. `spaced`: whether one followed each row before
    /// it. `last_line`: the line of the last row.
    blank: bool,
    spaced: bool,
    last_line: u64,
}

impl RowReader {
    pub fn new(n: usize, glyphs: Option<Glyphs>) -> Self {
        Self { n, glyphs, pending: Pending::default() }
    }

    /// Whether a board has begun.
    pub fn has_begun(&self) -> bool {
        !self.pending.rows.is_empty()
    }

    /// Whether all rows of a board have been read, so that the next line shows whether the last one belongs
    /// to the next board.
    pub fn awaits_row(&self) -> bool {
        self.pending.rows.len() == self.n
    }

    pub fn set_framed(&mut self, framed: bool) {
        self.pending.framed = framed;
    }

    pub fn is_framed(&self) -> bool {
        self.pending.framed
    }

    /// Reads the rows of one line or list.
    pub fn rows(&mut self, at: u64, rows: Rows, out: &mut VecDeque<Parsed>) {
        // In `fen`, a board of one queen is a plain `Q`.
        let is_known = |known| known == rows.glyphs || known == Glyphs::Fen && self.n == 1;
        if !self.glyphs.is_none_or(is_known) {
            return;
        }
        let before = out.len();
        // A run of dashes, dots or stars separates boards, unless it can be a row of one.
        let inside = self.has_begun();
        if rows.uniform && !(inside && rows.rows[0].width == self.n && !self.pending.framed) {
            if !self.pending.framed {
                self.end(out);
            }
            return;
        }
        // Several rows in one list are one board or several, never a part of one.
        let whole = rows.rows.len() > 1;
        if whole {
            self.end(out);
        }
        for row in rows.rows {
            self.row(at, row, rows.framed, out);
        }
        if whole {
            self.end(out);
        }
        if self.has_begun() || out.len() > before {
            self.glyphs.get_or_insert(rows.glyphs);
        }
    }

    /// Reads a row of zeros and ones, each a number, perhaps preceded by the number of the row. Returns false
    /// if it is not such a row.
    pub fn bits(&mut self, at: u64, values: &[u32], out: &mut VecDeque<Parsed>) -> bool {
        let row = self.pending.rows.len() % self.n.max(1);
        let numbered = values.len() == self.n + 1
            && [row, row + 1, self.n - row, self.n - row - 1].contains(&(values[0] as usize));
        let values = if numbered { &values[1..] } else { values };
        let mut cells = Row { width: values.len(), ..Row::default() };
        for (column, &value) in values.iter().enumerate() {
            match value {
                0 => {}
                1 => cells.queens.push(column),
                _ => cells.strange = cells.strange.or(char::from_digit(value, 10)).or(Some('?')),
            }
        }
        // Other numbers may mean anything, in particular the numbers of the columns.
        let counts_up = values.windows(2).all(|two| two[1] == two[0].wrapping_add(1));
        if cells.strange.is_some() && (cells.width != self.n || counts_up) {
            return false;
        }
        self.glyphs.get_or_insert(Glyphs::Bits);
        self.row(at, cells, false, out);
        true
    }

    fn row(&mut self, at: u64, mut row: Row, framed: bool, out: &mut VecDeque<Parsed>) {
        let n = self.n;
        // A lone glyph is an initial or a bullet; cells without a queen may be an ellipsis.
        if row.width != n && (row.width < 2 || row.queens.is_empty() && row.marks.is_empty()) {
            return;
        }
        let parted = std::mem::take(&mut self.pending.blank);
        match self.pending.rows.len() {
            1 => self.pending.spaced = parted,
            2.. if self.pending.spaced && !parted => self.begin_with_last_row(out),
            _ => {}
        }
        if !self.has_begun() {
            self.pending.line = at;
        }
        self.pending.last_line = at;
        self.pending.framed = framed;
        // A board cannot be wider than this; reading on would only take memory.
        row.queens.truncate(2 * n.max(row.width / n));
        row.marks.truncate(if row.queens.is_empty() { 2 * n.max(row.width / n) } else { 0 });
        self.pending.rows.push(row);
        // In a double-spaced board, the next line shows whether this row is the last one.
        if self.pending.rows.len() == n && !self.pending.spaced {
            self.end(out);
        }
    }

    /// An empty line ends a board, unless it may be one of the lines between the rows of a double-spaced
    /// board.
    pub fn blank_line(&mut self, out: &mut VecDeque<Parsed>) {
        let pending = &mut self.pending;
        if !pending.blank && (pending.rows.len() == 1 || !pending.rows.is_empty() && pending.spaced) {
            pending.blank = true;
        } else {
            self.end(out);
        }
    }

    /// Without an empty line between the last row and the next one, both rows belong to a board that is not
    /// double-spaced, and the board before the last row has ended.
    fn begin_with_last_row(&mut self, out: &mut VecDeque<Parsed>) {
        let (line, framed) = (self.pending.last_line, self.pending.framed);
        let Some(row) = self.pending.rows.pop() else { return };
        self.end(out);
        self.row(line, row, framed, out);
    }

    /// Ends the current board, if there is one, whether it is complete or not.
    pub fn end(&mut self, out: &mut VecDeque<Parsed>) {
        if !self.has_begun() {
            self.pending.framed = false;
            return;
        }
        let Pending { line, rows, .. } = std::mem::take(&mut self.pending);
        // Marks such as `X` are queens if the whole board has no other ones.
        let marks = rows.iter().all(|row| row.queens.is_empty());
        let queens = |row: &Row| if marks { row.marks.clone() } else { row.queens.clone() };
        // Wider rows with one queen each are rows of a larger board.
        let n = self.n;
        let width = rows.iter().map(|row| row.width).max().unwrap_or(0);
        let several = rows.iter().any(|row| queens(row).len() > 1);
        let beside =
            if several && width.is_multiple_of(n) && width / n <= SIDE_BY_SIDE { width / n } else { 1 };
        let mut parts: Vec<Vec<Square>> = vec![Vec::new(); beside];
        for (row, cells) in rows.iter().enumerate() {
            for column in queens(cells) {
                let part = (column / n).min(beside - 1);
                parts[part].push(Square { row, column: column - part * n });
            }
        }
        let misfit = rows.iter().position(|row| row.width != beside * n);
        let strange = rows.iter().enumerate().find_map(|(index, row)| Some((index, row.strange?)));
        for squares in parts {
            let board = match (misfit, strange) {
                (Some(row), _) => {
                    let (number, cells) = (row + 1, counted(rows[row].width, "cell"));
                    ParsedBoard::misshapen(squares, format!("row {number} has {cells} instead of {n}"))
                }
                (None, _) if rows.len() != n => {
                    ParsedBoard::misshapen(squares, format!("{} instead of {n}", counted(rows.len(), "row")))
                }
                (None, strange) => {
                    let fault = |(index, cell): (usize, char)| {
                        format!("row {}: '{}' is not a cell", index + 1, cell.escape_debug())
                    };
                    ParsedBoard::of(n, squares, strange.map(fault))
                }
            };
            out.push_back(Parsed { line, board });
        }
    }
}
