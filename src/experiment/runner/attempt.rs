//! The outcome of a run, and the row that is made from it. The child process of a run sends the outcome to its parent as a line
//! of JSON on standard output.

use std::time::Duration;

use runlab::{Repeat, machine};
use serde::{Deserialize, Serialize};

use crate::board::published;
use crate::experiment::plan::{Cell, Plan, Run};
use crate::experiment::verdict::References;
use crate::judging::BoardCheck;
use crate::os::pause::{Span, overlap};
use crate::record::{Disturbed, Kind, LevelRow, Row, RunOutput, SCHEMA_VERSION, Status, Table, nanoseconds};
use crate::solver::sink::{Digest, Judge};
use crate::solver::{Goal, Level, Stat};

/// The outcome of a run. The child process fills in some fields, and the parent process the others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Attempt {
    /// The measured columns of the row. [`row_of`] adds the columns from the plan.
    pub row: Row,
    /// The result of checking the boards.
    pub boards: BoardCheck,
    /// The levels of the search tree.
    pub levels: Vec<Level>,
    /// The start and end of the measurement, on the monotonic clock.
    pub timed: Option<Span>,
    /// The number of earlier executions that were discarded, because the sweep was suspended or the machine slept.
    pub unsupervised: u32,
    /// The reason why this machine could not execute the run; `None` if it could. Such a reason ends the sweep, because the solver
    /// is not at fault.
    pub environment_fault: Option<String>,
    /// The output of the run, unless its answer is certainly correct.
    pub output: RunOutput,
}

impl Attempt {
    /// A run without an answer, with a reason if the status alone does not explain it.
    pub fn failed(status: Status, outcome_reason: Option<String>) -> Self {
        Self { row: Row { status, outcome_reason, ..Row::default() }, ..Self::default() }
    }

    /// A run that failed for this reason.
    pub fn crashed(reason: impl ToString) -> Self {
        Self::failed(Status::Crashed, Some(reason.to_string()))
    }

    /// Subtracts the pauses of the sweep from the times that the process of the run measured.
    pub fn without_pauses(mut self, pauses: &[Span]) -> Self {
        let paused_ns = self.timed.map_or(0, |timed| nanoseconds(overlap(timed, pauses)));
        if paused_ns > 0 {
            let pause_in_solve_ns = self.row.solve_ns.unwrap_or(0).min(paused_ns);
            self.row.solve_ns = self.row.solve_ns.map(|time| time - pause_in_solve_ns);
            self.row.encode_ns =
                self.row.encode_ns.map(|time| time.saturating_sub(paused_ns - pause_in_solve_ns));
            // The program's clock may or may not have continued during the pauses.
            self.row.reported_solve_ns = None;
        }
        self
    }

    /// Sets the number of solutions to the number of reported boards. If the solver stated another number, that
    /// number is stored as its claim.
    pub fn with_digest(mut self, digest: &Digest) -> Self {
        self.boards.claimed = self.row.solutions.filter(|&claimed| claimed != digest.count());
        self.row.solutions = Some(digest.count());
        self.row.digest = Some(digest.to_string());
        self
    }

    /// Like [`Attempt::with_digest`], but also stores the judgement of the boards.
    pub fn with_boards(mut self, mut judge: Judge) -> Self {
        self.boards.illegal = Some(judge.illegal);
        self.boards.repeated = judge.repeated();
        self.boards.first_illegal = judge.first_illegal.as_ref().map(ToString::to_string);
        self.with_digest(&judge.digest)
    }
}

/// The sums of nodes and of dead ends over all levels.
pub type LevelSums = [u64; 2];

/// The contradiction between the statistics of a row and its levels, if there is one.
pub fn contradiction(row: &Row, [nodes, dead_ends]: &LevelSums) -> Option<String> {
    let difference = |stat: Stat, sum: u64| {
        let reported_sum =
            row.stats.get(stat).filter(|reported_sum| row.kind == Kind::Counting && *reported_sum != sum)?;
        Some(format!(
            "{} is {reported_sum}, but its levels in {} add up to {sum}",
            stat.name(),
            LevelRow::FILE
        ))
    };
    difference(Stat::Nodes, *nodes).or_else(|| difference(Stat::DeadEnds, *dead_ends))
}

/// The reason why the levels that a solver reported cannot belong to its run, if there is one.
fn fault_of_levels(row: &Row, levels: &[Level]) -> Option<String> {
    if levels.is_empty() || row.kind != Kind::Counting {
        return None;
    }
    let max_levels = row.n.saturating_add(1);
    if levels.len() > max_levels {
        let length = levels.len();
        return Some(format!(
            "it reported {length} levels of its search tree, but n = {} has {max_levels}",
            row.n
        ));
    }
    let sum = |of: fn(&Level) -> u64| levels.iter().map(of).fold(0, u64::saturating_add);
    contradiction(row, &[sum(|level| level.nodes), sum(|level| level.dead_ends)])
}

/// Removes the answer from a row that contradicts its limits or the reported levels. Otherwise, a reader of the directory would
/// remove the answer with a warning, or refuse the row.
pub fn refuse_contradictions(row: Row, levels: &[Level]) -> Row {
    if !row.status.is_solved() {
        return row;
    }
    let fault = || Some((Status::Crashed, fault_of_levels(&row, levels)?));
    match row.exceeded_limit().or_else(fault) {
        Some((status, reason)) => row.without_answer(status, reason),
        None => row,
    }
}

/// The row of a run: the measured columns and the columns from the plan.
pub fn row_of(plan: &Plan, run: &Run, started_at: String, measured: Row) -> Row {
    let cell = &plan.cells[run.cell];
    Row {
        schema_version: SCHEMA_VERSION,
        run_id: plan.run_id(run),
        cell_id: cell.id.clone(),
        started_at,
        round: run.round,
        n: cell.key.n,
        variant: cell.key.problem.clone(),
        goal: cell.key.goal,
        solver: cell.key.solver.clone(),
        threads: cell.key.threads,
        seed: cell.key.seed,
        repetition: run.repetition,
        kind: run.kind,
        time_limit_ns: Some(cell.time_limit_ns),
        cpu_limit_ns: cell.cpu_limit_ns,
        memory_limit_bytes: cell.memory_limit_bytes,
        ..measured
    }
}

/// Judges the answer in a row, if there is one.
pub fn judge(row: &mut Row, cell: &Cell, boards: &BoardCheck, references: &References) {
    if !row.status.is_solved() {
        return;
    }
    match row.goal {
        Goal::First => row.status = if row.solutions > Some(0) { Status::Sat } else { Status::Unsat },
        _ => expect_published(row),
    }
    (row.verdict, row.verdict_reason) = references.judge(row, cell.problem().ok().as_ref(), boards);
}

/// The value of the column `disturbed`: whether other processes disturbed a run, and whether another run replaces it.
pub fn disturbance(row: &Row, run: &Run, repeat: Repeat) -> Option<Disturbed> {
    let [stall, wall] = [row.cpu_stall_ns?, row.wall_ns?].map(Duration::from_nanos);
    Some(match machine::is_disturbed(row.involuntary_switches?, stall, wall) {
        false => Disturbed::No,
        true if run.is_replaceable(repeat) => Disturbed::Replaced,
        true => Disturbed::Yes,
    })
}

/// Sets the published number of solutions.
pub fn expect_published(row: &mut Row) {
    row.expected_solutions = published::of_variant(row.n, &row.variant).map(|(count, _)| count);
}

/// The rows of the levels of a completed counting run.
pub fn levels(row: &Row, levels: &[Level]) -> Vec<LevelRow> {
    let is_complete = row.status == Status::Complete && row.kind == Kind::Counting;
    let published_levels = published::profile(row.n).filter(|_| row.variant.is_plain());
    let levels = levels.iter().enumerate().filter(|_| is_complete);
    let level_row = |(level, counted): (usize, &Level)| LevelRow {
        schema_version: SCHEMA_VERSION,
        cell_id: row.cell_id.clone(),
        n: row.n,
        variant: row.variant.clone(),
        solver: row.solver.clone(),
        level,
        nodes: counted.nodes,
        dead_ends: counted.dead_ends,
        expected_nodes: published_levels
            .and_then(|profile| profile.get(level))
            .map(|published| published.nodes),
        expected_source: published_levels.map(|_| published::PROFILE_SOURCE.to_owned()),
    };
    levels.map(level_row).collect()
}
