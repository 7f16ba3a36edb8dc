//! The formula of a part of a certificate. It consists of the clauses of the problem, the clauses that break symmetry (if symmetry is
//! broken), and one clause for each solution of the part that satisfies these clauses. The clause of a solution denies the solution:
//! not all of its queens.
//! The formula is unsatisfiable exactly if no solution is missing. Clauses have ids from 1, as in LRAT.
//! If two squares share several lines of a problem, the clause "not both" occurs only once.

use std::io::{self, Write};

use super::solutions::Solutions;
use queens_board::problem::{Problem, Rule};
use queens_board::{Square, lines, squares};
use queens_sat::am1::PAIRWISE;
use queens_sat::cnf::{Cnf, Lit};
use queens_sat::encoding::{self, queen};
use queens_sat::symmetry::SymmetryBreaking;

/// A formula with an index of the clauses that proofs use as hints.
pub struct HintedFormula {
    problem: Problem,
    /// The side length of the board.
    pub n: usize,
    /// All clauses.
    pub cnf: Cnf,
    /// The number of clauses of the encoding.
    pub encoding_clauses: u64,
    /// The number of clauses that break symmetry. These clauses come after the clauses of the encoding. After them come the clauses that
    /// deny solutions, in the lexicographic order of the solutions.
    pub symmetry_clauses: u64,
    /// For each pair of squares, the id of the clause "not both"; 0 for pairs without this clause.
    pairs: Vec<u32>,
    /// For each square, the id of the clause "no queen on this square"; 0 for squares without this clause.
    forbidden_squares: Vec<u64>,
    /// The squares and the id of each clause "a queen on one of these squares": rows, columns, other lines, and single squares that must
    /// hold a queen.
    pub lines: Vec<(Vec<Square>, u64)>,
    /// The number of elements of `lines` before the squares that must hold a queen.
    before_required: usize,
}

/// Converts the id of a clause to the type of the table of pairs.
fn pair_id(id: u64) -> u32 {
    u32::try_from(id).expect("a board has fewer than 2^32 pairs of squares on a line")
}

impl HintedFormula {
    /// Creates the formula that denies these solutions. Cost: O(n^3) clauses for most problems, and n literals per solution.
    pub fn new(problem: Problem, breaking: &SymmetryBreaking, solutions: &Solutions) -> Self {
        let n = problem.n().get();
        let mut encoded = encoding::encode(&problem, &PAIRWISE);
        let problem_clauses = encoded.cnf.len();
        encoded.break_symmetry(breaking);
        let encoded = encoded.cnf;
        let mut symmetry_clauses = 0;
        let mut cnf = Cnf::new(encoded.variables());
        let (mut pairs, mut forbidden_squares, mut lines) = (vec![0; n.pow(4)], vec![0; n * n], Vec::new());
        let index = |lit: &Lit| lit.variable() as usize - 1;
        let square = |lit: &Lit| Square { row: index(lit) / n, column: index(lit) % n };
        for (number, clause) in encoded.clauses().enumerate() {
            let id = cnf.len() as u64 + 1;
            match clause {
                [a, b] if !a.is_positive() && !b.is_positive() => {
                    let (a, b) = (index(a), index(b));
                    if pairs[a * n * n + b] > 0 {
                        continue;
                    }
                    pairs[a * n * n + b] = pair_id(id);
                    pairs[b * n * n + a] = pair_id(id);
                }
                [unit] if !unit.is_positive() => {
                    if forbidden_squares[index(unit)] > 0 {
                        continue;
                    }
                    forbidden_squares[index(unit)] = id;
                }
                line => lines.push((line.iter().map(square).collect(), id)),
            }
            symmetry_clauses += u64::from(number >= problem_clauses);
            cnf.add_clause(clause.iter().copied());
        }
        let encoding_clauses = cnf.len() as u64 - symmetry_clauses;
        for solution in solutions.iter() {
            cnf.add_clause(squares(solution).map(|square| !queen(n, square)));
        }
        let before_required = problem.lines().filter(|line| line.rule == Rule::ExactlyOne).count();
        Self {
            problem,
            n,
            cnf,
            encoding_clauses,
            symmetry_clauses,
            pairs,
            forbidden_squares,
            lines,
            before_required,
        }
    }

    /// The id of the clause that forbids queens on both squares, because the squares attack each other or to break symmetry; 0 if there
    /// is no such clause.
    pub fn pair_clause(&self, a: Square, b: Square) -> u64 {
        let square = |square: Square| square.row * self.n + square.column;
        u64::from(self.pairs[square(a) * self.n * self.n + square(b)])
    }

    /// The id of a clause that excludes a square if there are queens on the squares `queens`: the clause "no queen on this square", or
    /// the clause of the square and a queen that attacks it. `None` if no clause excludes the square.
    pub fn excluding_clause(&self, queens: &[Square], square: Square) -> Option<u64> {
        let unit_clause = self.forbidden_squares[square.row * self.n + square.column];
        let clauses = queens.iter().map(|&queen| self.pair_clause(queen, square));
        std::iter::once(unit_clause).chain(clauses).find(|&clause| clause > 0)
    }

    /// For a square that a required queen attacks, the id of the clause that requires this queen, and the id of the clause "not both".
    pub fn required_queen_clauses(&self, square: Square) -> Option<[u64; 2]> {
        let clauses = self.required_queens().map(|(queen, clause)| [clause, self.pair_clause(queen, square)]);
        clauses.into_iter().find(|[_, pair]| *pair > 0)
    }

    /// Whether no clause excludes a square if there are queens on the squares `queens`.
    pub fn is_open(&self, queens: &[Square], square: Square) -> bool {
        self.excluding_clause(queens, square).is_none() && self.required_queen_clauses(square).is_none()
    }

    /// The squares that must hold a queen, each with the id of its clause.
    pub fn required_queens(&self) -> impl Iterator<Item = (Square, u64)> {
        self.lines[self.before_required..].iter().map(|(squares, clause)| (squares[0], *clause))
    }

    /// The id of the clause "there is a queen in this row".
    pub fn row_clause(&self, row: usize) -> u64 {
        self.lines[row].1
    }

    /// The id of the clause that denies a solution.
    pub fn solution_clause(&self, index: usize) -> u64 {
        self.encoding_clauses + self.symmetry_clauses + index as u64 + 1
    }

    /// Writes the formula as DIMACS.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let n = self.n;
        let name = if self.problem.is_plain() { String::new() } else { format!(", {}", self.problem) };
        let symmetry_text = match self.symmetry_clauses {
            0 => String::new(),
            clauses => format!("; then {clauses} clauses that break symmetry"),
        };
        let solutions = self.cnf.len() as u64 - self.encoding_clauses - self.symmetry_clauses;
        let encoding = "direct encoding, at most one by pairwise";
        let description =
            format!("{n} queens{name}, {encoding}{symmetry_text}; then {solutions} solutions, denied");
        encoding::write_dimacs(out, &description, lines::rows(n).flatten(), &self.cnf)
    }

    /// The literals of the clause "not all of these squares hold queens".
    pub fn negated_queens(&self, queens: impl IntoIterator<Item = Square>) -> impl Iterator<Item = Lit> {
        let n = self.n;
        queens.into_iter().map(move |square| !queen(n, square))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::BoardSize;
    use queens_sat::symmetry::SymmetryGroup;

    #[test]
    fn clause_ids_refer_to_the_expected_clauses() {
        for n in 0..=7 {
            let problem = Problem::queens(BoardSize::new(n).expect("small"));
            let breaking = SymmetryBreaking::on_middle_row(n, SymmetryGroup::None);
            let solutions = Solutions::enumerate(&problem, breaking).expect("small");
            let formula = HintedFormula::new(problem, &breaking, &solutions);
            let clauses: Vec<Vec<Lit>> = formula.cnf.clauses().map(<[Lit]>::to_vec).collect();
            let clause = |id: u64| clauses[id as usize - 1].clone();
            let squares = || (0..n * n).map(|i| Square { row: i / n, column: i % n });
            for line in 0..n {
                let row = squares().filter(|square| square.row == line).map(|square| queen(n, square));
                assert_eq!(clause(formula.row_clause(line)), row.collect::<Vec<_>>());
                let column = squares().filter(|square| square.column == line).map(|square| queen(n, square));
                assert_eq!(clause(formula.lines[n + line].1), column.collect::<Vec<_>>());
            }
            for a in squares() {
                for b in squares().filter(|&b| a.attacks(b)) {
                    let mut actual = clause(formula.pair_clause(a, b));
                    let mut expected = vec![!queen(n, a), !queen(n, b)];
                    actual.sort();
                    expected.sort();
                    assert_eq!(actual, expected);
                }
            }
            for (index, solution) in solutions.iter().enumerate() {
                let queens =
                    solution.iter().zip(0..).map(|(&column, row)| Square { row, column: column as usize });
                assert_eq!(
                    clause(formula.solution_clause(index)),
                    formula.negated_queens(queens).collect::<Vec<_>>()
                );
            }
            assert_eq!(clauses.len() as u64, formula.encoding_clauses + solutions.len() as u64);
        }
    }
}
