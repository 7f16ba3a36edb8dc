//! Compiles submissions that are source code.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::handed_in::Files;
use super::programs::extension;
use crate::command::{CommandLine, find};
use crate::files::temporary_directory;
use crate::os::process::{Process, Stopped, Supervision};
use crate::submission::size_of_files;
use plaintext::Escaped;

/// The longest time of a compiler.
const TIME: Duration = Duration::from_secs(60);

/// The largest size of its output, and of the files that it writes, in bytes.
const BYTES: u64 = 64 << 20;

/// The name of the executable file that is built.
const EXECUTABLE: &str = "submission.exe";

const FILE: &str = "{file}";
const EXE: &str = "{exe}";

/// The longest message of a compiler that is repeated, in characters.
const LONGEST_MESSAGE: usize = 200;

/// The command that compiles files with some extension.
#[derive(Clone, Debug)]
pub struct BuildCommand {
    extension: String,
    command: CommandLine,
}

/// Why a text is not the command of a compiler.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BuildCommandError {
    /// There is no extension.
    #[error("write the extension of the files first, as in 'c=cc -O2 -o {{exe}} {{file}}'")]
    NoExtension,
    /// The command cannot be split into words.
    #[error("{0}")]
    Command(#[from] crate::command::CommandError),
    /// A placeholder is missing.
    #[error("the command lacks {0}: write it as in 'c=cc -O2 -o {{exe}} {{file}}'")]
    Lacks(&'static str),
}

impl FromStr for BuildCommand {
    type Err = BuildCommandError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (extension, command) = text.split_once('=').ok_or(BuildCommandError::NoExtension)?;
        let extension = extension.trim().trim_start_matches('.').to_lowercase();
        if extension.is_empty() || extension.contains(char::is_whitespace) {
            return Err(BuildCommandError::NoExtension);
        }
        let command = CommandLine::parse(command)?;
        match [FILE, EXE].into_iter().find(|place| !command.mentions(place)) {
            Some(place) => Err(BuildCommandError::Lacks(place)),
            None => Ok(Self { extension, command }),
        }
    }
}

/// What a compiler made of a submission.
pub(super) enum Built {
    /// A program among its files.
    Program(Files, PathBuf),
    /// Nothing, and the first error.
    Refused(String),
    /// There is no such compiler.
    NoCompiler(String),
    /// The user interrupted.
    Interrupted,
}

impl BuildCommand {
    /// Whether it compiles a file of this name.
    pub(super) fn is_for(&self, file: &Path) -> bool {
        extension(file) == self.extension
    }

    /// Compiles a file in a new directory.
    pub(super) fn build(&self, files: &Files, main: &Path, cancel: &AtomicBool) -> Built {
        let compiler = self.command.program();
        if find(compiler).is_none() {
            return Built::NoCompiler(compiler.to_owned());
        }
        let built = self.compiled(files, main, cancel);
        built.unwrap_or_else(|error| Built::Refused(Escaped(error.to_string()).to_string()))
    }

    fn compiled(&self, files: &Files, main: &Path, cancel: &AtomicBool) -> io::Result<Built> {
        let directory = temporary_directory("queenlab-")?;
        let path = fs::canonicalize(directory.path())?;
        files.write_to(&path)?;
        let executable = path.join(EXECUTABLE);
        let mut command = self.command.command(&[(FILE, &path.join(main)), (EXE, &executable)]);
        command.current_dir(&path).env("TMPDIR", &path);
        let written = || size_of_files(&path);
        let supervision = Supervision {
            time_limit: Some(TIME),
            cancel: Some(cancel),
            written: Some(&written),
            most: Some(BYTES),
            ..Supervision::default()
        };
        let (printed, ended) = Process::output(command, supervision)?;
        let reason = match ended.stopped {
            Some(Stopped::Cancelled) => return Ok(Built::Interrupted),
            Some(Stopped::TooMuch(bytes)) => format!("the compiler wrote more than {} MiB", bytes >> 20),
            Some(_) => format!("the compiler did not finish within {TIME:?}"),
            None if !ended.status.success() => {
                let text = ended.stderr + &plaintext::decode(&printed);
                first_error(&text, &path)
                    .unwrap_or_else(|| format!("the compiler failed without a message ({})", ended.status))
            }
            None => match fs::read(&executable) {
                Ok(bytes) => {
                    let mut files = files.clone();
                    files.add(EXECUTABLE, bytes);
                    return Ok(Built::Program(files, EXECUTABLE.into()));
                }
                Err(_) => "the compiler made no program".to_owned(),
            },
        };
        Ok(Built::Refused(reason))
    }
}

/// The first line with an error, or else the first line; without the directory.
fn first_error(text: &str, directory: &Path) -> Option<String> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines().find(|line| line.to_lowercase().contains("error")).or_else(|| lines().next())?;
    let line = line.replace(&format!("{}/", directory.to_string_lossy()), "");
    Some(Escaped(line.chars().take(LONGEST_MESSAGE).collect::<String>()).to_string())
}
