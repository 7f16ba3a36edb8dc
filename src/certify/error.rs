//! Why there is no certificate.

use std::io;
use std::path::PathBuf;

use crate::audit::{AuditError, LARGEST_BOARD, LARGEST_OTHER, LONGEST};
use crate::board::Placement;
use crate::escape::Escaped;
use crate::sat::symmetry::SymmetryGroup;

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertifyError {
    /// The board is too large.
    #[error(
        "n = {0} exceeds {LARGEST_BOARD}, the largest board for certificates: its proof would take more \
         than 100 GB"
    )]
    TooLarge(usize),
    /// The board of a problem other than plain queens is too large.
    #[error(
        "n = {0} exceeds {LARGEST_OTHER}, the largest board for certificates of problems other than plain queens"
    )]
    TooLargeOther(usize),
    /// The problem does not have the symmetries to break.
    #[error(
        "--symmetry {0}: rotations or reflections do not map this problem onto itself: choose another symmetry, or none"
    )]
    NotSymmetric(SymmetryGroup),
    /// The problem has too many solutions.
    #[error("the problem has more than {0} solutions, the most that a certificate lists")]
    TooMany(usize),
    /// An audit would not read the description.
    #[error(
        "the certificate could take {bytes} bytes, but an audit reads at most {LONGEST}: choose a smaller problem, or a \
         shorter --checker"
    )]
    TooLong {
        /// The most that it could take.
        bytes: u64,
    },
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
        matches!(
            self,
            E::TooLarge(_)
                | E::TooLargeOther(_)
                | E::TooMany(_)
                | E::TooLong { .. }
                | E::NotSymmetric(_)
                | E::Exists(_)
                | E::Command(_)
        )
    }

    /// Whether the error is a wrong answer, rather than a problem with a file or the request.
    pub fn is_wrong_answer(&self) -> bool {
        matches!(self, CertifyError::Missing(_) | CertifyError::Audit(AuditError::Wrong(_)))
    }
}
