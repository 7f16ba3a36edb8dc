//! Ratios of times: of a cell, of a series over all its sizes, and of all series.
//!
//! Two results are independent samples, whereas two series of one sweep are compared within rounds. For a series, the sample
//! consists of one value per round, the mean of the logarithms of its times over all sizes. Therefore a disturbance of a whole
//! round counts only once.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::super::growth::MIN_COMPARED_NS;
use super::super::ratios::serialize_exact_ratio;
use super::super::series::ReportKey;
use super::super::tables::{Clock, ReportCell};
use crate::report::ReportRun;
use timestats::multiple::{Test, holm};
use timestats::paired::{self, Estimate};
use timestats::unpaired::{self, mann_whitney};
use timestats::{LEVEL, Range, Sample, Time, runs_for_half_width};

/// The pairing of the runs of two results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairing {
    /// All pairs of runs, because they are from different sweeps.
    #[default]
    Independent,
    /// The runs of the same round of one sweep.
    Rounds,
}

/// The verdict on the time of the second result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeVerdict {
    /// The whole interval lies below 1.
    Faster,
    /// The whole interval lies above 1.
    Slower,
    /// The whole interval lies within the tolerance.
    Within,
    /// None of these holds, or the interval is unknown.
    Undecided,
}

/// The ratio of the second result to the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeRatio {
    /// The numbers of timed runs of both results, answered or stopped by a limit; for a series, the numbers of rounds.
    pub runs: [usize; 2],
    /// The ratio, or a range if stopped runs allow only a bound.
    #[serde(serialize_with = "serialize_exact_ratio")]
    pub ratio: Range,
    /// The 95 % interval; `None` if there are too few runs. An end of 0 or infinity means that this end is unknown.
    pub ci95: Option<Range>,
    /// The verdict.
    pub verdict: TimeVerdict,
    /// If the ratio is undecided: the number of runs of each result that would decide at the observed spread; `None` if no number
    /// would.
    pub runs_needed: Option<usize>,
    /// The ratio and the interval as logarithms.
    #[serde(skip)]
    log: Estimate,
    /// The minimum number of runs of each result for an interval.
    #[serde(skip)]
    min_runs: usize,
}

impl TimeRatio {
    /// Compares logarithms of times. Each logarithm has a key, which identifies its round.
    fn from_logarithms<K: Ord>(pairing: Pairing, sides: [&[(K, Range)]; 2], confidence: f64) -> Self {
        let estimate = match pairing {
            Pairing::Independent => {
                let [first, second] = sides.map(|side| side.iter().map(|(_, log)| *log).collect::<Vec<_>>());
                unpaired::estimate(&first, &second, confidence)
            }
            Pairing::Rounds => {
                let differences = differences(sides);
                let has_enough_rounds = differences.len() >= paired::min_rounds(confidence);
                let estimate = paired::estimate(&differences, confidence);
                estimate.map(|of| Estimate { interval: of.interval.filter(|_| has_enough_rounds), ..of })
            }
        };
        let (runs, min_runs) = match pairing {
            Pairing::Independent => (sides.map(<[_]>::len), unpaired::min_runs(confidence)),
            Pairing::Rounds => ([differences(sides).len(); 2], paired::min_rounds(confidence)),
        };
        let unbounded_range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };
        let log = estimate.unwrap_or(Estimate { value: unbounded_range, interval: None });
        Self {
            runs,
            ratio: log.value.map(f64::exp),
            ci95: log.interval.map(|interval| interval.map(f64::exp)),
            verdict: TimeVerdict::Undecided,
            runs_needed: None,
            log,
            min_runs,
        }
    }

    /// Adds the verdict for a tolerance in percent.
    fn with_verdict(mut self, tolerance: f64) -> Self {
        let bound = (tolerance / 100.0).ln_1p();
        self.verdict = match self.log.interval {
            Some(interval) if interval.low > 0.0 => TimeVerdict::Slower,
            Some(interval) if interval.high < 0.0 => TimeVerdict::Faster,
            Some(interval) if interval.low >= -bound && interval.high <= bound => TimeVerdict::Within,
            _ => TimeVerdict::Undecided,
        };
        self.with_runs_needed(bound)
    }

    /// Adds the number of runs after which the interval is expected to exclude 1 or to lie within the tolerance.
    fn with_runs_needed(mut self, bound: f64) -> Self {
        let is_undecided = self.verdict == TimeVerdict::Undecided;
        let half_width = self.log.value.value().map(|log| log.abs().max(bound - log.abs()));
        self.runs_needed = if is_undecided { self.runs_for(half_width) } else { None };
        self
    }

    /// The number of runs of each result that give an interval of this half-width at the observed spread; without an interval, the
    /// minimum number of runs for an interval.
    fn runs_for(&self, half_width: Option<f64>) -> Option<usize> {
        let Some(interval) = self.log.interval else { return Some(self.min_runs) };
        let current_half_width = (interval.high - interval.low) / 2.0;
        let [first, second] = self.runs;
        let runs = 2 * first * second / (first + second).max(1);
        Some(runs_for_half_width(runs, current_half_width, half_width?)).filter(|&runs| runs < usize::MAX)
    }

    /// The number of runs of each result that would decide whether the ratio is above 1 + `percent` / 100.
    pub fn runs_needed_for(&self, percent: f64) -> Option<usize> {
        let bound = (percent / 100.0).ln_1p();
        self.runs_for(self.log.value.value().map(|log| (bound - log).abs()))
    }

    /// Whether the whole interval lies above 1 + `percent` / 100.
    pub fn is_above(&self, percent: f64) -> bool {
        self.ci95.is_some_and(|interval| interval.low > 1.0 + percent / 100.0)
    }

    /// Whether the whole interval lies below 1 + `percent` / 100.
    pub fn is_below(&self, percent: f64) -> bool {
        self.ci95.is_some_and(|interval| interval.high < 1.0 + percent / 100.0)
    }
}

/// The second result minus the first, for each common round.
fn differences<K: Ord>([first, second]: [&[(K, Range)]; 2]) -> Vec<Range> {
    let first: BTreeMap<&K, Range> = first.iter().map(|(round, log)| (round, *log)).collect();
    second.iter().filter_map(|(round, log)| Some(*log - *first.get(round)?)).collect()
}

/// The comparison of the times of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellRatio<'a> {
    /// The cell.
    #[serde(flatten)]
    pub cell: ReportCell<'a>,
    /// The ratio with its 95 % interval, which is not corrected for the number of cells.
    #[serde(flatten)]
    pub time: TimeRatio,
    /// The numbers of runs of both results that were stopped by a limit.
    pub stopped: [usize; 2],
    /// The medians of both results, in nanoseconds.
    pub median_ns: [u64; 2],
    /// The p-value of the rank test, corrected for the number of tested cells; `None` if there are too few runs for a significant
    /// result.
    pub p_holm: Option<f64>,
    #[serde(skip)]
    test: Option<Test>,
    #[serde(skip)]
    times: [Vec<(RunKey, Range)>; 2],
}

/// The comparison of the times of a series, over the sizes at which both results need at least 0.1 ms, or over all sizes if there
/// are none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolverRatio<'a> {
    /// The series.
    #[serde(flatten)]
    pub key: ReportKey<'a>,
    /// The sizes.
    pub sizes: BTreeSet<usize>,
    /// The ratio with its interval. All intervals together have a confidence of 95 %.
    #[serde(flatten)]
    pub time: TimeRatio,
}

/// The comparison of the times of all series.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overall {
    /// The number of cells.
    pub cells: usize,
    /// The ratio with its 95 % interval.
    #[serde(flatten)]
    pub time: TimeRatio,
}

/// The key of runs that were made at about the same time: the round and the repetition, and for paired runs also the session.
type RoundKey = (usize, u32, u32);

/// The round and the seed of a run, which identify it within its cell.
type RunKey = (RoundKey, u64);

/// The reason why the times of a cell are not compared.
pub enum NoRatio {
    /// A time is 0, which is below the resolution of the clock.
    Unresolved,
    /// A median is unknown, or a limit was reached and the two results have different limits.
    Unknown,
}

impl<'a> CellRatio<'a> {
    /// Compares the timed runs of a cell. The verdict is added later, because it depends on all cells.
    ///
    /// # Errors
    ///
    /// The reason why there is no ratio.
    pub fn of(
        cell: ReportCell<'a>,
        pairing: Pairing,
        [old, new]: [&[ReportRun<'_>]; 2],
    ) -> Result<CellRatio<'a>, NoRatio> {
        let times_of = |runs: &[ReportRun<'_>]| -> Vec<(RunKey, Time)> {
            let runs = runs.iter().filter(|run| run.is_timed());
            let round = |run: &ReportRun<'_>| {
                let session = if pairing == Pairing::Rounds { run.session } else { 0 };
                (session, run.round, run.repetition)
            };
            runs.filter_map(|run| Some(((round(run), run.seed), Clock::Solving.time(run)?))).collect()
        };
        let times = [times_of(old), times_of(new)];
        let samples = times.each_ref().map(|times| times.iter().map(|(_, time)| *time).collect::<Sample>());
        if samples.iter().any(|sample| sample.exact().first() == Some(&0)) {
            return Err(NoRatio::Unresolved);
        }
        let stopped = samples.each_ref().map(Sample::censored);
        let limits: BTreeSet<Option<u64>> = old.iter().chain(new).map(|run| run.time_limit_ns).collect();
        let medians = samples.each_ref().map(|sample| sample.median().and_then(Time::exact));
        let [Some(first), Some(second)] = medians else { return Err(NoRatio::Unknown) };
        if limits.len() > 1 && stopped != [0, 0] {
            return Err(NoRatio::Unknown);
        }
        let times = times.map(|times| times.into_iter().map(|(key, time)| (key, time.ln())).collect());
        let sides = times.each_ref().map(Vec::as_slice);
        let test = match pairing {
            Pairing::Independent => mann_whitney(&samples[0], &samples[1]).map(|result| result.test),
            Pairing::Rounds => paired::signed_rank(&differences(sides)),
        };
        let time = TimeRatio::from_logarithms(pairing, sides, 1.0 - LEVEL);
        Ok(Self { cell, time, stopped, median_ns: [first, second], p_holm: None, test, times })
    }

    /// Whether both medians are long enough for a comparison over several sizes.
    fn is_long(&self) -> bool {
        self.median_ns.iter().all(|&median| median >= MIN_COMPARED_NS)
    }
}

/// Corrects the p-values of the cells that have an interval, and adds the verdicts of these cells.
pub fn judge_cells(cells: &mut [CellRatio<'_>], tolerance: f64) {
    let mut tested_cells: Vec<(&mut CellRatio<'_>, Test)> = cells
        .iter_mut()
        .filter(|cell| cell.time.ci95.is_some())
        .filter_map(|cell| cell.test.map(|test| (cell, test)))
        .collect();
    let corrected_p_values = holm(&tested_cells.iter().map(|(_, test)| *test).collect::<Vec<_>>());
    for ((cell, _), p) in tested_cells.iter_mut().zip(corrected_p_values) {
        cell.p_holm = p;
    }
    for cell in cells {
        let mut time = cell.time.clone().with_verdict(tolerance);
        let is_different = matches!(time.verdict, TimeVerdict::Faster | TimeVerdict::Slower);
        if is_different && cell.p_holm.is_none_or(|p| p >= LEVEL) {
            time.verdict = TimeVerdict::Undecided;
            time = time.with_runs_needed((tolerance / 100.0).ln_1p());
        }
        cell.time = time;
    }
}

/// The ratio of each series, and of all series together.
pub fn over_sizes<'a>(
    cells: &[CellRatio<'a>],
    pairing: Pairing,
    tolerance: f64,
) -> (Vec<SolverRatio<'a>>, Option<Overall>) {
    let mut series: BTreeMap<ReportKey<'a>, Vec<&CellRatio<'a>>> = BTreeMap::new();
    for cell in cells {
        series.entry(ReportKey::of_cell(&cell.cell)).or_default().push(cell);
    }
    for cells in series.values_mut() {
        if cells.iter().any(|cell| cell.is_long()) {
            cells.retain(|cell| cell.is_long());
        }
    }
    let confidence = 1.0 - LEVEL / series.len().max(1) as f64;
    let ratio = |cells: &[&CellRatio<'a>], confidence| {
        let [first, second] = round_means(cells);
        TimeRatio::from_logarithms(pairing, [&first, &second], confidence).with_verdict(tolerance)
    };
    let all_cells: Vec<&CellRatio<'a>> = series.values().flatten().copied().collect();
    let overall = (!all_cells.is_empty())
        .then(|| Overall { cells: all_cells.len(), time: ratio(&all_cells, 1.0 - LEVEL) });
    let solver_ratio = |(key, cells): (ReportKey<'a>, Vec<&CellRatio<'a>>)| SolverRatio {
        key,
        sizes: cells.iter().map(|cell| cell.cell.n).collect(),
        time: ratio(&cells, confidence),
    };
    (series.into_iter().map(solver_ratio).collect(), overall)
}

/// The mean logarithm of the times of each round, over all cells and seeds that both results have. A round that
/// lacks one of these cells or seeds is not used.
fn round_means(cells: &[&CellRatio<'_>]) -> [Vec<(RoundKey, Range)>; 2] {
    let mut cells = cells.to_vec();
    cells.sort_by_key(|cell| cell.cell);
    // For each time: the round, the position of the cell with this seed, and the logarithm.
    let sides = [0, 1].map(|side| {
        let all_times = cells.iter().enumerate().flat_map(|(place, cell)| {
            cell.times[side].iter().map(move |((round, seed), log)| (*round, (place, *seed), *log))
        });
        let mut times: Vec<_> = all_times.collect();
        times.sort_by_key(|(round, part, _)| (*round, *part));
        times
    });
    let [first, second] = sides
        .each_ref()
        .map(|times| times.iter().map(|(_, part, _)| *part).collect::<BTreeSet<(usize, u64)>>());
    let count = first.intersection(&second).count();
    let mean = |round: &[(RoundKey, (usize, u64), Range)]| {
        let is_in_both = |part: &(usize, u64)| first.contains(part) && second.contains(part);
        // If a round has several times of the same cell and seed, the last one is used.
        let logarithms: BTreeMap<(usize, u64), Range> = round
            .iter()
            .filter(|(_, part, _)| is_in_both(part))
            .map(|(_, part, log)| (*part, *log))
            .collect();
        let mean = |end: fn(&Range) -> f64| logarithms.values().map(end).sum::<f64>() / count as f64;
        (logarithms.len() == count)
            .then(|| (round[0].0, Range { low: mean(|log| log.low), high: mean(|log| log.high) }))
    };
    sides.each_ref().map(|times| times.chunk_by(|a, b| a.0 == b.0).filter_map(mean).collect())
}
