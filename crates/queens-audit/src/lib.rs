#![doc = include_str!("../README.md")]
// These lints do not apply to tests, which may convert numbers without a check and read the clock.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod clauses;
mod cover;
mod description;
mod error;
mod orbits;
mod parts;
mod source;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

pub use description::{BrokenSymmetry, Certificate, CheckedBy, Digested, Part};
pub use error::{AuditError, CertificateFault, ClauseFault, CubeFault, DescriptionError, Objection};
pub use parts::{BUILT_IN, PartsAudit};

/// The maximum size of a description in bytes: more than twice the size of the largest description that `certify` writes, for 3,360
/// parts.
pub const MAX_DESCRIPTION_BYTES: u64 = 4 << 20;

/// The maximum size of a file in bytes. Files of real certificates are smaller, but a sparse file can have any size without using disk
/// space.
pub const MAX_FILE_BYTES: u64 = 1 << 40;

/// The version of the format of descriptions.
pub(crate) const VERSION: u32 = 2;

/// The files of a certificate, in the directory of its description.
pub trait Files: Sync {
    /// Opens a file by its name. The returned reader must end.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + '_>>;
}

/// Files in memory.
impl Files for BTreeMap<String, Vec<u8>> {
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        match self.get(name) {
            Some(content) => Ok(Box::new(content.as_slice())),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// An external checker of proofs.
pub trait ExternalChecker: Sync {
    /// Checks a proof in text LRAT of a formula in DIMACS CNF. Returns the name of the checker and its time, or the reason why the
    /// checker did not verify the proof.
    ///
    /// # Errors
    ///
    /// The checker cannot be run.
    fn check(&self, formula: &str, proof: &str) -> io::Result<Result<CheckedBy, Objection>>;
}

/// The claims of a valid certificate.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The size of the board.
    pub n: usize,
    /// The problem, as in the column `variant` of CSVs.
    pub variant: String,
    /// The number of solutions.
    pub solutions: u64,
    /// The checkers that accepted the proofs in this audit.
    pub checkers: Vec<CheckedBy>,
    /// The keys of the certificate whose values an audit cannot check.
    pub unchecked: Vec<&'static str>,
}

/// Audits a certificate and its files on this number of threads. If `external` is given, this checker also checks each part.
///
/// # Errors
///
/// The certificate is wrong, or cannot be judged.
pub fn audit(
    certificate: &Certificate,
    files: &dyn Files,
    external: Option<&dyn ExternalChecker>,
    threads: NonZeroUsize,
) -> Result<Audited, AuditError> {
    let Certificate { n, ref variant, ref parts, .. } = *certificate;
    let audit = PartsAudit::new(certificate, external)?;
    audit.check_cover(parts)?;
    if !certificate.kept {
        return Err(AuditError::NotKept(parts.len()));
    }
    in_parallel(threads, parts.len(), |index| audit.judge(&parts[index], files, true))?;
    let (solutions, digest, checkers) = audit.count_solutions()?;
    check_claim("solutions", certificate.solutions, solutions)?;
    check_claim("solutions_sha256", &certificate.solutions_sha256, &digest)?;
    let mut unchecked = vec!["method", "checkers", "threads", "enumerate_ns", "prove_ns", "queenlab_version"];
    // The formula of the empty board contains the empty clause, so the proof is not read.
    unchecked.extend((n == 0).then_some("lemmas"));
    Ok(Audited { n, variant: variant.clone(), solutions, checkers, unchecked })
}

/// Calls `work` for each index on several threads, and returns the results in order. Stops at the first error.
///
/// # Errors
///
/// An error that `work` returned.
pub fn in_parallel<T: Send, E: Send>(
    threads: NonZeroUsize,
    count: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let run_worker = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            let result = work(index);
            if result.is_err() {
                next.store(count, Ordering::Relaxed);
            }
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(count) {
            // If the system refuses to start a thread, the threads that have started do all the work.
            let _ = thread::Builder::new().spawn_scoped(scope, run_worker);
        }
        run_worker();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn check_claim<T: PartialEq + ToString>(
    key: &'static str,
    claimed: T,
    correct: T,
) -> Result<(), CertificateFault> {
    if claimed == correct {
        return Ok(());
    }
    Err(CertificateFault::Claim { key, claimed: claimed.to_string(), correct: correct.to_string() })
}

/// A digest in lower-case hexadecimal digits.
fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
