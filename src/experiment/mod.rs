//! From a spec to rows: a [`spec::Spec`] becomes a [`plan::Plan`], and [`run`] carries it out in a
//! result directory, where it can go on after an interruption.

pub mod estimate;
pub mod machine;
pub mod plan;
pub mod runner;
pub mod spec;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::record::{LevelRow, Log, Meta, RecordError, ResultDir, Row, SCHEMA_VERSION, Session, table};
use plan::Plan;
use runner::{ExecuteError, Logs, Observer, Runner};

/// Why an experiment did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The directory holds results of something else.
    #[error("{directory}: these results were made with {}; choose another --out, or --accept to go on all the same", differences.join(", and with "))]
    Refused {
        /// The result directory.
        directory: String,
        /// `another plan`, `another executable` ...
        differences: Vec<String>,
    },
    /// The results cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A run could not be started.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
}

/// How an experiment is run.
pub struct Options<'a> {
    /// The result directory.
    pub directory: &'a Path,
    /// queenlab itself, for its digest.
    pub executable: &'a Path,
    /// The command line, for the record.
    pub argv: Vec<String>,
    /// Go on in spite of another plan, executable or machine.
    pub accept: bool,
}

/// What an experiment left behind.
#[derive(Debug)]
pub struct Results {
    /// Every row of the directory.
    pub rows: Vec<Row>,
    /// Every level of its full enumerations.
    pub levels: Vec<LevelRow>,
    /// How many of the plan's runs had been done before.
    pub done_before: usize,
    /// Whether the user ended it before the plan was done.
    pub interrupted: bool,
}

/// Carries out a plan, or what is left of it, in a result directory. The directory stays taken until
/// the returned guard goes.
pub fn run(
    plan: &Plan,
    options: &Options<'_>,
    runner: &mut dyn Runner,
    observer: &mut dyn Observer,
) -> Result<(Results, ResultDir), ExperimentError> {
    let taken = ResultDir::open(options.directory)?;
    let directory = taken.path();
    let old = Meta::read(directory)?;
    let mut meta = describe(plan, options)?;
    if let Some(old) = old {
        let differences = differences(&old, &meta);
        if !differences.is_empty() && !options.accept {
            let directory = directory.display().to_string();
            return Err(ExperimentError::Refused { directory, differences });
        }
        let accepted = differences.iter().map(|difference| format!("went on with {difference}"));
        meta.warnings = old.warnings.into_iter().chain(accepted).collect();
        meta.sessions = old.sessions;
    }
    let (runs, rows) = Log::<Row>::open(directory)?;
    let levels = levels_of_whole_runs(directory, &rows)?;
    let planned: Vec<String> = plan.runs.iter().map(|run| plan.run_id(run)).collect();
    let known: HashSet<&str> = rows.iter().map(|row| row.run_id.as_str()).collect();
    let done_before = planned.iter().filter(|id| known.contains(id.as_str())).count();
    if done_before == planned.len() {
        let levels = table::read(directory)?;
        return Ok((Results { rows, levels, done_before, interrupted: false }, taken));
    }
    meta.sessions.push(Session {
        started_at: jiff::Timestamp::now().to_string(),
        ended_at: None,
        argv: options.argv.clone(),
        load_before: machine::load(),
        load_after: None,
        runs: 0,
    });
    meta.write(directory)?;
    let before = rows.len();
    let executed = runner::execute(plan, rows, &mut Logs { runs, levels }, runner, observer);
    let interrupted = matches!(executed, Err(ExecuteError::Interrupted));
    let rows = match executed {
        Ok(rows) => rows,
        Err(ExecuteError::Interrupted) => table::read(directory)?,
        Err(error) => return Err(error.into()),
    };
    if let Some(session) = meta.sessions.last_mut() {
        session.ended_at = Some(jiff::Timestamp::now().to_string());
        session.load_after = machine::load();
        session.runs = (rows.len() - before) as u64;
    }
    meta.write(directory)?;
    let levels = table::read(directory)?;
    Ok((Results { rows, levels, done_before, interrupted }, taken))
}

/// Opens the levels. They are written before the row that makes their run a finished one: those of
/// a run that was cut off in between go, for it will be run again.
fn levels_of_whole_runs(directory: &Path, rows: &[Row]) -> Result<Log<LevelRow>, RecordError> {
    let (log, mut levels) = Log::<LevelRow>::open(directory)?;
    let whole: HashSet<&str> = rows.iter().map(|row| row.cell_id.as_str()).collect();
    let found = levels.len();
    levels.retain(|level| whole.contains(level.cell_id.as_str()));
    if levels.len() == found {
        return Ok(log);
    }
    drop(log);
    table::write(directory, &levels)?;
    Ok(Log::open(directory)?.0)
}

fn describe(plan: &Plan, options: &Options<'_>) -> Result<Meta, RecordError> {
    let executable_sha256 = machine::executable_sha256(options.executable)
        .map_err(|error| RecordError::Io { path: options.executable.to_owned(), error })?;
    let solver_versions: BTreeMap<String, String> = plan
        .cells
        .iter()
        .filter_map(|cell| Some((cell.solver.clone(), cell.solver_version.clone()?)))
        .collect();
    let told = |value: &str| Some(value.to_owned()).filter(|value| !value.is_empty());
    Ok(Meta {
        schema_version: SCHEMA_VERSION,
        plan: serde_json::to_value(plan).unwrap_or_default(),
        plan_sha256: plan.sha256(),
        order_seed: plan.order_seed,
        queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
        git_revision: told(env!("QUEENLAB_GIT_REVISION")),
        git_dirty: env!("QUEENLAB_GIT_DIRTY").parse().ok(),
        executable_sha256,
        rustc: env!("QUEENLAB_RUSTC").to_owned(),
        target: env!("QUEENLAB_TARGET").to_owned(),
        target_features: env!("QUEENLAB_TARGET_FEATURES").to_owned(),
        cargo_lock_sha256: told(env!("QUEENLAB_LOCK_SHA256")),
        solver_versions,
        machine: machine::machine(),
        sessions: Vec::new(),
        warnings: Vec::new(),
    })
}

fn differences(old: &Meta, new: &Meta) -> Vec<String> {
    let mut differences = Vec::new();
    let mut compare = |what: &str, old: &str, new: &str| {
        if old != new {
            differences.push(format!("another {what} ({old}, now {new})"));
        }
    };
    let short = |digest: &str| digest.get(..12).unwrap_or(digest).to_owned();
    compare("plan", &short(&old.plan_sha256), &short(&new.plan_sha256));
    compare("executable", &short(&old.executable_sha256), &short(&new.executable_sha256));
    compare("CPU", &old.machine.cpu_model, &new.machine.cpu_model);
    compare("number of cores", &old.machine.cores.to_string(), &new.machine.cores.to_string());
    compare("operating system", &old.machine.os, &new.machine.os);
    differences
}
