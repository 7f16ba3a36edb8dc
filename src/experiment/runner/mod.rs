//! Carries out a plan run by run; each answer is judged and written as a row when its run ends.

pub mod attempt;
pub mod child;
mod execute;
pub mod process;
mod program;
mod queue;
pub(super) mod verdict;

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::plan::{Cell, Plan, Run};
use crate::record::{Kind, LevelRow, Log, RecordError, Row, Status};
pub use attempt::Attempt;
pub(super) use attempt::expect_published;
pub use execute::{done, execute};

/// Runs a cell once.
pub trait Runner {
    /// Carries out a run of this kind, or stops it when `cancel` becomes true. A run that was stopped so is `None` and will be repeated; one that fails is an [`Attempt`];
    /// an error means that the harness itself failed.
    fn run(&mut self, cell: &Cell, kind: Kind, cancel: &AtomicBool) -> io::Result<Option<Attempt>>;
}

/// Receives the progress of a sweep.
pub trait Observer {
    /// The sweep begins; `done` of the plan's runs were completed earlier.
    fn begins(&mut self, _plan: &Plan, _done: usize, _estimate: Duration) {}
    /// A run begins; `remaining` is the estimate for it and all later runs. While a timed run is active
    /// nothing may be drawn; with several jobs, not before the next of the active runs ends.
    fn run_begins(&mut self, _cell: &Cell, _run: &Run, _remaining: Duration) {}
    /// A run of this cell is not needed, because its median is precise enough.
    fn leaves_out(&mut self, _cell: &Cell) {}
    /// A run ended.
    fn run_ends(&mut self, _cell: &Cell, _row: &Row) {}
}

/// The tables that a sweep appends to.
pub struct Logs {
    runs: Log<Row>,
    levels: Log<LevelRow>,
    synced: Instant,
}

/// A power failure loses at most the rows of this interval.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

impl Logs {
    /// Takes the logs of `runs.csv` and `levels.csv`.
    pub fn new(runs: Log<Row>, levels: Log<LevelRow>) -> Self {
        Self { runs, levels, synced: Instant::now() }
    }

    /// Writes a run. Its row marks the run as done, so the row is written after the levels.
    pub fn write(&mut self, row: &Row, levels: &[LevelRow]) -> Result<(), RecordError> {
        self.levels.append(levels)?;
        self.runs.append(std::slice::from_ref(row))?;
        if self.synced.elapsed() >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    /// Replaces the rows of `runs.csv` by the same ones with their final verdicts, in the same columns: the new file is
    /// complete before it replaces the old one.
    pub fn settle(self, rows: &[Row]) -> Result<(), RecordError> {
        let columns = self.runs.columns().to_vec();
        self.runs.with_rows(rows, columns).map(drop)
    }

    /// Flushes all rows to disk (fdatasync).
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.levels.sync()?;
        self.runs.sync()?;
        self.synced = Instant::now();
        Ok(())
    }

    /// Checks that the tables have what was written to them and nothing else, and flushes them to disk.
    pub fn finish(&mut self) -> Result<(), RecordError> {
        self.levels.finish()?;
        self.runs.finish()
    }
}

/// The number of rows with a wrong answer, a crash, unreadable output, or a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Rows whose verdict is `wrong` or `disagree`.
    pub wrong: usize,
    /// Rows of runs that crashed.
    pub crashed: usize,
    /// Rows of runs whose output could not be read.
    pub unreadable: usize,
    /// Rows of runs that hit their time or memory limit.
    pub limited: usize,
}

impl Faults {
    /// Counts these rows.
    pub fn of(rows: &[Row]) -> Self {
        let count = |bad: fn(&Row) -> bool| rows.iter().filter(|row| bad(row)).count();
        Self {
            wrong: count(|row| row.verdict.is_fault()),
            crashed: count(|row| row.status == Status::Crashed),
            unreadable: count(|row| row.status == Status::Unreadable),
            limited: count(|row| row.status.is_limit()),
        }
    }

    /// Rows of runs that failed, without timeouts and other limits.
    pub fn failed(&self) -> usize {
        self.crashed + self.unreadable
    }
}

#[cfg(test)]
mod tests;
