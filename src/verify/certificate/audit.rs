//! The audit of a certificate (`p.json`, `p.cnf` and `p.lrat`) that anyone may have made.
//!
//! The audit checks that the files are regular and have the digests in the certificate; that the formula is the
//! problem, clause by clause (every line that must hold a queen, every two squares that attack each other, every square
//! that must or must not hold a queen, and nothing else), followed by one clause per solution, each legal on the board, in ascending order and therefore distinct, and
//! as many as claimed (`clauses.rs`), or, with broken symmetry, one clause per solution whose images are as many; and that the checker accepts the proof. Each file is opened and read once,
//! so that the digest is that of the bytes that are judged. Another checker gets copies of what the audit has
//! read (`copies.rs`).
//! No input makes the audit panic. Memory: that of the built-in checker, and at most 1 MiB of JSON.

mod clauses;
mod copies;
mod source;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::description::is_plain;
use super::files::Digested;
use super::{Certificate, CertifyError, CheckedBy, Format, LARGEST_BOARD, LARGEST_OTHER, ask, check};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::command::{self, CommandLine};
use crate::escape::Escaped;
use crate::files::open_regular;
use crate::record::nanoseconds;
use crate::sat::cnf::{Cnf, Lit};
use crate::verify::lrat::{self, Rejection, Steps, Verdict};
use clauses::Clauses;
use copies::Copies;
use source::Source;

/// The most bytes of a certificate.
const LONGEST_JSON: u64 = 1 << 20;

/// The most bytes of a file: more than any board needs. A sparse file could claim any size.
const LARGEST_FILE: u64 = 1 << 40;

/// A false statement in a certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateFault {
    /// A file differs from the one that the certificate describes.
    #[error(
        "{}: the certificate claims {what} {}, but the file has {found}",
        Escaped(file),
        Escaped(claimed)
    )]
    File {
        /// Its name.
        file: String,
        /// What differs: bytes or SHA-256.
        what: &'static str,
        /// The value in the certificate.
        claimed: String,
        /// The value of the file.
        found: String,
    },
    /// A number of the certificate is wrong.
    #[error("the certificate claims {key} {}, but the correct value is {found}", Escaped(claimed))]
    Claim {
        /// The key in `p.json`.
        key: &'static str,
        /// The value in the certificate.
        claimed: String,
        /// The correct value.
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
    /// A symmetry of the problem maps a solution to a board that is none.
    #[error("the image of a solution under a symmetry of the problem is not a solution: {0}")]
    Image(String),
    /// A clause of the board is missing.
    #[error("the formula lacks the clause that {0}")]
    Missing(String),
    /// The formula is not valid DIMACS CNF.
    #[error("{0}")]
    Formula(String),
    /// The proof does not show that the formula has no model.
    #[error("the checker rejects the proof: {0}")]
    Proof(Rejection),
    /// Another checker rejects the proof.
    #[error(transparent)]
    CheckedBy(CertifyError),
}

/// Why there is no judgement.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The certificate is wrong.
    #[error("{0}")]
    Wrong(#[from] CertificateFault),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", Escaped(path.display()))]
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The JSON is not a certificate.
    #[error("{}: not a certificate of queenlab certify: {}", Escaped(path.display()), Escaped(reason))]
    NoCertificate {
        /// Its path.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The proof is in DRAT, and no other checker was named.
    #[error(
        "{}: the files and the formula match the certificate, but the proof is in DRAT, which the built-in checker \
         cannot check: name another checker, such as --checker 'drat-trim {{cnf}} {{proof}}'",
        Escaped(.0.display())
    )]
    Drat(PathBuf),
    /// The proof is for VeriPB.
    #[error(
        "the proof is for VeriPB, which the audit does not read: run veripb {} {}",
        Escaped(command::quoted(formula)),
        Escaped(command::quoted(proof))
    )]
    Veripb {
        /// The name of the formula.
        formula: String,
        /// The name of the proof.
        proof: String,
    },
    /// A checker could not be run.
    #[error(transparent)]
    Failed(CertifyError),
}

/// A valid certificate, and the checkers that accepted its proof in this audit.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The certificate.
    pub certificate: Certificate,
    /// The checkers of this audit.
    pub checkers: Vec<CheckedBy>,
    /// The keys of the certificate that cannot be checked: claims of its author.
    pub unchecked: Vec<&'static str>,
}

/// Audits the certificate at this path and the files beside it. Also runs `checker`, if given.
pub fn audit(path: &Path, checker: Option<&str>) -> Result<Audited, AuditError> {
    if let Some(command) = checker {
        CommandLine::parse(command).map_err(|error| AuditError::Failed(CertifyError::Command(error)))?;
    }
    let certificate = read(path)?;
    let formula = Source::open(path, &certificate.formula)?;
    let proof = Source::open(path, &certificate.proof)?;
    let failed = |error: io::Error| AuditError::Failed(CertifyError::Io(error));
    let mut copies = checker.map(|_| Copies::new(&certificate)).transpose().map_err(failed)?;
    let mut checkers = judge(&certificate, formula, proof, copies.as_mut())?;
    match (checker, copies) {
        (Some(command), Some(copies)) => {
            let copied = copies.finish().map_err(failed)?;
            let asked = ask(command, &copied.formula, &copied.proof);
            checkers.push(asked.map_err(|error| match error {
                CertifyError::RejectedBy { .. } => AuditError::Wrong(CertificateFault::CheckedBy(error)),
                error => AuditError::Failed(error),
            })?);
        }
        _ if checkers.is_empty() => {
            return Err(AuditError::Drat(path.with_file_name(&certificate.proof.file)));
        }
        _ => {}
    }
    let unchecked = unchecked(&certificate);
    Ok(Audited { certificate, checkers, unchecked })
}

/// Like [`audit`], with the files in memory; LRAT only.
pub fn audit_in_memory(certificate: &Certificate, formula: &[u8], proof: &[u8]) -> Result<(), AuditError> {
    let formula = Source::new(PathBuf::from("formula"), &certificate.formula, formula);
    let proof = Source::new(PathBuf::from("proof"), &certificate.proof, proof);
    match judge(certificate, formula, proof, None)?.is_empty() {
        true => Err(AuditError::Drat(PathBuf::from(&certificate.proof.file))),
        false => Ok(()),
    }
}

/// Checks every statement of a certificate about its files. Returns the built-in checker, if it could check the
/// proof.
fn judge(
    certificate: &Certificate,
    mut formula: Source<'_, impl Read>,
    mut proof: Source<'_, impl Read>,
    mut copies: Option<&mut Copies>,
) -> Result<Vec<CheckedBy>, AuditError> {
    let problem = acceptable(certificate)
        .map_err(|reason| AuditError::NoCertificate { path: PathBuf::new(), reason })?;
    if certificate.format == Format::Veripb {
        let [formula, proof] = [&certificate.formula, &certificate.proof].map(|file| file.file.clone());
        return Err(AuditError::Veripb { formula, proof });
    }
    let n = certificate.n;
    is_so("variables", certificate.variables, (n * n) as u64)?;
    let mut clauses = Clauses::new(&problem, certificate.encoding_clauses, certificate.symmetry.as_ref());
    let mut fault = None;
    let read = lrat::Checker::of(&mut formula, |clause| {
        if fault.is_none() {
            fault = clauses.take(clause).err();
        }
        if let Some(copies) = &mut copies {
            copies.clause(clause);
        }
    });
    formula.end()?;
    let checker = read.map_err(|error| CertificateFault::Formula(error.to_string()))?;
    if let Some(fault) = fault {
        return Err(fault.into());
    }
    let total = clauses.taken();
    let digest = clauses.end(certificate.solutions)?;
    is_so("clauses", certificate.clauses, total)?;
    is_so("solutions_sha256", certificate.solutions_sha256.clone(), digest)?;

    let began = Instant::now();
    let copy = |kind, steps: &Steps<_>| {
        if let Some(copies) = &mut copies {
            copies.step(kind, steps);
        }
    };
    let (lemmas, binary, checkers) = match certificate.format {
        Format::Lrat => {
            let checked = checker.check(&mut proof, copy);
            proof.end()?;
            let check_ns = nanoseconds(began.elapsed());
            match checked.map_err(|source| proof.unreadable(source))? {
                (Verdict::Rejected(rejection), _) => return Err(CertificateFault::Proof(rejection).into()),
                (Verdict::Verified(checked), binary) => (
                    checked.lemmas,
                    binary,
                    vec![CheckedBy { name: super::built_in(Format::Lrat), check_ns }],
                ),
            }
        }
        Format::Drat | Format::Veripb => {
            let read = lrat::read_drat(&mut proof, certificate.binary, copy);
            proof.end()?;
            let lemmas = read.map_err(|source| proof.unreadable(source))?.map_err(CertificateFault::Proof)?;
            (lemmas, certificate.binary, Vec::new())
        }
    };
    // The formula of the empty board contains the empty clause, so its proof in LRAT is not read.
    if n > 0 || certificate.format == Format::Drat {
        is_so("lemmas", certificate.lemmas, lemmas)?;
        is_so("binary", certificate.binary, binary)?;
    }
    Ok(checkers)
}

/// The keys that cannot be checked.
fn unchecked(certificate: &Certificate) -> Vec<&'static str> {
    let mut keys = vec![
        "method",
        "cube_rows",
        "cubes",
        "checkers",
        "enumerate_ns",
        "formula_ns",
        "prove_ns",
        "queenlab_version",
    ];
    if certificate.n == 0 && certificate.format == Format::Lrat {
        keys.extend(["lemmas", "binary"]);
    }
    keys
}

/// Checks that clauses are a problem with this number of solutions denied.
pub(in crate::verify) fn audit_formula(
    problem: &Problem,
    encoding_clauses: u64,
    solutions: u64,
    cnf: &Cnf,
) -> Result<(), CertificateFault> {
    let mut clauses = Clauses::new(problem, encoding_clauses, None);
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
    Certificate::parse(&text).map_err(no_certificate)
}

impl Certificate {
    /// Reads the text of a `p.json`. The error is the reason why it cannot be audited.
    pub fn parse(json: &[u8]) -> Result<Self, String> {
        if json.len() as u64 > LONGEST_JSON {
            return Err("it is longer than 1 MiB".into());
        }
        let certificate = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        acceptable(&certificate).map(|_| certificate)
    }
}

/// The problem of a certificate, if its audit can begin; the error is the reason why not.
fn acceptable(certificate: &Certificate) -> Result<Problem, String> {
    if certificate.schema_version != 1 {
        return Err(format!("schema_version {} is not supported", certificate.schema_version));
    }
    let Certificate { n, variant, .. } = certificate;
    let largest = if is_plain(variant) { LARGEST_BOARD } else { LARGEST_OTHER };
    let size = BoardSize::new(*n).ok().filter(|size| size.get() <= largest);
    let size = size.ok_or_else(|| format!("n = {n} exceeds {largest}"))?;
    let problem = Problem::from_text(size, variant);
    let problem = problem.map_err(|error| format!("variant '{variant}': {error}"))?;
    if problem.to_string() != *variant {
        return Err(format!("variant '{variant}' should be written '{problem}'"));
    }
    if certificate.symmetry.as_ref().is_some_and(|broken| broken.rows.len() > *n) {
        return Err(format!("symmetry.rows has more rows than the board, which has {n}"));
    }
    for Digested { file, bytes, .. } in [&certificate.formula, &certificate.proof] {
        if Path::new(file).file_name().is_none_or(|name| name != file.as_str()) {
            return Err(format!("'{file}' is not the name of a file in the same directory"));
        }
        if *bytes > LARGEST_FILE {
            return Err(format!("'{file}' is said to have {bytes} bytes; the limit is {LARGEST_FILE}"));
        }
    }
    Ok(problem)
}

fn is_so<T: PartialEq + ToString>(key: &'static str, claimed: T, found: T) -> Result<(), CertificateFault> {
    if claimed == found {
        return Ok(());
    }
    Err(CertificateFault::Claim { key, claimed: claimed.to_string(), found: found.to_string() })
}

/// Whether the built-in checker accepts a proof in memory.
pub(in crate::verify) fn check_in_memory(cnf: &Cnf, proof: &[u8]) -> Result<(), CertifyError> {
    let mut formula = Vec::new();
    crate::sat::dimacs::write(&mut formula, [""; 0], cnf)?;
    check(formula.as_slice(), proof, Format::Lrat).map(drop)
}
