//! Estimates how long the rest of a sweep will take, from the runs that have ended; a larger board costs
//! more.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::plan::{Cell, Plan, Run};
use crate::model::{Kind, SeriesKey, SolverRef};
use crate::record::Row;
use crate::solver::Goal;

/// Cost of starting and ending a process, assumed for every run until one has ended.
const PROCESS: Duration = Duration::from_millis(4);

/// Estimates the duration of runs from those observed so far.
#[derive(Default)]
pub struct Estimator {
    /// The last wall time in seconds, by key and board size.
    seen: HashMap<Key, BTreeMap<usize, f64>>,
}

impl Estimator {
    /// Records the wall time of a run.
    pub fn observe(&mut self, row: &Row) {
        let wall = Duration::from_nanos(row.wall_ns.unwrap_or(0)).as_secs_f64();
        self.seen.entry(key(row.series(), row.kind == Kind::Counting)).or_default().insert(row.n, wall);
    }

    /// Expected duration of a run of this cell, at most its time limit.
    pub fn run(&self, cell: &Cell, kind: Kind) -> Duration {
        let known = |counting| self.seen.get(&key(cell.series(), counting)).filter(|sizes| !sizes.is_empty());
        let expected = known(kind == Kind::Counting)
            .or_else(|| known(kind != Kind::Counting))
            .map_or(PROCESS.as_secs_f64(), |sizes| extrapolate(sizes, cell));
        cell.time_limit().min(Duration::try_from_secs_f64(expected).unwrap_or(Duration::MAX))
    }

    /// Expected total duration of these runs.
    pub fn total<'a>(&self, plan: &Plan, runs: impl Iterator<Item = &'a Run>) -> Duration {
        let runs = runs.map(|run| (&plan.cells[run.cell], run.kind)).filter(|(cell, _)| cell.skip.is_none());
        runs.map(|(cell, kind)| self.run(cell, kind)).fold(Duration::ZERO, Duration::saturating_add)
    }
}

/// Series whose runs take about as long: seeds and extra squares do not matter. The last field says whether the runs count.
type Key = (SolverRef, String, Goal, usize, bool);

fn key(series: SeriesKey<'_>, counting: bool) -> Key {
    let SeriesKey { solver, problem, goal, threads, .. } = series;
    (solver.clone(), problem.family().to_owned(), goal, threads, counting)
}

/// Extrapolates in seconds from the nearest size that was observed, with a usual growth.
fn extrapolate(sizes: &BTreeMap<usize, f64>, cell: &Cell) -> f64 {
    let Some((&n, &seconds)) = sizes.range(..=cell.key.n).next_back() else {
        return sizes.values().next().copied().unwrap_or_default();
    };
    let growth: f64 = if cell.key.goal == Goal::First { 1.5 } else { 5.0 };
    // Starting and ending a process takes the same time at every size.
    let process = PROCESS.as_secs_f64().min(seconds);
    process + (seconds - process) * growth.powi(i32::try_from(cell.key.n - n).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CellKey;
    use crate::registry::Registry;
    use crate::spec::Spec;

    fn plan() -> Plan {
        let text = "schema_version = 1\nname = \"t\"\n[sweep]\nn = \"8-14\"\ntimeout = \"100s\"\nrepeat = 1\n[[solver]]\nid = \"backtrack/bitmask\"\n";
        Plan::new(Spec::parse("t", text).expect("a spec"), &Registry::builtin()).expect("a plan")
    }

    fn observe(estimator: &mut Estimator, plan: &Plan, n: usize, seconds: u64) {
        let CellKey { solver, problem: variant, goal, threads, seed, .. } = cell(plan, n).key.clone();
        let wall_ns = Some(seconds * 1_000_000_000);
        estimator.observe(&Row { n, solver, variant, goal, threads, seed, wall_ns, ..Row::default() });
    }

    fn cell(plan: &Plan, n: usize) -> &Cell {
        plan.cells.iter().find(|cell| cell.key.n == n).expect("planned")
    }

    #[test]
    fn a_size_is_expected_to_take_five_times_as_long_as_the_one_before() {
        let plan = plan();
        let mut estimator = Estimator::default();
        observe(&mut estimator, &plan, 11, 1);
        observe(&mut estimator, &plan, 12, 6);
        let next = estimator.run(cell(&plan, 13), Kind::Timed).as_secs_f64();
        assert!((29.9..30.1).contains(&next), "{next}");
        assert_eq!(estimator.run(cell(&plan, 12), Kind::Timed), Duration::from_secs(6));
        assert_eq!(estimator.run(cell(&plan, 9), Kind::Timed), Duration::from_secs(1));
    }

    #[test]
    fn no_run_is_expected_to_take_longer_than_its_limit() {
        let plan = plan();
        let mut estimator = Estimator::default();
        observe(&mut estimator, &plan, 12, 90);
        assert_eq!(estimator.run(cell(&plan, 14), Kind::Timed), Duration::from_secs(100));
        assert!(estimator.total(&plan, plan.runs.iter()) <= Duration::from_secs(1400));
    }
}
