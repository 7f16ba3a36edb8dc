//! Estimates how long the rest of an experiment will take, from the runs that have ended; a larger size costs more.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::plan::{Cell, Kind, Plan, Run};

/// Cost of starting and ending a process, assumed for every run until one has ended.
const PROCESS: Duration = Duration::from_millis(4);

/// Estimates the duration of runs from those observed so far.
pub struct Estimator {
    families: Vec<usize>,
    /// The last wall time in seconds by size, of each family and of counting runs and others.
    observed: HashMap<(usize, bool), BTreeMap<u64, f64>>,
}

impl Estimator {
    pub fn new(plan: &Plan) -> Self {
        Self { families: plan.grouped(|cell| &cell.family), observed: HashMap::new() }
    }

    /// Records the wall time of a run.
    pub fn observe(&mut self, plan: &Plan, run: &Run, wall: Duration) {
        let key = (self.families[run.cell], run.kind == Kind::Counting);
        self.observed.entry(key).or_default().insert(plan.cell(run).size, wall.as_secs_f64());
    }

    /// Expected duration of a run, at most its time limit.
    pub fn run(&self, plan: &Plan, run: &Run) -> Duration {
        let (cell, is_counting) = (plan.cell(run), run.kind == Kind::Counting);
        let observed = |is_counting| self.observed.get(&(self.families[run.cell], is_counting));
        let expected = observed(is_counting)
            .or_else(|| observed(!is_counting))
            .map_or(PROCESS.as_secs_f64(), |sizes| extrapolate(sizes, cell));
        let expected = Duration::try_from_secs_f64(expected).unwrap_or(Duration::MAX);
        cell.limits.time.map_or(expected, |limit| limit.min(expected))
    }

    /// Expected total duration of these runs.
    pub fn total<'r>(&self, plan: &Plan, runs: impl Iterator<Item = &'r Run>) -> Duration {
        let runs = runs.filter(|run| plan.cell(run).skip.is_none());
        runs.map(|run| self.run(plan, run)).fold(Duration::ZERO, Duration::saturating_add)
    }
}

/// Extrapolates in seconds from the nearest smaller size that was observed, with the growth of the cell.
fn extrapolate(sizes: &BTreeMap<u64, f64>, cell: &Cell) -> f64 {
    let Some((&size, &seconds)) = sizes.range(..=cell.size).next_back() else {
        return sizes.values().next().copied().unwrap_or_default();
    };
    // Starting and ending a process takes the same time at every size.
    let process = PROCESS.as_secs_f64().min(seconds);
    process + (seconds - process) * cell.growth.powi(i32::try_from(cell.size - size).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Repeat, Schedule};

    fn plan() -> Plan {
        let limit = Duration::from_secs(100);
        let cell = |size: u64| Cell::new(format!("a{size}")).in_series("a", size).time_limit(limit);
        let cells = (8..=14).map(|size| Cell { growth: 5.0, ..cell(size) }).collect();
        Plan::new(cells, Schedule { repeat: Repeat::times(1), ..Schedule::default() })
    }

    fn of_size(plan: &Plan, size: u64) -> &Run {
        plan.runs.iter().find(|run| plan.cell(run).size == size).expect("planned")
    }

    #[test]
    fn next_size_takes_longer_by_the_growth() {
        let plan = plan();
        let mut estimator = Estimator::new(&plan);
        estimator.observe(&plan, of_size(&plan, 11), Duration::from_secs(1));
        estimator.observe(&plan, of_size(&plan, 12), Duration::from_secs(6));
        let expected = |size| estimator.run(&plan, of_size(&plan, size));
        let next = expected(13).as_secs_f64();
        assert!((29.9..30.1).contains(&next), "{next}");
        assert_eq!((expected(12), expected(9)), (Duration::from_secs(6), Duration::from_secs(1)));
    }

    #[test]
    fn estimate_is_at_most_the_limit() {
        let plan = plan();
        let mut estimator = Estimator::new(&plan);
        estimator.observe(&plan, of_size(&plan, 12), Duration::from_secs(90));
        assert_eq!(estimator.run(&plan, of_size(&plan, 14)), Duration::from_secs(100));
        let unlimited = Cell { limits: Default::default(), ..plan.cells[6].clone() };
        assert_eq!(extrapolate(&[(14, 200.0)].into(), &unlimited), 200.0);
        assert!(estimator.total(&plan, plan.runs.iter()) <= Duration::from_secs(700));
    }
}
