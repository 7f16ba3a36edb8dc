//! A proof from a search, without a SAT solver.
//!
//! The searcher is `backtrack/bitmask`, or for problems other than plain queens a simple search row by row. In a part of a
//! certificate, the first queens are given, and only the subtree below them is written.
//! When the searcher leaves a node, the lemma "not all of these queens" is written. Its hints are, for each
//! cell of the next row, the clause that forbids the cell together with a queen that attacks it, or the lemma
//! (for a solution, the clause) of the child node; then the clause of the row, whose cells are all excluded.
//! In a row with a square that must hold a queen, the hints are the clause of this square and what excludes it.
//! Then the lemmas of the children are deleted. The lemma of the root is empty. A searcher that skips a node
//! writes a proof with a gap, which no checker accepts. Nodes with a queen on a square that a clause excludes are left out.
//! Cost: one lemma per node, with n + 1 hints; memory O(n^2). The searcher visits the whole tree for each part.

use std::io;

use super::CertifyError;
use super::formula::Formula;
use super::proof::Proof;
use super::solutions::Solutions;
use crate::backtrack::{Flow, Search, Visitor};
use crate::board::{self, Placement, Square};
use crate::sat::cnf::Lit;
use crate::solver::Stop;

/// The number of rows, from the top, of the cubes of parts: the proof of one part stays below some 100 MB.
pub fn rows_of_parts(n: usize) -> usize {
    match n {
        0..=5 => 0,
        15..=16 => 2,
        _ => 1,
    }
}

/// Follows a searcher of plain queens, and writes its search as a proof.
pub fn write_searcher<S: Search>(
    formula: &Formula,
    solutions: &Solutions,
    proof: &mut Proof<'_>,
) -> Result<(), CertifyError> {
    let mut lemmas = Lemmas::new(formula, solutions, proof);
    let _ = S::search(formula.n(), &mut lemmas);
    lemmas.failure.map_or(Ok(()), Err)
}

/// Searches any problem row by row, and writes the search as a proof.
pub fn write_rows(
    formula: &Formula,
    solutions: &Solutions,
    proof: &mut Proof<'_>,
) -> Result<(), CertifyError> {
    let mut lemmas = Lemmas::new(formula, solutions, proof);
    let _ = lemmas.search_rows();
    lemmas.failure.map_or(Ok(()), Err)
}

/// Writes the events of a search as lemmas.
struct Lemmas<'a, 'w> {
    formula: &'a Formula,
    solutions: &'a Solutions,
    proof: &'a mut Proof<'w>,
    queens: Vec<Square>,
    /// The number of queens from the first one on that is on an excluded square.
    beside: usize,
    /// By level and cell: the clause of the child node, 0 if there is none.
    children: Vec<Vec<u64>>,
    clause: Vec<Lit>,
    hints: Vec<u64>,
    deleted: Vec<u64>,
    failure: Option<CertifyError>,
}

impl<'a, 'w> Lemmas<'a, 'w> {
    fn new(formula: &'a Formula, solutions: &'a Solutions, proof: &'a mut Proof<'w>) -> Self {
        let n = formula.n();
        Self {
            formula,
            solutions,
            proof,
            queens: Vec::new(),
            beside: 0,
            children: vec![vec![0; n]; n + 1],
            clause: Vec::new(),
            hints: Vec::new(),
            deleted: Vec::new(),
            failure: None,
        }
    }

    /// Visits every placement of queens on the first rows that no clause excludes.
    fn search_rows(&mut self) -> Flow {
        let (row, n) = (self.queens.len(), self.formula.n());
        if row == n {
            let columns: Vec<u16> = self.queens.iter().map(|queen| board::column(queen.column)).collect();
            return self.solution(&columns);
        }
        self.node(row)?;
        for column in 0..n {
            if self.is_open(Square { row, column }) {
                self.enter(row, column);
                self.search_rows()?;
            }
        }
        self.leave(row);
        Flow::Continue(())
    }

    fn is_open(&self, cell: Square) -> bool {
        self.formula.excluded(&self.queens, cell).is_none() && self.formula.excluded_by_placed(cell).is_none()
    }

    /// Leaves a node. Whether its queens are on squares that no clause excludes.
    fn ascends(&mut self) -> bool {
        let is_open = self.beside == 0;
        self.beside = self.beside.saturating_sub(1);
        is_open
    }

    /// This clause excludes the current node, and so the cell that led to it.
    fn exclude_node(&mut self, clause: u64) {
        if let Some(queen) = self.queens.pop() {
            self.children[queen.row][queen.column] = clause;
        }
    }

    /// The clauses that exclude a cell: by the queens, by the lemma of the node below, or by a queen that must be on
    /// the board.
    fn exclude(&mut self, cell: Square) {
        let child = self.children[cell.row][cell.column];
        match self.formula.excluded(&self.queens, cell) {
            Some(clause) => self.hints.push(clause),
            None if child > 0 => self.hints.push(child),
            None => {
                let clauses = self.formula.excluded_by_placed(cell).into_iter().flatten();
                // A second hint to the clause of the same queen would have nothing to add.
                clauses.for_each(|clause| {
                    if !self.hints.contains(&clause) {
                        self.hints.push(clause);
                    }
                });
            }
        }
    }

    fn lemma(&mut self, level: usize) -> io::Result<u64> {
        self.hints.clear();
        match self.formula.placed().find(|(queen, _)| queen.row == level) {
            Some((queen, clause)) => {
                self.hints.push(clause);
                self.exclude(queen);
            }
            None => {
                (0..self.formula.n()).for_each(|column| self.exclude(Square { row: level, column }));
                self.hints.push(self.formula.row(level));
            }
        }
        self.clause.clear();
        self.clause.extend(self.formula.denied(self.queens.iter().copied()));
        let lemma = self.proof.lemma(&self.clause, &self.hints)?;
        if level == 0 {
            // The empty clause is the last step.
            return Ok(lemma);
        }
        self.deleted.clear();
        let given = self.formula.cnf.len() as u64;
        let children = self.children[level].iter_mut().map(std::mem::take);
        self.deleted.extend(children.filter(|&id| id > given));
        self.proof.delete(&self.deleted)?;
        Ok(lemma)
    }
}

impl Visitor for Lemmas<'_, '_> {
    fn node(&mut self, _: usize) -> Flow {
        if self.failure.is_some() { Flow::Break(Stop::Sink) } else { Flow::Continue(()) }
    }

    fn enter(&mut self, _: usize, cell: usize) {
        let queen = Square { row: self.queens.len(), column: cell };
        if self.beside == 0 && self.is_open(queen) {
            self.queens.push(queen);
        } else {
            self.beside += 1;
        }
    }

    fn leave(&mut self, level: usize) {
        if !self.ascends() {
            return;
        }
        match self.lemma(level) {
            Ok(lemma) => self.exclude_node(lemma),
            Err(error) => self.failure = Some(error.into()),
        }
    }

    fn solution(&mut self, columns: &[u16]) -> Flow {
        if !self.ascends() {
            return Flow::Continue(());
        }
        let Some(index) = self.solutions.position(columns) else {
            self.failure = Some(CertifyError::Missing(Placement::new(columns)));
            return Flow::Break(Stop::Sink);
        };
        let clause = self.formula.solution(index);
        if columns.is_empty() {
            // The clause of the empty board is empty; other checkers expect it in the proof.
            if let Err(error) = self.proof.lemma(&[], &[clause]) {
                self.failure = Some(error.into());
            }
        }
        self.exclude_node(clause);
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;
    use crate::board::problem::Problem;
    use crate::sat::symmetry::{Breaking, SymmetryGroup};

    const N: usize = 6;

    /// Columns from left to right, except that the nodes of two queens leave out one that is free.
    struct Forgetful;

    impl Search for Forgetful {
        fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow {
            fn place<V: Visitor>(n: usize, columns: &mut Vec<u16>, visitor: &mut V) -> Flow {
                let row = columns.len();
                visitor.node(row)?;
                if row == n {
                    return visitor.solution(columns);
                }
                let attacked = |column: usize| {
                    board::squares(columns).any(|queen| queen.attacks(Square { row, column }))
                };
                let free: Vec<usize> = (0..n).filter(|&column| !attacked(column)).collect();
                for column in free.into_iter().skip(usize::from(row == 2)) {
                    visitor.enter(row, column);
                    columns.push(board::column(column));
                    place(n, columns, visitor)?;
                    columns.pop();
                }
                visitor.leave(row);
                Flow::Continue(())
            }
            place(n, &mut Vec::new(), visitor)
        }
    }

    /// Whether the proof of a searcher is right, below no queen and below each queen of the top row.
    fn proves<S: Search>() -> Vec<bool> {
        let problem = Problem::queens(BoardSize::new(N).expect("small"));
        let breaking = Breaking::middle(N, SymmetryGroup::None);
        let all = Solutions::enumerate(&problem, breaking).expect("small");
        let given = (0..N).map(|column| vec![Square { row: 0, column }]);
        let verdicts = std::iter::once(Vec::new()).chain(given).map(|given| {
            let below =
                |columns: &&[u16]| given.iter().all(|queen| columns[0] == board::column(queen.column));
            let solutions = Solutions::of(N, all.iter().filter(below));
            let problem = problem.clone().place(given.iter().copied()).expect("on the board");
            let formula = Formula::new(problem, &breaking, &solutions);
            let (mut cnf, mut lrat) = (Vec::new(), Vec::new());
            formula.write(&mut cnf).expect("a vector");
            let mut proof = Proof::new(formula.cnf.len() as u64, &mut lrat);
            write_searcher::<S>(&formula, &solutions, &mut proof).expect("all solutions are there");
            proof.flush().expect("a vector");
            lrat_check::check(&cnf[..], &lrat[..]).expect("readable").is_verified()
        });
        verdicts.collect()
    }

    #[test]
    fn the_proof_of_a_searcher_that_forgets_a_column_is_wrong() {
        assert_eq!(proves::<crate::backtrack::Bitmask>(), [true; 1 + N]);
        assert_eq!(proves::<Forgetful>(), [false; 1 + N]);
    }
}
