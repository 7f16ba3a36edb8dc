//! What an audit finds wrong, and why there is no judgement.

use std::fmt::{self, Display, Write};
use std::io;

/// A false statement in a certificate, in words.
#[derive(Debug, thiserror::Error)]
#[error("{}", OneLine(.0))]
pub struct CertificateFault(pub String);

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
