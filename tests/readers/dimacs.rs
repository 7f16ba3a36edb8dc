//! DIMACS. The writer must write the formula that was read, and the reader of the proof checker must find the same formula in a text as
//! a simple reader.

use lrat_check::{Fault, MAX_VARIABLE, ProofVerdict};
use queenlab::sat::cnf::{Cnf, Lit};
use queenlab::sat::dimacs;

use super::simple::read;

/// The maximum memory of the proof checker: a byte for each literal of 2^27 variables.
pub const MAX_BYTES: usize = (1 << 28) + (1 << 20);

pub fn check(bytes: &[u8]) {
    let Some((variables, clauses)) = read(bytes) else { return };
    let mut cnf = Cnf::new(variables);
    for clause in &clauses {
        cnf.add_clause(
            clause.iter().map(|&literal| Lit::from_dimacs(literal).expect("within the variables")),
        );
    }
    let mut written_text = Vec::new();
    dimacs::write(&mut written_text, ["a comment"], &cnf).expect("a vector takes everything");
    assert_eq!(
        read(&written_text).as_ref(),
        Some(&(variables, clauses.clone())),
        "the formula changed when it was written and read again"
    );

    if clauses.iter().flatten().any(|literal| literal.unsigned_abs() > MAX_VARIABLE) {
        return;
    }
    for formula in [bytes, &written_text] {
        match lrat_check::check(formula, &b""[..]).expect("the checker reads it, too") {
            ProofVerdict::Verified(checked) => assert_eq!(checked.clauses, clauses.len() as u64),
            ProofVerdict::Rejected(rejection) => assert_eq!(rejection.fault, Fault::NotRefuted),
        }
        let is_refuted = lrat_check::check(formula, &b""[..]).is_ok_and(|verdict| verdict.is_verified());
        assert_eq!(is_refuted, clauses.iter().any(Vec::is_empty));
    }
}
