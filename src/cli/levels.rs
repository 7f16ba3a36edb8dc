//! `queenlab verify --levels`: proves the number of search nodes on each level.

use std::io::Write;

use crate::backtrack::Bitmask;
use crate::registry::Registry;
use crate::solver::{Configured, Solver};
use crate::verify::levels::{self, LARGEST_BOARD, ProvedLevels};
use crate::words::counted;
use anyhow::Error;
use serde_json::json;

use super::args::{Global, VerifyArguments};
use super::{BadInput, Exit, even_unread, terminal};

/// The searcher whose nodes are proved to be complete.
const SEARCHER: &str = "backtrack/bitmask";

pub fn run(arguments: &VerifyArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    if let Some(n) = arguments.sizes().iter().find(|n| n.get() > LARGEST_BOARD) {
        let reason = format!("--levels works up to n = {LARGEST_BOARD}, not {n}: narrow the sizes");
        return Err(BadInput(reason).into());
    }
    let mut solvers: Vec<Configured<'_>> = Vec::new();
    let all = ["backtrack/*".to_owned()];
    for pattern in if arguments.solvers.is_empty() { &all[..] } else { &arguments.solvers } {
        for selected in registry.select(pattern)? {
            let solver = registry.configured(&selected)?;
            if solvers.iter().all(|other| other.info().id != solver.info().id) {
                solvers.push(solver);
            }
        }
    }
    let solvers: Vec<&dyn Solver> = solvers.iter().map(|solver| solver as &dyn Solver).collect();
    let report = levels::levels::<Bitmask>(SEARCHER, &solvers, arguments.sizes().iter())?;
    even_unread(if arguments.json { print_json(&report) } else { print(&report, global.quiet) })?;
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

fn print_json(report: &ProvedLevels) -> Result<(), Error> {
    let levels = report.levels.iter().map(|level| {
        json!({
            "n": level.n,
            "level": level.level,
            "placements": level.placements,
            "dead_ends": level.dead_ends,
            "clauses": level.clauses,
            "lemmas": level.lemmas,
            "solvers": level.solvers,
        })
    });
    let found = json!({
        "agrees": report.agrees(),
        "levels": levels.collect::<Vec<_>>(),
        "discrepancies": report.discrepancies.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &found)?;
    Ok(writeln!(out)?)
}
