//! `queenlab export`: a result in the format of another tool.

use crate::escape;
use crate::experiment::Stored;
use crate::report::export::Layout;
use crate::report::{Material, Scale, export};
use anyhow::Error;

use super::args::{ExportArguments, ExportFormat, TimeUnit};
use super::{BadInput, Exit, checked, write_out};

pub fn run(arguments: &ExportArguments) -> Result<Exit, Error> {
    let stored = checked(Stored::for_report(&arguments.directory))?;
    let (material, solver) = (Material::from(&stored), arguments.solver.as_deref());
    let is_table = matches!(arguments.format, ExportFormat::Markdown | ExportFormat::Latex);
    let is_latex = arguments.format == ExportFormat::Latex;
    for (given, fits, option, formats) in [
        (arguments.unit.is_some(), is_table, "--unit", "markdown and latex"),
        (arguments.transpose, is_table, "--transpose", "markdown and latex"),
        (arguments.siunitx, is_latex, "--siunitx", "latex"),
    ] {
        if given && !fits {
            refuse!("{option} has no effect on this format: it is for {formats}");
        }
    }
    let unit = arguments.unit.map(|unit| match unit {
        TimeUnit::Ns => Scale::Nanoseconds,
        TimeUnit::Us => Scale::Microseconds,
        TimeUnit::Ms => Scale::Milliseconds,
        TimeUnit::S => Scale::Seconds,
    });
    let layout = Layout { unit, transpose: arguments.transpose, siunitx: arguments.siunitx };
    let pretty = |value: serde_json::Value| escape::json(&format!("{value:#}\n"));
    let text = match arguments.format {
        ExportFormat::Mkplot => export::mkplot(&material, solver).map(pretty),
        ExportFormat::Json => export::json(&material, solver).map(pretty),
        ExportFormat::Markdown => export::markdown(&material, solver, layout),
        ExportFormat::Latex => export::latex(&material, solver, layout),
    };
    let text = text.map_err(|error| BadInput(error.to_string()))?;
    write_out(arguments.output.as_deref(), text.as_bytes())?;
    Ok(Exit::Success)
}
