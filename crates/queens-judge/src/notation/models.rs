//! Reads boards that are models of a SAT solver.

use std::collections::BTreeSet;

use super::candidate::{Candidate, Score};
use super::lines::Line;
use queens_board::problem::Problem;

/// Reads the models of a SAT solver: literals up to a 0. Row r and column c are literal r * n + c + 1; other literals are ignored.
#[derive(Clone, Debug)]
pub(super) struct Models {
    n: usize,
    /// Whether the lines of models begin with a `v`.
    has_value_lines: bool,
    /// The first line of the model that is being read; `None` between models.
    first_line: Option<u64>,
    /// The literals of this model that stand for squares.
    literals: BTreeSet<i64>,
}

/// The literals of a value line: the text behind the `v`.
fn value_line(text: &str) -> Option<&str> {
    text.strip_prefix('v').filter(|literals| literals.starts_with(|c: char| c.is_whitespace()))
}

fn literals(text: &str) -> Option<Vec<i64>> {
    text.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
}

impl Models {
    /// Creates a reader for a text that begins with these lines.
    pub fn new(n: usize, lines: &[Line]) -> Self {
        let is_value_line = |line: &Line| {
            let text = line.text.trim_ascii_start();
            text.starts_with(b"v")
                && value_line(&plaintext::decode(text)).is_some_and(|text| literals(text).is_some())
        };
        let has_value_lines = lines.iter().any(is_value_line);
        Self { n, has_value_lines, first_line: None, literals: BTreeSet::new() }
    }

    /// The score of the models in some lines. A model begins with a value line or a line with a negative literal.
    pub fn score(lines: &[Line], problem: &Problem) -> Score {
        let (mut models, mut candidates) = (Self::new(problem.n().get(), lines), Vec::new());
        let is_model =
            |line: &Line| line.text.starts_with(b"v ") || line.text.windows(2).any(|two| two == b" -");
        for line in lines {
            if models.first_line.is_some() || is_model(line) {
                models.read_line(line, &mut candidates);
            }
        }
        let boards = candidates.iter().filter_map(|candidate| match candidate {
            Candidate::Board { columns, .. } => Some(&columns[..]),
            _ => None,
        });
        Score::from_boards(boards, problem)
    }

    /// Reads a line, and adds the models that it completes to `out`. Returns whether the line belongs to a model.
    pub fn read_line(&mut self, line: &Line, out: &mut Vec<Candidate>) -> bool {
        let text = plaintext::decode(&line.text);
        let text = text.trim_start();
        if text.is_empty() {
            // An empty line ends a model, unless models consist of value lines.
            if !self.has_value_lines {
                self.end(out);
            }
            return true;
        }
        let Some(literals) =
            value_line(text).or(Some(text).filter(|_| !self.has_value_lines)).and_then(literals)
        else {
            return false;
        };
        let squares = (self.n * self.n) as u64;
        for literal in literals {
            if literal != 0 {
                self.first_line.get_or_insert(line.number);
                self.literals.extend(Some(literal).filter(|literal| literal.unsigned_abs() <= squares));
            } else if let Some(first_line) = self.first_line.take() {
                out.push(self.board(first_line));
            }
        }
        true
    }

    /// Removes all literals. Returns the squares of the positive literals, in order.
    fn take_queens(&mut self) -> Vec<[u32; 2]> {
        let n = self.n as u64;
        let index = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let squares = std::mem::take(&mut self.literals)
            .into_iter()
            .filter_map(|literal| u64::try_from(literal - 1).ok());
        squares.map(|square| [index(square / n), index(square % n)]).collect()
    }

    fn board(&mut self, line: u64) -> Candidate {
        let is_contradictory = self.literals.iter().any(|literal| self.literals.contains(&-literal));
        let queens = self.take_queens();
        let is_in_row = |(row, queen): (usize, &[u32; 2])| queen[0] as usize == row;
        if queens.len() == self.n && !is_contradictory && queens.iter().enumerate().all(is_in_row) {
            return Candidate::Board { line, columns: queens.iter().map(|queen| queen[1]).collect() };
        }
        Candidate::Malformed { line, queens }
    }

    /// Ends the model that is being read. Without a 0 at its end, it is a malformed board.
    pub fn end(&mut self, out: &mut Vec<Candidate>) {
        let queens = self.take_queens();
        if let Some(line) = self.first_line.take() {
            out.push(Candidate::WrongLength { line, count: queens.len(), queens, noun: "queen" });
        }
    }
}
