//! Compiles submissions that are source code.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::files::{FilesError, SubmissionFiles, files_below};
use super::programs::extension;
use crate::command::{CommandLine, filled, find, quoted};
use crate::files::temporary_directory;
use crate::os::process::{Process, Stopped, Supervision};
use crate::submission::{DEFAULT_MEMORY_BYTES, MAX_PROCESSES, size_of_files};
use crate::words::seconds;
use plaintext::Escaped;

/// The time limit of a compiler.
const COMPILER_TIME_LIMIT: Duration = Duration::from_secs(60);

/// The limit of a compiler's output, and of the files that it writes, in bytes.
const MAX_COMPILER_BYTES: u64 = 64 << 20;

/// The name of the executable file that is built.
const EXECUTABLE: &str = "submission.exe";

// The placeholders of a command.
const FILE: &str = "{file}";
const FILES: &str = "{files}";
const EXE: &str = "{exe}";
const DIR: &str = "{dir}";

/// The maximum length of an error message of a compiler, in characters. Longer messages are cut.
const MAX_MESSAGE_CHARS: usize = 200;

/// The command that compiles files with a certain extension.
#[derive(Clone, Debug)]
pub struct BuildCommand {
    extension: String,
    command: CommandLine,
}

/// An error in the value of `--build`.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BuildCommandError {
    /// There is no extension.
    #[error("write the extension of the files first, as in 'c=cc -O2 -o {{exe}} {{file}}'")]
    NoExtension,
    /// The command cannot be split into words.
    #[error("{0}")]
    Command(#[from] crate::command::CommandError),
    /// The command does not contain the placeholders for its input and output.
    #[error(
        "the command lacks {{{0}}} or {{{1}}}: write it as in 'c=cc -O2 -o {{exe}} {{file}}' or 'java=javac -d {{dir}} {{files}}'"
    )]
    MissingPlaceholder(&'static str, &'static str),
    /// `{files}`, which stands for several words, is only a part of a word.
    #[error("{{files}} must be a word by itself, as in 'c=cc -O2 -o {{exe}} {{files}}'")]
    NotAWord,
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
        if !command.mentions(FILE) && !command.mentions(FILES) {
            return Err(BuildCommandError::MissingPlaceholder("file", "files"));
        }
        if !command.mentions(EXE) && !command.mentions(DIR) {
            return Err(BuildCommandError::MissingPlaceholder("exe", "dir"));
        }
        if command.words().iter().any(|word| word != FILES && word.contains(FILES)) {
            return Err(BuildCommandError::NotAWord);
        }
        Ok(Self { extension, command })
    }
}

/// The outcome of compiling a submission.
pub(super) enum BuildOutcome {
    /// The compiled program: its files, and the name of the executable among them.
    Program(SubmissionFiles, PathBuf),
    /// The source code does not compile: the first error.
    Refused(String),
    /// The compiler is not installed: its name.
    NoCompiler(String),
    /// The user interrupted the command.
    Interrupted,
}

impl BuildCommand {
    /// Whether the command compiles a file of this name.
    pub(super) fn is_for(&self, file: &Path) -> bool {
        extension(file) == self.extension
    }

    /// Whether the command compiles all files with these names together.
    pub(super) fn is_for_all(&self, files: &[PathBuf]) -> bool {
        self.command.mentions(FILES) && files.iter().all(|file| self.is_for(file))
    }

    /// The words of the command for files in a directory.
    fn words(&self, files: &SubmissionFiles, main: &Path, directory: &Path) -> Vec<OsString> {
        let (file, executable) = (directory.join(main), directory.join(EXECUTABLE));
        let placeholders = [(FILE, file.as_path()), (EXE, executable.as_path()), (DIR, directory)];
        let mut words = Vec::new();
        for word in self.command.words() {
            if word == FILES {
                let sources = files.names().filter(|name| self.is_for(name));
                words.extend(sources.map(|name| directory.join(name).into_os_string()));
            } else {
                words.push(filled(&word, &placeholders));
            }
        }
        words
    }

    /// Compiles a file in a new directory.
    pub(super) fn build(&self, files: &SubmissionFiles, main: &Path, cancel: &AtomicBool) -> BuildOutcome {
        let compiler = self.command.program();
        if find(compiler).is_none() {
            return BuildOutcome::NoCompiler(compiler.to_owned());
        }
        let outcome = self.compile(files, main, cancel);
        outcome.unwrap_or_else(|error| BuildOutcome::Refused(Escaped(error.to_string()).to_string()))
    }

    fn compile(&self, files: &SubmissionFiles, main: &Path, cancel: &AtomicBool) -> io::Result<BuildOutcome> {
        let directory = temporary_directory("queenlab-")?;
        let path = fs::canonicalize(directory.path())?;
        files.write_to(&path)?;
        let words = self.words(files, main, &path);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command.current_dir(&path).env("TMPDIR", &path);
        let bytes_written = || size_of_files(&path);
        let supervision = Supervision {
            time_limit: Some(COMPILER_TIME_LIMIT),
            memory_limit: Some(DEFAULT_MEMORY_BYTES),
            process_limit: Some(MAX_PROCESSES),
            cancel: Some(cancel),
            written: Some(&bytes_written),
            max_bytes: Some(MAX_COMPILER_BYTES),
            ..Supervision::default()
        };
        let (printed, ended) = Process::output(command, supervision)?;
        let reason = match ended.stopped {
            Some(Stopped::Cancelled) => return Ok(BuildOutcome::Interrupted),
            Some(Stopped::WrittenBytes(bytes)) => format!("the compiler wrote more than {} MiB", bytes >> 20),
            Some(Stopped::Memory(bytes)) => {
                format!("the compiler used more than {} MiB of memory", bytes >> 20)
            }
            Some(Stopped::Processes(number)) => format!("the compiler had more than {number} processes"),
            Some(_) => {
                format!("the compiler did not finish within {}", seconds(COMPILER_TIME_LIMIT))
            }
            None if !ended.status.success() => {
                let text = ended.stderr + &plaintext::decode(&printed);
                first_error(&text, &path)
                    .unwrap_or_else(|| format!("the compiler failed without a message ({})", ended.status))
            }
            None => match with_program(files, main, &path) {
                Ok(files) => return Ok(BuildOutcome::Program(files, EXECUTABLE.into())),
                Err(reason) => reason.to_string(),
            },
        };
        Ok(BuildOutcome::Refused(reason))
    }
}

/// Why the compiler succeeded but there is no program.
#[derive(Debug, thiserror::Error)]
enum NoProgram {
    /// The compiler made more files than a submission may have, or the files cannot be listed.
    #[error("the compiler made too many files")]
    TooManyFiles,
    /// There is neither an executable file nor a class.
    #[error("the compiler made no program")]
    Missing,
    /// The classes cannot be read.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// Adds the compiled program to the files: an executable file or, for Java, a script that starts the class.
fn with_program(
    files: &SubmissionFiles,
    main: &Path,
    directory: &Path,
) -> Result<SubmissionFiles, NoProgram> {
    if let Ok(bytes) = fs::read(directory.join(EXECUTABLE)) {
        let mut files = files.clone();
        files.add(EXECUTABLE, bytes);
        return Ok(files);
    }
    let names = files_below(directory).ok_or(NoProgram::TooManyFiles)?;
    let is_class = |name: &&PathBuf| extension(name) == "class" && name.file_stem() == main.file_stem();
    let class = names.iter().find(is_class).ok_or(NoProgram::Missing)?;
    let class = class.with_extension("").to_string_lossy().replace('/', ".");
    let script = format!("#!/bin/sh\nexec java -cp \"$(dirname \"$0\")\" {} \"$@\"\n", quoted(&class));
    let mut files = SubmissionFiles::read(directory, &names)?;
    files.add(EXECUTABLE, script.into_bytes());
    Ok(files)
}

/// The first line that contains "error", or otherwise the first line. The path of the directory is removed.
fn first_error(text: &str, directory: &Path) -> Option<String> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines().find(|line| line.to_lowercase().contains("error")).or_else(|| lines().next())?;
    let line = line.replace(&format!("{}/", directory.to_string_lossy()), "");
    Some(Escaped(line.chars().take(MAX_MESSAGE_CHARS).collect::<String>()).to_string())
}
