//! Executes the runs of a plan. When a run ends, its answer is judged and its row is written.

pub mod attempt;
pub mod child;
pub mod process;
pub mod program;

use std::time::{Duration, Instant};

use plaintext::one_line;
use runlab::{EndedRun, FinishedRun, History, Recorder, RunOutcome, RunResult};
use timestats::Time;

use super::plan::Plan;
use super::verdict::References;
use crate::record::{LevelRow, Log, Outputs, RecordError, Row, RunOutput, Status};
pub use attempt::Attempt;
pub(super) use attempt::expect_published;
use attempt::{disturbance, judge, levels, refuse_contradictions, row_of};

/// Judges the runs of a plan, and writes their rows.
pub struct RunRecorder<'a> {
    plan: &'a Plan,
    logs: &'a mut Logs,
    references: References,
    /// The levels of the recorded runs.
    levels: Vec<LevelRow>,
    /// The number of runs that were discarded, because the sweep was suspended or the machine slept during them.
    discarded: u32,
}

impl<'a> RunRecorder<'a> {
    /// Makes a recorder that writes to these tables.
    pub fn new(plan: &'a Plan, logs: &'a mut Logs) -> Self {
        Self { plan, logs, references: References::default(), levels: Vec::new(), discarded: 0 }
    }
}

impl RunRecorder<'_> {
    /// The levels of the recorded runs, in the order in which the runs ended.
    pub fn into_levels(self) -> Vec<LevelRow> {
        self.levels
    }

    /// A remark about discarded runs; `None` if there are none.
    pub fn remark(&self) -> Option<String> {
        let (number, runs) = match self.discarded {
            0 => return None,
            1 => (1, "run was"),
            number => (number, "runs were"),
        };
        Some(format!(
            "{number} {runs} repeated, because the sweep was suspended or the machine slept during the run"
        ))
    }
}

impl Recorder<Attempt> for RunRecorder<'_> {
    type Row = Row;
    type Error = RecordError;

    fn record(&mut self, ended: EndedRun<'_, Attempt>) -> Result<Row, RecordError> {
        let EndedRun { run, attempt, started_at, result } = ended;
        let row = |measured| Row { attempt: Some(attempt), ..row_of(self.plan, run, started_at, measured) };
        let skipped_row = |reason| Row { outcome_reason: Some(reason), ..Row::default() };
        let mut output = RunOutput::default();
        let (mut row, levels) = match result {
            RunResult::Measured(attempt) => {
                self.discarded = self.discarded.saturating_add(attempt.unsupervised);
                let mut row = refuse_contradictions(row(attempt.row), &attempt.levels);
                judge(&mut row, &self.plan.cells[run.cell], &attempt.boards, &self.references);
                row.disturbed = disturbance(&row, run, self.plan.repeat);
                let levels = levels(&row, &attempt.levels);
                output = attempt.output;
                (row, levels)
            }
            RunResult::Skipped(reason) => (row(skipped_row(reason.to_owned())), Vec::new()),
            RunResult::SkippedAfterTimeouts(sizes) => {
                let size_texts: Vec<String> = sizes.iter().map(u64::to_string).collect();
                let (sizes, number) = (size_texts.join(", "), sizes.len());
                let reason = format!("it timed out at n = {sizes} (stop_after_timeouts = {number})");
                (row(skipped_row(reason)), Vec::new())
            }
        };
        // Reasons may contain text that programs printed. Each reason is converted to one line, so that a reader of the table gets
        // the same row.
        for reason in [&mut row.outcome_reason, &mut row.verdict_reason] {
            *reason = reason.take().map(|reason| one_line(&reason).into_owned());
        }
        if attempt > 1 {
            self.logs.outputs.remove(&row.run_id)?;
        }
        if row.status.is_failure() || row.verdict.is_fault() {
            self.logs.outputs.store(&row.run_id, &output)?;
        }
        self.logs.write(&row, &levels)?;
        self.levels.extend(levels);
        Ok(row)
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        self.logs.finish()
    }
}

impl FinishedRun for Row {
    fn run_id(&self) -> &str {
        &self.run_id
    }

    fn outcome(&self) -> RunOutcome {
        match self.status {
            Status::Skipped => RunOutcome::Skipped,
            Status::Timeout => RunOutcome::TimedOut,
            _ if self.is_answered() => RunOutcome::Answered,
            _ => RunOutcome::Failed,
        }
    }

    fn time(&self) -> Option<Time> {
        Row::time(self)
    }

    fn wall(&self) -> Duration {
        Duration::from_nanos(self.wall_ns.unwrap_or(0))
    }

    fn is_replaced(&self) -> bool {
        Row::is_replaced(self)
    }
}

/// The number of runs of a plan that have a row or are not needed.
pub fn count_done(plan: &Plan, rows: &[Row]) -> usize {
    let plan = plan.run_plan();
    History::new(&plan, rows.iter().collect()).done(&plan)
}

/// The tables that a sweep appends to.
pub struct Logs {
    runs: Log<Row>,
    levels: Log<LevelRow>,
    outputs: Outputs,
    synced_at: Instant,
    /// Whether the verdicts in the existing rows are final.
    pub(super) has_final_verdicts: bool,
}

/// The minimum interval between flushes to disk. A power failure loses the rows written since the last flush.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

impl Logs {
    /// Creates the writer from the logs of `runs.csv` and `levels.csv` and the directory of outputs.
    pub fn new(runs: Log<Row>, levels: Log<LevelRow>, outputs: Outputs) -> Self {
        Self { runs, levels, outputs, synced_at: Instant::now(), has_final_verdicts: true }
    }

    /// Changes the columns of `runs.csv`. If they differ, the file is replaced atomically.
    ///
    /// # Errors
    ///
    /// The file cannot be replaced.
    pub fn with_columns(self, rows: &[Row], columns: &[String]) -> Result<Self, RecordError> {
        Ok(Self { runs: self.runs.with_columns(rows, columns)?, ..self })
    }

    /// Writes a run. Its row marks the run as done, so the row is written after the levels.
    ///
    /// # Errors
    ///
    /// A table cannot be written.
    pub fn write(&mut self, row: &Row, levels: &[LevelRow]) -> Result<(), RecordError> {
        self.levels.append(levels)?;
        self.runs.append(std::slice::from_ref(row))?;
        if self.synced_at.elapsed() >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    /// Replaces `runs.csv` by a file with the same rows and their final verdicts. The new file is complete before it replaces the
    /// old one.
    ///
    /// # Errors
    ///
    /// The file cannot be replaced.
    pub fn write_final_verdicts(self, rows: &[Row]) -> Result<(), RecordError> {
        let columns = self.runs.columns().to_vec();
        self.runs.with_rows(rows, columns).map(drop)
    }

    /// Flushes all rows to disk (fdatasync).
    ///
    /// # Errors
    ///
    /// The system cannot write to the disk.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.levels.sync()?;
        self.runs.sync()?;
        self.synced_at = Instant::now();
        Ok(())
    }

    /// Checks that nothing else wrote to the tables, and flushes them to disk.
    ///
    /// # Errors
    ///
    /// Another program wrote to a table, or a table cannot be written.
    pub fn finish(&mut self) -> Result<(), RecordError> {
        self.levels.finish()?;
        self.runs.finish()
    }
}

/// The numbers of rows with a wrong answer, a crash, unreadable output, a solver that gave up, or an exceeded limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Rows whose verdict is `wrong` or `disagree`.
    pub wrong: usize,
    /// Rows of runs that crashed.
    pub crashed: usize,
    /// Rows of runs whose output could not be read.
    pub unreadable: usize,
    /// Rows of runs that gave up.
    pub unknown: usize,
    /// Rows of runs that reached their time or memory limit.
    pub limited: usize,
}

impl Faults {
    /// Counts these rows.
    pub fn of(rows: &[Row]) -> Self {
        let count = |is_fault: fn(&Row) -> bool| rows.iter().filter(|row| is_fault(row)).count();
        Self {
            wrong: count(|row| row.verdict.is_fault()),
            crashed: count(|row| row.status == Status::Crashed),
            unreadable: count(|row| row.status == Status::Unreadable),
            unknown: count(|row| row.status == Status::Unknown),
            limited: count(|row| row.status.is_limit()),
        }
    }

    /// The number of failed runs. Runs that gave up or reached a limit did not fail.
    pub fn failed(&self) -> usize {
        self.crashed + self.unreadable
    }
}

#[cfg(test)]
mod tests;
