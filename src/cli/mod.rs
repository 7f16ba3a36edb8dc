//! The commands: one file each. Only this layer prints.

pub mod args;
mod cell;
mod certify;
mod check;
pub mod color;
mod compare;
mod count;
mod doctor;
mod encode;
mod export;
mod init;
mod levels;
mod list;
mod mutants;
mod progress;
mod proof_check;
mod report;
mod reproduce;
mod shard;
mod shell;
mod solve;
mod summary;
mod sweep;
mod units;
mod verify;

use std::process::ExitCode;

use anyhow::Error;
use queenlab::board::notation::NotationError;
use queenlab::cluster::ClusterError;
use queenlab::experiment::ExperimentError;
use queenlab::experiment::spec::SpecError;
use queenlab::record::Stored;
use queenlab::record::checkpoint::CheckpointError;
use queenlab::registry::UnknownSolver;
use queenlab::solver::SolveError;
use queenlab::verify::submission::guard;

use args::{Arguments, Command};

/// What a command found, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    Success = 0,
    Failure = 1,
    BadInput = 2,
    WrongAnswer = 3,
    TimedOut = 4,
    Regression = 5,
    ResumeRefused = 6,
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// A mistake in what was asked, with the way out.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct BadInput(String);

/// Reads a result directory; what is wrong with it is bad input, and what is odd is said.
fn stored(directory: &std::path::Path) -> Result<Stored, BadInput> {
    let stored = Stored::read(directory).map_err(|error| BadInput(error.to_string()))?;
    for remark in &stored.remarks {
        color::say("warning", remark);
    }
    Ok(stored)
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let exit = match &arguments.command {
        Command::Sweep(sweep) => sweep::run(sweep, &arguments.global)?,
        Command::Init(init) => init::run(init, &arguments.global)?,
        Command::Report(report) => report::run(report, &arguments.global)?,
        Command::Compare(compare) => compare::run(compare, &arguments.global)?,
        Command::Reproduce(reproduce) => reproduce::run(reproduce, &arguments.global)?,
        Command::Export(export) => export::run(export)?,
        Command::Verify(verify) => verify::run(verify, &arguments.global)?,
        Command::Check(check) => check::run(check, &arguments.global)?,
        Command::Solve(solve) => solve::run(solve, &arguments.global)?,
        Command::Count(count) => count::run(count, &arguments.global)?,
        Command::Encode(encode) => encode::run(encode)?,
        Command::Certify(certify) => certify::run(certify, &arguments.global)?,
        Command::ProofCheck(check) => proof_check::run(check, &arguments.global)?,
        Command::Shard(shard) => shard::run(&shard.command, &arguments.global)?,
        Command::List(list) => list::run(list, &arguments.global)?,
        Command::Doctor(doctor) => doctor::run(doctor)?,
        Command::Completions(completions) => shell::completions(completions)?,
        Command::Man => shell::man()?,
        Command::Cell(cell) => cell::run(cell)?,
        Command::Guard { group, mark } => {
            guard(*group, mark);
            Exit::Success
        }
    };
    Ok(exit.into())
}

/// Whether somebody closed the pipe that this command writes to: `queenlab solve 12 --all | head`.
pub fn is_broken_pipe(error: &Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        // serde_json's error does not pass on the one that it wraps.
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(std::io::ErrorKind::BrokenPipe)
    })
}

/// Passes over a closed pipe where the exit code has more to say: `queenlab sweep | head -1`.
fn even_unread(printed: Result<(), Error>) -> Result<(), Error> {
    printed.or_else(|error| if is_broken_pipe(&error) { Ok(()) } else { Err(error) })
}

/// The exit code of an error.
pub fn exit_code(error: &Error) -> ExitCode {
    let exit = if let Some(error) = error.downcast_ref::<ExperimentError>() {
        match error {
            ExperimentError::Refused { .. } => Exit::ResumeRefused,
            _ => Exit::Failure,
        }
    } else if let Some(error) = error.downcast_ref::<SolveError>() {
        match error {
            SolveError::Failed { .. } => Exit::Failure,
            _ => Exit::BadInput,
        }
    } else if let Some(error) = error.downcast_ref::<CheckpointError>() {
        match error {
            CheckpointError::Other { .. } => Exit::ResumeRefused,
            CheckpointError::Unreadable { .. } => Exit::BadInput,
            CheckpointError::Record(_) => Exit::Failure,
        }
    } else if let Some(error) = error.downcast_ref::<ClusterError>() {
        shard::exit_of(error)
    } else if error.is::<BadInput>()
        || error.is::<SpecError>()
        || error.is::<UnknownSolver>()
        || error.is::<NotationError>()
    {
        Exit::BadInput
    } else {
        Exit::Failure
    };
    exit.into()
}
