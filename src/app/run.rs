//! Runs a plan, then compares the answers and writes the report, for `sweep` and `reproduce`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::{AppError, Event, InputError, Observer};
use crate::experiment::plan::{Cell, Plan, Run};
use crate::experiment::runner::Faults;
use crate::experiment::runner::process::ProcessRunner;
use crate::experiment::runner::program::boards;
use crate::experiment::{self, PrepareOptions, SweepResults};
use crate::os::Accounting;
use crate::os::proc::Root;
use crate::os::run_group::RunGroups;
use crate::record::{ClaimRow, CrosscheckRow, LevelRow, Meta, Outputs, Row, Status, table};
use crate::registry::Registry;
use crate::report::headline::Headline;
use crate::report::medians::Medians;
use crate::report::plots::PictureLayout;
use crate::report::{self, DerivedData, ReportData, ReportPart};
use crate::spec::CpuList;
use crate::verify::crosscheck::{Crosscheck, RecordedAnswers};
use crate::verify::{self, Discrepancy};
use crate::words::counted;

/// The program that executes the runs, and its command line.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The path of the executable, which is started for each run. It must call `queenlab::cli::main` before anything else.
    pub executable: PathBuf,
    /// The command line, which the results record.
    pub argv: Vec<String>,
}

/// A sweep that ended, with everything derived from its rows.
#[derive(Debug)]
pub struct SweepOutcome {
    /// The plan.
    pub plan: Plan,
    /// The result directory.
    pub directory: PathBuf,
    /// The rows, and whether the sweep was interrupted.
    pub results: SweepResults,
    /// The numbers of runs that did not end normally.
    pub faults: Faults,
    /// All comparisons of answers.
    pub comparisons: Vec<CrosscheckRow>,
    /// The comparisons that disagree.
    pub discrepancies: Vec<Discrepancy>,
    /// The verdicts of the claims.
    pub claims: Vec<ClaimRow>,
    /// The table of median times.
    pub medians: Medians,
    /// The headline: the result in a few sentences.
    pub headline: Headline,
}

/// How existing results are resumed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Resume<'a> {
    /// Resume although the plan, a measured program, the executable or the machine has changed.
    pub accept: bool,
    /// The statuses of finished runs that are repeated.
    pub retry: &'a [Status],
}

/// Runs a plan in a directory, then the cross-check and the report.
pub(super) fn run_plan(
    plan: Plan,
    directory: PathBuf,
    resume: Resume<'_>,
    invocation: &Invocation,
    registry: &Registry,
    cancel: &AtomicBool,
    observe: Observer<'_>,
) -> Result<SweepOutcome, AppError> {
    let cpus_of_jobs = cpus_of_jobs(&plan)?.into_iter();
    let starts_programs = plan.cells.iter().any(Cell::starts_programs);
    let groups = if starts_programs { RunGroups::open(&Root::default()).map(Arc::new) } else { None };
    let runner = |cpus| ProcessRunner::new(&plan, invocation.executable.clone(), cpus, groups.clone());
    let mut runners: Vec<ProcessRunner<'_>> = cpus_of_jobs.map(runner).collect();
    let options = PrepareOptions {
        directory: &directory,
        executable: &invocation.executable,
        argv: invocation.argv.clone(),
        accounting: Accounting::of(groups.as_deref()),
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
    let (results, _locked_directory) = experiment?;
    // The report takes the text from meta.json, because `Meta::read` escapes unprintable characters.
    let meta = Meta::read(&directory)?;
    let crosscheck_result =
        crosscheck(&results.rows, &results.levels, std::iter::once(&plan), &[&directory], registry)?;
    table::write(&directory, &crosscheck_result.rows)?;
    let (rows, earlier_plan_runs) = (&results.rows[..], results.earlier_plan_runs);
    let (meta, plan_of_part, path) = (meta.as_ref(), Some(&plan), Some(&*directory));
    let report_part =
        ReportPart { rows, earlier_plan_runs, meta, plan: plan_of_part, result: "", directory: path };
    let crosscheck = vec![("", &crosscheck_result.rows[..])];
    let report_data = ReportData { parts: vec![report_part], crosscheck, ..ReportData::default() };
    let data = DerivedData::of(&report_data);
    report::write(&directory, &data, &PictureLayout::default())?;
    let faults = Faults::of(rows);
    let (medians, headline, claims) = (Medians::of(&data), Headline::of(&data), data.claims);
    let Crosscheck { rows: comparisons, discrepancies } = crosscheck_result;
    Ok(SweepOutcome {
        plan,
        directory,
        results,
        faults,
        comparisons,
        discrepancies,
        claims,
        medians,
        headline,
    })
}

/// Forwards an event of `runlab` to the observer, with the cell of the run.
fn forward(event: runlab::RunEvent<'_, Row>, plan: &Plan, observe: Observer<'_>) {
    let cell = |run: &Run| &plan.cells[run.cell];
    match event {
        runlab::RunEvent::Begins { done, remaining } => {
            observe(Event::SweepBegins { plan, completed: done, remaining });
        }
        runlab::RunEvent::RunBegins { run, remaining } => {
            observe(Event::RunBegins { cell: cell(run), run, remaining });
        }
        runlab::RunEvent::RunNotNeeded { run } => observe(Event::RunNotNeeded(cell(run))),
        runlab::RunEvent::RunEnds { run, row } => observe(Event::RunEnds { cell: cell(run), row }),
        _ => {}
    }
}

/// The CPUs of each job: equal shares of the pinned CPUs, or nothing if runs are not pinned.
pub(super) fn cpus_of_jobs(plan: &Plan) -> Result<Vec<Option<CpuList>>, InputError> {
    let Some(cpus) = &plan.pin else { return Ok(vec![None; plan.jobs]) };
    cpus.check_usable().map_err(|error| InputError::Cpus(error.to_string()))?;
    let cpus_of_jobs = cpus.shares(plan.jobs).ok_or_else(|| {
        let (jobs, number) = (plan.jobs, cpus.numbers().len());
        InputError::Cpus(format!(
            "{} ({cpus}) cannot be divided evenly among {jobs} jobs",
            counted(number, "CPU")
        ))
    })?;
    Ok(cpus_of_jobs.into_iter().map(Some).collect())
}

/// The maximum total time for running solvers again in order to find the boards in which recorded runs differ.
const MAX_RERUN_TIME: Duration = Duration::from_secs(60);

/// Compares the answers of all these plans and directories with each other and with published values.
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
        let output = outputs.iter().find_map(|outputs| outputs.whole_output(&row.run_id))?;
        boards(cell, row, &output)
    };
    let recorded_answers = RecordedAnswers { rows, levels, problem: &problem, boards: &boards };
    Ok(verify::crosscheck_runs(&recorded_answers, registry, Instant::now() + MAX_RERUN_TIME)?)
}

/// Whether two paths lead to the same directory.
pub(super) fn is_same_directory(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
