//! Refutes a formula with varisat and reports the lemmas with hints, as LRAT needs them.
//! varisat's checker replays each step while varisat runs, and reports the clauses from which a lemma
//! follows, so that no second pass is needed. This costs about as much as solving.
//! Clauses are numbered from 0: first those of the formula in order, then the lemmas.

use varisat::checker::{CheckedProofStep, CheckerData, ProofProcessor};
use varisat::{ExtendFormula, Solver};

use super::backend::BackendError;
use super::cnf::{Cnf, Lit};

/// Receives the steps of a refutation.
pub trait Refutation {
    /// A new lemma, which follows from its hints by unit propagation in their order.
    fn lemma(&mut self, id: u64, clause: &[Lit], hints: &[u64]);

    /// A lemma is no longer needed.
    fn delete(&mut self, id: u64);
}

/// Refutes a formula, with the empty lemma as the last one, or returns the true literals of a model.
pub fn refute(cnf: &Cnf, refutation: &mut dyn Refutation) -> Result<Option<Vec<Lit>>, BackendError> {
    if let Some(hints) = contradiction(cnf) {
        refutation.lemma(cnf.len() as u64, &[], &hints);
        return Ok(None);
    }
    let mut steps = Steps { refutation, given: cnf.len() as u64, clause: Vec::new(), refuted: false };
    let mut solver = Solver::new();
    solver.add_proof_processor(&mut steps);
    let mut literals = Vec::new();
    for clause in cnf.clauses() {
        literals.clear();
        literals.extend(clause.iter().map(|lit| varisat::Lit::from_dimacs(lit.dimacs() as isize)));
        solver.add_clause(&literals);
    }
    let failed = |error: varisat::solver::SolverError| BackendError::Failed(error.to_string());
    if solver.solve().map_err(failed)? {
        let model = solver
            .model()
            .ok_or_else(|| BackendError::Failed("varisat found a model but did not return it".into()))?;
        let model = model.into_iter().map(own);
        return Ok(Some(model.filter(|lit| lit.is_positive()).collect()));
    }
    solver.close_proof().map_err(failed)?;
    drop(solver);
    if steps.refuted {
        Ok(None)
    } else {
        Err(BackendError::Failed("varisat did not report the empty clause".into()))
    }
}

fn own(lit: varisat::Lit) -> Lit {
    let number = i32::try_from(lit.to_dimacs()).ok().and_then(Lit::from_dimacs);
    number.expect("varisat has the variables of the formula")
}

/// The empty clause, or two contradictory units; varisat's checker reports no lemma for these.
fn contradiction(cnf: &Cnf) -> Option<Vec<u64>> {
    let mut units: Vec<(Lit, u64)> = Vec::new();
    for (id, clause) in (0..).zip(cnf.clauses()) {
        match clause {
            [] => return Some(vec![id]),
            &[unit] => match units.iter().find(|(other, _)| *other == !unit) {
                Some(&(_, other)) => return Some(vec![other, id]),
                None => units.push((unit, id)),
            },
            _ => {}
        }
    }
    None
}

struct Steps<'a> {
    refutation: &'a mut dyn Refutation,
    given: u64,
    clause: Vec<Lit>,
    refuted: bool,
}

impl ProofProcessor for Steps<'_> {
    fn process_step(
        &mut self,
        step: &CheckedProofStep<'_>,
        _: CheckerData<'_, '_>,
    ) -> Result<(), anyhow::Error> {
        match *step {
            CheckedProofStep::AtClause { id, clause, propagations, .. } => {
                self.refuted |= clause.is_empty();
                self.clause.clear();
                self.clause.extend(clause.iter().copied().map(own));
                self.refutation.lemma(id, &self.clause, propagations);
            }
            CheckedProofStep::DeleteClause { id, .. }
            | CheckedProofStep::DeleteAtClause { id, keep_as_redundant: false, .. }
                if id >= self.given =>
            {
                self.refutation.delete(id);
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Recorded {
        lemmas: Vec<(u64, Vec<i32>, Vec<u64>)>,
        deleted: Vec<u64>,
    }

    impl Refutation for Recorded {
        fn lemma(&mut self, id: u64, clause: &[Lit], hints: &[u64]) {
            self.lemmas.push((id, clause.iter().map(|lit| lit.dimacs()).collect(), hints.to_vec()));
        }

        fn delete(&mut self, id: u64) {
            self.deleted.push(id);
        }
    }

    fn refuted(clauses: &[&[i32]]) -> (Option<Vec<Lit>>, Recorded) {
        let mut cnf = Cnf::new(9);
        for clause in clauses {
            cnf.add_clause(clause.iter().filter_map(|&number| Lit::from_dimacs(number)));
        }
        let mut recorded = Recorded::default();
        (refute(&cnf, &mut recorded).expect("varisat answers"), recorded)
    }

    #[test]
    fn lemmas_are_numbered_behind_the_clauses_and_the_last_is_empty() {
        let (model, recorded) = refuted(&[&[1, 2], &[-1, 2], &[1, -2], &[1, 2], &[-1, -2]]);
        assert_eq!(model, None);
        let (id, clause, _) = recorded.lemmas.last().expect("a lemma");
        assert!(*id >= 5 && clause.is_empty());
        for (id, _, hints) in &recorded.lemmas {
            assert!(*id >= 5 && hints.iter().all(|hint| hint < id));
        }
    }

    #[test]
    fn contrary_units_and_the_empty_clause_are_refuted_without_a_search() {
        assert_eq!(refuted(&[&[3], &[1, 2], &[3], &[-3]]).1.lemmas, [(4, vec![], vec![0, 3])]);
        assert_eq!(refuted(&[&[3], &[]]).1.lemmas, [(2, vec![], vec![1])]);
    }

    #[test]
    fn a_formula_with_a_model_yields_it() {
        let (model, _) = refuted(&[&[1, 2], &[-1], &[-3, 1]]);
        assert_eq!(model.map(|model| model.contains(&Lit::positive(2))), Some(true));
    }
}
