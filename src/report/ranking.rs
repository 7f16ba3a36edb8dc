//! Geometric mean of times on the instances that all ranked solvers solved.
//!
//! A solver that solved fewer than half as many instances as the most successful one is not ranked: the
//! common subset would shrink to the few sizes that it reached. It is listed with what it solved.

use std::collections::BTreeSet;

use super::instances::{Entrant, times};
use crate::record::TimingsRow;

/// A ranking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking<'a> {
    /// How many instances are in the common subset.
    pub common: usize,
    /// Fastest first.
    pub ranked: Vec<Place<'a>>,
    /// Who solved too few: solved and attempted.
    pub unranked: Vec<(Entrant<'a>, usize, usize)>,
}

/// A solver in a ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Place<'a> {
    /// Who.
    pub entrant: Entrant<'a>,
    /// Geometric mean on the common subset, in nanoseconds.
    pub mean_ns: u64,
    /// How many times that of the fastest.
    pub ratio: f64,
    /// Instances solved.
    pub solved: usize,
    /// Instances attempted.
    pub attempted: usize,
}

/// Ranks the solvers of a table.
pub fn ranking(timings: &[TimingsRow]) -> Ranking<'_> {
    let times = times(timings);
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
    let mut ranking = Ranking { common: common.len(), ranked: Vec::new(), unranked: unranked.collect() };
    if common.is_empty() {
        return ranking;
    }
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
            mean_ns: log.exp().round() as u64,
            ratio: (log - best).exp(),
            solved: solved(&entrant),
            attempted: times[&entrant].len(),
        })
        .collect();
    ranking
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(n: usize, solver: &str, median_ns: Option<u64>) -> TimingsRow {
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
        let told: Vec<_> =
            ranking.ranked.iter().map(|p| (p.entrant.0, p.mean_ns, p.solved, p.attempted)).collect();
        assert_eq!(told, [("a", 100, 4, 4), ("b", 400, 2, 3)]);
        assert!((ranking.ranked[1].ratio - 4.0).abs() < 1e-9);
        assert_eq!(ranking.unranked, [(("short", 1), 1, 1)]);
    }

    #[test]
    fn without_a_common_instance_nobody_is_ranked() {
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
}
