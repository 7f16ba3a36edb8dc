//! Runs experiments: a [`Spec`] becomes a [`plan::Plan`], and [`run`] executes the plan and writes rows to a result directory. An
//! interrupted experiment is resumed from that directory.
//!
//! ```text
//! plan/              cells and runs
//! runner/            one process per run
//! verdict.rs         the verdicts of rows
//! reference.rs       digests of all solutions
//! resume.rs          whether results can be resumed
//! stored_results.rs  reads results and judges their rows again
//! commands.rs        the commands of a plan: builds, versions and files
//! statements.rs      digests of the claims and expectations of an experiment
//! ```

pub mod commands;
pub mod plan;
pub mod reference;
mod resume;
pub mod runner;
pub mod statements;
pub mod stored_results;
pub(crate) mod verdict;

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::os::Accounting;
use crate::os::proc::Root;
use crate::record::{
    LevelRow, Log, Meta, Outputs, RecordError, ResultDir, Row, SCHEMA_VERSION, Status, Table, bytes_if_any,
    sha256_of_file, table, write_derived,
};
use crate::spec::Spec;
use plaintext::{Escaped, path};
use plan::{Plan, Run};
pub use resume::{ResumeDifference, changed_files};
use runlab::machine::{self, MachineFinding};
use runlab::{ExecuteError, Executor, History, Remaining, Session};
use runner::{Attempt, Logs, RunRecorder};
pub use stored_results::StoredResults;
use stored_results::{earlier_attempts, of_plan, of_rows};

/// An error that ends an experiment.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The directory contains the results of another experiment.
    #[error(transparent)]
    Refused(Box<ResumeRefusal>),
    /// The results could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A run could not be started.
    #[error("cannot start a run: {0}")]
    Start(io::Error),
}

/// A result directory that cannot be resumed without `--accept`.
#[derive(Debug, thiserror::Error)]
pub struct ResumeRefusal {
    /// The directory.
    pub directory: PathBuf,
    /// The differences between the recorded and the current experiment, programs and machine.
    pub differences: Vec<ResumeDifference>,
    /// The progress of the plan.
    pub progress: PlanProgress,
}

/// The progress of a plan in a result directory.
#[derive(Clone, Copy, Debug)]
pub struct PlanProgress {
    /// The number of runs in the directory, of this plan and of earlier plans.
    pub recorded: usize,
    /// The number of recorded runs that belong to this plan.
    pub recorded_of_plan: usize,
    /// The remaining runs of the plan.
    pub remaining: Remaining,
}

impl PlanProgress {
    /// The progress of a new directory.
    pub fn none(plan: &Plan) -> Self {
        Self::from_rows(plan, Vec::new())
    }

    /// The progress of a directory with these rows.
    fn from_rows(plan: &Plan, rows: Vec<Row>) -> Self {
        let recorded_ids: HashSet<&str> = rows.iter().map(|row| row.run_id.as_str()).collect();
        let is_recorded = |run: &&Run| recorded_ids.contains(plan.run_id(run).as_str());
        let (recorded, recorded_of_plan) = (recorded_ids.len(), plan.runs.iter().filter(is_recorded).count());
        let run_plan = plan.run_plan();
        let remaining = History::new(&run_plan, rows).remaining(&run_plan, plan.jobs);
        Self { recorded, recorded_of_plan, remaining }
    }
}

impl fmt::Display for ResumeRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { directory, differences, progress } = self;
        writeln!(
            f,
            "{}: these results were made with another experiment, program or machine:",
            path(directory)
        )?;
        differences
            .iter()
            .try_for_each(|difference| writeln!(f, "    {}", Escaped(difference.to_string())))?;
        let (recorded, runs) = (progress.recorded, if progress.recorded == 1 { "run" } else { "runs" });
        writeln!(
            f,
            "  {} of the {recorded} {runs} in it belong to this experiment; choose",
            progress.recorded_of_plan
        )?;
        writeln!(f, "    --accept   to keep them and continue")?;
        writeln!(f, "    --fresh    to start over; the old directory is renamed and kept")?;
        write!(f, "    --out DIR  to write to another directory")
    }
}

impl From<ExecuteError<RecordError>> for ExperimentError {
    fn from(error: ExecuteError<RecordError>) -> Self {
        match error {
            ExecuteError::Start(error) => Self::Start(error),
            ExecuteError::Record(error) => Self::Record(error),
        }
    }
}

/// Options of [`prepare`].
pub struct PrepareOptions<'a> {
    /// The result directory.
    pub directory: &'a Path,
    /// The queenlab executable, whose digest is recorded.
    pub executable: &'a Path,
    /// The command line, which the results record.
    pub argv: Vec<String>,
    /// How runs that start programs are measured.
    pub accounting: Accounting,
    /// Continue even if the plan, the executable or the machine is different.
    pub accept: bool,
    /// The statuses of finished runs that are repeated, unless their answers are wrong.
    pub retry: &'a [Status],
    /// Receives warnings before the first run.
    pub warn: &'a dyn Fn(&str),
}

/// The results of an experiment.
#[derive(Debug)]
pub struct SweepResults {
    /// The rows of the plan, in its order.
    pub rows: Vec<Row>,
    /// The number of rows that belong to earlier plans of the directory.
    pub earlier_plan_runs: usize,
    /// Every level of the full enumerations.
    pub levels: Vec<LevelRow>,
    /// The number of runs of the plan that earlier sessions completed, or that are not needed.
    pub done_before: usize,
    /// Whether the user interrupted the experiment.
    pub interrupted: bool,
    /// The total duration of the sessions that were not killed; `None` if there are none.
    pub total_duration: Option<Duration>,
}

/// An experiment that is ready to run: its result directory is open and was read.
pub struct PreparedExperiment<'a> {
    plan: &'a Plan,
    options: &'a PrepareOptions<'a>,
    meta: Meta,
    logs: Logs,
    rows: Vec<Row>,
    levels: Vec<LevelRow>,
    locked_directory: ResultDir,
}

/// Opens a result directory for a plan and reads its rows, which may take a long time. The directory stays locked until the
/// returned value is dropped.
///
/// # Errors
///
/// The directory is in use, has results of another plan, or cannot be read or written.
pub fn prepare<'a>(
    plan: &'a Plan,
    options: &'a PrepareOptions<'a>,
) -> Result<PreparedExperiment<'a>, ExperimentError> {
    let locked_directory = ResultDir::open(options.directory)?;
    let mut meta = new_meta(plan, options.executable)?;
    copy_earlier_sessions(&mut meta, plan, options)?;
    let (logs, rows, levels) = open(plan, locked_directory.path(), options.warn)?;
    Ok(PreparedExperiment { plan, options, meta, logs, rows, levels, locked_directory })
}

/// Executes the remaining runs of a plan until all are done or `cancel` becomes true. Each runner executes one run at a time,
/// in parallel with the other runners. The directory stays locked until the returned guard is dropped.
///
/// # Errors
///
/// A run cannot be started, or a file cannot be written.
pub fn run<X: Executor<Measured = Attempt>>(
    prepared: PreparedExperiment<'_>,
    runners: &mut [X],
    cancel: &AtomicBool,
    observe: &mut dyn FnMut(runlab::RunEvent<'_, Row>),
) -> Result<(SweepResults, ResultDir), ExperimentError> {
    let PreparedExperiment { plan, options, mut meta, mut logs, rows, mut levels, locked_directory } =
        prepared;
    let directory = locked_directory.path();
    let run_plan = plan.run_plan();
    let mut history = History::new(&run_plan, rows);
    history.retry(|row| row.is_repeatable() && options.retry.contains(&row.status));
    let done_before = history.done(&run_plan);
    write_derived(&directory.join(Plan::FILE), plan.to_json().as_bytes())?;
    write_derived(&directory.join(Spec::FILE), plan.spec.text().as_bytes())?;
    if done_before == plan.runs.len() {
        if !logs.has_final_verdicts {
            // The last session may have been killed after its last run and before it wrote the final verdicts.
            logs.write_final_verdicts(history.rows())?;
        }
        // Claims may have been added after the runs.
        meta.write(directory)?;
        return Ok((
            results(plan, history.into_rows(), levels, done_before, &meta.sessions),
            locked_directory,
        ));
    }
    // A table that an older queenlab wrote may lack a column. Such a table is rewritten.
    logs = logs.with_columns(history.rows(), &plan.columns())?;
    begin_session(&mut meta, plan, options);
    meta.write(directory)?;
    let rows_before = history.rows().len();
    let mut recorder = RunRecorder::new(plan, &mut logs);
    let interrupted = !runlab::execute(&run_plan, &mut history, runners, &mut recorder, cancel, observe)?;
    let (remark, recorded_levels) = (recorder.remark(), recorder.into_levels());
    levels.extend(recorded_levels);
    let mut rows = history.into_rows();
    let cells: HashSet<&str> = plan.cells.iter().map(|cell| cell.id.as_str()).collect();
    let is_reviewed = verdict::review(&mut rows, |row| cells.contains(row.cell_id.as_str()));
    if (is_reviewed || !logs.has_final_verdicts) && !interrupted {
        logs.write_final_verdicts(&rows)?;
    }
    end_session(&mut meta, plan, options, rows.len() - rows_before, remark);
    meta.write(directory)?;
    let results = results(plan, rows, levels, done_before, &meta.sessions);
    Ok((SweepResults { interrupted, ..results }, locked_directory))
}

/// Adds a session to the description of the results, and warns of what disturbs measurements.
fn begin_session(meta: &mut Meta, plan: &Plan, options: &PrepareOptions<'_>) {
    if plan.jobs > 1 && meta.sessions.iter().all(|session| session.jobs == 1) {
        meta.warnings.push(format!("{PARALLEL_WARNING}, {} at a time: times are not comparable", plan.jobs));
    }
    let findings = machine::examine(&Root::default(), options.accounting);
    if let Some(warning) = machine_warning(&findings) {
        (options.warn)(&warning);
    }
    let (argv, accounting) = (options.argv.clone(), options.accounting);
    meta.sessions.push(Session::begin(argv, options.directory, plan.jobs, accounting, findings));
}

/// Ends the session, which recorded `runs` runs. Warns of discarded runs and of programs that were changed during the session.
fn end_session(
    meta: &mut Meta,
    plan: &Plan,
    options: &PrepareOptions<'_>,
    runs: usize,
    remark: Option<String>,
) {
    if let Some(session) = meta.sessions.last_mut() {
        session.end(runs as u64);
    }
    let changes = resume::changed_files(&plan.files(), &commands::digests(plan));
    let warning_of_change = |change: ResumeDifference| {
        let change = change.warning_text();
        format!("the sweep used {change}: some runs may have used the old version; use --fresh to start over")
    };
    for warning in remark.into_iter().chain(changes.into_iter().map(warning_of_change)) {
        (options.warn)(&warning);
        meta.warnings.push(warning);
    }
}

/// A one-line warning that names the checks that found a disturbance; `None` if no check found one.
fn machine_warning(findings: &[MachineFinding]) -> Option<String> {
    let names = machine::disturbances(findings).join(", ");
    let text = format!("times may be unreliable (findings: {names}); run 'queenlab doctor' for advice");
    (!names.is_empty()).then_some(text)
}

/// Copies the earlier sessions and warnings into the new `meta.json`.
///
/// # Errors
///
/// The experiment, the executable or the machine has changed or was not recorded, and `--accept` was not given.
fn copy_earlier_sessions(
    meta: &mut Meta,
    plan: &Plan,
    options: &PrepareOptions<'_>,
) -> Result<(), ExperimentError> {
    let old_meta = Meta::read(options.directory)?;
    let differences = differences(old_meta.as_ref(), meta, plan, options.directory)?;
    if !differences.is_empty() && !options.accept {
        let (directory, progress) = (options.directory.to_owned(), progress(plan, options.directory)?);
        return Err(ExperimentError::Refused(Box::new(ResumeRefusal { directory, differences, progress })));
    }
    let accepted_changes =
        differences.iter().map(|difference| format!("continued with {}", difference.warning_text()));
    if let Some(old_meta) = old_meta {
        meta.warnings = old_meta.warnings;
        if !old_meta.sessions.is_empty() {
            (meta.sessions, meta.stated) = (old_meta.sessions, old_meta.stated);
            if !meta.machine.differences(&old_meta.machine).is_empty() {
                let sessions_without_machine =
                    meta.sessions.iter_mut().filter(|session| session.machine.is_none());
                sessions_without_machine.for_each(|session| session.machine = Some(old_meta.machine.clone()));
            }
        }
    }
    meta.warnings.extend(accepted_changes);
    Ok(())
}

/// The differences between the results in a directory, which `old_meta` describes, and a sweep of a plan.
fn differences(
    old_meta: Option<&Meta>,
    new: &Meta,
    plan: &Plan,
    directory: &Path,
) -> Result<Vec<ResumeDifference>, RecordError> {
    let spec = bytes_if_any(&directory.join(Spec::FILE))?;
    let runs = bytes_if_any(&directory.join(Row::FILE))?.unwrap_or_default();
    Ok(match (old_meta, spec) {
        (Some(old_meta), Some(spec)) => {
            let text = plaintext::decode(&spec);
            let old_spec =
                Spec::parse(Spec::FILE, &text).map_or_else(|_| text.to_string(), |spec| spec.to_toml());
            let mut differences = resume::differences(old_meta, new, &old_spec, &plan.spec.to_toml());
            differences.extend(changed_instances(plan, directory)?);
            differences
        }
        // If a sweep was killed before its first run, `meta.json` and `experiment.toml` may be missing.
        _ if runs.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() < 2 => Vec::new(),
        (None, _) => vec![ResumeDifference::Unknown("program and machine", Meta::FILE)],
        (Some(_), None) => vec![ResumeDifference::Unknown("experiment", Spec::FILE)],
    })
}

/// The instances of a plan whose content differs from the `plan.json` of a directory.
fn changed_instances(plan: &Plan, directory: &Path) -> Result<Vec<ResumeDifference>, RecordError> {
    if plan.instances.is_empty() {
        return Ok(Vec::new());
    }
    let path = directory.join(Plan::FILE);
    Ok(match bytes_if_any(&path)? {
        Some(text) => resume::changed_instances(&plan::stored_instances(&path, &text)?, &plan.instances()),
        None => vec![ResumeDifference::Unknown("instances", Plan::FILE)],
    })
}

/// The progress of a plan in a result directory.
fn progress(plan: &Plan, directory: &Path) -> Result<PlanProgress, RecordError> {
    let has_rows = directory.join(Row::FILE).exists();
    let rows = if has_rows { table::read::<Row>(directory)?.0 } else { Vec::new() };
    Ok(PlanProgress::from_rows(plan, rows))
}

/// Returns the progress of a plan in a directory, and the differences that prevent resuming. Does not change the directory.
/// `executable` is the queenlab executable whose digest is compared.
///
/// # Errors
///
/// The directory cannot be read.
pub fn preview(
    plan: &Plan,
    directory: &Path,
    executable: &Path,
) -> Result<(PlanProgress, Vec<ResumeDifference>), RecordError> {
    let old_meta = Meta::read(directory)?;
    let differences = differences(old_meta.as_ref(), &new_meta(plan, executable)?, plan, directory)?;
    Ok((progress(plan, directory)?, differences))
}

fn results(
    plan: &Plan,
    rows: Vec<Row>,
    levels: Vec<LevelRow>,
    done_before: usize,
    sessions: &[Session],
) -> SweepResults {
    let recorded_count = rows.len();
    let rows = of_plan(rows, plan);
    let earlier_plan_runs = recorded_count - rows.len() - earlier_attempts(&rows);
    let levels = of_rows(levels, &rows);
    let total_duration = sessions.iter().filter_map(Session::duration).reduce(Duration::saturating_add);
    SweepResults { rows, earlier_plan_runs, levels, done_before, interrupted: false, total_duration }
}

/// The beginning of the warning about parallel jobs.
const PARALLEL_WARNING: &str = "runs were parallel";

/// Opens the tables of a directory to resume a plan, and reads their rows. Because the levels of a run are written before its row,
/// levels without a row belong to an interrupted run, which will be repeated. Such levels are removed.
///
/// # Errors
///
/// A table that cannot be read, or a row that no sweep would have written there.
pub fn open(
    plan: &Plan,
    directory: &Path,
    warn: &dyn Fn(&str),
) -> Result<(Logs, Vec<Row>, Vec<LevelRow>), RecordError> {
    let columns = plan.columns();
    let (runs, mut rows) = Log::open(directory, &columns)?;
    let level_columns = table::columns::<LevelRow>(&Default::default(), |_| true);
    let (mut level_log, stored_levels) = Log::open(directory, &level_columns)?;
    let stored_count = stored_levels.len();
    let levels = of_rows(stored_levels, &rows);
    // Until it is certain that the sweep can resume, nothing is changed except for an incomplete last line.
    let check_result = stored_results::check(directory, &mut rows, &levels, Some(plan))?;
    check_result.remarks.iter().for_each(|remark| warn(remark));
    if levels.len() < stored_count {
        level_log = level_log.with_rows(&levels, level_columns)?;
    }
    let mut logs = Logs::new(runs, level_log, Outputs::of(directory));
    logs.has_final_verdicts = !check_result.is_reviewed;
    Ok((logs, rows, levels))
}

fn new_meta(plan: &Plan, executable: &Path) -> Result<Meta, RecordError> {
    let executable_sha256 = sha256_of_file(executable).map_err(|error| RecordError::io(executable, error))?;
    let nonempty_text = |value: &str| Some(value.to_owned()).filter(|value| !value.is_empty());
    Ok(Meta {
        schema_version: SCHEMA_VERSION,
        queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
        git_revision: nonempty_text(env!("QUEENLAB_GIT_REVISION")),
        git_dirty: env!("QUEENLAB_GIT_DIRTY").parse().ok(),
        executable_sha256,
        rustc: env!("QUEENLAB_RUSTC").to_owned(),
        target: env!("QUEENLAB_TARGET").to_owned(),
        target_features: env!("QUEENLAB_TARGET_FEATURES").to_owned(),
        cargo_lock_sha256: Some(crate::record::sha256_hex(include_bytes!("../../Cargo.lock"))),
        solvers: plan.versions.clone(),
        files: plan.files(),
        shard: plan.shard.map(|shard| shard.to_string()),
        stated: Some(statements::of(&plan.spec)),
        machine: machine::Machine::current(),
        sessions: Vec::new(),
        warnings: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warning_names_the_checks_that_found_disturbances() {
        let finding = |check: &str, health| MachineFinding {
            check: check.to_owned(),
            health,
            value: "x".to_owned(),
            advice: None,
        };
        use machine::Health::{Disturbs, Fine};
        let findings = [finding("governor", Fine), finding("turbo", Disturbs), finding("load", Disturbs)];
        let warning = machine_warning(&findings).expect("two checks disturb");
        wording::assert_wording!("machine", "warning", warning);
        assert_eq!(machine_warning(&findings[..1]), None);
    }
}
