//! `queenlab certify`: exactly so many solutions, with a proof.

use std::io::Write;
use std::path::Path;

use crate::board::BoardSize;
use crate::verify::certificate::{
    self, AuditError, Audited, Certificate, CertifyError, Checker, Phase, Request,
};
use anyhow::Error;

use super::args::{CertifyArguments, Global};
use super::{BadInput, Exit, even_unread, units};

pub fn run(arguments: &CertifyArguments, global: &Global) -> Result<Exit, Error> {
    match (arguments.n, &arguments.audit) {
        (_, Some(path)) => audit(path, arguments.checker.as_deref(), global),
        (Some(n), None) => certify(n, arguments, global),
        (None, None) => Err(BadInput("name a board size, or a certificate with --audit".into()).into()),
    }
}

fn certify(n: BoardSize, arguments: &CertifyArguments, global: &Global) -> Result<Exit, Error> {
    let request = Request {
        n: n.get(),
        method: arguments.method.into(),
        format: arguments.format.into(),
        binary: arguments.binary,
        proof: arguments.proof.clone(),
        checker: arguments.checker.clone(),
    };
    let told = !global.quiet && global.progress != super::args::ProgressStyle::None;
    let certified = certificate::certify(&request, |phase| {
        if told {
            eprintln!("n={n}: {}", doing(phase));
        }
    });
    match certified {
        Ok(certificate) => {
            even_unread(print(&certificate, arguments).map_err(Error::from))?;
            Ok(Exit::Success)
        }
        Err(error @ (CertifyError::TooLarge(_) | CertifyError::Name(_) | CertifyError::Command(_))) => {
            Err(BadInput(error.to_string()).into())
        }
        Err(error) if error.is_wrong_answer() => {
            eprintln!("n={n}: not certified: {error}");
            Ok(Exit::WrongAnswer)
        }
        Err(error) => Err(error.into()),
    }
}

fn audit(path: &Path, checker: Option<&str>, global: &Global) -> Result<Exit, Error> {
    match certificate::audit(path, checker) {
        Ok(audited) => {
            let Audited { certificate: Certificate { n, solutions, .. }, checkers } = &audited;
            let plural = if *solutions == 1 { "" } else { "s" };
            let mut text =
                format!("{}: it holds: n={n}: exactly {solutions} solution{plural}\n", path.display());
            for Checker { name, check_ns } in checkers.iter().filter(|_| !global.quiet) {
                text += &format!("checked  {} by {name}\n", units::time(*check_ns));
            }
            even_unread(std::io::stdout().write_all(text.as_bytes()).map_err(Error::from))?;
            Ok(Exit::Success)
        }
        Err(AuditError::Wrong(fault)) => {
            eprintln!("{}: it does not hold: {fault}", path.display());
            Ok(Exit::WrongAnswer)
        }
        // Not bad input: a checker that cannot be started.
        Err(AuditError::Failed(CertifyError::Io(error))) => Err(error.into()),
        Err(error) => Err(BadInput(error.to_string()).into()),
    }
}

fn doing(phase: Phase) -> &'static str {
    match phase {
        Phase::Enumerate => "enumerating",
        Phase::Formula => "writing the formula",
        Phase::Prove => "proving that there are no more",
        Phase::Check => "checking the proof",
    }
}

fn print(certificate: &Certificate, arguments: &CertifyArguments) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let Certificate { n, solutions, formula, proof, lemmas, clauses, .. } = certificate;
    let plural = if *solutions == 1 { "" } else { "s" };
    writeln!(out, "n={n}: exactly {solutions} solution{plural}, proved")?;
    writeln!(out, "formula  {clauses} clauses, {} bytes, SHA-256 {}", formula.bytes, formula.sha256)?;
    writeln!(out, "proof    {lemmas} lemmas, {} bytes, SHA-256 {}", proof.bytes, proof.sha256)?;
    writeln!(out, "proving  {}", units::time(certificate.prove_ns))?;
    for checker in &certificate.checkers {
        writeln!(out, "checked  {} by {}", units::time(checker.check_ns), checker.name)?;
    }
    if let Some(path) = &arguments.proof {
        let [formula, certificate] = ["cnf", "json"].map(|extension| path.with_extension(extension));
        writeln!(out, "written  {} {} {}", path.display(), formula.display(), certificate.display())?;
    }
    Ok(())
}
