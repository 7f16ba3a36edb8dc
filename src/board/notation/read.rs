//! Text to boards, one by one, in bounded memory.
//!
//! Each segment of the text gets its kind from [`Line::of`]; here, size and memory decide:
//!
//! - The first board decides the notation; after it, text in another one is prose. Without a board
//!   first, numbers that can be read in two ways are an error that names both.
//! - Rows make a board when there are `n` of them. An empty line, the end of a list, a rule (unless bars
//!   frame the cells) and the end of the text end a board early: it is malformed, not ignored. Where an
//!   empty line follows the first row and each one after it, the board is double-spaced, and two end it.
//! - Lines of one square make a board when there are `n` of them; more than half of them, and a blank line or
//!   the end of the text, make a malformed one. Fewer are prose.
//! - Prose counts for nothing, between the rows of a board too. A text of prose alone is unreadable,
//!   unless it says that there is no solution or is empty.
//! - `matrix`, `list`, `underscore`, `stars` and `unicode` are read alike. `columns` and `columns1` are
//!   told apart by a 0 or an n, and `json` is `columns`. Squares and pairs `(row, column)` are found
//!   only where no notation is given.
//! - n = 1: a bare `0` or `1` may be a count: an error without a notation. n = 2: `0 1` may be `binary`.
//! - n = 0: each empty line, empty list in a list, `v 0` or frame around nothing is one board.

use std::collections::VecDeque;
use std::io::BufRead;

use super::error::ReadError;
use super::found::{Board, Found};
use super::line::{Line, Numbers, Row, Rows};
use super::segment::Segments;
use super::{Notation, NotationError};
use crate::board::{Placement, Square};

/// How the boards of a text are written, as far as reading goes. Numbers: where columns begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Columns(u32),
    Digits(u32),
    Binary,
    Rows,
    Squares,
    Pairs,
    Literals,
}

/// Reads boards of one size. An iterator that ends after its first error.
#[derive(Debug)]
pub struct Reader<R> {
    segments: Segments<R>,
    n: usize,
    limit: usize,
    family: Option<Family>,
    pending: Pending,
    ready: VecDeque<Found>,
    any_board: bool,
    says_none: bool,
    first_text: Option<(u64, String)>,
    done: bool,
}

/// A board of which the end has not been seen.
#[derive(Debug, Default)]
struct Pending {
    line: u64,
    rows: usize,
    framed: bool,
    queens: Vec<Square>,
    /// Whether an empty line follows the last row; whether one followed each row before it, which is then
    /// kept with its line.
    blank: bool,
    spaced: bool,
    last: Option<(u64, Row)>,
    pairs: Vec<(u32, u32)>,
    /// Squares, a line each.
    squares: Vec<Square>,
    literals: bool,
    fault: Option<String>,
}

impl<R: BufRead> Reader<R> {
    /// A reader of boards of side `n`, which finds out the notation unless it is given.
    /// An error if boards of this size have no such notation, or it is only written (`svg`).
    pub fn new(input: R, n: usize, notation: Option<Notation>) -> Result<Self, NotationError> {
        let family = match notation {
            None => None,
            Some(notation) => {
                notation.admit(n)?;
                Some(match notation {
                    Notation::Columns | Notation::Json => Family::Columns(0),
                    Notation::Columns1 => Family::Columns(1),
                    Notation::Digits => Family::Digits(1),
                    Notation::Binary => Family::Binary,
                    Notation::Dimacs => Family::Literals,
                    Notation::Svg => return Err(NotationError::WriteOnly(notation)),
                    _ => Family::Rows,
                })
            }
        };
        // A generous model line: every square with its sign, eight digits and a blank.
        let limit = (1 << 16) + 16 * n.min(crate::board::BoardSize::MAX).pow(2);
        Ok(Self {
            segments: Segments::new(input, limit),
            n,
            limit,
            family,
            pending: Pending::default(),
            ready: VecDeque::new(),
            any_board: false,
            says_none: false,
            first_text: None,
            done: false,
        })
    }

    /// How the boards are written, as far as it is known by now: the word for `--notation`, or
    /// `squares`, `pairs`, `digits from 0`, which are found but never given.
    pub fn reading(&self) -> Option<&'static str> {
        Some(match self.family? {
            Family::Columns(0) => Notation::Columns.name(),
            Family::Columns(_) => Notation::Columns1.name(),
            Family::Digits(0) => "digits from 0",
            Family::Digits(_) => Notation::Digits.name(),
            Family::Binary => Notation::Binary.name(),
            Family::Rows => Notation::Matrix.name(),
            Family::Squares => "squares",
            Family::Pairs => "pairs",
            Family::Literals => Notation::Dimacs.name(),
        })
    }

    /// Reads one segment; false at the end of the text.
    fn step(&mut self) -> Result<bool, ReadError> {
        let Some(segment) = self.segments.advance().map_err(ReadError::Io)? else {
            self.end_board();
            return self.end_text().map(|()| false);
        };
        let at = segment.line;
        if segment.too_long {
            return Err(ReadError::TooLong { line: at, limit: self.limit });
        }
        if self.first_text.is_none() && !self.segments.text().trim_ascii().is_empty() {
            self.first_text = Some((at, self.excerpt()));
        }
        if self.n == 0 {
            self.empty_board(at);
            return Ok(true);
        }
        let line = Line::of(self.segments.text());
        if self.pending.rows == self.n && !self.is_row(&line) {
            self.end_board();
        }
        match line {
            Line::Numbers(numbers) => self.numbers(at, &numbers)?,
            Line::Rows(rows) => self.rows(at, rows),
            Line::Squares(squares) => self.squares(at, squares),
            Line::Literals(literals) => self.literals(at, &literals),
            Line::Blank => self.blank_line(),
            Line::Close => self.end_board(),
            Line::Rule if !self.pending.framed => self.end_board(),
            Line::NoSolution => self.says_none = true,
            Line::Rule | Line::Prose => {}
        }
        Ok(true)
    }

    fn numbers(&mut self, at: u64, numbers: &Numbers) -> Result<(), ReadError> {
        match self.family {
            Some(Family::Columns(first)) => self.columns(at, &numbers.values, first),
            Some(Family::Digits(first)) => self.digits(at, numbers, first),
            Some(Family::Binary) => self.bits(at, numbers),
            Some(Family::Pairs) => self.pair(at, numbers),
            Some(_) => {}
            None => {
                self.says_none |= self.n > 1 && numbers.values == [0];
                let (family, certain) = self.family_of(at, numbers)?;
                let Some(family) = family else { return Ok(()) };
                self.family = Some(family);
                self.numbers(at, numbers)?;
                if !certain {
                    self.family = None;
                }
            }
        }
        Ok(())
    }

    /// What numbers are where nothing has decided it yet, and whether that decides it.
    fn family_of(&self, at: u64, numbers: &Numbers) -> Result<(Option<Family>, bool), ReadError> {
        use Notation::{Binary, Columns, Columns1, Digits};
        let n = self.n;
        let ambiguous = |readings: &[Notation], or_number| {
            let (text, readings) = (self.excerpt(), readings.to_vec());
            Err(ReadError::Ambiguous { line: at, text, readings, or_number })
        };
        let lone = numbers.values.len() == 1;
        if n == 1 {
            return match numbers.values[..] {
                [0] if numbers.bracketed => Ok((Some(Family::Columns(0)), true)),
                [1] if numbers.bracketed => Ok((Some(Family::Columns(1)), true)),
                [0] => ambiguous(&[Columns], true),
                [1] => ambiguous(&[Columns1, Digits, Binary], true),
                _ => Ok((None, false)),
            };
        }
        if numbers.bracketed && numbers.values.len() == 2 && n > 2 {
            return Ok((Some(Family::Pairs), true));
        }
        let values: Vec<u32> = match lone {
            true => numbers.digits.iter().map(|digit| u32::from(digit - b'0')).collect(),
            false => numbers.values.clone(),
        };
        let short = values.len() != n;
        let plausible = 2 * values.len() > n && values.iter().all(|&value| value as usize <= n);
        if short && (lone || !plausible) {
            return Ok((None, false));
        }
        let whole_columns = if lone { Digits } else { Columns };
        let ones = values.iter().filter(|&&value| value == 1).count();
        if values.iter().all(|&value| value <= 1) {
            return match (n, ones) {
                (3.., 1) if !short => Ok((Some(Family::Binary), true)),
                _ if lone => ambiguous(&[Binary], true),
                _ => ambiguous(&[Columns, Binary], false),
            };
        }
        let zero = values.contains(&0);
        let top = values.contains(&(n as u32));
        let family = |first| if lone { Family::Digits(first) } else { Family::Columns(first) };
        let mut sorted = values.clone();
        sorted.sort_unstable();
        let distinct = sorted.windows(2).all(|pair| pair[0] < pair[1]);
        // One number of n digits is a board only if every column occurs.
        if lone && !(distinct && plausible && zero != top) {
            return if plausible { ambiguous(&[whole_columns], true) } else { Ok((None, false)) };
        }
        match (zero, top) {
            (true, false) => Ok((Some(family(0)), !short)),
            (false, true) => Ok((Some(family(1)), !short)),
            (true, true) => Ok((Some(family(0)), false)),
            (false, false) if short || !plausible => Ok((Some(family(0)), false)),
            (false, false) => ambiguous(&[Columns, Columns1], false),
        }
    }

    /// Numbers that begin at `first`. A few numbers may be a count or a time.
    fn columns(&mut self, at: u64, values: &[u32], first: u32) {
        let n = self.n;
        let on_board = |&value: &u32| value >= first && ((value - first) as usize) < n;
        if values.len() == n && values.iter().all(on_board) {
            let columns: Vec<u16> = values.iter().map(|&value| (value - first) as u16).collect();
            return self.found(at, Board::Placement(Placement::new(&columns)));
        }
        let plausible = 2 * values.len() > n && values.len() > 1;
        if values.len() != n && !(plausible && values.iter().all(|&value| value as usize <= n)) {
            return;
        }
        self.pending.line = at;
        for (row, &value) in values.iter().enumerate().take(2 * n) {
            match value.checked_sub(first) {
                Some(column) => self.pending.queens.push(Square { row, column: column as usize }),
                None => self.fault(format!("row {}: there is no column {value}", row + 1)),
            }
        }
        if values.len() != n {
            self.fault(format!("{} columns instead of {n}", values.len()));
        }
        self.pending.rows = n;
        self.end_board();
    }

    fn digits(&mut self, at: u64, numbers: &Numbers, first: u32) {
        // Fewer than half of the digits: a count. Nine digits are the most that a board has.
        if numbers.values.len() == 1
            && (numbers.digits.len() == self.n || 2 * numbers.digits.len() > self.n + 1)
        {
            let values: Vec<u32> = numbers.digits.iter().map(|digit| u32::from(digit - b'0')).collect();
            self.columns(at, &values, first);
        }
    }

    /// A row of `binary`, parted or not.
    fn bits(&mut self, at: u64, numbers: &Numbers) {
        let values: Vec<u32> = match numbers.values.len() {
            1 => numbers.digits.iter().map(|digit| u32::from(digit - b'0')).collect(),
            _ => numbers.values.clone(),
        };
        if values.iter().all(|&value| value <= 1) {
            let queens = (0..values.len()).filter(|&column| values[column] == 1).collect();
            self.row(at, Row { width: values.len(), queens }, false);
        }
    }

    fn pair(&mut self, at: u64, numbers: &Numbers) {
        let [row, column] = numbers.values[..] else { return };
        if self.pending.pairs.is_empty() {
            self.pending.line = at;
        }
        self.pending.pairs.push((row, column));
        if self.pending.pairs.len() == self.n {
            self.end_board();
        }
    }

    fn rows(&mut self, at: u64, rows: Rows) {
        let family = if rows.binary { Family::Binary } else { Family::Rows };
        if self.family.is_some_and(|known| known != family) {
            return;
        }
        // A run of dashes, dots or stars parts boards unless it can be a row of one.
        let inside = self.pending.rows > 0;
        if rows.uniform && !(inside && rows.rows[0].width == self.n && !self.pending.framed) {
            if !self.pending.framed {
                self.end_board();
            }
            return;
        }
        // Several rows in one list are one board or several, never a part of one.
        let whole = rows.rows.len() > 1;
        if whole {
            self.end_board();
        }
        for row in rows.rows {
            self.row(at, row, rows.framed);
        }
        if whole {
            self.end_board();
        }
        if self.pending.rows > 0 || self.any_board {
            self.family = Some(family);
        }
    }

    fn row(&mut self, at: u64, row: Row, framed: bool) {
        let n = self.n;
        // A lone glyph is an initial or a bullet; cells without a queen may be an ellipsis.
        if row.width != n && (row.width < 2 || row.queens.is_empty()) {
            return;
        }
        if self.pending.rows == 0 {
            self.pending.line = at;
        }
        let parted = std::mem::take(&mut self.pending.blank);
        if self.pending.rows == 1 {
            self.pending.spaced = parted;
        } else if self.pending.spaced && !parted {
            self.begin_with_last_row();
        }
        if self.pending.spaced {
            self.pending.last = Some((at, row.clone()));
        }
        let number = self.pending.rows;
        if row.width != n {
            self.fault(format!("row {} has {} cells instead of {n}", number + 1, row.width));
        }
        self.pending.framed = framed;
        self.pending.rows += 1;
        let squares = row.queens.into_iter().take(2 * n).map(|column| Square { row: number, column });
        self.pending.queens.extend(squares);
        // Of a double-spaced board, the next line tells whether this row is its last.
        if self.pending.rows == n && !self.pending.spaced {
            self.end_board();
        }
    }

    fn is_row(&self, line: &Line) -> bool {
        let cells = |numbers: &Numbers| numbers.values.len().max(numbers.digits.len());
        match line {
            Line::Rows(_) => true,
            Line::Numbers(numbers) => self.family == Some(Family::Binary) && cells(numbers) == self.n,
            _ => false,
        }
    }

    /// An empty line ends a board, unless it may be one of those between all its rows.
    fn blank_line(&mut self) {
        let pending = &mut self.pending;
        if !pending.blank && (pending.rows == 1 || pending.rows > 0 && pending.spaced) {
            pending.blank = true;
        } else {
            self.end_board();
        }
    }

    /// No empty line between the last row and the next one: they are of a board that is not double-spaced,
    /// and the one before it has ended.
    fn begin_with_last_row(&mut self) {
        if let Some((line, row)) = self.pending.last.take() {
            let framed = self.pending.framed;
            self.pending.rows -= 1;
            let rows = self.pending.rows;
            self.pending.queens.retain(|queen| queen.row < rows);
            self.end_board();
            self.row(line, row, framed);
        }
    }

    fn squares(&mut self, at: u64, squares: Vec<Square>) {
        if let ([square], 2..) = (&squares[..], self.n) {
            return self.lone_square(at, *square);
        }
        // A few words such as `x1 y2` are a heading.
        let plausible = 2 * squares.len() > self.n;
        if plausible && *self.family.get_or_insert(Family::Squares) == Family::Squares {
            self.pending.line = at;
            self.pending.rows = self.n;
            self.pending.queens = squares;
            self.end_board();
        }
    }

    /// A square on a line of its own. Beside the board it may be any word.
    fn lone_square(&mut self, at: u64, square: Square) {
        let known = self.family == Some(Family::Squares);
        let on_the_board = square.row < self.n && square.column < self.n;
        if !(known || self.family.is_none() && on_the_board) {
            return;
        }
        if self.pending.squares.is_empty() {
            self.pending.line = at;
        }
        self.pending.squares.push(square);
        if self.pending.squares.len() == self.n {
            self.end_board();
        }
    }

    /// Literals up to 0; those beyond the squares belong to auxiliary variables.
    fn literals(&mut self, at: u64, literals: &[i64]) {
        if *self.family.get_or_insert(Family::Literals) != Family::Literals {
            return;
        }
        for &literal in literals {
            if !self.pending.literals {
                self.pending.line = at;
                self.pending.literals = true;
            }
            let squares = self.n * self.n;
            match usize::try_from(literal) {
                Ok(0) => {
                    self.pending.rows = self.n;
                    self.end_board();
                }
                Ok(square) if square <= squares && self.pending.queens.len() <= squares => {
                    let (row, column) = ((square - 1) / self.n, (square - 1) % self.n);
                    self.pending.queens.push(Square { row, column });
                }
                _ => {}
            }
        }
    }

    /// The board that has begun, if any, ends here, whole or not.
    fn end_board(&mut self) {
        let squares = std::mem::take(&mut self.pending.squares);
        if 2 * squares.len() > self.n && *self.family.get_or_insert(Family::Squares) == Family::Squares {
            if squares.len() != self.n {
                self.fault(format!("{} squares instead of {}", squares.len(), self.n));
            }
            self.pending.rows = self.n;
            self.pending.queens = squares;
        }
        if self.pending.rows == 0 && self.pending.pairs.is_empty() && !self.pending.literals {
            return;
        }
        let mut pending = std::mem::take(&mut self.pending);
        if !pending.pairs.is_empty() {
            let values = || pending.pairs.iter().flat_map(|&(row, column)| [row, column]);
            let from_1 = values().all(|value| value > 0) && values().any(|value| value as usize == self.n);
            let index = |value: u32| value as usize - usize::from(from_1);
            let square = |&(row, column): &(u32, u32)| Square { row: index(row), column: index(column) };
            pending.queens = pending.pairs.iter().map(square).collect();
        } else if pending.literals && pending.rows == 0 {
            pending.fault = Some("the model does not end in 0".to_owned());
        } else if pending.rows != self.n && pending.fault.is_none() {
            pending.fault = Some(format!("{} rows instead of {}", pending.rows, self.n));
        }
        let board = Board::of(self.n, pending.queens, pending.fault);
        self.found(pending.line, board);
    }

    fn empty_board(&mut self, at: u64) {
        let text: Vec<u8> =
            self.segments.text().iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let list = text.ends_with(b"[]") && (text.starts_with(b"[[") || text.starts_with(b","));
        let frame = text.starts_with("└".as_bytes());
        let framed = self.pending.framed;
        self.says_none |= text == b"[]";
        // What parts drawn boards, lists and models is no board.
        if list || frame || text == b"v0" || (text.is_empty() && !framed) {
            self.pending.framed = !text.is_empty();
            self.found(at, Board::Placement(Placement::new(&[])));
        }
    }

    fn end_text(&mut self) -> Result<(), ReadError> {
        match self.first_text.take() {
            Some((line, text)) if !self.any_board && !self.says_none => {
                Err(ReadError::Unreadable { line, text, n: self.n })
            }
            _ => Ok(()),
        }
    }

    fn found(&mut self, line: u64, board: Board) {
        self.any_board = true;
        self.ready.push_back(Found { line, board });
    }

    fn fault(&mut self, fault: String) {
        self.pending.fault.get_or_insert(fault);
    }

    /// The beginning of the current segment, for messages.
    fn excerpt(&self) -> String {
        let text = String::from_utf8_lossy(self.segments.text());
        let text: String = text.trim().chars().take(41).collect();
        if text.chars().count() > 40 { text.chars().take(40).chain(['…']).collect() } else { text }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Found, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.ready.pop_front() {
                return Some(Ok(found));
            }
            if self.done {
                return None;
            }
            match self.step() {
                Ok(more) => self.done = !more,
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
