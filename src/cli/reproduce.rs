//! `queenlab reproduce`: repeats a plan in another directory and compares the results.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::experiment::{Stored, changed_files};
use crate::registry::Registry;
use crate::report::compare::{Comparison, WITHIN_PERCENT};
use crate::words::counted;
use anyhow::Error;
use clap::Args;
use plaintext::Escaped;

use super::options::{SweepMessages, stored};
use super::sweep::{carry_out, command_line};
use super::{BadInput, Exit, Run, compare, read_result, terminal};

/// Repeat the sweep of a result directory and compare the results.
///
/// If an answer or a count differs, the exit code is 3. Times are compared as by `queenlab compare`. A plan that
/// starts other programs (`[[program]]` or --external) is refused, because it may come from someone you do not trust:
/// read the commands that are shown, then repeat the command with --allow-programs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab reproduce experiments/record/2026-11-25-quick
  queenlab reproduce results/theirs --out results/ours")]
pub struct Reproduce {
    /// Result directory whose sweep is repeated.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Directory for the new results, which must not exist [default: DIR-reproduced].
    #[arg(short, long, value_name = "DIR2", value_parser = stored())]
    out: Option<PathBuf>,
    /// Allow the sweep to start the programs that its plan names.
    #[arg(long)]
    allow_programs: bool,
    #[command(flatten)]
    messages: SweepMessages,
}

impl Run for Reproduce {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let directory = &self.directory;
        let before = read_result(directory, registry)?;
        let Some(then) = before.plan.clone() else {
            refuse!("{}: there is no plan to repeat", plaintext::path(directory));
        };
        let commands = then.commands();
        if !commands.is_empty() && !self.allow_programs {
            let list = commands.iter().map(|command| format!("\n  {}", Escaped(command))).collect::<String>();
            refuse!(
                "{}: its plan starts these programs; read them, then repeat the command with --allow-programs:{list}",
                plaintext::path(directory)
            );
        }
        let plan = then.clone().with_files();
        for change in changed_files(&then.files(), &plan.files()) {
            terminal::warn(format_args!("this sweep has {change}, unlike {}", plaintext::path(directory)));
        }
        let out = match &self.out {
            Some(out) => out.clone(),
            None => beside(directory)?,
        };
        if same(&out, directory) {
            refuse!("--out: give another directory for the new results");
        }
        // Refuses what `meta.json` cannot hold, before anything is written.
        command_line()?;
        // What lies there already was not made by this call, and may have been shipped with what is to be reproduced.
        if let Err(error) = new_directory(&out) {
            refuse!(
                "{}: {error}; reproduce makes every run itself: name a new directory with --out, or remove this one",
                plaintext::path(&out)
            );
        }
        let Some(found) = carry_out(&plan, &out, false, registry, &self.messages, AFTER_INTERRUPTION)? else {
            return Ok(Exit::Interrupted);
        };
        let after = Stored::read(&out, registry)?;
        let comparison = Comparison::of(&before, &after, WITHIN_PERCENT);
        compare::warn(&comparison);
        if !self.messages.messages.quiet.quiet {
            compare::print(&comparison, false, &mut super::out())?;
        }
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
        Ok(if !same || found.faults.wrong + found.discrepancies.len() > 0 {
            Exit::WrongAnswer
        } else if found.faults.failed() > 0 {
            Exit::Failure
        } else {
            Exit::Success
        })
    }
}

/// `results/x-reproduced` for `results/x`.
fn beside(directory: &Path) -> Result<PathBuf, BadInput> {
    let name = directory.file_name().ok_or_else(|| {
        BadInput(format!(
            "{}: the directory has no name; give one for the new results with --out",
            plaintext::path(directory)
        ))
    })?;
    Ok(directory.with_file_name(format!("{}-reproduced", name.to_string_lossy())))
}

/// What to do after an interruption.
const AFTER_INTERRUPTION: &str = "to begin again, remove the new directory";

fn new_directory(path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::create_dir(path)
}

fn same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
