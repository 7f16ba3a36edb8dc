//! The command line: one file per command. Only this layer prints.
//!
//! [`main`] is the whole program `queenlab`. A program of your own calls it with a registry that
//! holds your solver as well, and is then a `queenlab` that lists, sweeps, verifies and reports it;
//! `examples/own_solver.rs` is such a program.
//!
//! `args/` declares the commands. Shared by them: `terminal.rs` (messages and progress bars), `color.rs`, `units.rs`,
//! `interrupt.rs`, `progress/`, `summary.rs`, `times.rs` and `programs.rs`.

/// Returns a usage error with this message from a command.
macro_rules! refuse {
    ($($message:tt)+) => {
        return Err($crate::cli::BadInput(format!($($message)+)).into())
    };
}

mod args;
mod certify;
mod check;
mod color;
mod compare;
mod count;
mod doctor;
mod encode;
mod estimate;
mod generate;
mod internal;
mod interrupt;
mod levels;
mod list;
mod programs;
mod progress;
mod puzzle;
mod report;
mod reproduce;
mod shell;
mod solve;
mod summary;
mod sweep;
pub mod terminal;
mod times;
mod units;
mod verify;

use std::ffi::OsString;
use std::io::{StdoutLock, Write, stdout};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use crate::count::CountError;
use crate::escape::{self, EscapingWriter};
use crate::experiment::ExperimentError;
use crate::experiment::Stored;
use crate::experiment::runner::process::{adopt_orphans, own_executable, use_guard};
use crate::experiment::spec::SpecError;
use crate::judge::notation::NotationError;
use crate::record::{RecordError, write_atomically};
use crate::registry::{Registry, SelectionError};
use crate::solver::{Info, SolveError};
use anyhow::Error;
use clap::Parser;
use serde::Serialize;

use args::{Arguments, Command, InternalCommand};

/// The exit code of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    Success = 0,
    Failure = 1,
    BadInput = 2,
    WrongAnswer = 3,
    TimedOut = 4,
    Regression = 5,
    ResumeRefused = 6,
    Claim = 7,
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// A usage error, with advice how to correct it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(String);

/// Rejects options that none of the chosen solvers uses.
fn refuse_unused(infos: &[Info], threads: Option<u32>, global: &args::Global) -> Result<(), BadInput> {
    let ids = || infos.iter().map(|info| info.id.as_str()).collect::<Vec<_>>().join(", ");
    if global.external.is_some() && !infos.iter().any(|info| info.uses_external) {
        refuse!(
            "--external has no effect on {}: it sets the program that sat/*/external runs; add \
             --solver sat/pairwise/external",
            ids()
        );
    }
    if threads.is_some_and(|threads| threads > 1) && !infos.iter().any(|info| info.uses_threads) {
        refuse!(
            "--threads has no effect on {}, which uses one thread; count/* and sat/*/*/cubes use several",
            ids()
        );
    }
    Ok(())
}

/// The number of threads that --threads gives, or else one per processor.
fn threads(asked: Option<u32>) -> NonZeroUsize {
    let asked = asked.and_then(|threads| NonZeroUsize::new(threads as usize));
    asked.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

/// Standard output for text: escapes control characters from files and programs, so that they cannot control the
/// terminal.
fn out() -> EscapingWriter<StdoutLock<'static>> {
    EscapingWriter(stdout().lock())
}

/// Prints JSON, in which control characters from files and programs are escaped. A closed pipe is no error.
fn print_json(value: &impl Serialize) -> Result<(), Error> {
    let json = escape::json(&serde_json::to_string_pretty(value)?);
    even_unread(writeln!(stdout().lock(), "{json}").map_err(Error::from))
}

/// Writes a text to a file, or to standard output if none is named.
fn write_out(file: Option<&Path>, text: &[u8]) -> Result<(), Error> {
    match file {
        Some(path) => write_atomically(path, text)?,
        None => {
            let mut out = stdout().lock();
            out.write_all(text).and_then(|()| out.flush())?;
        }
    }
    Ok(())
}

/// A result directory that was read: an error in it is bad input, and the remarks are printed as warnings.
fn checked(read: Result<Stored, RecordError>) -> Result<Stored, BadInput> {
    let stored = read.map_err(|error| BadInput(error.to_string()))?;
    for remark in &stored.remarks {
        terminal::warn(remark);
    }
    Ok(stored)
}

/// Parses the command line of this process and runs the command with the solvers of `registry`;
/// messages go to standard error. The exit codes are those of `queenlab`; docs/FORMATS.md lists them.
///
/// The runs of a sweep are processes of the same executable, started with a hidden command. A program must therefore
/// call this function before anything else, for any arguments.
pub fn main(registry: Registry) -> ExitCode {
    match run(registry) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::error(format_args!("{error:#}"));
            exit_code(&error)
        }
    }
}

fn run(registry: Registry) -> Result<ExitCode, Error> {
    if std::env::args_os().nth(1).is_some_and(|first| InternalCommand::is_named(&first)) {
        // These run for other commands, and end when the process that started them ends.
        return match InternalCommand::try_parse() {
            Ok(command) => Ok(internal::run(&command, &registry)?.into()),
            Err(error) => Ok(usage(&error)?.into()),
        };
    }
    let arguments = match args::parse(std::env::args_os(), color::choose()) {
        Ok(arguments) => arguments,
        Err(args::ParseError::Usage(error)) => return Ok(usage(&error)?.into()),
        Err(args::ParseError::Refused(error)) => return Err(error.into()),
    };
    if arguments.global.quiet {
        terminal::be_quiet();
    }
    interrupt::listen()?;
    adopt_orphans();
    if let Ok(queenlab) = own_executable() {
        use_guard(queenlab);
    }
    let exit = carry_out(&arguments, &registry.with_external(arguments.global.external.as_deref()))?;
    even_unread(std::io::stdout().flush().map_err(Error::from))?;
    Ok(exit.into())
}

/// Parses a command line, program name included, and runs nothing. An error is the exit code and the message with which
/// the program would end; help and the version are "errors" with exit code 0.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<(), (u8, String)> {
    match args::parse(arguments, clap::ColorChoice::Never) {
        Ok(_) => Ok(()),
        Err(args::ParseError::Refused(BadInput(reason))) => Err((2, reason)),
        Err(args::ParseError::Usage(error)) => {
            Err((u8::try_from(error.exit_code()).unwrap_or(2), error.to_string()))
        }
    }
}

/// Help and the version go to standard output, and a failed write is an error; a usage error is a message.
fn usage(error: &clap::Error) -> Result<Exit, Error> {
    let printed = error.print();
    if !error.use_stderr() {
        printed.and_then(|()| std::io::stdout().flush())?;
    }
    Ok(if error.use_stderr() { Exit::BadInput } else { Exit::Success })
}

fn carry_out(arguments: &Arguments, registry: &Registry) -> Result<Exit, Error> {
    let exit = match &arguments.command {
        Command::Sweep(sweep) => sweep::run(sweep, &arguments.global, registry)?,
        Command::Report(report) => report::run(report, &arguments.global, registry)?,
        Command::Compare(compare) => compare::run(compare, &arguments.global, registry)?,
        Command::Reproduce(reproduce) => reproduce::run(reproduce, &arguments.global, registry)?,
        Command::Verify(verify) => verify::run(verify, &arguments.global, registry)?,
        Command::Check(check) => check::run(check, &arguments.global)?,
        Command::Solve(solve) => solve::run(solve, &arguments.global, registry)?,
        Command::Count(count) => count::run(count, &arguments.global, registry)?,
        Command::Encode(encode) => encode::run(encode)?,
        Command::Generate(generate) => generate::run(generate, &arguments.global)?,
        Command::Certify(certify) => certify::run(certify, &arguments.global)?,
        Command::List(list) => list::run(list, &arguments.global, registry)?,
        Command::Doctor(doctor) => doctor::run(doctor)?,
        Command::Completions(completions) => shell::completions(completions, registry)?,
    };
    Ok(exit)
}

/// Whether the reader closed the pipe that this command writes to, as in `queenlab solve 12 --all | head`.
fn is_broken_pipe(error: &Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        // The error of serde_json hides the one that it wraps.
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(std::io::ErrorKind::BrokenPipe)
    })
}

/// Ignores a closed pipe if the exit code is more important, as in `queenlab sweep | head -1`.
fn even_unread(printed: Result<(), Error>) -> Result<(), Error> {
    printed.or_else(|error| if is_broken_pipe(&error) { Ok(()) } else { Err(error) })
}

/// The exit code of an error.
fn exit_code(error: &Error) -> ExitCode {
    let exit = if let Some(error) = error.downcast_ref::<ExperimentError>() {
        match error {
            ExperimentError::Refused { .. } => Exit::ResumeRefused,
            _ => Exit::Failure,
        }
    } else if let Some(error) = error.downcast_ref::<SolveError>() {
        match error {
            SolveError::Failed { .. } => Exit::Failure,
            SolveError::Wrong { .. } => Exit::WrongAnswer,
            _ => Exit::BadInput,
        }
    } else if let Some(error) = error.downcast_ref::<CountError>() {
        count::exit_of(error)
    } else if error.is::<BadInput>()
        || error.is::<SpecError>()
        || error.is::<SelectionError>()
        || error.is::<NotationError>()
    {
        Exit::BadInput
    } else {
        Exit::Failure
    };
    exit.into()
}
