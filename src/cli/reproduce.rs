//! `queenlab reproduce`: the same plan again, into a directory of its own, and what differs.

use std::path::{Path, PathBuf};

use crate::experiment::Stored;
use crate::experiment::files;
use crate::experiment::plan::Plan;
use crate::registry::Registry;
use crate::report::compare::Comparison;
use anyhow::Error;

use super::args::{Global, ReproduceArguments};
use super::sweep::{Carried, carry_out};
use super::{BadInput, Exit, checked, compare, terminal};

pub fn run(arguments: &ReproduceArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let directory = &arguments.directory;
    let before = checked(Stored::read(directory))?;
    let bad = |reason: String| BadInput(format!("{}: {reason}", directory.join("meta.json").display()));
    let meta =
        before.meta.as_ref().ok_or_else(|| bad("without it there is no plan to run again".to_owned()))?;
    let plan =
        Plan::of_meta(meta, registry).map_err(|reason| bad(format!("its plan cannot be run: {reason}")))?;
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
        terminal::warn(format_args!("{change} is not the file that {} was made with", directory.display()));
    }
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => beside(directory)?,
    };
    if same(&out, directory) {
        return Err(BadInput("--out: the new results need a directory of their own".to_owned()).into());
    }
    let carried = carry_out(&plan, &out, false, registry, global)?;
    let Carried::Done { faults, disagreements } = carried else { return Ok(Exit::Interrupted) };
    let after = Stored::read(&out)?;
    let shown = compare::show(&before, &after, None, false, global)?;
    let comparison = Comparison::of(&before, &after);
    let Comparison { wrong, changed, lost, gained, one_sided, only_first, only_second, compared, .. } =
        &comparison;
    let differ: usize = [wrong, changed, lost, gained, one_sided].iter().map(|list| list.len()).sum();
    let missing = only_first.len() + only_second.len();
    let same = differ + missing == 0 && *compared > 0;
    if same {
        terminal::note(format_args!(
            "reproduced: every answer and every count is the same ({compared} cells were compared)"
        ));
    } else if *compared == 0 {
        terminal::say("not reproduced: nothing could be compared, for no cell was answered both times");
    } else {
        terminal::say(format_args!(
            "not reproduced: {differ} differences in {compared} cells; {missing} cells are in one of the two only"
        ));
    }
    Ok(if !same || faults.wrong + disagreements > 0 {
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
