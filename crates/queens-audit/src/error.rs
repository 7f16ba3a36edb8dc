//! What an audit finds wrong, and why there is no judgement.

use std::io;

use plaintext::Escaped;

/// A false statement in a certificate, in words.
#[derive(Debug, thiserror::Error)]
#[error("{}", Escaped(.0))]
pub struct CertificateFault(pub String);

/// Why there is no judgement.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The certificate is wrong.
    #[error("{0}")]
    Wrong(#[from] CertificateFault),
    /// It is no certificate that can be audited.
    #[error("not a certificate of queenlab certify: {}", Escaped(.0))]
    NoCertificate(String),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", Escaped(file))]
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
