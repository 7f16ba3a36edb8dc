//! The audit of a certificate in parts: each part as a certificate of its own problem, then the closing argument.
//!
//! A part's problem is the whole problem with the queens of its cube, so that `clauses.rs` derives the meaning of each
//! clause from the definition. Only the clauses that break symmetry refer to the symmetries of the whole problem. The
//! solutions that all parts deny are collected, and their images counted.

use std::collections::BTreeMap;
use std::io::Read;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::clauses::Clauses;
use super::source::Source;
use super::{AuditError, Audited, CertificateFault, is_so, judge, largest, problem_of};
use crate::board::Square;
use crate::board::problem::Problem;
use crate::board::symmetry::Symmetry;
use crate::verify::certificate::cover::Board;
use crate::verify::certificate::parts::{in_parallel, summed};
use crate::verify::certificate::{
    BrokenSymmetry, Certificate, CheckedBy, Composition, Digested, Part, Stated, orbits,
};

/// The audit of the parts of one certificate.
pub(in crate::verify::certificate) struct Parts<'c> {
    /// What the certificate states; its solutions and checkers are not used.
    head: &'c Stated,
    problem: Problem,
    symmetries: Vec<Symmetry>,
    broken: BrokenSymmetry,
    /// The number and the columns of the solutions that the parts deny.
    denied: Mutex<(usize, Vec<u16>)>,
}

impl<'c> Parts<'c> {
    /// An error if the certificate cannot be audited.
    pub fn new(head: &'c Stated) -> Result<Self, AuditError> {
        let problem = problem_of(head, largest(head));
        let problem = problem.map_err(AuditError::not_read)?;
        let symmetries = match head.symmetry {
            Some(_) => problem.symmetries(),
            None => Symmetry::ALL[..1].to_vec(),
        };
        Ok(Self { head, problem, symmetries, broken: head.broken(), denied: Mutex::default() })
    }

    /// The statements of a part about its files, and its problem.
    fn statements(&self, part: &Part) -> Result<(Certificate, Problem), AuditError> {
        let rows = self.head.cube_rows.iter();
        let queens: Vec<Square> =
            rows.zip(&part.cube).map(|(&row, &column)| Square { row, column }).collect();
        if part.cube.len() != self.head.cube_rows.len() {
            return Err(CertificateFault::Cubes("a cube has not one column per cube row".into()).into());
        }
        let before = self.problem.placed().len();
        let problem = self.problem.clone().place(queens);
        let problem = problem.map_err(|error| CertificateFault::Cubes(error.to_string()))?;
        let required = problem.placed().len() - before;
        let certificate = self.head.of_part(part, &problem, required);
        super::names_files(&certificate).map_err(AuditError::not_read)?;
        Ok((certificate, problem))
    }

    /// Checks every statement of a part about its files, and collects the solutions that it denies.
    fn judge<R: Read>(
        &self,
        part: &Part,
        open: impl Fn(&Digested) -> Result<Source<R>, AuditError>,
        checker: Option<&str>,
    ) -> Result<Vec<CheckedBy>, AuditError> {
        let (certificate, problem) = self.statements(part)?;
        let [formula, proof] = [open(&part.formula)?, open(&part.proof)?];
        let breaking = certificate.stated.symmetry.clone().map(|broken| (broken, self.symmetries.clone()));
        let clauses = Clauses::new(&problem, certificate.stated.encoding_clauses, breaking);
        let judged = judge(&certificate, clauses, formula, proof, checker, |clauses| {
            let denied = clauses.denied()?;
            is_so("solutions of the part", part.solutions, denied.len() as u64)?;
            let (len, columns) = &mut *self.denied.lock().unwrap_or_else(PoisonError::into_inner);
            *len += denied.len();
            denied.iter().for_each(|solution| columns.extend(solution.columns()));
            Ok(())
        });
        judged.map_err(|error| match error {
            AuditError::Wrong(fault) => {
                CertificateFault::Part { problem: problem.to_string(), fault: Box::new(fault) }.into()
            }
            error => error,
        })
    }

    /// The same with the content of the formula and the proof.
    pub fn judge_in_memory(
        &self,
        part: &Part,
        files: &[Vec<u8>; 2],
        checker: Option<&str>,
    ) -> Result<Vec<CheckedBy>, AuditError> {
        let content = |file: &Digested| if *file == part.formula { &files[0] } else { &files[1] };
        let open = |file: &Digested| {
            Ok(Source::new(PathBuf::from(&file.file), file.clone(), content(file).as_slice()))
        };
        self.judge(part, open, checker)
    }

    /// Checks that the parts deny the claimed number of solutions, and that their cubes cover the board.
    pub fn covers(&self, parts: &[Part]) -> Result<(), CertificateFault> {
        if self.head.symmetry.is_some() {
            let denied = parts.iter().map(|part| part.solutions).fold(0, u64::saturating_add);
            is_so("symmetry.representatives", self.broken.representatives, denied)?;
        }
        let cubes: Vec<&[usize]> = parts.iter().map(|part| part.cube.as_slice()).collect();
        let (problem, symmetries) = (&self.problem, self.symmetries.as_slice());
        let board = Board { problem, symmetries, order: &self.broken.rows, cube_rows: &self.head.cube_rows };
        board.is_covered(&cubes).map_err(CertificateFault::Cubes)
    }

    /// The number and the digest of the images of all solutions that the parts deny.
    pub fn count(self) -> Result<(u64, String), CertificateFault> {
        let (len, columns) = self.denied.into_inner().unwrap_or_else(PoisonError::into_inner);
        let n = self.problem.n().get();
        let denied = (0..len).map(|index| &columns[index * n..(index + 1) * n]);
        orbits::closure(&self.problem, &self.symmetries, denied)
            .map_err(|image| CertificateFault::Image(image.to_string()))
    }
}

/// Audits a certificate in parts. Also runs `checker`, if given, on each part.
fn audit_parts<R: Read>(
    path: &Path,
    composition: Composition,
    open: impl Fn(&Digested) -> Result<Source<R>, AuditError> + Sync + Send,
    checker: Option<&str>,
    threads: NonZeroUsize,
) -> Result<Audited, AuditError> {
    let audit = Parts::new(&composition.stated)?;
    audit.covers(&composition.parts)?;
    if !composition.kept {
        return Err(AuditError::NotKept { path: path.to_owned(), parts: composition.parts.len() });
    }
    let judge = |index: usize| audit.judge(&composition.parts[index], &open, checker);
    let checkers = in_parallel(threads, composition.parts.len(), judge)?;
    let (solutions, digest) = audit.count()?;
    is_so("solutions", composition.stated.solutions, solutions)?;
    is_so("solutions_sha256", &composition.stated.solutions_sha256, &digest)?;
    Ok(Audited {
        n: composition.stated.n,
        variant: composition.stated.variant,
        solutions,
        checkers: summed(checkers.into_iter().flatten()),
        unchecked: vec!["checkers", "threads", "enumerate_ns", "prove_ns", "queenlab_version"],
    })
}

/// Audits a certificate in parts and the files beside it.
pub fn audit(
    path: &Path,
    composition: Composition,
    checker: Option<&str>,
    threads: NonZeroUsize,
) -> Result<Audited, AuditError> {
    audit_parts(path, composition, |file| Source::open(path, file.clone()), checker, threads)
}

/// The same with the files in memory.
pub fn audit_in_memory(
    composition: &Composition,
    files: &BTreeMap<String, Vec<u8>>,
) -> Result<(), AuditError> {
    let open = |file: &Digested| {
        let content = files.get(&file.file).map_or(&[][..], Vec::as_slice);
        Ok(Source::new(PathBuf::from(&file.file), file.clone(), content))
    };
    let path = Path::new("certificate.json");
    audit_parts(path, composition.clone(), open, None, NonZeroUsize::MIN).map(drop)
}
