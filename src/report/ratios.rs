//! The times of all solvers relative to one of them, within rounds.

use std::collections::{BTreeMap, HashMap};

use super::keys::Key;
use super::{Data, paired};

/// The table of ratios.
#[derive(Debug)]
pub struct Ratios<'a> {
    /// The solver in the denominators: the one with the most answered runs, and of these the one with the shortest times.
    pub reference: Key<'a>,
    /// The ratios, by series and size.
    pub cells: Vec<PairedRatio<'a>>,
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
        let mut sums: BTreeMap<Key<'a>, (usize, f64)> = BTreeMap::new();
        for ((key, _), rounds) in &times {
            let (count, sum) = sums.entry(*key).or_default();
            (*count, *sum) =
                (*count + rounds.len(), *sum + rounds.values().copied().fold(0.0, f64::max).exp());
        }
        let best = sums.iter().min_by(|(_, a), (_, b)| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
        let Some((&reference, _)) = best else {
            let reference = Key { solver: "", variant: "", goal: crate::solver::Goal::Count, threads: 1 };
            return Self { reference, cells: Vec::new() };
        };
        let mut cells = Vec::new();
        let mut names: Vec<(Key<'a>, usize)> = times.keys().copied().collect();
        names.sort_unstable();
        for (key, n) in names {
            let same = (key.variant, key.goal) == (reference.variant, reference.goal);
            let Some(others) = times.get(&(reference, n)).filter(|_| same && key != reference) else {
                continue;
            };
            let pairs = times[&(key, n)].iter().filter_map(|(round, time)| Some(time - others.get(round)?));
            let differences: Vec<f64> = pairs.collect();
            let Some((value, interval)) = paired::estimate(&differences, 0.95) else { continue };
            let ci95 = interval.map(|(low, high)| (low.exp(), high.exp()));
            let p = ci95.and_then(|_| paired::signed_rank(&differences));
            cells.push(PairedRatio { key, n, rounds: differences.len(), ratio: value.exp(), ci95, p });
        }
        let corrected = paired::holm(&cells.iter().filter_map(|cell| cell.p).collect::<Vec<_>>());
        for (cell, p) in cells.iter_mut().filter(|cell| cell.p.is_some()).zip(corrected) {
            cell.p = Some(p);
        }
        Self { reference, cells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;
    use crate::report::fixture::{plotted, run};

    #[test]
    fn solvers_are_compared_within_rounds_and_p_is_corrected() {
        let drift = [1000, 1500, 4000, 900, 7000, 2500_u64];
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
