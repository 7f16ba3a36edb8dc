//! Estimates how long the rest of a sweep will take, from the runs that have ended; a larger board costs
//! more.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::plan::{Cell, Plan, Run};
use crate::record::Kind;
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
    /// Records the wall time of a run that was completed or hit its limit.
    pub fn observe(&mut self, cell: &Cell, kind: Kind, wall: Duration) {
        self.seen.entry(key(cell, kind == Kind::Counting)).or_default().insert(cell.n, wall.as_secs_f64());
    }

    /// Expected duration of a run of this cell, at most its time limit.
    pub fn run(&self, cell: &Cell, kind: Kind) -> Duration {
        let known = |counting| self.seen.get(&key(cell, counting)).filter(|sizes| !sizes.is_empty());
        let expected = known(kind == Kind::Counting)
            .or_else(|| known(kind != Kind::Counting))
            .map_or(PROCESS.as_secs_f64(), |sizes| extrapolate(sizes, cell));
        cell.time_limit().min(Duration::try_from_secs_f64(expected).unwrap_or(Duration::MAX))
    }

    /// Whether a run of this cell is expected to hit its time limit.
    pub fn is_capped(&self, cell: &Cell, kind: Kind) -> bool {
        self.run(cell, kind) == cell.time_limit()
    }

    /// Expected total duration of these runs.
    pub fn total<'a>(&self, plan: &Plan, runs: impl Iterator<Item = &'a Run>) -> Duration {
        let runs = runs.map(|run| (&plan.cells[run.cell], run.kind)).filter(|(cell, _)| cell.skip.is_none());
        runs.map(|(cell, kind)| self.run(cell, kind)).fold(Duration::ZERO, Duration::saturating_add)
    }
}

/// Solver, variant or "instance", goal, threads, and whether it counts.
type Key = (String, String, Goal, usize, bool);

fn key(cell: &Cell, counting: bool) -> Key {
    let variant = cell.variant.split([';', ':']).next().unwrap_or_default();
    (cell.solver.clone(), variant.to_owned(), cell.goal, cell.threads, counting)
}

/// Extrapolates in seconds from the nearest observed size, with the growth fitted to the largest ones.
fn extrapolate(sizes: &BTreeMap<usize, f64>, cell: &Cell) -> f64 {
    if let Some(&seconds) = sizes.get(&cell.n) {
        return seconds;
    }
    let (&largest, &seconds) = sizes.iter().next_back().expect("not empty");
    if cell.n < largest {
        let (_, &above) = sizes.range(cell.n..).next().expect("the largest is above");
        return above;
    }
    let usual = if cell.goal == Goal::First { 1.5 } else { 5.0 };
    // Times close to the cost of a process do not show how the work itself grows.
    let process = PROCESS.as_secs_f64();
    let shows = sizes.iter().rev().take(FITTED).filter(|&(_, &seconds)| seconds >= 4.0 * process);
    let line = Line::through(&shows.map(|(&n, &seconds)| (n as f64, seconds.ln())).collect::<Vec<_>>());
    let growth = line.map_or(usual, |line| line.slope.exp().clamp(1.0, 20.0));
    let job = (seconds - process).max(process / 20.0);
    process + job * growth.powi(i32::try_from(cell.n - largest).map_or(60, |sizes| sizes.min(60)))
}

/// Number of sizes that the growth is fitted to: the largest ones predict the next size best.
const FITTED: usize = 4;

/// A straight line fitted to points by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Change of y per unit of x.
    pub slope: f64,
    /// y at x = 0.
    pub intercept: f64,
    /// Sum of the squared distances of the x from their mean.
    pub sxx: f64,
}

impl Line {
    /// Fits a line to points (x, y); `None` if there are no points or all have the same x.
    pub fn through(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
        let sxx: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let sxy: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let slope = sxy / sxx;
        (sxx > 0.0).then_some(Self { slope, intercept: mean_y - slope * mean_x, sxx })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec::Spec;
    use crate::registry::Registry;

    fn plan() -> Plan {
        let text = "schema_version = 1\nname = \"t\"\n[sweep]\nn = \"8-14\"\ntimeout = \"100s\"\nrepeat = 1\n[[solver]]\nid = \"backtrack/bitmask\"\n";
        Plan::new(Spec::parse("t", text).expect("a spec"), &Registry::builtin()).expect("a plan")
    }

    fn cell(plan: &Plan, n: usize) -> &Cell {
        plan.cells.iter().find(|cell| cell.n == n).expect("planned")
    }

    #[test]
    fn the_next_size_is_expected_to_grow_as_the_sizes_before() {
        let plan = plan();
        let mut estimator = Estimator::default();
        estimator.observe(cell(&plan, 11), Kind::Timed, Duration::from_secs(1));
        estimator.observe(cell(&plan, 12), Kind::Timed, Duration::from_secs(6));
        let next = estimator.run(cell(&plan, 13), Kind::Timed).as_secs_f64();
        assert!((35.0..37.0).contains(&next), "{next}");
        assert_eq!(estimator.run(cell(&plan, 12), Kind::Timed), Duration::from_secs(6));
        assert_eq!(estimator.run(cell(&plan, 9), Kind::Timed), Duration::from_secs(1));
    }

    #[test]
    fn growth_is_fitted_through_several_sizes_and_limits_cap_it() {
        let plan = plan();
        let mut estimator = Estimator::default();
        // ln: -2, -1, 1, 2 over 8, 9, 10, 11: slope 1.4 (the last two alone would say 1).
        for (n, log) in [(8, -2.0_f64), (9, -1.0), (10, 1.0), (11, 2.0)] {
            estimator.observe(cell(&plan, n), Kind::Timed, Duration::from_secs_f64(log.exp()));
        }
        let next = estimator.run(cell(&plan, 12), Kind::Timed).as_secs_f64();
        assert!((29.5..30.5).contains(&next), "e^3.4 = 30.0, not {next}");
        assert!(estimator.is_capped(cell(&plan, 13), Kind::Timed), "e^4.8 = 122 s are more than 100 s");
        assert!(!estimator.is_capped(cell(&plan, 12), Kind::Timed));
        let line = Line::through(&[(8.0, 0.0), (9.0, 1.0), (10.0, 3.0), (11.0, 4.0)]).expect("four sizes");
        assert!((line.slope - 1.4).abs() < 1e-12 && (line.intercept + 11.3).abs() < 1e-12, "{line:?}");
        assert_eq!((Line::through(&[(8.0, 1.0)]), Line::through(&[])), (None, None));
    }

    #[test]
    fn no_run_is_expected_to_take_longer_than_its_limit() {
        let plan = plan();
        let mut estimator = Estimator::default();
        estimator.observe(cell(&plan, 12), Kind::Timed, Duration::from_secs(90));
        assert_eq!(estimator.run(cell(&plan, 14), Kind::Timed), Duration::from_secs(100));
        assert!(estimator.total(&plan, plan.runs.iter()) <= Duration::from_secs(1400));
    }
}
