//! Plans and runs an experiment.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::run::{Resume, cpus_of_jobs, run_plan};
use super::{AppError, Event, InputError, Observer, SweepOutcome, check_output_directory};
use crate::count::Shard;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::{self, PlanProgress, ResumeDifference, commands};
use crate::files;
use crate::instance;
use crate::record::{ResultDir, Status};
use crate::registry::Registry;
use crate::spec::Spec;

pub use super::run::Invocation;

/// A sweep to run.
#[derive(Clone, Debug)]
pub struct SweepInput {
    /// The plan, from [`plan`] or [`restrict_to_shard`].
    pub plan: Plan,
    /// The result directory. If it has results, the sweep resumes.
    pub directory: PathBuf,
    /// Start over, and rename an existing result directory.
    pub fresh: bool,
    /// Resume although the plan, a measured program, the executable or the machine has changed.
    pub accept: bool,
    /// The statuses of finished runs that are repeated, unless their answers are wrong.
    pub retry: Vec<Status>,
    /// The program that executes the runs.
    pub invocation: Invocation,
}

/// Makes the plan of an experiment with the solvers of a registry. No program is started.
///
/// # Errors
///
/// The experiment has no runs, or names something that does not exist.
pub fn plan(spec: Spec, registry: &Registry) -> Result<Plan, AppError> {
    let instances = match &spec.sweep.instances {
        Some(patterns) => instance::select(&patterns.0)
            .map_err(|error| spec.error_at("instances", patterns.place(), error))?,
        None => Vec::new(),
    };
    let plan = Plan::with_instances(spec, instances, registry)?;
    cpus_of_jobs(&plan)?;
    Ok(plan)
}

/// Restricts a plan to the cells and runs of a shard.
///
/// # Errors
///
/// The shard has no cells.
pub fn restrict_to_shard(plan: Plan, shard: Shard) -> Result<Plan, AppError> {
    let plan = plan.of_shard(shard);
    if plan.cells.is_empty() { Err(InputError::EmptyShard.into()) } else { Ok(plan) }
}

/// Returns the progress of a sweep in a directory, and the differences that prevent resuming. Does not change the directory or
/// start programs.
///
/// # Errors
///
/// The directory cannot be read.
pub fn preview(
    plan: &Plan,
    directory: &Path,
    invocation: &Invocation,
) -> Result<(PlanProgress, Vec<ResumeDifference>), AppError> {
    let plan = plan.clone().with_files(&commands::digests(plan));
    Ok(experiment::preview(&plan, directory, &invocation.executable)?)
}

/// Runs a plan: builds the programs of the experiment, executes the remaining runs, compares the answers and writes the report.
///
/// # Errors
///
/// The results cannot be resumed, a run cannot be started, or a file cannot be read or written. A wrong answer is not an error.
pub fn sweep(
    input: SweepInput,
    registry: &Registry,
    cancel: &AtomicBool,
    observe: Observer<'_>,
) -> Result<SweepOutcome, AppError> {
    let SweepInput { plan, directory, fresh, accept, retry, invocation } = input;
    check_output_directory(&directory)?;
    commands::build(&plan.spec, &|command| observe(Event::Building(command))).map_err(InputError::Build)?;
    let digests = commands::digests(&plan);
    let plan = plan.with_files(&digests);
    if plan.shard.is_none() && !plan.spec.context.is_narrowed {
        for id in commands::unused_formula_programs(&plan) {
            let warning = format!("the experiment defines '{id}', but none of its solvers uses this program");
            observe(Event::Warning(&warning));
        }
    }
    if plan.cells.iter().any(Cell::starts_programs) {
        // If no temporary directory can be created, this is reported before the first run.
        drop(files::temporary_directory("queenlab-").map_err(InputError::NoTemporaryDirectory)?);
    }
    let installed_programs = commands::installed_programs(&plan)?;
    let plan = plan.with_programs(installed_programs);
    if fresh && let Some(old_directory) = ResultDir::set_aside(&directory)? {
        observe(Event::SetAside(&old_directory));
    }
    run_plan(plan, directory, Resume { accept, retry: &retry }, &invocation, registry, cancel, observe)
}
