//! Reads boards from text, one by one, in bounded memory.
//!
//! [`Line::of`] classifies each segment of the text; the size and the earlier text decide what it means. Each
//! way of writing boards has its own reader in `read/`; this file selects the reader.
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

mod columns;
mod model;
mod rows;
mod squares;

use std::collections::VecDeque;
use std::io::BufRead;

use super::error::{ReadError, excerpt};
use super::line::{Glyphs, Line, Numbers, Rows};
use super::parsed::{Parsed, ParsedBoard};
use super::segment::{Segment, Segments};
use super::{Notation, NotationError};
use crate::board::{Placement, Square, is_solution};
use columns::{ColumnReader, Readings};
use model::ModelReader;
use rows::RowReader;
use squares::SquareReader;

/// How the boards of a text are written, as far as reading is concerned. The numbers are the number of the
/// first column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Columns(u32),
    Digits(u32),
    Rows(Glyphs),
    Squares,
    Pairs,
    Literals,
}

impl Family {
    const BITS: Family = Family::Rows(Glyphs::Bits);

    /// The family of a notation; `None` for notations that are only written.
    fn of(notation: Notation) -> Option<Family> {
        Some(match notation {
            Notation::Columns | Notation::Json => Family::Columns(0),
            Notation::Columns1 => Family::Columns(1),
            Notation::Digits0 => Family::Digits(0),
            Notation::Digits => Family::Digits(1),
            Notation::Binary => Family::BITS,
            Notation::Fen => Family::Rows(Glyphs::Fen),
            Notation::Squares => Family::Squares,
            Notation::Pairs => Family::Pairs,
            Notation::Dimacs => Family::Literals,
            Notation::Svg => return None,
            Notation::Matrix
            | Notation::List
            | Notation::Underscore
            | Notation::Stars
            | Notation::Unicode => Family::Rows(Glyphs::Drawn),
        })
    }

    /// A notation of the family.
    fn notation(self) -> Notation {
        match self {
            Family::Columns(0) => Notation::Columns,
            Family::Columns(_) => Notation::Columns1,
            Family::Digits(0) => Notation::Digits0,
            Family::Digits(_) => Notation::Digits,
            Family::Rows(Glyphs::Drawn) => Notation::Matrix,
            Family::Rows(Glyphs::Bits) => Notation::Binary,
            Family::Rows(Glyphs::Fen) => Notation::Fen,
            Family::Squares => Notation::Squares,
            Family::Pairs => Notation::Pairs,
            Family::Literals => Notation::Dimacs,
        }
    }
}

/// Reads boards of one size. An iterator that ends after its first error.
#[derive(Debug)]
pub struct Reader<R> {
    segments: Segments<R>,
    n: usize,
    limit: usize,
    family: Option<Family>,
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

/// Numbers whose meaning is not decided yet.
#[derive(Debug, Default)]
struct Undecided {
    held: Vec<(u64, Numbers)>,
    /// Number of values in `held`.
    values: usize,
    /// Possible families of the lines that can be boards, unless they are the same for all lines.
    families: Vec<Family>,
    /// The first line that can be read in several ways.
    ambiguous: Option<(u64, String, bool)>,
    /// Whether a line resembles a board, or is a board that may also be a heading.
    columns: bool,
}

/// The maximum number of values held back.
const HELD: usize = 1 << 16;

/// Statements of the text about the number of solutions.
#[derive(Debug, Default)]
struct Claims {
    /// Whether a sentence or an empty list states that there is no solution (`none`) or that there are some
    /// (`some`).
    none: bool,
    some: bool,
    /// Whether there is a lone 0 (`zero`) or another lone number (`number`).
    zero: bool,
    number: bool,
    /// A claim at the end of the part of its line that has been read; it is valid if nothing follows on that
    /// line.
    unfinished: Option<u64>,
}

impl Claims {
    fn says_none(&self) -> bool {
        if self.none || self.some { !self.some } else { self.zero && !self.number }
    }

    fn finish(&mut self) {
        match self.unfinished.take() {
            Some(0) => self.none = true,
            Some(_) => self.some = true,
            None => {}
        }
    }
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader of boards of side `n`, which detects the notation unless it is given. Returns an
    /// error if the notation does not support this size, or if it can only be written (`svg`).
    pub fn new(input: R, n: usize, notation: Option<Notation>) -> Result<Self, NotationError> {
        let family = match notation {
            None => None,
            Some(notation) => {
                notation.admit(n)?;
                Some(Family::of(notation).ok_or(NotationError::WriteOnly(notation))?)
            }
        };
        // The longest reasonable model line: every square with its sign, eight digits and a space.
        let limit = (1 << 16) + 16 * n.min(crate::board::BoardSize::MAX).pow(2);
        let glyphs = if let Some(Family::Rows(glyphs)) = family { Some(glyphs) } else { None };
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
            undecided: Undecided::default(),
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
        self.family.map(Family::notation)
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
                self.read_as(Family::Literals, |reader, out| {
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
    fn read_as(&mut self, family: Family, read: impl FnOnce(&mut Self, &mut VecDeque<Parsed>)) {
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
        if self.family.is_none() && (self.ready.len() > before || family == Family::Literals) {
            self.decide(family);
        }
    }

    /// Whether a board in the notation of the text has begun.
    fn has_begun(&self) -> bool {
        match self.family {
            Some(Family::Rows(_)) => self.rows.has_begun(),
            Some(Family::Squares) => self.squares.has_begun(),
            Some(Family::Pairs) => self.pairs.has_begun(),
            Some(Family::Literals) => self.model.has_begun(),
            Some(Family::Columns(_) | Family::Digits(_)) | None => false,
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
    fn decide(&mut self, family: Family) {
        self.family = Some(family);
        self.pairs.strict = family == Family::Pairs;
        // Discards words that looked like squares.
        if family != Family::Squares {
            self.squares.forget();
        }
        if family != Family::Pairs {
            self.pairs.forget();
        }
        let held = std::mem::take(&mut self.undecided).held;
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
            Some(family @ Family::Columns(first)) => {
                self.read_as(family, |reader, out| reader.columns.columns(at, &numbers, first, out));
            }
            Some(family @ Family::Digits(first)) if numbers.values.len() == 1 => {
                self.read_as(family, |reader, out| reader.columns.digits(at, &numbers, first, out));
            }
            Some(Family::BITS) => self.bits(at, &numbers),
            Some(Family::Pairs) if numbers.values.len() == 2 => {
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
        self.read_as(Family::BITS, |reader, out| {
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
        if let ([number], 2..) = (&numbers.values[..], self.n) {
            self.claims.zero |= *number == 0;
            self.claims.number |= *number != 0 && *number as usize != self.n;
        }
        if let ([row, column], 3..) = (&numbers.values[..], self.n) {
            self.pairs(at, &[(*row, *column)]);
            return Ok(());
        }
        let readings = Readings::of(&numbers, self.n);
        if readings.families.is_empty() && !readings.malformed {
            return Ok(());
        }
        let undecided = &mut self.undecided;
        undecided.columns |= readings.malformed || readings.or_heading;
        undecided.values += numbers.values.len();
        undecided.held.push((at, numbers));
        let certain = !readings.or_number && !readings.or_heading;
        if !readings.or_heading && !readings.malformed {
            // The readings that all lines allow; a line that allows none of them is malformed.
            let common = |family: &Family| readings.families.contains(family);
            match undecided.families.iter().any(common) {
                true => undecided.families.retain(|family| readings.families.contains(family)),
                false if undecided.families.is_empty() || certain && readings.families.len() == 1 => {
                    undecided.families.clone_from(&readings.families);
                }
                false => {}
            }
            if undecided.ambiguous.is_none() && (readings.families.len() > 1 || readings.or_number) {
                undecided.ambiguous = Some((at, excerpt(self.segments.text()), readings.or_number));
            }
        }
        match undecided.families[..] {
            [family] if certain && !readings.malformed => self.decide(family),
            _ if undecided.values > HELD => return self.settle(),
            _ => {}
        }
        Ok(())
    }

    /// Decides the meaning of the numbers at the end, when no other text can.
    fn settle(&mut self) -> Result<(), ReadError> {
        let undecided = &mut self.undecided;
        if let Some((line, text, or_number)) = undecided.ambiguous.take() {
            let readings = undecided.families.iter().map(|family| family.notation()).collect();
            return Err(ReadError::Ambiguous { line, text, readings, or_number });
        }
        if undecided.columns {
            // Only malformed boards, or the board with all queens on a diagonal.
            let top =
                |numbers: &Numbers| numbers.values.contains(&(self.n as u32)) && !numbers.values.contains(&0);
            let from_1 = undecided.held.iter().all(|(_, numbers)| top(numbers));
            self.decide(Family::Columns(u32::from(from_1)));
        }
        Ok(())
    }

    fn pairs(&mut self, at: u64, pairs: &[(u32, u32)]) {
        self.read_as(Family::Pairs, |reader, out| reader.pairs.queens(at, pairs, None, out));
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
        self.read_as(Family::Squares, |reader, out| reader.squares.queens(at, &queens, strange, out));
    }

    fn drawn(&mut self, at: u64, rows: Rows) {
        let family = Family::Rows(self.rows.glyphs.unwrap_or(rows.glyphs));
        self.read_as(family, |reader, out| reader.rows.rows(at, rows, out));
        // A row is distinctive enough to decide the notation.
        if self.family.is_none() && self.rows.has_begun() {
            self.decide(family);
        }
    }

    fn read_rows(&mut self, read: impl FnOnce(&mut RowReader, &mut VecDeque<Parsed>)) {
        if let Some(glyphs) = self.rows.glyphs {
            self.read_as(Family::Rows(glyphs), |reader, out| read(&mut reader.rows, out));
        }
    }

    fn end_rows(&mut self) {
        self.read_rows(|rows, out| rows.end(out));
    }

    fn end_all_but_rows(&mut self) {
        self.read_as(Family::Squares, |reader, out| reader.squares.end(out));
        self.read_as(Family::Pairs, |reader, out| reader.pairs.end(out));
        if self.family == Some(Family::Literals) {
            self.read_as(Family::Literals, |reader, out| reader.model.end(out));
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
            Line::Numbers(numbers) => self.family == Some(Family::BITS) && cells(numbers) == self.n,
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
