//! Turns a spec into rows: a [`spec::Spec`] becomes a [`plan::Plan`], and [`run`] carries it out in a result
//! directory. An interrupted experiment is resumed from that directory.
//!
//! ```text
//! spec/        TOML, checked                        stored/       reads results and judges their rows again
//! plan/        cells and runs                       resume.rs     whether results can be resumed
//! runner/      one process per run, verdicts        files.rs      whether programs were changed
//! reference.rs digests of all solutions             estimate.rs   the remaining time
//! builtin.rs   the files of experiments/            cpus.rs       lists of CPUs
//! doctor/      what disturbs measurements           machine.rs    describes the machine
//! repeat.rs    how often a cell is repeated         stats.rs      statistics of a cell's times
//! archive.rs   results in one file
//! ```

pub mod archive;
pub mod axis;
pub mod builtin;
pub mod claim;
pub mod commands;
pub mod cpus;
pub mod doctor;
pub mod estimate;
pub mod files;
pub mod instances;
pub mod machine;
pub mod plan;
pub mod reference;
pub mod repeat;
mod resume;
pub mod runner;
pub mod spec;
pub mod stats;
pub mod stored;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::os::proc::Root;
use crate::record::{
    LevelRow, Log, Meta, RecordError, ResultDir, Row, SCHEMA_VERSION, Session, sha256_of_file, table,
};
use plan::{Cell, Plan};
use runner::{ExecuteError, Logs, Observer, Runner, verdict};
pub use stored::Stored;
use stored::of_plan;

/// Why an experiment was not completed.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The directory holds the results of a different experiment.
    #[error("{directory}: these results were made with {}; use --fresh to start over (the old directory is renamed and kept), --out to choose another directory, or --accept to continue anyway", differences.join(", and with "))]
    Refused {
        /// The result directory.
        directory: String,
        /// For example `another plan` or `another executable`.
        differences: Vec<String>,
    },
    /// The results could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A run could not be started.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
}

/// Options of [`run`].
pub struct Options<'a> {
    /// The result directory.
    pub directory: &'a Path,
    /// The queenlab executable, whose digest is recorded.
    pub executable: &'a Path,
    /// The command line, for the record.
    pub argv: Vec<String>,
    /// Continue even if the plan, the executable or the machine is different.
    pub accept: bool,
    /// Setting this to true ends the experiment.
    pub cancel: &'a AtomicBool,
    /// Receives warnings that the user should see before the first run.
    pub warn: &'a dyn Fn(&str),
}

/// The results of an experiment.
#[derive(Debug)]
pub struct Results {
    /// The rows of the plan, in its order.
    pub rows: Vec<Row>,
    /// Number of rows of earlier plans of the directory.
    pub others: usize,
    /// Every level of the full enumerations.
    pub levels: Vec<LevelRow>,
    /// Number of the plan's runs that earlier sessions had completed, or that are not needed.
    pub done_before: usize,
    /// Whether the user interrupted the experiment.
    pub interrupted: bool,
    /// Total duration of all sessions, if known.
    pub took: Option<Duration>,
}

/// Carries out the runs of a plan that are not done yet, in a result directory, with one parallel job per
/// runner. The directory stays locked until the returned guard is dropped.
pub fn run<R: Runner + Send>(
    plan: &Plan,
    options: &Options<'_>,
    runners: &mut [R],
    observer: &mut dyn Observer,
) -> Result<(Results, ResultDir), ExperimentError> {
    let taken = ResultDir::open(options.directory)?;
    let directory = taken.path();
    let old = Meta::read(directory)?;
    let mut meta = describe(plan, options)?;
    let mut changed = false;
    if let Some(old) = &old {
        let differences = resume::differences(old, &meta);
        if !differences.is_empty() && !options.accept {
            let directory = directory.display().to_string();
            return Err(ExperimentError::Refused { directory, differences });
        }
        let accepted = differences.iter().map(|difference| format!("continued with {difference}"));
        meta.warnings = old.warnings.iter().cloned().chain(accepted).collect();
        meta.sessions = old.sessions.clone();
        // Claims may be written after the runs.
        changed = !differences.is_empty() || old.plan.get("claims") != meta.plan.get("claims");
    }
    let opened = open(plan, directory, old.as_ref())?;
    meta.earlier_cells = opened.earlier.values().filter_map(|cell| serde_json::to_value(cell).ok()).collect();
    let Opened { runs, levels, rows, remarks, cells, .. } = opened;
    remarks.iter().for_each(|remark| (options.warn)(remark));
    let done_before = runner::done(plan, &rows);
    if done_before == plan.runs.len() {
        if changed {
            meta.write(directory)?;
        }
        let rows = runner::in_order_of(plan, rows);
        return Ok((results(directory, rows, done_before, false, &meta)?, taken));
    }
    if plan.jobs > 1 && !meta.warnings.iter().any(|warning| warning.starts_with(SIDE_BY_SIDE)) {
        meta.warnings.push(format!("{SIDE_BY_SIDE}, {} at a time: times are not comparable", plan.jobs));
    }
    meta.sessions.push(Session {
        started_at: machine::now(),
        ended_at: None,
        argv: options.argv.clone(),
        jobs: plan.jobs,
        load_before: Root::default().load(),
        load_after: None,
        runs: 0,
        findings: doctor::examine(Path::new("/")),
    });
    if let Some(warning) = meta.sessions.last().and_then(|session| doctor::warning(&session.findings)) {
        (options.warn)(&warning);
    }
    meta.write(directory)?;
    let before = rows.len();
    let mut logs = Logs::new(runs, levels);
    let executed = runner::execute(plan, rows, &mut logs, runners, options.cancel, observer);
    drop(logs);
    let interrupted = matches!(executed, Err(ExecuteError::Interrupted));
    let rows = match executed {
        Ok(mut rows) => {
            if verdict::review(&mut rows) {
                let mut recorded: Vec<Row> = table::read(directory)?;
                verdict::review(&mut recorded);
                table::write(directory, &recorded)?;
            }
            rows
        }
        Err(ExecuteError::Interrupted) => {
            let mut rows = table::read(directory)?;
            stored::judge(directory, &mut rows, Some(&cells))?;
            runner::in_order_of(plan, rows)
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(session) = meta.sessions.last_mut() {
        session.ended_at = Some(machine::now());
        session.load_after = Root::default().load();
        session.runs = (rows.len() - before) as u64;
    }
    for change in files::changed_since(plan) {
        let warning = format!(
            "{change} changed during the sweep: some runs may have used the old version; use --fresh to start over"
        );
        (options.warn)(&warning);
        meta.warnings.push(warning);
    }
    meta.write(directory)?;
    Ok((results(directory, rows, done_before, interrupted, &meta)?, taken))
}

fn results(
    directory: &Path,
    rows: Vec<Row>,
    done_before: usize,
    interrupted: bool,
    meta: &Meta,
) -> Result<Results, RecordError> {
    let ((rows, others), levels) = (of_plan(rows, &meta.plan), table::read(directory)?);
    Ok(Results { rows, others, levels, done_before, interrupted, took: duration(&meta.sessions) })
}

/// Total duration of the sessions; a session that was killed has no end time and is left out.
fn duration(sessions: &[Session]) -> Option<Duration> {
    let time = |text: &str| humantime::parse_rfc3339(text).ok();
    let took = |session: &Session| {
        let (began, ended) = (time(&session.started_at)?, time(session.ended_at.as_deref()?)?);
        ended.duration_since(began).ok()
    };
    sessions.iter().filter_map(took).reduce(Duration::saturating_add)
}

/// The tables of a result directory, opened to resume a plan.
pub struct Opened {
    /// The existing rows, judged again.
    pub rows: Vec<Row>,
    /// Remarks about them for the user.
    pub remarks: Vec<String>,
    runs: Log<Row>,
    levels: Log<LevelRow>,
    /// Every cell that is allowed to have rows.
    cells: stored::Cells,
    /// The cells that are in earlier plans only.
    earlier: BTreeMap<String, Cell>,
}

/// Opens the tables of a directory and cuts off an incomplete last row. `old` describes what the directory
/// was made with.
///
/// # Errors
///
/// A table that cannot be read, or a row that no sweep would have written there.
pub fn open(plan: &Plan, directory: &Path, old: Option<&Meta>) -> Result<Opened, RecordError> {
    let mut cells = stored::planned(plan);
    let before = old.map(|old| stored::cells(directory, old)).transpose()?.unwrap_or_default();
    let earlier: BTreeMap<String, Cell> =
        before.into_iter().filter(|(id, _)| !cells.contains_key(id)).collect();
    cells.extend(earlier.clone());
    let (runs, mut rows) = Log::<Row>::open_with(directory, plan.factors())?;
    let remarks = stored::judge(directory, &mut rows, Some(&cells))?;
    let levels = levels_of_recorded_runs(directory, &rows)?;
    Ok(Opened { rows, remarks, runs, levels, cells, earlier })
}

/// The beginning of the warning about parallel jobs.
const SIDE_BY_SIDE: &str = "runs were parallel";

/// Opens the levels table. The levels of a run are written before its row: levels without a row belong to a
/// run that was cut off, and are removed, because that run will be repeated.
fn levels_of_recorded_runs(directory: &Path, rows: &[Row]) -> Result<Log<LevelRow>, RecordError> {
    let (log, mut levels) = Log::<LevelRow>::open(directory)?;
    let cells: HashSet<&str> = rows.iter().map(|row| row.cell_id.as_str()).collect();
    let found = levels.len();
    levels.retain(|level| cells.contains(level.cell_id.as_str()));
    if levels.len() == found {
        return Ok(log);
    }
    drop(log);
    table::write(directory, &levels)?;
    Ok(Log::open(directory)?.0)
}

fn describe(plan: &Plan, options: &Options<'_>) -> Result<Meta, RecordError> {
    let executable_sha256 = sha256_of_file(options.executable)
        .map_err(|error| RecordError::Io { path: options.executable.to_owned(), error })?;
    let solver_versions: BTreeMap<String, String> = plan
        .cells
        .iter()
        .filter_map(|cell| Some((cell.solver.clone(), cell.solver_version.clone()?)))
        .collect();
    let known = |value: &str| Some(value.to_owned()).filter(|value| !value.is_empty());
    Ok(Meta {
        schema_version: SCHEMA_VERSION,
        plan: serde_json::to_value(plan)?,
        plan_sha256: plan.sha256(),
        earlier_cells: Vec::new(),
        order_seed: plan.order_seed,
        queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
        git_revision: known(env!("QUEENLAB_GIT_REVISION")),
        git_dirty: env!("QUEENLAB_GIT_DIRTY").parse().ok(),
        executable_sha256,
        rustc: env!("QUEENLAB_RUSTC").to_owned(),
        target: env!("QUEENLAB_TARGET").to_owned(),
        target_features: env!("QUEENLAB_TARGET_FEATURES").to_owned(),
        cargo_lock_sha256: known(env!("QUEENLAB_LOCK_SHA256")),
        solver_versions,
        machine: machine::machine(),
        sessions: Vec::new(),
        warnings: Vec::new(),
    })
}
