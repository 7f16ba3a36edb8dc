//! `queenlab list`: lists the solvers and their properties.

use std::io::{self, Write};

use crate::app::list::{BackendAbout, ListInput, ListedBackend, ListedStrategy, Overview, list, overview};
use crate::registry::Registry;
use crate::solver::{Info, SolverOption, Stat};
use anyhow::Error;
use clap::Args;
use plaintext::Escaped;

use super::options::SatPrograms;
use super::{Exit, RunCommand, print_json};

/// List all solvers with their goals, board sizes and statistics.
///
/// The id of a SAT solver consists of an encoding, a backend and a strategy. Without PATTERN, these parts are listed instead
/// of all combinations; with PATTERN, every matching id is listed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab list
  queenlab list cadical
  queenlab list 'sat/{pairwise,product}/*'
  queenlab list --json")]
pub struct List {
    /// Glob pattern or part of a solver id, for example 'sat/{pairwise,product}/*' or cadical.
    pattern: Option<String>,
    /// Print JSON, with all properties of each solver.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sat: SatPrograms,
}

impl RunCommand for List {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let (pattern, sat) = (self.pattern.as_deref(), &self.sat.programs);
        let mut out = super::out();
        if self.json {
            print_json(&list(ListInput { pattern, sat }, registry)?)?;
        } else if pattern.is_some() {
            print_solvers(&list(ListInput { pattern, sat }, registry)?, true, &mut out)?;
        } else {
            let overview = overview(sat, registry)?;
            print_solvers(&overview.other_solvers, false, &mut out)?;
            print_parts_of_ids(&overview, &mut out)?;
        }
        Ok(Exit::Success)
    }
}

/// Prints solvers; with `details`, also the values and descriptions of their options.
fn print_solvers(infos: &[Info], details: bool, out: &mut impl Write) -> io::Result<()> {
    let width = infos.iter().map(|info| info.id.len()).max().unwrap_or(0);
    let indent = " ".repeat(width + 14);
    writeln!(out, "{:width$}  {:>10}  {:21}  description", "id", "sizes", "goals")?;
    for info in infos {
        let sizes = match (info.sizes.start(), info.sizes.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        let goals: Vec<&str> = info.goals.iter().map(|goal| goal.name()).collect();
        writeln!(out, "{:width$}  {sizes:>10}  {:21}  {}", info.id, goals.join(" "), info.about)?;
        if !info.statistics.is_empty() {
            writeln!(out, "{indent}statistics: {}", names(&info.statistics))?;
        }
        if !details && !info.options.is_empty() {
            let names: Vec<&str> = info.options.iter().map(|option| option.name).collect();
            writeln!(out, "{indent}options {}", names.join(" "))?;
        }
        for SolverOption { name, values, default, about } in info.options.iter().filter(|_| details) {
            let mark_default = |value: &&str| {
                if value == default { format!("{value} (default)") } else { (*value).to_owned() }
            };
            let values: Vec<String> = values.iter().map(mark_default).collect();
            writeln!(out, "{indent}option {name}: {}\n{indent}  {about}", values.join(", "))?;
        }
        if let Some(reason) = &info.unavailable {
            writeln!(out, "{indent}unavailable: {reason}")?;
        }
    }
    Ok(())
}

/// Prints the possible parts of the ids of SAT solvers.
fn print_parts_of_ids(overview: &Overview, out: &mut impl Write) -> io::Result<()> {
    let id_count = overview.sat_ids;
    writeln!(
        out,
        "\nsat/<encoding>/<backend>[/<strategy>]  {id_count} ids, for example sat/pairwise/varisat"
    )?;
    writeln!(out, "goals: first, count and enumerate; 'queenlab list sat/' lists every id")?;
    writeln!(out, "\nencoding: how 'at most one of k squares' is written as clauses")?;
    for am1 in &overview.encodings {
        writeln!(out, "  {:16}  n <= {:4}  {}", am1.name, am1.largest_board, am1.about)?;
    }
    writeln!(out, "\nbackend: the SAT solver")?;
    for ListedBackend { name, about, statistics, unavailable } in &overview.backends {
        match about {
            BackendAbout::BuiltIn(about) => writeln!(out, "  {name:16}  {about}")?,
            BackendAbout::Command(command) => {
                writeln!(out, "  {name:16}  '{}', one process per call", Escaped(command))?;
            }
        }
        if !statistics.is_empty() {
            writeln!(out, "  {:16}  statistics: {}", "", names(statistics))?;
        }
        if let Some(reason) = unavailable {
            writeln!(out, "  {:16}  unavailable: {reason}", "")?;
        }
    }
    writeln!(out, "\nstrategy: how solutions are enumerated")?;
    for ListedStrategy { name, about, statistics } in &overview.strategies {
        let (name, note) = match name {
            None => ("(none)", "; chrono: without blocking clauses"),
            Some(name) => (name.as_str(), ""),
        };
        writeln!(out, "  {name:16}  {about}{note}")?;
        if let Some(statistics) = statistics {
            writeln!(out, "  {:16}  statistics: {}", "", names(statistics))?;
        }
    }
    Ok(())
}

fn names(statistics: &[Stat]) -> String {
    statistics.iter().map(|stat| stat.name()).collect::<Vec<_>>().join(" ")
}
