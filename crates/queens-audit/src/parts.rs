//! The audit of the parts of a certificate: the check of each part, and the check that the cubes of the parts cover the search space.
//!
//! The problem of a part is the whole problem, with the queens of the cube required. The solutions that the parts deny are collected,
//! and their images under symmetry are counted.

#![expect(clippy::disallowed_methods, reason = "a certificate says how long its check took")]

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lrat_check::{Checker, Literal, LratReadError, ProofVerdict, Step};

use super::clauses::{BoardRules, FormulaCheck};
use super::description::{Certificate, CheckedBy, Part};
use super::source::Source;
use super::{AuditError, CertificateFault, CubeFault, ExternalChecker, Files, check_claim, cover, orbits};
use queens_board::Square;
use queens_board::problem::Problem;
use queens_board::symmetry::Symmetry;

/// The name of the built-in checker of proofs.
pub const BUILT_IN: &str = "built-in lrat-check";

/// The audit of the parts of one certificate.
pub struct PartsAudit<'a> {
    board: BoardRules,
    cube_rows: Vec<usize>,
    external: Option<&'a dyn ExternalChecker>,
    totals: Mutex<Totals>,
}

/// The sums over all parts.
#[derive(Default)]
struct Totals {
    /// The number of denied solutions.
    solutions: usize,
    /// The columns of the denied solutions, one solution after another.
    columns: Vec<u32>,
    /// The checkers that accepted proofs, with the number of parts and the time of each.
    checkers: Vec<CheckedBy>,
}

impl<'a> PartsAudit<'a> {
    /// Begins the audit of a certificate. Uses only the problem, the symmetry and the cube rows of the certificate.
    ///
    /// # Errors
    ///
    /// The certificate has no valid problem.
    pub fn new(
        certificate: &Certificate,
        external: Option<&'a dyn ExternalChecker>,
    ) -> Result<Self, AuditError> {
        let problem = certificate.problem().map_err(AuditError::NoCertificate)?;
        let (symmetries, order, breaking_clauses) = match &certificate.symmetry {
            Some(broken) => (problem.symmetries(), broken.rows.clone(), broken.clauses),
            None => (Symmetry::ALL[..1].to_vec(), Vec::new(), 0),
        };
        let board = BoardRules::new(problem, symmetries, order, breaking_clauses);
        Ok(Self { board, cube_rows: certificate.cube_rows.clone(), external, totals: Mutex::default() })
    }

    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The problem of a part.
    fn problem(&self, part: &Part) -> Result<Problem, CertificateFault> {
        if part.cube.len() != self.cube_rows.len() {
            return Err(CertificateFault::Cubes(CubeFault::Length));
        }
        let rows = self.cube_rows.iter();
        let queens = rows.zip(&part.cube).map(|(&row, &column)| Square { row, column });
        let problem = self.board.problem.clone().place(queens);
        problem.map_err(|error| CertificateFault::Cubes(CubeFault::Problem(error)))
    }

    /// Checks every statement of a part, and collects the solutions that the part denies. If `runs_external` is true, the
    /// external checker also checks the part.
    ///
    /// # Errors
    ///
    /// The first statement that does not hold, or a file that cannot be read.
    pub fn judge(&self, part: &Part, files: &dyn Files, runs_external: bool) -> Result<(), AuditError> {
        let problem = self.problem(part)?;
        let result = self.check_part(part, &problem, files, self.external.filter(|_| runs_external));
        result.map_err(|error| match error {
            AuditError::Wrong(fault) if !part.cube.is_empty() => {
                CertificateFault::Part { problem: Box::new(problem), fault: Box::new(fault) }.into()
            }
            error => error,
        })
    }

    fn check_part(
        &self,
        part: &Part,
        problem: &Problem,
        files: &dyn Files,
        external: Option<&dyn ExternalChecker>,
    ) -> Result<(), AuditError> {
        let mut formula = Source::open(&part.formula, files)?;
        let mut proof = Source::open(&part.proof, files)?;
        let mut clauses = FormulaCheck::new(&self.board, problem);
        let (n, total) = (self.board.n(), clauses.total(part.solutions));
        let mut copy = external.map(|_| TextCopy::new(n * n, total));
        let mut fault = None;
        let read_result = Checker::read(&mut formula, |clause| {
            if fault.is_none() {
                fault = clauses.check_next(clause).err();
            }
            if let Some(copy) = &mut copy {
                copy.add_clause(clause);
            }
        });
        formula.finish()?;
        let checker = read_result.map_err(unreadable)?;
        if let Some(fault) = fault {
            return Err(fault.into());
        }
        clauses.check_complete()?;
        check_claim("solutions of the part", part.solutions, clauses.solutions as u64)?;

        let start = Instant::now();
        let check_result = checker.check(&mut proof, |step| {
            if let Some(copy) = &mut copy {
                copy.add_step(step);
            }
        });
        proof.finish()?;
        let verdict = check_result.map_err(unreadable)?;
        match verdict {
            ProofVerdict::Rejected(rejection) => {
                return Err(CertificateFault::Proof(rejection).into());
            }
            // The formula of the empty board contains the empty clause, so the proof is not read.
            ProofVerdict::Verified(counts) if n > 0 => {
                check_claim("lemmas", part.lemmas, counts.lemmas)?;
            }
            ProofVerdict::Verified(_) => {}
        }
        let check_ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let external = match external.zip(copy) {
            Some((external, copy)) => {
                Some(external.check(&copy.formula, &copy.proof)?.map_err(CertificateFault::Objection)?)
            }
            None => None,
        };
        let mut totals = self.totals();
        totals.add_checker(CheckedBy { name: BUILT_IN.to_owned(), parts: 1, check_ns });
        external.into_iter().for_each(|external| totals.add_checker(external));
        totals.solutions += clauses.solutions;
        totals.columns.append(&mut clauses.columns);
        Ok(())
    }

    /// Checks that the cubes of the parts cover the search space.
    ///
    /// # Errors
    ///
    /// Invalid cube rows, a cube that two parts have, or a placement on the cube rows that no part covers.
    pub fn check_cover(&self, parts: &[Part]) -> Result<(), CertificateFault> {
        let cubes: Vec<&[usize]> = parts.iter().map(|part| part.cube.as_slice()).collect();
        let result = cover::check(&self.board, &self.cube_rows, &cubes);
        result.map_err(CertificateFault::Cubes)
    }

    /// Returns the number and the digest of the images of all denied solutions, and the checkers.
    ///
    /// # Errors
    ///
    /// An image of a denied solution is not a solution.
    pub fn count_solutions(self) -> Result<(u64, String, Vec<CheckedBy>), CertificateFault> {
        let BoardRules { problem, symmetries, .. } = &self.board;
        let Totals { solutions, columns, checkers } =
            self.totals.into_inner().unwrap_or_else(PoisonError::into_inner);
        let n = problem.n().get();
        let denied = (0..solutions).map(|index| &columns[index * n..(index + 1) * n]);
        let (count, digest) =
            orbits::count_images(problem, symmetries, denied).map_err(CertificateFault::Image)?;
        Ok((count, digest, checkers))
    }
}

fn unreadable(error: LratReadError) -> AuditError {
    match error {
        LratReadError::Formula(error) => CertificateFault::Formula(error).into(),
        LratReadError::Proof(error) => AuditError::Failed(error),
    }
}

impl Totals {
    /// Adds the parts and the time of a checker to its totals.
    fn add_checker(&mut self, new: CheckedBy) {
        match self.checkers.iter_mut().find(|checker| checker.name == new.name) {
            Some(checker) => {
                checker.parts += new.parts;
                checker.check_ns += new.check_ns;
            }
            None => self.checkers.push(new),
        }
    }
}

/// The formula and the proof of one part as text for an external checker, written from the parsed clauses and steps. The checker does
/// not get the original files: programs treat comments, headers and blanks differently, so a crafted file could contain one formula for
/// the audit and another formula for the checker.
struct TextCopy {
    formula: String,
    proof: String,
    /// The id of the last lemma. In the text format, a deletion begins with this id.
    last_id: u64,
}

impl TextCopy {
    /// Begins the copy of a formula with this number of variables and clauses.
    fn new(variables: usize, clauses: u64) -> Self {
        Self { formula: format!("p cnf {variables} {clauses}\n"), proof: String::new(), last_id: clauses }
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.formula += &format!("{}\n", numbers(clause));
    }

    fn add_step(&mut self, step: Step<'_>) {
        self.proof += &match step {
            Step::Lemma { id, clause, hints } => {
                self.last_id = id;
                format!("{id} {} {}\n", numbers(clause), numbers(hints))
            }
            Step::Deletion { ids } => format!("{} d {}\n", self.last_id, numbers(ids)),
        };
    }
}

/// Formats a list of numbers that ends with 0.
fn numbers<T: Display>(numbers: &[T]) -> String {
    numbers.iter().map(|number| format!("{number} ")).collect::<String>() + "0"
}
