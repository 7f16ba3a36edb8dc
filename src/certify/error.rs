//! Why there is no certificate.

use std::io;
use std::path::PathBuf;

use crate::audit::AuditError;
use crate::board::Placement;
use crate::escape::Escaped;
use crate::sat::symmetry::SymmetryGroup;

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertifyError {
    /// An audit would not accept the certificate.
    #[error("an audit would not accept this certificate: {0}")]
    Unacceptable(String),
    /// The problem does not have the symmetries to break.
    #[error(
        "--symmetry {0}: rotations or reflections do not map this problem onto itself: choose another symmetry, or none"
    )]
    NotSymmetric(SymmetryGroup),
    /// The problem has too many solutions.
    #[error("the problem has more than {0} solutions, the most that a certificate lists")]
    TooMany(usize),
    /// The directory exists.
    #[error("{}: this exists already; choose a directory that does not exist", Escaped(.0.display()))]
    Exists(PathBuf),
    /// A solution is not in the list.
    #[error("a solution is missing: {0}")]
    Missing(Placement),
    /// The SAT solver failed.
    #[error("varisat failed: {0}")]
    Solver(String),
    /// The audit, which follows at once, finds a fault.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// The command of a checker is not valid.
    #[error("--checker: {0}")]
    Command(String),
    /// A file could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl CertifyError {
    /// Whether the error is a mistake in the request.
    pub fn is_bad_input(&self) -> bool {
        use CertifyError as E;
        matches!(self, E::Unacceptable(_) | E::NotSymmetric(_) | E::TooMany(_) | E::Exists(_) | E::Command(_))
    }

    /// Whether the error is a wrong answer, rather than a problem with a file or the request.
    pub fn is_wrong_answer(&self) -> bool {
        matches!(self, CertifyError::Missing(_) | CertifyError::Audit(AuditError::Wrong(_)))
    }
}
