//! A proof composed of cubes: varisat refutes the rest of the board under each assignment of some rows.
//! Its lemmas, with "or not these queens" added, follow from the formula of the whole board.
//!
//! A cube is one legal way to put queens on the chosen rows. Its residual formula has variables for the
//! free squares only. Each of its at-least-one clauses is a lemma: the clause of the line without the squares
//! that the queens of the cube attack or that must not hold a queen. Its other clauses are those of the formula. The lemmas of varisat follow;
//! the last one is "not this cube". The lemmas of a search over the chosen rows then lead from the cubes to the
//! empty clause. Without chosen rows, this is the proof of one solver on the whole formula. In a part of a certificate, the
//! queens on the first of these rows are given; the search begins below them.
//! Queens on middle rows attack the most squares, so the rows are chosen from the middle outwards.

use std::collections::HashMap;
use std::io;

use super::CertifyError;
use super::formula::Formula;
use super::proof::Proof;
use super::refute::refute;
use super::solutions::Solutions;
use crate::board::{Placement, Square, column, lines, place};
use crate::sat::cnf::{Cnf, Lit, Variable, variable};
use crate::sat::encoding::queen;

/// The rows that cubes of an `n` by `n` board fix, from the middle. Their number was the fastest in measurements.
pub fn rows(n: usize) -> Vec<usize> {
    let depth = match n {
        0..=5 => 0,
        6..=7 => 1,
        8..=11 => 2,
        12 => 3,
        13 => 4,
        14..=16 => 5,
        // Only problems other than plain queens: there would be too many cubes of more rows.
        _ => 2,
    };
    let middle = n / 2;
    let outwards = (0..n).map(|i| if i % 2 == 0 { middle + i / 2 } else { middle - i.div_ceil(2) });
    outwards.take(depth).collect()
}

/// The number of rows of the cubes of parts, the first of [`rows`]: up to some hundred parts, or two thousand.
pub fn rows_of_parts(n: usize) -> usize {
    match n {
        0..=5 => 0,
        13..=15 => 2,
        16 => 3,
        _ => 1,
    }
}

/// Refutes the formula by cubes of these rows. The queens of `given` are on the first of these rows, and the formula
/// requires them.
pub fn write(
    formula: &Formula,
    solutions: &Solutions,
    given: &[Square],
    rows: &[usize],
    proof: &mut Proof<'_>,
) -> Result<(), CertifyError> {
    let by_cube = solutions.by_rows(rows);
    let mut composer = Composer { formula, solutions, rows, by_cube, proof };
    let last = composer.node(&mut given.to_vec())?;
    if !given.is_empty() {
        // The last lemma is "not all of the given queens".
        let required = formula.placed().filter(|(queen, _)| given.contains(queen));
        let hints: Vec<u64> = required.map(|(_, clause)| clause).chain([last]).collect();
        proof.lemma(&[], &hints)?;
    }
    Ok(())
}

/// Writes lemmas "not these queens".
struct Composer<'a, 'w> {
    formula: &'a Formula,
    solutions: &'a Solutions,
    rows: &'a [usize],
    /// The solutions of each cube.
    by_cube: HashMap<Vec<u16>, Vec<usize>>,
    proof: &'a mut Proof<'w>,
}

impl Composer<'_, '_> {
    /// Writes the lemma "not all of these queens", after the lemmas of all nodes below.
    fn node(&mut self, queens: &mut Vec<Square>) -> Result<u64, CertifyError> {
        let Some(&row) = self.rows.get(queens.len()) else {
            return self.cube(queens);
        };
        let mut hints = Vec::new();
        let mut children = Vec::new();
        for column in 0..self.formula.n() {
            let cell = Square { row, column };
            match self.formula.excluded(queens, cell) {
                Some(clause) => hints.push(clause),
                None => {
                    queens.push(cell);
                    let child = self.node(queens)?;
                    queens.pop();
                    hints.push(child);
                    children.push(child);
                }
            }
        }
        hints.push(self.formula.row(row));
        let clause: Vec<Lit> = self.formula.denied(queens.iter().copied()).collect();
        let lemma = self.proof.lemma(&clause, &hints)?;
        self.ends_with(lemma, queens, &children)
    }

    /// Writes the lemma "not all of these queens", found by varisat.
    fn cube(&mut self, queens: &[Square]) -> Result<u64, CertifyError> {
        let mut residual = Residual::new(self, queens)?;
        if let Some(lemma) = residual.refuted {
            return self.ends_with(lemma, queens, &residual.line_lemmas);
        }
        residual.pairs(self.formula);
        let key: Vec<u16> = queens.iter().map(|queen| column(queen.column)).collect();
        for &index in self.by_cube.get(&key).into_iter().flatten() {
            residual.solution(self.solutions, index, self.formula);
        }
        let Residual { cnf, squares, ids, line_lemmas, .. } = residual;
        let n = self.formula.n();
        let lifted = |lit: Lit| {
            let queen = queen(n, squares[lit.variable() as usize - 1]);
            if lit.is_positive() { queen } else { !queen }
        };
        let cube = self.formula.denied(queens.iter().copied()).collect();
        match refute(&cnf, ids, &lifted, cube, self.proof)? {
            Ok((last, lemmas)) => {
                let needless: Vec<u64> = line_lemmas.into_iter().chain(lemmas).collect();
                self.ends_with(last, queens, &needless)
            }
            Err(model) => {
                let mut columns = vec![0; n];
                let found = model.iter().map(|lit| squares[lit.variable() as usize - 1]);
                place(&mut columns, found.chain(queens.iter().copied()));
                Err(CertifyError::Missing(Placement::new(&columns)))
            }
        }
    }

    /// Deletes clauses that are no longer needed, unless the lemma is the empty clause, the last step.
    fn ends_with(&mut self, lemma: u64, queens: &[Square], needless: &[u64]) -> Result<u64, CertifyError> {
        if !queens.is_empty() {
            self.proof.delete(needless)?;
        }
        Ok(lemma)
    }
}

/// The rest of the board under a cube.
struct Residual {
    cnf: Cnf,
    /// The square of each variable.
    squares: Vec<Square>,
    /// The variable of each square, or 0.
    variables: Vec<Variable>,
    /// For each clause, its number in the proof.
    ids: Vec<u64>,
    line_lemmas: Vec<u64>,
    /// The lemma "not this cube" if a line has no free square.
    refuted: Option<u64>,
}

impl Residual {
    /// The free squares, and the lemma of each line without a queen of the cube.
    fn new(composer: &mut Composer<'_, '_>, queens: &[Square]) -> io::Result<Self> {
        let formula = composer.formula;
        let n = formula.n();
        let free = |square: &Square| !queens.contains(square) && formula.excluded(queens, *square).is_none();
        let squares: Vec<Square> = lines::rows(n).flatten().filter(free).collect();
        let mut variables = vec![0; n * n];
        for (variable, square) in (1..).zip(&squares) {
            variables[square.row * n + square.column] = variable;
        }
        let cnf = Cnf::new(variable(squares.len()));
        let mut residual =
            Self { cnf, squares, variables, ids: Vec::new(), line_lemmas: Vec::new(), refuted: None };
        let denied: Vec<Lit> = formula.denied(queens.iter().copied()).collect();
        for &(ref line, given) in formula.lines() {
            if line.iter().any(|square| queens.contains(square)) {
                continue;
            }
            let mut clause: Vec<Lit> = Vec::with_capacity(n + queens.len());
            let mut hints = Vec::with_capacity(n);
            for &square in line {
                match formula.excluded(queens, square) {
                    Some(clause) => hints.push(clause),
                    None => clause.push(queen(n, square)),
                }
            }
            let open = clause.len();
            residual.cnf.add_clause(line.iter().filter_map(|&square| lit(&residual.variables, n, square)));
            if hints.is_empty() {
                residual.ids.push(given);
                continue;
            }
            hints.push(given);
            clause.extend(&denied);
            let lemma = composer.proof.lemma(&clause, &hints)?;
            residual.ids.push(lemma);
            if open == 0 {
                residual.refuted = Some(lemma);
                return Ok(residual);
            }
            residual.line_lemmas.push(lemma);
        }
        Ok(residual)
    }

    /// No two queens on free squares that attack each other.
    fn pairs(&mut self, formula: &Formula) {
        for (index, &second) in self.squares.iter().enumerate() {
            for (other, &first) in self.squares[..index].iter().enumerate() {
                let pair = formula.pair(first, second);
                if pair > 0 {
                    let [a, b] = [other, index].map(|index| !Lit::positive(variable(index + 1)));
                    self.cnf.add_clause([a, b]);
                    self.ids.push(pair);
                }
            }
        }
    }

    /// For a solution that contains the cube: the clause that its other queens are not all there.
    fn solution(&mut self, solutions: &Solutions, index: usize, formula: &Formula) {
        let n = formula.n();
        let columns = solutions.get(index);
        let queens = (0..n).map(|row| Square { row, column: columns[row].into() });
        self.cnf.add_clause(queens.filter_map(|queen| lit(&self.variables, n, queen)).map(|lit| !lit));
        self.ids.push(formula.solution(index));
    }
}

/// The literal of a square, if it has a variable.
fn lit(variables: &[Variable], n: usize, square: Square) -> Option<Lit> {
    let variable = variables[square.row * n + square.column];
    (variable > 0).then(|| Lit::positive(variable))
}
