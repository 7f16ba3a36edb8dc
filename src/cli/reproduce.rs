//! `queenlab reproduce`: the same plan again, into a directory of its own, and what differs.

use std::path::{Path, PathBuf};

use anyhow::Error;
use queenlab::experiment::files;
use queenlab::experiment::plan::Plan;
use queenlab::record::Stored;
use queenlab::registry::Registry;
use queenlab::report::compare::Comparison;

use super::args::{Global, ReproduceArguments};
use super::sweep::{Carried, carry_out};
use super::{BadInput, Exit, color, compare, stored};

pub fn run(arguments: &ReproduceArguments, global: &Global) -> Result<Exit, Error> {
    let directory = &arguments.directory;
    let before = stored(directory)?;
    let bad = |reason: String| BadInput(format!("{}: {reason}", directory.join("meta.json").display()));
    let meta =
        before.meta.as_ref().ok_or_else(|| bad("without it there is no plan to run again".to_owned()))?;
    let registry = Registry::with_external(None);
    let plan =
        Plan::of_meta(meta, &registry).map_err(|reason| bad(format!("its plan cannot be run: {reason}")))?;
    let commands = plan.commands();
    if !commands.is_empty() && !arguments.allow_programs {
        let list =
            commands.iter().map(|command| format!("\n  {}", command.escape_debug())).collect::<String>();
        let told = format!("its plan starts programs; read them, then say --allow-programs:{list}");
        return Err(bad(told).into());
    }
    let then = plan;
    let plan = then.clone().with_files();
    for change in files::changed_since(&then) {
        color::say(
            "warning",
            &format!("{change} is not the file that {} was made with", directory.display()),
        );
    }
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => beside(directory)?,
    };
    if same(&out, directory) {
        return Err(BadInput("--out: the new results need a directory of their own".to_owned()).into());
    }
    let carried = carry_out(&plan, &out, false, &registry, global)?;
    let Carried::Done { faults, disagreements } = carried else { return Ok(Exit::Interrupted) };
    let after = Stored::read(&out)?;
    let shown = compare::show(&before, &after, None, false, global)?;
    let comparison = Comparison::of(&before, &after);
    let differ = comparison.changed.len() + comparison.wrong.len();
    let missing = comparison.only_first.len() + comparison.only_second.len();
    if differ + missing == 0 {
        eprintln!("reproduced: every answer and every count is the same");
    } else {
        eprintln!("not reproduced: {differ} cells differ, {missing} are in one of the two only");
    }
    Ok(if differ + missing + faults.wrong + disagreements > 0 {
        Exit::WrongAnswer
    } else if faults.failed() > 0 {
        Exit::Failure
    } else {
        shown
    })
}

/// `results/x` as `results/x-reproduced`: no name comes out of the directory.
fn beside(directory: &Path) -> Result<PathBuf, BadInput> {
    let name = directory.file_name().ok_or_else(|| {
        BadInput(format!("{}: has no name to derive another from: say --out", directory.display()))
    })?;
    let mut name = name.to_owned();
    name.push("-reproduced");
    Ok(directory.with_file_name(name))
}

fn same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
