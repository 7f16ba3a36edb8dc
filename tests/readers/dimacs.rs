//! DIMACS: what was read must be written and read again, however it arrives, and the proof checker, which has
//! its own reader, must find the same formula in it.

use std::io::BufReader;

use queenlab::sat::dimacs::{self, DimacsError};
use queenlab::verify::lrat::{self, Verdict};

/// The checker knows no larger variable.
const CHECKERS_LARGEST: u32 = 1 << 27;

pub fn check(bytes: &[u8]) {
    let in_pieces = dimacs::read(BufReader::with_capacity(3, bytes));
    let cnf = match dimacs::read(bytes) {
        Ok(cnf) => cnf,
        Err(error) => {
            assert_eq!(in_pieces.expect_err("an error in pieces, too").to_string(), error.to_string());
            if let DimacsError::Line { line, .. } = error {
                assert!((1..=bytes.split(|&byte| byte == b'\n').count()).contains(&line), "{error}");
            }
            return;
        }
    };
    assert!(in_pieces.is_ok_and(|pieces| pieces == cnf), "pieces make another formula");

    let mut written = Vec::new();
    dimacs::write(&mut written, ["a comment"], &cnf).expect("a vector takes everything");
    assert!(dimacs::read(written.as_slice()).is_ok_and(|again| again == cnf), "written and read again");

    if cnf.clauses().flatten().any(|literal| literal.variable() > CHECKERS_LARGEST) {
        return;
    }
    for formula in [bytes, &written] {
        match lrat::check(formula, &b""[..]).expect("the checker reads it, too") {
            Verdict::Verified(checked) => assert_eq!(checked.clauses, cnf.len() as u64),
            Verdict::Rejected(rejection) => assert_eq!(rejection.fault, lrat::Fault::NotRefuted),
        }
        let refuted = lrat::check(formula, &b""[..]).is_ok_and(|verdict| verdict.is_verified());
        assert_eq!(refuted, cnf.clauses().any(<[_]>::is_empty));
    }
}
