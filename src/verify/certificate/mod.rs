//! Certificates: the exact number of solutions of a board, with a proof that other programs can check.
//!
//! A certificate is a formula, a proof and a description. The formula means "N queens, and none of these
//! solutions"; each solution is checked on the board, and all are distinct. The proof shows that the
//! formula has no model, so there are no other solutions. With broken symmetry, the formula has more clauses and denies
//! fewer solutions; `orbits.rs` shows that their images are all solutions. [`ProofMethod`] lists the ways to find the proof.
//! [`super::lrat`] reads it back and checks it before the certificate is written. A certificate in parts (`parts.rs`) has
//! one formula and one proof per cube.
//! Memory: the solutions, with n literals each in the formula and again in the checker.

mod audit;
mod backtrack;
mod cover;
mod cubes;
mod description;
mod error;
mod files;
mod first;
mod formula;
mod orbits;
mod parts;
mod solutions;
mod veripb;
mod writer;

use std::io::{self, Read, Write};
use std::path::{self, Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::lrat::{self, Verdict};
use crate::backtrack::Bitmask;
use crate::board::lines;
use crate::board::problem::Problem;
use crate::command::CommandLine;
use crate::files::temporary_directory;
use crate::os::process::{Process, Stopped, Supervision};
use crate::record::{self, nanoseconds};
use crate::sat::encoding;
use crate::sat::symmetry::SymmetryGroup;
pub use description::{BrokenSymmetry, Certificate, CheckedBy, Composition, Part, Stated};
pub use error::CertifyError;
pub use files::Digested;
use files::Digesting;
pub use first::check_first;
pub use formula::Formula;
pub use parts::{PartsRequest, certify_parts};
pub use solutions::Solutions;
pub use writer::Proof;

pub use audit::{AuditError, Audited, CertificateFault, audit, audit_in_memory};
pub(super) use audit::{audit_formula, audit_parts_in_memory, check_in_memory};
pub(super) use backtrack::write as write_search;
pub(super) use cubes::refute_into;
pub(super) use orbits::closure;
pub(super) use parts::in_memory as parts_in_memory;

/// The largest board of plain queens: n = 17 has 95,815,104 solutions, and the checker would hold a clause for each.
pub const LARGEST_BOARD: usize = 16;

/// The largest board of other problems, which may have few solutions: the audit needs n^4 bytes of memory.
pub const LARGEST_OTHER: usize = 32;

/// The largest board for proofs that a solution is the lexicographically first one: they need 4 n^4 bytes of memory.
pub const LARGEST_FIRST: usize = 64;

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
    /// The same lemmas after the solutions, for VeriPB.
    Veripb,
}

/// The certificate to make.
#[derive(Clone, Debug)]
pub struct Request {
    /// The problem.
    pub problem: Problem,
    /// The symmetries that are broken outside the proof.
    pub symmetry: SymmetryGroup,
    /// The columns of the solution that is to be proved lexicographically first; `None` to prove the number of solutions.
    /// The method is then [`ProofMethod::Cubes`].
    pub first: Option<Vec<u16>>,
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
    /// Some parts of a certificate are proved and checked.
    Parts {
        /// Their number.
        done: usize,
        /// The number of all parts.
        total: usize,
    },
    /// The solutions of all parts are counted with their images.
    Count,
}

/// Proves that these are all the solutions. Returns the number of cubes.
pub fn prove(
    method: ProofMethod,
    formula: &Formula,
    solutions: &Solutions,
    proof: &mut Proof<'_>,
) -> Result<u64, CertifyError> {
    if solutions.first().is_some() {
        return first::write(formula, solutions, proof);
    }
    match method {
        ProofMethod::Cubes => cubes::write(formula, solutions, &[], &cube_rows(solutions), proof),
        ProofMethod::Monolithic => cubes::write(formula, solutions, &[], &[], proof),
        ProofMethod::Backtrack if formula.problem().is_plain() && formula.symmetry_clauses == 0 => {
            backtrack::write(formula, solutions, proof, Bitmask::search).map(|()| 0)
        }
        ProofMethod::Backtrack => {
            let search = |_, lemmas: &mut backtrack::Lemmas<'_, '_>| backtrack::search_rows(formula, lemmas);
            backtrack::write(formula, solutions, proof, search).map(|()| 0)
        }
    }
}

/// The rows that cubes fix. The condition on the leading row excludes most when this row comes first.
fn cube_rows(solutions: &Solutions) -> Vec<usize> {
    let mut rows = cubes::rows(solutions.problem().n().get());
    let breaking = solutions.breaking();
    if breaking.symmetry() != SymmetryGroup::None {
        rows.sort_by_key(|&row| row != breaking.row());
    }
    rows
}

/// Symmetry is broken by default where it saves most: on plain boards from this size on.
const USUALLY_BROKEN: usize = 13;

/// The symmetries that `certify` breaks if it is not told which.
pub fn usual_symmetry(problem: &Problem, format: Format) -> SymmetryGroup {
    let is_large = problem.is_plain() && problem.n().get() >= USUALLY_BROKEN && format != Format::Veripb;
    if is_large { SymmetryGroup::Full } else { SymmetryGroup::None }
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
    if request.first.is_none() {
        fits(&request.problem)?;
    }
    let for_veripb = request.format == Format::Veripb;
    if for_veripb && request.symmetry != SymmetryGroup::None {
        return Err(CertifyError::Veripb(
            "its proofs cannot break symmetry: leave out --symmetry or choose none",
        ));
    }
    if for_veripb && request.first.is_some() {
        return Err(CertifyError::Veripb("it logs all solutions, and does not show which is the first"));
    }
    if for_veripb && request.problem.n().get() == 0 {
        return Err(CertifyError::Veripb("the empty board has no variables: choose a size from 1 on"));
    }
    if for_veripb && request.binary {
        return Err(CertifyError::Veripb("it has no binary form: leave out --binary"));
    }
    // Fail now, not after minutes of proving.
    if let Some(command) = &request.checker {
        CommandLine::parse(command).map_err(CertifyError::Command)?;
    }
    let scratch;
    let proof_path = match &request.proof {
        Some(path) => path.clone(),
        None => {
            scratch = temporary_directory()?;
            scratch.path().join("proof")
        }
    };
    if request.first.is_some() {
        check_first(&request.problem, &proof_path)?;
    }
    let [formula_path, certificate_path] = beside(&proof_path, if for_veripb { "opb" } else { "cnf" })?;
    // A certificate of an earlier run would describe files that no longer exist.
    match std::fs::remove_file(&certificate_path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }

    phase(Phase::Enumerate);
    let began = Instant::now();
    let solutions = match &request.first {
        Some(columns) => Solutions::of_first(&request.problem, columns)?,
        None => Solutions::representatives(&request.problem, request.symmetry)?,
    };
    let enumerate_ns = nanoseconds(began.elapsed());

    phase(Phase::Formula);
    let began = Instant::now();
    let formula = Formula::new(&solutions);
    let mut cnf_file = Digesting::create(&formula_path.with_extension("cnf"))?;
    write_formula(&mut cnf_file, &formula, &solutions)?;
    let opb_file = for_veripb.then(|| write_opb(&formula, &formula_path)).transpose()?;
    let formula_ns = nanoseconds(began.elapsed());

    phase(Phase::Prove);
    let began = Instant::now();
    let mut proof_file = Digesting::create(&proof_path)?;
    // Another proof is written together with an LRAT proof, which is checked in its place and then deleted.
    let mut hinted = match request.format {
        Format::Lrat => None,
        Format::Drat | Format::Veripb => Some(Digesting::create(&proof_path.with_extension("lrat"))?),
    };
    let (clauses, binary) = (formula.cnf.len() as u64, request.binary);
    let mut proof = match &mut hinted {
        None => Proof::new(clauses, &mut proof_file, binary),
        Some(hinted) if for_veripb => {
            let lines = veripb::Lines::new(&mut proof_file, &formula, &solutions)?;
            Proof::new(clauses, hinted, binary).with_veripb(lines)
        }
        Some(hinted) => Proof::new(clauses, hinted, binary).with_drat(&mut proof_file, binary),
    };
    let cubes = prove(request.method, &formula, &solutions, &mut proof)?;
    let lemmas = proof.lemmas();
    proof.finish()?;
    let prove_ns = nanoseconds(began.elapsed());

    phase(Phase::Check);
    let form = (request.format, request.binary);
    let mut certificate = Certificate {
        formula: opb_file.as_ref().unwrap_or(&cnf_file).digested(),
        clauses: if for_veripb { formula.encoding_clauses } else { clauses },
        proof: proof_file.digested(),
        formula_ns,
        ..Certificate::new(request.method, form, &formula, &solutions, [cubes, lemmas])?
    };
    (certificate.stated.enumerate_ns, certificate.stated.prove_ns) = (enumerate_ns, prove_ns);
    drop(formula);
    let checked = hinted.as_ref().unwrap_or(&proof_file);
    certificate.stated.checkers.push(check(cnf_file.read_back()?, checked.read_back()?, request.format)?);
    let formula_file = opb_file.unwrap_or(cnf_file);
    if let Some(command) = &request.checker {
        certificate.stated.checkers.push(ask(command, formula_file.path(), proof_file.path())?);
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
fn beside(proof: &Path, formula: &str) -> Result<[PathBuf; 2], CertifyError> {
    let paths = [formula, "json"].map(|extension| proof.with_extension(extension));
    let is_taken = ["cnf", "opb", "json"].iter().any(|extension| proof.with_extension(extension) == proof);
    let Some(name) = proof.file_name().filter(|_| !is_taken) else {
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

fn write_opb(formula: &Formula, path: &Path) -> io::Result<Digesting> {
    let mut file = Digesting::create(path)?;
    let about = format!("{}, direct encoding, at most one by pairwise", formula.problem().title());
    veripb::write_formula(&mut file, &about, formula)?;
    Ok(file)
}

fn write_formula(out: &mut dyn Write, formula: &Formula, solutions: &Solutions) -> io::Result<()> {
    let n = formula.n();
    let name = if formula.problem().is_plain() { String::new() } else { format!(", {}", formula.problem()) };
    let broken = match formula.symmetry_clauses {
        0 => String::new(),
        clauses => format!("; then {clauses} clauses that break symmetry"),
    };
    let then = match formula.first_clauses {
        _ if solutions.first().is_none() => format!("{} solutions, denied", solutions.len()),
        clauses => format!(
            "{clauses} clauses that exclude the boards after one solution; then this solution, denied"
        ),
    };
    let about = format!("{n} queens{name}, direct encoding, at most one by pairwise{broken}; then {then}");
    encoding::write_dimacs(out, &about, lines::rows(n).flatten(), &formula.cnf)
}

/// Runs the built-in checker on the written files.
fn check(formula: impl Read, proof: impl Read, format: Format) -> Result<CheckedBy, CertifyError> {
    let began = Instant::now();
    match lrat::check(formula, proof)? {
        Verdict::Rejected(rejection) => Err(CertifyError::Rejected(rejection)),
        Verdict::Verified(_) => {
            Ok(CheckedBy { name: built_in(format), check_ns: nanoseconds(began.elapsed()), parts: None })
        }
    }
}

/// The built-in checker's name.
fn built_in(format: Format) -> String {
    let of = if format == Format::Lrat { "" } else { ", on the same lemmas in LRAT" };
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
    Ok(CheckedBy { name: command.to_owned(), check_ns, parts: None })
}

#[cfg(test)]
mod tests;
