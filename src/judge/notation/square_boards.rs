//! Boards from squares and pairs: `n` of them make a board, on one line or each on its own line.

use std::collections::VecDeque;

use super::boards::{Parsed, ParsedBoard};
use super::tokens::NO_VALUE;
use crate::board::Square;
use crate::judge::counted;

#[derive(Debug)]
pub(super) struct SquareBoards {
    n: usize,
    /// Whether rows, and whether columns, count from 0 or from 1: decided by the first board that shows it.
    first: [Option<u32>; 2],
    /// Whether the squares cannot be ordinary words.
    pairs: bool,
    /// Whether even a few of them are an incomplete board, because there was a whole one.
    strict: bool,
    line: u64,
    queens: Vec<[u32; 2]>,
    strange: Option<String>,
}

impl SquareBoards {
    /// `first`: where rows and columns begin, if that is known.
    pub fn new(n: usize, first: Option<u32>) -> Self {
        Self {
            n,
            first: [first; 2],
            pairs: first.is_none(),
            strict: false,
            line: 0,
            queens: Vec::new(),
            strange: None,
        }
    }

    /// Reads some queens of one line, each as row and column, with the first word among them that is not a square.
    pub fn queens(
        &mut self,
        at: u64,
        queens: impl ExactSizeIterator<Item = [u32; 2]>,
        strange: Option<&String>,
        out: &mut VecDeque<Parsed>,
    ) {
        let several = queens.len() > 1;
        if several {
            // A few words such as `x1 y2` are a heading.
            if 2 * queens.len() <= self.n && !self.strict {
                return;
            }
            self.end(out);
        }
        if self.queens.is_empty() {
            self.line = at;
        }
        self.queens.extend(queens);
        self.strange = self.strange.take().or(strange.cloned());
        if several || self.queens.len() == self.n {
            self.end(out);
        }
    }

    /// Ends the current board, if there is one, whether it is complete or not.
    pub fn end(&mut self, out: &mut VecDeque<Parsed>) {
        let (queens, strange) = (std::mem::take(&mut self.queens), self.strange.take());
        // A few squares may be any words.
        if queens.is_empty() || 2 * queens.len() <= self.n && !self.strict {
            return;
        }
        let is_whole = queens.len() == self.n;
        for (axis, first) in
            self.first.iter_mut().enumerate().filter(|(_, first)| is_whole && first.is_none())
        {
            let has = |number: usize| queens.iter().any(|queen| queen[axis] as usize == number);
            *first = if has(0) { Some(0) } else { has(self.n).then_some(1) };
        }
        let from_0 = |axis: usize, value: u32| {
            let index = value.checked_sub(self.first[axis].unwrap_or(0)).filter(|_| value != NO_VALUE)?;
            Some(index as usize)
        };
        let square =
            |&[row, column]: &[u32; 2]| Some(Square { row: from_0(0, row)?, column: from_0(1, column)? });
        let squares: Vec<Square> = queens.iter().filter_map(square).collect();
        let fault = match strange {
            Some(word) => Some(format!("'{word}' is not a square")),
            None if squares.len() < queens.len() => Some("an invalid row or column".to_owned()),
            None => None,
        };
        let board = if is_whole || fault.is_some() {
            ParsedBoard::of(self.n, squares, fault)
        } else {
            let found = counted(queens.len() as u64, "square");
            ParsedBoard::misshapen(squares, format!("{found} instead of {}", self.n))
        };
        self.strict |= is_whole && self.pairs;
        out.push_back(Parsed::new(self.line, board));
    }
}
