//! Carries out a plan: run after run, a row after each, judged as it arrives.

pub mod child;
mod execute;
mod fill;
pub mod process;
mod program;
pub mod protocol;
mod queue;
mod spare;
pub(super) mod verdict;

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::cpus::CpuList;
use super::plan::{Cell, Plan};
use crate::record::{LevelRow, Log, RecordError, Row, Status};
pub use execute::{done, execute, in_order_of};
use protocol::Report;

/// Runs a cell once.
pub trait Runner {
    /// Carries out the run, or breaks it off when `cancel` becomes true; `live` hears totals of nodes
    /// and solutions in counting runs. An error is one of the harness: a run that fails is an [`Attempt`].
    fn run(
        &mut self,
        cell: &Cell,
        cancel: &AtomicBool,
        live: &mut dyn FnMut(u64, u64),
    ) -> io::Result<Attempt>;
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// How it ended.
    pub ending: Ending,
    /// From its start to its end, as seen from outside.
    pub wall: Duration,
    /// User and system time of that very process.
    pub cpu: Option<(Duration, Duration)>,
    /// Greatest resident memory, where it did not live to tell it.
    pub peak_rss_bytes: Option<u64>,
    /// Exit code.
    pub exit_code: Option<i32>,
    /// Signal that ended it.
    pub signal: Option<i32>,
    /// CPUs that it was bound to.
    pub cpus: Option<CpuList>,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// With a report.
    Reported(Box<Report>),
    /// By the limit of wall time.
    Timeout,
    /// By the limit of memory.
    Memout,
    /// Without a report; why.
    Failed(String),
    /// Without a report, because of an answer that is wrong; why.
    Wrong(String),
    /// Well, but with output that cannot be read; why.
    Unreadable(String),
    /// By the user. It leaves no row and is run again.
    Interrupted,
}

/// Hears how a sweep goes.
pub trait Observer {
    /// So many runs are to come; `done` of the plan's runs were done before.
    fn begins(&mut self, _plan: &Plan, _done: usize, _estimate: Duration) {}
    /// A run begins; `remaining` is the estimate for it and all after it. If it is timed, nothing may be
    /// drawn before it ends, or, with several runs side by side, before the next of them does.
    fn run_begins(&mut self, _cell: &Cell, _remaining: Duration) {}
    /// Totals of a counting run.
    fn live(&mut self, _cell: &Cell, _nodes: u64, _solutions: u64) {}
    /// A run ended.
    fn run_ends(&mut self, _cell: &Cell, _row: &Row) {}
}

/// Hears nothing.
pub struct Unobserved;

impl Observer for Unobserved {}

/// Why a sweep stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// The results cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A run cannot be started.
    #[error("cannot start a run: {0}")]
    Start(io::Error),
    /// The user had enough.
    #[error("interrupted")]
    Interrupted,
}

/// The tables that grow during a sweep.
pub struct Logs {
    runs: Log<Row>,
    levels: Log<LevelRow>,
    synced: Instant,
}

/// The power, should it fail, takes the rows of so long at most.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

impl Logs {
    /// `runs.csv` and `levels.csv`.
    pub fn new(runs: Log<Row>, levels: Log<LevelRow>) -> Self {
        Self { runs, levels, synced: Instant::now() }
    }

    /// Writes down a run. Its row is what says that it is done: it comes last.
    pub fn write(&mut self, row: &Row, levels: &[LevelRow]) -> Result<(), RecordError> {
        self.levels.append(levels)?;
        self.runs.append(std::slice::from_ref(row))?;
        if self.synced.elapsed() >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    /// Makes what is written outlive the power.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.levels.sync()?;
        self.runs.sync()?;
        self.synced = Instant::now();
        Ok(())
    }
}

/// Whether a sweep's rows hold a wrong answer, a crash, a timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Rows that are wrong or disagree.
    pub wrong: usize,
    /// Rows of runs that crashed.
    pub crashed: usize,
    /// Rows of runs whose output could not be read.
    pub unreadable: usize,
    /// Rows of runs that were ended by a limit.
    pub limited: usize,
}

impl Faults {
    /// Counts them.
    pub fn of(rows: &[Row]) -> Self {
        let count = |bad: fn(&Row) -> bool| rows.iter().filter(|row| bad(row)).count();
        Self {
            wrong: count(|row| row.verdict.is_fault()),
            crashed: count(|row| row.status == Status::Crashed),
            unreadable: count(|row| row.status == Status::Unreadable),
            limited: count(|row| matches!(row.status, Status::Timeout | Status::Memout)),
        }
    }

    /// Rows of runs that failed for another reason than a limit.
    pub fn failed(&self) -> usize {
        self.crashed + self.unreadable
    }
}

#[cfg(test)]
mod tests;
