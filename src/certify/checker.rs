//! Another checker of proofs, as a command with `{cnf}` and `{proof}`. It gets files that queenlab has written itself, in a
//! private directory under safe names.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use tempfile::TempDir;

use crate::audit::{CheckedBy, Copies, OtherChecker};
use crate::command::CommandLine;
use crate::files::{Temporary, temporary_directory};
use crate::os::process::{Process, Stopped, Supervision};
use crate::record::nanoseconds;

/// The most bytes that it may print.
const MOST_PRINTED: u64 = 64 << 20;

/// A command that checks a proof.
pub struct Checker {
    command: String,
    line: CommandLine,
}

impl Checker {
    /// Splits a command into words; an error says how to correct it.
    pub fn parse(command: &str) -> Result<Self, String> {
        Ok(Self { command: command.to_owned(), line: CommandLine::parse(command)? })
    }
}

impl OtherChecker for Checker {
    fn begin(&self) -> io::Result<Box<dyn Copies + '_>> {
        let directory = temporary_directory()?;
        // The temporary directory may have a relative path.
        let root = std::path::absolute(directory.path())?;
        let paths = ["formula.cnf", "proof.lrat"].map(|name| root.join(name));
        let create = |path: &PathBuf| File::create_new(path).map(BufWriter::new);
        let (formula, proof) = (create(&paths[0])?, create(&paths[1])?);
        Ok(Box::new(InDirectory { checker: self, paths, formula, proof, _directory: directory }))
    }
}

/// Copies that are deleted on drop.
struct InDirectory<'c> {
    checker: &'c Checker,
    paths: [PathBuf; 2],
    formula: BufWriter<File>,
    proof: BufWriter<File>,
    _directory: Temporary<TempDir>,
}

impl Copies for InDirectory<'_> {
    fn formula(&mut self) -> &mut dyn Write {
        &mut self.formula
    }

    fn proof(&mut self) -> &mut dyn Write {
        &mut self.proof
    }

    /// The program must print `s VERIFIED`, as most do, or `c VERIFIED`, as that of drat-trim does.
    fn ask(mut self: Box<Self>) -> io::Result<Result<CheckedBy, String>> {
        self.formula.flush()?;
        self.proof.flush()?;
        let Checker { command, line } = self.checker;
        let [formula, proof] = &self.paths;
        let filled = line.command(&[("{cnf}", formula), ("{proof}", proof)]);
        let supervision = Supervision { most: Some(MOST_PRINTED), ..Supervision::default() };
        let (printed, ended) = Process::output(filled, supervision).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot start '{}': {error}", line.program()))
        })?;
        if let Some(Stopped::TooMuch(most)) = ended.stopped {
            let reason = format!("'{command}' was stopped: it printed more than {} MiB", most >> 20);
            return Err(io::Error::other(reason));
        }
        let text = String::from_utf8_lossy(&printed);
        let lines = || text.lines().map(str::trim);
        let verified = lines().any(|line| line.starts_with("s VERIFIED") || line.starts_with("c VERIFIED"));
        let killed = ended.status.code().is_none();
        if killed || !verified || lines().any(|line| line.contains("NOT VERIFIED")) {
            let last = lines().rfind(|line| !line.is_empty()).map(str::to_owned);
            let last = last.or_else(|| ended.last_words()).unwrap_or_else(|| "nothing".to_owned());
            return Ok(Err(format!("'{command}' did not verify the proof; its last message: {last}")));
        }
        Ok(Ok(CheckedBy { name: command.clone(), parts: 1, check_ns: nanoseconds(ended.wall) }))
    }
}
