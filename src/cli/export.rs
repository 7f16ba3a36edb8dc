//! `queenlab export`: a result in the format of another tool.

use std::io::Write;

use crate::experiment::Stored;
use crate::record::write_atomically;
use crate::report::{Material, export};
use anyhow::Error;

use super::args::{ExportArguments, ExportFormat};
use super::{BadInput, Exit, checked};

pub fn run(arguments: &ExportArguments) -> Result<Exit, Error> {
    let stored = checked(Stored::for_report(&arguments.directory))?;
    let (material, solver) = (Material::from(&stored), arguments.solver.as_deref());
    let pretty = |value: serde_json::Value| format!("{value:#}\n");
    let text = match arguments.format {
        ExportFormat::Mkplot => export::mkplot(&material, solver).map(pretty),
        ExportFormat::Json => export::json(&material, solver).map(pretty),
        ExportFormat::Markdown => export::markdown(&material, solver),
        ExportFormat::Latex => export::latex(&material, solver),
    };
    let text = text.map_err(|error| BadInput(error.to_string()))?;
    match &arguments.output {
        Some(path) => write_atomically(path, text.as_bytes())?,
        None => {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())?;
        }
    }
    Ok(Exit::Success)
}
