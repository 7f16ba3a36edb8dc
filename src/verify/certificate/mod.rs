//! Certificates: the exact number of solutions of a board, with a proof that other programs can check.
//!
//! A certificate is a formula, a proof and a description. The formula means "N queens, and none of these
//! solutions"; each solution is checked on the board, and all are distinct. The proof shows that the
//! formula has no model, so there are no other solutions. [`ProofMethod`] lists the ways to find the proof.
//! [`super::lrat`] reads it back and checks it before the certificate is written.
//! Memory: the solutions, with n literals each in the formula and again in the checker.

mod audit;
mod backtrack;
mod cubes;
mod files;
mod formula;
mod solutions;
mod writer;

use std::io::{self, Read};
use std::path::{self, Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::lrat::{self, ReadError, Rejection, Verdict};
use crate::backtrack::{Bitmask, Search};
use crate::board::problem::{Problem, Variant};
use crate::board::{Placement, lines};
use crate::command::CommandLine;
use crate::escape::Escaped;
use crate::os::process::{Process, Stopped, Supervision};
use crate::record::{self, nanoseconds};
use crate::sat::encoding;
pub use files::Digested;
use files::Digesting;
pub use formula::Formula;
pub use solutions::Solutions;
pub use writer::Proof;

pub use audit::{AuditError, Audited, CertificateFault, audit, audit_in_memory};
pub(super) use audit::{audit_formula, check_in_memory};
pub(super) use backtrack::write as write_search;
pub(super) use cubes::refute_into;

/// The largest board of plain queens: n = 17 has 95,815,104 solutions, and the checker would hold a clause for each.
pub const LARGEST_BOARD: usize = 16;

/// The largest board of other problems, which may have few solutions: the audit needs n^4 bytes of memory.
pub const LARGEST_OTHER: usize = 32;

/// The most bytes that another checker may print.
const CHECKER_OUTPUT_BYTES: u64 = 64 << 20;

/// How a proof is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofMethod {
    /// varisat refutes the board under each assignment of some rows, and the proofs are combined.
    Cubes,
    /// varisat refutes the whole formula at once.
    Monolithic,
    /// The searcher `backtrack/bitmask` writes one lemma per node; no SAT solver is used.
    Backtrack,
}

/// The format of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Lemmas, each with the clauses from which it follows.
    Lrat,
    /// The same lemmas, without hints.
    Drat,
}

/// The certificate to make.
#[derive(Clone, Debug)]
pub struct Request {
    /// The problem.
    pub problem: Problem,
    /// How the proof is found.
    pub method: ProofMethod,
    /// Its format.
    pub format: Format,
    /// Whether it is binary.
    pub binary: bool,
    /// The file for the proof; the formula and the certificate go beside it. `None` to delete all files after
    /// they are checked.
    pub proof: Option<PathBuf>,
    /// The command of another checker to run, in which `{cnf}` and `{proof}` stand for the files.
    pub checker: Option<String>,
}

/// The current step, for progress reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Solutions are enumerated.
    Enumerate,
    /// The formula is written.
    Formula,
    /// The proof is found and written.
    Prove,
    /// The proof is checked.
    Check,
}

/// The description of a certificate, `p.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct Certificate {
    pub schema_version: u32,
    pub n: usize,
    #[serde(default = "plain", skip_serializing_if = "is_plain")]
    pub variant: String,
    pub solutions: u64,
    pub solutions_sha256: String,
    pub method: ProofMethod,
    pub cube_rows: Vec<usize>,
    pub cubes: u64,
    pub formula: Digested,
    pub variables: u64,
    pub encoding_clauses: u64,
    pub clauses: u64,
    pub proof: Digested,
    pub format: Format,
    pub binary: bool,
    pub lemmas: u64,
    pub checkers: Vec<CheckedBy>,
    pub enumerate_ns: u64,
    pub formula_ns: u64,
    pub prove_ns: u64,
    pub queenlab_version: String,
}

/// The text of plain queens, which certificates leave out.
fn plain() -> String {
    Variant::Queens.name().to_owned()
}

fn is_plain(variant: &str) -> bool {
    variant == Variant::Queens.name()
}

impl Certificate {
    /// Describes a formula and its proof, without files, checkers and times.
    pub(super) fn new(
        method: ProofMethod,
        (format, binary): (Format, bool),
        formula: &Formula,
        solutions: &Solutions,
        [cubes, lemmas]: [u64; 2],
    ) -> Self {
        let n = formula.n();
        Self {
            schema_version: 1,
            n,
            variant: formula.problem().to_string(),
            solutions: solutions.len() as u64,
            solutions_sha256: solutions.sha256(),
            method,
            cube_rows: if method == ProofMethod::Cubes { cubes::rows(n) } else { Vec::new() },
            cubes,
            formula: Digested::default(),
            variables: u64::from(formula.cnf.variables()),
            encoding_clauses: formula.encoding_clauses,
            clauses: formula.cnf.len() as u64,
            proof: Digested::default(),
            format,
            binary,
            lemmas,
            checkers: Vec::new(),
            enumerate_ns: 0,
            formula_ns: 0,
            prove_ns: 0,
            queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// A checker that accepted the proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct CheckedBy {
    pub name: String,
    pub check_ns: u64,
}

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
    /// The problem has too many solutions.
    #[error("the problem has more than {0} solutions, the most that a certificate lists")]
    TooMany(usize),
    /// The name of the proof is that of the formula or of the certificate.
    #[error("{}: .cnf and .json are used for the formula and the certificate; choose a name for the proof that \
             ends with .lrat or .drat", Escaped(.0.display()))]
    Name(PathBuf),
    /// The certificate could not name the file.
    #[error("{}: the file name is not valid UTF-8, so the certificate cannot contain it; choose another name", Escaped(.0.display()))]
    NotUtf8(PathBuf),
    /// The name belongs to something that is not a regular file, which is never replaced.
    #[error("{}: not a regular file; choose a name that is not in use", Escaped(.0.display()))]
    NotRegular(PathBuf),
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
                | E::Name(_)
                | E::NotUtf8(_)
                | E::NotRegular(_)
                | E::Command(_)
        )
    }

    /// Whether the error is a wrong answer, rather than a problem with a file or the request.
    pub fn is_wrong_answer(&self) -> bool {
        use CertifyError as E;
        matches!(
            self,
            E::Illegal(_) | E::Duplicate(_) | E::Missing(_) | E::Rejected(_) | E::RejectedBy { .. }
        )
    }
}

/// Proves that these are all the solutions. Returns the number of cubes.
pub fn prove(
    method: ProofMethod,
    formula: &Formula,
    solutions: &Solutions,
    proof: &mut Proof<'_>,
) -> Result<u64, CertifyError> {
    match method {
        ProofMethod::Cubes => cubes::write(formula, solutions, &cubes::rows(formula.n()), proof),
        ProofMethod::Monolithic => cubes::write(formula, solutions, &[], proof),
        ProofMethod::Backtrack if formula.problem().is_plain() => {
            backtrack::write(formula, solutions, proof, Bitmask::search).map(|()| 0)
        }
        ProofMethod::Backtrack => {
            let search = |_, lemmas: &mut backtrack::Lemmas<'_, '_>| backtrack::search_rows(formula, lemmas);
            backtrack::write(formula, solutions, proof, search).map(|()| 0)
        }
    }
}

/// Whether the board is small enough.
fn fits(problem: &Problem) -> Result<(), CertifyError> {
    match (problem.n().get(), problem.is_plain()) {
        (n, true) if n > LARGEST_BOARD => Err(CertifyError::TooLarge(n)),
        (n, false) if n > LARGEST_OTHER => Err(CertifyError::TooLargeOther(n)),
        _ => Ok(()),
    }
}

/// Enumerates, writes formula and proof, checks the files on disk, and returns their description.
pub fn certify(request: &Request, mut phase: impl FnMut(Phase)) -> Result<Certificate, CertifyError> {
    fits(&request.problem)?;
    // Fail now, not after minutes of proving.
    if let Some(command) = &request.checker {
        CommandLine::parse(command).map_err(CertifyError::Command)?;
    }
    let scratch;
    let proof_path = match &request.proof {
        Some(path) => path.clone(),
        None => {
            scratch = tempfile::tempdir()?;
            scratch.path().join("proof")
        }
    };
    let [formula_path, certificate_path] = beside(&proof_path)?;
    // A certificate of an earlier run would describe files that no longer exist.
    match std::fs::remove_file(&certificate_path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }

    phase(Phase::Enumerate);
    let began = Instant::now();
    let solutions = Solutions::enumerate(&request.problem)?;
    let enumerate_ns = nanoseconds(began.elapsed());

    phase(Phase::Formula);
    let began = Instant::now();
    let formula = Formula::new(&solutions);
    let formula_file = write_formula(&formula, &solutions, &formula_path)?;
    let formula_ns = nanoseconds(began.elapsed());

    phase(Phase::Prove);
    let began = Instant::now();
    let mut proof_file = Digesting::create(&proof_path)?;
    // A DRAT proof is written together with an LRAT proof, which is checked in its place and then deleted.
    let mut hinted = match request.format {
        Format::Lrat => None,
        Format::Drat => Some(Digesting::create(&proof_path.with_extension("lrat"))?),
    };
    let (clauses, binary) = (formula.cnf.len() as u64, request.binary);
    let mut proof = match &mut hinted {
        None => Proof::new(clauses, &mut proof_file, binary),
        Some(hinted) => Proof::new(clauses, hinted, binary).with_drat(&mut proof_file, binary),
    };
    let cubes = prove(request.method, &formula, &solutions, &mut proof)?;
    let lemmas = proof.lemmas();
    proof.finish()?;
    let prove_ns = nanoseconds(began.elapsed());

    phase(Phase::Check);
    let form = (request.format, request.binary);
    let mut certificate = Certificate {
        formula: formula_file.digested(),
        proof: proof_file.digested(),
        enumerate_ns,
        formula_ns,
        prove_ns,
        ..Certificate::new(request.method, form, &formula, &solutions, [cubes, lemmas])
    };
    drop(formula);
    let checked = hinted.as_ref().unwrap_or(&proof_file);
    certificate.checkers.push(check(formula_file.read_back()?, checked.read_back()?, request.format)?);
    if let Some(command) = &request.checker {
        certificate.checkers.push(ask(command, formula_file.path(), proof_file.path())?);
    }
    let mut text = serde_json::to_string_pretty(&certificate).map_err(io::Error::other)?;
    text.push('\n');
    keep([formula_file, proof_file], &certificate_path, &text)?;
    Ok(certificate)
}

/// Renames the files to their final names, the certificate last. If that fails, no file of this run is left.
fn keep(files: [Digesting; 2], certificate: &Path, text: &str) -> Result<(), CertifyError> {
    let mut kept = Vec::new();
    let result = files.into_iter().try_for_each(|file| file.keep().map(|path| kept.push(path)));
    let result = result.map_err(CertifyError::from).and_then(|()| {
        record::write_atomically(certificate, text.as_bytes())
            .map_err(|error| CertifyError::Io(io::Error::other(error)))
    });
    if result.is_err() {
        for path in kept {
            // The error to report is the one that prevented the certificate.
            let _ = std::fs::remove_file(path);
        }
    }
    result
}

/// The paths of the formula and the certificate.
fn beside(proof: &Path) -> Result<[PathBuf; 2], CertifyError> {
    let paths = ["cnf", "json"].map(|extension| proof.with_extension(extension));
    let Some(name) = proof.file_name().filter(|_| paths.iter().all(|path| path != proof)) else {
        return Err(CertifyError::Name(proof.to_owned()));
    };
    if name.to_str().is_none() {
        return Err(CertifyError::NotUtf8(proof.to_owned()));
    }
    let taken = [proof, &paths[0], &paths[1]]
        .into_iter()
        .find(|path| path.metadata().is_ok_and(|found| !found.is_file()));
    match taken {
        Some(path) => Err(CertifyError::NotRegular(path.to_owned())),
        None => Ok(paths),
    }
}

fn write_formula(formula: &Formula, solutions: &Solutions, path: &Path) -> io::Result<Digesting> {
    let n = formula.n();
    let name = if formula.problem().is_plain() { String::new() } else { format!(", {}", formula.problem()) };
    let about = format!(
        "{n} queens{name}, direct encoding, at most one by pairwise; then {} solutions, denied",
        solutions.len()
    );
    let mut file = Digesting::create(path)?;
    encoding::write_dimacs(&mut file, &about, lines::rows(n).flatten(), &formula.cnf)?;
    Ok(file)
}

/// Runs the built-in checker on the written files.
fn check(formula: impl Read, proof: impl Read, format: Format) -> Result<CheckedBy, CertifyError> {
    let began = Instant::now();
    match lrat::check(formula, proof)? {
        Verdict::Rejected(rejection) => Err(CertifyError::Rejected(rejection)),
        Verdict::Verified(_) => {
            Ok(CheckedBy { name: built_in(format), check_ns: nanoseconds(began.elapsed()) })
        }
    }
}

/// The built-in checker's name.
fn built_in(format: Format) -> String {
    let of = if format == Format::Drat { ", on the same lemmas in LRAT" } else { "" };
    format!("queenlab proof-check {}{of}", env!("CARGO_PKG_VERSION"))
}

/// Runs another checker. It must print `s VERIFIED`, as most do, or `c VERIFIED`, as lrat-check does.
fn ask(command: &str, formula: &Path, proof: &Path) -> Result<CheckedBy, CertifyError> {
    let line = CommandLine::parse(command).map_err(CertifyError::Command)?;
    // A relative path that begins with `-` would be taken for an option.
    let (formula, proof) = (path::absolute(formula)?, path::absolute(proof)?);
    let command_line = line.command(&[("{cnf}", &formula), ("{proof}", &proof)]);
    let supervision = Supervision { most: CHECKER_OUTPUT_BYTES, ..Supervision::default() };
    let (printed, ended) = Process::output(command_line, supervision).map_err(|error| {
        io::Error::new(error.kind(), format!("cannot start '{}': {error}", line.program()))
    })?;
    if let Some(Stopped::TooMuch(most)) = ended.stopped {
        let reason = format!("'{command}' was stopped: it printed more than {} MiB", most >> 20);
        return Err(io::Error::other(reason).into());
    }
    let check_ns = nanoseconds(ended.wall);
    let text = String::from_utf8_lossy(&printed);
    let lines = || text.lines().map(str::trim);
    let verified = lines().any(|line| ["s VERIFIED", "c VERIFIED"].iter().any(|word| line.starts_with(word)));
    let killed = ended.status.code().is_none();
    if killed || !verified || lines().any(|line| line.contains("NOT VERIFIED")) {
        let last = lines().rfind(|line| !line.is_empty()).map(str::to_owned).or_else(|| ended.last_words());
        let message = last.unwrap_or_else(|| "nothing".to_owned());
        return Err(CertifyError::RejectedBy { command: command.to_owned(), message });
    }
    Ok(CheckedBy { name: command.to_owned(), check_ns })
}

#[cfg(test)]
mod tests;
