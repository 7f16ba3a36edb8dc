//! `queenlab report`: tables, plots and the page of a result directory.

use crate::report::{self, Material};
use anyhow::Error;

use super::args::{Global, ReportArguments};
use super::{BadInput, Exit, stored};

pub fn run(arguments: &ReportArguments, global: &Global) -> Result<Exit, Error> {
    let directory = &arguments.directory;
    let stored = stored(directory)?;
    let pair = match &arguments.scatter[..] {
        [across, up] => Some([across.clone(), up.clone()]),
        _ => None,
    };
    for id in pair.iter().flatten() {
        if !stored.rows.iter().any(|row| row.is_timed() && row.solver == *id) {
            return Err(BadInput(format!("--scatter: there is no timed run of '{id}' here")).into());
        }
    }
    report::write(directory, &Material { pair: pair.as_ref(), ..Material::from(&stored) })?;
    if !global.quiet {
        println!("{}", directory.join("report.html").display());
    }
    Ok(Exit::Success)
}
