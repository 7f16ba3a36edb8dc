//! LRAT, text and binary: a formula, a line `%`, a proof. The answer of the checker must not depend on how
//! the bytes arrive, and it may be VERIFIED only for formulas without a model.

use std::io::{self, Read};

use lrat_check::{LratReadError, ProofVerdict};

use super::{MAX_VARIABLES, has_model, simple};

const BETWEEN: &[u8] = b"\n%\n";

/// A byte a read.
struct Bytewise<'a>(&'a [u8]);

impl Read for Bytewise<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = buffer.len().min(1);
        self.0.read(&mut buffer[..room])
    }
}

pub fn check(bytes: &[u8]) {
    let between = bytes.windows(BETWEEN.len()).position(|window| window == BETWEEN);
    let (formula, proof) = match between {
        Some(at) => (&bytes[..at], &bytes[at + BETWEEN.len()..]),
        None => (bytes, &[][..]),
    };
    let verdict = lrat_check::check(formula, proof);
    let bytewise = lrat_check::check(Bytewise(formula), Bytewise(proof));
    match (&verdict, &bytewise) {
        (Ok(whole), Ok(pieces)) => assert_eq!(whole, pieces),
        (Err(LratReadError::Formula(whole)), Err(LratReadError::Formula(pieces))) => {
            assert_eq!(whole.to_string(), pieces.to_string())
        }
        _ => panic!("{verdict:?}, but byte by byte {bytewise:?}"),
    }
    match verdict {
        Ok(ProofVerdict::Verified(_)) => no_model(formula),
        Ok(ProofVerdict::Rejected(rejection)) => {
            assert!(rejection.byte <= proof.len() as u64, "{rejection}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Judges the formula as the simple reader reads it, unless that reader is stricter.
fn no_model(formula: &[u8]) {
    let Some((_, clauses)) = simple::read(formula) else { return };
    let variables =
        clauses.iter().flatten().map(|literal| literal.unsigned_abs() as usize).max().unwrap_or(0);
    if variables <= MAX_VARIABLES {
        assert!(!has_model(variables, &clauses), "VERIFIED, and the formula has a model");
    }
}
