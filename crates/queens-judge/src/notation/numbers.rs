//! Boards as numbers: `n` positions, whatever words and brackets are around them.
//!
//! The numbers of a line, or of a list in brackets, are a board if they are a column for each row, a row and a column for each
//! queen, a number with `n` digits, or squares such as `b1`; or if each of `n` lines or lists is one queen. Which of their numbers
//! these are, whether they count from 0 or 1, and which of them is the row is decided by all boards of a text together.

use super::candidate::Candidate;
use super::lines::Line;
use super::number_format::NumberFormat;
use super::sequences::{Piece, Sequence, Splitter};

/// Reads the boards of a format, line by line.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub format: NumberFormat,
    splitter: Splitter,
    /// The queens of the board that is being read, and its first line.
    queens: Vec<[i64; 2]>,
    line: u64,
}

impl Reader {
    pub fn new(format: NumberFormat) -> Self {
        let splitter = Splitter::new(format.is_list, format.n);
        Self { format, splitter, queens: Vec::new(), line: 0 }
    }

    /// Takes a line. Returns whether it belongs to boards.
    pub fn take(&mut self, line: &Line, out: &mut Vec<Candidate>) -> bool {
        // Enumerations print a hundred million of these lines.
        if !self.splitter.is_open()
            && let Some(columns) = self.format.bare_columns(&line.text)
        {
            out.push(Candidate::Board { line: line.number, columns });
            return true;
        }
        let mut pieces = Vec::new();
        let was_open = self.splitter.is_open();
        self.splitter.take(line.number, &line.text, &mut pieces);
        let (before, mut is_explained) = (out.len(), false);
        for piece in pieces {
            match piece {
                Piece::Sequence(sequence) => is_explained |= self.take_sequence(&sequence, line.number, out),
                Piece::End => self.end(out),
            }
        }
        let goes_on = was_open || self.splitter.is_open();
        is_explained || out.len() > before || goes_on || line.text.trim_ascii().is_empty()
    }

    /// Takes a sequence that ends in a line. Returns whether it belongs to boards.
    fn take_sequence(&mut self, sequence: &Sequence, line: u64, out: &mut Vec<Candidate>) -> bool {
        if self.format.has_wording_of(sequence) && self.format.fits(sequence) {
            let queens = self.format.queens(&sequence.numbers);
            if !self.format.is_one_queen {
                out.push(self.candidate(sequence.line, &queens));
                return true;
            }
            if self.queens.is_empty() {
                self.line = sequence.line;
            }
            self.queens.extend(queens);
            self.format.number_rows(&mut self.queens);
            if self.queens.len() == self.format.n {
                let queens = std::mem::take(&mut self.queens);
                out.push(self.candidate(self.line, &queens));
            }
            return true;
        }
        self.end(out);
        if self.format.is_nearly_board(sequence) {
            out.push(self.format.near_board(sequence));
            return true;
        }
        // The first lines of this list were not offered to another reading.
        if sequence.line < line && sequence.numbers.len() >= self.format.n {
            out.push(Candidate::Doubtful { line: sequence.line });
        }
        false
    }

    fn candidate(&self, line: u64, queens: &[[i64; 2]]) -> Candidate {
        match self.format.board(queens) {
            Ok(columns) => Candidate::Board { line, columns },
            Err(queens) => Candidate::Malformed { line, queens },
        }
    }

    /// The text ends, or something else follows.
    pub fn end(&mut self, out: &mut Vec<Candidate>) {
        let count = std::mem::take(&mut self.queens).len();
        if count > 1 || count == 1 && self.format.is_list {
            out.push(Candidate::Part { line: self.line, queens: Vec::new(), count, noun: "queen" });
        }
    }
}
