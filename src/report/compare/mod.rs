//! Two results side by side: what changed in the answers, then how the times compare.
//!
//! Cells are matched by n, variant, goal, solver and threads. A ratio is the median of the second result over
//! that of the first, of answered timed runs. A cell is *slower* (or *faster*) when its whole 95 % interval
//! lies above (below) 1 and the rank test says p < 0.05, with Holm's correction for the number of cells: both need
//! [`CI_MIN_RUNS`](super::stats::CI_MIN_RUNS) runs on either side. It is a *regression beyond x %* when the whole interval
//! lies above 1 + x / 100 and the corrected p < 0.05, or when every run of it was answered and now none is. Cells with
//! too few runs for an interval are not tested.

mod answers;
mod rank;
mod ratio;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::paired::holm;
use crate::escape::Escaped;
use crate::experiment::Stored;
use crate::record::{LevelRow, Row, SCHEMA_VERSION, VARIANT};

pub use answers::{Change, deterministic, differing};

/// What identifies a cell in both results.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Cell {
    /// Board size.
    pub n: usize,
    /// Variant of the problem.
    pub variant: String,
    /// What was asked.
    pub goal: String,
    /// Solver id.
    pub solver: String,
    /// Threads that it had.
    pub threads: usize,
}

impl Cell {
    fn of(row: &Row) -> Self {
        Self {
            n: row.n,
            variant: row.variant.clone(),
            goal: row.goal.to_string(),
            solver: row.solver.clone(),
            threads: row.threads,
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let variant = if self.variant == VARIANT { String::new() } else { format!("{} ", self.variant) };
        write!(f, "n={} {}{} {}", self.n, Escaped(variant), Escaped(&self.solver), self.goal)?;
        if self.threads == 1 { Ok(()) } else { write!(f, " {} threads", self.threads) }
    }
}

/// How the times of a cell compare.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// The cell.
    #[serde(flatten)]
    pub cell: Cell,
    /// Answered timed runs of both.
    pub runs: [usize; 2],
    /// Medians of both, in nanoseconds.
    pub median_ns: [u64; 2],
    /// Second over first.
    pub ratio: f64,
    /// Its 95 % interval; none below five runs.
    pub ci95: Option<[f64; 2]>,
    /// Of the rank test.
    pub p: f64,
    /// The same with Holm's correction for all cells with an interval; none below five runs.
    pub p_holm: Option<f64>,
    /// `slower`, `faster`, `same` (no difference shown) or `unknown` (too few runs).
    pub verdict: &'static str,
}

/// Over all cells with an interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overall {
    /// How many cells.
    pub cells: usize,
    /// Geometric mean of their ratios.
    pub ratio: f64,
    /// Its 95 % interval.
    pub ci95: [f64; 2],
}

/// A comparison of two results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// Version of this layout.
    pub schema_version: u32,
    /// Cells whose answer is wrong now and was not, or whose answers contradict each other.
    pub wrong: Vec<Change>,
    /// Cells of which something else changed that should not depend on time or machine.
    pub changed: Vec<Change>,
    /// Cells that were answered in every run and now in none.
    pub lost: Vec<Change>,
    /// Cells that were not answered in any run and now in every one.
    pub gained: Vec<Change>,
    /// Other answers, counts and levels that only one of the two results has.
    pub one_sided: Vec<Change>,
    /// Cells with an answer in both results.
    pub compared: usize,
    /// Times.
    pub ratios: Vec<Ratio>,
    /// All of them in one number.
    pub overall: Option<Overall>,
    /// Cells of the first result only.
    pub only_first: Vec<Cell>,
    /// Cells of the second result only.
    pub only_second: Vec<Cell>,
    /// How machine, program and plan differ.
    pub differences: Vec<String>,
}

impl Comparison {
    /// Compares the second result with the first.
    pub fn of(first: &Stored, second: &Stored) -> Self {
        let (old, new) = (cells(&first.rows), cells(&second.rows));
        let only = |a: &Cells<'_>, b: &Cells<'_>| {
            a.keys().filter(|cell| !b.contains_key(*cell)).cloned().collect::<Vec<_>>()
        };
        let mut comparison = Self {
            schema_version: SCHEMA_VERSION,
            only_first: only(&old, &new),
            only_second: only(&new, &old),
            differences: differences(first, second),
            ..Self::default()
        };
        let mut sums: Option<Vec<f64>> = None;
        let (mut log_sum, mut decided) = (0.0, 0_u32);
        for (cell, old) in &old {
            let Some(new) = new.get(cell) else { continue };
            comparison.answers(cell, old, new);
            let times = |rows: &[&Row]| -> Vec<u64> {
                rows.iter().filter(|row| row.is_timed()).filter_map(|row| row.answered_ns()).collect()
            };
            let (mut a, mut b) = (times(old), times(new));
            a.sort_unstable();
            b.sort_unstable();
            let Some(ratio) = ratio::of_medians(&a, &b) else { continue };
            let Some((_, p)) = rank::mann_whitney(&a, &b) else { continue };
            let logs = ratio::resampled_logs(&a, &b, comparison.ratios.len());
            if let Some(logs) = &logs {
                (log_sum, decided) = (log_sum + ratio.ln(), decided + 1);
                match &mut sums {
                    None => sums = Some(logs.clone()),
                    Some(sums) => sums.iter_mut().zip(logs).for_each(|(sum, log)| *sum += log),
                }
            }
            let ci95 = logs.map(|mut logs| ratio::middle_95(&mut logs)).map(|(low, high)| [low, high]);
            let median = |times: &[u64]| super::stats::percentile(times, 50);
            comparison.ratios.push(Ratio {
                cell: cell.clone(),
                runs: [a.len(), b.len()],
                median_ns: [median(&a), median(&b)],
                ratio,
                ci95,
                p,
                p_holm: None,
                verdict: "unknown",
            });
        }
        comparison.correct();
        comparison.levels(first, second);
        comparison.overall = sums.map(|mut sums| {
            sums.iter_mut().for_each(|sum| *sum /= f64::from(decided));
            let (low, high) = ratio::middle_95(&mut sums);
            let cells = decided as usize;
            Overall { cells, ratio: (log_sum / f64::from(decided)).exp(), ci95: [low, high] }
        });
        comparison
    }

    /// Corrects the p-values of the cells that have an interval, and judges these cells.
    fn correct(&mut self) {
        let tested: Vec<&mut Ratio> = self.ratios.iter_mut().filter(|ratio| ratio.ci95.is_some()).collect();
        let corrected = holm(&tested.iter().map(|ratio| ratio.p).collect::<Vec<_>>());
        for (ratio, p) in tested.into_iter().zip(corrected) {
            ratio.p_holm = Some(p);
            ratio.verdict = match ratio.ci95 {
                Some([low, _]) if low > 1.0 && p < 0.05 => "slower",
                Some([_, high]) if high < 1.0 && p < 0.05 => "faster",
                _ => "same",
            };
        }
    }

    fn answers(&mut self, cell: &Cell, old: &[&Row], new: &[&Row]) {
        let change = |what: String| Change { cell: cell.clone(), what };
        if let Some(what) = answers::wrong(old, new) {
            self.wrong.push(change(what));
        } else {
            self.changed.extend(differing(old, new).into_iter().map(&change));
            self.one_sided.extend(answers::one_sided(old, new).into_iter().map(&change));
        }
        self.compared += usize::from([old, new].iter().all(|rows| rows.iter().any(|row| row.is_answered())));
        match (answers::answered(old), answers::answered(new)) {
            (Some(true), Some(false)) => self.lost.push(change(answers::endings(new))),
            (Some(false), Some(true)) => self.gained.push(change(answers::endings(old))),
            _ => {}
        }
    }

    /// Compares the levels of cells that were answered in both results; their ids are the same where the plan is.
    fn levels(&mut self, first: &Stored, second: &Stored) {
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
                    list.push(Change { cell: cell.clone(), what });
                }
            }
        }
    }

    /// The number of tested cells and the most runs of one of them, if this number of cells with this number of runs cannot show any
    /// difference: k runs against m give no p below 2 / (k + m over k).
    pub fn undecidable(&self) -> Option<(usize, usize)> {
        let tested: Vec<[usize; 2]> =
            self.ratios.iter().filter(|ratio| ratio.ci95.is_some()).map(|ratio| ratio.runs).collect();
        let least = |[k, m]: &[usize; 2]| 2.0 / (1..=*k).map(|i| (m + i) as f64 / i as f64).product::<f64>();
        let best = tested.iter().map(least).reduce(f64::min)?;
        let most = tested.iter().flatten().copied().max()?;
        (best * tested.len() as f64 >= 0.05).then_some((tested.len(), most))
    }

    /// Times whose whole interval lies above this percentage, with a corrected rank test that agrees.
    pub fn regressions(&self, percent: f64) -> impl Iterator<Item = &Ratio> {
        let bound = 1.0 + percent / 100.0;
        self.ratios
            .iter()
            .filter(move |ratio| ratio.p_holm.is_some_and(|p| p < 0.05))
            .filter(move |ratio| ratio.ci95.is_some_and(|[low, _]| low > bound))
    }
}

type Cells<'a> = BTreeMap<Cell, Vec<&'a Row>>;

fn cells(rows: &[Row]) -> Cells<'_> {
    let mut cells: Cells<'_> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.status != crate::record::Status::Skipped) {
        cells.entry(Cell::of(row)).or_default().push(row);
    }
    cells
}

type Levels<'a> = BTreeMap<&'a str, (Cell, BTreeMap<usize, (u64, u64)>)>;

/// Nodes and dead ends of each level, by the ids of the cells that were answered, which may have none.
fn levels(stored: &Stored) -> Levels<'_> {
    let answered = stored.rows.iter().filter(|row| row.is_answered());
    let mut levels: Levels<'_> = BTreeMap::new();
    for row in answered {
        levels.entry(&row.cell_id).or_insert_with(|| (Cell::of(row), BTreeMap::new()));
    }
    for LevelRow { cell_id, level, nodes, dead_ends, .. } in &stored.levels {
        if let Some((_, found)) = levels.get_mut(cell_id.as_str()) {
            found.insert(*level, (*nodes, *dead_ends));
        }
    }
    levels
}

/// In what the two results differ before any run.
fn differences(first: &Stored, second: &Stored) -> Vec<String> {
    let (Some(old), Some(new)) = (&first.meta, &second.meta) else {
        return vec!["machine, program and plan are not known of both".to_owned()];
    };
    let mut differences = Vec::new();
    let mut compare = |what: &str, old: String, new: String| {
        if old != new {
            differences.push(format!("{what}: {old}, now {new}"));
        }
    };
    let short = |digest: &str| digest.chars().take(12).collect::<String>();
    let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    let turbo = |on: Option<bool>| on.map_or("unknown".to_owned(), |on| on.to_string());
    let (was, is) = (&old.machine, &new.machine);
    compare("host", was.host.clone(), is.host.clone());
    compare("CPU", was.cpu_model.clone(), is.cpu_model.clone());
    compare("cores", was.cores.to_string(), is.cores.to_string());
    compare("operating system", was.os.clone(), is.os.clone());
    compare("kernel", was.kernel.clone(), is.kernel.clone());
    compare("governor", known(&was.governor), known(&is.governor));
    compare("turbo", turbo(was.turbo), turbo(is.turbo));
    compare("queenlab", old.queenlab_version.clone(), new.queenlab_version.clone());
    compare("executable", short(&old.executable_sha256), short(&new.executable_sha256));
    compare("compiler", old.rustc.clone(), new.rustc.clone());
    compare("target features", old.target_features.clone(), new.target_features.clone());
    let changed = |solver: &&String| old.solvers.get(*solver) != new.solvers.get(*solver);
    let solvers: BTreeSet<&String> = old.solvers.keys().collect();
    for solver in solvers.into_iter().filter(|solver| new.solvers.contains_key(*solver)).filter(changed) {
        compare(solver, old.solvers[solver].clone(), new.solvers[solver].clone());
    }
    differences
}

#[cfg(test)]
mod tests;
