//! Geometric mean of times on the instances that all ranked solvers solved. Instances that took some solver less than
//! [`FLOOR_NS`] are left out: such times depend on more than the solver, and would count as much as all others.
//!
//! A solver that solved fewer than half as many instances as the most successful one is not ranked: the common subset
//! would shrink to the few sizes that it reached. It is listed with the number of instances that it solved.

use std::collections::{BTreeMap, BTreeSet};

use super::growth::FLOOR_NS;
use super::instances::{Entrant, Instance, entrant, instance, times};
use super::rounded;
use crate::record::TimingsRow;

/// A ranking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking<'a> {
    /// Number of instances in the common subset.
    pub common: usize,
    /// Number of instances that are left out because some solver's time is too short to be compared.
    pub short: usize,
    /// Fastest first.
    pub ranked: Vec<Place<'a>>,
    /// Solvers that solved too few instances, with the numbers of instances solved and attempted.
    pub unranked: Vec<(Entrant<'a>, usize, usize)>,
}

/// A solver in a ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Place<'a> {
    /// The solver.
    pub entrant: Entrant<'a>,
    /// Geometric mean on the common subset, in nanoseconds.
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

/// Ranks the solvers of a table on the instances that took every solver at least [`FLOOR_NS`].
pub fn ranking(timings: &[TimingsRow]) -> Ranking<'_> {
    ranking_from(timings, FLOOR_NS)
}

/// Ranks the solvers of a table on the instances that took every solver at least this time.
fn ranking_from(timings: &[TimingsRow], shortest_ns: u64) -> Ranking<'_> {
    let mut times = times(timings);
    let solved_in = times.values().flatten().filter_map(|(&instance, &time)| Some((instance, time?)));
    let short: BTreeSet<Instance<'_>> =
        solved_in.filter(|&(_, time)| time < shortest_ns).map(|(instance, _)| instance).collect();
    times.values_mut().for_each(|own| own.retain(|instance, _| !short.contains(instance)));
    let solved = |of: &Entrant<'_>| times[of].values().flatten().count();
    let most = times.keys().map(solved).max().unwrap_or(0);
    let (ranked, unranked): (Vec<Entrant<'_>>, Vec<Entrant<'_>>) =
        times.keys().partition(|entrant| most > 0 && 2 * solved(entrant) >= most);
    let on = |entrant: &Entrant<'_>| {
        let solved = times[entrant].iter().filter(|(_, time)| time.is_some());
        solved.map(|(&instance, _)| instance).collect::<BTreeSet<_>>()
    };
    let common = ranked.iter().map(on).reduce(|a, b| &a & &b).unwrap_or_default();
    let unranked = unranked.into_iter().map(|entrant| (entrant, solved(&entrant), times[&entrant].len()));
    let mut ranking = Ranking {
        common: common.len(),
        short: short.len(),
        ranked: Vec::new(),
        unranked: unranked.collect(),
    };
    if common.is_empty() {
        return ranking;
    }
    let attempted = |entrant: &Entrant<'_>| times[entrant].keys().copied().collect::<BTreeSet<_>>();
    let attempted_by_all = ranked.iter().map(attempted).reduce(|a, b| &a & &b).unwrap_or_default();
    let par2 = timings.iter().map(|cell| ((entrant(cell), instance(cell)), cell.par2_ns));
    let par2: BTreeMap<(Entrant<'_>, Instance<'_>), Option<u64>> = par2.collect();
    let mean_par2 = |entrant: Entrant<'_>| {
        let own = attempted_by_all.iter().map(|&instance| par2[&(entrant, instance)].map(u128::from));
        let sum: u128 = own.sum::<Option<u128>>()?;
        u64::try_from(sum / attempted_by_all.len() as u128).ok()
    };
    let mut means: Vec<(f64, Entrant<'_>)> = ranked
        .into_iter()
        .map(|entrant| {
            let own = common.iter().filter_map(|instance| times[&entrant][instance]);
            (own.map(|time| (time.max(1) as f64).ln()).sum::<f64>() / common.len() as f64, entrant)
        })
        .collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let best = means.first().map_or(0.0, |&(log, _)| log);
    ranking.ranked = means
        .into_iter()
        .map(|(log, entrant)| Place {
            entrant,
            mean_ns: rounded(log.exp()),
            par2_ns: mean_par2(entrant),
            ratio: (log - best).exp(),
            solved: solved(&entrant),
            attempted: times[&entrant].len(),
        })
        .collect();
    ranking
}

/// Only the first of these solvers are paired: the work grows with the square of their number.
const MOST_PAIRED: usize = 64;

/// Two solvers to compare: the named ones or, if none are named, of the pairs of different families (`backtrack`, `sat`
/// ...) with the most instances solved by both, the one that ranks first; within one family if there is only one.
pub fn pair<'a>(
    timings: &'a [TimingsRow],
    named: Option<&[String; 2]>,
) -> Option<(Entrant<'a>, Entrant<'a>)> {
    let times = times(timings);
    if let Some([first, second]) = named {
        let find = |id: &str| times.keys().find(|(solver, _)| *solver == id).copied();
        return Some((find(first)?, find(second)?));
    }
    let ranking = ranking_from(timings, 0);
    let mut order: Vec<Entrant<'a>> = ranking.ranked.iter().map(|place| place.entrant).collect();
    order.extend(ranking.unranked.iter().map(|&(entrant, ..)| entrant));
    order.truncate(MOST_PAIRED);
    let family = |entrant: &Entrant<'a>| entrant.0.split('/').next().unwrap_or_default();
    let common = |a: &Entrant<'a>, b: &Entrant<'a>| {
        let solved = times[a].iter().filter(|(_, time)| time.is_some());
        solved.filter(|(instance, _)| times[b].get(*instance).is_some_and(Option::is_some)).count()
    };
    let mut best: Option<((bool, usize), (Entrant<'a>, Entrant<'a>))> = None;
    for (rank, a) in order.iter().enumerate() {
        for b in &order[rank + 1..] {
            let worth = (family(a) != family(b), common(a, b));
            if worth.1 > 0 && best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, (*a, *b)));
            }
        }
    }
    best.map(|(_, (first, second))| (second, first))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ranking.ranked.iter().map(|p| (p.entrant.0, p.mean_ns, p.solved, p.attempted)).collect();
        assert_eq!(places, [("a", 100 * FLOOR_NS, 4, 4), ("b", 400 * FLOOR_NS, 2, 3)]);
        assert!((ranking.ranked[1].ratio - 4.0).abs() < 1e-9);
        assert_eq!(ranking.unranked, [(("short", 1), 1, 1)]);
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
        let order =
            |ranking: &Ranking<'_>| ranking.ranked.iter().map(|p| p.entrant.0.to_owned()).collect::<Vec<_>>();
        let fair = ranking(&cells);
        assert_eq!((fair.common, fair.short), (2, 2));
        assert_eq!(order(&fair), ["board-scan-columns", "permutations"]);
        assert_eq!(order(&ranking_from(&cells, 0)), ["permutations", "board-scan-columns"]);
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
        assert_eq!(ranking.unranked, [(("b", 1), 0, 1)]);
    }

    #[test]
    fn solvers_of_different_families_are_paired_first_and_named_ones_before_all() {
        let cells: Vec<_> = (4..9)
            .flat_map(|n| [cell(n, "a/x", Some(10)), cell(n, "a/y", Some(11)), cell(n, "b/z", Some(50))])
            .collect();
        assert_eq!(pair(&cells, None), Some((("b/z", 1), ("a/x", 1))));
        let named = ["a/y".to_owned(), "b/z".to_owned()];
        assert_eq!(pair(&cells, Some(&named)), Some((("a/y", 1), ("b/z", 1))));
    }
}
