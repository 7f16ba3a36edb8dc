//! Makes the row of a run.

use super::protocol::Seen;
use super::verdict::References;
use crate::board::known;
use crate::experiment::plan::{Cell, Plan, Run};
use crate::record::{Disturbed, LevelRow, Row, SCHEMA_VERSION, Status, VARIANT};
use crate::solver::{Goal, Level};

/// The row of a run: what was measured, and what the plan says.
pub fn row_of(plan: &Plan, run: &Run, started_at: String, measured: Row) -> Row {
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
        ..measured
    }
}

/// Judges the answer in a row, if there is one.
pub fn judge(row: &mut Row, cell: &Cell, seen: &Seen, references: &References) {
    if !row.status.is_solved() {
        return;
    }
    match row.goal {
        Goal::First => row.status = if row.solutions > Some(0) { Status::Sat } else { Status::Unsat },
        _ => expect_published(row),
    }
    (row.verdict, row.error) = references.judge(row, cell.problem().ok().as_ref(), seen);
}

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

/// Sets the published number of solutions.
pub fn expect_published(row: &mut Row) {
    row.expected_solutions = known::of_variant(row.n, &row.variant).map(|(count, _)| count);
}

/// The rows of the levels of a completed enumeration.
pub fn levels(row: &Row, levels: &[Level]) -> Vec<LevelRow> {
    let is_complete = row.status == Status::Complete;
    let expected = known::profile(row.n).filter(|_| row.variant == VARIANT);
    let levels = levels.iter().enumerate().filter(|_| is_complete);
    let of_level = |(level, counted): (usize, &Level)| LevelRow {
        schema_version: SCHEMA_VERSION,
        cell_id: row.cell_id.clone(),
        n: row.n,
        variant: row.variant.clone(),
        solver: row.solver.clone(),
        level,
        nodes: counted.nodes,
        dead_ends: counted.dead_ends,
        expected_nodes: expected.map(|profile| profile[level].nodes),
        expected_source: expected.map(|_| known::PROFILE_SOURCE.to_owned()),
    };
    levels.map(of_level).collect()
}
