//! A proof from a search, without a SAT solver.
//!
//! When the searcher leaves a node, the lemma "not all of these queens" is written. Its hints are, for each
//! cell of the next row, the clause that forbids the cell together with a queen that attacks it, or the lemma
//! (for a solution, the clause) of the child node; then the clause of the row, whose cells are all excluded.
//! In a row with a square that must hold a queen, the hints are the clause of this square and what excludes it.
//! Below queens that attack each other, the clause that forbids both is the only hint.
//! Then the lemmas of the children are deleted. The lemma of the root is empty. A searcher that skips a node
//! writes a proof with a gap, which no checker accepts. A searcher that goes right to left, or visits more
//! nodes than necessary, writes a correct proof.
//! Cost: one lemma per node, with n + 1 hints; memory O(n^2).

use std::io;

use super::CertifyError;
use super::formula::Formula;
use super::solutions::Solutions;
use super::writer::Proof;
use crate::backtrack::{Flow, Visitor};
use crate::board::{self, Placement, Square};
use crate::sat::cnf::Lit;
use crate::solver::Stop;

/// Follows a search that goes row by row, and writes it as a proof.
pub fn write<'a, 'w>(
    formula: &'a Formula,
    solutions: &'a Solutions,
    proof: &'a mut Proof<'w>,
    search: impl FnOnce(usize, &mut Lemmas<'a, 'w>) -> Flow,
) -> Result<(), CertifyError> {
    let mut lemmas = Lemmas::new(formula, solutions, proof);
    let _ = search(formula.n(), &mut lemmas);
    match lemmas.failure {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// Visits every legal placement of queens on the first rows, row by row, for any problem. A cell that a queen which
/// must be on the board attacks is not legal.
pub fn search_rows(formula: &Formula, visitor: &mut Lemmas<'_, '_>) -> Flow {
    fn place(formula: &Formula, queens: &mut Vec<Square>, visitor: &mut Lemmas<'_, '_>) -> Flow {
        let row = queens.len();
        if row == formula.n() {
            let columns: Vec<u16> = queens.iter().map(|queen| board::column(queen.column)).collect();
            return visitor.solution(&columns);
        }
        visitor.node(row)?;
        for column in 0..formula.n() {
            let cell = Square { row, column };
            if formula
                .excluded(queens, cell)
                .or(formula.excluded_by_placed(cell).map(|[_, pair]| pair))
                .is_some()
            {
                continue;
            }
            visitor.enter(row, column);
            queens.push(cell);
            place(formula, queens, visitor)?;
            queens.pop();
        }
        visitor.leave(row);
        Flow::Continue(())
    }
    place(formula, &mut Vec::new(), visitor)
}

/// Writes the events of a search as lemmas.
pub struct Lemmas<'a, 'w> {
    formula: &'a Formula,
    solutions: &'a Solutions,
    proof: &'a mut Proof<'w>,
    queens: Vec<Square>,
    /// The clause of the first two queens that attack each other, and the row of the second one.
    attack: Option<(u64, usize)>,
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
            attack: None,
            children: vec![vec![0; n]; n + 1],
            clause: Vec::new(),
            hints: Vec::new(),
            deleted: Vec::new(),
            failure: None,
        }
    }

    /// This clause excludes the current node, and so the cell that led to it.
    fn excluded(&mut self, clause: u64) {
        if let Some(queen) = self.queens.pop() {
            self.children[queen.row][queen.column] = clause;
            self.attack = self.attack.filter(|&(_, row)| row < queen.row);
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
        let placed = self.formula.placed().find(|(queen, _)| queen.row == level);
        match (self.attack, placed) {
            (Some((clause, _)), _) => self.hints.push(clause),
            (None, Some((queen, clause))) => {
                self.hints.push(clause);
                self.exclude(queen);
            }
            (None, None) => {
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
        // Outside the board there is nothing to prove.
        let row = self.queens.len();
        if row < self.formula.n() && cell < self.formula.n() {
            let queen = Square { row, column: cell };
            let attack =
                || self.queens.iter().map(|&other| self.formula.pair(other, queen)).find(|&pair| pair > 0);
            self.attack = self.attack.or_else(|| attack().map(|clause| (clause, row)));
            self.queens.push(queen);
        }
    }

    fn leave(&mut self, level: usize) {
        match self.lemma(level) {
            Ok(lemma) => self.excluded(lemma),
            Err(error) => self.failure = Some(error.into()),
        }
    }

    fn solution(&mut self, columns: &[u16]) -> Flow {
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
        self.excluded(clause);
        Flow::Continue(())
    }
}
