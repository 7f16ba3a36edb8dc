//! `queenlab list`: every solver and its properties.

use std::io::{self, Write};

use crate::registry::Registry;
use crate::sat::strategy::Strategy;
use crate::sat::symmetry::SymmetryGroup;
use crate::sat::{am1, backend};
use crate::solver::{Goal, Info, Order, SolverOption, Stat};
use anyhow::Error;
use serde_json::json;

use super::args::{Global, ListArguments};
use super::{Exit, print_json};

pub fn run(arguments: &ListArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let external = global.external.as_deref();
    let infos = registry.matching(arguments.pattern.as_deref().unwrap_or("*"))?;
    if arguments.json {
        print_json(&infos.iter().map(as_json).collect::<Vec<_>>())?;
        return Ok(Exit::Success);
    }
    let mut out = super::out();
    if arguments.pattern.is_some() {
        one_by_one(&infos, true, &mut out)?;
    } else {
        let (sat, others): (Vec<Info>, Vec<Info>) =
            infos.into_iter().partition(|info| info.id.starts_with("sat/"));
        one_by_one(&others, false, &mut out)?;
        family(&sat, external, &mut out)?;
    }
    Ok(Exit::Success)
}

/// Lists solvers; with `details`, the values and meanings of their options.
fn one_by_one(infos: &[Info], details: bool, out: &mut impl Write) -> io::Result<()> {
    let width = infos.iter().map(|info| info.id.len()).max().unwrap_or(0);
    writeln!(out, "{:width$}  {:>10}  {:21}  description", "id", "sizes", "goals")?;
    for info in infos {
        let sizes = match (info.sizes.start(), info.sizes.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        let goals: Vec<&str> = info.goals.iter().map(|goal| goal.name()).collect();
        writeln!(out, "{:width$}  {sizes:>10}  {:21}  {}", info.id, goals.join(" "), info.about)?;
        if !info.statistics.is_empty() {
            writeln!(out, "{:width$}  {:>10}  statistics: {}", "", "", names(&info.statistics))?;
        }
        if !details && !info.options.is_empty() {
            let names: Vec<&str> = info.options.iter().map(|option| option.name).collect();
            writeln!(out, "{:width$}  {:>10}  options {}", "", "", names.join(" "))?;
        }
        for SolverOption { name, values, default, about } in info.options.iter().filter(|_| details) {
            let values: Vec<String> = values
                .iter()
                .map(|value| format!("{value}{}", if value == default { " (default)" } else { "" }))
                .collect();
            writeln!(out, "{:width$}  {:>10}  option {name}: {}", "", "", values.join(", "))?;
            writeln!(out, "{:width$}  {:>10}    {about}", "", "")?;
        }
        if let Some(reason) = &info.unavailable {
            writeln!(out, "{:width$}  {:>10}  unavailable: {reason}", "", "")?;
        }
    }
    Ok(())
}

/// Explains each part of the ids of SAT solvers.
fn family(infos: &[Info], external: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "\nsat/<encoding>/<backend>[/<strategy>]  {} ids, for example sat/pairwise/varisat",
        infos.len()
    )?;
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
        if let Some(reason) = (backend.unavailable)(external) {
            writeln!(out, "  {:16}  unavailable: {reason}", "")?;
        }
    }
    writeln!(out, "\nstrategy: how solutions are enumerated")?;
    for strategy in Strategy::all() {
        let name = strategy.name().unwrap_or("(none)");
        writeln!(out, "  {name:16}  {}", strategy.about())?;
        if strategy.symmetry == SymmetryGroup::None {
            writeln!(out, "  {:16}  statistics: {}", "", names(strategy.statistics()))?;
        }
    }
    Ok(())
}

fn names(statistics: &[Stat]) -> String {
    statistics.iter().map(|stat| stat.name()).collect::<Vec<_>>().join(" ")
}

fn as_json(info: &Info) -> serde_json::Value {
    json!({
        "id": info.id,
        "about": info.about,
        "version": info.version,
        "goals": info.goals.iter().copied().map(Goal::name).collect::<Vec<_>>(),
        "sizes": [info.sizes.start(), info.sizes.end()],
        "sizes_reason": info.sizes_reason,
        "pattern_limit": info.pattern_limit,
        "statistics": info.statistics.iter().copied().map(Stat::name).collect::<Vec<_>>(),
        "order": match info.order {
            Order::ByRow => "by row",
            Order::ByColumn => "by column",
            Order::Unspecified => "unspecified",
        },
        "options": info.options.iter().map(|option| json!({
            "name": option.name,
            "values": option.values,
            "default": option.default,
            "about": option.about,
        })).collect::<Vec<_>>(),
        "uses_threads": info.uses_threads,
        "available": info.unavailable.is_none(),
        "unavailable_reason": info.unavailable,
    })
}
