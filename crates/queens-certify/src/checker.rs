//! An external checker of proofs: a command with the placeholders `{cnf}` and `{proof}`. The checker gets files that queenlab has
//! written to a private temporary directory, with safe names.

use std::{fs, io};

use queens_audit::{CheckedBy, ExternalChecker, Objection};
use supervise::command::{CommandError, CommandLine};
use supervise::files::temporary_directory;
use supervise::nanoseconds;
use supervise::process::{Process, Stopped, Supervision};

/// The maximum size of a checker's output, in bytes.
const MAX_OUTPUT_BYTES: u64 = 64 << 20;

/// The maximum length of a command in bytes. There is a maximum because certificates contain the command.
const MAX_COMMAND_BYTES: usize = 1 << 16;

/// A command that checks a proof.
pub struct CheckerCommand {
    command: String,
    line: CommandLine,
}

impl CheckerCommand {
    /// Splits a command into words.
    pub fn parse(command: &str) -> Result<Self, CheckerError> {
        if command.len() > MAX_COMMAND_BYTES {
            return Err(CheckerError::Long);
        }
        let line = CommandLine::parse(command)?;
        // Without a placeholder, the checker would check another file.
        if let Some(placeholder) = ["{cnf}", "{proof}"].into_iter().find(|text| !line.mentions(text)) {
            return Err(CheckerError::Placeholder { command: command.to_owned(), placeholder });
        }
        Ok(Self { command: command.to_owned(), line })
    }
}

/// The reason why a text is not the command of a checker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckerError {
    /// The command is too long for a certificate.
    #[error("the command is longer than {} KiB", MAX_COMMAND_BYTES >> 10)]
    Long,
    /// The command lacks a placeholder.
    #[error(
        "'{command}' does not contain {placeholder}: write {{cnf}} and {{proof}} where these files belong"
    )]
    Placeholder {
        /// The command.
        command: String,
        /// The missing placeholder.
        placeholder: &'static str,
    },
    /// The text is not a command.
    #[error(transparent)]
    Command(#[from] CommandError),
}

impl ExternalChecker for CheckerCommand {
    /// Accepts the proof if the program prints `s VERIFIED`, as most checkers do, or `c VERIFIED`, as the LRAT checker of drat-trim does.
    fn check(&self, formula: &str, proof: &str) -> io::Result<Result<CheckedBy, Objection>> {
        let Self { command, line } = self;
        let directory = temporary_directory("queenlab-")?;
        // The temporary directory may have a relative path.
        let root = std::path::absolute(directory.path())?;
        let (cnf, lrat) = (root.join("formula.cnf"), root.join("proof.lrat"));
        fs::write(&cnf, formula)?;
        fs::write(&lrat, proof)?;
        let command_line = line.command(&[("{cnf}", &cnf), ("{proof}", &lrat)]);
        let supervision = Supervision { max_bytes: Some(MAX_OUTPUT_BYTES), ..Supervision::default() };
        let (printed, ended) = Process::output(command_line, supervision).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot start '{}': {error}", line.program()))
        })?;
        if let Some(Stopped::WrittenBytes(max_bytes)) = ended.stopped {
            let reason = format!("'{command}' was stopped: it printed more than {} MiB", max_bytes >> 20);
            return Err(io::Error::other(reason));
        }
        let text = plaintext::decode(&printed);
        let lines = || text.lines().map(str::trim);
        let is_verified =
            lines().any(|line| line.starts_with("s VERIFIED") || line.starts_with("c VERIFIED"));
        let is_killed = ended.status.code().is_none();
        if is_killed || !is_verified || lines().any(|line| line.contains("NOT VERIFIED")) {
            let last_line = lines().rfind(|line| !line.is_empty()).map(str::to_owned);
            let last_line =
                last_line.or_else(|| ended.last_error_line()).unwrap_or_else(|| "nothing".to_owned());
            let reason = format!("'{command}' did not verify the proof; its last message: {last_line}");
            return Ok(Err(Objection(reason)));
        }
        Ok(Ok(CheckedBy { name: command.clone(), parts: 1, check_ns: nanoseconds(ended.wall) }))
    }
}
