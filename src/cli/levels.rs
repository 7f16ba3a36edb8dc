//! `queenlab verify --levels`: proves the number of search nodes on each level.

use std::io::Write;

use crate::backtrack::Bitmask;
use crate::registry::Registry;
use crate::solver::Solver;
use crate::verify::levels::{self, LARGEST_BOARD, ProvedLevels};
use crate::words::counted;
use anyhow::Error;
use serde_json::json;

use super::args::{Global, VerifyArguments};
use super::{Exit, even_unread, print_json, terminal};

/// The searcher whose nodes are proved to be complete.
const SEARCHER: &str = "backtrack/bitmask";

pub fn run(arguments: &VerifyArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    if let Some(n) = arguments.sizes().iter().find(|n| n.get() > LARGEST_BOARD) {
        refuse!("--levels works up to n = {LARGEST_BOARD}, not {n}: narrow the sizes");
    }
    let all = ["backtrack/*".to_owned()];
    let patterns = if arguments.solvers.is_empty() { &all[..] } else { &arguments.solvers };
    let solvers = registry.select_all(patterns)?;
    let solvers: Vec<&dyn Solver> = solvers.iter().map(|(solver, _)| solver as &dyn Solver).collect();
    let report = levels::levels(&Bitmask, &solvers, arguments.sizes().iter())?;
    if arguments.json {
        let discrepancies: Vec<String> = report.discrepancies.iter().map(ToString::to_string).collect();
        let (agrees, levels) = (report.agrees(), &report.levels);
        print_json(&json!({ "agrees": agrees, "levels": levels, "discrepancies": discrepancies }))?;
    } else {
        even_unread(print(&report, global.quiet))?;
    }
    if !report.agrees() {
        terminal::say(counted(report.discrepancies.len(), "difference"));
    }
    Ok(if report.agrees() { Exit::Success } else { Exit::WrongAnswer })
}

fn print(report: &ProvedLevels, quiet: bool) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "  n  level  placements  dead ends  clauses  lemmas  searchers that agree")?;
    for level in &report.levels {
        writeln!(
            out,
            "{:>3}  {:>5}  {:>10}  {:>9}  {:>7}  {:>6}  {}",
            level.n,
            level.level,
            level.placements,
            level.dead_ends,
            level.clauses,
            level.lemmas,
            level.solvers.len()
        )?;
    }
    for discrepancy in &report.discrepancies {
        writeln!(out, "\n{discrepancy}")?;
    }
    if report.agrees() && !quiet {
        writeln!(
            out,
            "{} proved: {SEARCHER} visits every legal placement exactly once, and no others",
            counted(report.levels.len(), "level")
        )?;
    }
    Ok(())
}
