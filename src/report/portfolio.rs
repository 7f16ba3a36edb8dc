//! The solvers as a portfolio: the virtual best solver, what each solver contributes to it, and places by PAR-2 with their
//! uncertainty. All on the instances that every solver of the portfolio attempted.
//!
//! The places are those of the mean PAR-2. Their interval is a percentile bootstrap: instances are drawn anew with a fixed
//! seed, which says how much a place depends on the choice of the instances, not on the noise of the runs.

use std::collections::{BTreeMap, BTreeSet};

use super::instances::{Entrant, Instance, entrant, instance};
use crate::record::TimingsRow;

const RESAMPLES: usize = 1000;
const SEED: u64 = 1;

/// More solvers than these are not drawn anew: the work is their number times that of the instances.
const MOST_DRAWN: usize = 1_000_000;

/// The solvers of a table as a portfolio.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Portfolio<'a> {
    /// The number of instances that all solvers attempted.
    pub instances: usize,
    /// Mean PAR-2 of the virtual best solver, in nanoseconds.
    pub best_ns: u64,
    /// The solvers, best first.
    pub members: Vec<Member<'a>>,
}

/// A solver of a portfolio.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'a> {
    /// The solver.
    pub entrant: Entrant<'a>,
    /// Place by mean PAR-2, from 1.
    pub place: usize,
    /// The 95 % interval of the place.
    pub places: (usize, usize),
    /// Mean PAR-2 in nanoseconds.
    pub par2_ns: u64,
    /// The number of instances on which no solver is faster.
    pub wins: usize,
    /// By how much the virtual best solver's mean PAR-2 would be worse without this solver, in nanoseconds.
    pub contribution_ns: u64,
}

/// The portfolio of a table; empty if there is only one solver, or no instance that all of them attempted with a limit.
pub fn portfolio(timings: &[TimingsRow]) -> Portfolio<'_> {
    let mut costs: BTreeMap<Entrant<'_>, BTreeMap<Instance<'_>, u64>> = BTreeMap::new();
    for cell in timings {
        let own = costs.entry(entrant(cell)).or_default();
        own.extend(cell.par2_ns.map(|par2| (instance(cell), par2)));
    }
    // A solver for a few sizes only would leave few instances that all attempted.
    let most = costs.values().map(BTreeMap::len).max().unwrap_or(0);
    costs.retain(|_, own| 2 * own.len() >= most && !own.is_empty());
    let attempted = costs.values().map(|own| own.keys().copied().collect::<BTreeSet<_>>());
    let common: Vec<Instance<'_>> = attempted.reduce(|a, b| &a & &b).into_iter().flatten().collect();
    if costs.len() < 2 || common.is_empty() {
        return Portfolio::default();
    }
    let entrants: Vec<Entrant<'_>> = costs.keys().copied().collect();
    let table: Vec<Vec<u64>> =
        costs.values().map(|own| common.iter().map(|instance| own[instance]).collect()).collect();
    let best = |without: Option<usize>| {
        let least = |at: usize| {
            let others = table.iter().enumerate().filter(|(member, _)| Some(*member) != without);
            others.map(|(_, own)| own[at]).min().unwrap_or(0)
        };
        mean((0..common.len()).map(least), common.len())
    };
    let means: Vec<u64> = table.iter().map(|own| mean(own.iter().copied(), common.len())).collect();
    let places = places(&means);
    let intervals = intervals(&table, &places);
    let whole = best(None);
    let mut members: Vec<Member<'_>> = (0..entrants.len())
        .map(|member| Member {
            entrant: entrants[member],
            place: places[member],
            places: intervals[member],
            par2_ns: means[member],
            wins: (0..common.len())
                .filter(|&at| table.iter().all(|other| table[member][at] <= other[at]))
                .count(),
            contribution_ns: best(Some(member)).saturating_sub(whole),
        })
        .collect();
    members.sort_by_key(|member| (member.place, member.entrant));
    Portfolio { instances: common.len(), best_ns: whole, members }
}

fn mean(values: impl Iterator<Item = u64>, count: usize) -> u64 {
    let sum: u128 = values.map(u128::from).sum();
    u64::try_from(sum / count as u128).unwrap_or(u64::MAX)
}

/// The place of each value, the smallest first; equal values share a place.
fn places(values: &[u64]) -> Vec<usize> {
    values.iter().map(|value| 1 + values.iter().filter(|other| *other < value).count()).collect()
}

/// The middle 95 % of the places that resamples of the instances give.
fn intervals(table: &[Vec<u64>], seen: &[usize]) -> Vec<(usize, usize)> {
    let instances = table[0].len();
    if table.len() * table.len() * RESAMPLES > 50 * MOST_DRAWN || table.len() * instances > MOST_DRAWN {
        return seen.iter().map(|&place| (place, place)).collect();
    }
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut drawn: Vec<Vec<usize>> = vec![Vec::with_capacity(RESAMPLES); table.len()];
    for _ in 0..RESAMPLES {
        let sample: Vec<usize> = (0..instances).map(|_| random.usize(..instances)).collect();
        let means: Vec<u64> =
            table.iter().map(|own| mean(sample.iter().map(|&at| own[at]), instances)).collect();
        drawn.iter_mut().zip(places(&means)).for_each(|(drawn, place)| drawn.push(place));
    }
    let cut = RESAMPLES / 40;
    let middle = |(drawn, &seen): (&mut Vec<usize>, &usize)| {
        drawn.sort_unstable();
        (drawn[cut].min(seen), drawn[RESAMPLES - 1 - cut].max(seen))
    };
    drawn.iter_mut().zip(seen).map(middle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(n: usize, solver: &str, par2_ns: u64) -> TimingsRow {
        TimingsRow { n, solver: solver.into(), threads: 1, par2_ns: Some(par2_ns), ..TimingsRow::default() }
    }

    #[test]
    fn the_virtual_best_takes_the_fastest_everywhere_and_a_contribution_is_what_is_lost_without() {
        let cells = [
            cell(4, "a", 10),
            cell(5, "a", 100),
            cell(4, "b", 30),
            cell(5, "b", 40),
            cell(4, "c", 30),
            cell(5, "c", 200),
            cell(6, "c", 1),
        ];
        let found = portfolio(&cells);
        // The best: 10 and 40. Without a 30 and 40, without b 10 and 100, without c the same.
        assert_eq!((found.instances, found.best_ns), (2, 25));
        let told: Vec<_> = found
            .members
            .iter()
            .map(|member| {
                (member.entrant.0, member.place, member.par2_ns, member.wins, member.contribution_ns)
            })
            .collect();
        assert_eq!(told, [("b", 1, 35, 1, 30), ("a", 2, 55, 1, 10), ("c", 3, 115, 0, 0)]);
    }

    #[test]
    fn a_place_that_depends_on_the_instances_has_a_wide_interval() {
        // a wins three instances of four, b the one that takes longest.
        let cells: Vec<_> = (4..8)
            .flat_map(|n| {
                [
                    cell(n, "a", if n == 7 { 1000 } else { 10 }),
                    cell(n, "b", if n == 7 { 500 } else { 20 }),
                    cell(n, "z", 9999),
                ]
            })
            .collect();
        let found = portfolio(&cells);
        let of = |name: &str| found.members.iter().find(|member| member.entrant.0 == name).expect("a member");
        assert_eq!((of("b").place, of("b").places), (1, (1, 2)));
        assert_eq!((of("a").place, of("a").places), (2, (1, 2)));
        assert_eq!(of("z").places, (3, 3), "always last");
    }

    #[test]
    fn one_solver_or_none_is_no_portfolio() {
        assert_eq!(portfolio(&[]), Portfolio::default());
        assert_eq!(portfolio(&[cell(4, "a", 1)]), Portfolio::default());
        assert_eq!(portfolio(&[cell(4, "a", 1), cell(5, "b", 1)]), Portfolio::default());
    }
}
