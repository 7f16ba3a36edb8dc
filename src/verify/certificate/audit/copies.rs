//! Copies for another checker: formula and proof as the audit has read them.
//! Programs disagree about comments, headers and blanks, so a crafted file could show a checker another formula
//! than the audit. The copies contain only numbers, in a private directory under safe names.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;

use tempfile::TempDir;

use crate::files::{Temporary, temporary_directory};
use crate::verify::certificate::writer::Stream;
use crate::verify::certificate::{Certificate, Format};
use crate::verify::lrat::{Kind, Steps};

/// Copies that are being written.
pub(super) struct Copies {
    directory: Temporary<TempDir>,
    format: Format,
    formula: BufWriter<File>,
    proof: Stream<File>,
    failure: Option<io::Error>,
}

/// Finished copies; dropping this removes them.
pub(super) struct Copied {
    _directory: Temporary<TempDir>,
    pub formula: PathBuf,
    pub proof: PathBuf,
}

impl Copies {
    /// Begins copies of the files of a certificate. The caller checks that the formula has the claimed number of
    /// clauses.
    pub fn new(certificate: &Certificate) -> io::Result<Self> {
        let directory = temporary_directory()?;
        let [formula, proof] = paths(&directory, certificate.format);
        let mut formula = BufWriter::new(File::create_new(formula)?);
        writeln!(formula, "p cnf {} {}", certificate.variables, certificate.clauses)?;
        let proof = Stream::new(File::create_new(proof)?, certificate.stated.binary);
        Ok(Self { directory, format: certificate.format, formula, proof, failure: None })
    }

    /// Adds a clause of the formula.
    pub fn clause(&mut self, clause: &[i64]) {
        let out = &mut self.formula;
        let written = clause.iter().try_for_each(|literal| write!(out, "{literal} "));
        let written = written.and_then(|()| out.write_all(b"0\n"));
        self.failure = self.failure.take().or(written.err());
    }

    /// Adds a step of the proof.
    pub fn step<R: Read>(&mut self, kind: Kind, steps: &Steps<R>) {
        let out = &mut self.proof;
        let hinted = self.format == Format::Lrat;
        match (kind, hinted) {
            (Kind::Lemma, true) => {
                out.add();
                out.id(steps.id);
            }
            (Kind::Lemma, false) => out.add(),
            (Kind::Deletion, true) => out.delete_at(steps.id),
            (Kind::Deletion, false) => out.delete(),
        }
        steps.clause.iter().for_each(|literal| out.number(literal.dimacs()));
        if kind == Kind::Lemma && hinted {
            out.zero();
        }
        steps.hints.iter().for_each(|&hint| out.number(hint));
        self.failure = self.failure.take().or(out.end().err());
    }

    /// Finishes the copies.
    pub fn finish(mut self) -> io::Result<Copied> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.formula.flush()?;
        self.proof.flush()?;
        let [formula, proof] = paths(&self.directory, self.format);
        Ok(Copied { _directory: self.directory, formula, proof })
    }
}

fn paths(directory: &TempDir, format: Format) -> [PathBuf; 2] {
    let proof = if format == Format::Lrat { "proof.lrat" } else { "proof.drat" };
    ["formula.cnf", proof].map(|name| directory.path().join(name))
}
