//! Carries out a plan, and derives what its rows say: for `sweep` and `reproduce`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::{AppError, Event, InputError, Observer};
use crate::experiment::plan::{Cell, Plan, Run};
use crate::experiment::runner::Faults;
use crate::experiment::runner::process::ProcessRunner;
use crate::experiment::runner::program::boards;
use crate::experiment::{self, Options, Results};
use crate::record::{ClaimRow, CrosscheckRow, LevelRow, Meta, Outputs, Row, Status, table};
use crate::registry::Registry;
use crate::report::headline::Headline;
use crate::report::medians::Medians;
use crate::report::plots::Look;
use crate::report::{self, Data, Part, ReportData};
use crate::spec::CpuList;
use crate::verify::crosscheck::{Crosscheck, Recorded};
use crate::verify::{self, Discrepancy};

/// Which program carries out the runs, and how it was started.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// A queenlab: a program that calls `queenlab::cli::main` for any arguments. Each run is a process of it.
    pub executable: PathBuf,
    /// The command line, for the record.
    pub argv: Vec<String>,
}

/// A sweep that ended, with what its rows say.
#[derive(Debug)]
pub struct Swept {
    /// The plan that was carried out.
    pub plan: Plan,
    /// Where the results are.
    pub directory: PathBuf,
    /// The rows, and whether the sweep was interrupted.
    pub results: Results,
    /// Runs that did not end normally.
    pub faults: Faults,
    /// All comparisons of its answers.
    pub comparisons: Vec<CrosscheckRow>,
    /// Comparisons that disagree.
    pub discrepancies: Vec<Discrepancy>,
    /// The verdicts of the claims.
    pub claims: Vec<ClaimRow>,
    /// The table of median times.
    pub medians: Medians,
    /// The result in one line.
    pub headline: Headline,
}

/// How results that are already there are continued.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Resume<'a> {
    /// Also if the plan, a measured program, the executable or the machine has changed.
    pub accept: bool,
    /// Finished runs with these statuses are attempted again.
    pub retry: &'a [Status],
}

/// Runs a plan in a directory, then the cross-check and the report.
pub(super) fn carry_out(
    plan: Plan,
    directory: PathBuf,
    resume: Resume<'_>,
    by: &Invocation,
    registry: &Registry,
    cancel: &AtomicBool,
    observe: Observer<'_>,
) -> Result<Swept, AppError> {
    let shares = shares(&plan)?.into_iter();
    let mut runners: Vec<ProcessRunner<'_>> =
        shares.map(|cpus| ProcessRunner::new(&plan, by.executable.clone(), cpus)).collect();
    let options = Options {
        directory: &directory,
        executable: &by.executable,
        argv: by.argv.clone(),
        accept: resume.accept,
        retry: resume.retry,
        warn: &|warning| observe(Event::Warning(warning)),
    };
    let prepared = experiment::prepare(&plan, &options)?;
    observe(Event::Cancellable(true));
    let experiment =
        experiment::run(prepared, &mut runners, cancel, &mut |event| forward(event, &plan, observe));
    drop(runners);
    observe(Event::SweepEnds);
    observe(Event::Cancellable(false));
    let (results, _taken) = experiment?;
    let meta = Meta::read(&directory)?;
    let checked =
        crosscheck(&results.rows, &results.levels, std::iter::once(&plan), &[&directory], registry)?;
    table::write(&directory, &checked.rows)?;
    let (rows, others) = (&results.rows[..], results.others);
    let (meta, plan_of_part, at) = (meta.as_ref(), Some(&plan), Some(&*directory));
    let part = Part { rows, others, meta, plan: plan_of_part, result: "", directory: at };
    let crosscheck = vec![("", &checked.rows[..])];
    let material = ReportData { parts: vec![part], crosscheck, ..ReportData::default() };
    let data = Data::of(&material);
    report::write(&directory, &data, &Look::default())?;
    let faults = Faults::of(rows);
    let (medians, headline, claims) = (Medians::of(&data), Headline::of(&data), data.claims);
    let Crosscheck { rows: comparisons, discrepancies } = checked;
    Ok(Swept { plan, directory, results, faults, comparisons, discrepancies, claims, medians, headline })
}

/// Hands an event of the harness on, with the cells of the plan.
fn forward(event: runlab::Event<'_, Row>, plan: &Plan, observe: Observer<'_>) {
    let cell = |run: &Run| &plan.cells[run.cell];
    match event {
        runlab::Event::Begins { done, remaining } => {
            observe(Event::SweepBegins { plan, done, remaining });
        }
        runlab::Event::RunBegins { run, remaining } => {
            observe(Event::RunBegins { cell: cell(run), run, remaining });
        }
        runlab::Event::RunNotNeeded { run } => observe(Event::RunNotNeeded(cell(run))),
        runlab::Event::RunEnds { run, row } => observe(Event::RunEnds { cell: cell(run), row }),
        _ => {}
    }
}

/// The CPUs of each job: an equal share of the CPUs of the plan, or any CPU.
pub(super) fn shares(plan: &Plan) -> Result<Vec<Option<CpuList>>, InputError> {
    let Some(cpus) = &plan.pin else { return Ok(vec![None; plan.jobs]) };
    cpus.check_usable().map_err(|error| InputError::Cpus(error.to_string()))?;
    let shares = cpus.shares(plan.jobs).ok_or_else(|| {
        let (jobs, number) = (plan.jobs, cpus.numbers().len());
        InputError::Cpus(format!("{number} CPUs ({cpus}) cannot be divided evenly among {jobs} jobs"))
    })?;
    Ok(shares.into_iter().map(Some).collect())
}

/// The total time for running solvers again to show the boards in which recorded runs differ.
const SECOND_LOOK: Duration = Duration::from_secs(60);

/// Compares the runs of these plans, which are in these directories, with each other and with published values.
pub(super) fn crosscheck<'p>(
    rows: &[Row],
    levels: &[LevelRow],
    plans: impl Iterator<Item = &'p Plan>,
    directories: &[&Path],
    registry: &Registry,
) -> Result<Crosscheck, AppError> {
    let cells: HashMap<&str, &Cell> =
        plans.flat_map(|plan| &plan.cells).map(|cell| (cell.id.as_str(), cell)).collect();
    let problem = |row: &Row| cells.get(row.cell_id.as_str())?.problem().ok();
    let outputs: Vec<Outputs> = directories.iter().map(|directory| Outputs::of(directory)).collect();
    let boards = |row: &Row| {
        let cell = cells.get(row.cell_id.as_str()).filter(|cell| cell.program.is_some())?;
        let printed = outputs.iter().find_map(|outputs| outputs.whole_output(&row.run_id))?;
        boards(cell, row, &printed)
    };
    let recorded = Recorded { rows, levels, problem: &problem, boards: &boards };
    Ok(verify::crosscheck_runs(&recorded, registry, Instant::now() + SECOND_LOOK)?)
}

/// Whether two paths lead to the same directory.
pub(super) fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
