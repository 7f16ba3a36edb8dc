//! `queenlab reproduce`: repeats a plan in another directory and compares the results.

use std::path::{Path, PathBuf};

use crate::experiment::plan::Plan;
use crate::experiment::{Stored, archive, files};
use crate::registry::Registry;
use crate::report::compare::Comparison;
use crate::words::counted;
use anyhow::Error;

use super::args::{Global, ReproduceArguments};
use super::sweep::{Carried, carry_out};
use super::{BadInput, Exit, compare, terminal};

pub fn run(arguments: &ReproduceArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let given = &arguments.directory;
    let unpack = || archive::unpack(given).map_err(|error| BadInput(format!("{}: {error}", given.display())));
    let unpacked = if given.is_file() { Some(unpack()?) } else { None };
    let directory =
        &unpacked.as_ref().map_or_else(|| given.clone(), |unpacked| unpacked.path().join(archive::RESULTS));
    // An archive is read in a temporary directory, whose name would say nothing.
    let named = |message: String| match &unpacked {
        Some(unpacked) => {
            message.replace(&unpacked.path().display().to_string(), &given.display().to_string())
        }
        None => message,
    };
    let before = Stored::read(directory).map_err(|error| BadInput(named(error.to_string())))?;
    for remark in &before.remarks {
        terminal::warn(named(remark.clone()));
    }
    let bad =
        |reason: String| BadInput(named(format!("{}: {reason}", directory.join("meta.json").display())));
    let meta = before
        .meta
        .as_ref()
        .ok_or_else(|| bad("the file is missing; without it there is no plan to repeat".to_owned()))?;
    let plan =
        Plan::of_meta(meta, registry).map_err(|reason| bad(format!("its plan cannot be run: {reason}")))?;
    let commands = plan.commands();
    if !commands.is_empty() && !arguments.allow_programs {
        let list =
            commands.iter().map(|command| format!("\n  {}", command.escape_debug())).collect::<String>();
        let reason = format!(
            "its plan starts these programs; read them, then repeat the command with --allow-programs:{list}"
        );
        return Err(bad(reason).into());
    }
    let then = Plan { claims: before.claims.clone(), ..plan };
    let plan = then.clone().with_files();
    for change in files::changed_since(&then) {
        terminal::warn(format_args!("{change} has changed since {} was made", given.display()));
    }
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => beside(given)?,
    };
    if same(&out, directory) {
        refuse!("--out: give another directory for the new results");
    }
    let carried = carry_out(&plan, &out, false, registry, global)?;
    let Carried::Done { faults, disagreements, .. } = carried else { return Ok(Exit::Interrupted) };
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
            "reproduced: all answers and counts are the same ({} compared)",
            counted(*compared, "cell")
        ));
    } else if *compared == 0 {
        terminal::say("not reproduced: no cell was answered in both sweeps");
    } else {
        terminal::say(format_args!(
            "not reproduced: {} in {}; {} in only one of the results",
            counted(differ, "difference"),
            counted(*compared, "cell"),
            counted(missing, "cell")
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

/// `results/x-reproduced` for `results/x` and for `results/x.tar.zst`. The name is not read from the content.
fn beside(directory: &Path) -> Result<PathBuf, BadInput> {
    let name = directory.file_name().ok_or_else(|| {
        BadInput(format!(
            "{}: the directory has no name; give one for the new results with --out",
            directory.display()
        ))
    })?;
    let name = name.to_string_lossy();
    let stem = name.strip_suffix(".tar.zst").unwrap_or(&name);
    Ok(directory.with_file_name(format!("{stem}-reproduced")))
}

fn same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
