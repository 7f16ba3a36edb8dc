//! `queenlab __cell`, the process of one run of a sweep, and `queenlab __guard`, which runs a program for another command.

use crate::experiment::plan::Cell;
use crate::experiment::runner::child;
use crate::experiment::runner::process::guard;
use crate::registry::Registry;
use anyhow::{Context, Error};

use super::args::{CellArguments, InternalCommand};
use super::{BadInput, Exit};

pub fn run(command: &InternalCommand, registry: &Registry) -> Result<Exit, Error> {
    match command {
        InternalCommand::Cell(arguments) => cell(arguments, registry)?,
        InternalCommand::Guard { command } => {
            let (program, arguments) = command.split_first().context("no program is named")?;
            guard(program, arguments)?;
        }
    }
    Ok(Exit::Success)
}

fn cell(arguments: &CellArguments, registry: &Registry) -> Result<(), Error> {
    let cell: Cell = serde_json::from_str(&arguments.cell)
        .map_err(|error| BadInput(format!("this is not a cell of a plan: {error}")))?;
    let cpus = arguments.pin.as_ref();
    let scratch = arguments.scratch.as_deref();
    let (kind, out) = (arguments.kind, std::io::stdout());
    child::run(&cell, kind, registry, arguments.parent, scratch, cpus, out).context("cannot report")
}
