//! `queenlab list`: every solver and its properties.

use std::io::{self, Write};

use crate::registry::Registry;
use crate::sat::strategy::Strategy;
use crate::sat::symmetry::SymmetryGroup;
use crate::sat::{am1, backend};
use crate::solver::{Goal, Info, Order, SolverOption, Stat};
use anyhow::Error;
use clap::Args;
use serde_json::json;

use super::options::External;
use super::{Exit, Run, print_json, terminal};

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
    external: External,
}

impl Run for List {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let registry = self.external.with(registry);
        let infos = registry.matching(self.pattern.as_deref().unwrap_or("*"))?;
        if self.json {
            print_json(&infos.iter().map(as_json).collect::<Vec<_>>())?;
            return Ok(Exit::Success);
        }
        let mut out = super::out();
        if self.pattern.is_some() {
            one_by_one(&infos, true, &mut out)?;
        } else {
            let (sat, others): (Vec<Info>, Vec<Info>) =
                infos.into_iter().partition(|info| info.id.starts_with("sat/"));
            one_by_one(&others, false, &mut out)?;
            family(&sat, self.external.external.as_deref(), &mut out)?;
        }
        Ok(Exit::Success)
    }
}

/// The fewest columns for a description beside the id, sizes and goals of a solver.
const FEWEST: usize = 40;

/// Lists solvers; with `details`, the values and meanings of their options.
fn one_by_one(infos: &[Info], details: bool, out: &mut impl Write) -> io::Result<()> {
    let width = infos.iter().map(|info| info.id.len()).max().unwrap_or(0);
    let (columns, goals_at) = (columns(), width + 14);
    // In a narrow terminal, descriptions have lines of their own.
    let beside = columns.saturating_sub(goals_at + 23) >= FEWEST;
    let indent = if beside { goals_at } else { 4 };
    let below = |text: &str, more: usize, out: &mut _| wrapped("", indent + more, text, columns, out);
    let about = if beside { "description" } else { "" };
    writeln!(out, "{}", format!("{:width$}  {:>10}  {:21}  {about}", "id", "sizes", "goals").trim_end())?;
    for info in infos {
        let sizes = match (info.sizes.start(), info.sizes.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        let goals: Vec<&str> = info.goals.iter().map(|goal| goal.name()).collect();
        let head = format!("{:width$}  {sizes:>10}  {:21}  ", info.id, goals.join(" "));
        if beside {
            wrapped(&head, head.len(), &info.about, columns, out)?;
        } else {
            writeln!(out, "{}", head.trim_end())?;
            below(&info.about, 0, out)?;
        }
        if !info.statistics.is_empty() {
            below(&format!("statistics: {}", names(&info.statistics)), 0, out)?;
        }
        if !details && !info.options.is_empty() {
            let names: Vec<&str> = info.options.iter().map(|option| option.name).collect();
            below(&format!("options {}", names.join(" ")), 0, out)?;
        }
        for SolverOption { name, values, default, about } in info.options.iter().filter(|_| details) {
            let values: Vec<String> = values
                .iter()
                .map(|value| format!("{value}{}", if value == default { " (default)" } else { "" }))
                .collect();
            below(&format!("option {name}: {}", values.join(", ")), 0, out)?;
            below(about, 2, out)?;
        }
        if let Some(reason) = &info.unavailable {
            below(&format!("unavailable: {reason}"), 0, out)?;
        }
    }
    Ok(())
}

/// The width of the terminal; unlimited where there is none, so that other programs get one line for each fact.
fn columns() -> usize {
    terminal::output_columns().unwrap_or(usize::MAX)
}

/// Writes a head and then a text, from this column on, in lines of at most `columns` columns.
fn wrapped(head: &str, at: usize, text: &str, columns: usize, out: &mut impl Write) -> io::Result<()> {
    let (mut line, mut width) = (format!("{head:at$}"), at);
    for word in text.split(' ') {
        let letters = word.chars().count();
        if width > at && width + 1 + letters > columns {
            writeln!(out, "{line}")?;
            (line, width) = (" ".repeat(at), at);
        }
        let gap = if width > at { " " } else { "" };
        line += gap;
        line += word;
        width += gap.len() + letters;
    }
    writeln!(out, "{line}")
}

/// Explains each part of the ids of SAT solvers.
fn family(infos: &[Info], external: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    let columns = columns();
    let put = |head: &str, text: &str, out: &mut _| wrapped(head, head.chars().count(), text, columns, out);
    writeln!(
        out,
        "\nsat/<encoding>/<backend>[/<strategy>]  {} ids, for example sat/pairwise/varisat",
        infos.len()
    )?;
    put("", "goals: first, count and enumerate; 'queenlab list sat/' lists every id", out)?;
    writeln!(out, "\nencoding: how 'at most one of k squares' is written as clauses")?;
    for am1 in am1::ALL {
        put(&format!("  {:16}  n <= {:4}  ", am1.name, am1.largest_board), am1.about, out)?;
    }
    writeln!(out, "\nbackend: the SAT solver")?;
    for backend in &backend::ALL {
        put(&format!("  {:16}  ", backend.name), backend.about, out)?;
        if !backend.statistics.is_empty() {
            put(&format!("  {:16}  ", ""), &format!("statistics: {}", names(backend.statistics)), out)?;
        }
        if let Some(reason) = (backend.unavailable)(external) {
            put(&format!("  {:16}  ", ""), &format!("unavailable: {reason}"), out)?;
        }
    }
    writeln!(out, "\nstrategy: how solutions are enumerated")?;
    for strategy in Strategy::all() {
        put(&format!("  {:16}  ", strategy.name().unwrap_or("(none)")), &strategy.about(), out)?;
        if strategy.symmetry == SymmetryGroup::None {
            put(&format!("  {:16}  ", ""), &format!("statistics: {}", names(strategy.statistics())), out)?;
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
