//! Boards from literals of `v` lines: a model ends in 0.

use std::collections::VecDeque;

use super::boards::{Parsed, ParsedBoard};
use crate::board::Square;

#[derive(Debug, Default)]
pub(super) struct Models {
    n: usize,
    /// The line where the model begins, once it has begun.
    begun: Option<u64>,
    queens: Vec<Square>,
    /// The value given to each square so far; allocated for the first model.
    values: Vec<Option<bool>>,
    fault: Option<String>,
}

impl Models {
    pub fn new(n: usize) -> Self {
        Self { n, ..Self::default() }
    }

    /// Reads literals up to 0; literals beyond the squares belong to auxiliary variables. `None`: not all
    /// words are numbers.
    pub fn literals(&mut self, at: u64, literals: Option<&[i64]>, out: &mut VecDeque<Parsed>) {
        let Some(literals) = literals else {
            self.begin(at);
            return self.fault("a literal that is not a number".to_owned());
        };
        let squares = self.n * self.n;
        for &literal in literals {
            self.begin(at);
            let variable = usize::try_from(literal.unsigned_abs()).unwrap_or(usize::MAX);
            if variable == 0 {
                self.finish(out);
            } else if variable <= squares {
                let is_queen = literal > 0;
                if self.values[variable - 1].replace(is_queen).is_some_and(|value| value != is_queen) {
                    self.fault(format!("variable {variable} is both true and false"));
                }
                if is_queen && self.queens.len() <= squares {
                    let (row, column) = ((variable - 1) / self.n, (variable - 1) % self.n);
                    self.queens.push(Square { row, column });
                }
            }
        }
    }

    fn begin(&mut self, at: u64) {
        if self.begun.is_none() {
            self.begun = Some(at);
            self.values.clear();
            self.values.resize(self.n * self.n, None);
        }
    }

    fn finish(&mut self, out: &mut VecDeque<Parsed>) {
        if let Some(line) = self.begun.take() {
            let board = ParsedBoard::of(self.n, std::mem::take(&mut self.queens), self.fault.take());
            out.push_back(Parsed::new(line, board));
        }
    }

    /// Ends the model, because other text or the end of the text follows.
    pub fn end(&mut self, out: &mut VecDeque<Parsed>) {
        self.fault("the model does not end in 0".to_owned());
        self.finish(out);
        self.fault = None;
    }

    fn fault(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }
}
