//! What an audit finds wrong, and why there is no judgement.

use std::fmt::{self, Display, Write};
use std::io;

use lrat_check::Rejection;

/// A false statement in a certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateFault {
    /// A file differs from the one that the certificate describes.
    #[error(
        "{}: the certificate claims {what} {}, but the file has {found}",
        OneLine(file),
        OneLine(claimed)
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
    /// A value of the certificate is wrong.
    #[error("the certificate claims {key} {}, but the correct value is {found}", OneLine(claimed))]
    Claim {
        /// The key in `certificate.json`.
        key: &'static str,
        /// The value in the certificate.
        claimed: String,
        /// The correct value.
        found: String,
    },
    /// A part is wrong.
    #[error("the part '{}': {fault}", OneLine(problem))]
    Part {
        /// The problem of the part.
        problem: String,
        /// What is wrong.
        fault: Box<CertificateFault>,
    },
    /// The formula is not valid DIMACS CNF.
    #[error("{0}")]
    Formula(String),
    /// A clause does not belong to the formula.
    #[error("clause {number} of the formula: {reason}")]
    Clause {
        /// Its number, from 1.
        number: u64,
        /// Why not.
        reason: String,
    },
    /// A clause of the problem is missing.
    #[error("the formula lacks the clause {0}")]
    Missing(String),
    /// The cubes of the parts do not cover the board.
    #[error("the cubes: {0}")]
    Cubes(String),
    /// A symmetry of the problem maps a solution to a board that is none.
    #[error("the image of a solution under a symmetry of the problem is not a solution: {0}")]
    Image(String),
    /// The proof does not show that the formula has no model.
    #[error("the checker rejects the proof: {0}")]
    Proof(Rejection),
    /// Another checker rejects the proof.
    #[error("{}", OneLine(.0))]
    OtherChecker(String),
}

/// Why there is no judgement.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The certificate is wrong.
    #[error("{0}")]
    Wrong(#[from] CertificateFault),
    /// It is no certificate that can be audited.
    #[error("not a certificate of queenlab certify: {}", OneLine(.0))]
    NoCertificate(String),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", OneLine(file))]
    Unreadable {
        /// Its name.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// The files of the parts were not kept.
    #[error(
        "the cubes of the {0} parts cover the board, but their files were not kept, so that the number of solutions and \
         the digests cannot be checked: make the certificate again with --keep, or compare the digests with those of \
         your own run of certify"
    )]
    NotKept(usize),
    /// Another checker could not be run.
    #[error(transparent)]
    Failed(#[from] io::Error),
}

/// A text of strangers on one line, in which no character moves the cursor or reverses the direction.
struct OneLine<T>(T);

impl<T: Display> Display for OneLine<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.to_string().chars().try_for_each(|c| match c {
            '\'' | '"' | '\\' => f.write_char(c),
            c => write!(f, "{}", c.escape_debug()),
        })
    }
}
