//! Reads boards that are written as numbers, with any words and brackets around the numbers.
//!
//! A line, or a list in brackets, is a board if it contains the column of each row, the row and column of each queen, a number
//! with `n` digits, or squares such as `b1`. A board may also consist of `n` lines or lists with one queen each. All boards of a
//! text together decide which numbers belong to a board, whether rows and columns are counted from 0 or 1, and which number of a
//! pair is the row.

use super::candidate::Candidate;
use super::lines::Line;
use super::number_format::NumberFormat;
use super::sequences::{Piece, Sequence, Splitter};

/// Reads the boards of a format, line by line.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub format: NumberFormat,
    splitter: Splitter,
    /// The rows and columns of the queens of the board that is being read, if each sequence is one queen.
    queens: Vec<[i64; 2]>,
    /// The line of the first of these queens.
    first_line: u64,
}

impl Reader {
    pub fn new(format: NumberFormat) -> Self {
        let splitter = Splitter::new(format.is_list, format.n);
        Self { format, splitter, queens: Vec::new(), first_line: 0 }
    }

    /// Reads a line, and adds the boards that it completes to `out`. Returns whether the line belongs to a board.
    pub fn read_line(&mut self, line: &Line, out: &mut Vec<Candidate>) -> bool {
        // This case is fast, because an enumeration may print a hundred million of these lines.
        if !self.splitter.is_open()
            && let Some(columns) = self.format.bare_columns(&line.text)
        {
            out.push(Candidate::Board { line: line.number, columns });
            return true;
        }
        let mut pieces = Vec::new();
        let was_open = self.splitter.is_open();
        self.splitter.split_line(line.number, &line.text, &mut pieces);
        let (count_before, mut is_explained) = (out.len(), false);
        for piece in pieces {
            match piece {
                Piece::Sequence(sequence) => is_explained |= self.read_sequence(&sequence, line.number, out),
                Piece::End => self.end(out),
            }
        }
        let goes_on = was_open || self.splitter.is_open();
        is_explained || out.len() > count_before || goes_on || line.text.trim_ascii().is_empty()
    }

    /// Reads a sequence that ends in the line `line`. Returns whether the sequence belongs to a board.
    fn read_sequence(&mut self, sequence: &Sequence, line: u64, out: &mut Vec<Candidate>) -> bool {
        if self.format.has_wording_of(sequence) && self.format.fits(sequence) {
            let queens = self.format.queens(&sequence.numbers);
            if !self.format.is_one_queen {
                out.push(self.candidate(sequence.line, &queens));
                return true;
            }
            if self.queens.is_empty() {
                self.first_line = sequence.line;
            }
            self.queens.extend(queens);
            self.format.number_rows(&mut self.queens);
            if self.queens.len() == self.format.n {
                let queens = std::mem::take(&mut self.queens);
                out.push(self.candidate(self.first_line, &queens));
            }
            return true;
        }
        self.end(out);
        if self.format.is_nearly_board(sequence) {
            out.push(self.format.near_board(sequence));
            return true;
        }
        // This list has several lines, so its first lines were not offered to another reading.
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

    /// Ends a board that is not complete, because the text ends or something else follows.
    pub fn end(&mut self, out: &mut Vec<Candidate>) {
        let count = std::mem::take(&mut self.queens).len();
        if count > 1 || count == 1 && self.format.is_list {
            let line = self.first_line;
            out.push(Candidate::WrongLength { line, queens: Vec::new(), count, noun: "queen" });
        }
    }
}
