//! Two hidden commands: `queenlab __cell` is the process of one run of a sweep, and `queenlab __guard` runs a program for
//! another command.

use std::ffi::OsString;

use crate::experiment::runner::child;
use crate::experiment::runner::process::{CELL_COMMAND, GUARD_COMMAND, guard};
use crate::registry::Registry;
use anyhow::{Context, Error};
use clap::Parser;
use runlab::process::serve;

use super::{Exit, RunCommand};

/// The hidden commands have a separate command line, because building the command line of all commands would double the time of a
/// short run.
#[derive(Parser, Debug)]
#[command(name = "queenlab")]
pub enum InternalCommand {
    /// Runs the cell of a sweep that is on standard input, and reports in JSON.
    #[command(name = CELL_COMMAND)]
    Cell,
    /// Runs a program and ends all processes that it started, even if the process that started the guard is killed.
    #[command(name = GUARD_COMMAND)]
    Guard {
        /// The standard input of the program.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        input: Option<OsString>,
        /// The program and its arguments.
        #[arg(last = true, required = true)]
        command: Vec<OsString>,
    },
}

impl RunCommand for InternalCommand {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        match self {
            InternalCommand::Cell => serve(|cell, kind| child::run(&cell, kind, registry))?,
            InternalCommand::Guard { input, command } => {
                let (program, arguments) = command.split_first().context("no program is named")?;
                guard(program, arguments, input.as_deref())?;
            }
        }
        Ok(Exit::Success)
    }
}
