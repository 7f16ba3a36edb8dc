//! `queenlab certify`: the number of solutions, with a proof.

use std::io::Write;
use std::path::Path;

use crate::board::problem::{Problem, Variant};
use crate::escape::Escaped;
use crate::verify::certificate::{
    self, AuditError, Audited, BrokenSymmetry, Certificate, CertifyError, CheckedBy, Phase, Request,
};
use anyhow::Error;

use super::args::{CertifyArguments, Global};
use super::{BadInput, Exit, even_unread, terminal, units};

pub fn run(arguments: &CertifyArguments, global: &Global) -> Result<Exit, Error> {
    match &arguments.audit {
        Some(path) => audit(path, arguments.checker.as_deref(), global),
        None => certify(arguments.problem.get()?, arguments, global),
    }
}

fn certify(problem: Problem, arguments: &CertifyArguments, global: &Global) -> Result<Exit, Error> {
    let name = name(problem.n().get(), &problem.to_string());
    let format = arguments.format.into();
    let symmetry = arguments.symmetry.unwrap_or_else(|| certificate::usual_symmetry(&problem, format));
    let request = Request {
        problem,
        symmetry,
        method: arguments.method.into(),
        format,
        binary: arguments.binary,
        proof: arguments.proof.clone(),
        checker: arguments.checker.clone(),
    };
    let shows_phases = global.progress != super::args::ProgressStyle::None;
    let certified = certificate::certify(&request, |phase| {
        if shows_phases {
            terminal::note(format_args!("{name}: {}", doing(phase)));
        }
    });
    match certified {
        Ok(certificate) => {
            even_unread(print(&certificate, arguments).map_err(Error::from))?;
            Ok(Exit::Success)
        }
        Err(error) if error.is_bad_input() => Err(BadInput(error.to_string()).into()),
        Err(error) if error.is_wrong_answer() => {
            terminal::say(format_args!("{name}: not certified: {error}"));
            Ok(Exit::WrongAnswer)
        }
        Err(error) => Err(error.into()),
    }
}

fn audit(path: &Path, checker: Option<&str>, global: &Global) -> Result<Exit, Error> {
    match certificate::audit(path, checker) {
        Ok(audited) => {
            even_unread(print_audited(path, &audited, global).map_err(Error::from))?;
            Ok(Exit::Success)
        }
        Err(AuditError::Wrong(fault)) => {
            terminal::say(format_args!("{}: not valid: {fault}", Escaped(path.display())));
            Ok(Exit::WrongAnswer)
        }
        // A checker that cannot be started is not bad input.
        Err(AuditError::Failed(CertifyError::Io(error))) => Err(error.into()),
        Err(error) => Err(BadInput(error.to_string()).into()),
    }
}

fn print_audited(path: &Path, audited: &Audited, global: &Global) -> std::io::Result<()> {
    let mut out = super::out();
    let Audited { certificate: Certificate { n, variant, solutions, .. }, checkers, unchecked } = audited;
    let name = name(*n, variant);
    let plural = if *solutions == 1 { "" } else { "s" };
    writeln!(out, "{}: valid: {name}: exactly {solutions} solution{plural}", Escaped(path.display()))?;
    if global.quiet {
        return Ok(());
    }
    for CheckedBy { name, check_ns } in checkers {
        writeln!(out, "checked  {} by {}", units::time(*check_ns), Escaped(name))?;
    }
    writeln!(out, "not checked: {}", unchecked.join(", "))
}

/// `n=8`, or `n=8, toroidal` for a problem other than plain queens.
fn name(n: usize, variant: &str) -> String {
    if variant == Variant::Queens.name() { format!("n={n}") } else { format!("n={n}, {}", Escaped(variant)) }
}

fn doing(phase: Phase) -> &'static str {
    match phase {
        Phase::Enumerate => "enumerating",
        Phase::Formula => "writing the formula",
        Phase::Prove => "proving that there are no other solutions",
        Phase::Check => "checking the proof",
    }
}

fn print(certificate: &Certificate, arguments: &CertifyArguments) -> std::io::Result<()> {
    let mut out = super::out();
    let Certificate { n, variant, solutions, formula, proof, lemmas, clauses, .. } = certificate;
    let name = name(*n, variant);
    let plural = if *solutions == 1 { "" } else { "s" };
    writeln!(out, "{name}: exactly {solutions} solution{plural}, proved")?;
    writeln!(out, "formula  {clauses} clauses, {} bytes, SHA-256 {}", formula.bytes, formula.sha256)?;
    if let Some(symmetry) = &certificate.symmetry {
        let BrokenSymmetry { clauses, representatives, .. } = symmetry;
        writeln!(
            out,
            "symmetry {clauses} clauses; solutions that satisfy them: {representatives} of {solutions}"
        )?;
    }
    writeln!(out, "proof    {lemmas} lemmas, {} bytes, SHA-256 {}", proof.bytes, proof.sha256)?;
    writeln!(out, "proving  {}", units::time(certificate.prove_ns))?;
    for checker in &certificate.checkers {
        writeln!(out, "checked  {} by {}", units::time(checker.check_ns), Escaped(&checker.name))?;
    }
    if let Some(path) = &arguments.proof {
        let [formula, certificate] = [path.with_file_name(&formula.file), path.with_extension("json")];
        let [proof, formula, certificate] =
            [path, &formula, &certificate].map(|path| Escaped(path.display()));
        writeln!(out, "written  {proof} {formula} {certificate}")?;
    }
    Ok(())
}
