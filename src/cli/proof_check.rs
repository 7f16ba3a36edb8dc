//! `queenlab proof-check`: the built-in LRAT checker on any formula and proof.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::escape::Escaped;
use crate::verify::lrat::{self, Verdict};
use crate::words::counted;
use anyhow::Error;

use super::args::ProofCheckArguments;
use super::{BadInput, Exit, even_unread, terminal};

pub fn run(arguments: &ProofCheckArguments) -> Result<Exit, Error> {
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
            terminal::note(format_args!(
                "{}, {}, {}",
                counted(checked.clauses, "clause"),
                counted(checked.lemmas, "lemma"),
                counted(checked.deleted, "deletion")
            ));
            Ok(Exit::Success)
        }
        Verdict::Rejected(rejection) => {
            say("s NOT VERIFIED")?;
            terminal::say(format_args!("{}: {rejection}", Escaped(arguments.proof.display())));
            Ok(Exit::WrongAnswer)
        }
    }
}

fn say(verdict: &str) -> Result<(), Error> {
    even_unread(writeln!(std::io::stdout(), "{verdict}").map_err(Error::from))
}
