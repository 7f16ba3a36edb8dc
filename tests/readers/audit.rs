//! Certificates as a whole: `p.json`, a line `%`, the formula, a line `%`, the proof. The audit may accept a
//! certificate only if its number of solutions is right.

use queenlab::verify::certificate::{AuditError, Certificate, Format, audit_in_memory};

const BETWEEN: &[u8] = b"\n%\n";

/// Counting larger boards by trying all would take longer than a fuzzer has.
const LARGEST_COUNTED: usize = 8;

pub fn check(bytes: &[u8]) {
    let (json, files) = halves(bytes);
    let (formula, proof) = halves(files);
    let mut certificate = match Certificate::parse(json) {
        Ok(certificate) => certificate,
        Err(reason) => return assert!(!reason.is_empty()),
    };
    let as_it_is = audit_in_memory(&certificate, formula, proof);
    // No fuzzer finds a digest: what lies behind that check is reached by digesting the files anew.
    certificate.formula.redigest(formula);
    certificate.proof.redigest(proof);
    let redigested = audit_in_memory(&certificate, formula, proof);
    assert!(as_it_is.is_err() || redigested.is_ok(), "digests alone decide: {redigested:?}");
    match redigested {
        Ok(()) => {
            assert_eq!(certificate.format, Format::Lrat, "nothing here checks DRAT");
            let n = certificate.stated.n;
            assert!(
                n > LARGEST_COUNTED || certificate.stated.solutions == count(n, &mut Vec::new()),
                "n = {n}"
            );
        }
        Err(AuditError::Drat(_)) => assert_eq!(certificate.format, Format::Drat),
        Err(error) => assert!(!error.to_string().contains(char::is_control), "{error}"),
    }
}

fn halves(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.windows(BETWEEN.len()).position(|window| window == BETWEEN) {
        Some(at) => (&bytes[..at], &bytes[at + BETWEEN.len()..]),
        None => (bytes, &[]),
    }
}

/// The number of solutions, by trying all.
fn count(n: usize, columns: &mut Vec<usize>) -> u64 {
    let row = columns.len();
    if row == n {
        return 1;
    }
    let mut solutions = 0;
    for column in 0..n {
        let attacked = columns.iter().enumerate().any(|(r, &c)| c == column || c.abs_diff(column) == row - r);
        if !attacked {
            columns.push(column);
            solutions += count(n, columns);
            columns.pop();
        }
    }
    solutions
}
