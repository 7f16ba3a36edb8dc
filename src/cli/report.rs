//! `queenlab report`: makes tables, plots and a page from a result directory.

use std::io::Write;

use crate::escape::Escaped;
use crate::experiment::Stored;
use crate::record::Judgement;
use crate::report::{self, Material};
use anyhow::Error;

use super::args::{Global, ReportArguments};
use super::{Exit, checked, even_unread, summary, sweep, terminal};

pub fn run(arguments: &ReportArguments, global: &Global) -> Result<Exit, Error> {
    let directory = &arguments.directory;
    let mut stored = checked(Stored::for_report(directory))?;
    if let Some(spec) = &arguments.spec {
        stored.claims = sweep::named(spec)?.claims;
    }
    let pair = match &arguments.scatter[..] {
        [across, up] => Some([across.clone(), up.clone()]),
        _ => None,
    };
    for id in pair.iter().flatten() {
        if !stored.rows.iter().any(|row| row.is_timed && *row.solver == **id) {
            refuse!("--scatter: the results have no timed run of '{id}'");
        }
    }
    let claims = report::write(directory, &Material { pair: pair.as_ref(), ..Material::from(&stored) })?;
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
