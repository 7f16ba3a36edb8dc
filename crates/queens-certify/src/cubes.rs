//! A proof by cubes. A cube is a placement of queens on some rows, the cube rows. A search enumerates the cubes, and for each cube
//! varisat refutes the residual formula. This proves that no solution contains the cube, except the solutions that clauses exclude. The
//! lemmas of varisat, each extended by the literals "not these queens", follow from the formula of the whole board.
//!
//! The residual formula of a cube has variables for the free squares only. Its at-least-one clauses are the first lemmas of the cube:
//! the clause of a line, without the squares that the queens of the cube attack or that must not hold a queen. The other clauses of the
//! residual formula are clauses of the whole formula. Then follow the lemmas of varisat, of which the last is "not this cube". Finally,
//! the lemmas of the search (`tree.rs`) derive the empty clause from the lemmas of the cubes.
//!
//! Without cube rows, one solver refutes the whole formula. If all rows are cube rows, the search alone proves the formula
//! unsatisfiable. In a part of a certificate, the queens on the first cube rows are given, and the search assigns the other cube rows.
//! Queens on middle rows attack the most squares, so the cube rows are chosen from the middle outwards.

use std::collections::HashMap;
use std::io;

use super::CertifyError;
use super::formula::HintedFormula;
use super::proof::Proof;
use super::refute::refute;
use super::solutions::Solutions;
use super::tree::LemmaWriter;
use queens_board::{Placement, Square, column, lines, place};
use queens_sat::cnf::{Cnf, Lit, Variable, variable};
use queens_sat::encoding::queen;

/// The cube rows of an `n` by `n` board, from the middle outwards. Their number is the one for which proofs were made fastest in
/// measurements.
pub fn rows(n: usize) -> Vec<usize> {
    let depth = match n {
        0..=5 => 0,
        6..=7 => 1,
        8..=11 => 2,
        12 => 3,
        13 => 4,
        14..=16 => 5,
        // Boards of these sizes have problems other than plain queens, for which more rows would result in too many cubes.
        _ => 2,
    };
    let middle = n / 2;
    let rows_from_middle = (0..n).map(|i| if i % 2 == 0 { middle + i / 2 } else { middle - i.div_ceil(2) });
    rows_from_middle.take(depth).collect()
}

/// The number of cube rows that define a part. These are the first rows of [`rows`]. There are at most several hundred parts,
/// except for n = 16, where there are more than two thousand.
pub fn part_row_count(n: usize) -> usize {
    match n {
        0..=5 => 0,
        13..=15 => 2,
        16 => 3,
        _ => 1,
    }
}

/// Refutes the formula by a search over the cube rows `rows`. The queens `required_queens` are on the first of these rows, and
/// clauses of the formula require these queens.
pub fn write(
    formula: &HintedFormula,
    solutions: &Solutions,
    required_queens: &[Square],
    rows: &[usize],
    proof: &mut Proof<'_>,
) -> Result<(), CertifyError> {
    let indices_by_cube = solutions.indices_by_rows(rows);
    let mut writer =
        CubeProofWriter { lemmas: LemmaWriter::new(formula, proof), solutions, rows, indices_by_cube };
    let last_lemma = writer.write_subtree(&mut required_queens.to_vec())?;
    if !required_queens.is_empty() {
        // The last lemma of the search is "not all of the required queens", which contradicts the clauses that require these
        // queens.
        let clauses = formula.required_queens().filter(|(queen, _)| required_queens.contains(queen));
        let hints: Vec<u64> = clauses.map(|(_, clause)| clause).chain([last_lemma]).collect();
        proof.lemma(&[], &hints)?;
    }
    Ok(())
}

/// Searches the cube rows, and refutes the rest of the board for each cube.
struct CubeProofWriter<'a, 'w> {
    lemmas: LemmaWriter<'a, 'w>,
    solutions: &'a Solutions,
    rows: &'a [usize],
    /// The solutions of each cube.
    indices_by_cube: HashMap<Vec<u32>, Vec<usize>>,
}

impl CubeProofWriter<'_, '_> {
    /// Writes the lemmas of the subtree whose root has these queens. Returns the id of the lemma of the root or, if the root is a
    /// solution, of the clause that excludes it.
    fn write_subtree(&mut self, queens: &mut Vec<Square>) -> Result<u64, CertifyError> {
        let (formula, n) = (self.lemmas.formula, self.lemmas.formula.n);
        if queens.len() == n {
            let mut columns = vec![0; n];
            place(&mut columns, queens.iter().copied());
            return Ok(formula.solution_clause(self.solutions.position(&columns)?));
        }
        let Some(&row) = self.rows.get(queens.len()) else {
            return self.write_cube(queens);
        };
        let mut children = vec![0; n];
        for (column, child) in children.iter_mut().enumerate() {
            let cell = Square { row, column };
            if formula.is_open(queens, cell) {
                queens.push(cell);
                *child = self.write_subtree(queens)?;
                queens.pop();
            }
        }
        Ok(self.lemmas.lemma(queens, row, &children)?)
    }

    /// Writes the lemmas of varisat for a cube. Returns the id of the last lemma, "not all of these queens".
    fn write_cube(&mut self, queens: &[Square]) -> Result<u64, CertifyError> {
        let formula = self.lemmas.formula;
        let mut residual = CubeClauses::new(formula, self.lemmas.proof, queens)?;
        if let Some(lemma) = residual.refuted {
            self.lemmas.delete(queens, residual.line_lemmas.into_iter())?;
            return Ok(lemma);
        }
        residual.add_pairs(formula);
        let key: Vec<u32> = queens.iter().map(|queen| column(queen.column)).collect();
        for &index in self.indices_by_cube.get(&key).into_iter().flatten() {
            residual.add_solution(self.solutions, index, formula);
        }
        let CubeClauses { cnf, squares, ids, line_lemmas, .. } = residual;
        let n = formula.n;
        let literal_of_whole_formula = |lit: Lit| {
            let queen = queen(n, squares[lit.variable() as usize - 1]);
            if lit.is_positive() { queen } else { !queen }
        };
        let cube = formula.negated_queens(queens.iter().copied()).collect();
        match refute(&cnf, ids, &literal_of_whole_formula, cube, self.lemmas.proof)? {
            Ok((last, lemmas)) => {
                self.lemmas.delete(queens, line_lemmas.into_iter().chain(lemmas))?;
                Ok(last)
            }
            Err(model) => {
                let mut columns = vec![0; n];
                let model_squares = model.iter().map(|lit| squares[lit.variable() as usize - 1]);
                place(&mut columns, model_squares.chain(queens.iter().copied()));
                Err(CertifyError::Missing(Placement::new(&columns)))
            }
        }
    }
}

/// The residual formula of a cube, with the id of each clause in the proof. A square is left out only if a clause of the formula
/// excludes it, because the lemmas need the id of such a clause.
struct CubeClauses {
    cnf: Cnf,
    /// The square of each variable.
    squares: Vec<Square>,
    /// The variable of each square; 0 for a square without a variable.
    variables: Vec<Variable>,
    /// The id of each clause in the proof.
    ids: Vec<u64>,
    /// The ids of the lemmas of lines.
    line_lemmas: Vec<u64>,
    /// The id of the lemma "not this cube", if a line has no free square.
    refuted: Option<u64>,
}

impl CubeClauses {
    /// Creates the formula with the free squares, and writes the lemma of each line without a queen of the cube.
    fn new(formula: &HintedFormula, proof: &mut Proof<'_>, queens: &[Square]) -> io::Result<Self> {
        let n = formula.n;
        let squares = free_squares(formula, queens);
        let mut variables = vec![0; n * n];
        for (variable, square) in (1..).zip(&squares) {
            variables[square.row * n + square.column] = variable;
        }
        let cnf = Cnf::new(variable(squares.len()));
        let mut residual =
            Self { cnf, squares, variables, ids: Vec::new(), line_lemmas: Vec::new(), refuted: None };
        let negated_cube: Vec<Lit> = formula.negated_queens(queens.iter().copied()).collect();
        for &(ref line, line_clause) in &formula.lines {
            if line.iter().any(|square| queens.contains(square)) {
                continue;
            }
            let mut clause: Vec<Lit> = Vec::with_capacity(n + queens.len());
            let mut hints = Vec::with_capacity(n);
            for &square in line {
                match formula.excluding_clause(queens, square) {
                    Some(clause) => hints.push(clause),
                    None => clause.push(queen(n, square)),
                }
            }
            let open_squares = clause.len();
            residual.cnf.add_clause(line.iter().filter_map(|&square| lit(&residual.variables, n, square)));
            if hints.is_empty() {
                residual.ids.push(line_clause);
                continue;
            }
            hints.push(line_clause);
            clause.extend(&negated_cube);
            let lemma = proof.lemma(&clause, &hints)?;
            residual.ids.push(lemma);
            if open_squares == 0 {
                residual.refuted = Some(lemma);
                return Ok(residual);
            }
            residual.line_lemmas.push(lemma);
        }
        Ok(residual)
    }

    /// Adds the clauses "not both" of pairs of free squares.
    fn add_pairs(&mut self, formula: &HintedFormula) {
        for (second_index, &second) in self.squares.iter().enumerate() {
            for (first_index, &first) in self.squares[..second_index].iter().enumerate() {
                let pair = formula.pair_clause(first, second);
                if pair > 0 {
                    let [a, b] = [first_index, second_index].map(|index| !Lit::positive(variable(index + 1)));
                    self.cnf.add_clause([a, b]);
                    self.ids.push(pair);
                }
            }
        }
    }

    /// Adds the clause of a solution that contains the cube: "not all queens of the solution that are outside the cube".
    fn add_solution(&mut self, solutions: &Solutions, index: usize, formula: &HintedFormula) {
        let n = formula.n;
        let columns = solutions.get(index);
        let queens = (0..n).map(|row| Square { row, column: columns[row] as usize });
        self.cnf.add_clause(queens.filter_map(|queen| lit(&self.variables, n, queen)).map(|lit| !lit));
        self.ids.push(formula.solution_clause(index));
    }
}

/// The squares that no clause excludes if these queens are placed.
fn free_squares(formula: &HintedFormula, queens: &[Square]) -> Vec<Square> {
    let is_free =
        |square: &Square| !queens.contains(square) && formula.excluding_clause(queens, *square).is_none();
    lines::rows(formula.n).flatten().filter(is_free).collect()
}

/// The positive literal of a square; `None` if the square has no variable.
fn lit(variables: &[Variable], n: usize, square: Square) -> Option<Lit> {
    let variable = variables[square.row * n + square.column];
    (variable > 0).then(|| Lit::positive(variable))
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::BoardSize;
    use queens_board::open_board::OpenBoard;
    use queens_board::prefix::Placements;
    use queens_board::problem::Problem;
    use queens_sat::symmetry::{SymmetryBreaking, SymmetryGroup};

    #[test]
    fn clauses_exclude_exactly_the_squares_under_attack() {
        for (n, text) in
            [(6, "queens"), (8, "queens"), (7, "toroidal"), (6, "queens;place=5:3;forbid=0:0,2:4")]
        {
            let problem = Problem::from_text(BoardSize::new(n).expect("small"), text).expect("a problem");
            let breaking = SymmetryBreaking::on_middle_row(n, SymmetryGroup::None);
            let solutions = Solutions::enumerate(&problem, breaking).expect("small");
            let formula = HintedFormula::new(problem.clone(), &breaking, &solutions);
            let mut board = OpenBoard::with_open_squares(&problem, |square| problem.may_hold(square));
            let mut cubes = 0;
            for queens in Placements::new(&problem, rows(n), |_, _| true) {
                queens.iter().for_each(|&queen| board.place(board.index(queen)));
                let expected_squares = board.open_squares().map(|square| board.square(square));
                let expected_squares: Vec<Square> =
                    expected_squares.filter(|square| !board.has_queen(square.row)).collect();
                assert_eq!(free_squares(&formula, &queens), expected_squares, "{problem} {queens:?}");
                queens.iter().for_each(|_| board.undo());
                cubes += 1;
            }
            assert!(cubes > 3, "{cubes}");
        }
    }
}
