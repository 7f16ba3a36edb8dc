//! Certificates with all their files: `certificate.json`, then the formula and the proof of each part, separated by lines `%`. The
//! audit may accept a certificate only if its number of solutions is right.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use queenlab::audit::{Certificate, Digested, audit};

const SEPARATOR: &[u8] = b"\n%\n";

/// The maximum board size at which the solutions are counted by brute force; larger boards would take too long.
const MAX_COUNTED_SIZE: usize = 8;

pub fn check(bytes: &[u8]) {
    let (json, mut remaining) = split_at_separator(bytes);
    let mut certificate = match Certificate::parse(json) {
        Ok(certificate) => certificate,
        Err(reason) => return assert!(!reason.to_string().is_empty()),
    };
    let mut files = BTreeMap::new();
    let mut redigested_certificate = certificate.clone();
    for part in &mut redigested_certificate.parts {
        for file in [&mut part.formula, &mut part.proof] {
            let (content, following) = split_at_separator(remaining);
            remaining = following;
            files.insert(file.file.clone(), content.to_vec());
        }
    }
    // A fuzzer cannot find a digest, so the digests are replaced by the right ones to reach the code behind this check.
    for file in redigested_certificate.parts.iter_mut().flat_map(|part| [&mut part.formula, &mut part.proof])
    {
        *file = Digested::of(file.file.clone(), &files[&file.file]);
    }
    let unchanged_result = audit(&certificate, &files, None, NonZeroUsize::MIN);
    certificate.parts = redigested_certificate.parts;
    let redigested_result = audit(&certificate, &files, None, NonZeroUsize::MIN);
    assert!(
        unchanged_result.is_err() || redigested_result.is_ok(),
        "valid only with the wrong digests: {redigested_result:?}"
    );
    match redigested_result {
        Ok(audited) => {
            let Certificate { n, solutions, ref variant, .. } = certificate;
            assert_eq!((audited.n, audited.solutions), (n, solutions));
            let is_counted = variant == "queens" && n <= MAX_COUNTED_SIZE;
            assert!(!is_counted || solutions == count(n, &mut Vec::new()), "n = {n}");
        }
        Err(error) => assert!(!error.to_string().contains(char::is_control), "{error}"),
    }
}

fn split_at_separator(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.windows(SEPARATOR.len()).position(|window| window == SEPARATOR) {
        Some(at) => (&bytes[..at], &bytes[at + SEPARATOR.len()..]),
        None => (bytes, &[]),
    }
}

/// The number of solutions, counted by brute force.
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
