//! Certificates in parts: one formula and one proof per cube, so that no file is large and several threads work.
//!
//! A cube is a way to put queens on the cube rows that no clause excludes. The formula of its part is that of the problem
//! which requires these queens, with the same clauses that break symmetry, and it denies the solutions with these queens.
//! Each part is made in memory and audited there at once: the meaning of each clause, and the proof. Then its size and
//! digest are listed; the files are written only if they are to be kept. At the end, `cover.rs` checks that
//! the cubes cover the board, and `orbits.rs` counts the images of all denied solutions.
//! Memory: the solutions twice, and for each thread the files of one part.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::audit::Parts;
use super::description::{CheckedBy, Composition, Part, Stated};
use super::files::{Digested, NewDirectory};
use super::{AuditError, CertifyError, Formula, Phase, Proof, Solutions, cubes};
use crate::board::problem::Problem;
use crate::board::{Square, column};
use crate::command::CommandLine;
use crate::record::nanoseconds;
use crate::sat::symmetry::SymmetryGroup;

/// One of this number of parts is also checked by another checker.
const SAMPLED: usize = 20;

/// The name of the description in its directory.
const DESCRIPTION: &str = "certificate.json";

/// The certificate in parts to make.
#[derive(Clone, Debug)]
pub struct PartsRequest {
    /// The problem.
    pub problem: Problem,
    /// The symmetries that are broken outside the proofs.
    pub symmetry: SymmetryGroup,
    /// Whether the proofs are binary.
    pub binary: bool,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// A new directory for the description; `None` to write no files.
    pub directory: Option<PathBuf>,
    /// Whether the directory also gets the formulas and the proofs.
    pub keep: bool,
    /// The command of another checker for every 20th part, in which `{cnf}` and `{proof}` stand for the files.
    pub checker: Option<String>,
}

/// Enumerates, and proves and audits one part after the other.
pub fn certify_parts(
    request: &PartsRequest,
    phase: &(dyn Fn(Phase) + Sync),
) -> Result<Composition, CertifyError> {
    super::fits(&request.problem)?;
    if let Some(command) = &request.checker {
        CommandLine::parse(command).map_err(CertifyError::Command)?;
    }
    let directory = request.directory.as_deref().map(new_directory).transpose()?;
    phase(Phase::Enumerate);
    let began = Instant::now();
    let writer = Writer::new(&request.problem, request.symmetry, request.binary)?;
    let enumerate_ns = nanoseconds(began.elapsed());

    phase(Phase::Prove);
    let began = Instant::now();
    let total = writer.cubes.len();
    let done = AtomicUsize::new(0);
    let audit = Parts::new(&writer.head).map_err(audit_error)?;
    let made = in_parallel(request.threads, total, |index| {
        let (part, files) = writer.part(index)?;
        let checker = request.checker.as_deref().filter(|_| index % SAMPLED == 0);
        let checkers = audit.judge_in_memory(&part, &files, checker).map_err(audit_error)?;
        if let Some(directory) = directory.as_ref().filter(|_| request.keep) {
            for (file, content) in [&part.formula, &part.proof].into_iter().zip(&files) {
                directory.write(&file.file, content)?;
            }
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done * 10 / total > (done - 1) * 10 / total {
            phase(Phase::Parts { done, total });
        }
        Ok::<_, CertifyError>((part, checkers))
    })?;
    let (parts, checkers): (Vec<Part>, Vec<Vec<CheckedBy>>) = made.into_iter().unzip();
    let prove_ns = nanoseconds(began.elapsed());

    phase(Phase::Count);
    audit.covers(&parts).map_err(|fault| audit_error(fault.into()))?;
    let (solutions, solutions_sha256) = audit.count().map_err(|fault| audit_error(fault.into()))?;
    let checkers = summed(checkers.into_iter().flatten());
    let stated = Stated { solutions, solutions_sha256, checkers, enumerate_ns, prove_ns, ..writer.head };
    let composition = Composition { stated, kept: request.keep, threads: request.threads.get(), parts };
    if let Some(directory) = directory {
        let mut text = serde_json::to_string_pretty(&composition).map_err(io::Error::other)?;
        text.push('\n');
        directory.write(DESCRIPTION, text.as_bytes())?;
        directory.keep();
    }
    Ok(composition)
}

/// A certificate in parts with its files by name.
pub fn in_memory(
    problem: &Problem,
    symmetry: SymmetryGroup,
) -> Result<(Composition, BTreeMap<String, Vec<u8>>), CertifyError> {
    let writer = Writer::new(problem, symmetry, false)?;
    let (mut parts, mut files) = (Vec::new(), BTreeMap::new());
    for index in 0..writer.cubes.len() {
        let (part, [formula, proof]) = writer.part(index)?;
        files.extend([(part.formula.file.clone(), formula), (part.proof.file.clone(), proof)]);
        parts.push(part);
    }
    let (solutions, solutions_sha256) = writer.solutions.all()?;
    let stated = Stated { solutions, solutions_sha256, ..writer.head };
    Ok((Composition { stated, kept: true, threads: 1, parts }, files))
}

/// Does a piece of work for each index on several threads. The first error ends it.
pub(super) fn in_parallel<T: Send, E: Send + From<io::Error>>(
    threads: NonZeroUsize,
    count: usize,
    work: impl Fn(usize) -> Result<T, E> + Send + Sync,
) -> Result<Vec<T>, E> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
    let pool = pool.map_err(|error| io::Error::other(format!("cannot start {threads} threads: {error}")))?;
    pool.install(|| (0..count).into_par_iter().with_max_len(1).map(work).collect())
}

/// One entry per checker: the number of parts and the sum of its times.
pub(super) fn summed(checkers: impl Iterator<Item = CheckedBy>) -> Vec<CheckedBy> {
    let mut all: Vec<CheckedBy> = Vec::new();
    for CheckedBy { name, check_ns, .. } in checkers {
        match all.iter_mut().find(|one| one.name == name) {
            Some(one) => {
                one.check_ns += check_ns;
                one.parts = one.parts.map(|parts| parts + 1);
            }
            None => all.push(CheckedBy { name, check_ns, parts: Some(1) }),
        }
    }
    all
}

fn new_directory(path: &Path) -> Result<NewDirectory, CertifyError> {
    NewDirectory::create(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CertifyError::Exists(path.to_owned()),
        _ => CertifyError::Io(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
    })
}

fn audit_error(error: AuditError) -> CertifyError {
    match error {
        AuditError::Failed(error) => error,
        error => CertifyError::Audit(Box::new(error)),
    }
}

/// Makes the parts of a certificate.
struct Writer {
    problem: Problem,
    solutions: Solutions,
    /// What the description states, without solutions and checkers.
    head: Stated,
    /// The rows that the cubes of the proofs fix; those of the parts come first.
    rows: Vec<usize>,
    cubes: Vec<Vec<Square>>,
    /// The positions of the solutions of each cube.
    by_cube: HashMap<Vec<u16>, Vec<usize>>,
}

impl Writer {
    fn new(problem: &Problem, symmetry: SymmetryGroup, binary: bool) -> Result<Self, CertifyError> {
        let solutions = Solutions::representatives(problem, symmetry)?;
        let rows = super::cube_rows(&solutions);
        let cube_rows = rows[..cubes::rows_of_parts(problem.n().get()).min(rows.len())].to_vec();
        let formula = Formula::new(&solutions.some(problem.clone(), &[]));
        let (cubes, by_cube) = (open_cubes(&formula, &cube_rows), solutions.by_rows(&cube_rows));
        let head = Stated::of(&formula, &solutions, cube_rows, binary);
        Ok(Self { problem: problem.clone(), solutions, head, rows, cubes, by_cube })
    }

    /// A part with its formula and proof.
    fn part(&self, index: usize) -> Result<(Part, [Vec<u8>; 2]), CertifyError> {
        let cube = &self.cubes[index];
        let problem = self.problem.clone().place(cube.iter().copied());
        let problem = problem.expect("no clause excludes these squares");
        let columns: Vec<u16> = cube.iter().map(|queen| column(queen.column)).collect();
        let positions = self.by_cube.get(&columns).map_or(&[][..], Vec::as_slice);
        let solutions = self.solutions.some(problem, positions);
        let formula = Formula::new(&solutions);
        let (mut cnf, mut lrat) = (Vec::new(), Vec::new());
        super::write_formula(&mut cnf, &formula, &solutions)?;
        let mut proof = Proof::new(formula.cnf.len() as u64, &mut lrat, self.head.binary);
        cubes::write(&formula, &solutions, cube, &self.rows, &mut proof)?;
        let lemmas = proof.lemmas();
        proof.finish()?;
        let files = [("cnf", &cnf), ("lrat", &lrat)].map(|(extension, content)| {
            let file = format!("part-{:04}.{extension}", index + 1);
            let mut digested = Digested { file, ..Digested::default() };
            digested.redigest(content);
            digested
        });
        let [formula, proof] = files;
        let cube = cube.iter().map(|queen| queen.column).collect();
        Ok((Part { cube, solutions: solutions.len() as u64, formula, proof, lemmas }, [cnf, lrat]))
    }
}

/// The ways to put queens on these rows that no clause of the formula excludes.
fn open_cubes(formula: &Formula, rows: &[usize]) -> Vec<Vec<Square>> {
    let mut cubes = vec![Vec::new()];
    for &row in rows {
        let longer = cubes.iter().flat_map(|queens: &Vec<Square>| {
            let cells = (0..formula.n()).map(move |column| Square { row, column });
            let open = cells.filter(|&cell| {
                formula.excluded(queens, cell).is_none() && formula.excluded_by_placed(cell).is_none()
            });
            open.map(|cell| [queens.as_slice(), &[cell]].concat())
        });
        cubes = longer.collect();
    }
    cubes
}
