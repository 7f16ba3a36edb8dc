//! The audit of a certificate (`p.json`, `p.cnf` and `p.lrat`) that anyone may have made.
//!
//! The audit checks that the files are regular and have the digests in the certificate; that the formula is the
//! problem, clause by clause (every line that must hold a queen, every two squares that attack each other, every square
//! that must or must not hold a queen, and nothing else), followed by one clause per solution, each legal on the board, in ascending order and therefore distinct, and
//! as many as claimed (`clauses.rs`), or, with broken symmetry, one clause per solution whose images are as many; and that the checker accepts the proof. Each file is opened and read once,
//! so that the digest is that of the bytes that are judged. Another checker gets copies of what the audit has
//! read (`copies.rs`).
//! No input makes the audit panic. Memory: that of the built-in checker, and at most 1 MiB of JSON.

mod clauses;
mod copies;
mod error;
mod parts;
mod source;

use std::io::Read;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::description::is_plain;
use super::files::Digested;
use super::{
    Certificate, CertifyError, CheckedBy, Composition, Format, LARGEST_BOARD, LARGEST_OTHER, Stated, ask,
    check,
};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::command::CommandLine;
use crate::files::open_regular;
use crate::record::nanoseconds;
use crate::sat::cnf::{Cnf, Lit};
use crate::verify::lrat::{self, Steps, Verdict};
use clauses::Clauses;
use copies::Copies;
pub use error::{AuditError, CertificateFault};
pub(super) use parts::Parts;
pub(in crate::verify) use parts::audit_in_memory as audit_parts_in_memory;
use source::Source;

/// The most bytes of a certificate.
const LONGEST_JSON: u64 = 1 << 20;

/// The most bytes of a file: more than any board needs. A sparse file could claim any size.
const LARGEST_FILE: u64 = 1 << 40;

/// What a valid certificate claims, and the checkers that accepted its proof in this audit.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The size of the board.
    pub n: usize,
    /// The problem, as in the column `variant` of CSVs.
    pub variant: String,
    /// The number of solutions.
    pub solutions: u64,
    /// The checkers of this audit.
    pub checkers: Vec<CheckedBy>,
    /// The keys of the certificate that cannot be checked: claims of its author.
    pub unchecked: Vec<&'static str>,
}

/// Audits the certificate at this path and the files beside it. Also runs `checker`, if given. `threads` is for the parts
/// of a certificate.
pub fn audit(path: &Path, checker: Option<&str>, threads: NonZeroUsize) -> Result<Audited, AuditError> {
    if let Some(command) = checker {
        CommandLine::parse(command).map_err(|error| AuditError::Failed(CertifyError::Command(error)))?;
    }
    let text = read(path)?;
    let no_certificate = |reason: String| AuditError::NoCertificate { path: path.to_owned(), reason };
    if let Some(composition) = Composition::parse(&text).map_err(no_certificate)? {
        return parts::audit(path, composition, checker, threads).map_err(|error| match error {
            AuditError::NoCertificate { reason, .. } => no_certificate(reason),
            error => error,
        });
    }
    let certificate = Certificate::parse(&text).map_err(no_certificate)?;
    let formula = Source::open(path, certificate.formula.clone())?;
    let proof = Source::open(path, certificate.proof.clone())?;
    let checkers = judge_whole(&certificate, formula, proof, checker)?;
    if checkers.is_empty() {
        return Err(AuditError::Drat(path.with_file_name(&certificate.proof.file)));
    }
    let unchecked = unchecked(&certificate);
    let Stated { n, variant, solutions, .. } = certificate.stated;
    Ok(Audited { n, variant, solutions, checkers, unchecked })
}

/// Like [`audit`], with the files in memory; LRAT only.
pub fn audit_in_memory(certificate: &Certificate, formula: &[u8], proof: &[u8]) -> Result<(), AuditError> {
    let formula = Source::new(PathBuf::from("formula"), certificate.formula.clone(), formula);
    let proof = Source::new(PathBuf::from("proof"), certificate.proof.clone(), proof);
    match judge_whole(certificate, formula, proof, None)?.is_empty() {
        true => Err(AuditError::Drat(PathBuf::from(&certificate.proof.file))),
        false => Ok(()),
    }
}

/// Checks every statement of a certificate about its files. Returns the checkers that accepted the proof.
fn judge_whole(
    certificate: &Certificate,
    formula: Source<impl Read>,
    proof: Source<impl Read>,
    checker: Option<&str>,
) -> Result<Vec<CheckedBy>, AuditError> {
    let problem = acceptable(certificate).map_err(AuditError::not_read)?;
    let breaking = certificate.stated.symmetry.clone().map(|broken| (broken, problem.symmetries()));
    let clauses = Clauses::new(&problem, certificate.stated.encoding_clauses, breaking);
    judge(certificate, clauses, formula, proof, checker, |clauses| {
        let digest = clauses.end(certificate.stated.solutions)?;
        is_so("solutions_sha256", &certificate.stated.solutions_sha256, &digest)
    })
}

/// Checks the formula by `clauses`, then by `conclude`, and the proof by the built-in checker, if it can check it, and by
/// the other one, if one is given. Returns the checkers.
fn judge(
    certificate: &Certificate,
    mut clauses: Clauses,
    mut formula: Source<impl Read>,
    mut proof: Source<impl Read>,
    checker: Option<&str>,
    conclude: impl FnOnce(Clauses) -> Result<(), CertificateFault>,
) -> Result<Vec<CheckedBy>, AuditError> {
    if certificate.format == Format::Veripb {
        let [formula, proof] = [&certificate.formula, &certificate.proof].map(|file| file.file.clone());
        return Err(AuditError::Veripb { formula, proof });
    }
    let n = certificate.stated.n;
    is_so("variables", certificate.variables, (n * n) as u64)?;
    let mut copies = checker.map(|_| Copies::new(certificate)).transpose()?;
    let mut fault = None;
    let read = lrat::Checker::of(&mut formula, |clause| {
        if fault.is_none() {
            fault = clauses.take(clause).err();
        }
        if let Some(copies) = &mut copies {
            copies.clause(clause);
        }
    });
    formula.end()?;
    let built_in = read.map_err(|error| CertificateFault::Formula(error.to_string()))?;
    if let Some(fault) = fault {
        return Err(fault.into());
    }
    let total = clauses.taken();
    conclude(clauses)?;
    is_so("clauses", certificate.clauses, total)?;

    let began = Instant::now();
    let copy = |kind, steps: &Steps<_>| {
        if let Some(copies) = &mut copies {
            copies.step(kind, steps);
        }
    };
    let (lemmas, binary, mut checkers) = match certificate.format {
        Format::Lrat => {
            let checked = built_in.check(&mut proof, copy);
            proof.end()?;
            let check_ns = nanoseconds(began.elapsed());
            match checked.map_err(|source| proof.unreadable(source))? {
                (Verdict::Rejected(rejection), _) => return Err(CertificateFault::Proof(rejection).into()),
                (Verdict::Verified(checked), binary) => (
                    checked.lemmas,
                    binary,
                    vec![CheckedBy { name: super::built_in(Format::Lrat), check_ns, parts: None }],
                ),
            }
        }
        Format::Drat | Format::Veripb => {
            let read = lrat::read_drat(&mut proof, certificate.stated.binary, copy);
            proof.end()?;
            let lemmas = read.map_err(|source| proof.unreadable(source))?.map_err(CertificateFault::Proof)?;
            (lemmas, certificate.stated.binary, Vec::new())
        }
    };
    // The formula of the empty board contains the empty clause, so its proof in LRAT is not read.
    if n > 0 || certificate.format == Format::Drat {
        is_so("lemmas", certificate.lemmas, lemmas)?;
        is_so("binary", certificate.stated.binary, binary)?;
    }
    if let (Some(command), Some(copies)) = (checker, copies) {
        let copied = copies.finish()?;
        let asked = ask(command, &copied.formula, &copied.proof);
        checkers.push(asked.map_err(|error| match error {
            CertifyError::RejectedBy { .. } => AuditError::Wrong(CertificateFault::CheckedBy(error)),
            error => AuditError::Failed(error),
        })?);
    }
    Ok(checkers)
}

/// The keys that cannot be checked.
fn unchecked(certificate: &Certificate) -> Vec<&'static str> {
    let mut keys = vec![
        "method",
        "cube_rows",
        "cubes",
        "checkers",
        "enumerate_ns",
        "formula_ns",
        "prove_ns",
        "queenlab_version",
    ];
    if certificate.stated.n == 0 && certificate.format == Format::Lrat {
        keys.extend(["lemmas", "binary"]);
    }
    keys
}

/// Checks that clauses are a problem with this number of solutions denied.
pub(in crate::verify) fn audit_formula(
    problem: &Problem,
    encoding_clauses: u64,
    solutions: u64,
    cnf: &Cnf,
) -> Result<(), CertificateFault> {
    let mut clauses = Clauses::new(problem, encoding_clauses, None);
    for clause in cnf.clauses() {
        let clause: Vec<i64> = clause.iter().map(|lit: &Lit| i64::from(lit.dimacs())).collect();
        clauses.take(&clause)?;
    }
    clauses.end(solutions).map(drop)
}

fn read(path: &Path) -> Result<Vec<u8>, AuditError> {
    let unreadable = |source| AuditError::Unreadable { path: path.to_owned(), source };
    let mut text = Vec::new();
    let file = open_regular(path).map_err(unreadable)?;
    file.take(LONGEST_JSON + 1).read_to_end(&mut text).map_err(unreadable)?;
    Ok(text)
}

impl Composition {
    /// Reads the text of a certificate in parts; `None` for another certificate. The error is the reason why it cannot be
    /// audited.
    pub fn parse(json: &[u8]) -> Result<Option<Self>, String> {
        #[derive(serde::Deserialize)]
        struct InParts {
            parts: Option<serde::de::IgnoredAny>,
        }
        let in_parts = json.len() as u64 <= LONGEST_JSON
            && serde_json::from_slice(json).is_ok_and(|InParts { parts }| parts.is_some());
        in_parts.then(|| serde_json::from_slice(json).map_err(|error| error.to_string())).transpose()
    }
}

impl Certificate {
    /// Reads the text of a `p.json`. The error is the reason why it cannot be audited.
    pub fn parse(json: &[u8]) -> Result<Self, String> {
        if json.len() as u64 > LONGEST_JSON {
            return Err("it is longer than 1 MiB".into());
        }
        let certificate = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        acceptable(&certificate).map(|_| certificate)
    }
}

/// The problem of a certificate, if its audit can begin; the error is the reason why not.
fn acceptable(certificate: &Certificate) -> Result<Problem, String> {
    let stated = &certificate.stated;
    let problem = problem_of(stated, largest(stated))?;
    names_files(certificate).map(|()| problem)
}

/// The largest board whose certificate of all solutions can be audited.
fn largest(stated: &Stated) -> usize {
    if is_plain(&stated.variant) { LARGEST_BOARD } else { LARGEST_OTHER }
}

/// The problem that a certificate claims to be about; the error is the reason why it cannot be audited.
fn problem_of(
    &Stated { schema_version, n, ref variant, .. }: &Stated,
    largest: usize,
) -> Result<Problem, String> {
    if schema_version != 1 {
        return Err(format!("schema_version {schema_version} is not supported"));
    }
    let size = BoardSize::new(n).ok().filter(|size| size.get() <= largest);
    let size = size.ok_or_else(|| format!("n = {n} exceeds {largest}"))?;
    let problem = Problem::from_text(size, variant);
    let problem = problem.map_err(|error| format!("variant '{variant}': {error}"))?;
    if problem.to_string() != *variant {
        return Err(format!("variant '{variant}' should be written '{problem}'"));
    }
    Ok(problem)
}

/// Checks the number of rows with broken symmetry, and the names and the sizes of the files.
fn names_files(certificate: &Certificate) -> Result<(), String> {
    let Stated { n, symmetry, .. } = &certificate.stated;
    if symmetry.as_ref().is_some_and(|broken| broken.rows.len() > *n) {
        return Err(format!("symmetry.rows has more rows than the board, which has {n}"));
    }
    for Digested { file, bytes, .. } in [&certificate.formula, &certificate.proof] {
        if Path::new(file).file_name().is_none_or(|name| name != file.as_str()) {
            return Err(format!("'{file}' is not the name of a file in the same directory"));
        }
        if *bytes > LARGEST_FILE {
            return Err(format!("'{file}' is said to have {bytes} bytes; the limit is {LARGEST_FILE}"));
        }
    }
    Ok(())
}

fn is_so<T: PartialEq + ToString>(key: &'static str, claimed: T, found: T) -> Result<(), CertificateFault> {
    if claimed == found {
        return Ok(());
    }
    Err(CertificateFault::Claim { key, claimed: claimed.to_string(), found: found.to_string() })
}

/// Whether the built-in checker accepts a proof in memory.
pub(in crate::verify) fn check_in_memory(cnf: &Cnf, proof: &[u8]) -> Result<(), CertifyError> {
    let mut formula = Vec::new();
    crate::sat::dimacs::write(&mut formula, [""; 0], cnf)?;
    check(formula.as_slice(), proof, Format::Lrat).map(drop)
}
