//! `queenlab __cell`, the process of one run of a sweep, and `queenlab __guard`, which runs a program for another command.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::experiment::runner::child;
use crate::experiment::runner::process::{CELL_COMMAND, GUARD_COMMAND, guard};
use crate::record::Kind;
use crate::registry::Registry;
use anyhow::{Context, Error};
use clap::{Args, Parser};
use runlab::CpuList;

use super::{BadInput, Exit, Run};

/// A command line of its own: to build that of all commands would double the time of a short run.
#[derive(Parser, Debug)]
#[command(name = "queenlab")]
pub enum InternalCommand {
    /// Runs one cell of a sweep and reports in JSON.
    #[command(name = CELL_COMMAND)]
    Cell(Cell),
    /// Runs a program and ends everything that it started, even when the process that wanted it is killed.
    #[command(name = GUARD_COMMAND)]
    Guard {
        /// The program and its arguments.
        #[arg(last = true, required = true)]
        command: Vec<OsString>,
    },
}

impl Run for InternalCommand {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        match self {
            InternalCommand::Cell(cell) => cell.run(registry)?,
            InternalCommand::Guard { command } => {
                let (program, arguments) = command.split_first().context("no program is named")?;
                guard(program, arguments)?;
            }
        }
        Ok(Exit::Success)
    }
}

#[derive(Args, Debug)]
pub struct Cell {
    /// The cell as JSON.
    cell: String,
    /// What the run is for.
    #[arg(value_parser = kind)]
    kind: Kind,
    /// The parent process: this process ends when the parent ends.
    #[arg(long, value_name = "PID")]
    parent: Option<u32>,
    /// A directory that this process deletes when the parent ends.
    #[arg(long, value_name = "DIR", requires = "parent")]
    scratch: Option<PathBuf>,
    /// The CPUs that the run may use.
    #[arg(long, value_name = "CPUS")]
    pin: Option<CpuList>,
}

impl Cell {
    fn run(&self, registry: &Registry) -> Result<(), Error> {
        let cell = serde_json::from_str(&self.cell)
            .map_err(|error| BadInput(format!("this is not a cell of a plan: {error}")))?;
        let (cpus, scratch, out) = (self.pin.as_ref(), self.scratch.as_deref(), std::io::stdout());
        child::run(&cell, self.kind, registry, self.parent, scratch, cpus, out).context("cannot report")
    }
}

fn kind(word: &str) -> Result<Kind, String> {
    Kind::named(word).ok_or_else(|| format!("'{word}' is not a kind of run"))
}
