//! Reads boards from literals of `v` lines: a model ends in 0.

use std::collections::VecDeque;

use super::super::parsed::{Parsed, ParsedBoard};
use crate::board::Square;

#[derive(Debug)]
pub(super) struct ModelReader {
    n: usize,
    begun: bool,
    line: u64,
    queens: Vec<Square>,
    /// The value given to each square so far; allocated for the first model.
    values: Vec<Option<bool>>,
    fault: Option<String>,
}

impl ModelReader {
    pub fn new(n: usize) -> Self {
        Self { n, begun: false, line: 0, queens: Vec::new(), values: Vec::new(), fault: None }
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
                let board = ParsedBoard::of(self.n, std::mem::take(&mut self.queens), self.fault.take());
                out.push_back(Parsed { line: self.line, board });
                self.begun = false;
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
        if !self.begun {
            self.begun = true;
            self.line = at;
            self.values.clear();
            self.values.resize(self.n * self.n, None);
        }
    }

    /// Whether a model has begun.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Ends the model, because other text or the end of the text follows.
    pub fn end(&mut self, out: &mut VecDeque<Parsed>) {
        if std::mem::take(&mut self.begun) {
            let fault = self.fault.take().unwrap_or_else(|| "the model does not end in 0".to_owned());
            let board = ParsedBoard::of(self.n, std::mem::take(&mut self.queens), Some(fault));
            out.push_back(Parsed { line: self.line, board });
        }
    }

    fn fault(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }
}
