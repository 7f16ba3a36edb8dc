//! Another checker of proofs, as a command with `{cnf}` and `{proof}`. It gets files that queenlab has written itself, in a
//! private directory under safe names.

use std::{fs, io};

use queens_audit::{CheckedBy, Objection, OtherChecker};
use supervise::command::{CommandError, CommandLine};
use supervise::files::temporary_directory;
use supervise::nanoseconds;
use supervise::process::{Process, Stopped, Supervision};

/// The maximum number of bytes that it may print.
const MAX_PRINTED: u64 = 64 << 20;

/// The longest command: certificates contain it.
const LONGEST: usize = 1 << 16;

/// A command that checks a proof.
pub struct CheckerCommand {
    command: String,
    line: CommandLine,
}

impl CheckerCommand {
    /// Splits a command into words.
    pub fn parse(command: &str) -> Result<Self, CheckerError> {
        if command.len() > LONGEST {
            return Err(CheckerError::Long);
        }
        let line = CommandLine::parse(command)?;
        // Without them, its answer is about another formula or another proof.
        if let Some(place) = ["{cnf}", "{proof}"].into_iter().find(|place| !line.mentions(place)) {
            return Err(CheckerError::Placeholder { command: command.to_owned(), place });
        }
        Ok(Self { command: command.to_owned(), line })
    }
}

/// The reason why a text is not the command of a checker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckerError {
    /// It is too long for a certificate.
    #[error("the command is longer than {} KiB", LONGEST >> 10)]
    Long,
    /// It does not say where a file belongs.
    #[error("'{command}' does not contain {place}: write {{cnf}} and {{proof}} where these files belong")]
    Placeholder {
        /// The command.
        command: String,
        /// What it lacks.
        place: &'static str,
    },
    /// It is not a command.
    #[error(transparent)]
    Command(#[from] CommandError),
}

impl OtherChecker for CheckerCommand {
    /// The program must print `s VERIFIED`, as most do, or `c VERIFIED`, as that of drat-trim does.
    fn check(&self, formula: &str, proof: &str) -> io::Result<Result<CheckedBy, Objection>> {
        let Self { command, line } = self;
        let directory = temporary_directory("queenlab-")?;
        // The temporary directory may have a relative path.
        let root = std::path::absolute(directory.path())?;
        let (cnf, lrat) = (root.join("formula.cnf"), root.join("proof.lrat"));
        fs::write(&cnf, formula)?;
        fs::write(&lrat, proof)?;
        let filled = line.command(&[("{cnf}", &cnf), ("{proof}", &lrat)]);
        let supervision = Supervision { most: Some(MAX_PRINTED), ..Supervision::default() };
        let (printed, ended) = Process::output(filled, supervision).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot start '{}': {error}", line.program()))
        })?;
        if let Some(Stopped::TooMuch(most)) = ended.stopped {
            let reason = format!("'{command}' was stopped: it printed more than {} MiB", most >> 20);
            return Err(io::Error::other(reason));
        }
        let text = plaintext::decode(&printed);
        let lines = || text.lines().map(str::trim);
        let verified = lines().any(|line| line.starts_with("s VERIFIED") || line.starts_with("c VERIFIED"));
        let killed = ended.status.code().is_none();
        if killed || !verified || lines().any(|line| line.contains("NOT VERIFIED")) {
            let last = lines().rfind(|line| !line.is_empty()).map(str::to_owned);
            let last = last.or_else(|| ended.last_words()).unwrap_or_else(|| "nothing".to_owned());
            let reason = format!("'{command}' did not verify the proof; its last message: {last}");
            return Ok(Err(Objection(reason)));
        }
        Ok(Ok(CheckedBy { name: command.clone(), parts: 1, check_ns: nanoseconds(ended.wall) }))
    }
}
