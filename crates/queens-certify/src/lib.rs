#![doc = include_str!("../README.md")]
// These lints do not apply to tests, which may convert numbers without a check.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![allow(clippy::disallowed_methods, reason = "a certificate says how long its proof and its check took")]

mod backtrack;
mod checker;
mod cubes;
mod directory;
mod formula;
mod parts;
mod proof;
mod refute;
mod solutions;
mod tree;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use checker::CheckerCommand;
pub use checker::CheckerError;
use directory::{NewDirectory, SiblingFiles};
use parts::{PartMaker, Plan};
pub use proof::Proof;
use queens_audit::{
    self as audit, AuditError, Audited, Certificate, ExternalChecker, MAX_DESCRIPTION_BYTES, PartsAudit,
    in_parallel,
};
use queens_board::Placement;
use queens_board::problem::Problem;
use queens_sat::symmetry::SymmetryGroup;
pub use refute::refute;
use solutions::Solutions;
use supervise::files::read_regular;
use supervise::nanoseconds;

/// The distance between parts that an external checker checks: it checks parts 1, 21, 41, ...
const SAMPLE_INTERVAL: usize = 20;

/// The file name of the description.
pub const DESCRIPTION: &str = "certificate.json";

queens_board::words! {
    /// The method by which proofs are found.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Method {
        /// varisat refutes the residual formula of each placement on some rows, and the refutations are combined.
        Cubes = "cubes",
        /// Each node of a backtracking search becomes a lemma. The search is `backtrack/bitmask` for plain queens without symmetry
        /// breaking, and otherwise a generic row-by-row search.
        Backtrack = "backtrack",
    }
}

/// The parameters of a certificate.
#[derive(Clone, Debug)]
pub struct Request {
    /// The problem.
    pub problem: Problem,
    /// The symmetries that clauses of the formulas break.
    pub symmetry: SymmetryGroup,
    /// The method by which proofs are found.
    pub method: Method,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The directory for the certificate, which must not exist. If `None`, no files are written.
    pub directory: Option<PathBuf>,
    /// Whether the formulas and proofs are also written to the directory.
    pub keep: bool,
    /// The command of an external checker, in which `{cnf}` and `{proof}` are replaced by files. It is run on every 20th part,
    /// beginning with the first part.
    pub checker: Option<String>,
}

/// The reason why no certificate was made.
#[derive(Debug, thiserror::Error)]
pub enum CertifyError {
    /// The request is not possible.
    #[error("{0}")]
    Request(String),
    /// The command of the external checker is not valid.
    #[error("--checker: {0}")]
    Checker(CheckerError),
    /// A solution is missing from the enumeration.
    #[error("a solution is missing: {0}")]
    Missing(Placement),
    /// The SAT solver failed.
    #[error("varisat failed: {0}")]
    Solver(String),
    /// The audit of a new part finds a fault.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// A file could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The symmetries that are broken by default: all symmetries on plain boards from n = 13 on, where this saves much time, and otherwise
/// none.
pub fn default_symmetry(problem: &Problem) -> SymmetryGroup {
    let is_large = problem.is_plain() && problem.n().get() >= 13;
    if is_large { SymmetryGroup::Full } else { SymmetryGroup::None }
}

/// Makes a certificate: enumerates the solutions, makes and audits each part, and writes the description. Passes progress messages to
/// `note`.
///
/// # Errors
///
/// The request is not possible, a file cannot be written, or a part is wrong.
pub fn certify(request: &Request, note: &(dyn Fn(&str) + Sync)) -> Result<Certificate, CertifyError> {
    let checker = checker(request.checker.as_deref())?;
    let plan = Plan::new(request.problem.clone(), request.symmetry, request.method)?;
    let directory = request.directory.as_deref().map(NewDirectory::create).transpose()?;
    note("enumerating");
    let start = Instant::now();
    let (head, total) = (plan.head.clone(), plan.cubes.len());
    let solutions = Solutions::enumerate(&plan.problem, plan.breaking)?;
    let maker = PartMaker::new(plan, solutions);
    let enumerate_ns = nanoseconds(start.elapsed());

    note("proving that there are no other solutions");
    let start = Instant::now();
    let finished_parts = AtomicUsize::new(0);
    let audit = PartsAudit::new(&head, checker.as_deref())?;
    let parts = in_parallel(request.threads, total, |index| {
        let (part, files) = maker.part(index)?;
        audit.judge(&part, &files, index % SAMPLE_INTERVAL == 0)?;
        if let Some(directory) = directory.as_ref().filter(|_| request.keep) {
            files.iter().try_for_each(|(name, content)| directory.write(name, content))?;
        }
        let finished = finished_parts.fetch_add(1, Ordering::Relaxed) + 1;
        if total > 10 && finished * 10 / total > (finished - 1) * 10 / total {
            note(&format!("{finished} of {total} parts are proved and checked"));
        }
        Ok::<_, CertifyError>(part)
    })?;
    let prove_ns = nanoseconds(start.elapsed());

    note("counting the solutions with their images");
    audit.check_cover(&parts).map_err(AuditError::from)?;
    let (solutions, solutions_sha256, checkers) = audit.count_solutions().map_err(AuditError::from)?;
    let (kept, threads) = (request.keep, request.threads.get());
    let counted_certificate =
        Certificate { solutions, solutions_sha256, checkers, enumerate_ns, prove_ns, ..head };
    let certificate = Certificate { kept, threads, parts, ..counted_certificate };
    if let Some(directory) = directory {
        directory.write(DESCRIPTION, certificate.to_json().as_bytes())?;
        directory.keep();
    }
    Ok(certificate)
}

/// Parses the command of an external checker.
fn checker(command: Option<&str>) -> Result<Option<Box<dyn ExternalChecker>>, CertifyError> {
    let checker = command.map(|command| CheckerCommand::parse(command).map(|checker| Box::new(checker) as _));
    checker.transpose().map_err(CertifyError::Checker)
}

/// Audits the certificate with the description at `path` and the files in its directory. Also runs `checker`, if given, on each part.
///
/// # Errors
///
/// The certificate is wrong, or cannot be judged.
pub fn audit(path: &Path, checker: Option<&str>, threads: NonZeroUsize) -> Result<Audited, CertifyError> {
    let checker = self::checker(checker)?;
    let unreadable = |source| AuditError::Unreadable { file: plaintext::path(path).to_string(), source };
    // One byte more than the limit is read, so that `parse` can refuse a description that is too long.
    let json = read_regular(path, MAX_DESCRIPTION_BYTES).map_err(unreadable)?;
    let certificate = Certificate::parse(&json).map_err(AuditError::NoCertificate)?;
    Ok(audit::audit(&certificate, &SiblingFiles(path), checker.as_deref(), threads)?)
}

#[cfg(test)]
mod tests;
