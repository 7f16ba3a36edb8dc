//! Geometric mean of times on the instances that all ranked solvers solved. Instances that took some solver less than
//! [`FLOOR_NS`] are left out: such times depend on more than the solver, and would count as much as all others.
//!
//! A solver that solved fewer than half as many instances as the most successful one is not ranked: the common subset
//! would shrink to the few sizes that it reached. It is listed with the number of instances that it solved.

use std::collections::BTreeSet;

use serde::Serialize;

use super::growth::FLOOR_NS;
use super::instances::{Entrant, Instance, attempts, solved_ns};
use super::rounded;
use crate::record::TimingsRow;

/// A ranking.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ranking<'a> {
    /// Number of instances in the common subset.
    #[serde(rename = "common_instances")]
    pub common: usize,
    /// Number of instances that are left out because some solver's time is too short to be compared.
    #[serde(rename = "short_instances")]
    pub short: usize,
    /// Fastest first.
    pub ranked: Vec<Place<'a>>,
    /// Solvers that solved too few instances, with the numbers of instances solved and attempted.
    #[serde(skip)]
    pub unranked: Vec<(Entrant<'a>, usize, usize)>,
}

/// A solver in a ranking.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place<'a> {
    /// The solver.
    #[serde(flatten)]
    pub entrant: Entrant<'a>,
    /// Geometric mean on the common subset, in nanoseconds.
    #[serde(rename = "geometric_mean_ns")]
    pub mean_ns: u64,
    /// Mean PAR-2 on the instances that all ranked solvers attempted; `None` where a run had no limit.
    pub par2_ns: Option<u64>,
    /// `mean_ns` over that of the fastest solver.
    pub ratio: f64,
    /// Instances solved.
    pub solved: usize,
    /// Instances attempted.
    pub attempted: usize,
}

/// Ranks the solvers of a table.
pub fn ranking(timings: &[TimingsRow]) -> Ranking<'_> {
    let mut cells = attempts(timings);
    let is_short = |cell: &TimingsRow| solved_ns(cell).is_some_and(|time| time < FLOOR_NS);
    let short = cells.values().flatten().filter(|(_, cell)| is_short(cell));
    let short: BTreeSet<Instance<'_>> = short.map(|(&instance, _)| instance).collect();
    cells.values_mut().for_each(|own| own.retain(|instance, _| !short.contains(instance)));
    let solved = |of: &Entrant<'_>| cells[of].values().filter(|cell| solved_ns(cell).is_some()).count();
    let most = cells.keys().map(solved).max().unwrap_or(0);
    let (ranked, unranked): (Vec<Entrant<'_>>, Vec<Entrant<'_>>) =
        cells.keys().partition(|entrant| most > 0 && 2 * solved(entrant) >= most);
    let shared = |counts: fn(&TimingsRow) -> bool| {
        let own =
            |entrant| cells[entrant].iter().filter(|(_, cell)| counts(cell)).map(|(&instance, _)| instance);
        let all = ranked.iter().map(|entrant| own(entrant).collect::<BTreeSet<_>>());
        all.reduce(|a, b| &a & &b).unwrap_or_default()
    };
    let (common, attempted) = (shared(|cell| solved_ns(cell).is_some()), shared(|_| true));
    let mean_par2 = |own: &Entrant<'_>| {
        let own = attempted.iter().map(|instance| cells[own][instance].par2_ns.map(u128::from));
        u64::try_from(own.sum::<Option<u128>>()? / attempted.len() as u128).ok()
    };
    let mean_log = |own: &Entrant<'_>| {
        let own = common.iter().filter_map(|instance| solved_ns(cells[own][instance]));
        own.map(|time| (time.max(1) as f64).ln()).sum::<f64>() / common.len() as f64
    };
    let mut means: Vec<(f64, Entrant<'_>)> = ranked.iter().map(|&own| (mean_log(&own), own)).collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    means.retain(|_| !common.is_empty());
    let best = means.first().map_or(0.0, |&(log, _)| log);
    let places = means.iter().map(|&(log, entrant)| Place {
        entrant,
        mean_ns: rounded(log.exp()),
        par2_ns: mean_par2(&entrant),
        ratio: (log - best).exp(),
        solved: solved(&entrant),
        attempted: cells[&entrant].len(),
    });
    Ranking {
        common: common.len(),
        short: short.len(),
        ranked: places.collect(),
        unranked: unranked.into_iter().map(|own| (own, solved(&own), cells[&own].len())).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrant(solver: &str) -> Entrant<'_> {
        Entrant { solver, threads: 1, result: None }
    }

    /// A cell with this multiple of the shortest time.
    fn cell(n: usize, solver: &str, median: Option<u64>) -> TimingsRow {
        let median_ns = median.map(|times| times * FLOOR_NS);
        let solved = if median_ns.is_some() { 3 } else { 0 };
        TimingsRow {
            n,
            solver: solver.into(),
            threads: 1,
            runs: 3,
            solved,
            median_ns,
            ..TimingsRow::default()
        }
    }

    #[test]
    fn means_are_of_the_instances_that_all_ranked_solvers_solved() {
        let cells = [
            cell(4, "a", Some(10)),
            cell(5, "a", Some(1000)),
            cell(6, "a", Some(1_000_000)),
            cell(7, "a", Some(1_000_000)),
            cell(4, "b", Some(40)),
            cell(5, "b", Some(4000)),
            cell(6, "b", None),
            cell(4, "short", Some(1)),
        ];
        let ranking = ranking(&cells);
        assert_eq!(ranking.common, 2);
        // sqrt(10 * 1000) = 100, sqrt(40 * 4000) = 400.
        let places: Vec<_> =
            ranking.ranked.iter().map(|p| (p.entrant.solver, p.mean_ns, p.solved, p.attempted)).collect();
        assert_eq!(places, [("a", 100 * FLOOR_NS, 4, 4), ("b", 400 * FLOOR_NS, 2, 3)]);
        assert!((ranking.ranked[1].ratio - 4.0).abs() < 1e-9);
        assert_eq!(ranking.unranked, [(entrant("short"), 1, 1)]);
    }

    #[test]
    fn sizes_that_are_too_short_to_compare_rank_no_solver() {
        // As permutations against board-scan-columns: faster on tiny boards, slower where it takes time.
        let tiny =
            |n: usize, solver: &str, ns: u64| TimingsRow { median_ns: Some(ns), ..cell(n, solver, Some(1)) };
        let mut cells = vec![
            tiny(4, "permutations", 500),
            tiny(4, "board-scan-columns", 5_000),
            tiny(5, "permutations", 900),
            tiny(5, "board-scan-columns", 90_000),
            cell(9, "permutations", Some(20)),
            cell(9, "board-scan-columns", Some(10)),
            cell(10, "permutations", Some(70)),
            cell(10, "board-scan-columns", Some(10)),
        ];
        cells.sort_by_key(|cell| cell.n);
        let order = |ranking: &Ranking<'_>| {
            ranking.ranked.iter().map(|p| p.entrant.solver.to_owned()).collect::<Vec<_>>()
        };
        let fair = ranking(&cells);
        assert_eq!((fair.common, fair.short), (2, 2));
        assert_eq!(order(&fair), ["board-scan-columns", "permutations"]);
    }

    #[test]
    fn par2_is_a_mean_on_what_all_ranked_solvers_attempted() {
        let with = |cell: TimingsRow, par2_ns: u64| TimingsRow { par2_ns: Some(par2_ns), ..cell };
        let cells = [
            with(cell(4, "a", Some(1)), 10),
            with(cell(5, "a", Some(1)), 20),
            with(cell(6, "a", Some(1)), 1000),
            with(cell(4, "b", Some(1)), 30),
            with(cell(5, "b", None), 500),
        ];
        let par2 = |cells: &[TimingsRow]| ranking(cells).ranked.iter().map(|p| p.par2_ns).collect::<Vec<_>>();
        assert_eq!(par2(&cells[..5]), [Some(343)]);
        let more = [&cells[..], &[with(cell(7, "a", None), 1), with(cell(7, "b", Some(1)), 1)]].concat();
        assert_eq!(par2(&more), [Some(10), Some(177)]);
    }

    #[test]
    fn without_a_common_instance_no_solver_is_ranked() {
        assert_eq!(ranking(&[]), Ranking::default());
        let apart = [cell(4, "a", Some(1)), cell(5, "b", Some(1))];
        assert_eq!((ranking(&apart).common, ranking(&apart).ranked.len()), (0, 0));
    }

    #[test]
    fn a_median_beside_more_timeouts_is_not_a_solved_instance() {
        let lucky = TimingsRow { solved: 1, ..cell(4, "b", Some(1)) };
        let cells = [cell(4, "a", Some(5)), lucky];
        let ranking = ranking(&cells);
        assert_eq!(ranking.ranked.len(), 1);
        assert_eq!(ranking.unranked, [(entrant("b"), 0, 1)]);
    }
}
