//! What an audit finds wrong, and why there is no judgement.

use std::io;
use std::path::PathBuf;

use crate::command;
use crate::escape::Escaped;
use crate::verify::certificate::CertifyError;
use crate::verify::lrat::Rejection;

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
    /// A part is wrong.
    #[error("the part '{}': {fault}", Escaped(problem))]
    Part {
        /// The problem of the part.
        problem: String,
        /// What is wrong.
        fault: Box<CertificateFault>,
    },
    /// The cubes of the parts do not cover the board.
    #[error("the cubes: {0}")]
    Cubes(String),
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
    /// The parts were not kept.
    #[error(
        "{}: the cubes of the {parts} parts cover the board, but their files were not kept, so that the number of \
         solutions and the digests cannot be checked: make the certificate again with --keep, or compare the digests \
         with those of your own run of certify",
        Escaped(path.display())
    )]
    NotKept {
        /// The path of the certificate.
        path: PathBuf,
        /// The number of parts.
        parts: usize,
    },
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

impl AuditError {
    /// The content is not that of a certificate.
    pub(super) fn not_read(reason: String) -> Self {
        AuditError::NoCertificate { path: PathBuf::new(), reason }
    }
}

impl From<io::Error> for AuditError {
    fn from(error: io::Error) -> Self {
        AuditError::Failed(CertifyError::Io(error))
    }
}
