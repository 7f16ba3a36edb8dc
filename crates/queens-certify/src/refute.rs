//! Refutes a formula with varisat, and writes the steps of varisat as lemmas of a proof.
//! While varisat runs, its checker replays each step and reports the clauses from which a lemma follows, so no second pass is needed.
//! The checker takes about as much time as the solver.
//! varisat numbers clauses from 0: first the clauses of the formula in order, then the lemmas.

use varisat::checker::{CheckedProofStep, CheckerData, ProofProcessor};
use varisat::{ExtendFormula, Solver};

use super::CertifyError;
use super::proof::Proof;
use queens_sat::cnf::{Cnf, Lit};

/// The result of a refutation. `Ok` contains the id of the empty lemma, and the ids of the other lemmas that were not deleted. `Err`
/// contains the true literals of a model.
pub type Refuted = Result<(u64, Vec<u64>), Vec<Lit>>;

/// Refutes a residual formula, and writes its lemmas as lemmas of the whole formula. `ids` contains the id of each clause in the proof,
/// `lift` maps literals of the residual formula to literals of the whole formula, and the literals of `cube` are added to each lemma.
///
/// # Errors
///
/// The proof cannot be written, or the solver failed.
pub fn refute(
    cnf: &Cnf,
    ids: Vec<u64>,
    lift: &dyn Fn(Lit) -> Lit,
    cube: Vec<Lit>,
    proof: &mut Proof<'_>,
) -> Result<Refuted, CertifyError> {
    let (formula_clauses, is_alive) = (ids.len() as u64, vec![false; ids.len()]);
    let (clause, hints) = (Vec::new(), Vec::new());
    let mut steps = Steps { proof, lift, cube, formula_clauses, ids, is_alive, clause, hints, empty: None };
    let solver_error = |error: varisat::solver::SolverError| CertifyError::Solver(error.to_string());
    if let Some(hints) = contradiction(cnf) {
        steps.lemma(formula_clauses, &[], &hints)?;
    } else {
        let mut solver = Solver::new();
        solver.add_proof_processor(&mut steps);
        let mut literals = Vec::new();
        for clause in cnf.clauses() {
            literals.clear();
            literals.extend(clause.iter().map(|lit| varisat::Lit::from_dimacs(lit.dimacs() as isize)));
            solver.add_clause(&literals);
        }
        if solver.solve().map_err(solver_error)? {
            let model = solver.model().into_iter().flatten().map(to_lit);
            return Ok(Err(model.filter(|lit| lit.is_positive()).collect()));
        }
        solver.close_proof().map_err(solver_error)?;
    }
    let Steps { ids, is_alive, empty, .. } = steps;
    let last_lemma =
        empty.ok_or_else(|| CertifyError::Solver("it did not report the empty clause".into()))?;
    let remaining = ids.into_iter().zip(is_alive).filter(|(id, is_alive)| *is_alive && *id != last_lemma);
    Ok(Ok((last_lemma, remaining.map(|(id, _)| id).collect())))
}

fn to_lit(lit: varisat::Lit) -> Lit {
    let number = i32::try_from(lit.to_dimacs()).ok().and_then(Lit::from_dimacs);
    number.expect("varisat has the variables of the formula")
}

/// The indices of two contradictory unit clauses, or of the empty clause, if the formula contains them. varisat's checker reports no
/// lemma for such a formula.
fn contradiction(cnf: &Cnf) -> Option<Vec<u64>> {
    let mut units: Vec<(Lit, u64)> = Vec::new();
    for (id, clause) in (0..).zip(cnf.clauses()) {
        match clause {
            [] => return Some(vec![id]),
            &[unit] => match units.iter().find(|(literal, _)| *literal == !unit) {
                Some(&(_, first_id)) => return Some(vec![first_id, id]),
                None => units.push((unit, id)),
            },
            _ => {}
        }
    }
    None
}

/// Receives the proof steps of varisat, and writes them as lemmas.
struct Steps<'a, 'w> {
    proof: &'a mut Proof<'w>,
    lift: &'a dyn Fn(Lit) -> Lit,
    cube: Vec<Lit>,
    /// The number of clauses of the formula.
    formula_clauses: u64,
    /// The id of each clause in the proof, indexed by varisat's number of the clause.
    ids: Vec<u64>,
    /// Whether each clause is a lemma that has not been deleted, indexed by varisat's number of the clause.
    is_alive: Vec<bool>,
    clause: Vec<Lit>,
    hints: Vec<u64>,
    /// The id of the empty lemma in the proof.
    empty: Option<u64>,
}

/// Converts varisat's number of a clause to an index.
fn index(id: u64) -> usize {
    usize::try_from(id).expect("the clauses of varisat are in memory")
}

impl Steps<'_, '_> {
    fn lemma(&mut self, id: u64, clause: &[varisat::Lit], hints: &[u64]) -> std::io::Result<()> {
        self.clause.clear();
        self.clause.extend(clause.iter().map(|&lit| (self.lift)(to_lit(lit))));
        self.clause.extend(&self.cube);
        self.hints.clear();
        self.hints.extend(hints.iter().map(|&hint| self.ids[index(hint)]));
        let lemma = self.proof.lemma(&self.clause, &self.hints)?;
        // varisat's number of a lemma becomes its index. The first lemma comes after the clauses of the formula.
        self.ids.resize(index(id), 0);
        self.is_alive.resize(index(id), false);
        self.ids.push(lemma);
        self.is_alive.push(true);
        self.empty = self.empty.or(clause.is_empty().then_some(lemma));
        Ok(())
    }
}

impl ProofProcessor for Steps<'_, '_> {
    fn process_step(
        &mut self,
        step: &CheckedProofStep<'_>,
        _: CheckerData<'_, '_>,
    ) -> Result<(), anyhow::Error> {
        match *step {
            CheckedProofStep::AtClause { id, clause, propagations, .. } => {
                self.lemma(id, clause, propagations)?;
            }
            CheckedProofStep::DeleteClause { id, .. }
            | CheckedProofStep::DeleteAtClause { id, keep_as_redundant: false, .. }
                if id >= self.formula_clauses && std::mem::take(&mut self.is_alive[index(id)]) =>
            {
                self.proof.delete(&[self.ids[index(id)]])?;
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Refutes a formula. Returns the proof after verifying it, or a model.
    fn refute_and_verify(clauses: &[&[i32]]) -> Result<Vec<u8>, Vec<Lit>> {
        let mut cnf = Cnf::new(9);
        for clause in clauses {
            cnf.add_clause(clause.iter().filter_map(|&number| Lit::from_dimacs(number)));
        }
        let (mut formula, mut lrat) = (Vec::new(), Vec::new());
        queens_sat::dimacs::write(&mut formula, [""; 0], &cnf).expect("a vector");
        let mut proof = Proof::new(cnf.len() as u64, &mut lrat);
        let ids = (1..=cnf.len() as u64).collect();
        refute(&cnf, ids, &|lit| lit, Vec::new(), &mut proof).expect("varisat answers")?;
        proof.flush().expect("a vector");
        let verdict = lrat_check::check(&formula[..], &lrat[..]).expect("readable");
        assert!(verdict.is_verified(), "{lrat:?}");
        Ok(lrat)
    }

    #[test]
    fn steps_of_varisat_form_a_valid_proof() {
        assert!(refute_and_verify(&[&[1, 2], &[-1, 2], &[1, -2], &[1, 2], &[-1, -2]]).is_ok());
    }

    #[test]
    fn contradictory_units_or_empty_clause_need_no_search() {
        // In the first proof, lemma 5 follows from clauses 1 and 4. In the second proof, lemma 3 follows from clause 2.
        assert_eq!(refute_and_verify(&[&[3], &[1, 2], &[3], &[-3]]), Ok([b'a', 10, 0, 2, 8, 0].to_vec()));
        assert_eq!(refute_and_verify(&[&[3], &[]]), Ok([b'a', 6, 0, 4, 0].to_vec()));
    }

    #[test]
    fn satisfiable_formula_is_answered_with_its_model() {
        let model = refute_and_verify(&[&[1, 2], &[-1], &[-3, 1]]).expect_err("there is a model");
        assert!(model.contains(&Lit::positive(2)));
    }
}
