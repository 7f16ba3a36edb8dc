//! A simple format of results, for experiments without their own format: one row of JSON per line.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use timestats::{Sample, Time};

use crate::directory::{DirectoryError, LockedDirectory};
use crate::log::{LineLog, LogError};
use crate::process::{Measured, ProcessReport, Stopped, is_out_of_memory};
use crate::{EndedRun, FinishedRun, History, Kind, Recorder, RunOutcome, RunPlan, RunResult};

/// The row of a run, with the report `R` of its process. Times are in nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRow<R> {
    /// The id of the run.
    pub run_id: String,
    /// The id of the cell.
    pub cell_id: String,
    /// The number of the attempt at this run, from 1. The last attempt is used.
    pub attempt: u32,
    /// The start of the run (RFC 3339).
    pub started_at: String,
    /// The number of the round.
    pub round: u32,
    /// The purpose of the run.
    pub kind: Kind,
    /// How the run ended.
    pub status: ResultStatus,
    /// Why the run was skipped or failed.
    pub reason: Option<String>,
    /// The time of the work, or the wall time of the process if a limit stopped the run.
    pub time_ns: Option<u64>,
    /// The wall time of the process.
    pub wall_ns: Option<u64>,
    /// The CPU time of the process.
    pub cpu_ns: Option<u64>,
    /// The report.
    pub report: Option<R>,
}

/// The status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultStatus {
    /// The process reported a result and ended successfully.
    Complete,
    /// The run reached a time limit.
    Timeout,
    /// The run reached its memory limit.
    Memout,
    /// The run failed.
    Crashed,
    /// The run was skipped.
    Skipped,
}

impl<R> FinishedRun for ResultRow<R> {
    fn run_id(&self) -> &str {
        &self.run_id
    }

    fn outcome(&self) -> RunOutcome {
        match self.status {
            ResultStatus::Complete => RunOutcome::Answered,
            ResultStatus::Timeout => RunOutcome::TimedOut,
            ResultStatus::Memout | ResultStatus::Crashed => RunOutcome::Failed,
            ResultStatus::Skipped => RunOutcome::Skipped,
        }
    }

    fn time(&self) -> Option<Time> {
        match self.status {
            ResultStatus::Complete => self.time_ns.map(Time::Exact),
            ResultStatus::Timeout | ResultStatus::Memout => self.time_ns.map(Time::Censored),
            ResultStatus::Crashed | ResultStatus::Skipped => None,
        }
    }

    fn wall(&self) -> Duration {
        Duration::from_nanos(self.wall_ns.unwrap_or(0))
    }
}

/// The name of the file in the directory of the results.
const FILE: &str = "runs.jsonl";

/// The interval between flushes to disk. A power failure loses at most the rows of this interval.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// Writes the rows of runs to a result directory, which this process has locked.
pub struct JsonResults<'p, R> {
    plan: &'p RunPlan,
    /// Returns the time of the work from a report.
    time: fn(&R) -> Duration,
    log: LineLog,
    synced: Instant,
    _directory: LockedDirectory,
}

/// An error while reading or writing results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The directory cannot be used.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The file cannot be read or written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A line is not a row.
    #[error("{}: line {line}: {error}", plaintext::path(path))]
    Row {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The error.
        error: serde_json::Error,
    },
}

impl<'p, R: Serialize + DeserializeOwned> JsonResults<'p, R> {
    /// Opens or creates a result directory, and reads the rows of earlier sessions. `time` returns the time of the work of a run
    /// from its report.
    ///
    /// # Errors
    ///
    /// Another process has locked the directory, or the rows cannot be read.
    pub fn open(
        directory: &Path,
        plan: &'p RunPlan,
        time: fn(&R) -> Duration,
    ) -> Result<(Self, History<ResultRow<R>>), ResultsError> {
        let directory = LockedDirectory::open(directory, &[FILE], &[])?;
        let path = directory.path.join(FILE);
        let row = |(line, text): (usize, &str)| {
            serde_json::from_str(text).map_err(|error| ResultsError::Row { path: path.clone(), line, error })
        };
        let read = |text: &str| (1..).zip(text.lines()).map(row).collect::<Result<Vec<_>, _>>();
        let (log, rows) = LineLog::open(&path, read)?;
        let results = Self { plan, time, log, synced: Instant::now(), _directory: directory };
        Ok((results, History::new(plan, rows)))
    }

    /// The status, the reason, the time and the report of an executed run.
    fn columns_of(
        &self,
        measured: Measured<R>,
    ) -> (ResultStatus, Option<String>, Option<Duration>, Option<R>) {
        let Measured { report, ended, .. } = measured;
        match (ended.stopped, report) {
            (Some(Stopped::Deadline | Stopped::CpuTime), _) => {
                (ResultStatus::Timeout, None, Some(ended.wall), None)
            }
            (_, ProcessReport::Received(report)) if ended.status.success() => {
                (ResultStatus::Complete, None, Some((self.time)(&report)), Some(report))
            }
            _ if is_out_of_memory(&ended.stderr) => (ResultStatus::Memout, None, Some(ended.wall), None),
            (_, ProcessReport::Garbled(line)) => {
                (ResultStatus::Crashed, Some(format!("this is not a report: {line}")), None, None)
            }
            _ => {
                let reason = ended.last_error_line().unwrap_or_else(|| ended.status.to_string());
                (ResultStatus::Crashed, Some(reason), None, None)
            }
        }
    }
}

impl<R: Serialize + DeserializeOwned> Recorder<Measured<R>> for JsonResults<'_, R> {
    type Row = ResultRow<R>;
    type Error = ResultsError;

    fn record(&mut self, ended: EndedRun<'_, Measured<R>>) -> Result<ResultRow<R>, ResultsError> {
        let EndedRun { run, attempt, started_at, result } = ended;
        let nanoseconds = supervise::nanoseconds;
        let (mut wall_ns, mut cpu_ns) = (None, None);
        let (status, reason, time, report) = match result {
            RunResult::Measured(measured) => {
                wall_ns = Some(nanoseconds(measured.ended.wall));
                cpu_ns = Some(nanoseconds(measured.ended.cpu.user + measured.ended.cpu.system));
                self.columns_of(measured)
            }
            RunResult::Skipped(reason) => (ResultStatus::Skipped, Some(reason.to_owned()), None, None),
            RunResult::SkippedAfterTimeouts(sizes) => {
                (ResultStatus::Skipped, Some(format!("timeouts at {sizes:?}")), None, None)
            }
        };
        let row = ResultRow {
            run_id: self.plan.run_id(run),
            cell_id: self.plan.cell(run).id.clone(),
            attempt,
            started_at,
            round: run.round,
            kind: run.kind,
            status,
            reason,
            time_ns: time.map(nanoseconds),
            wall_ns,
            cpu_ns,
            report,
        };
        let line = serde_json::to_string(&row).map_err(io::Error::from);
        let line = line.map_err(|error| LogError::Io { path: self.log.path().to_owned(), error })?;
        self.log.append((line + "\n").as_bytes())?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.log.sync()?;
            self.synced = Instant::now();
        }
        Ok(row)
    }

    fn finish(&mut self) -> Result<(), ResultsError> {
        Ok(self.log.finish()?)
    }
}

impl<R> History<ResultRow<R>> {
    /// The times of the timed runs of a cell.
    pub fn sample(&self, plan: &RunPlan, cell: usize) -> Sample {
        let runs = self.finished(plan).filter(|(run, _)| run.cell == cell && run.kind == Kind::Timed);
        runs.filter_map(|(_, row)| row.time()).collect()
    }
}
