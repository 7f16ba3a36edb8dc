//! `queenlab verify --mutants`: injects faults and reports which checks detect them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::verify::Discrepancy;
use crate::verify::mutants::{self, Check, Kind, LARGEST_BOARD, Trial};
use anyhow::Error;
use serde_json::{Value, json};

use super::args::VerifyArguments;
use super::{Exit, even_unread, print_json, terminal};

pub fn run(arguments: &VerifyArguments) -> Result<Exit, Error> {
    let outside = |n: usize| !(1..=LARGEST_BOARD).contains(&n);
    if let Some(n) = arguments.sizes().iter().find(|n| outside(n.get())) {
        refuse!("--mutants works from n = 1 to {LARGEST_BOARD}, not {n}: narrow the sizes");
    }
    let trials = mutants::all(arguments.sizes().iter())?;
    if arguments.json {
        print_json(&json!({ "mutants": trials.iter().map(as_json).collect::<Vec<_>>() }))?;
    } else {
        even_unread(print(&trials).map_err(Error::from))?;
    }
    let survivors = trials.iter().filter(|trial| !trial.is_caught()).count();
    if survivors > 0 {
        let (all, sizes) = (trials.len(), arguments.sizes());
        terminal::say(format_args!("{survivors} of {all} mutants were not detected at n = {sizes}"));
    }
    Ok(if survivors == 0 { Exit::Success } else { Exit::WrongAnswer })
}

fn print(trials: &[Trial]) -> io::Result<()> {
    let mut out = std::io::stdout().lock();
    for trial in trials {
        shown(trial, &mut out)?;
    }
    for kind in Kind::ALL {
        writeln!(out)?;
        table(kind, trials, &mut out)?;
    }
    writeln!(out)?;
    conclusion(trials, &mut out)
}

/// Prints each fault and the checks that detect it.
fn shown(trial: &Trial, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{} ({}): {}", trial.name, trial.of, trial.wrong)?;
    let Some(n) = trial.n() else { return writeln!(out, "  SURVIVES") };
    writeln!(out, "  n={n}: {}", trial.message.as_deref().unwrap_or_default())?;
    if let Some((n, shown, board)) = &trial.board {
        writeln!(out, "  n={n}, {shown}: {board}")?;
        for line in Discrepancy::drawn(*n, board) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

/// Prints the smallest n at which each check detects each mutant.
fn table(kind: Kind, trials: &[Trial], out: &mut impl Write) -> io::Result<()> {
    let width = trials.iter().map(|trial| trial.name.len()).max().unwrap_or(0);
    write!(out, "{:width$}  {:>2}", kind.to_string(), "n")?;
    for check in kind.checks() {
        write!(out, "  {}", check.name())?;
    }
    writeln!(out)?;
    for trial in trials.iter().filter(|trial| trial.kind == kind) {
        let smallest = trial.n().map_or("-".to_owned(), |n| n.to_string());
        write!(out, "{:width$}  {smallest:>2}", trial.name)?;
        for check in kind.checks() {
            let first = trial.caught.get(check).map_or(".".to_owned(), usize::to_string);
            write!(out, "  {first:>width$}", width = check.name().len())?;
        }
        writeln!(out, "{}", if trial.is_caught() { "" } else { "  SURVIVES" })?;
    }
    Ok(())
}

/// Prints how many mutants each check detects on its own.
fn conclusion(trials: &[Trial], out: &mut impl Write) -> io::Result<()> {
    let caught = trials.iter().filter(|trial| trial.is_caught()).count();
    let searchers: Vec<&Trial> = trials.iter().filter(|trial| trial.kind == Kind::Searcher).collect();
    let by = |check: Check| searchers.iter().filter(|trial| trial.caught.contains_key(&check)).count();
    let only = |check: Check| searchers.iter().filter(|trial| trial.caught.keys().eq([&check])).count();
    let mut first: BTreeMap<usize, usize> = BTreeMap::new();
    for n in searchers.iter().filter_map(|trial| trial.caught.get(&Check::Count)) {
        *first.entry(*n).or_default() += 1;
    }
    let first: Vec<String> = first.iter().map(|(n, mutants)| format!("{mutants} at n = {n}")).collect();
    let all = searchers.len();
    writeln!(
        out,
        "A number is the smallest n at which the check detected the mutant; a dot means that it did not."
    )?;
    writeln!(
        out,
        "A count alone is weak evidence: it detects {} of {all} searchers{}{}.",
        by(Check::Count),
        if first.is_empty() { "" } else { ", the first time " },
        first.join(", ")
    )?;
    writeln!(
        out,
        "The set of boards detects {}, the node profile {}, a proof {}; the profile alone {}, the proof alone {}, the \
         order alone {}.",
        by(Check::Set),
        by(Check::Profile),
        by(Check::Proof),
        only(Check::Profile),
        only(Check::Proof),
        only(Check::Order)
    )?;
    writeln!(out, "{caught} of {} mutants were detected", trials.len())
}

fn as_json(trial: &Trial) -> Value {
    let first: BTreeMap<&str, usize> = trial.caught.iter().map(|(check, &n)| (check.name(), n)).collect();
    json!({
        "name": trial.name,
        "kind": trial.kind.to_string(),
        "of": trial.of,
        "wrong": trial.wrong,
        "caught": trial.is_caught(),
        "caught_by": trial.caught.keys().map(|check| check.name()).collect::<Vec<_>>(),
        "n": trial.n(),
        "first": first,
        "said": trial.message,
        "board": trial.board.as_ref().map(|(n, shown, board)| {
            json!({ "n": n, "shows": shown.to_string(), "columns": board.columns() })
        }),
    })
}
