//! Two results side by side: what changed in the answers, then how the times compare.
//!
//! Cells are matched by n, variant, goal, solver and threads. A ratio is the median of the second result over that of the
//! first; a run that a limit stopped counts as longer than all others. A cell is *slower* (or *faster*) when its whole 95 %
//! interval lies above (below) 1 and the rank test says p < 0.05, corrected for the number of cells: both need
//! [`RATIO_INTERVAL_RUNS`](unpaired::RATIO_INTERVAL_RUNS) runs on either side. It is a *regression beyond x %* when the whole interval
//! lies above 1 + x / 100 and the corrected p < 0.05, or when every run of it was answered and now half of them are not. Cells
//! with too few runs are not tested.

mod answers;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::tables::{Cell, Clock, cells};
use super::{Part, Run, runs};
use crate::experiment::Stored;
use crate::record::{LevelRow, SCHEMA_VERSION, Status};
use timestats::multiple::holm;
use timestats::unpaired::{self, MannWhitney, mann_whitney};
use timestats::{LEVEL, Range, Sample, Time};

use answers::Changes;
pub use answers::{Change, deterministic};

/// How the times of a cell compare.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratio<'a> {
    /// The cell.
    #[serde(flatten)]
    pub cell: Cell<'a>,
    /// Timed runs of both, answered or stopped by a limit.
    pub runs: [usize; 2],
    /// Those of them that a limit stopped.
    pub stopped: [usize; 2],
    /// Medians of both, in nanoseconds.
    pub median_ns: [u64; 2],
    /// Second over first.
    pub ratio: f64,
    /// Its 95 % interval; none below five runs. An end that is infinite or 0 is not known.
    pub ci95: Option<Range>,
    /// Of the rank test, corrected for the number of cells that are tested; none if there are too few runs to show anything.
    pub p_holm: Option<f64>,
    /// `slower`, `faster`, `same` (no difference shown) or `unknown` (too few runs).
    pub verdict: &'static str,
    #[serde(skip)]
    medians: unpaired::Ratio,
    #[serde(skip)]
    test: MannWhitney,
}

impl Ratio<'_> {
    fn is_regression(&self, percent: f64) -> bool {
        let bound = 1.0 + percent / 100.0;
        self.p_holm.is_some_and(|p| p < LEVEL) && self.ci95.is_some_and(|interval| interval.low > bound)
    }

    /// Whether the whole interval lies at or below this percentage.
    fn is_below(&self, percent: f64) -> bool {
        self.ci95.is_some_and(|interval| interval.high <= 1.0 + percent / 100.0)
    }
}

/// Why a comparison can exclude no regression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided<'a> {
    /// No timed cell was answered in both results.
    NothingInCommon,
    /// Cells of the first result that the second one does not have, or has without a time that can be compared.
    NotCompared(Vec<Cell<'a>>),
    /// Cells with a time of 0.
    Unresolved(Vec<Cell<'a>>),
    /// Cells with too few runs for a test.
    FewRuns(Vec<Cell<'a>>),
    /// Cells whose interval contains the bound.
    WideIntervals(Vec<Cell<'a>>),
}

/// Over all cells with an interval of which both ends are known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overall {
    /// How many cells.
    pub cells: usize,
    /// Geometric mean of their ratios.
    pub ratio: f64,
    /// Its 95 % interval.
    pub ci95: Range,
}

impl Overall {
    fn of(ratios: &[Ratio<'_>]) -> Option<Self> {
        let known = ratios.iter().filter(|ratio| ratio.ci95.is_some_and(|interval| interval.is_finite()));
        let known: Vec<unpaired::Ratio> = known.map(|ratio| ratio.medians).collect();
        let mean = unpaired::Ratio::geometric_mean(&known)?;
        Some(Self { cells: known.len(), ratio: mean.value(), ci95: mean.ci95()? })
    }
}

/// A comparison of two results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison<'a> {
    /// Version of this layout.
    pub schema_version: u32,
    /// Cells whose answer is wrong now and was not, or whose answers contradict each other.
    pub wrong: Vec<Change<'a>>,
    /// Cells of which something else changed that should not depend on time or machine.
    pub changed: Vec<Change<'a>>,
    /// Cells that were answered in every run, and now in half of them at most.
    pub lost: Vec<Change<'a>>,
    /// Cells that were answered in half of the runs at most, and now in every one.
    pub gained: Vec<Change<'a>>,
    /// Other answers, counts and levels that only one of the two results has.
    pub one_sided: Vec<Change<'a>>,
    /// Cells with an answer in both results.
    pub compared: usize,
    /// Times.
    pub ratios: Vec<Ratio<'a>>,
    /// Cells with a time of 0, which is below the resolution of its clock: their times are not compared.
    pub unresolved: Vec<Cell<'a>>,
    /// Other cells with a time in the first result that cannot be compared: the second result lacks them, a median is not
    /// known, or a run was stopped by a limit that the two results do not share.
    pub not_compared: Vec<Cell<'a>>,
    /// All of them in one number.
    pub overall: Option<Overall>,
    /// Cells of the first result only.
    pub only_first: Vec<Cell<'a>>,
    /// Cells of the second result only.
    pub only_second: Vec<Cell<'a>>,
    /// How machine, program and plan differ.
    pub differences: Vec<String>,
}

impl<'a> Comparison<'a> {
    /// Compares the second result with the first.
    pub fn of(first: &'a Stored, second: &'a Stored) -> Self {
        let of = |stored: &'a Stored| {
            let runs = runs(&[Part::of(stored, "")]);
            cells(runs.iter().filter(|run| run.status != Status::Skipped))
        };
        let (old, new) = (of(first), of(second));
        let only = |a: &Cells<'a>, b: &Cells<'a>| {
            a.keys().filter(|cell| !b.contains_key(*cell)).copied().collect::<Vec<_>>()
        };
        let differences = differences(first, second).into_iter();
        let mut comparison = Self {
            schema_version: SCHEMA_VERSION,
            only_first: only(&old, &new),
            only_second: only(&new, &old),
            differences: differences.map(|(what, was, is)| format!("{what}: {was}, now {is}")).collect(),
            ..Self::default()
        };
        for (cell, old) in &old {
            let Some(new) = new.get(cell) else {
                comparison.not_compared.extend(has_time(old).then_some(*cell));
                continue;
            };
            comparison.answers(*cell, old, new);
            comparison.times(*cell, old, new);
        }
        comparison.correct();
        comparison.levels(first, second);
        comparison.overall = Overall::of(&comparison.ratios);
        comparison
    }

    /// Compares the times of a cell, unless a median is not known, or its runs had different limits and one was stopped.
    fn times(&mut self, cell: Cell<'a>, old: &[Run<'a>], new: &[Run<'a>]) {
        let sample = |runs: &[Run<'a>]| -> Sample {
            runs.iter().filter(|run| run.is_timed()).filter_map(|run| Clock::Solving.time(run)).collect()
        };
        let [first, second] = [sample(old), sample(new)];
        if [&first, &second].iter().any(|sample| sample.exact().first() == Some(&0)) {
            self.unresolved.push(cell);
            return;
        }
        let stopped = [first.censored(), second.censored()];
        let limits: BTreeSet<Option<u64>> = old.iter().chain(new).map(|run| run.time_limit_ns).collect();
        let are_comparable = limits.len() <= 1 || stopped == [0, 0];
        let medians = unpaired::Ratio::of_medians(&first, &second).filter(|_| are_comparable);
        let (Some(medians), Some(test)) = (medians, mann_whitney(&first, &second)) else {
            self.not_compared.extend(has_time(old).then_some(cell));
            return;
        };
        let median = |sample: &Sample| sample.median().and_then(Time::exact).unwrap_or_default();
        self.ratios.push(Ratio {
            cell,
            runs: [first.len(), second.len()],
            stopped,
            median_ns: [median(&first), median(&second)],
            ratio: medians.value(),
            ci95: medians.ci95(),
            p_holm: None,
            verdict: "unknown",
            medians,
            test,
        });
    }

    /// Corrects the p-values of the cells that have an interval, and judges these cells.
    fn correct(&mut self) {
        let mut tested: Vec<_> = self.ratios.iter_mut().filter(|ratio| ratio.ci95.is_some()).collect();
        let corrected = holm(&tested.iter().map(|ratio| ratio.test.test).collect::<Vec<_>>());
        for (ratio, p) in tested.iter_mut().zip(corrected) {
            ratio.p_holm = p;
            ratio.verdict = match (ratio.ci95, p) {
                (_, None) => "unknown",
                (Some(interval), Some(p)) if interval.low > 1.0 && p < LEVEL => "slower",
                (Some(interval), Some(p)) if interval.high < 1.0 && p < LEVEL => "faster",
                _ => "same",
            };
        }
    }

    fn answers(&mut self, cell: Cell<'a>, old: &[Run<'_>], new: &[Run<'_>]) {
        let change = |what: String| Change { cell, what };
        let Changes { wrong, changed, one_sided } = Changes::of(old, new);
        self.wrong.extend(wrong.map(change));
        self.changed.extend(changed.into_iter().map(change));
        self.one_sided.extend(one_sided.into_iter().map(change));
        self.compared += usize::from([old, new].iter().all(|runs| runs.iter().any(|run| run.is_answered())));
        if answers::is_lost(old, new) {
            self.lost.push(change(answers::endings(new)));
        } else if answers::is_lost(new, old) {
            self.gained.push(change(answers::endings(old)));
        }
    }

    /// Compares the levels of cells that were answered in both results; their ids are the same where the plan is.
    fn levels(&mut self, first: &'a Stored, second: &'a Stored) {
        let (old, new) = (levels(first), levels(second));
        for (id, (cell, old)) in &old {
            let Some((_, new)) = new.get(id) else { continue };
            let numbers: BTreeSet<&usize> = old.keys().chain(new.keys()).collect();
            for level in numbers {
                let told = |found: Option<&(u64, u64)>| {
                    found
                        .map_or("none".to_owned(), |(nodes, dead)| format!("{nodes} nodes, {dead} dead ends"))
                };
                let (was, is) = (old.get(level), new.get(level));
                if was != is {
                    let what = format!("level {level}: {}, now {}", told(was), told(is));
                    let both = was.is_some() && is.is_some();
                    let list = if both { &mut self.changed } else { &mut self.one_sided };
                    list.push(Change { cell: *cell, what });
                }
            }
        }
    }

    /// Times whose whole interval lies above this percentage, with a corrected rank test that agrees.
    pub fn regressions(&self, percent: f64) -> impl Iterator<Item = &Ratio<'a>> {
        self.ratios.iter().filter(move |ratio| ratio.is_regression(percent))
    }

    /// Why it is not certain that no cell is slower by more than this percentage; `None` if it is certain, or if one is.
    pub fn undecided(&self, percent: f64) -> Option<Undecided<'a>> {
        if self.regressions(percent).next().is_some() || !self.lost.is_empty() {
            return None;
        }
        let few: Vec<Cell<'a>> =
            self.ratios.iter().filter(|ratio| ratio.p_holm.is_none()).map(|ratio| ratio.cell).collect();
        let wide: Vec<Cell<'a>> = self
            .ratios
            .iter()
            .filter(|ratio| ratio.p_holm.is_some() && !ratio.is_below(percent))
            .map(|ratio| ratio.cell)
            .collect();
        match () {
            () if self.ratios.is_empty() && self.unresolved.is_empty() => Some(Undecided::NothingInCommon),
            () if !self.not_compared.is_empty() => Some(Undecided::NotCompared(self.not_compared.clone())),
            () if !self.unresolved.is_empty() => Some(Undecided::Unresolved(self.unresolved.clone())),
            () if !few.is_empty() => Some(Undecided::FewRuns(few)),
            () if !wide.is_empty() => Some(Undecided::WideIntervals(wide)),
            () => None,
        }
    }
}

fn has_time(runs: &[Run<'_>]) -> bool {
    runs.iter().any(|run| run.is_timed() && run.is_answered())
}

type Cells<'a> = BTreeMap<Cell<'a>, Vec<Run<'a>>>;

type Levels<'a> = BTreeMap<&'a str, (Cell<'a>, BTreeMap<usize, (u64, u64)>)>;

/// Nodes and dead ends of each level, by the ids of the cells that were answered, which may have none.
fn levels(stored: &Stored) -> Levels<'_> {
    let mut levels: Levels<'_> = BTreeMap::new();
    for run in runs(&[Part::of(stored, "")]).iter().filter(|run| run.is_answered()) {
        levels.entry(&run.row.cell_id).or_insert_with(|| (Cell::of(run), BTreeMap::new()));
    }
    for LevelRow { cell_id, level, nodes, dead_ends, .. } in &stored.levels {
        if let Some((_, found)) = levels.get_mut(cell_id.as_str()) {
            found.insert(*level, (*nodes, *dead_ends));
        }
    }
    levels
}

/// What differs between two results before any run, with its values in both.
pub fn differences(first: &Stored, second: &Stored) -> Vec<(String, String, String)> {
    let (Some(old), Some(new)) = (&first.meta, &second.meta) else {
        let known = |stored: &Stored| if stored.meta.is_some() { "known" } else { "unknown" }.to_owned();
        return vec![("machine, program and plan".to_owned(), known(first), known(second))];
    };
    let short = |digest: &str| digest.chars().take(12).collect::<String>();
    let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    let turbo = |on: Option<bool>| on.map_or("unknown".to_owned(), |on| on.to_string());
    let (was, is) = (&old.machine, &new.machine);
    let mut pairs = vec![
        ("host", was.host.clone(), is.host.clone()),
        ("CPU", was.cpu_model.clone(), is.cpu_model.clone()),
        ("cores", was.cores.to_string(), is.cores.to_string()),
        ("operating system", was.os.clone(), is.os.clone()),
        ("kernel", was.kernel.clone(), is.kernel.clone()),
        ("governor", known(&was.governor), known(&is.governor)),
        ("turbo", turbo(was.turbo), turbo(is.turbo)),
        ("queenlab", old.queenlab_version.clone(), new.queenlab_version.clone()),
        ("executable", short(&old.executable_sha256), short(&new.executable_sha256)),
        ("compiler", old.rustc.clone(), new.rustc.clone()),
        ("target features", old.target_features.clone(), new.target_features.clone()),
    ];
    for (solver, was) in &old.solvers {
        pairs.extend(new.solvers.get(solver).map(|is| (solver.as_str(), was.clone(), is.clone())));
    }
    pairs.retain(|(_, was, is)| was != is);
    pairs.into_iter().map(|(what, was, is)| (what.to_owned(), was, is)).collect()
}

#[cfg(test)]
mod tests;
