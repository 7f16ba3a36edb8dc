//! Carries out a plan: run after run, a row after each, judged as it arrives.

pub mod child;
pub mod process;
mod program;
pub mod protocol;
mod verdict;

use std::collections::HashSet;
use std::io;
use std::time::{Duration, Instant};

use super::estimate::Estimator;
use super::plan::{Cell, Plan, Run};
use crate::board::known;
use crate::record::{
    LevelRow, Log, RecordError, Row, SCHEMA_VERSION, Status, Termination, VARIANT, nanoseconds,
};
use crate::solver::Goal;
use protocol::Report;
use verdict::Bench;

/// Runs a cell once.
pub trait Runner {
    /// Carries out the run; `live` hears totals of nodes and solutions in counting runs. An error is
    /// one of the harness: a run that fails is an [`Attempt`].
    fn run(&mut self, cell: &Cell, live: &mut dyn FnMut(u64, u64)) -> io::Result<Attempt>;
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
    /// By the user. It leaves no row and is run again.
    Interrupted,
}

/// Hears how a sweep goes.
pub trait Observer {
    /// So many runs are to come; `done` of the plan's runs were done before.
    fn begins(&mut self, _plan: &Plan, _done: usize, _estimate: Duration) {}
    /// A run begins; `remaining` is the estimate for it and all after it. Nothing may be drawn
    /// between this and the run's end if it is timed.
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
    /// `runs.csv`.
    pub runs: Log<Row>,
    /// `levels.csv`.
    pub levels: Log<LevelRow>,
}

/// Carries out what is left of a plan after `rows`, which were read from the log; returns all rows.
pub fn execute(
    plan: &Plan,
    mut rows: Vec<Row>,
    logs: &mut Logs,
    runner: &mut dyn Runner,
    observer: &mut dyn Observer,
) -> Result<Vec<Row>, ExecuteError> {
    let done: HashSet<String> = rows.iter().map(|row| row.run_id.clone()).collect();
    let pending: Vec<&Run> = plan.runs.iter().filter(|run| !done.contains(&plan.run_id(run))).collect();
    let mut bench = Bench::default();
    let mut estimator = Estimator::default();
    for row in &rows {
        bench.remember(row);
        if let Some(cell) = plan.cells.iter().find(|cell| cell.id == row.cell_id) {
            estimator.observe(cell, Duration::from_nanos(row.wall_ns.unwrap_or(0)));
        }
    }
    let mut remaining = estimator.total(plan, pending.iter().copied());
    let mut estimated = Instant::now();
    observer.begins(plan, plan.runs.len() - pending.len(), remaining);
    for (position, run) in pending.iter().enumerate() {
        let cell = &plan.cells[run.cell];
        if estimated.elapsed() > ESTIMATE_INTERVAL {
            remaining = estimator.total(plan, pending[position..].iter().copied());
            estimated = Instant::now();
        }
        observer.run_begins(cell, remaining);
        let mut row = begin_row(plan, run, rows.len() as u64 + 1);
        let mut levels = Vec::new();
        if let Some(reason) = &cell.skip {
            row.error = Some(reason.clone());
        } else {
            let mut live = |nodes, solutions| observer.live(cell, nodes, solutions);
            let attempt = runner.run(cell, &mut live).map_err(ExecuteError::Start)?;
            if matches!(attempt.ending, Ending::Interrupted) {
                return Err(ExecuteError::Interrupted);
            }
            estimator.observe(cell, attempt.wall);
            remaining = remaining.saturating_sub(attempt.wall);
            levels = fill_row(&mut row, cell, attempt, &bench);
            bench.remember(&row);
        }
        // The row is what says that the run is done: it comes last.
        logs.levels.append(&levels)?;
        logs.runs.append(std::slice::from_ref(&row))?;
        observer.run_ends(cell, &row);
        rows.push(row);
    }
    Ok(rows)
}

/// How often the time that is left is estimated anew.
const ESTIMATE_INTERVAL: Duration = Duration::from_millis(500);

fn begin_row(plan: &Plan, run: &Run, seq: u64) -> Row {
    let cell = &plan.cells[run.cell];
    Row {
        seq,
        round: run.round,
        started_at: jiff::Timestamp::now().to_string(),
        solver_version: cell.solver_version.clone(),
        threads: cell.threads,
        seed: cell.seed,
        repetition: run.repetition,
        warmup: run.warmup,
        counting: cell.counting,
        time_limit_ns: Some(cell.time_limit_ns),
        memory_limit_bytes: cell.memory_limit_bytes,
        ..Row::skipped(plan.run_id(run), cell.id.clone(), cell.n, cell.goal, cell.solver.clone())
    }
}

/// Fills in what came of a run; returns its levels.
fn fill_row(row: &mut Row, cell: &Cell, attempt: Attempt, bench: &Bench) -> Vec<LevelRow> {
    row.wall_ns = Some(nanoseconds(attempt.wall));
    row.cpu_user_ns = attempt.cpu.map(|(user, _)| nanoseconds(user));
    row.cpu_sys_ns = attempt.cpu.map(|(_, system)| nanoseconds(system));
    row.peak_rss_bytes = attempt.peak_rss_bytes;
    row.exit_code = attempt.exit_code;
    row.signal = attempt.signal;
    let (status, termination, error) = match attempt.ending {
        Ending::Reported(report) => return fill_report(row, cell, &report, bench),
        Ending::Timeout => (Status::Timeout, Termination::Walltime, None),
        Ending::Memout => (Status::Memout, Termination::Memory, None),
        Ending::Failed(reason) if row.signal.is_some() => {
            (Status::Crashed, Termination::Killed, Some(reason))
        }
        Ending::Failed(reason) => (Status::Crashed, Termination::Failed, Some(reason)),
        Ending::Interrupted => unreachable!("an interrupted run leaves no row"),
    };
    (row.status, row.termination, row.error) = (status, Some(termination), error);
    Vec::new()
}

fn fill_report(row: &mut Row, cell: &Cell, report: &Report, bench: &Bench) -> Vec<LevelRow> {
    row.status = match (cell.goal, report.solutions) {
        (Goal::First, 0) => Status::Unsat,
        (Goal::First, _) => Status::Sat,
        _ => Status::Complete,
    };
    row.solutions = Some(report.solutions);
    row.solutions_digest = report.digest.clone();
    row.encode_ns = report.encode_ns;
    row.solve_ns = Some(report.solve_ns);
    row.verify_ns = report.verify_ns;
    row.peak_rss_bytes = report.peak_rss_bytes.or(row.peak_rss_bytes);
    if let Some((user, system)) = report.cpu_ns {
        (row.cpu_user_ns, row.cpu_sys_ns) = (Some(user), Some(system));
    }
    row.set_search(&report.search);
    row.set_sat(&report.sat);
    if cell.goal != Goal::First {
        row.expected_solutions = known::solutions(cell.n);
        row.expected_source = row.expected_solutions.map(|_| known::SOLUTIONS_SOURCE.to_owned());
    }
    (row.verdict, row.error) = bench.judge(row, report);
    if cell.goal == Goal::First { Vec::new() } else { levels(cell, report) }
}

fn levels(cell: &Cell, report: &Report) -> Vec<LevelRow> {
    let expected = known::profile(cell.n);
    let levels = report.search.levels.iter().enumerate();
    levels
        .map(|(level, counted)| LevelRow {
            schema_version: SCHEMA_VERSION,
            cell_id: cell.id.clone(),
            n: cell.n,
            variant: VARIANT.to_owned(),
            solver: cell.solver.clone(),
            level,
            nodes: counted.nodes,
            dead_ends: counted.dead_ends,
            expected_nodes: expected.map(|profile| profile[level].nodes),
            expected_source: expected.map(|_| known::PROFILE_SOURCE.to_owned()),
        })
        .collect()
}

/// Whether a sweep's rows hold a wrong answer, a crash, a timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Rows that are wrong or disagree.
    pub wrong: usize,
    /// Rows of runs that crashed.
    pub crashed: usize,
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
            limited: count(|row| matches!(row.status, Status::Timeout | Status::Memout)),
        }
    }
}

#[cfg(test)]
mod tests;
