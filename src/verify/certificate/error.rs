//! Why there is no certificate.

use std::io;
use std::path::PathBuf;

use super::{AuditError, LARGEST_BOARD, LARGEST_OTHER};
use crate::board::Placement;
use crate::escape::Escaped;
use crate::sat::symmetry::SymmetryGroup;
use crate::verify::lrat::{ReadError, Rejection};

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
    /// VeriPB cannot be given the request.
    #[error("--format veripb: {0}")]
    Veripb(&'static str),
    /// The problem does not have the symmetries to break.
    #[error(
        "--symmetry {0}: rotations or reflections do not map this problem onto itself: choose another symmetry, or none"
    )]
    NotSymmetric(SymmetryGroup),
    /// The problem has too many solutions.
    #[error("the problem has more than {0} solutions, the most that a certificate lists")]
    TooMany(usize),
    /// The name of the proof is that of the formula or of the certificate.
    #[error("{}: .cnf, .opb and .json are used for the formula and the certificate; choose a name for the proof that \
             ends with .lrat, .drat or .pbp", Escaped(.0.display()))]
    Name(PathBuf),
    /// The certificate could not name the file.
    #[error("{}: the file name is not valid UTF-8, so the certificate cannot contain it; choose another name", Escaped(.0.display()))]
    NotUtf8(PathBuf),
    /// The name belongs to something that is not a regular file, which is never replaced.
    #[error("{}: not a regular file; choose a name that is not in use", Escaped(.0.display()))]
    NotRegular(PathBuf),
    /// The directory for the parts exists.
    #[error("{}: this exists already; choose a directory that does not exist", Escaped(.0.display()))]
    Exists(PathBuf),
    /// The audit of a certificate in parts, which follows at once, finds a fault.
    #[error("{0}")]
    Audit(Box<AuditError>),
    /// A placement to be counted is not a solution.
    #[error("not a solution: {0}")]
    Illegal(Placement),
    /// A solution is repeated or out of order.
    #[error("solution repeated or out of order: {0}")]
    Duplicate(Placement),
    /// A solution is not in the list.
    #[error("a solution is missing: {0}")]
    Missing(Placement),
    /// The built-in checker rejects the proof.
    #[error("the checker rejects the proof: {0}")]
    Rejected(Rejection),
    /// Another checker rejects the proof.
    #[error("'{}' did not verify the proof; its last message: {}", Escaped(command), Escaped(message))]
    RejectedBy {
        /// The command.
        command: String,
        /// The last line of its output.
        message: String,
    },
    /// The SAT solver failed.
    #[error("varisat failed: {0}")]
    Solver(String),
    /// The files could not be read back.
    #[error("cannot read back the written files: {0}")]
    ReadBack(#[from] ReadError),
    /// The command of a checker is not valid.
    #[error("--checker: {0}")]
    Command(String),
    /// A file could not be written, or a checker could not be started.
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
                | E::NotSymmetric(_)
                | E::Veripb(_)
                | E::Name(_)
                | E::NotUtf8(_)
                | E::NotRegular(_)
                | E::Exists(_)
                | E::Command(_)
        )
    }

    /// Whether the error is a wrong answer, rather than a problem with a file or the request.
    pub fn is_wrong_answer(&self) -> bool {
        use CertifyError as E;
        match self {
            E::Illegal(_) | E::Duplicate(_) | E::Missing(_) | E::Rejected(_) | E::RejectedBy { .. } => true,
            E::Audit(error) => matches!(**error, AuditError::Wrong(_)),
            _ => false,
        }
    }
}
