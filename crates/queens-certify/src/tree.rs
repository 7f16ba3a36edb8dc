//! A proof from a search tree. A node is a set of queens, one on each of the first rows in some order of rows. The lemma of a node is
//! "not all of these queens".
//!
//! The lemma of a node has one hint for each cell of the next row: the clause that excludes the cell because of a queen of the node, or
//! the lemma of the child node with a queen on the cell (for a solution, the clause that denies the solution). The last hint is the
//! clause "there is a queen in this row", all of whose cells are excluded. If a square of the row must hold a queen, the hints are the
//! clause of this square, and the clause or lemma that excludes the square.
//!
//! After the lemma of a node, the lemmas of its children are deleted. The lemma of the root is the empty clause, which is the last step.
//! Cost: one lemma per node, with about n + 1 hints; memory O(n^2).

use std::io;

use super::formula::HintedFormula;
use super::proof::Proof;
use queens_board::Square;
use queens_sat::cnf::Lit;

/// Writes the lemmas of the nodes of a search tree to a proof.
pub struct LemmaWriter<'a, 'w> {
    pub formula: &'a HintedFormula,
    pub proof: &'a mut Proof<'w>,
    clause: Vec<Lit>,
    hints: Vec<u64>,
}

impl<'a, 'w> LemmaWriter<'a, 'w> {
    pub fn new(formula: &'a HintedFormula, proof: &'a mut Proof<'w>) -> Self {
        Self { formula, proof, clause: Vec::new(), hints: Vec::new() }
    }

    /// Writes the lemma of the node with these queens, and returns its id. For each cell of the next row that no clause excludes,
    /// `children` contains the id of the child's lemma or clause.
    pub fn lemma(&mut self, queens: &[Square], row: usize, children: &[u64]) -> io::Result<u64> {
        self.hints.clear();
        match self.formula.required_queens().find(|(queen, _)| queen.row == row) {
            Some((queen, clause)) => {
                self.hints.push(clause);
                self.exclude(queens, queen, children[queen.column]);
            }
            None => {
                for (column, &child) in children.iter().enumerate() {
                    self.exclude(queens, Square { row, column }, child);
                }
                self.hints.push(self.formula.row_clause(row));
            }
        }
        self.clause.clear();
        self.clause.extend(self.formula.negated_queens(queens.iter().copied()));
        let lemma = self.proof.lemma(&self.clause, &self.hints)?;
        let formula_clauses = self.formula.cnf.len() as u64;
        self.delete(queens, children.iter().copied().filter(|&child| child > formula_clauses))?;
        Ok(lemma)
    }

    /// Deletes these lemmas, which are no longer needed after the lemma of the node with these queens.
    pub fn delete(&mut self, queens: &[Square], lemmas: impl Iterator<Item = u64>) -> io::Result<()> {
        if queens.is_empty() {
            // The empty clause is the last step of a proof.
            return Ok(());
        }
        self.hints.clear();
        self.hints.extend(lemmas);
        self.proof.delete(&self.hints)
    }

    /// Adds the hints that exclude a cell: a clause of the cell and a queen of the node, the lemma of the child, or the two clauses that
    /// exclude the cell because of a required queen.
    fn exclude(&mut self, queens: &[Square], cell: Square, child: u64) {
        match self.formula.excluding_clause(queens, cell) {
            Some(clause) => self.hints.push(clause),
            None if child > 0 => self.hints.push(child),
            None => {
                for clause in self.formula.required_queen_clauses(cell).into_iter().flatten() {
                    // A second hint to the clause of the same required queen would be redundant.
                    if !self.hints.contains(&clause) {
                        self.hints.push(clause);
                    }
                }
            }
        }
    }
}
