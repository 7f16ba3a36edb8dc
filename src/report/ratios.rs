//! The times of all solvers relative to one of them, within rounds.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::growth::FLOOR_NS;
use super::keys::Key;
use super::{Data, paired};

/// The table of ratios.
#[derive(Debug)]
pub struct Ratios<'a> {
    /// The solver in the denominators: of those with the most answered runs, the first one of the experiment.
    pub reference: Key<'a>,
    /// The ratios, by series and size.
    pub cells: Vec<PairedRatio<'a>>,
    /// The ratios of each series over all of its sizes; their p-values are corrected among themselves.
    pub overall: Vec<OverallRatio<'a>>,
}

/// A solver compared with the reference over all sizes at which both need at least 0.1 ms: within each round, the
/// geometric mean of the ratios. The noise of single sizes cancels, so that smaller differences show.
#[derive(Debug)]
pub struct OverallRatio<'a> {
    /// The sizes.
    pub sizes: Vec<usize>,
    /// The ratio; its `n` is the largest size.
    pub ratio: PairedRatio<'a>,
}

/// A solver compared with the reference at a size.
#[derive(Debug)]
pub struct PairedRatio<'a> {
    /// The solver.
    pub key: Key<'a>,
    /// The size.
    pub n: usize,
    /// The rounds in which both have an answer.
    pub rounds: usize,
    /// How many times as long as the reference it takes.
    pub ratio: f64,
    /// The 95 % interval; none with one round.
    pub ci95: Option<(f64, f64)>,
    /// Of the signed-rank test, with Holm's correction; none with one round.
    pub p: Option<f64>,
}

/// The logarithm of the answered time of each round.
type Rounds = BTreeMap<(u64, u32), f64>;

impl<'a> Ratios<'a> {
    /// The ratios of a result; no cells if fewer than two solvers have answers.
    pub fn of(data: &Data<'a>) -> Self {
        let mut times: HashMap<(Key<'a>, usize), Rounds> = HashMap::new();
        for run in data.material.rows.iter().filter(|run| run.is_timed) {
            if let Some(time) = run.answered_ns {
                let rounds = times.entry((Key::of(run), run.n)).or_default();
                rounds.insert((run.seed, run.round), (time.max(1) as f64).ln());
            }
        }
        // The choice must not depend on the times: the fastest of equal solvers is not typical of them.
        let mut first: HashMap<Key<'a>, usize> = HashMap::new();
        for (place, run) in data.material.rows.iter().enumerate() {
            first.entry(Key::of(run)).or_insert(place);
        }
        let mut counts: BTreeMap<Key<'a>, usize> = BTreeMap::new();
        for ((key, _), rounds) in &times {
            *counts.entry(*key).or_default() += rounds.len();
        }
        let best = counts.iter().max_by_key(|(key, count)| (**count, Reverse(first[key]), Reverse(**key)));
        let Some((&reference, _)) = best else {
            let reference = Key { solver: "", variant: "", goal: crate::solver::Goal::Count, threads: 1 };
            return Self { reference, cells: Vec::new(), overall: Vec::new() };
        };
        let mut names: Vec<(Key<'a>, usize)> = times.keys().copied().collect();
        names.sort_unstable();
        let mut cells = Vec::new();
        let mut all: BTreeMap<Key<'a>, BTreeMap<usize, Rounds>> = BTreeMap::new();
        for (key, n) in names {
            let same = (key.variant, key.goal) == (reference.variant, reference.goal);
            let Some(others) = times.get(&(reference, n)).filter(|_| same && key != reference) else {
                continue;
            };
            let own = &times[&(key, n)];
            let pairs = own.iter().filter_map(|(round, time)| Some((*round, time - others.get(round)?)));
            let pairs: Rounds = pairs.collect();
            cells.extend(PairedRatio::of(key, n, &pairs.values().copied().collect::<Vec<_>>()));
            let is_long = |rounds: &Rounds| middle(rounds) >= (FLOOR_NS as f64).ln();
            if is_long(own) && is_long(others) {
                all.entry(key).or_default().insert(n, pairs);
            }
        }
        let mut overall: Vec<OverallRatio<'a>> =
            all.into_iter().filter_map(|(key, own)| over_all(key, own)).collect();
        correct(cells.iter_mut());
        correct(overall.iter_mut().map(|overall| &mut overall.ratio));
        Self { reference, cells, overall }
    }
}

/// The median.
fn middle(rounds: &Rounds) -> f64 {
    let mut values: Vec<f64> = rounds.values().copied().collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NEG_INFINITY)
}

/// The mean of each round over the sizes that have the most rounds.
fn over_all<'a>(key: Key<'a>, mut own: BTreeMap<usize, Rounds>) -> Option<OverallRatio<'a>> {
    let most = own.values().map(BTreeMap::len).max()?;
    own.retain(|_, rounds| rounds.len() == most);
    let count = own.len() as f64;
    let mut sums: BTreeMap<(u64, u32), (usize, f64)> = BTreeMap::new();
    for (round, difference) in own.values().flatten() {
        let (sizes, sum) = sums.entry(*round).or_default();
        (*sizes, *sum) = (*sizes + 1, *sum + difference);
    }
    let whole = sums.values().filter(|(sizes, _)| *sizes == own.len()).map(|(_, sum)| sum / count);
    let sizes: Vec<usize> = own.keys().copied().collect();
    let ratio = PairedRatio::of(key, *sizes.last()?, &whole.collect::<Vec<_>>())?;
    Some(OverallRatio { sizes, ratio })
}

impl<'a> PairedRatio<'a> {
    /// The ratio of the differences of logarithms; `None` if there are none.
    fn of(key: Key<'a>, n: usize, differences: &[f64]) -> Option<Self> {
        let (value, interval) = paired::estimate(differences, 0.95)?;
        let ci95 = interval.map(|(low, high)| (low.exp(), high.exp()));
        let p = ci95.and_then(|_| paired::signed_rank(differences));
        Some(Self { key, n, rounds: differences.len(), ratio: value.exp(), ci95, p })
    }
}

/// Holm's correction of the p-values of a table.
fn correct<'a: 'b, 'b>(table: impl Iterator<Item = &'b mut PairedRatio<'a>>) {
    let values: Vec<&mut f64> = table.filter_map(|ratio| ratio.p.as_mut()).collect();
    let corrected = paired::holm(&values.iter().map(|p| **p).collect::<Vec<_>>());
    values.into_iter().zip(corrected).for_each(|(p, corrected)| *p = corrected);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;
    use crate::report::fixture::{plotted, run};

    #[test]
    fn solvers_are_compared_within_rounds_and_p_is_corrected() {
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
        let told = plotted(&rows, |data| {
            let ratios = Ratios::of(data);
            assert_eq!(ratios.reference.solver, "a");
            let overall =
                |of: &OverallRatio<'_>| (of.ratio.key.solver.to_owned(), of.sizes.clone(), of.ratio.p);
            // Two tests.
            let p = Some(0.0625);
            assert_eq!(
                ratios.overall.iter().map(overall).collect::<Vec<_>>(),
                [("b".to_owned(), vec![8, 9], p), ("c".to_owned(), vec![9], p)]
            );
            let both = ratios.overall[0].ratio.ratio;
            assert!((both - 6_f64.sqrt()).abs() < 1e-3, "the geometric mean of 2 and 3: {both}");
            let tell = |cell: &PairedRatio<'_>| {
                assert!(cell.ci95.is_some_and(|(low, high)| low <= cell.ratio && cell.ratio <= high));
                (cell.key.solver.to_owned(), cell.n, cell.rounds, cell.ratio.round() as u64, cell.p)
            };
            ratios.cells.iter().map(tell).collect::<Vec<_>>()
        });
        // Each test alone gives 2 / 2^6 = 0.03125; there are three.
        let p = Some(0.09375);
        let expected = [("b", 8, 2), ("b", 9, 3), ("c", 9, 5)];
        assert_eq!(told, expected.map(|(solver, n, ratio)| (solver.to_owned(), n, 6, ratio, p)));
    }

    #[test]
    fn one_solver_has_no_ratios() {
        assert_eq!(plotted(&[run(8, "a", 1)], |data| Ratios::of(data).cells.len()), 0);
        assert_eq!(plotted(&[], |data| Ratios::of(data).cells.len()), 0);
    }
}
