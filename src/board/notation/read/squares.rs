//! Reads boards from squares and pairs: `n` of them make a board, on one line or each on its own line.

use std::collections::VecDeque;

use super::super::line::NO_VALUE;
use super::super::parsed::{Parsed, ParsedBoard};
use crate::board::Square;
use crate::words::counted;

#[derive(Debug)]
pub(super) struct SquareReader {
    n: usize,
    /// Whether rows and columns count from 0 or from 1: decided by the first board that shows it.
    first: Option<u32>,
    /// Whether even a few squares are an incomplete board, because they cannot be ordinary words.
    pub strict: bool,
    line: u64,
    queens: Vec<(u32, u32)>,
    strange: Option<String>,
}

impl SquareReader {
    pub fn new(n: usize, first: Option<u32>) -> Self {
        Self { n, first, strict: false, line: 0, queens: Vec::new(), strange: None }
    }

    /// Reads some queens of one line, with the first word among them that is not a square.
    pub fn queens(
        &mut self,
        at: u64,
        queens: &[(u32, u32)],
        strange: Option<String>,
        out: &mut VecDeque<Parsed>,
    ) {
        if queens.len() > 1 {
            // A few words such as `x1 y2` are a heading.
            if 2 * queens.len() <= self.n && !self.strict {
                return;
            }
            self.end(out);
        }
        if self.queens.is_empty() {
            self.line = at;
        }
        self.queens.extend_from_slice(queens);
        self.strange = self.strange.take().or(strange);
        if queens.len() > 1 || self.queens.len() == self.n {
            self.end(out);
        }
    }

    /// Whether a board has begun.
    pub fn has_begun(&self) -> bool {
        !self.queens.is_empty()
    }

    /// Discards the current board, because it was prose.
    pub fn forget(&mut self) {
        self.queens.clear();
        self.strange = None;
    }

    /// Ends the current board, if there is one, whether it is complete or not.
    pub fn end(&mut self, out: &mut VecDeque<Parsed>) {
        let (queens, strange) = (std::mem::take(&mut self.queens), self.strange.take());
        // A few squares may be any words.
        if queens.is_empty() || 2 * queens.len() <= self.n && !self.strict {
            return;
        }
        let values = || queens.iter().flat_map(|&(row, column)| [row, column]);
        if self.first.is_none() && queens.len() == self.n {
            let top = values().any(|value| value as usize == self.n);
            self.first = if values().any(|value| value == 0) { Some(0) } else { top.then_some(1) };
        }
        let first = self.first.unwrap_or(0);
        let index =
            |value: u32| value.checked_sub(first).filter(|_| value != NO_VALUE).map(|index| index as usize);
        let square = |&(row, column): &(u32, u32)| Some(Square { row: index(row)?, column: index(column)? });
        let squares: Vec<Square> = queens.iter().filter_map(square).collect();
        let fault = match strange {
            Some(word) => Some(format!("'{word}' is not a square")),
            None if squares.len() < queens.len() => Some("an invalid row or column".to_owned()),
            None => None,
        };
        let board = if queens.len() == self.n || fault.is_some() {
            ParsedBoard::of(self.n, squares, fault)
        } else {
            ParsedBoard::misshapen(
                squares,
                format!("{} instead of {}", counted(queens.len(), "square"), self.n),
            )
        };
        out.push_back(Parsed { line: self.line, board });
    }
}
