//! Checks the programs that an experiment starts: whether they can be started, and their versions. Computes the digests of the
//! files that their commands name, so that changes of these files are detected.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use supervise::process::{EndedProcess, Process, Supervision};
use supervise::{command, files};

use crate::sha256::sha256_of_file;

/// The time limit of a version command.
const VERSION_TIME: Duration = Duration::from_secs(10);

/// The maximum output of a command, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// A program that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The file does not exist.
    #[error("the program '{0}' was not found")]
    NotFound(String),
    /// The file is not executable.
    #[error(
        "the program '{0}' is not executable: make it executable with chmod +x, or begin the command with its interpreter"
    )]
    NotExecutable(String),
    /// The file is a script without a `#!` line.
    #[error(
        "the program '{0}' is a script without a first line '#!' that names its interpreter: add this line, or begin the command with the interpreter"
    )]
    NoInterpreter(String),
    /// The file is a script whose `#!` line ends in CRLF, as on Windows.
    #[error(
        "the program '{program}' has a carriage return after '#!{interpreter}': save it with Unix line endings"
    )]
    CarriageReturn {
        /// The script.
        program: String,
        /// The interpreter that it names.
        interpreter: String,
    },
    /// The file is a script whose interpreter does not exist.
    #[error("the program '{program}' needs the interpreter '{interpreter}', which does not exist")]
    MissingInterpreter {
        /// The script.
        program: String,
        /// The interpreter that it names.
        interpreter: String,
    },
    /// The system cannot start the program.
    #[error("cannot start '{program}': {error}")]
    Start {
        /// The program.
        program: String,
        /// The error.
        error: io::Error,
    },
    /// The version command printed nothing.
    #[error(
        "'{command}' printed no version ({status}{})",
        last_error_line.as_ref().map_or(String::new(), |line| format!(": {line}"))
    )]
    NoVersion {
        /// The version command.
        command: String,
        /// The exit status.
        status: ExitStatus,
        /// The last line of its standard error.
        last_error_line: Option<String>,
    },
}

/// The first non-empty line that a command prints on standard output, or if there is none, on standard error. The exit code is
/// ignored, with one exception: if `is_probe` is true and the command fails, standard error is not used.
///
/// # Errors
///
/// The command cannot be started, or there is no such line.
pub fn first_line(command: &[String], is_probe: bool) -> Result<String, ProgramError> {
    let (output, ended) = run(command, Some(VERSION_TIME))?;
    let line = |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    let error = Some(ended.stderr.as_str()).filter(|_| !is_probe || ended.status.success());
    let output = line(&plaintext::decode(&output)).or_else(|| line(error?));
    output.ok_or_else(|| ProgramError::NoVersion {
        command: command.join(" "),
        status: ended.status,
        last_error_line: ended.last_error_line(),
    })
}

/// Runs a command, and returns its standard output and how it ended.
///
/// # Errors
///
/// The command is empty or cannot be started.
pub fn run(words: &[String], time_limit: Option<Duration>) -> Result<(Vec<u8>, EndedProcess), ProgramError> {
    let (program, arguments) = words.split_first().ok_or_else(|| ProgramError::NotFound(String::new()))?;
    let mut command = Command::new(program);
    command.args(arguments);
    let supervision = Supervision { time_limit, max_bytes: Some(MAX_BYTES), ..Supervision::default() };
    Process::output(command, supervision)
        .map_err(|error| ProgramError::Start { program: program.clone(), error })
}

/// Checks the file of a program for reasons why the system cannot start it.
///
/// # Errors
///
/// The file does not exist, is not executable, or is a script without an existing interpreter.
pub fn check(program: &str) -> Result<(), ProgramError> {
    const CHECKED_BYTES: u64 = 256;
    let Some(path) = command::find(program) else {
        return Err(ProgramError::NotFound(program.to_owned()));
    };
    // A file that cannot be examined is not refused, because only an attempt to start it shows whether the system can start it.
    let Ok(metadata) = path.metadata() else { return Ok(()) };
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(ProgramError::NotExecutable(program.to_owned()));
    }
    let mut beginning = Vec::new();
    let read_result =
        files::open_regular(&path).and_then(|file| file.take(CHECKED_BYTES).read_to_end(&mut beginning));
    if read_result.is_err() {
        return Ok(());
    }
    let Some(line) = beginning.strip_prefix(b"#!") else {
        let is_text = !beginning.contains(&0) && std::str::from_utf8(&beginning).is_ok();
        return if is_text { Err(ProgramError::NoInterpreter(program.to_owned())) } else { Ok(()) };
    };
    let line = String::from_utf8_lossy(line.split(|&byte| byte == b'\n').next().unwrap_or_default());
    let interpreter = line.trim_matches([' ', '\t']).split([' ', '\t']).next().unwrap_or_default();
    if let Some(interpreter) = interpreter.strip_suffix('\r') {
        let (program, interpreter) = (program.to_owned(), interpreter.to_owned());
        return Err(ProgramError::CarriageReturn { program, interpreter });
    }
    if interpreter.starts_with('/') && !Path::new(interpreter).is_file() {
        let (program, interpreter) = (program.to_owned(), interpreter.to_owned());
        return Err(ProgramError::MissingInterpreter { program, interpreter });
    }
    Ok(())
}

/// A cache of the digests of files by path, so that each file is read once.
pub type Digests = HashMap<PathBuf, String>;

/// The SHA-256 of each regular file that a command names, keyed by the word that names it: the program, which
/// is looked up on PATH, and every argument that is the path of a file. An unreadable file has the value
/// `unreadable`.
pub fn files_of(words: &[String], digests: &mut Digests) -> BTreeMap<String, String> {
    let Some((program, arguments)) = words.split_first() else { return BTreeMap::new() };
    let argument_files = arguments.iter().map(|word| (word, PathBuf::from(word)));
    let program_file = command::find(program).map(|path| (program, path));
    let files = program_file.into_iter().chain(argument_files).filter(|(_, path)| path.is_file());
    let sha256 = |path: &PathBuf| sha256_of_file(path).unwrap_or_else(|_| "unreadable".to_owned());
    files.map(|(word, path)| (word.clone(), digests.entry(path).or_insert_with_key(sha256).clone())).collect()
}

/// The names whose digests differ, in alphabetical order. Names that only one of the two maps contains are left out.
pub fn changed<'a>(old: &'a BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<&'a str> {
    let changed_files =
        old.iter().filter(|(name, digest)| new.get(*name).is_some_and(|new_digest| new_digest != *digest));
    changed_files.map(|(name, _)| name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_that_cannot_be_started_is_refused() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("p");
        let check_file = |content: &[u8], mode| {
            std::fs::write(&path, content).expect("written");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("changed");
            check(&path.display().to_string())
        };
        for content in [&b"#!/bin/sh\necho 1\n"[..], b"#! /bin/sh -e\n", b"\x7fELF\0\0"] {
            check_file(content, 0o755).expect("it can be started");
        }
        use ProgramError::{CarriageReturn, MissingInterpreter, NoInterpreter, NotExecutable, NotFound};
        assert!(matches!(check_file(b"#!/bin/sh\necho 1\n", 0o644), Err(NotExecutable(_))));
        assert!(
            matches!(check_file(b"#!/bin/sh\r\n", 0o755), Err(CarriageReturn { interpreter, .. }) if interpreter == "/bin/sh")
        );
        assert!(
            matches!(check_file(b"#!/no/such -x\n", 0o755), Err(MissingInterpreter { interpreter, .. }) if interpreter == "/no/such")
        );
        assert!(matches!(check_file(b"echo 1\n", 0o755), Err(NoInterpreter(_))));
        assert!(matches!(check("./no-such-program"), Err(NotFound(_))));
        check("sh").expect("it is on PATH");
    }

    #[test]
    fn program_version_is_its_first_nonempty_line() {
        let version = |script: &str, is_probe| first_line(&["sh", "-c", script].map(str::to_owned), is_probe);
        assert_eq!(version("echo; echo ' v1 '; echo v2", false).expect("printed"), "v1");
        assert_eq!(version("echo v3 >&2; exit 1", false).expect("printed"), "v3");
        let result_of_failure = version("echo broken >&2; exit 7", true);
        let Err(ProgramError::NoVersion { status, last_error_line, .. }) = result_of_failure else {
            panic!("{result_of_failure:?}")
        };
        assert_eq!((status.code(), last_error_line.as_deref()), (Some(7), Some("broken")));
        let result_without_program = first_line(&["./no-such-program".to_owned()], false);
        assert!(
            matches!(result_without_program, Err(ProgramError::Start { .. })),
            "{result_without_program:?}"
        );
        assert!(matches!(run(&[], None), Err(ProgramError::NotFound(_))));
    }

    #[test]
    fn program_and_files_among_arguments_have_digests() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let script = directory.path().join("mine.sh").display().to_string();
        std::fs::write(&script, "echo 1").expect("written");
        let words: Vec<String> = ["sh", &script, "8", directory.path().to_str().expect("UTF-8"), "/dev/null"]
            .map(str::to_owned)
            .into();
        let digests = |words: &[String]| files_of(words, &mut Digests::new());
        let old_digests = digests(&words);
        let names: Vec<&str> = old_digests.keys().map(String::as_str).collect();
        assert_eq!(names, [script.as_str(), "sh"], "a folder and a device are not files");
        std::fs::write(&script, "echo 2").expect("written");
        let new_digests = digests(&words);
        assert_eq!(changed(&old_digests, &new_digests), [&script]);
        assert_eq!(changed(&old_digests, &digests(&words[2..])), [""; 0]);
        assert_eq!(digests(&["no-such-program".to_owned()]), BTreeMap::new());
        assert_eq!(digests(&[]), BTreeMap::new());
    }
}
