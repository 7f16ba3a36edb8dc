//! `queenlab verify`: the cross-check.

use std::collections::BTreeMap;
use std::io::Write;

use crate::board::known;
use crate::board::problem::{Problem, Variant};
use crate::board::sizes::ranges;
use crate::record::{CrosscheckRow, is_foreign, table};
use crate::registry::Registry;
use crate::verify::crosscheck::{Crosscheck, Entrant, crosscheck};
use anyhow::Error;
use serde_json::json;

use super::args::{Global, VerifyArguments};
use super::progress::VerifyProgress;
use super::{BadInput, Exit, even_unread, levels, print_json, terminal, units};

/// The solver that others are compared with.
const SAT: &str = "sat/pairwise/varisat";

/// The solvers that are compared unless --solver selects others.
const DEFAULT_SOLVERS: [&str; 2] = ["backtrack/*", SAT];

pub fn run(arguments: &VerifyArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    if arguments.levels {
        if global.external.is_some() {
            refuse!("--external has no effect on --levels, which runs no external solver: leave it out");
        }
        return levels::run(arguments, global, registry);
    }
    let usual = DEFAULT_SOLVERS.map(str::to_owned);
    let patterns = if arguments.solvers.is_empty() { &usual[..] } else { &arguments.solvers };
    let chosen = registry.select_all(patterns)?;
    let mut entrants: Vec<Entrant<'_>> =
        chosen.iter().map(|(solver, limit)| Entrant { solver, limit: *limit }).collect();
    let chosen: Vec<_> = entrants.iter().map(|entrant| entrant.solver.info()).collect();
    super::refuse_unused(&chosen, None, global)?;
    let problems = problems(arguments)?;
    let enumerations = |entrants: &[Entrant<'_>]| -> usize {
        problems
            .iter()
            .map(|problem| entrants.iter().filter(|entrant| entrant.takes_part(problem)).count())
            .sum()
    };
    if enumerations(&entrants) == 0 {
        refuse!("none of these solvers enumerates n = {}; see 'queenlab list'", arguments.sizes());
    }
    // Without a SAT solver of this program, there would be no independent result to compare with.
    if !chosen.iter().any(|info| info.id.starts_with("sat/") && !is_foreign(&info.id)) {
        entrants.push(Entrant::new(registry.get(SAT)?));
    }
    warn_of_long_sizes(&problems);
    let progress = VerifyProgress::new(global, enumerations(&entrants));
    let report = crosscheck(&entrants, problems, &progress)?;
    progress.finish();
    if arguments.json {
        let discrepancies: Vec<String> = report.discrepancies.iter().map(ToString::to_string).collect();
        let (agrees, rows) = (report.agrees(), &report.rows);
        print_json(
            &json!({ "agrees": agrees, "comparisons": table::json(rows), "discrepancies": discrepancies }),
        )?;
    } else {
        even_unread(print(&report).map_err(Error::from))?;
    }
    let (bad, all) = (report.discrepancies.len(), report.rows.len());
    if report.agrees() {
        terminal::note(format_args!("all {all} comparisons agree"));
    } else {
        terminal::say(format_args!("{bad} of {all} comparisons disagree"));
    }
    Ok(if report.agrees() { Exit::Success } else { Exit::WrongAnswer })
}

/// The problems of the arguments: every variant at every size.
fn problems(arguments: &VerifyArguments) -> Result<Vec<Problem>, Error> {
    let variants = match arguments.variant.as_str() {
        "all" => Variant::NAMED.to_vec(),
        name => vec![name.parse::<Variant>().map_err(BadInput)?],
    };
    let sizes = arguments.sizes();
    let problems = variants.iter().flat_map(|variant| sizes.iter().map(|n| Problem::new(n, variant.clone())));
    Ok(problems.collect::<Result<_, _>>()?)
}

/// With more solutions than this, a SAT solver takes hours for all of them.
const MANY: u64 = 300_000;

fn warn_of_long_sizes(problems: &[Problem]) {
    let is_long = |problem: &&Problem| known::published(problem).is_none_or(|(count, _)| count > MANY);
    let mut sizes: Vec<usize> = problems.iter().filter(is_long).map(|problem| problem.n().get()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if !sizes.is_empty() {
        let (sizes, many) = (ranges(&sizes), units::thousands(MANY));
        terminal::note(format_args!(
            "n = {sizes} will take hours, or never end: every solver enumerates more than {many} solutions"
        ));
    }
}

fn print(report: &Crosscheck) -> std::io::Result<()> {
    let mut out = super::out();
    summary(&report.rows, &mut out)?;
    for discrepancy in &report.discrepancies {
        writeln!(out, "\n{discrepancy}")?;
    }
    Ok(())
}

/// One line per size: number of solutions, number of solvers, and the references of the comparison.
fn summary(rows: &[CrosscheckRow], out: &mut impl Write) -> std::io::Result<()> {
    let mut variants: Vec<&str> = rows.iter().map(|row| row.variant.as_str()).collect();
    variants.dedup();
    for variant in variants {
        if rows.iter().any(|row| row.variant != rows[0].variant) {
            writeln!(out, "{variant}")?;
        }
        table(rows.iter().filter(|row| row.variant == variant), out)?;
    }
    Ok(())
}

fn table<'a>(rows: impl Iterator<Item = &'a CrosscheckRow>, out: &mut impl Write) -> std::io::Result<()> {
    let mut by_size: BTreeMap<usize, Vec<&CrosscheckRow>> = BTreeMap::new();
    for row in rows {
        by_size.entry(row.n).or_default().push(row);
    }
    writeln!(out, "{:>3}  {:>12}  {:>7}  {:>32}  compared with", "n", "solutions", "solvers", "digest")?;
    for (n, rows) in by_size {
        let distinct = |of: fn(&CrosscheckRow) -> &str| {
            let mut all: Vec<&str> = Vec::new();
            for row in &rows {
                let item = of(row);
                if !all.contains(&item) {
                    all.push(item);
                }
            }
            all
        };
        let solvers = distinct(|row| &row.solver);
        let mut against = distinct(|row| &row.against);
        against.sort_by_key(|name| (name.starts_with('A'), *name == "board"));
        let bad = rows.iter().filter(|row| !row.agrees).count();
        let verdict = if bad == 0 { String::new() } else { format!("  {bad} DISAGREE") };
        writeln!(
            out,
            "{n:>3}  {:>12}  {:>7}  {:>32}  {}{verdict}",
            rows[0].solutions,
            solvers.len(),
            rows[0].digest.as_deref().unwrap_or(""),
            against.join(", ")
        )?;
    }
    Ok(())
}
