//! `queenlab certify`: exactly so many solutions, with a proof.

use std::io::Write;

use anyhow::Error;
use queenlab::verify::certificate::{self, Certificate, CertifyError, Phase, Request};

use super::args::{CertifyArguments, Global};
use super::{BadInput, Exit, even_unread, units};

pub fn run(arguments: &CertifyArguments, global: &Global) -> Result<Exit, Error> {
    let request = Request {
        n: arguments.n.get(),
        method: arguments.method.into(),
        format: arguments.format.into(),
        binary: arguments.binary,
        proof: arguments.proof.clone(),
        checker: arguments.checker.clone(),
    };
    let told = !global.quiet && global.progress != super::args::ProgressStyle::None;
    let certified = certificate::certify(&request, |phase| {
        if told {
            eprintln!("n={}: {}", arguments.n, doing(phase));
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
            eprintln!("n={}: not certified: {error}", arguments.n);
            Ok(Exit::WrongAnswer)
        }
        Err(error) => Err(error.into()),
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
