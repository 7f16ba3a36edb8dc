//! `queenlab list`: every solver and what it declares.

use std::io::Write;

use crate::registry::Registry;
use crate::solver::{Goal, Info, Order, Stat};
use anyhow::Error;
use serde_json::json;

use super::Exit;
use super::args::ListArguments;

pub fn run(arguments: &ListArguments, registry: &Registry) -> Result<Exit, Error> {
    let infos: Vec<Info> = registry.iter().map(|solver| solver.info()).collect();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let solvers: Vec<_> = infos.iter().map(as_json).collect();
        serde_json::to_writer_pretty(&mut out, &solvers)?;
        writeln!(out)?;
        return Ok(Exit::Success);
    }
    let width = infos.iter().map(|info| info.id.len()).max().unwrap_or(0);
    writeln!(out, "{:width$}  {:>7}  {:21}  what it is", "id", "sizes", "goals")?;
    for info in &infos {
        let sizes = match (info.sizes.start(), info.sizes.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        let goals: Vec<&str> = info.goals.iter().map(|goal| goal.name()).collect();
        writeln!(out, "{:width$}  {sizes:>7}  {:21}  {}", info.id, goals.join(" "), info.about)?;
        let counts: Vec<&str> = info.statistics.iter().map(|stat| stat.name()).collect();
        writeln!(out, "{:width$}  {:>7}  counts {}", "", "", counts.join(" "))?;
        if let Some(reason) = &info.unavailable {
            writeln!(out, "{:width$}  {:>7}  unavailable: {reason}", "", "")?;
        }
    }
    Ok(Exit::Success)
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
        "available": info.unavailable.is_none(),
        "unavailable_reason": info.unavailable,
    })
}
