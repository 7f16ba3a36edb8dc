//! Checks clause by clause that a formula states a problem and denies some of its solutions.
//!
//! The formula must begin with the clauses of the problem, in any order: one clause for each line that must hold a queen, each square
//! that must hold a queen, each square that must not hold a queen, and each pair of squares that attack each other. After them come the
//! clauses that break symmetry, and then one clause for each denied solution. This file shares no code with the code that writes
//! formulas.
//! Memory: the clauses of the problem, O(n^3) for most problems, and the solutions.

use std::collections::HashMap;

use lrat_check::Literal;

use super::{CertificateFault, ClauseFault, orbits};
use queens_board::problem::{Problem, Rule};
use queens_board::symmetry::Symmetry;
use queens_board::{Placement, Square, column, lines};

/// The clauses that the formulas of all parts must contain, and the conditions for other clauses.
pub struct BoardRules {
    pub problem: Problem,
    /// The symmetries that clauses may break.
    pub symmetries: Vec<Symmetry>,
    /// The rows by whose columns solutions are ordered, the most significant row first.
    pub order: Vec<usize>,
    /// The number of clauses that break symmetry.
    pub breaking_clauses: u64,
    /// The clauses of the problem, with literals in ascending order, and the index of each clause in `required_counts`.
    rules: HashMap<Vec<i64>, usize>,
    /// The number of times that each clause must occur. A clause must occur twice if, for example, a region is also a row.
    required_counts: Vec<u64>,
}

impl BoardRules {
    pub fn new(
        problem: Problem,
        symmetries: Vec<Symmetry>,
        order: Vec<usize>,
        breaking_clauses: u64,
    ) -> Self {
        let mut board = Self {
            problem,
            symmetries,
            order,
            breaking_clauses,
            rules: HashMap::new(),
            required_counts: Vec::new(),
        };
        let n = board.n();
        let exactly_one = board.problem.lines().filter(|line| line.rule == Rule::ExactlyOne);
        let exactly_one: Vec<Vec<Square>> = exactly_one.map(|line| line.squares).collect();
        exactly_one
            .iter()
            .for_each(|squares| board.require(squares.iter().map(|&square| literal(n, square))));
        for queen in board.problem.placed().to_vec() {
            board.require([literal(n, queen)]);
        }
        let squares: Vec<Square> = lines::rows(n).flatten().collect();
        for (index, &square) in squares.iter().enumerate() {
            if !board.problem.may_hold(square) {
                board.require([-literal(n, square)]);
            }
            for &earlier in &squares[..index] {
                if board.problem.variant().attacks(n, earlier, square) {
                    board.require([-literal(n, square), -literal(n, earlier)]);
                }
            }
        }
        board
    }

    pub fn n(&self) -> usize {
        self.problem.n().get()
    }

    /// Adds an occurrence of a clause to the clauses of the problem.
    fn require(&mut self, clause: impl IntoIterator<Item = i64>) {
        let mut clause: Vec<i64> = clause.into_iter().collect();
        clause.sort_unstable();
        let next_index = self.required_counts.len();
        let index = *self.rules.entry(clause).or_insert(next_index);
        if index == next_index {
            self.required_counts.push(0);
        }
        self.required_counts[index] += 1;
    }

    /// The square of a literal's variable; `None` if the variable is not a square.
    fn square(&self, literal: i64) -> Option<Square> {
        let index = usize::try_from(literal.unsigned_abs()).ok()?.checked_sub(1)?;
        let n = self.n();
        (index < n * n).then(|| Square { row: index / n, column: index % n })
    }

    /// The squares of a clause "not all of these squares hold queens"; `None` for other clauses.
    fn denied_squares(&self, clause: &[i64]) -> Option<Vec<Square>> {
        clause.iter().map(|&literal| self.square(literal).filter(|_| literal < 0)).collect()
    }
}

/// The literal "this square holds a queen".
fn literal(n: usize, square: Square) -> i64 {
    (square.row * n + square.column + 1) as i64
}

/// The check of the formula of one part. It receives the clauses one by one.
pub struct FormulaCheck<'b> {
    board: &'b BoardRules,
    /// The problem with the queens of the cube.
    part: &'b Problem,
    /// By clause of the problem, the number of occurrences that have not been read yet.
    remaining: Vec<u64>,
    /// The literals of the queens of the cube whose unit clauses have not been read yet.
    cube: Vec<i64>,
    /// The number of clauses of the problem and of the queens of the cube.
    rule_count: u64,
    clauses_read: u64,
    /// The number of denied solutions.
    pub solutions: usize,
    /// The columns of the denied solutions, one solution after another.
    pub columns: Vec<u32>,
}

impl<'b> FormulaCheck<'b> {
    /// Begins the check of a formula.
    pub fn new(board: &'b BoardRules, part: &'b Problem) -> Self {
        let required_queens = board.problem.placed();
        let cube = part.placed().iter().filter(|queen| !required_queens.contains(queen));
        let cube: Vec<i64> = cube.map(|&queen| literal(board.n(), queen)).collect();
        let remaining = board.required_counts.clone();
        let rule_count = remaining.iter().sum::<u64>() + cube.len() as u64;
        Self { board, part, remaining, cube, rule_count, clauses_read: 0, solutions: 0, columns: Vec::new() }
    }

    /// The total number of clauses of a formula that denies this number of solutions.
    pub fn total(&self, solutions: u64) -> u64 {
        self.rule_count.saturating_add(self.board.breaking_clauses).saturating_add(solutions)
    }

    /// Checks the next clause.
    pub fn check_next(&mut self, clause: &[Literal]) -> Result<(), CertificateFault> {
        let clause: Vec<i64> = clause.iter().map(|literal| literal.dimacs()).collect();
        self.clauses_read += 1;
        let result = match self.clauses_read.checked_sub(self.rule_count + 1) {
            None => self.check_rule(&clause),
            Some(number) if number < self.board.breaking_clauses => self.check_symmetry_breaking(&clause),
            Some(_) => self.check_solution(&clause),
        };
        let number = self.clauses_read;
        result.map_err(|fault| CertificateFault::Clause { number, fault })
    }

    /// Checks a clause of the problem. Each clause may occur at most as often as required.
    fn check_rule(&mut self, clause: &[i64]) -> Result<(), ClauseFault> {
        let mut sorted_clause = clause.to_vec();
        sorted_clause.sort_unstable();
        let rule = self.board.rules.get(&sorted_clause);
        let queen = self.cube.iter().position(|queen| sorted_clause == [*queen]);
        match (rule.filter(|&&index| self.remaining[index] > 0), queen) {
            (Some(&index), _) => self.remaining[index] -= 1,
            (None, Some(queen)) => drop(self.cube.swap_remove(queen)),
            (None, None) if rule.is_some() => return Err(ClauseFault::Repeated(clause.to_vec())),
            (None, None) => return Err(ClauseFault::NoRule(clause.to_vec())),
        }
        Ok(())
    }

    /// Checks a clause "not all of these queens" that breaks symmetry: a symmetry must map every placement with these queens to an
    /// earlier placement.
    fn check_symmetry_breaking(&self, clause: &[i64]) -> Result<(), ClauseFault> {
        let BoardRules { symmetries, order, .. } = self.board;
        let queens = self.board.denied_squares(clause).ok_or(ClauseFault::NoQueens)?;
        let n = self.board.n();
        if symmetries.iter().any(|&symmetry| orbits::is_mapped_to_earlier(n, symmetry, order, &queens)) {
            return Ok(());
        }
        Err(ClauseFault::NoSymmetry(clause.to_vec()))
    }

    /// Checks a clause "not all of these queens" that denies a solution.
    fn check_solution(&mut self, clause: &[i64]) -> Result<(), ClauseFault> {
        let n = self.board.n();
        let is_one_per_row = |queens: &Vec<Square>| queens.iter().map(|queen| queen.row).eq(0..n);
        let queens = self.board.denied_squares(clause).filter(is_one_per_row);
        let queens = queens.ok_or(ClauseFault::NotOnePerRow)?;
        let columns: Vec<u32> = queens.iter().map(|queen| column(queen.column)).collect();
        let board = || Placement::new(&columns);
        if !self.part.is_solution(&columns) {
            return Err(ClauseFault::NotASolution(board()));
        }
        let last_solution = self.columns.len().checked_sub(n).map(|start| &self.columns[start..]);
        if self.solutions > 0 && last_solution.is_none_or(|last_solution| last_solution >= &columns[..]) {
            return Err(ClauseFault::OutOfOrder(board()));
        }
        self.solutions += 1;
        self.columns.extend(columns);
        Ok(())
    }

    /// Checks that no clause of the problem and no clause that breaks symmetry is missing.
    pub fn check_complete(&self) -> Result<(), CertificateFault> {
        let rules = self.board.rules.iter().filter(|&(_, &index)| self.remaining[index] > 0);
        let missing_clauses =
            rules.map(|(clause, _)| clause.clone()).chain(self.cube.iter().map(|&queen| vec![queen]));
        match missing_clauses.min() {
            Some(clause) => Err(CertificateFault::MissingClause(clause)),
            None if self.clauses_read < self.total(0) => Err(CertificateFault::MissingBreaking),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::BoardSize;

    #[test]
    fn denied_squares_require_a_clause_of_negated_squares() {
        let problem = Problem::queens(BoardSize::new(3).expect("small"));
        let board = BoardRules::new(problem, Vec::new(), Vec::new(), 0);
        let square = |row, column| Square { row, column };
        assert_eq!(board.denied_squares(&[-1, -6, -9]), Some(vec![square(0, 0), square(1, 2), square(2, 2)]));
        for clause in [[-1, 6], [-1, 0], [-1, -10], [-1, i64::MIN]] {
            assert_eq!(board.denied_squares(&clause), None, "{clause:?}");
        }
    }
}
