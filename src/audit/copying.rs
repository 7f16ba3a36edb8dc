//! Copies for another checker: formula and proof as the audit has read them, as text. Programs disagree about comments,
//! headers and blanks, so that a crafted file could show a checker another formula than the audit.

use std::io::{self, Write};

use lrat_check::{Literal, Step};

use super::description::CheckedBy;
use super::{AuditError, CertificateFault, Copies};

/// The copies of one part.
pub struct Copying<'o> {
    copies: Box<dyn Copies + 'o>,
    /// The id of the last lemma, which a deletion repeats in the text form.
    last: u64,
    failure: Option<io::Error>,
}

impl<'o> Copying<'o> {
    /// Begins the copy of a formula with this number of variables and clauses.
    pub fn new(mut copies: Box<dyn Copies + 'o>, variables: usize, clauses: u64) -> io::Result<Self> {
        writeln!(copies.formula(), "p cnf {variables} {clauses}")?;
        Ok(Self { copies, last: clauses, failure: None })
    }

    pub fn clause(&mut self, clause: &[Literal]) {
        let out = self.copies.formula();
        let written = literals(out, clause).and_then(|()| writeln!(out));
        self.failure = self.failure.take().or(written.err());
    }

    pub fn step(&mut self, step: Step<'_>) {
        let out = self.copies.proof();
        let written = match step {
            Step::Lemma { id, clause, hints } => {
                self.last = id;
                write!(out, "{id} ").and_then(|()| literals(out, clause)).and_then(|()| ids(out, " ", hints))
            }
            Step::Deletion { ids: deleted } => ids(out, &format!("{} d ", self.last), deleted),
        };
        self.failure = self.failure.take().or(written.err());
    }

    /// Asks the other checker.
    pub fn ask(self) -> Result<CheckedBy, AuditError> {
        match self.failure {
            Some(failure) => Err(failure.into()),
            None => self.copies.ask()?.map_err(|no| CertificateFault::OtherChecker(no).into()),
        }
    }
}

fn literals(out: &mut dyn Write, clause: &[Literal]) -> io::Result<()> {
    clause.iter().try_for_each(|literal| write!(out, "{literal} "))?;
    write!(out, "0")
}

fn ids(out: &mut dyn Write, before: &str, ids: &[i64]) -> io::Result<()> {
    write!(out, "{before}")?;
    ids.iter().try_for_each(|id| write!(out, "{id} "))?;
    writeln!(out, "0")
}
