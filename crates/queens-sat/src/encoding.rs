//! The direct encoding of N-Queens.
//! There is one variable per square, which is true if the square holds a queen. Its number is `row * n + column + 1`. Each row and each
//! column holds exactly one queen, and each diagonal of two or more squares holds at most one queen.
//! The auxiliary variables of the at-most-one encoding have higher numbers than the squares. The queens do not determine the values of
//! the auxiliary variables, so models must be enumerated and compared on the squares only.
//! The at-least-one clauses of the columns are redundant, because the other clauses imply them, but they make solvers faster.
//! Source: folklore.

use std::io::{self, Write};
use std::iter;

use super::am1::AtMostOne;
use super::cnf::{Cnf, Lit, Variable, variable};
use super::dimacs;
use super::symmetry::{SymmetryBreaking, SymmetryGroup};
#[cfg(test)]
use queens_board::BoardSize;
use queens_board::problem::{Line, Problem, Rule};
use queens_board::{Square, lines};
use queens_solver::{Stat, Statistics};

/// A formula whose first variables represent squares.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Side length of the board.
    pub n: usize,
    /// A description of the formula in one line.
    pub about: String,
    /// The clauses.
    pub cnf: Cnf,
    /// The squares of the first variables: variable `v` is `squares[v - 1]`.
    pub squares: Vec<Square>,
}

impl Formula {
    /// The number of variables that represent squares.
    pub fn square_variables(&self) -> Variable {
        variable(self.squares.len())
    }

    /// The number of auxiliary variables.
    pub fn auxiliary_variables(&self) -> Variable {
        self.cnf.variables() - self.square_variables()
    }

    /// The numbers of variables, auxiliary variables and clauses, as statistics.
    pub fn statistics(&self) -> Statistics {
        [
            (Stat::Vars, u64::from(self.cnf.variables())),
            (Stat::AuxVars, u64::from(self.auxiliary_variables())),
            (Stat::Clauses, self.cnf.len() as u64),
        ]
        .into()
    }

    /// Writes the formula as DIMACS CNF; see [`write_dimacs`].
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn write_dimacs(&self, out: &mut dyn Write) -> io::Result<()> {
        write_dimacs(out, &self.about, self.squares.iter().copied(), &self.cnf)
    }

    /// Adds clauses that exclude most solutions of each orbit, but not all of them.
    /// [`SymmetryBreaking::expand`] expands the remaining models to all solutions.
    pub fn break_symmetry(&mut self, breaking: &SymmetryBreaking) {
        if breaking.symmetry == SymmetryGroup::None || self.n == 0 {
            return;
        }
        let n = self.n;
        let mut forbid = |first: Square, second: Square| {
            let clause = [!queen(n, first), !queen(n, second)];
            self.cnf.add_clause(clause.into_iter().take(if first == second { 1 } else { 2 }));
        };
        let squares = |row: usize| (0..n).map(move |column| Square { row, column });
        for leader in squares(breaking.row) {
            if breaking.is_tie(leader) {
                let ties = squares(breaking.tie_row());
                ties.filter(|&tie| breaking.forbids(tie, tie)).for_each(|tie| forbid(leader, tie));
            } else if breaking.forbids(leader, leader) {
                forbid(leader, leader);
            } else {
                let partners = breaking.partners(leader.row);
                partners
                    .filter(|&partner| breaking.forbids(leader, partner))
                    .for_each(|partner| forbid(leader, partner));
            }
        }
        self.about = format!("{}, symmetry broken: {}", self.about, breaking.symmetry);
    }
}

/// Writes a formula as DIMACS CNF. For each square, a comment `c square ROW COLUMN VARIABLE` names its variable; rows and columns are
/// numbered from 0.
///
/// # Errors
///
/// The output cannot be written.
pub fn write_dimacs(
    out: &mut dyn Write,
    about: &str,
    squares: impl Iterator<Item = Square>,
    cnf: &Cnf,
) -> io::Result<()> {
    let square_comments = (1..)
        .zip(squares)
        .map(|(variable, Square { row, column })| format!("square {row} {column} {variable}"));
    dimacs::write(out, iter::once(about.to_owned()).chain(square_comments), cnf)
}

/// The literal "this square holds a queen".
pub fn queen(n: usize, square: Square) -> Lit {
    Lit::positive(variable(square.row * n + square.column + 1))
}

/// The direct encoding of the plain board of `n` by `n` squares.
///
/// # Panics
///
/// If `n` is larger than [`BoardSize::MAX`].
#[cfg(test)]
pub fn direct(n: usize, at_most_one: &AtMostOne) -> Formula {
    encode(&Problem::queens(BoardSize::new(n).expect("a board size")), at_most_one)
}

/// The direct encoding of a problem. Squares that must or must not hold a queen become clauses of one literal.
pub fn encode(problem: &Problem, at_most_one: &AtMostOne) -> Formula {
    let n = problem.n().get();
    let mut cnf = Cnf::new(variable(n * n));
    let mut literals = Vec::with_capacity(n);
    for Line { rule, squares } in problem.lines() {
        literals.clear();
        literals.extend(squares.into_iter().map(|square| queen(n, square)));
        if rule == Rule::ExactlyOne {
            cnf.add_clause(literals.iter().copied());
        }
        (at_most_one.encode)(&literals, &mut cnf);
    }
    if problem.is_restricted() {
        problem.placed().iter().for_each(|&square| cnf.add_clause([queen(n, square)]));
        let empty_squares = lines::rows(n).flatten().filter(|&square| !problem.may_hold(square));
        empty_squares.for_each(|square| cnf.add_clause([!queen(n, square)]));
    }
    let name = if problem.is_plain() { String::new() } else { format!(", {problem}") };
    let about = format!("{n} queens{name}, direct encoding, at most one by {}", at_most_one.name);
    Formula { n, about, cnf, squares: lines::rows(n).flatten().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::am1::{ALL, PAIRWISE, SEQUENTIAL};
    use queens_board::prefix::Prefix;
    use queens_board::problem::Variant;
    use queens_board::{is_solution, squares};

    /// There are 2n at-least-one clauses, C(n, 2) pairs in each row and column, and C(n, 2) + 2 C(n, 3) pairs on the diagonals of
    /// each direction.
    #[test]
    fn size_of_pairwise_formula_matches_its_closed_form() {
        for n in 0..=40_usize {
            let pairs = n * n.saturating_sub(1) / 2;
            let triples = pairs * n.saturating_sub(2) / 3;
            let formula = direct(n, &PAIRWISE);
            assert_eq!(formula.cnf.len(), 2 * n + 2 * n * pairs + 2 * (pairs + 2 * triples));
            assert_eq!((formula.square_variables() as usize, formula.auxiliary_variables()), (n * n, 0));
        }
        assert_eq!(direct(8, &PAIRWISE).cnf.len(), 744);
    }

    /// A sequential counter of k squares has k - 1 auxiliary variables: n - 1 per row and column, and (n - 1)^2 for the diagonals of
    /// each direction.
    #[test]
    fn auxiliary_variables_are_numbered_after_square_variables() {
        for n in 1..=20_u32 {
            let formula = direct(n as usize, &SEQUENTIAL);
            let auxiliary = 2 * n * (n - 1) + 2 * (n - 1).pow(2);
            assert_eq!((formula.square_variables(), formula.auxiliary_variables()), (n * n, auxiliary));
        }
    }

    #[test]
    fn formula_begins_with_row_clauses_in_variable_order() {
        let formula = direct(3, &PAIRWISE);
        let at_least_one = formula.cnf.clauses().filter(|clause| clause.len() == 3);
        let lines: Vec<Vec<i32>> =
            at_least_one.map(|line| line.iter().map(|lit| lit.dimacs()).collect()).collect();
        assert_eq!(lines[..4], [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7]]);
        assert_eq!(queen(3, formula.squares[5]).variable(), 6);
        assert_eq!(formula.squares[5], Square { row: 1, column: 2 });
    }

    /// Tries all 2^16 sets of squares of the 4 by 4 board.
    #[test]
    fn models_of_formula_are_the_solutions_of_problem() {
        let n = BoardSize::new(4).expect("small");
        let square = |row, column| Square { row, column };
        let mut problems: Vec<Problem> =
            Variant::NAMED.into_iter().map(|variant| Problem::new(n, variant).expect("a problem")).collect();
        problems.push(Problem::queens(n).place([square(1, 3)]).expect("a problem"));
        problems.push(Problem::queens(n).forbid([square(1, 3), square(0, 0)]).expect("a problem"));
        problems.push(Problem::from_text(n, "regions;regions=AABB/AABB/CCDD/CCDD").expect("a puzzle"));
        for problem in problems {
            let formula = encode(&problem, &PAIRWISE);
            for set in 0..1_u32 << 16 {
                let assignment: Vec<bool> = (0..16).map(|square| set >> square & 1 == 1).collect();
                let row = |row: u32| set >> (4 * row) & 15;
                let columns: Vec<u32> = (0..4).map(|r| row(r).trailing_zeros()).collect();
                let is_solution = (0..4).all(|r| row(r).count_ones() == 1) && problem.is_solution(&columns);
                assert_eq!(formula.cnf.is_satisfied_by(&assignment), is_solution, "{problem} {set:b}");
            }
        }
    }

    #[test]
    fn symmetry_breaking_leaves_exactly_the_allowed_solutions() {
        for n in 0..=9 {
            for symmetry in SymmetryGroup::ALL {
                let breaking = SymmetryBreaking::on_top_row(n, symmetry);
                let mut formula = direct(n, &PAIRWISE);
                let about = formula.about.clone();
                formula.break_symmetry(&breaking);
                let is_broken = symmetry != SymmetryGroup::None && n > 0;
                let suffix = if is_broken { format!(", symmetry broken: {symmetry}") } else { String::new() };
                assert_eq!(formula.about, about + &suffix);
                for solution in Prefix::all(n, n) {
                    let columns = solution.columns();
                    let mut assignment = vec![false; n * n];
                    squares(columns).for_each(|square| assignment[square.row * n + square.column] = true);
                    assert_eq!(
                        formula.cnf.is_satisfied_by(&assignment),
                        breaking.allows(columns),
                        "{columns:?} {breaking:?}"
                    );
                }
            }
        }
    }

    /// Tries all 2^16 sets of squares of the 4 by 4 board.
    #[test]
    fn pairwise_formula_of_4_queens_has_two_models() {
        let formula = direct(4, &PAIRWISE);
        let models: Vec<u32> = (0..1 << 16)
            .filter(|set: &u32| {
                let assignment: Vec<bool> = (0..16).map(|square| set >> square & 1 == 1).collect();
                formula.cnf.is_satisfied_by(&assignment)
            })
            .collect();
        assert_eq!(models, [0b0010_1000_0001_0100, 0b0100_0001_1000_0010]);
        for set in models {
            let columns: Vec<u32> = (0..4).map(|row| (set >> (4 * row) & 15).trailing_zeros()).collect();
            assert!(is_solution(&columns));
        }
    }

    #[test]
    fn dimacs_maps_each_square_to_its_variable() {
        for at_most_one in ALL {
            for n in 0..=6 {
                let formula = direct(n, at_most_one);
                let mut text = Vec::new();
                formula.write_dimacs(&mut text).expect("a vector takes everything");
                let text = String::from_utf8(text).expect("DIMACS is ASCII");
                let map: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("c square ")).collect();
                let expected: Vec<String> =
                    (0..n * n).map(|i| format!("{} {} {}", i / n, i % n, i + 1)).collect();
                assert_eq!(map, expected);
            }
        }
    }
}
