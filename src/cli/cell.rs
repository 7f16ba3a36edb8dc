//! `queenlab __cell`: the process of one run, started by a sweep.

use crate::experiment::plan::Cell;
use crate::experiment::runner::child;
use crate::registry::Registry;
use anyhow::{Context, Error};

use super::args::CellArguments;
use super::{BadInput, Exit};

pub fn run(arguments: &CellArguments, registry: &Registry) -> Result<Exit, Error> {
    let cell: Cell = serde_json::from_str(&arguments.cell)
        .map_err(|error| BadInput(format!("this is not a cell of a plan: {error}")))?;
    let cpus = arguments.pin.as_ref();
    let scratch = arguments.scratch.as_deref();
    child::run(&cell, registry, arguments.parent, scratch, cpus, std::io::stdout())
        .context("cannot report")?;
    Ok(Exit::Success)
}
