//! The plan of an experiment: cells, and the order of their runs.
//!
//! Runs are grouped into rounds, so that a drift of the machine affects all cells alike. Round 0 consists of the counting runs
//! and the skipped cells, in the order of the cells. The warm-up rounds follow, and then the timed rounds. Each of them is a pass
//! over all timed cells, in an order that is shuffled with the seed.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::repeat::Repeat;

/// One combination to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedCell {
    /// A text that identifies the cell in the results.
    pub id: String,
    /// The name of the series. The cells of a series differ only in size. After timeouts, larger sizes of a series can be skipped.
    pub series: String,
    /// The size of the problem.
    pub size: u64,
    /// The limits of each run.
    pub limits: RunLimits,
    /// Whether the cell has a counting run.
    pub is_counted: bool,
    /// Whether the cell has timed runs and warm-up runs.
    pub is_timed: bool,
    /// Why the cell is skipped; `None` if it is not skipped.
    pub skip: Option<String>,
}

impl PlannedCell {
    /// A cell without limits and without a counting run, in a series that has the name of the cell.
    pub fn new(id: impl Into<String>) -> Self {
        let id = id.into();
        Self {
            series: id.clone(),
            size: 0,
            limits: RunLimits::default(),
            is_counted: false,
            is_timed: true,
            skip: None,
            id,
        }
    }

    /// Sets the series and the size of the cell.
    #[must_use]
    pub fn in_series(self, series: impl Into<String>, size: u64) -> Self {
        Self { series: series.into(), size, ..self }
    }

    /// Limits the wall time of each run.
    #[must_use]
    pub fn time_limit(self, limit: Duration) -> Self {
        Self { limits: RunLimits { time: Some(limit), ..self.limits }, ..self }
    }
}

/// The limits of a run; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunLimits {
    /// Wall time.
    pub time: Option<Duration>,
    /// CPU time of all processes of the run; Linux only.
    pub cpu: Option<Duration>,
    /// Memory in bytes: the memory in use if the run has a control group that measures memory, and otherwise the address space.
    pub memory: Option<u64>,
}

/// The purpose of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The time of the run is used. The run does not collect statistics.
    #[default]
    Timed,
    /// The run collects statistics. Its time is not used.
    Counting,
    /// The run is recorded, but neither its time nor its statistics are used.
    Warmup,
}

impl Kind {
    /// The words for all kinds in results.
    pub const WORDS: &'static [&'static str] = &["timed", "counting", "warmup"];

    /// The word for the kind in results.
    pub fn name(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// The kind with this word.
    pub fn named(word: &str) -> Option<Self> {
        [Self::Timed, Self::Counting, Self::Warmup].into_iter().find(|kind| kind.name() == word)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One repetition of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Index into [`RunPlan::cells`].
    pub cell: usize,
    /// The number of the round.
    pub round: u32,
    /// The purpose.
    pub kind: Kind,
    /// The number of the repetition, from 1; 0 for counting runs and skipped cells.
    pub repetition: u32,
}

impl Run {
    /// Whether another run replaces this run if other processes disturb it.
    pub fn is_replaceable(&self, repeat: Repeat) -> bool {
        repeat.until.is_some() && self.kind == Kind::Timed && self.repetition < repeat.maximum
    }
}

/// The text that identifies a run in the results. It begins with the id of the cell.
pub fn run_id(cell_id: &str, kind: Kind, repetition: u32) -> String {
    match kind {
        Kind::Timed => format!("{cell_id}.{repetition}"),
        Kind::Warmup => format!("{cell_id}.w{repetition}"),
        Kind::Counting => format!("{cell_id}.counting"),
    }
}

/// The number of runs of each cell, and the order of the runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// The number of timed runs per cell.
    pub repeat: Repeat,
    /// The number of warm-up runs of each cell before the timed runs.
    pub warmup: u32,
    /// The seed of the order of each round.
    pub seed: u64,
    /// After timeouts at this many consecutive sizes, larger sizes of a series are skipped; `None` means that no size is skipped.
    pub stop_after_timeouts: Option<usize>,
}

impl Default for Schedule {
    /// Seven timed runs of each cell, and no warm-up runs. Fewer than six runs would be too few for a 95 % interval of the median
    /// and for a significant signed-rank test.
    fn default() -> Self {
        Self { repeat: Repeat::times(7), warmup: 0, seed: 0, stop_after_timeouts: None }
    }
}

/// All runs of an experiment, in order.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// The cells to measure. The sizes of a series are in ascending order.
    pub cells: Vec<PlannedCell>,
    /// The number of runs of each cell, and their order.
    pub schedule: Schedule,
    /// The runs in order.
    pub runs: Vec<Run>,
}

impl RunPlan {
    /// Makes the plan of these cells. The order of runs depends only on the arguments.
    pub fn new(cells: Vec<PlannedCell>, schedule: Schedule) -> Self {
        let runs = runs(&cells, &schedule);
        Self { cells, schedule, runs }
    }

    /// The part with this number, if the plan is divided into `parts` parts. Each cell is in exactly one part, with all its runs.
    ///
    /// # Panics
    ///
    /// If `number` is not between 1 and `parts`.
    #[must_use]
    pub fn shard(self, number: usize, parts: usize) -> Self {
        assert!((1..=parts).contains(&number), "there is no part {number} of {parts}");
        let cells = self.cells.into_iter().skip(number - 1).step_by(parts).collect();
        Self { cells, runs: runs_of_shard(&self.runs, number, parts), ..self }
    }

    /// The text that identifies a run in the results.
    pub fn run_id(&self, run: &Run) -> String {
        run_id(&self.cells[run.cell].id, run.kind, run.repetition)
    }

    /// The cell of a run.
    pub fn cell(&self, run: &Run) -> &PlannedCell {
        &self.cells[run.cell]
    }

    /// A number for each cell. Cells with the same `key` have the same number.
    pub(crate) fn group_numbers(&self, key: impl Fn(&PlannedCell) -> &str) -> Vec<usize> {
        let mut groups = HashMap::new();
        let group = |cell| {
            let next_number = groups.len();
            *groups.entry(key(cell)).or_insert(next_number)
        };
        self.cells.iter().map(group).collect()
    }

    /// The maximum duration of `runs` with this many parallel jobs, if every run may take up to its time limit. A round takes
    /// at most the sum of its runs divided by the jobs, plus its longest run (Graham 1966). If sizes can be skipped, runs wait for
    /// each other, and the maximum is the sum. `None` if one of the runs has no time limit.
    pub(crate) fn worst_case(&self, runs: &[&Run], jobs: usize) -> Option<Duration> {
        let jobs = if self.schedule.stop_after_timeouts.is_some() { 1 } else { jobs };
        let jobs = u32::try_from(jobs).unwrap_or(u32::MAX).max(1);
        let time_of_round = |round: &[&Run]| {
            let limits = round.iter().map(|run| self.cell(run).limits.time);
            let limits: Vec<Duration> = limits.collect::<Option<_>>()?;
            let sum = limits.iter().copied().fold(Duration::ZERO, Duration::saturating_add);
            let longest_limit = limits.into_iter().max().unwrap_or_default();
            Some(sum.min((sum / jobs).saturating_add(longest_limit)))
        };
        let rounds = runs.chunk_by(|a, b| a.round == b.round).map(time_of_round);
        rounds.reduce(|sum, round| Some(sum?.saturating_add(round?))).unwrap_or(Some(Duration::ZERO))
    }
}

/// The runs of one of `parts` parts of a plan, with the indices of their cells in that part.
pub fn runs_of_shard(runs: &[Run], number: usize, parts: usize) -> Vec<Run> {
    let runs = runs.iter().filter(|run| run.cell % parts == number - 1);
    runs.map(|run| Run { cell: run.cell / parts, ..run.clone() }).collect()
}

/// The runs of all rounds: round 0 with counting runs and skipped cells, then the warm-up and timed rounds.
fn runs(cells: &[PlannedCell], schedule: &Schedule) -> Vec<Run> {
    let Schedule { repeat, warmup, seed, stop_after_timeouts } = *schedule;
    let is_timed = |cell: &PlannedCell| repeat.maximum > 0 && cell.is_timed && cell.skip.is_none();
    let round_0 = cells.iter().enumerate().filter(|(_, cell)| cell.skip.is_some() || cell.is_counted);
    let round_0 = round_0.map(|(index, cell)| {
        let kind = if cell.skip.is_some() { Kind::Timed } else { Kind::Counting };
        Run { cell: index, round: 0, kind, repetition: 0 }
    });
    let mut runs: Vec<Run> = round_0.collect();
    // Without a timed cell, every round would be empty, and there could be billions of rounds.
    let rounds = if cells.iter().any(is_timed) { warmup.saturating_add(repeat.maximum) } else { 0 };
    for round in 1..=rounds {
        let (kind, repetition) =
            if round <= warmup { (Kind::Warmup, round) } else { (Kind::Timed, round - warmup) };
        let timed_cells = cells.iter().enumerate().filter(|(_, cell)| is_timed(cell));
        let mut runs_of_round: Vec<Run> =
            timed_cells.map(|(cell, _)| Run { cell, round, kind, repetition }).collect();
        fastrand::Rng::with_seed(seed.wrapping_add(u64::from(round))).shuffle(&mut runs_of_round);
        if stop_after_timeouts.is_some() {
            small_sizes_first(cells, &mut runs_of_round);
        }
        runs.extend(runs_of_round);
    }
    runs
}

/// Sorts the runs of each series in a pass by size. Each position in the pass keeps the series that the shuffle gave to it. In this
/// order, a decision to skip a size after timeouts depends only on earlier runs, for every seed. The cells of a series must be in
/// the order of their sizes.
fn small_sizes_first(cells: &[PlannedCell], pass: &mut [Run]) {
    let mut cells_by_series: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    for run in pass.iter() {
        cells_by_series.entry(&cells[run.cell].series).or_default().insert(run.cell);
    }
    for run in pass {
        let smallest_cell =
            cells_by_series.get_mut(cells[run.cell].series.as_str()).and_then(BTreeSet::pop_first);
        run.cell = smallest_cell.unwrap_or(run.cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells() -> Vec<PlannedCell> {
        let cell = |name: &str, size| {
            let cell = PlannedCell::new(format!("{name}{size}")).in_series(name, size);
            cell.time_limit(Duration::from_secs(size))
        };
        ["a", "b"].iter().flat_map(|name| (4..8).map(move |size| cell(name, size))).collect()
    }

    fn cells_of_round(plan: &RunPlan, round: u32) -> Vec<usize> {
        plan.runs.iter().filter(|run| run.round == round).map(|run| run.cell).collect()
    }

    #[test]
    fn rounds_run_the_same_cells_in_different_orders() {
        let schedule = Schedule { repeat: Repeat::times(2), warmup: 1, seed: 7, ..Schedule::default() };
        let plan = RunPlan::new(cells(), schedule);
        let kinds: Vec<Kind> = plan.runs.chunk_by(|a, b| a.round == b.round).map(|r| r[0].kind).collect();
        assert_eq!(kinds, [Kind::Warmup, Kind::Timed, Kind::Timed]);
        let orders: Vec<Vec<usize>> = (1..=3).map(|round| cells_of_round(&plan, round)).collect();
        assert!(orders[0] != orders[1] && orders[1] != orders[2], "{orders:?}");
        for mut order in orders {
            order.sort_unstable();
            assert_eq!(order, (0..8).collect::<Vec<_>>());
        }
        assert_eq!(plan.runs, RunPlan::new(cells(), schedule).runs);
        assert_ne!(plan.runs, RunPlan::new(cells(), Schedule { seed: 8, ..schedule }).runs);
    }

    #[test]
    fn sizes_ascend_if_timeouts_can_skip_sizes() {
        let schedule = Schedule { stop_after_timeouts: Some(1), seed: 3, ..Schedule::default() };
        let plan = RunPlan::new(cells(), schedule);
        for round in 1..=7 {
            let order = cells_of_round(&plan, round);
            let is_sorted = |series: usize| order.iter().filter(|&cell| cell / 4 == series).is_sorted();
            assert!(is_sorted(0) && is_sorted(1) && !order.is_sorted(), "{order:?}");
        }
    }

    #[test]
    fn round_0_has_counting_runs_and_skipped_cells() {
        let mut cells = cells();
        (cells[0].is_counted, cells[1].skip) = (true, Some("no".to_owned()));
        cells[2].is_timed = false;
        let plan = RunPlan::new(cells, Schedule { repeat: Repeat::times(1), ..Schedule::default() });
        let first_ids: Vec<String> = plan.runs[..2].iter().map(|run| plan.run_id(run)).collect();
        assert_eq!(first_ids, ["a4.counting", "a5.0"]);
        let mut timed_cells = cells_of_round(&plan, 1);
        timed_cells.sort_unstable();
        assert_eq!(timed_cells, [0, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn shards_partition_the_runs_in_plan_order() {
        let plan = RunPlan::new(cells(), Schedule::default());
        let mut ids = Vec::new();
        for number in 1..=3 {
            let part = plan.clone().shard(number, 3);
            let ids_of_part: Vec<String> = part.runs.iter().map(|run| part.run_id(run)).collect();
            let ids_of_plan = plan.runs.iter().map(|run| plan.run_id(run));
            assert!(ids_of_plan.filter(|id| ids_of_part.contains(id)).eq(ids_of_part.iter().cloned()));
            ids.extend(ids_of_part);
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), plan.runs.len());
    }

    #[test]
    fn worst_case_duration_divides_rounds_among_jobs() {
        let plan = RunPlan::new(cells(), Schedule { repeat: Repeat::times(2), ..Schedule::default() });
        let worst_case = |plan: &RunPlan, jobs| plan.worst_case(&plan.runs.iter().collect::<Vec<_>>(), jobs);
        let seconds = |jobs| worst_case(&plan, jobs).map(|duration| duration.as_secs());
        // There are two rounds, each with two series whose runs take 4, 5, 6 and 7 seconds.
        assert_eq!(seconds(1), Some(88));
        assert_eq!(seconds(2), Some(2 * (22 + 7)));
        let mut plan_without_limit = plan.clone();
        plan_without_limit.cells[3].limits.time = None;
        assert_eq!(worst_case(&plan_without_limit, 1), None);
        let schedule = Schedule { stop_after_timeouts: Some(1), ..plan.schedule };
        let plan_with_skips = RunPlan { schedule, ..plan };
        assert_eq!(worst_case(&plan_with_skips, 2), Some(Duration::from_secs(88)));
    }

    #[test]
    fn names_of_run_kinds_round_trip() {
        for kind in [Kind::Timed, Kind::Counting, Kind::Warmup] {
            assert_eq!(Kind::named(kind.name()), Some(kind));
            assert_eq!(serde_json::to_value(kind).expect("a word"), kind.name());
        }
        assert_eq!(Kind::named("Timed"), None);
    }
}
