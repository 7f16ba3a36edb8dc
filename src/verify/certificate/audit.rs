//! The audit of a certificate: `p.json`, `p.cnf` and `p.lrat` as they lie there, by whoever finds them.
//!
//! The files are those that the certificate digests. The formula is N queens, clause by clause: every row
//! and column, every two squares that attack each other, and nothing else; then a clause a solution,
//! each a solution on the board, in ascending order and so distinct, as many as are claimed: `clauses.rs`. The
//! proof checks.
//! Any bytes are answered. Memory: the built-in checker's, and at most 1 MiB of JSON.

mod clauses;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sha2::{Digest, Sha256};

use super::files::{Digested, hexadecimal};
use super::{Certificate, CertifyError, Checker, Format, LARGEST_BOARD, ask, check};
use crate::files::open_regular;
use crate::record::nanoseconds;
use crate::sat::cnf::{Cnf, Lit};
use crate::verify::lrat::{self, ReadError, Rejection, Verdict};
use clauses::Clauses;

/// A certificate is shorter.
const LONGEST_JSON: u64 = 1 << 20;

/// What a certificate says that is not so.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A file is not the one of the certificate.
    #[error("{file}: the certificate says {what} {claimed}, the file has {found}")]
    File {
        /// Its name.
        file: String,
        /// Bytes or SHA-256.
        what: &'static str,
        /// What the certificate says.
        claimed: String,
        /// What the file says.
        found: String,
    },
    /// A number of the certificate is wrong.
    #[error("the certificate says {key} {claimed}; it is {found}")]
    Claim {
        /// The key in `p.json`.
        key: &'static str,
        /// What it says.
        claimed: String,
        /// What is so.
        found: String,
    },
    /// A clause does not belong to the formula.
    #[error("clause {number} of the formula: {reason}")]
    Clause {
        /// Its number, from 1.
        number: u64,
        /// Why not.
        reason: String,
    },
    /// A clause of the board is not there.
    #[error("the formula does not say {0}")]
    Missing(String),
    /// The formula is no DIMACS CNF.
    #[error("{0}")]
    Formula(String),
    /// The proof does not show that the formula has no model.
    #[error("the proof does not check: {0}")]
    Proof(Rejection),
    /// Another checker does not accept it.
    #[error(transparent)]
    Checker(CertifyError),
}

/// Why there is no judgement.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The certificate is wrong.
    #[error("{0}")]
    Wrong(#[from] Fault),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The JSON is no certificate.
    #[error("{}: this is no certificate of queenlab certify: {reason}", path.display())]
    NoCertificate {
        /// Its path.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Only other programs check DRAT.
    #[error(
        "{}: files and formula are those of the certificate, but the proof is in DRAT, which the built-in checker \
         does not read: name a program with --checker 'drat-trim {{cnf}} {{proof}}'",
        .0.display()
    )]
    Drat(PathBuf),
    /// A checker could not be run.
    #[error(transparent)]
    Failed(CertifyError),
}

/// A certificate that holds, and who accepted its proof now.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The certificate.
    pub certificate: Certificate,
    /// The checkers of this audit.
    pub checkers: Vec<Checker>,
}

/// Audits the certificate of this path with the files beside it; asks another checker, too.
pub fn audit(path: &Path, checker: Option<&str>) -> Result<Audited, AuditError> {
    let certificate = read(path)?;
    let beside = |file: &Digested| path.with_file_name(&file.file);
    let (formula, proof) = (beside(&certificate.formula), beside(&certificate.proof));
    let open = |path: &PathBuf| {
        open_regular(path).map_err(|source| AuditError::Unreadable { path: path.clone(), source })
    };
    let unreadable = |path: &PathBuf| {
        let path = path.clone();
        move |source| AuditError::Unreadable { path, source }
    };
    is_the_file(&certificate.formula, open(&formula)?).map_err(unreadable(&formula))??;
    is_the_file(&certificate.proof, open(&proof)?).map_err(unreadable(&proof))??;
    claims(&certificate, open(&formula)?)?;
    let mut checkers = Vec::new();
    match certificate.format {
        Format::Lrat => {
            let began = Instant::now();
            proves(&certificate, open(&formula)?, open(&proof)?).map_err(unreadable(&proof))??;
            let check_ns = nanoseconds(began.elapsed());
            checkers.push(Checker { name: super::built_in(Format::Lrat), check_ns });
        }
        Format::Drat if checker.is_none() => return Err(AuditError::Drat(proof)),
        Format::Drat => {}
    }
    if let Some(command) = checker {
        let asked = ask(command, &formula, &proof);
        checkers.push(asked.map_err(|error| match error {
            CertifyError::RejectedBy { .. } => AuditError::Wrong(Fault::Checker(error)),
            error => AuditError::Failed(error),
        })?);
    }
    Ok(Audited { certificate, checkers })
}

/// The same with files in memory, LRAT only.
pub(in crate::verify) fn audit_in_memory(
    certificate: &Certificate,
    formula: &[u8],
    proof: &[u8],
) -> Result<(), AuditError> {
    let unreadable = |source| AuditError::Unreadable { path: PathBuf::new(), source };
    is_the_file(&certificate.formula, formula).map_err(unreadable)??;
    is_the_file(&certificate.proof, proof).map_err(unreadable)??;
    claims(certificate, formula)?;
    proves(certificate, formula, proof).map_err(unreadable)??;
    Ok(())
}

/// Whether clauses are N queens and so many solutions, denied.
pub(in crate::verify) fn audit_formula(
    n: usize,
    encoding_clauses: u64,
    solutions: u64,
    cnf: &Cnf,
) -> Result<(), Fault> {
    let mut clauses = Clauses::new(n, encoding_clauses);
    for clause in cnf.clauses() {
        let clause: Vec<i64> = clause.iter().map(|lit: &Lit| i64::from(lit.dimacs())).collect();
        clauses.take(&clause)?;
    }
    clauses.end(solutions).map(drop)
}

fn read(path: &Path) -> Result<Certificate, AuditError> {
    let no_certificate = |reason: String| AuditError::NoCertificate { path: path.to_owned(), reason };
    let unreadable = |source| AuditError::Unreadable { path: path.to_owned(), source };
    let mut text = Vec::new();
    let file = open_regular(path).map_err(unreadable)?;
    file.take(LONGEST_JSON + 1).read_to_end(&mut text).map_err(unreadable)?;
    if text.len() as u64 > LONGEST_JSON {
        return Err(no_certificate("it is longer than 1 MiB".into()));
    }
    let certificate: Certificate =
        serde_json::from_slice(&text).map_err(|error| no_certificate(error.to_string()))?;
    if certificate.schema_version != 1 {
        return Err(no_certificate(format!("schema_version {} is unknown", certificate.schema_version)));
    }
    if certificate.n > LARGEST_BOARD {
        return Err(no_certificate(format!("n = {} exceeds {LARGEST_BOARD}", certificate.n)));
    }
    for file in [&certificate.formula.file, &certificate.proof.file] {
        if Path::new(file).file_name().is_none_or(|name| name != file.as_str()) {
            return Err(no_certificate(format!("'{}' is no name of a file beside it", file.escape_debug())));
        }
    }
    Ok(certificate)
}

fn is_the_file(digested: &Digested, mut input: impl Read) -> io::Result<Result<(), Fault>> {
    let (mut hash, mut bytes) = (Sha256::new(), 0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                hash.update(&buffer[..read]);
                bytes += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let differs = |what, claimed: String, found: String| {
        Ok(Err(Fault::File { file: digested.file.clone(), what, claimed, found }))
    };
    if bytes != digested.bytes {
        return differs("bytes", digested.bytes.to_string(), bytes.to_string());
    }
    let sha256 = hexadecimal(&hash.finalize());
    if sha256 != digested.sha256 {
        return differs("SHA-256", digested.sha256.clone(), sha256);
    }
    Ok(Ok(()))
}

fn is_so<T: PartialEq + ToString>(key: &'static str, claimed: T, found: T) -> Result<(), Fault> {
    if claimed == found {
        return Ok(());
    }
    Err(Fault::Claim { key, claimed: claimed.to_string(), found: found.to_string() })
}

fn claims(certificate: &Certificate, formula: impl Read) -> Result<(), Fault> {
    let n = certificate.n;
    is_so("variables", certificate.variables, (n * n) as u64)?;
    let mut clauses = Clauses::new(n, certificate.encoding_clauses);
    let mut fault = None;
    lrat::clauses_of(formula, |clause| {
        if fault.is_none() {
            fault = clauses.take(clause).err();
        }
    })
    .map_err(Fault::Formula)?;
    if let Some(fault) = fault {
        return Err(fault);
    }
    let total = clauses.taken();
    let digest = clauses.end(certificate.solutions)?;
    is_so("clauses", certificate.clauses, total)?;
    is_so("solutions_sha256", certificate.solutions_sha256.clone(), digest)
}

fn proves(certificate: &Certificate, formula: impl Read, proof: impl Read) -> io::Result<Result<(), Fault>> {
    match lrat::check(formula, proof) {
        // The formula of the empty board holds the empty clause: its proof is not read.
        Ok(Verdict::Verified(_)) if certificate.n == 0 => Ok(Ok(())),
        Ok(Verdict::Verified(checked)) => Ok(is_so("lemmas", certificate.lemmas, checked.lemmas)),
        Ok(Verdict::Rejected(rejection)) => Ok(Err(Fault::Proof(rejection))),
        Err(ReadError::Formula(reason)) => Ok(Err(Fault::Formula(reason))),
        Err(ReadError::Proof(error)) => Err(error),
    }
}

/// Whether the built-in checker accepts a proof in memory.
pub(in crate::verify) fn check_in_memory(formula: &super::Formula, proof: &[u8]) -> Result<(), CertifyError> {
    let mut cnf = Vec::new();
    crate::sat::dimacs::write(&mut cnf, [""; 0], &formula.cnf)?;
    check(cnf.as_slice(), proof, Format::Lrat).map(drop)
}
