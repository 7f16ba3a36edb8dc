//! Turns the outcome of a run into its row.

use super::protocol::Report;
use super::verdict::References;
use super::{Attempt, Ending};
use crate::board::known;
use crate::experiment::plan::{Cell, Plan, Run, options_text};
use crate::os::Interruptions;
use crate::record::{
    Disturbed, LevelRow, Row, SCHEMA_VERSION, Status, Termination, VARIANT, Verdict, nanoseconds,
};
use crate::solver::{Goal, Level};

/// The row of a run that has no outcome yet.
pub fn begin_row(plan: &Plan, run: &Run, seq: u64, started_at: String) -> Row {
    let cell = &plan.cells[run.cell];
    let parts: Vec<&str> = cell.solver.split('/').collect();
    let part = |place: usize| parts.get(place).filter(|_| parts[0] == "sat").map(|part| (*part).to_owned());
    Row {
        seq,
        round: run.round,
        started_at,
        solver_version: cell.solver_version.clone(),
        threads: cell.threads,
        seed: cell.seed,
        repetition: run.repetition,
        warmup: run.warmup,
        counting: cell.counting,
        jobs: u32::try_from(plan.jobs).ok(),
        variant: cell.variant.clone(),
        encoding: part(1),
        backend: part(2),
        strategy: part(3),
        options: Some(options_text(&cell.options)).filter(|options| !options.is_empty()),
        instance_digest: cell.instance.as_ref().map(|instance| instance.digest.clone()),
        time_limit_ns: Some(cell.time_limit_ns),
        cpu_limit_ns: cell.cpu_limit_ns,
        memory_limit_bytes: cell.memory_limit_bytes,
        ..Row::skipped(plan.run_id(run), cell.id.clone(), cell.n, cell.goal, cell.solver.clone())
    }
}

/// Fills in the outcome of a run; returns the rows of its levels.
pub fn fill_row(row: &mut Row, cell: &Cell, attempt: Attempt, references: &References) -> Vec<LevelRow> {
    row.wall_ns = Some(nanoseconds(attempt.wall));
    row.cpu_user_ns = attempt.cpu.map(|(user, _)| nanoseconds(user));
    row.cpu_sys_ns = attempt.cpu.map(|(_, system)| nanoseconds(system));
    set_interruptions(row, attempt.interruptions);
    row.cpu_stall_ns = attempt.cpu_stall.map(nanoseconds);
    row.peak_rss_bytes = attempt.peak_rss_bytes;
    row.exit_code = attempt.exit_code;
    row.signal = attempt.signal;
    row.cpu = attempt.cpus.map(|cpus| cpus.to_string());
    let (status, termination, error) = match attempt.ending {
        Ending::Reported(report) => return fill_report(row, cell, *report, references),
        Ending::Timeout => (Status::Timeout, Termination::Walltime, None),
        Ending::CpuTimeout => (Status::Timeout, Termination::Cputime, None),
        Ending::Memout => (Status::Memout, Termination::Memory, None),
        Ending::Failed(reason) if row.signal.is_some() => {
            (Status::Crashed, Termination::Killed, Some(reason))
        }
        Ending::Failed(reason) => (Status::Crashed, Termination::Failed, Some(reason)),
        Ending::Wrong(reason) => {
            row.verdict = Verdict::Wrong;
            (Status::Crashed, Termination::Failed, Some(reason))
        }
        Ending::Unreadable(reason) => {
            (row.status, row.error) = (Status::Unreadable, Some(reason));
            return Vec::new();
        }
        Ending::Interrupted => unreachable!("an interrupted run leaves no row"),
    };
    (row.status, row.termination, row.error) = (status, Some(termination), error);
    Vec::new()
}

fn set_interruptions(row: &mut Row, counts: Option<Interruptions>) {
    row.voluntary_switches = counts.map(|counts| counts.voluntary_switches);
    row.involuntary_switches = counts.map(|counts| counts.involuntary_switches);
    row.minor_faults = counts.map(|counts| counts.minor_faults);
    row.major_faults = counts.map(|counts| counts.major_faults);
}

/// A stall of the CPU that is shorter than this, or than a hundredth of the run, is no disturbance.
const SHORTEST_STALL_NS: u64 = 1_000_000;

/// Whether others held the CPU during a run, and whether another run takes its place.
pub fn disturbance(row: &Row, plan: &Plan) -> Option<Disturbed> {
    let (switches, stall, wall) = (row.involuntary_switches?, row.cpu_stall_ns?, row.wall_ns?);
    let is_disturbed = switches > 0 && stall > SHORTEST_STALL_NS.max(wall / 100);
    let is_replaced = plan.until.is_some() && row.is_timed() && row.repetition < plan.repeat;
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
    row.solutions_digest = report.digest.take();
    row.encode_ns = report.encode_ns;
    row.solve_ns = Some(report.solve_ns);
    row.verify_ns = report.verify_ns;
    row.peak_rss_bytes = report.peak_rss_bytes.or(row.peak_rss_bytes);
    if let Some((user, system)) = report.cpu_ns {
        (row.cpu_user_ns, row.cpu_sys_ns) = (Some(user), Some(system));
    }
    if report.interruptions.is_some() {
        set_interruptions(row, report.interruptions);
    }
    row.stats = std::mem::take(&mut report.stats);
    if cell.goal != Goal::First {
        expect_published(row);
    }
    (row.verdict, row.error) = references.judge(row, cell.problem().ok().as_ref(), &report);
    if cell.goal == Goal::First { Vec::new() } else { levels(cell, &report.levels) }
}

/// Sets the published number of solutions.
pub fn expect_published(row: &mut Row) {
    let published = known::of_variant(row.n, &row.variant);
    row.expected_solutions = published.map(|(count, _)| count);
    row.expected_source = published.map(|(_, source)| source.to_owned());
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
