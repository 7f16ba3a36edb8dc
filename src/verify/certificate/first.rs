//! The proof that a solution is the lexicographically first one.
//!
//! The formula has one clause per row after those of the problem: if the queens above are those of the known solution,
//! then the queen of this row is not to the right of its queen. So the boards that satisfy them are the known solution
//! and those before it. The known solution is denied, and the proof shows that the rest has no model.
//! For each row, the columns to the left of the known queen are excluded by the clause of a queen above that attacks
//! them, or by a lemma that varisat finds: "not this prefix" (`cubes.rs`). These lead to the lemma "not the queens above",
//! from the bottom row up to the empty clause.

use std::path::Path;

use super::cubes::Composer;
use super::formula::Formula;
use super::solutions::Solutions;
use super::writer::Proof;
use super::{CertifyError, LARGEST_FIRST};
use crate::board::problem::Problem;
use crate::board::{Square, squares};
use crate::sat::cnf::Lit;
use crate::sat::encoding::queen;

/// Checks before a search that a proof about its first solution is possible, and could have this path.
pub fn check_first(problem: &Problem, proof: &Path) -> Result<(), CertifyError> {
    if problem.n().get() > LARGEST_FIRST {
        return Err(CertifyError::TooLargeFirst(problem.n().get()));
    }
    super::beside(proof, "cnf").map(drop)
}

/// The clauses that only the known solution and the boards before it satisfy, top row first.
pub fn not_after(known: &[u16]) -> impl Iterator<Item = Vec<Lit>> {
    let n = known.len();
    squares(known).map(move |Square { row, column }| {
        let above = squares(known).take(row).map(|square| !queen(n, square));
        above.chain((0..=column).map(|column| queen(n, Square { row, column }))).collect()
    })
}

/// Refutes every smaller prefix. Returns the number of those that no queen above excludes.
pub fn write(formula: &Formula, solutions: &Solutions, proof: &mut Proof<'_>) -> Result<u64, CertifyError> {
    let known: Vec<Square> = squares(solutions.get(0)).collect();
    if known.is_empty() {
        // The clause of the empty board is empty; other checkers expect it in the proof.
        proof.lemma(&[], &[formula.solution(0)])?;
    }
    let mut composer = Composer::new(formula, solutions, &[], proof);
    let mut refuted = Vec::new();
    for (row, queen) in known.iter().enumerate() {
        let mut prefix = known[..row].to_vec();
        let mut hints = Vec::new();
        let mut lemmas = Vec::new();
        for column in 0..queen.column {
            let cell = Square { row, column };
            hints.push(match formula.excluded(&prefix, cell) {
                Some(clause) => clause,
                None => {
                    prefix.push(cell);
                    let lemma = composer.cube(&prefix).map_err(smaller)?;
                    prefix.pop();
                    lemmas.push(lemma);
                    lemma
                }
            });
        }
        refuted.push((hints, lemmas));
    }
    let cubes = composer.cubes();
    let mut below = formula.solution(0);
    for (row, (mut hints, mut lemmas)) in refuted.into_iter().enumerate().rev() {
        hints.extend([below, formula.not_after(row)]);
        let clause: Vec<Lit> = formula.denied(known[..row].iter().copied()).collect();
        lemmas.extend(Some(below).filter(|&below| below != formula.solution(0)));
        below = proof.lemma(&clause, &hints)?;
        if row > 0 {
            proof.delete(&lemmas)?;
        }
    }
    Ok(cubes)
}

/// A solution with a smaller prefix is not missing from a list: the known one is not the first.
fn smaller(error: CertifyError) -> CertifyError {
    match error {
        CertifyError::Missing(smaller) => CertifyError::NotFirst(smaller),
        error => error,
    }
}
