//! The ratios of the times of all solvers to the times of a baseline solver, computed within rounds.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use serde::{Serialize, Serializer};

use super::DerivedData;
use super::growth::MIN_COMPARED_NS;
use super::series::ReportKey;
use timestats::multiple::{Test, holm};
use timestats::paired::{self, Estimate};
use timestats::{Range, Sample, Time};

/// The table of ratios.
#[derive(Debug, Serialize)]
pub struct Ratios<'a> {
    /// The baseline, whose times are the denominators. Of the solvers with the most answered runs, the baseline is the first
    /// one in the order of the experiment. Only runs of the same result are compared.
    #[serde(rename = "reference")]
    pub baseline: Option<ReportKey<'a>>,
    /// The ratio of each series over all of its sizes. The p-values are corrected for the number of series.
    pub overall: Vec<PairedRatio<'a>>,
    /// The ratios by series and size.
    pub cells: Vec<PairedRatio<'a>>,
}

/// The ratio of a solver to the baseline at one size, or over all sizes at which both need at least 0.1 ms. For several sizes,
/// each round contributes the geometric mean over the sizes, in which the noise of single sizes partly cancels.
#[derive(Debug, Serialize)]
pub struct PairedRatio<'a> {
    /// The solver.
    #[serde(flatten)]
    pub key: ReportKey<'a>,
    /// The sizes.
    pub sizes: Vec<usize>,
    /// The number of rounds in which each of the two solvers has an answer or was stopped by a limit.
    pub rounds: usize,
    /// The number of rounds in which at least one of the two solvers was stopped by a limit.
    pub stopped: usize,
    /// The time of the solver divided by the time of the baseline.
    #[serde(serialize_with = "serialize_exact_ratio")]
    pub ratio: Range,
    /// The 95 % interval; `None` if there are too few rounds. An end of 0 or infinity means that this end is unknown.
    pub ci95: Option<Range>,
    /// The p-value of the signed-rank test, corrected for the number of tests; `None` if there are too few rounds for a significant
    /// result.
    #[serde(rename = "p_holm")]
    pub p: Option<f64>,
    /// The p-value without correction.
    #[serde(skip)]
    test: Test,
}

/// Serializes a ratio, or null if only a range is known.
pub(super) fn serialize_exact_ratio<S: Serializer>(ratio: &Range, serializer: S) -> Result<S::Ok, S::Error> {
    ratio.value().serialize(serializer)
}

/// The key by which runs of two solvers are paired: part, session, round, seed and problem.
type PairKey<'a> = (usize, usize, u32, u64, &'a str);

/// The times by round.
type Rounds<'a> = BTreeMap<PairKey<'a>, Time>;

/// For each round, the range of the difference of the logarithms of two times.
type Differences<'a> = BTreeMap<PairKey<'a>, Range>;

/// The times of every series, size and round.
pub struct RoundTimes<'a> {
    times: HashMap<(ReportKey<'a>, usize), Rounds<'a>>,
    /// The solvers that have answers, with the number of answered runs and the position among all series.
    answers: BTreeMap<ReportKey<'a>, (usize, Reverse<usize>)>,
}

impl<'a> RoundTimes<'a> {
    /// The times of a result.
    pub fn of(data: &DerivedData<'a>) -> Self {
        let mut times: HashMap<(ReportKey<'a>, usize), Rounds<'a>> = HashMap::new();
        let mut answers: BTreeMap<ReportKey<'a>, (usize, Reverse<usize>)> = BTreeMap::new();
        // The positions follow the order of the series, because the order of the runs depends on the seed.
        let mut positions: HashMap<ReportKey<'a>, usize> = HashMap::new();
        for (position, series) in data.series.iter().enumerate() {
            positions.entry(ReportKey { result: "", ..series.key }).or_insert(position);
        }
        for run in &data.runs {
            let key = ReportKey::of(run);
            let key_over_results = ReportKey { result: "", ..key };
            let position = positions.get(&key_over_results).copied().unwrap_or(usize::MAX);
            let (answered, _) = answers.entry(key_over_results).or_insert((0, Reverse(position)));
            *answered += usize::from(run.is_timed() && run.is_answered());
            if let Some(time) = data.source.clock.time(run).filter(|_| run.is_timed()) {
                times
                    .entry((key, run.n))
                    .or_default()
                    .insert((run.part, run.session, run.round, run.seed, &run.row.variant), time);
            }
        }
        // A time of 0 is below the resolution of the clock and has no logarithm.
        times.retain(|_, rounds| rounds.values().all(|time| time.range().low > 0.0));
        answers.retain(|_, (answered, _)| *answered > 0);
        Self { times, answers }
    }

    /// The default baseline. The choice must not depend on the times, because the fastest of several equally fast solvers is the
    /// fastest only by chance.
    fn default_baseline(&self) -> Option<ReportKey<'a>> {
        self.answers.iter().max_by_key(|(key, answered)| (**answered, Reverse(**key))).map(|(key, _)| *key)
    }

    /// The differences of logarithms in the rounds that two series have in common at a size.
    fn differences(&self, key: ReportKey<'a>, baseline: ReportKey<'a>, n: usize) -> Option<Differences<'a>> {
        let (times, others) = (self.times.get(&(key, n))?, self.times.get(&(baseline, n))?);
        let difference =
            |(round, time): (&PairKey<'a>, &Time)| Some((*round, time.ln() - others.get(round)?.ln()));
        Some(times.iter().filter_map(difference).collect())
    }

    /// The ratio of a series to a baseline at a size, without a correction of the p-value. `None` if they have no common rounds.
    pub fn ratio(&self, key: ReportKey<'a>, baseline: ReportKey<'a>, n: usize) -> Option<PairedRatio<'a>> {
        let differences = self.differences(key, baseline, n)?;
        PairedRatio::of(key, vec![n], &differences.into_values().collect::<Vec<_>>())
    }

    /// The ratios of all series to the series of a baseline in the same result.
    pub fn to_baseline(&self, baseline: ReportKey<'a>) -> Ratios<'a> {
        let is_long_enough = |key: &(ReportKey<'a>, usize)| {
            let median = self.times[key].values().copied().collect::<Sample>().median();
            median.is_some_and(|median| median.range().low >= MIN_COMPARED_NS as f64)
        };
        let mut names: Vec<(ReportKey<'a>, usize)> = self.times.keys().copied().collect();
        names.sort_unstable();
        let mut cells = Vec::new();
        let mut differences_by_series: BTreeMap<ReportKey<'a>, BTreeMap<usize, Differences<'a>>> =
            BTreeMap::new();
        for (key, n) in names {
            let has_same_problems = (key.problems, key.goal) == (baseline.problems, baseline.goal);
            let baseline_of_result = ReportKey { result: key.result, ..baseline };
            let pairs = self
                .differences(key, baseline_of_result, n)
                .filter(|_| has_same_problems && key != baseline_of_result);
            let Some(pairs) = pairs else { continue };
            cells.extend(PairedRatio::of(key, vec![n], &pairs.values().copied().collect::<Vec<_>>()));
            if is_long_enough(&(key, n)) && is_long_enough(&(baseline_of_result, n)) {
                differences_by_series.entry(key).or_default().insert(n, pairs);
            }
        }
        let mut overall: Vec<_> = differences_by_series
            .into_iter()
            .filter_map(|(key, times)| ratio_over_sizes(key, times))
            .collect();
        correct_p_values(&mut cells);
        correct_p_values(&mut overall);
        Ratios { baseline: Some(baseline), overall, cells }
    }
}

impl<'a> Ratios<'a> {
    /// The ratios of a result to the default baseline. If no solver has an answer, there is no baseline and no ratio.
    pub fn of(data: &DerivedData<'a>) -> Self {
        let times = RoundTimes::of(data);
        match times.default_baseline() {
            Some(default_baseline) => times.to_baseline(default_baseline),
            None => Self { baseline: None, overall: Vec::new(), cells: Vec::new() },
        }
    }
}

/// For each round, the mean over sizes. Only sizes with the maximum number of rounds, and rounds with all of these sizes, are
/// used.
fn ratio_over_sizes<'a>(
    key: ReportKey<'a>,
    mut times: BTreeMap<usize, Differences<'a>>,
) -> Option<PairedRatio<'a>> {
    let max_rounds = times.values().map(BTreeMap::len).max()?;
    times.retain(|_, rounds| rounds.len() == max_rounds);
    let count = times.len() as f64;
    let mut sums: BTreeMap<PairKey<'_>, (usize, Range)> = BTreeMap::new();
    for (round, difference) in times.values().flatten() {
        let (sizes, Range { low, high }) = sums.entry(*round).or_insert((0, Range::exact(0.0)));
        *sizes += 1;
        *low += difference.low;
        *high += difference.high;
    }
    let complete_rounds = sums.values().filter(|(sizes, _)| *sizes == times.len());
    let means: Vec<Range> = complete_rounds.map(|(_, sum)| sum.map(|sum| sum / count)).collect();
    PairedRatio::of(key, times.keys().copied().collect(), &means)
}

impl<'a> PairedRatio<'a> {
    /// The ratio that follows from differences of logarithms; `None` if it is unknown.
    fn of(key: ReportKey<'a>, sizes: Vec<usize>, differences: &[Range]) -> Option<Self> {
        let Estimate { value, interval } = paired::estimate(differences, 0.95)?;
        if value.low == f64::NEG_INFINITY && value.high == f64::INFINITY {
            return None;
        }
        Some(Self {
            key,
            sizes,
            rounds: differences.len(),
            stopped: differences.iter().filter(|difference| difference.value().is_none()).count(),
            ratio: value.map(f64::exp),
            ci95: interval.map(|interval| interval.map(f64::exp)),
            p: None,
            test: paired::signed_rank(differences)?,
        })
    }
}

/// Corrects the p-values of a table for the number of tests.
fn correct_p_values(table: &mut [PairedRatio<'_>]) {
    let tests: Vec<Test> = table.iter().map(|ratio| ratio.test).collect();
    for (ratio, p) in table.iter_mut().zip(holm(&tests)) {
        ratio.p = p;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Meta, Row, Status};
    use crate::report::fixture::{self, run, unanswered_run, with_data};
    use crate::report::{ReportData, ReportPart};

    #[test]
    fn solvers_are_compared_within_rounds_with_corrected_p() {
        let drift = [200_000, 300_000, 800_000, 180_000, 1_400_000, 500_000_u64];
        let rounds = |n: usize, solver: &'static str, factor: u64| {
            drift.iter().enumerate().map(move |(round, time)| {
                let round = round as u32 + 1;
                Row { round, repetition: round, ..run(n, solver, time * factor + u64::from(round)) }
            })
        };
        let rows: Vec<Row> = [(8, "a", 1), (8, "b", 2), (9, "a", 1), (9, "b", 3), (9, "c", 5)]
            .into_iter()
            .flat_map(|(n, solver, factor)| rounds(n, solver, factor))
            .collect();
        let points = with_data(&rows, |data| {
            let ratios = Ratios::of(data);
            assert_eq!(ratios.baseline.map(|key| key.solver.as_str()), Some("a"));
            let overall = |of: &PairedRatio<'_>| (of.key.solver.to_string(), of.sizes.clone(), of.p);
            // Each single test gives p = 2 / 2^6 = 0.03125, which is above 0.05 after the correction for two tests.
            assert_eq!(
                ratios.overall.iter().map(overall).collect::<Vec<_>>(),
                [("b".to_owned(), vec![8, 9], None), ("c".to_owned(), vec![9], None)]
            );
            let overall_ratio = ratios.overall[0].ratio.value().expect("no run was stopped");
            assert!(
                (overall_ratio - 6_f64.sqrt()).abs() < 1e-3,
                "the geometric mean of 2 and 3: {overall_ratio}"
            );
            let summary = |cell: &PairedRatio<'_>| {
                let ratio = cell.ratio.value().expect("no run was stopped");
                assert!(cell.ci95.is_some_and(|interval| interval.contains(ratio)));
                (cell.key.solver.to_string(), cell.sizes[0], cell.rounds, ratio.round() as u64, cell.p)
            };
            ratios.cells.iter().map(summary).collect::<Vec<_>>()
        });
        let expected = [("b", 8, 2), ("b", 9, 3), ("c", 9, 5)];
        assert_eq!(points, expected.map(|(solver, n, ratio)| (solver.to_owned(), n, 6, ratio, None)));
        // Two solvers: one test in each table.
        let rows_of_8: Vec<Row> = rows.into_iter().filter(|row| row.n == 8).collect();
        let p = |ratios: &[PairedRatio<'_>]| ratios.iter().map(|ratio| ratio.p).collect::<Vec<_>>();
        with_data(&rows_of_8, |data| {
            let ratios = Ratios::of(data);
            assert_eq!((p(&ratios.overall), p(&ratios.cells)), (vec![Some(0.03125)], vec![Some(0.03125)]));
        });
    }

    #[test]
    fn ratio_has_bounds_if_some_rounds_were_stopped() {
        let limited_run =
            |row: Row, round| Row { round, repetition: round, time_limit_ns: Some(9000), ..row };
        let rows: Vec<Row> = (1..=4)
            .flat_map(|round| {
                let slow_run =
                    if round < 3 { unanswered_run(8, "b", Status::Timeout) } else { run(8, "b", 8000) };
                [limited_run(run(8, "a", 1000), round), limited_run(slow_run, round)]
            })
            .collect();
        with_data(&rows, |data| {
            let ratios = Ratios::of(data);
            let [only] = &ratios.cells[..] else { panic!("one cell: {ratios:?}") };
            assert_eq!((only.rounds, only.stopped, only.ci95, only.p), (4, 2, None, None));
            // The lower end is the estimate for stopped runs that take exactly their limit of 9000 ns.
            assert!((8.0..9.0).contains(&only.ratio.low) && only.ratio.high == f64::INFINITY, "{only:?}");
            let json = serde_json::to_value(only).expect("JSON");
            assert_eq!(json["ratio"], serde_json::Value::Null);
        });
    }

    #[test]
    fn ratio_with_a_time_of_zero_is_missing() {
        let run_in_round = |row: Row, round| Row { round, repetition: round, ..row };
        let rows = |times: [u64; 6]| -> Vec<Row> {
            let runs_of_round = |(round, time)| {
                [run_in_round(run(8, "a", 1000), round), run_in_round(run(8, "b", time), round)]
            };
            (1..).zip(times).flat_map(runs_of_round).collect()
        };
        let cells = |times: [u64; 6]| with_data(&rows(times), |data| Ratios::of(data).cells.len());
        assert_eq!([cells([1; 6]), cells([0; 6]), cells([1, 1, 1, 0, 1, 1])], [1, 0, 0]);
    }

    #[test]
    fn ratios_never_pair_rounds_of_different_directories() {
        let (first, second) = ([run(8, "a", 1000)], [run(8, "b", 1000)]);
        let parts = [&first, &second].map(|rows| ReportPart { rows, ..ReportPart::default() });
        let source = ReportData { parts: parts.to_vec(), ..ReportData::default() };
        assert_eq!(Ratios::of(&DerivedData::of(&source)).cells.len(), 0);
    }

    /// Each session has two rounds. In a third round, each solver was run in another session.
    #[test]
    fn ratios_never_pair_rounds_of_different_sessions() {
        let run_at = |started_at: &str, round, solver| {
            let (started_at, time) = (started_at.to_owned(), if solver == "a" { 1000 } else { 2000 });
            Row { started_at, round, repetition: round, ..run(8, solver, time) }
        };
        let (first, second) = ("2026-10-14T10:00:00.5Z", "2026-10-14T12:00:00.5Z");
        let runs_of_both = |time: &str, round| ["a", "b"].map(|solver| run_at(time, round, solver));
        let mut rows = [runs_of_both(first, 1), runs_of_both(first, 2), runs_of_both(second, 4)].concat();
        rows.extend([run_at(first, 3, "a"), run_at(second, 3, "b")]);
        let rounds = |meta: Option<Meta>| {
            let part = ReportPart { rows: &rows, meta: meta.as_ref(), ..ReportPart::default() };
            let source = ReportData { parts: vec![part], ..ReportData::default() };
            let data = DerivedData::of(&source);
            let earlier_runs = data.timings.iter().map(|row| row.earlier).collect::<Vec<_>>();
            (Ratios::of(&data).cells[0].rounds, earlier_runs)
        };
        let start = |day: &str, hour| format!("2026-10-{day}T{hour:02}:00:00Z");
        let meta = |first: &str, cores| fixture::meta(&[(first, cores), (&start("14", 11), 2)]);
        assert_eq!(rounds(Some(meta(&start("14", 9), 2))), (3, vec![None, None]));
        assert_eq!(rounds(Some(meta(&start("13", 9), 2))), (3, vec![Some(3), Some(2)]), "another day");
        assert_eq!(rounds(Some(meta(&start("14", 9), 4))), (3, vec![Some(3), Some(2)]), "another machine");
        assert_eq!(rounds(None), (4, vec![None, None]), "nothing is known about sessions");
    }

    #[test]
    fn single_solver_has_no_ratios() {
        assert_eq!(with_data(&[run(8, "a", 1)], |data| Ratios::of(data).cells.len()), 0);
        assert_eq!(with_data(&[], |data| Ratios::of(data).cells.len()), 0);
    }
}
