//! Certificates: a board has exactly so many solutions, with a proof that others can check.
//!
//! A certificate is a formula, a proof and a description. The formula says "N queens, and none of these
//! solutions"; each of those is judged on the board, none is there twice. The proof shows that the
//! formula has no model, so there are no others. Three ways to find it: [`Method`]. The proof is read
//! back and checked by [`super::lrat`] before anything is claimed.
//! Memory: the solutions, n literals each in the formula and again in the checker.

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
use crate::backtrack::Bitmask;
use crate::board::{Placement, Square, lines};
use crate::command::CommandLine;
use crate::escape::Escaped;
use crate::os::process::{Process, Stopped, Supervision};
use crate::record::{self, nanoseconds};
use crate::sat::dimacs;
pub use files::Digested;
use files::Digesting;
pub use formula::Formula;
pub use solutions::Solutions;
pub use writer::Proof;

pub use audit::{AuditError, Audited, Fault, audit, audit_in_memory};
pub(super) use audit::{audit_formula, check_in_memory};
pub(super) use backtrack::write as write_search;

/// The largest board: n = 17 has 95,815,104 solutions, and the checker would hold a clause for each.
pub const LARGEST_BOARD: usize = 16;

/// The most that another checker may print.
const CHECKER_OUTPUT_BYTES: u64 = 64 << 20;

/// How a proof is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// varisat refutes the board under each assignment of some rows; the proofs are composed.
    Cubes,
    /// varisat refutes the whole formula at once.
    Monolithic,
    /// The searcher `backtrack/bitmask` writes a lemma a node; no SAT solver.
    Backtrack,
}

/// The format of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Lemmas with the clauses that each follows from.
    Lrat,
    /// The same lemmas alone.
    Drat,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Side length of the board.
    pub n: usize,
    /// How the proof is found.
    pub method: Method,
    /// Its format.
    pub format: Format,
    /// Whether it is binary.
    pub binary: bool,
    /// Where it goes; the formula and the certificate go beside it. Without, all goes when it is checked.
    pub proof: Option<PathBuf>,
    /// A checker to ask as well: a command in which `{cnf}` and `{proof}` stand for the files.
    pub checker: Option<String>,
}

/// A step on the way, for whoever waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Solutions are enumerated.
    Enumerate,
    /// The formula is written.
    Formula,
    /// The proof is found and written.
    Prove,
    /// It is checked.
    Check,
}

/// The description of a certificate, `p.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct Certificate {
    pub schema_version: u32,
    pub n: usize,
    pub solutions: u64,
    pub solutions_sha256: String,
    pub method: Method,
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
    pub checkers: Vec<Checker>,
    pub enumerate_ns: u64,
    pub formula_ns: u64,
    pub prove_ns: u64,
    pub queenlab_version: String,
}

/// A checker that accepted the proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct Checker {
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
    /// The file names would collide.
    #[error("{}: beside the proof, the formula goes to .cnf and the certificate to .json; end its name with .lrat or \
             .drat", Escaped(.0.display()))]
    Name(PathBuf),
    /// The certificate could not name the file.
    #[error("{}: this name is not valid UTF-8, and the certificate could not contain it; choose another name", Escaped(.0.display()))]
    NotUtf8(PathBuf),
    /// The name belongs to something that may not be replaced.
    #[error("{}: this is not a regular file; choose a name that is free", Escaped(.0.display()))]
    NotRegular(PathBuf),
    /// What was to be counted is no solution.
    #[error("this is no solution: {0}")]
    Illegal(Placement),
    /// A solution is there twice, or out of order.
    #[error("this solution is there twice, or out of order: {0}")]
    Duplicate(Placement),
    /// There are more solutions.
    #[error("a solution is missing: {0}")]
    Missing(Placement),
    /// The built-in checker rejects the proof.
    #[error("the proof does not check: {0}")]
    Rejected(Rejection),
    /// Another checker does.
    #[error("'{}' did not verify the proof; it said: {}", Escaped(command), Escaped(said))]
    RejectedBy {
        /// What was run.
        command: String,
        /// Its last line.
        said: String,
    },
    /// The SAT solver failed.
    #[error("varisat failed: {0}")]
    Solver(String),
    /// What was written could not be read back.
    #[error("cannot read back what was written: {0}")]
    ReadBack(#[from] ReadError),
    /// The command of a checker is none.
    #[error("--checker: {0}")]
    Command(String),
    /// A file could not be written, or a checker not started.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl CertifyError {
    /// Whether the request has a mistake.
    pub fn is_bad_input(&self) -> bool {
        use CertifyError as E;
        matches!(self, E::TooLarge(_) | E::Name(_) | E::NotUtf8(_) | E::NotRegular(_) | E::Command(_))
    }

    /// Whether an answer is wrong, rather than a file or a request.
    pub fn is_wrong_answer(&self) -> bool {
        use CertifyError as E;
        matches!(
            self,
            E::Illegal(_) | E::Duplicate(_) | E::Missing(_) | E::Rejected(_) | E::RejectedBy { .. }
        )
    }
}

/// Proves that these are all the solutions; how many cubes that took.
pub fn prove(
    method: Method,
    formula: &Formula,
    solutions: &Solutions,
    proof: &mut Proof<'_>,
) -> Result<u64, CertifyError> {
    match method {
        Method::Cubes => cubes::write(formula, solutions, &cubes::rows(formula.n()), proof),
        Method::Monolithic => cubes::write(formula, solutions, &[], proof),
        Method::Backtrack => backtrack::write::<Bitmask>(formula, solutions, proof).map(|()| 0),
    }
}

/// Enumerates, writes formula and proof, checks them as they stand on disk, and describes them.
pub fn certify(request: &Request, mut phase: impl FnMut(Phase)) -> Result<Certificate, CertifyError> {
    let n = request.n;
    if n > LARGEST_BOARD {
        return Err(CertifyError::TooLarge(n));
    }
    // Not after minutes of proving.
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
    // A certificate of an earlier run would speak for files that it does not know.
    match std::fs::remove_file(&certificate_path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }

    phase(Phase::Enumerate);
    let began = Instant::now();
    let solutions = Solutions::enumerate(n)?;
    let enumerate_ns = nanoseconds(began.elapsed());

    phase(Phase::Formula);
    let began = Instant::now();
    let formula = Formula::new(&solutions);
    let formula_file = write_formula(&formula, &solutions, &formula_path)?;
    let formula_ns = nanoseconds(began.elapsed());

    phase(Phase::Prove);
    let began = Instant::now();
    let mut proof_file = Digesting::create(&proof_path)?;
    // A DRAT proof is written beside the LRAT proof that is checked in its place and not kept.
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
    let variables = u64::from(formula.cnf.variables());
    let encoding_clauses = formula.encoding_clauses;
    drop(formula);
    let checked = hinted.as_ref().unwrap_or(&proof_file);
    let mut checkers = vec![check(formula_file.read_back()?, checked.read_back()?, request.format)?];
    if let Some(command) = &request.checker {
        checkers.push(ask(command, formula_file.path(), proof_file.path())?);
    }
    let certificate = Certificate {
        schema_version: 1,
        n,
        solutions: solutions.len() as u64,
        solutions_sha256: solutions.sha256(),
        method: request.method,
        cube_rows: if request.method == Method::Cubes { cubes::rows(n) } else { Vec::new() },
        cubes,
        formula: formula_file.digested(),
        variables,
        encoding_clauses,
        clauses,
        proof: proof_file.digested(),
        format: request.format,
        binary: request.binary,
        lemmas,
        checkers,
        enumerate_ns,
        formula_ns,
        prove_ns,
        queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let mut text = serde_json::to_string_pretty(&certificate).map_err(io::Error::other)?;
    text.push('\n');
    keep([formula_file, proof_file], &certificate_path, &text)?;
    Ok(certificate)
}

/// Gives the files their names; the certificate comes last, as a whole. If that fails, nothing of this run stays.
fn keep(files: [Digesting; 2], certificate: &Path, text: &str) -> Result<(), CertifyError> {
    let mut kept = Vec::new();
    let result = files.into_iter().try_for_each(|file| file.keep().map(|path| kept.push(path)));
    let result = result.map_err(CertifyError::from).and_then(|()| {
        record::write_atomically(certificate, text.as_bytes())
            .map_err(|error| CertifyError::Io(io::Error::other(error)))
    });
    if result.is_err() {
        for path in kept {
            // What matters is why the certificate could not be written.
            let _ = std::fs::remove_file(path);
        }
    }
    result
}

/// Where the formula and the certificate go.
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
    let about = format!(
        "{n} queens, direct encoding, at most one by pairwise; then {} solutions, denied",
        solutions.len()
    );
    let square =
        |(variable, Square { row, column }): (usize, Square)| format!("square {row} {column} {variable}");
    let map = (1..).zip(lines::rows(n).flatten()).map(square);
    let mut file = Digesting::create(path)?;
    dimacs::write(&mut file, [about].into_iter().chain(map), &formula.cnf)?;
    Ok(file)
}

/// The built-in checker on files as they stand.
fn check(formula: impl Read, proof: impl Read, format: Format) -> Result<Checker, CertifyError> {
    let began = Instant::now();
    match lrat::check(formula, proof)? {
        Verdict::Rejected(rejection) => Err(CertifyError::Rejected(rejection)),
        Verdict::Verified(_) => {
            Ok(Checker { name: built_in(format), check_ns: nanoseconds(began.elapsed()) })
        }
    }
}

/// The built-in checker's name.
fn built_in(format: Format) -> String {
    let of = if format == Format::Drat { ", of the same lemmas in LRAT" } else { "" };
    format!("queenlab proof-check {}{of}", env!("CARGO_PKG_VERSION"))
}

/// Another checker: it has to say `s VERIFIED`, as most do, or `c VERIFIED`, as lrat-check does.
fn ask(command: &str, formula: &Path, proof: &Path) -> Result<Checker, CertifyError> {
    let line = CommandLine::parse(command).map_err(CertifyError::Command)?;
    // A relative path may begin with `-` and be taken for an option.
    let (formula, proof) = (path::absolute(formula)?, path::absolute(proof)?);
    let command_line = line.command(&[("{cnf}", &formula), ("{proof}", &proof)]);
    let supervision = Supervision { most: CHECKER_OUTPUT_BYTES, ..Supervision::default() };
    let (printed, ended) = Process::output(command_line, supervision).map_err(|error| {
        io::Error::new(error.kind(), format!("cannot start '{}': {error}", line.program()))
    })?;
    if let Some(Stopped::TooMuch(most)) = ended.stopped {
        let reason = format!("'{command}' was ended: it printed more than {} MiB", most >> 20);
        return Err(io::Error::other(reason).into());
    }
    let check_ns = nanoseconds(ended.wall);
    let said = String::from_utf8_lossy(&printed);
    let lines = || said.lines().map(str::trim);
    let verified = lines().any(|line| ["s VERIFIED", "c VERIFIED"].iter().any(|word| line.starts_with(word)));
    let killed = ended.status.code().is_none();
    if killed || !verified || lines().any(|line| line.contains("NOT VERIFIED")) {
        let said = lines().rfind(|line| !line.is_empty()).map(str::to_owned).or_else(|| ended.last_words());
        let said = said.unwrap_or_else(|| "nothing".to_owned());
        return Err(CertifyError::RejectedBy { command: command.to_owned(), said });
    }
    Ok(Checker { name: command.to_owned(), check_ns })
}

#[cfg(test)]
mod tests;
