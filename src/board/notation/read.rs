//! Reads boards from text, one by one, in bounded memory.
//!
//! [`Line::of`] classifies each segment of the text; the size and the earlier text decide what it means. Each
//! way of writing boards has its own reader in `read/`; this file selects the reader and orders the boards.
//! `undecided.rs` finds the notation of numbers, and `claims.rs` what a text without a board states.
//!
//! - The first board decides the notation. Numbers that can be read in several ways are kept until a later
//!   line decides. If none does, the error names the possible notations.
//! - After that, boards in another notation may repeat earlier output: they count only if they are not
//!   solutions, and then as malformed. If the notation was given, they are prose.
//! - Text that resembles a board but is not one, such as `[1, 3, None, 2]`, is a malformed board, never
//!   prose.
//! - Prose is ignored, even between the rows of a board. A text of only prose is unreadable, unless it is
//!   empty or has a separate sentence stating that there is no solution.
//! - `matrix`, `list`, `underscore`, `stars` and `unicode` are read in the same way. `columns` and `columns1`
//!   are distinguished by a 0 or an n, and `json` is read as `columns`.
//! - n = 1: a bare `0` or `1` may be a count, so it is an error unless the notation is given. n = 2: `0 1`
//!   may be `binary`.
//! - n = 0: each empty line, empty list in a list, `v 0` or empty frame is one board, and a text with
//!   anything else is unreadable.

mod claims;
mod columns;
mod model;
mod rows;
mod squares;
mod undecided;

use std::collections::VecDeque;
use std::io::BufRead;

use super::error::{ReadError, excerpt};
use super::line::{Glyphs, Line, Numbers, Rows};
use super::parsed::{Parsed, ParsedBoard};
use super::segment::{Segment, Segments};
use super::{Notation, NotationError};
use crate::board::{Placement, Square, is_solution};
use claims::Claims;
use columns::ColumnReader;
use model::ModelReader;
use rows::RowReader;
use squares::SquareReader;
use undecided::Undecided;

/// Reads boards of one size. An iterator that ends after its first error.
#[derive(Debug)]
pub struct Reader<R> {
    segments: Segments<R>,
    n: usize,
    limit: usize,
    family: Option<Notation>,
    given: bool,
    columns: ColumnReader,
    rows: RowReader,
    squares: SquareReader,
    pairs: SquareReader,
    model: ModelReader,
    undecided: Undecided,
    ready: VecDeque<Parsed>,
    /// Boards in another notation, found after the start of an unfinished board that precedes them.
    later: Vec<Parsed>,
    any_board: bool,
    claims: Claims,
    first_text: Option<(u64, String)>,
    done: bool,
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader of boards of side `n`, which detects the notation unless it is given. Returns an
    /// error if the notation does not support this size, or if it can only be written (`svg`).
    pub fn new(input: R, n: usize, notation: Option<Notation>) -> Result<Self, NotationError> {
        let family = match notation {
            None => None,
            Some(notation) => {
                notation.admit(n)?;
                Some(notation.family().ok_or(NotationError::WriteOnly(notation))?)
            }
        };
        // The longest reasonable model line: every square with its sign, eight digits and a space.
        let limit = (1 << 16) + 16 * n.min(crate::board::BoardSize::MAX).pow(2);
        let glyphs = family.and_then(Glyphs::of);
        let mut reader = Self {
            segments: Segments::new(input, limit),
            n,
            limit,
            family: None,
            given: notation.is_some(),
            columns: ColumnReader::new(n),
            rows: RowReader::new(n, glyphs),
            squares: SquareReader::new(n, Some(1)),
            pairs: SquareReader::new(n, None),
            model: ModelReader::new(n),
            undecided: Undecided::new(n),
            ready: VecDeque::new(),
            later: Vec::new(),
            any_board: false,
            claims: Claims::default(),
            first_text: None,
            done: false,
        };
        if let Some(family) = family {
            reader.decide(family);
        }
        Ok(reader)
    }

    /// The notation of the boards, as far as it is known.
    pub fn reading(&self) -> Option<Notation> {
        self.family
    }

    /// Reads one segment; returns false at the end of the text.
    fn step(&mut self) -> Result<bool, ReadError> {
        let Some(segment) = self.segments.advance().map_err(ReadError::Io)? else {
            return self.end_text().map(|()| false);
        };
        let at = segment.line;
        if segment.too_long {
            return Err(ReadError::TooLong { line: at, limit: self.limit });
        }
        if self.first_text.is_none() && !self.segments.text().trim_ascii().is_empty() {
            self.first_text = Some((at, excerpt(self.segments.text())));
        }
        if self.n == 0 {
            return self.empty_board(at).map(|()| true);
        }
        // Text after a claim on the same line may reverse its meaning.
        if segment.begins_line {
            self.claims.finish();
        }
        self.claims.unfinished = None;
        let line = Line::of(self.segments.text(), self.n);
        if self.rows.awaits_row() && !self.is_row(&line) {
            self.end_rows();
        }
        self.line(segment, line)?;
        if !self.later.is_empty() && !self.has_begun() {
            self.sort_in_later();
        }
        Ok(true)
    }

    fn line(&mut self, segment: Segment, line: Line) -> Result<(), ReadError> {
        let at = segment.line;
        match line {
            Line::Numbers(numbers) => self.numbers(at, numbers)?,
            Line::Pairs(pairs) => self.pairs(at, &pairs),
            Line::Rows(rows) => self.drawn(at, rows),
            Line::Squares(squares, strange) => self.squares(at, &squares, strange),
            Line::Literals(literals) => {
                self.read_as(Notation::Dimacs, |reader, out| {
                    reader.model.literals(at, literals.as_deref(), out)
                });
            }
            Line::Blank => {
                self.end_all_but_rows();
                self.read_rows(|rows, out| rows.blank_line(out));
            }
            Line::Rule if self.rows.is_framed() => {}
            Line::Close | Line::Rule => self.end_all(),
            Line::Says(count) if segment.begins_line => self.claims.unfinished = Some(count),
            Line::Says(_) | Line::Prose => {}
        }
        Ok(())
    }

    /// Passes a segment to one of the readers. The first board, or the first part of one, decides the
    /// notation; boards in another notation count only if they are wrong.
    fn read_as(&mut self, family: Notation, read: impl FnOnce(&mut Self, &mut VecDeque<Parsed>)) {
        let is_other = self.family.is_some_and(|known| known != family);
        if is_other && self.given {
            return;
        }
        let mut found = std::mem::take(&mut self.ready);
        let before = found.len();
        read(self, &mut found);
        if is_other {
            for found in found.drain(before..) {
                self.later.extend(self.wrong(found));
            }
            self.any_board |= !self.later.is_empty();
        }
        self.any_board |= found.len() > before;
        self.ready = found;
        if self.family.is_none() && (self.ready.len() > before || family == Notation::Dimacs) {
            self.decide(family);
        }
    }

    /// Whether a board in the notation of the text has begun.
    fn has_begun(&self) -> bool {
        match self.family {
            Some(Notation::Squares) => self.squares.has_begun(),
            Some(Notation::Pairs) => self.pairs.has_begun(),
            Some(Notation::Dimacs) => self.model.has_begun(),
            Some(family) => Glyphs::of(family).is_some() && self.rows.has_begun(),
            None => false,
        }
    }

    /// Boards are returned in the order in which they begin.
    fn sort_in_later(&mut self) {
        self.ready.extend(self.later.drain(..));
        self.ready.make_contiguous().sort_by_key(|found| found.line);
    }

    /// Returns a board in another notation than the first one, if it is complete and not a solution.
    fn wrong(&self, found: Parsed) -> Option<Parsed> {
        // It may have begun before boards that were already returned.
        let line = self.segments.line();
        match found.board {
            ParsedBoard::Placement(placement) if is_solution(placement.columns()) => None,
            ParsedBoard::Placement(placement) => {
                let queens = crate::board::squares(placement.columns()).collect();
                let fault = "not a solution, and not in the notation of the first board".to_owned();
                Some(Parsed { line, board: ParsedBoard::Malformed { queens, fault, misshapen: false } })
            }
            ParsedBoard::Malformed { misshapen: true, .. } => None,
            board => Some(Parsed { line, board }),
        }
    }

    /// Fixes the notation of the following boards.
    fn decide(&mut self, family: Notation) {
        self.family = Some(family);
        self.pairs.strict = family == Notation::Pairs;
        // Discards words that looked like squares.
        if family != Notation::Squares {
            self.squares.forget();
        }
        if family != Notation::Pairs {
            self.pairs.forget();
        }
        let held = self.undecided.take();
        let after = std::mem::take(&mut self.ready);
        for (line, numbers) in held {
            // The family is known, so no numbers remain undecided.
            let _ = self.numbers(line, numbers);
        }
        self.ready.extend(after);
        self.sort_in_later();
    }

    fn numbers(&mut self, at: u64, numbers: Numbers) -> Result<(), ReadError> {
        match self.family {
            Some(family @ (Notation::Columns | Notation::Columns1)) => {
                let first = u32::from(family == Notation::Columns1);
                self.read_as(family, |reader, out| reader.columns.columns(at, &numbers, first, out));
            }
            Some(family @ (Notation::Digits0 | Notation::Digits)) if numbers.values.len() == 1 => {
                let first = u32::from(family == Notation::Digits);
                self.read_as(family, |reader, out| reader.columns.digits(at, &numbers, first, out));
            }
            Some(Notation::Binary) => self.bits(at, &numbers),
            Some(Notation::Pairs) if numbers.values.len() == 2 => {
                self.pairs(at, &[(numbers.values[0], numbers.values[1])])
            }
            Some(_) if self.given => {}
            Some(_) => {
                self.among_others(at, &numbers);
            }
            None => return self.undecided_numbers(at, numbers),
        }
        Ok(())
    }

    fn bits(&mut self, at: u64, numbers: &Numbers) {
        let digits: Vec<u32>;
        let values = match numbers.values.len() {
            1 => {
                digits = numbers.digits.iter().map(|digit| u32::from(digit - b'0')).collect();
                // A count or a time.
                if digits.iter().any(|&digit| digit > 1)
                    || 2 * digits.len() <= self.n + 1 && digits.len() != self.n
                {
                    return;
                }
                &digits
            }
            _ => &numbers.values,
        };
        self.read_as(Notation::Binary, |reader, out| {
            if !reader.rows.bits(at, values, out) && !reader.given {
                reader.among_others(at, numbers);
            }
        });
    }

    /// Reads numbers in a text whose boards are not lines of numbers.
    fn among_others(&mut self, at: u64, numbers: &Numbers) {
        let mut found = VecDeque::new();
        self.columns.among_others(at, numbers, &mut found);
        self.any_board |= !found.is_empty();
        self.later.extend(found);
    }

    /// Reads numbers while their meaning is not decided.
    fn undecided_numbers(&mut self, at: u64, numbers: Numbers) -> Result<(), ReadError> {
        self.claims.numbers(&numbers.values, self.n);
        if let ([row, column], 3..) = (&numbers.values[..], self.n) {
            self.pairs(at, &[(*row, *column)]);
            return Ok(());
        }
        match self.undecided.add(at, numbers, self.segments.text()) {
            Some(family) => self.decide(family),
            None if self.undecided.is_full() => self.settle()?,
            None => {}
        }
        Ok(())
    }

    /// Decides the meaning of the numbers at the end, when no other text can.
    fn settle(&mut self) -> Result<(), ReadError> {
        if let Some(family) = self.undecided.settle()? {
            self.decide(family);
        }
        Ok(())
    }

    fn pairs(&mut self, at: u64, pairs: &[(u32, u32)]) {
        self.read_as(Notation::Pairs, |reader, out| reader.pairs.queens(at, pairs, None, out));
    }

    fn squares(&mut self, at: u64, squares: &[Square], strange: Option<String>) {
        // A lone word for a square outside the board may be any word.
        if let ([square], 2.., None) = (squares, self.n, self.family)
            && (square.row >= self.n || square.column >= self.n)
        {
            return;
        }
        let value = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
        let queens: Vec<(u32, u32)> =
            squares.iter().map(|square| (value(square.row), value(square.column))).collect();
        self.read_as(Notation::Squares, |reader, out| reader.squares.queens(at, &queens, strange, out));
    }

    fn drawn(&mut self, at: u64, rows: Rows) {
        let family = self.rows.glyphs.unwrap_or(rows.glyphs).notation();
        self.read_as(family, |reader, out| reader.rows.rows(at, rows, out));
        // A row is distinctive enough to decide the notation.
        if self.family.is_none() && self.rows.has_begun() {
            self.decide(family);
        }
    }

    fn read_rows(&mut self, read: impl FnOnce(&mut RowReader, &mut VecDeque<Parsed>)) {
        if let Some(glyphs) = self.rows.glyphs {
            self.read_as(glyphs.notation(), |reader, out| read(&mut reader.rows, out));
        }
    }

    fn end_rows(&mut self) {
        self.read_rows(|rows, out| rows.end(out));
    }

    fn end_all_but_rows(&mut self) {
        self.read_as(Notation::Squares, |reader, out| reader.squares.end(out));
        self.read_as(Notation::Pairs, |reader, out| reader.pairs.end(out));
        if self.family == Some(Notation::Dimacs) {
            self.read_as(Notation::Dimacs, |reader, out| reader.model.end(out));
        }
    }

    fn end_all(&mut self) {
        self.end_all_but_rows();
        self.end_rows();
    }

    fn is_row(&self, line: &Line) -> bool {
        let cells = |numbers: &Numbers| numbers.values.len().max(numbers.digits.len());
        match line {
            Line::Rows(_) => true,
            Line::Numbers(numbers) => self.family == Some(Notation::Binary) && cells(numbers) == self.n,
            _ => false,
        }
    }

    /// For n = 0: separators of drawn boards, lists and models are not boards; any other text is unreadable.
    fn empty_board(&mut self, at: u64) -> Result<(), ReadError> {
        let text: Vec<u8> =
            self.segments.text().iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let list = text.ends_with(b"[]") && (text.starts_with(b"[[") || text.starts_with(b","));
        let frame = text.starts_with("└".as_bytes());
        let framed = self.rows.is_framed();
        if list || frame || text == b"v0" || (text.is_empty() && !framed) {
            self.rows.set_framed(!text.is_empty());
            self.any_board = true;
            self.ready.push_back(Parsed { line: at, board: ParsedBoard::Placement(Placement::new(&[])) });
        } else if text == b"[]" {
            self.claims.none = true;
        } else if !(text.is_empty() || text == b"]" || text.starts_with("┌".as_bytes())) {
            return Err(ReadError::Unreadable { line: at, text: excerpt(self.segments.text()), n: 0 });
        }
        Ok(())
    }

    fn end_text(&mut self) -> Result<(), ReadError> {
        self.claims.finish();
        self.end_all();
        if self.family.is_none() {
            self.settle()?;
        }
        self.sort_in_later();
        match self.first_text.take() {
            Some((line, text)) if !self.any_board && !self.claims.says_none() => {
                Err(ReadError::Unreadable { line, text, n: self.n })
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Parsed, ReadError>;

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
