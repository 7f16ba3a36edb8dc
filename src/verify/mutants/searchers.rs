//! Trials of searchers: the cross-check, then the judge of `queenlab check`, then a certificate.

use super::edits::Mutant;
use super::{Check, Kind, Trial};
use crate::board::problem::Problem;
use crate::board::{BoardSize, Placement};
use crate::judge::notation::Notation;
use crate::judge::{Asks, Question, Verdict};
use crate::solver::sink::Collect;
use crate::solver::{Goal, SolveError, Solver, Task};
use crate::submission::judge_text;
use crate::verify::certificate::{self, CertifyError, Formula, Proof, Solutions};

/// Tries searchers at these sizes, in ascending order.
pub fn trials(mutants: &[Mutant], sizes: &[BoardSize]) -> Result<Vec<Trial>, SolveError> {
    let trial = |mutant: &Mutant| Trial::new(Kind::Searcher, mutant.name, mutant.of, mutant.wrong);
    let mut trials: Vec<Trial> = mutants.iter().map(trial).collect();
    let solvers: Vec<&dyn Solver> = mutants.iter().map(|mutant| mutant as &dyn Solver).collect();
    for &n in sizes {
        super::crosscheck(&solvers, &mut trials, n)?;
        for (mutant, trial) in mutants.iter().zip(&mut trials) {
            let mut boards = Collect::default();
            mutant.solve(&Task::new(n, Goal::Enumerate), &mut boards)?;
            judge(n, &boards.0, trial);
            if let Err(error) = certify(mutant, n, boards.0) {
                trial.caught(n.get(), Check::Proof, error.to_string(), None);
            }
        }
    }
    Ok(trials)
}

/// Judges the boards as `queenlab check` judges the output of a program.
fn judge(n: BoardSize, boards: &[Placement], trial: &mut Trial) {
    let printed: String = boards.iter().map(|board| format!("{board}\n")).collect();
    let question =
        Question { problem: Problem::queens(n), notation: Some(Notation::Columns), asks: Asks::All };
    let n = n.get();
    match judge_text(&mut printed.as_bytes(), &question) {
        Ok(report) => {
            if report.verdict() == Verdict::Wrong {
                let message = report.to_string().lines().next().unwrap_or_default().to_owned();
                trial.caught(n, Check::Judge, message, None);
            }
            if !boards.is_sorted() {
                let message = "the boards are not in lexicographic order".to_owned();
                trial.caught(n, Check::Order, message, None);
            }
        }
        Err(error) => trial.caught(n, Check::Judge, error.to_string(), None),
    }
}

/// Makes a certificate of the boards that the searcher found, with the searcher's own proof.
fn certify(mutant: &Mutant, n: BoardSize, mut boards: Vec<Placement>) -> Result<(), CertifyError> {
    boards.sort_unstable();
    let solutions = Solutions::from_placements(&Problem::queens(n), &boards)?;
    let formula = Formula::new(&solutions);
    let mut lrat = Vec::new();
    let mut proof = Proof::new(formula.cnf.len() as u64, &mut lrat, true);
    certificate::write_search(&formula, &solutions, &mut proof, |n, lemmas| (mutant.search)(n, lemmas))?;
    proof.finish()?;
    certificate::check_in_memory(&formula.cnf, &lrat)
}
