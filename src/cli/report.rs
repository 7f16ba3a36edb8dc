//! `queenlab report`: makes tables, plots and a page from a result directory, or prints its results in another format.

use std::io::Write;

use crate::escape::{self, Escaped};
use crate::experiment::Stored;
use crate::record::Judgement;
use crate::registry::Registry;
use crate::report::export::Layout;
use crate::report::{self, Material, Run, Scale, export};
use anyhow::Error;

use super::args::{Global, ReportArguments, ReportFormat, TimeUnit};
use super::{BadInput, Exit, checked, even_unread, summary, sweep, terminal};

pub fn run(arguments: &ReportArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let directory = &arguments.directory;
    let stored = checked(Stored::read(directory, registry))?;
    let runs = Run::all(&stored.rows);
    let mut material = Material::of(&stored, &runs);
    if let Some(format) = arguments.format {
        return print(arguments, format, &material);
    }
    let spec = arguments.spec.as_ref().map(|spec| sweep::named(spec)).transpose()?;
    if let Some(spec) = &spec {
        material.claims = &spec.claims;
    }
    let pair = match &arguments.scatter[..] {
        [across, up] => Some([across.clone(), up.clone()]),
        _ => None,
    };
    for id in pair.iter().flatten() {
        if !runs.iter().any(|run| run.is_timed && *run.solver == **id) {
            refuse!("--scatter: the results have no timed run of '{id}'");
        }
    }
    material.pair = pair.as_ref();
    let claims = report::write(directory, &material)?;
    if !global.quiet {
        let page = directory.join("report.html");
        even_unread(writeln!(std::io::stdout(), "{}", Escaped(page.display())).map_err(Error::from))?;
    }
    for line in summary::verdicts(&claims) {
        terminal::note(line);
    }
    let fails = claims.iter().any(|claim| claim.verdict == Judgement::Fails);
    Ok(if fails && arguments.fail_on_claim { Exit::Claim } else { Exit::Success })
}

fn print(arguments: &ReportArguments, format: ReportFormat, material: &Material<'_>) -> Result<Exit, Error> {
    let is_table = format != ReportFormat::Json;
    for (given, fits, option, formats) in [
        (arguments.unit.is_some(), is_table, "--unit", "markdown and latex"),
        (arguments.transpose, is_table, "--transpose", "markdown and latex"),
        (arguments.siunitx, format == ReportFormat::Latex, "--siunitx", "latex"),
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
    let solver = arguments.solver.as_deref();
    let text = match format {
        ReportFormat::Json => {
            export::json(material, solver).map(|value| escape::json(&format!("{value:#}\n")))
        }
        ReportFormat::Markdown => export::markdown(material, solver, layout),
        ReportFormat::Latex => export::latex(material, solver, layout),
    };
    let text = text.map_err(|error| BadInput(error.to_string()))?;
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())?;
    Ok(Exit::Success)
}
