//! Checks the verdict on a file that contains a formula, a line `%`, and a proof in text or binary LRAT. The verdict must not depend on
//! the number of bytes that each read returns, and may be VERIFIED only for formulas without a model.

use std::io::{self, Read};

use lrat_check::{LratReadError, ProofVerdict};

use super::{MAX_VARIABLES, has_model, simple};

/// The line between the formula and the proof.
const SEPARATOR: &[u8] = b"\n%\n";

/// A reader that returns one byte per call.
struct BytewiseReader<'a>(&'a [u8]);

impl Read for BytewiseReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}

pub fn check(bytes: &[u8]) {
    let separator = bytes.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
    let (formula, proof) = match separator {
        Some(position) => (&bytes[..position], &bytes[position + SEPARATOR.len()..]),
        None => (bytes, &[][..]),
    };
    let verdict = lrat_check::check(formula, proof);
    let bytewise = lrat_check::check(BytewiseReader(formula), BytewiseReader(proof));
    match (&verdict, &bytewise) {
        (Ok(verdict), Ok(bytewise)) => assert_eq!(verdict, bytewise),
        (Err(LratReadError::Formula(error)), Err(LratReadError::Formula(bytewise))) => {
            assert_eq!(error.to_string(), bytewise.to_string())
        }
        _ => panic!("{verdict:?}, but byte by byte {bytewise:?}"),
    }
    match verdict {
        Ok(ProofVerdict::Verified(_)) => assert_no_model(formula),
        Ok(ProofVerdict::Rejected(rejection)) => {
            assert!(rejection.byte <= proof.len() as u64, "{rejection}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Panics if the formula has a model. Does nothing if the simple reader, which is stricter, does not accept the formula.
fn assert_no_model(formula: &[u8]) {
    let Some((_, clauses)) = simple::read(formula) else { return };
    let variables =
        clauses.iter().flatten().map(|literal| literal.unsigned_abs() as usize).max().unwrap_or(0);
    if variables <= MAX_VARIABLES {
        assert!(!has_model(variables, &clauses), "VERIFIED, and the formula has a model");
    }
}
