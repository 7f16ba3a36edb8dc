//! Turns the outcome of a run into its row.

use super::protocol::Report;
use super::verdict::References;
use super::{Attempt, Ending};
use crate::board::known;
use crate::experiment::plan::{Cell, Plan, Run};
use crate::record::{Disturbed, LevelRow, Row, SCHEMA_VERSION, Status, VARIANT, Verdict, nanoseconds};
use crate::solver::{Goal, Level};

/// The row of a run that has no outcome yet.
pub fn begin_row(plan: &Plan, run: &Run, started_at: String) -> Row {
    let cell = &plan.cells[run.cell];
    Row {
        schema_version: SCHEMA_VERSION,
        run_id: plan.run_id(run),
        cell_id: cell.id.clone(),
        started_at,
        round: run.round,
        n: cell.n,
        variant: cell.variant.clone(),
        goal: cell.goal,
        solver: cell.solver.clone(),
        threads: cell.threads,
        seed: cell.seed,
        repetition: run.repetition,
        kind: run.kind,
        time_limit_ns: Some(cell.time_limit_ns),
        cpu_limit_ns: cell.cpu_limit_ns,
        memory_limit_bytes: cell.memory_limit_bytes,
        ..Row::default()
    }
}

/// Fills in the outcome of a run; returns the rows of its levels.
pub fn fill_row(row: &mut Row, cell: &Cell, attempt: Attempt, references: &References) -> Vec<LevelRow> {
    row.wall_ns = Some(nanoseconds(attempt.wall));
    row.cpu_user_ns = attempt.cpu.map(|(user, _)| nanoseconds(user));
    row.cpu_sys_ns = attempt.cpu.map(|(_, system)| nanoseconds(system));
    row.involuntary_switches = attempt.involuntary_switches;
    row.cpu_stall_ns = attempt.cpu_stall.map(nanoseconds);
    row.peak_rss_bytes = attempt.peak_rss_bytes;
    if cell.starts_programs() {
        (row.exit_code, row.signal) = (attempt.exit_code, attempt.signal);
    }
    row.cpu = attempt.cpus.map(|cpus| cpus.to_string());
    let (status, error) = match attempt.ending {
        Ending::Reported(report) => return fill_report(row, cell, *report, references),
        Ending::Timeout => (Status::Timeout, None),
        Ending::CpuTimeout => (Status::Timeout, Some(CPU_LIMIT.to_owned())),
        Ending::Memout => (Status::Memout, None),
        Ending::Failed(reason) => (Status::Crashed, Some(reason)),
        Ending::Wrong(reason) => {
            row.verdict = Verdict::Wrong;
            (Status::Crashed, Some(reason))
        }
        Ending::Unreadable(reason) => (Status::Unreadable, Some(reason)),
        Ending::Interrupted => unreachable!("an interrupted run leaves no row"),
    };
    (row.status, row.error) = (status, error);
    Vec::new()
}

/// The column `error` of a run that reached its limit of CPU time.
const CPU_LIMIT: &str = "limit of CPU time";

/// A stall of the CPU that is shorter than this, or than a hundredth of the run, is no disturbance.
const SHORTEST_STALL_NS: u64 = 1_000_000;

/// Whether others held the CPU during a run, and whether another run takes its place.
pub fn disturbance(row: &Row, plan: &Plan) -> Option<Disturbed> {
    let (switches, stall, wall) = (row.involuntary_switches?, row.cpu_stall_ns?, row.wall_ns?);
    let is_disturbed = switches > 0 && stall > SHORTEST_STALL_NS.max(wall / 100);
    let is_replaced = plan.repeat.until.is_some() && row.is_timed() && row.repetition < plan.repeat.most;
    Some(match (is_disturbed, is_replaced) {
        (false, _) => Disturbed::No,
        (true, false) => Disturbed::Yes,
        (true, true) => Disturbed::Replaced,
    })
}

fn fill_report(row: &mut Row, cell: &Cell, mut report: Report, references: &References) -> Vec<LevelRow> {
    row.status = match (cell.goal, report.solutions) {
        (Goal::First, 0) => Status::Unsat,
        (Goal::First, _) => Status::Sat,
        _ => Status::Complete,
    };
    row.solutions = Some(report.solutions);
    row.digest = report.digest.take();
    row.encode_ns = report.encode_ns;
    row.solve_ns = Some(report.solve_ns);
    row.peak_rss_bytes = report.peak_rss_bytes.or(row.peak_rss_bytes);
    if let Some((user, system)) = report.cpu_ns {
        (row.cpu_user_ns, row.cpu_sys_ns) = (Some(user), Some(system));
    }
    row.involuntary_switches = report.involuntary_switches.or(row.involuntary_switches);
    row.stats = std::mem::take(&mut report.stats);
    if cell.goal != Goal::First {
        expect_published(row);
    }
    (row.verdict, row.error) = references.judge(row, cell.problem().ok().as_ref(), &report);
    if cell.goal == Goal::First { Vec::new() } else { levels(cell, &report.levels) }
}

/// Sets the published number of solutions.
pub fn expect_published(row: &mut Row) {
    row.expected_solutions = known::of_variant(row.n, &row.variant).map(|(count, _)| count);
}

fn levels(cell: &Cell, levels: &[Level]) -> Vec<LevelRow> {
    let expected = known::profile(cell.n).filter(|_| cell.variant == VARIANT);
    levels
        .iter()
        .enumerate()
        .map(|(level, counted)| LevelRow {
            schema_version: SCHEMA_VERSION,
            cell_id: cell.id.clone(),
            n: cell.n,
            variant: cell.variant.clone(),
            solver: cell.solver.clone(),
            level,
            nodes: counted.nodes,
            dead_ends: counted.dead_ends,
            expected_nodes: expected.map(|profile| profile[level].nodes),
            expected_source: expected.map(|_| known::PROFILE_SOURCE.to_owned()),
        })
        .collect()
}
