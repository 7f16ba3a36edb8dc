//! A proof from a search, without a SAT solver.
//!
//! When the searcher leaves a node, the lemma "not all of these queens" is written. Its hints are, for each
//! cell of the next row, the clause that forbids the cell together with a queen that attacks it, or the lemma
//! (for a solution, the clause) of the child node; then the clause of the row, whose cells are all excluded.
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

/// No queen.
const NONE: usize = usize::MAX;

/// The queens that attack a cell: for each line, the row of the first queen on it.
pub(super) struct Attackers {
    queens: Vec<u16>,
    columns: Vec<usize>,
    falling: Vec<usize>,
    rising: Vec<usize>,
    /// The first two queens that attack each other.
    attacked: Option<(Square, Square)>,
}

impl Attackers {
    fn new(n: usize) -> Self {
        let diagonals = 2 * n;
        let lines = |count| vec![NONE; count];
        Self {
            queens: Vec::new(),
            columns: lines(n),
            falling: lines(diagonals),
            rising: lines(diagonals),
            attacked: None,
        }
    }

    fn lines(&mut self, square: Square) -> [&mut usize; 3] {
        let n = self.columns.len();
        [
            &mut self.columns[square.column],
            &mut self.falling[n + square.column - square.row],
            &mut self.rising[square.column + square.row],
        ]
    }

    fn put(&mut self, column: usize) {
        let row = self.queens.len();
        let square = Square { row, column };
        self.attacked = self.attacked.or(self.of(square).map(|queen| (square, queen)));
        self.lines(square).into_iter().filter(|line| **line == NONE).for_each(|line| *line = row);
        self.queens.push(board::column(column));
    }

    fn remove(&mut self) {
        if let Some(column) = self.queens.pop() {
            let row = self.queens.len();
            let square = Square { row, column: column.into() };
            self.attacked = self.attacked.filter(|(attacked, _)| attacked.row < row);
            self.lines(square).into_iter().filter(|line| **line == row).for_each(|line| *line = NONE);
        }
    }

    /// A queen that attacks a cell of a later row.
    fn of(&mut self, square: Square) -> Option<Square> {
        let row = self.lines(square).into_iter().map(|line| *line).find(|&row| row != NONE)?;
        Some(Square { row, column: self.queens[row].into() })
    }
}

/// Writes the events of a search as lemmas.
pub struct Lemmas<'a, 'w> {
    formula: &'a Formula,
    solutions: &'a Solutions,
    proof: &'a mut Proof<'w>,
    attackers: Attackers,
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
            attackers: Attackers::new(n),
            children: vec![vec![0; n]; n + 1],
            clause: Vec::new(),
            hints: Vec::new(),
            deleted: Vec::new(),
            failure: None,
        }
    }

    /// This clause excludes the current node, and so the cell that led to it.
    fn excluded(&mut self, clause: u64) {
        if let Some(&column) = self.attackers.queens.last() {
            let parent = self.attackers.queens.len() - 1;
            self.children[parent][usize::from(column)] = clause;
            self.attackers.remove();
        }
    }

    fn lemma(&mut self, level: usize) -> io::Result<u64> {
        self.hints.clear();
        if let Some((attacked, queen)) = self.attackers.attacked {
            self.hints.push(self.formula.pair(queen, attacked));
        } else {
            for (column, &child) in self.children[level].iter().enumerate() {
                let cell = Square { row: level, column };
                match self.attackers.of(cell) {
                    Some(queen) => self.hints.push(self.formula.pair(queen, cell)),
                    None if child > 0 => self.hints.push(child),
                    None => {}
                }
            }
            self.hints.push(self.formula.row(level));
        }
        let queens = self.attackers.queens.iter().enumerate();
        self.clause.clear();
        self.clause
            .extend(self.formula.denied(queens.map(|(row, &column)| Square { row, column: column.into() })));
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
        if self.attackers.queens.len() < self.formula.n() && cell < self.formula.n() {
            self.attackers.put(cell);
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
