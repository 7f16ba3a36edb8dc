//! Checks clause by clause that a formula is N queens with the claimed number of solutions denied.
//! Uses `board::Square::attacks` and `board::is_solution`, and nothing of the code that writes formulas.
//! Memory: O(n^4) bytes, for any number of solutions.

use sha2::{Digest, Sha256};

use super::{CertificateFault, is_so};
use crate::board::{Placement, Square, column, is_solution};
use crate::verify::certificate::files::hexadecimal;

/// The state after the clauses read so far.
pub(super) struct Clauses {
    n: usize,
    encoding_clauses: u64,
    taken: u64,
    /// The rows and columns that must hold a queen, and the pairs of squares that must not both hold one.
    rows: Vec<bool>,
    columns: Vec<bool>,
    pairs: Vec<bool>,
    /// The last solution, the number of solutions, and their digest.
    last: Option<Placement>,
    solutions: u64,
    digest: Sha256,
}

impl Clauses {
    pub fn new(n: usize, encoding_clauses: u64) -> Self {
        Self {
            n,
            encoding_clauses,
            taken: 0,
            rows: vec![false; n],
            columns: vec![false; n],
            pairs: vec![false; n.pow(4)],
            last: None,
            solutions: 0,
            digest: Sha256::new(),
        }
    }

    /// The number of clauses read.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    fn square(&self, literal: i64) -> Option<Square> {
        let index = usize::try_from(literal.unsigned_abs()).ok()?.checked_sub(1)?;
        (index < self.n * self.n).then_some(Square { row: index / self.n, column: index % self.n })
    }

    /// Takes the next clause.
    pub fn take(&mut self, clause: &[i64]) -> Result<(), CertificateFault> {
        self.taken += 1;
        let belongs = if self.taken <= self.encoding_clauses {
            self.line_or_pair(clause)
        } else {
            self.solution(clause)
        };
        belongs.map_err(|reason| CertificateFault::Clause { number: self.taken, reason })
    }

    /// "There is a queen in this line", or "not on both of these squares".
    fn line_or_pair(&mut self, clause: &[i64]) -> Result<(), String> {
        let squares: Option<Vec<Square>> = clause.iter().map(|&literal| self.square(literal)).collect();
        let squares = squares.ok_or("it has a variable that does not stand for a square")?;
        if let ([a, b], [first, second]) = (&squares[..], clause)
            && *first < 0
            && *second < 0
        {
            if !a.attacks(*b) {
                return Err(format!(
                    "it forbids two queens that do not attack each other: {}",
                    shown(&squares)
                ));
            }
            return self.first_time_pair(*a, *b);
        }
        let n = self.n;
        let distinct = (1..squares.len()).all(|i| !squares[..i].contains(&squares[i]));
        if let [Square { row, column }, ..] = squares[..]
            && squares.len() == n
            && distinct
            && clause.iter().all(|&literal| literal > 0)
        {
            if squares.iter().all(|square| square.row == row) && !self.rows[row] {
                self.rows[row] = true;
                return Ok(());
            }
            if squares.iter().all(|square| square.column == column) && !self.columns[column] {
                self.columns[column] = true;
                return Ok(());
            }
        }
        Err("it is neither a row or column of the board nor two squares of a line, or it is repeated".into())
    }

    fn first_time_pair(&mut self, a: Square, b: Square) -> Result<(), String> {
        let number = |square: Square| square.row * self.n + square.column;
        let (a, b) = (number(a), number(b));
        let index = a.min(b) * self.n * self.n + a.max(b);
        if std::mem::replace(&mut self.pairs[index], true) {
            return Err("it is repeated".into());
        }
        Ok(())
    }

    /// "Not all of these queens", where the queens are a solution.
    fn solution(&mut self, clause: &[i64]) -> Result<(), String> {
        let queens: Option<Vec<Square>> =
            clause.iter().filter(|&&literal| literal < 0).map(|&literal| self.square(literal)).collect();
        let in_rows = queens.filter(|queens| {
            queens.len() == clause.len()
                && queens.len() == self.n
                && queens.iter().enumerate().all(|(row, queen)| queen.row == row)
        });
        let queens = in_rows.ok_or("it does not deny one queen per row, top row first")?;
        let columns: Vec<u16> = queens.iter().map(|queen| column(queen.column)).collect();
        let board = Placement::new(&columns);
        if !is_solution(&columns) {
            return Err(format!("the board that it denies is not a solution: {board}"));
        }
        if self.last.as_ref().is_some_and(|last| *last >= board) {
            return Err(format!("it denies a solution twice or out of order: {board}"));
        }
        self.digest.update(board.to_string());
        self.digest.update("\n");
        self.solutions += 1;
        self.last = Some(board);
        Ok(())
    }

    /// Checks that no clause is missing, and returns the digest of the solutions.
    pub fn end(self, solutions: u64) -> Result<String, CertificateFault> {
        let n = self.n;
        for (line, there) in self.rows.iter().chain(&self.columns).enumerate() {
            if !there {
                let (kind, number) = if line < n { ("row", line + 1) } else { ("column", line + 1 - n) };
                return Err(CertificateFault::Missing(format!("{kind} {number} holds a queen")));
            }
        }
        let square = |index: usize| Square { row: index / n, column: index % n };
        for a in 0..n * n {
            for b in a + 1..n * n {
                if square(a).attacks(square(b)) && !self.pairs[a * n * n + b] {
                    let both = shown(&[square(a), square(b)]);
                    return Err(CertificateFault::Missing(format!(
                        "these squares do not both hold a queen: {both}"
                    )));
                }
            }
        }
        is_so("solutions", solutions, self.solutions)?;
        Ok(hexadecimal(&self.digest.finalize()))
    }
}

/// Squares in words, rows and columns from 1.
fn shown(squares: &[Square]) -> String {
    let one = |square: &Square| format!("row {}, column {}", square.row + 1, square.column + 1);
    squares.iter().map(one).collect::<Vec<_>>().join(" and ")
}
