//! Repeats the plan of a result directory in another directory, and compares the results.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::run::{Invocation, Resume, is_same_directory, run_plan};
use super::{AppError, Event, InputError, Observer, SweepOutcome, check_output_directory, read_result};
use crate::experiment::{StoredResults, changed_files, commands};
use crate::registry::Registry;
use crate::report::compare::{Comparison, WITHIN_PERCENT};

/// Results to reproduce.
#[derive(Clone, Debug)]
pub struct ReproduceInput {
    /// The result directory whose plan is repeated.
    pub directory: PathBuf,
    /// The directory for the new results, which must not exist; `None` for `DIR-reproduced`.
    pub out: Option<PathBuf>,
    /// Whether the plan may start other programs.
    pub allow_programs: bool,
    /// The program that executes the runs.
    pub invocation: Invocation,
}

/// The old results, and the new results of the same plan.
#[derive(Debug)]
pub struct Reproduction {
    /// The old results.
    pub old_results: StoredResults,
    /// The new sweep.
    pub sweep: SweepOutcome,
    /// The results of the new sweep, read from its directory; `None` if it was interrupted.
    pub new_results: Option<StoredResults>,
}

impl Reproduction {
    /// The comparison of the old and the new results; `None` if the new sweep was interrupted.
    pub fn comparison(&self) -> Option<Comparison<'_>> {
        self.new_results
            .as_ref()
            .map(|new_results| Comparison::of(&self.old_results, new_results, WITHIN_PERCENT))
    }
}

/// Repeats the plan of a result directory.
///
/// # Errors
///
/// The results have no plan, the plan starts programs that are not allowed, the directory for the new results exists, or the sweep
/// failed. A difference is not an error.
pub fn reproduce(
    input: &ReproduceInput,
    registry: &Registry,
    cancel: &AtomicBool,
    observe: Observer<'_>,
) -> Result<Reproduction, AppError> {
    let directory = &input.directory;
    let old_results = read_result(directory, observe)?;
    let Some(old_plan) = old_results.plan.clone() else {
        return Err(InputError::NoPlan(directory.clone()).into());
    };
    let commands = old_plan.commands();
    if !commands.is_empty() && !input.allow_programs {
        return Err(InputError::ProgramsNotAllowed { directory: directory.clone(), commands }.into());
    }
    let plan = old_plan.clone().with_files(&commands::digests(&old_plan));
    for change in changed_files(&old_plan.files(), &plan.files()) {
        let directory = plaintext::path(directory);
        let change = change.warning_text();
        observe(Event::Warning(&format!("this sweep has {change}, unlike {directory}")));
    }
    let out = input.out.clone().map_or_else(|| default_directory(directory), Ok)?;
    if is_same_directory(&out, directory) {
        return Err(InputError::SameDirectory.into());
    }
    check_output_directory(&out)?;
    // The directory must be new, because existing files could come from the author of the old results.
    new_directory(&out).map_err(|error| InputError::NotANewDirectory { directory: out.clone(), error })?;
    let sweep = run_plan(plan, out, Resume::default(), &input.invocation, registry, cancel, observe)?;
    let is_complete = !sweep.results.interrupted;
    let new_results = is_complete.then(|| StoredResults::read(&sweep.directory)).transpose()?;
    Ok(Reproduction { old_results, sweep, new_results })
}

/// The default directory for new results: `results/x-reproduced` for `results/x`.
fn default_directory(directory: &Path) -> Result<PathBuf, InputError> {
    let name = directory.file_name().ok_or_else(|| InputError::NoName(directory.to_owned()))?;
    Ok(directory.with_file_name(format!("{}-reproduced", name.to_string_lossy())))
}

fn new_directory(path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::create_dir(path)
}
