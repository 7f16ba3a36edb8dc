//! The formula of a certificate: N-Queens, and for each solution one clause that negates its N queens.
//! It has no model exactly if these are all the solutions. Clauses are numbered from 1, as in LRAT.

use crate::board::{Square, squares};
use crate::sat::am1::PAIRWISE;
use crate::sat::cnf::{Cnf, Lit};
use crate::sat::encoding::{self, queen};

use super::solutions::Solutions;

/// The clauses, and an index of the clauses that a proof uses as hints.
pub struct Formula {
    n: usize,
    /// All clauses.
    pub cnf: Cnf,
    /// The number of clauses of the encoding; the clauses of the solutions follow, in order.
    pub encoding_clauses: u64,
    /// The clause "not both", by two squares.
    pairs: Vec<u32>,
    /// The clauses "a queen in this row", "... in this column".
    rows: Vec<u64>,
    columns: Vec<u64>,
}

impl Formula {
    /// The formula for these solutions. Cost: O(n^3) clauses, and n literals per solution.
    pub fn new(solutions: &Solutions) -> Self {
        let n = solutions.n();
        let mut cnf = encoding::direct(n, &PAIRWISE).cnf;
        let encoding_clauses = cnf.len() as u64;
        let mut pairs = vec![0; n.pow(4)];
        let (mut rows, mut columns) = (vec![0; n], vec![0; n]);
        let square = |lit: &Lit| lit.variable() as usize - 1;
        for (id, clause) in (1..).zip(cnf.clauses()) {
            match clause {
                [a, b] if !a.is_positive() && !b.is_positive() => {
                    pairs[square(a) * n * n + square(b)] = id;
                    pairs[square(b) * n * n + square(a)] = id;
                }
                line => {
                    // n literals: a row if the first and the last square share it; a single square is both row and column.
                    let (first, last) = (square(&line[0]), square(&line[line.len() - 1]));
                    if first / n == last / n {
                        rows[first / n] = u64::from(id);
                    }
                    if first % n == last % n {
                        columns[first % n] = u64::from(id);
                    }
                }
            }
        }
        for solution in solutions.iter() {
            cnf.add_clause(squares(solution).map(|square| !queen(n, square)));
        }
        Self { n, cnf, encoding_clauses, pairs, rows, columns }
    }

    /// Side length of the board.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The clause that forbids queens on two squares that attack each other.
    pub fn pair(&self, a: Square, b: Square) -> u64 {
        let square = |square: Square| square.row * self.n + square.column;
        u64::from(self.pairs[square(a) * self.n * self.n + square(b)])
    }

    /// The clause "there is a queen in this row".
    pub fn row(&self, row: usize) -> u64 {
        self.rows[row]
    }

    /// The clause "there is a queen in this column".
    pub fn column(&self, column: usize) -> u64 {
        self.columns[column]
    }

    /// The clause of a solution.
    pub fn solution(&self, index: usize) -> u64 {
        self.encoding_clauses + index as u64 + 1
    }

    /// The literals of the clause "not all of these squares hold queens".
    pub fn denied(&self, queens: impl IntoIterator<Item = Square>) -> impl Iterator<Item = Lit> {
        let n = self.n;
        queens.into_iter().map(move |square| !queen(n, square))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clause_is_found_by_what_it_says() {
        for n in 0..=7 {
            let formula = Formula::new(&Solutions::enumerate(n).expect("small"));
            let clauses: Vec<Vec<Lit>> = formula.cnf.clauses().map(<[Lit]>::to_vec).collect();
            let clause = |id: u64| clauses[id as usize - 1].clone();
            let squares = || (0..n * n).map(|i| Square { row: i / n, column: i % n });
            for line in 0..n {
                let row = squares().filter(|square| square.row == line).map(|square| queen(n, square));
                assert_eq!(clause(formula.row(line)), row.collect::<Vec<_>>());
                let column = squares().filter(|square| square.column == line).map(|square| queen(n, square));
                assert_eq!(clause(formula.column(line)), column.collect::<Vec<_>>());
            }
            for a in squares() {
                for b in squares().filter(|&b| a.attacks(b)) {
                    let mut found = clause(formula.pair(a, b));
                    let mut expected = vec![!queen(n, a), !queen(n, b)];
                    found.sort();
                    expected.sort();
                    assert_eq!(found, expected);
                }
            }
            let solutions = Solutions::enumerate(n).expect("small");
            for (index, solution) in solutions.iter().enumerate() {
                let queens =
                    solution.iter().zip(0..).map(|(&column, row)| Square { row, column: column.into() });
                assert_eq!(clause(formula.solution(index)), formula.denied(queens).collect::<Vec<_>>());
            }
            assert_eq!(clauses.len() as u64, formula.encoding_clauses + solutions.len() as u64);
        }
    }
}
