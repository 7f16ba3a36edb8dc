//! `queenlab proof-check`: the built-in LRAT checker on any formula and proof.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::verify::lrat::{self, Verdict};
use anyhow::Error;

use super::args::{Global, ProofCheckArguments};
use super::{BadInput, Exit, even_unread};

pub fn run(arguments: &ProofCheckArguments, global: &Global) -> Result<Exit, Error> {
    let open = |path: &Path| {
        let unreadable = |error| BadInput(format!("cannot read {}: {error}", path.display()));
        File::open(path).map_err(unreadable)
    };
    let (formula, proof) = (open(&arguments.formula)?, open(&arguments.proof)?);
    let verdict = lrat::check(formula, proof).map_err(|error| {
        let path = match error {
            lrat::ReadError::Formula(_) => &arguments.formula,
            lrat::ReadError::Proof(_) => &arguments.proof,
        };
        BadInput(format!("{}: {error}", path.display()))
    })?;
    match verdict {
        Verdict::Verified(checked) => {
            say("s VERIFIED")?;
            if !global.quiet {
                eprintln!(
                    "{} clauses, {} lemmas, {} deletions",
                    checked.clauses, checked.lemmas, checked.deleted
                );
            }
            Ok(Exit::Success)
        }
        Verdict::Rejected(rejection) => {
            say("s NOT VERIFIED")?;
            eprintln!("{}: {rejection}", arguments.proof.display());
            Ok(Exit::WrongAnswer)
        }
    }
}

fn say(verdict: &str) -> Result<(), Error> {
    even_unread(writeln!(std::io::stdout(), "{verdict}").map_err(Error::from))
}
