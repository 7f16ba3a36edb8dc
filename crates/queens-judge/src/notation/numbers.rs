//! Boards as numbers: `n` positions, whatever words and brackets are around them.
//!
//! The numbers of a line, or of a list in brackets, are a board if they are a column for each row, a row and a column for each
//! queen, a number with `n` digits, or squares such as `b1`; or if each of `n` lines or lists is one queen. Which of their numbers
//! these are, whether they count from 0 or 1, and which of them is the row is decided by all boards of a text together.

use super::candidate::Candidate;
use super::lines::Line;
use super::shape::Shape;
use super::units::{Piece, Splitter, Unit};

/// Reads the boards of a shape, line by line.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub shape: Shape,
    splitter: Splitter,
    pieces: Vec<Piece>,
    /// The queens of the board that is being read, and its first line.
    queens: Vec<[i64; 2]>,
    line: u64,
}

impl Reader {
    pub fn new(shape: Shape) -> Self {
        let splitter = Splitter::new(shape.is_list, shape.n);
        Self { shape, splitter, pieces: Vec::new(), queens: Vec::new(), line: 0 }
    }

    /// Takes a line. Returns whether it belongs to boards.
    pub fn take(&mut self, line: &Line, out: &mut Vec<Candidate>) -> bool {
        // Enumerations print a hundred million of these lines.
        if !self.splitter.is_open()
            && let Some(columns) = self.shape.bare_columns(&line.text)
        {
            out.push(Candidate::Board { line: line.number, columns });
            return true;
        }
        let mut pieces = std::mem::take(&mut self.pieces);
        let was_open = self.splitter.is_open();
        self.splitter.take(line.number, &line.text, &mut pieces);
        let (before, mut is_explained) = (out.len(), false);
        for piece in pieces.drain(..) {
            match piece {
                Piece::Unit(unit) => is_explained |= self.unit(&unit, line.number, out),
                Piece::End => self.end(out),
            }
        }
        self.pieces = pieces;
        let goes_on = was_open || self.splitter.is_open();
        is_explained || out.len() > before || goes_on || line.text.trim_ascii().is_empty()
    }

    fn unit(&mut self, unit: &Unit, line: u64, out: &mut Vec<Candidate>) -> bool {
        if self.shape.is_known(unit) && self.shape.is_fitting(unit) {
            let queens = self.shape.queens(&unit.numbers);
            if !self.shape.is_one_queen {
                out.push(self.candidate(unit.line, &queens));
                return true;
            }
            if self.queens.is_empty() {
                self.line = unit.line;
            }
            self.queens.extend(queens);
            self.shape.number_rows(&mut self.queens);
            if self.queens.len() == self.shape.n {
                let queens = std::mem::take(&mut self.queens);
                out.push(self.candidate(self.line, &queens));
            }
            return true;
        }
        self.end(out);
        if self.shape.is_near(unit) {
            out.push(match self.shape.other_size(unit) {
                Some(side) => Candidate::OtherSize { line: unit.line, side },
                None => self.shape.part(unit),
            });
            return true;
        }
        // The lines before the end of this list were not offered to another reading.
        if unit.line < line && unit.numbers.len() >= self.shape.n {
            out.push(Candidate::Doubtful { line: unit.line });
        }
        false
    }

    fn candidate(&self, line: u64, queens: &[[i64; 2]]) -> Candidate {
        match self.shape.board(queens) {
            Ok(columns) => Candidate::Board { line, columns },
            Err(queens) => Candidate::Malformed { line, queens },
        }
    }

    /// The text ends, or something else follows.
    pub fn end(&mut self, out: &mut Vec<Candidate>) {
        let count = std::mem::take(&mut self.queens).len();
        if count > 1 || count == 1 && self.shape.is_list {
            out.push(Candidate::Part { line: self.line, queens: Vec::new(), count, unit: "queen" });
        }
    }
}
