//! Boards as models of a SAT solver.

use std::collections::HashMap;

use super::candidate::{Candidate, Score};
use super::lines::Line;
use queens_board::problem::Problem;

/// Reads the models of a SAT solver: literals up to a 0. Row r and column c are literal r * n + c + 1; others are left out.
#[derive(Clone, Debug)]
pub(super) struct Models {
    n: usize,
    line: u64,
    /// Whether lines of models begin with a `v`.
    has_sign: bool,
    /// The literals of the model that is being read.
    literals: usize,
    /// The sign of each square in it, and whether a square has both.
    signs: HashMap<u64, bool>,
    is_contradictory: bool,
    queens: Vec<[u32; 2]>,
}

/// The rest of a line that begins with the sign of a value line.
fn signed(text: &str) -> Option<&str> {
    text.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_whitespace()))
}

fn is_literals(text: &str) -> bool {
    text.split_ascii_whitespace().all(|word| word.parse::<i64>().is_ok())
}

impl Models {
    /// A reader of the models of a text that begins with these lines.
    pub fn new(n: usize, lines: &[Line]) -> Self {
        let is_signed = |line: &Line| {
            let text = line.text.trim_ascii_start();
            text.starts_with(b"v") && signed(&plaintext::decode(text)).is_some_and(is_literals)
        };
        Self {
            n,
            line: 0,
            has_sign: lines.iter().any(is_signed),
            literals: 0,
            signs: HashMap::new(),
            is_contradictory: false,
            queens: Vec::new(),
        }
    }

    /// How much speaks for models: a negative literal, or the sign of a value line.
    pub fn score(lines: &[Line], problem: &Problem) -> Score {
        let (mut models, mut candidates, mut score) =
            (Self::new(problem.n().get(), lines), Vec::new(), Score::default());
        let is_model =
            |line: &Line| line.text.starts_with(b"v ") || line.text.windows(2).any(|two| two == b" -");
        for line in lines {
            if models.literals > 0 || is_model(line) {
                models.take(line, &mut candidates);
            }
        }
        for candidate in candidates {
            if let Candidate::Board { columns, .. } = candidate {
                score.add(&columns, problem);
            }
        }
        score
    }

    /// Takes a line. Returns whether it belongs to a model.
    pub fn take(&mut self, line: &Line, out: &mut Vec<Candidate>) -> bool {
        let text = plaintext::decode(&line.text);
        let text = text.trim_start();
        if text.is_empty() {
            // A model without signs is not interrupted.
            if !self.has_sign {
                self.end(false, out);
            }
            return true;
        }
        let text = match signed(text) {
            Some(text) => text,
            None if self.has_sign => return false,
            None => text,
        };
        if !is_literals(text) {
            return false;
        }
        let squares = (self.n * self.n) as u64;
        for literal in text.split_ascii_whitespace().filter_map(|word| word.parse::<i64>().ok()) {
            if literal == 0 {
                if self.literals > 0 {
                    out.push(self.board(line.is_open));
                }
                continue;
            }
            if self.literals == 0 {
                self.line = line.number;
            }
            self.literals += 1;
            if literal.unsigned_abs() <= squares {
                let sign = self.signs.entry(literal.unsigned_abs()).or_insert(literal > 0);
                self.is_contradictory |= *sign != (literal > 0);
            }
            if let Ok(square) = u64::try_from(literal - 1)
                && square < squares
                && self.queens.len() <= self.n * self.n
            {
                let n = self.n as u64;
                let place = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
                self.queens.push([place(square / n), place(square % n)]);
            }
        }
        true
    }

    fn board(&mut self, is_open: bool) -> Candidate {
        let mut queens = std::mem::take(&mut self.queens);
        self.literals = 0;
        self.signs.clear();
        let is_contradictory = std::mem::take(&mut self.is_contradictory);
        let line = self.line;
        let is_row = |(index, queen): (usize, &[u32; 2])| queen[0] as usize == index;
        if queens.len() == self.n && !is_contradictory {
            queens.sort_unstable();
            if queens.iter().enumerate().all(is_row) {
                return Candidate::Board {
                    line,
                    columns: queens.iter().map(|queen| queen[1]).collect(),
                    is_open,
                };
            }
        }
        Candidate::Malformed { line, queens, is_open }
    }

    /// The text ends: a model that is not whole is not a board.
    pub fn end(&mut self, is_open: bool, out: &mut Vec<Candidate>) {
        let queens = std::mem::take(&mut self.queens);
        if std::mem::take(&mut self.literals) > 0 {
            out.push(Candidate::Part { line: self.line, rows: queens.len(), queens, what: "queen", is_open });
        }
    }
}
