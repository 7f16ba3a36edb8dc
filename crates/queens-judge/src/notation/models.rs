//! Boards as models of a SAT solver.

use std::collections::BTreeSet;

use super::candidate::{Candidate, Score};
use super::lines::Line;
use queens_board::problem::Problem;

/// Reads the models of a SAT solver: literals up to a 0. Row r and column c are literal r * n + c + 1; others are left out.
#[derive(Clone, Debug)]
pub(super) struct Models {
    n: usize,
    /// Whether lines of models begin with a `v`.
    has_sign: bool,
    /// The first line of the model that is being read, and its literals of squares.
    line: Option<u64>,
    literals: BTreeSet<i64>,
}

/// The rest of a line that begins with the sign of a value line.
fn signed(text: &str) -> Option<&str> {
    text.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_whitespace()))
}

fn literals(text: &str) -> Option<Vec<i64>> {
    text.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
}

impl Models {
    /// A reader of the models of a text that begins with these lines.
    pub fn new(n: usize, lines: &[Line]) -> Self {
        let is_signed = |line: &Line| {
            let text = line.text.trim_ascii_start();
            text.starts_with(b"v")
                && signed(&plaintext::decode(text)).is_some_and(|rest| literals(rest).is_some())
        };
        Self { n, has_sign: lines.iter().any(is_signed), line: None, literals: BTreeSet::new() }
    }

    /// How much speaks for models: a negative literal, or the sign of a value line.
    pub fn score(lines: &[Line], problem: &Problem) -> Score {
        let (mut models, mut candidates) = (Self::new(problem.n().get(), lines), Vec::new());
        let is_model =
            |line: &Line| line.text.starts_with(b"v ") || line.text.windows(2).any(|two| two == b" -");
        for line in lines {
            if models.line.is_some() || is_model(line) {
                models.take(line, &mut candidates);
            }
        }
        let mut score = Score::default();
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
                self.end(out);
            }
            return true;
        }
        let Some(literals) = signed(text).or(Some(text).filter(|_| !self.has_sign)).and_then(literals) else {
            return false;
        };
        let squares = (self.n * self.n) as u64;
        for literal in literals {
            if literal != 0 {
                self.line.get_or_insert(line.number);
                self.literals.extend(Some(literal).filter(|literal| literal.unsigned_abs() <= squares));
            } else if let Some(line) = self.line.take() {
                out.push(self.board(line));
            }
        }
        true
    }

    /// The squares of the positive literals, in order.
    fn queens(&mut self) -> Vec<[u32; 2]> {
        let n = self.n as u64;
        let place = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let squares = std::mem::take(&mut self.literals)
            .into_iter()
            .filter_map(|literal| u64::try_from(literal - 1).ok());
        squares.map(|square| [place(square / n), place(square % n)]).collect()
    }

    fn board(&mut self, line: u64) -> Candidate {
        let is_contradictory = self.literals.iter().any(|literal| self.literals.contains(&-literal));
        let queens = self.queens();
        let is_row = |(row, queen): (usize, &[u32; 2])| queen[0] as usize == row;
        if queens.len() == self.n && !is_contradictory && queens.iter().enumerate().all(is_row) {
            return Candidate::Board { line, columns: queens.iter().map(|queen| queen[1]).collect() };
        }
        Candidate::Malformed { line, queens }
    }

    /// The text ends: a model that is not whole is not a board.
    pub fn end(&mut self, out: &mut Vec<Candidate>) {
        let queens = self.queens();
        if let Some(line) = self.line.take() {
            out.push(Candidate::Part { line, count: queens.len(), queens, unit: "queen" });
        }
    }
}
