//! `queenlab list`: every solver and its properties.

use std::io::{self, Write};

use crate::model::SolverRef;
use crate::registry::Registry;
use crate::sat::am1;
use crate::sat::backend::{self, EXTERNAL};
use crate::sat::strategy::{BLOCKING, Strategy};
use crate::sat::symmetry::SymmetryGroup;
use crate::solver::{Info, SolverOption, Stat};
use crate::spec::FormulaProgram;
use anyhow::Error;
use clap::Args;
use plaintext::Escaped;

use super::options::SatPrograms;
use super::{Exit, Run, print_json};

/// List all solvers with their goals, board sizes and statistics.
///
/// The id of a SAT solver consists of an encoding, a backend and a strategy; the list shows these parts instead of
/// every combination. With PATTERN, it shows every id that matches.
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

impl Run for List {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let registry = self.sat.with(registry);
        let infos = registry.matching(self.pattern.as_deref().unwrap_or("*"))?;
        if self.json {
            print_json(&infos)?;
            return Ok(Exit::Success);
        }
        let mut out = super::out();
        if self.pattern.is_some() {
            one_by_one(&infos, true, &mut out)?;
        } else {
            let (sat, others): (Vec<Info>, Vec<Info>) =
                infos.into_iter().partition(|info| SolverRef::of(&info.id, []).is_sat());
            one_by_one(&others, false, &mut out)?;
            family(&sat, &self.sat, &mut out)?;
        }
        Ok(Exit::Success)
    }
}

/// Lists solvers; with `details`, the values and meanings of their options.
fn one_by_one(infos: &[Info], details: bool, out: &mut impl Write) -> io::Result<()> {
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
            let mark = |value: &&str| {
                if value == default { format!("{value} (default)") } else { (*value).to_owned() }
            };
            let values: Vec<String> = values.iter().map(mark).collect();
            writeln!(out, "{indent}option {name}: {}\n{indent}  {about}", values.join(", "))?;
        }
        if let Some(reason) = &info.unavailable {
            writeln!(out, "{indent}unavailable: {reason}")?;
        }
    }
    Ok(())
}

/// Explains each part of the ids of SAT solvers.
fn family(infos: &[Info], programs: &SatPrograms, out: &mut impl Write) -> io::Result<()> {
    let number = infos.len();
    writeln!(out, "\nsat/<encoding>/<backend>[/<strategy>]  {number} ids, for example sat/pairwise/varisat")?;
    writeln!(out, "goals: first, count and enumerate; 'queenlab list sat/' lists every id")?;
    writeln!(out, "\nencoding: how 'at most one of k squares' is written as clauses")?;
    for am1 in am1::ALL {
        writeln!(out, "  {:16}  n <= {:4}  {}", am1.name, am1.largest_board, am1.about)?;
    }
    writeln!(out, "\nbackend: the SAT solver")?;
    for backend in &backend::ALL {
        writeln!(out, "  {:16}  {}", backend.name, backend.about)?;
        if !backend.statistics.is_empty() {
            writeln!(out, "  {:16}  statistics: {}", "", names(backend.statistics))?;
        }
        let program = programs.programs.iter().find(|own| own.id.as_str() == backend.name);
        let program = program.map(FormulaProgram::program);
        if let Some(reason) = (backend.unavailable)(program.as_ref()) {
            writeln!(out, "  {:16}  unavailable: {reason}", "")?;
        }
    }
    for own in programs.programs.iter().filter(|own| own.id.as_str() != EXTERNAL.name) {
        writeln!(out, "  {:16}  '{}', one process per call", own.id, Escaped(&own.command))?;
        if let Err(reason) = own.program().check() {
            writeln!(out, "  {:16}  unavailable: {reason}", "")?;
        }
    }
    writeln!(out, "\nstrategy: how solutions are enumerated")?;
    // Without a name, each backend enumerates the whole formula in its own way, with the same statistics.
    let is_baseline = |strategy: &Strategy| std::ptr::eq(strategy.division, &BLOCKING);
    let is_listed = |strategy: &Strategy| strategy.name().is_some() || is_baseline(strategy);
    for strategy in Strategy::all().filter(is_listed) {
        let (name, note) = match strategy.name() {
            None => ("(none)".to_owned(), "; chrono: without them"),
            Some(name) => (name, ""),
        };
        writeln!(out, "  {name:16}  {}{note}", strategy.about())?;
        if strategy.symmetry == SymmetryGroup::None {
            writeln!(out, "  {:16}  statistics: {}", "", names(strategy.division.statistics))?;
        }
    }
    Ok(())
}

fn names(statistics: &[Stat]) -> String {
    statistics.iter().map(|stat| stat.name()).collect::<Vec<_>>().join(" ")
}
