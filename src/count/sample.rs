//! A sample of the subproblems of a count, and what it says about all of them: an unbiased estimate with its error.
//!
//! 1. *Strata*. Subproblems are ordered by their expected number of solutions, and cut into strata so that a
//!    stratum's share of this number is its share of the draws. The largest subproblems are drawn for certain.
//! 2. *Draws*. A few subproblems of each stratum are drawn without replacement, each with the same probability.
//! 3. *Estimate*. If d of the N subproblems of a stratum are drawn, each represents N/d. The sum over all strata
//!    has the right expectation whatever the expected numbers were; only its error depends on them. The
//!    variance is that of stratified sampling (Cochran 1977, section 5.5), the interval is Student's with
//!    Satterthwaite's degrees of freedom.
//!
//! The same sample estimates any sum over the subproblems: solutions, and CPU time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::time::Duration;

use fastrand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::column_set::Counted;
use super::setup::{Count, Finished, RunError, Share};
use crate::solver::Budget;

/// Subproblems drawn from each stratum, or a few more.
const DRAWS: usize = 4;

/// A subproblem is taken to have at least this share of the mean number of solutions, in case the expected number
/// is wrong.
const LEAST: f64 = 0.1;

/// Subproblems drawn with known probabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// All subproblems, stratum by stratum; those of a stratum that are drawn come first in it.
    order: Vec<u32>,
    strata: Vec<Stratum>,
    thinned: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Stratum {
    /// Positions in the order.
    members: Range<usize>,
    /// The first members are drawn.
    drawn: usize,
}

/// An estimate of a sum over all subproblems.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The estimated sum.
    #[serde(rename = "estimate")]
    pub sum: f64,
    /// Its standard error; 0 if every subproblem was drawn.
    pub standard_error: f64,
    /// The degrees of freedom of the standard error; `None` if it is 0.
    pub degrees: Option<f64>,
}

impl Estimate {
    /// The interval that covers the true sum in 95 % of all samples, from 0 at the lowest.
    pub fn ci95(&self) -> [f64; 2] {
        let Some(degrees) = self.degrees else { return [self.sum; 2] };
        let quantile = StudentsT::new(0.0, 1.0, degrees).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975));
        let reach = quantile * self.standard_error;
        [(self.sum - reach).max(0.0), self.sum + reach]
    }
}

/// The mean of estimates of the same sum from independent samples, each weighted by its number of subproblems.
pub fn pooled(estimates: &[(usize, Estimate)]) -> Estimate {
    let all: usize = estimates.iter().map(|(subproblems, _)| subproblems).sum();
    let (mut sum, mut variance, mut squares) = (0.0, 0.0, 0.0);
    for (subproblems, estimate) in estimates {
        let weight = *subproblems as f64 / all as f64;
        sum += weight * estimate.sum;
        if let Some(degrees) = estimate.degrees {
            let own = (weight * estimate.standard_error).powi(2);
            variance += own;
            squares += own * own / degrees;
        }
    }
    let degrees = (squares > 0.0).then(|| variance * variance / squares);
    Estimate { sum, standard_error: variance.sqrt(), degrees }
}

impl Sample {
    /// Draws about `wanted` subproblems, at least two, given the number of solutions to expect in each, in any unit.
    /// The same arguments give the same sample.
    pub fn draw(expected: &[f64], wanted: usize, seed: u64) -> Self {
        let len = expected.len();
        let least = LEAST * expected.iter().sum::<f64>() / len as f64;
        let size = |at: u32| expected[at as usize].max(least).max(f64::MIN_POSITIVE);
        let mut order: Vec<u32> = (0..len as u32).collect();
        order.sort_unstable_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));

        let mut left = wanted.max(2).min(len);
        let mut mass: f64 = order.iter().map(|&at| size(at)).sum();
        let certain = order.iter().take_while(|&&at| {
            let certain = left > 2 && size(at) * left as f64 >= mass;
            if certain {
                (left, mass) = (left - 1, mass - size(at));
            }
            certain
        });
        let certain = certain.count();
        let mut strata = vec![Stratum { members: 0..certain, drawn: certain }];

        let cuts = (left / DRAWS).max(1);
        let (mut at, mut sum, mut before) = (certain, 0.0, 0);
        for cut in 1..=cuts {
            let draws = left * cut / cuts;
            let (from, drawn) = (at, draws - before);
            // Enough members for the draws of this stratum, and of those behind it.
            let members = from + drawn..=len - (left - draws);
            let target = mass * draws as f64 / left as f64;
            while at < *members.end()
                && (at < *members.start() || cut == cuts || sum + size(order[at]) / 2.0 < target)
            {
                sum += size(order[at]);
                at += 1;
            }
            strata.push(Stratum { members: from..at, drawn });
            before = draws;
        }
        strata.retain(|stratum| !stratum.members.is_empty());

        let mut random = Rng::with_seed(seed);
        for Stratum { members, drawn } in &strata {
            let members = &mut order[members.clone()];
            for at in 0..*drawn {
                members.swap(at, random.usize(at..members.len()));
            }
        }
        Self { order, strata, thinned: false }
    }

    /// The same sample, for values of the subproblems that are estimates themselves, independent of each other. `None`
    /// if every subproblem of a stratum was drawn, because their values would then say nothing about its error.
    pub fn thinned(self) -> Option<Self> {
        let all = self.strata.iter().any(|stratum| stratum.drawn == stratum.members.len());
        (!all).then_some(Self { thinned: true, ..self })
    }

    /// The subproblems that were drawn.
    pub fn drawn(&self) -> impl Iterator<Item = usize> {
        self.strata.iter().flat_map(|stratum| self.drawn_from(stratum))
    }

    fn drawn_from(&self, stratum: &Stratum) -> impl Iterator<Item = usize> {
        let Range { start, .. } = stratum.members;
        self.order[start..start + stratum.drawn].iter().map(|&at| at as usize)
    }

    /// Number of strata.
    pub fn strata(&self) -> usize {
        self.strata.len()
    }

    /// Whether every subproblem was drawn: the estimates are then exact.
    pub fn is_all(&self) -> bool {
        self.strata.iter().all(|stratum| stratum.drawn == stratum.members.len())
    }

    /// Estimates the sum of a value over all subproblems from its values for the drawn ones.
    pub fn estimate(&self, value: impl Fn(usize) -> f64) -> Estimate {
        let (mut sum, mut variance, mut squares) = (0.0, 0.0, 0.0);
        for stratum in &self.strata {
            let values: Vec<f64> = self.drawn_from(stratum).map(&value).collect();
            let (members, drawn) = (stratum.members.len() as f64, values.len() as f64);
            let mean = values.iter().sum::<f64>() / drawn;
            sum += members * mean;
            // Estimated values vary even where none is left out.
            let unknown = if self.thinned { members } else { members - drawn };
            if unknown > 0.0 {
                let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (drawn - 1.0);
                let own = members * unknown * spread / drawn;
                variance += own;
                squares += own * own / (drawn - 1.0);
            }
        }
        let degrees = (squares > 0.0).then(|| variance * variance / squares);
        Estimate { sum, standard_error: variance.sqrt(), degrees }
    }

    /// For each subproblem, one that was drawn from the same stratum: itself if it was drawn, else one at random.
    pub fn stand_ins(&self, seed: u64) -> Vec<usize> {
        let mut random = Rng::with_seed(seed);
        let mut stand_ins = vec![0; self.order.len()];
        for Stratum { members, drawn } in &self.strata {
            let members = &self.order[members.clone()];
            for (position, &at) in members.iter().enumerate() {
                let drawn = if position < *drawn { position } else { random.usize(..*drawn) };
                stand_ins[at as usize] = members[drawn] as usize;
            }
        }
        stand_ins
    }

    /// Counts the subproblems that were drawn, except those to `skip`, and passes the number of each and what was found
    /// in it to `found`. If subproblems share tables, the one before each drawn one is counted as well, and then
    /// ignored.
    ///
    /// # Errors
    ///
    /// A subproblem with 2^64 solutions or more.
    pub fn count(
        &self,
        board: &Count,
        budget: &Budget,
        skip: &(dyn Fn(usize) -> bool + Sync),
        found: &(dyn Fn(usize, Counted) + Sync),
    ) -> Result<(), RunError> {
        let mut drawn = vec![false; board.subproblems()];
        self.drawn().for_each(|at| drawn[at] = !skip(at));
        // The whole count finds what neighbours have in common in the cache. So must the clock.
        let neighbours = board.table_bytes() > 0;
        let wanted = |at: usize| drawn.get(at) == Some(&true) && !skip(at);
        let skip = |at: usize| !(wanted(at) || neighbours && wanted(at + 1));
        let finished = |Finished { subproblem, solutions, cpu, .. }: Finished| {
            if drawn[subproblem] {
                found(subproblem, Counted { solutions, cpu });
            }
        };
        board.run(Share::ALL, budget, &skip, &finished).map(drop)
    }
}

impl Count {
    /// The number of solutions to expect in each subproblem, in an arbitrary unit.
    pub fn expected(&self) -> Vec<f64> {
        self.install(|| (0..self.subproblems()).into_par_iter().map(|at| self.pairs(at).weight).collect())
    }

    /// Draws about `wanted` of the subproblems, at least two, by the number of solutions to expect in each.
    pub fn sample(&self, wanted: usize, seed: u64) -> Sample {
        Sample::draw(&self.expected(), wanted, seed)
    }
}

/// Subproblems on a number of workers, each on the worker that is free first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Number of workers.
    pub workers: usize,
    /// Time until the last worker is done.
    pub wall: Duration,
    /// Share of the workers' time that they wait for the last one.
    pub idle: f64,
}

impl Schedule {
    /// Workers take the subproblems in order, after they have waited for the tables.
    pub fn new(workers: usize, tables: Duration, times: impl Iterator<Item = Duration>) -> Self {
        let workers = workers.max(1);
        let mut free: BinaryHeap<Reverse<Duration>> = vec![Reverse(tables); workers].into();
        let mut busy = tables.as_secs_f64() * workers as f64;
        let mut wall = tables;
        for time in times {
            let Some(mut first) = free.peek_mut() else { break };
            first.0 += time;
            wall = wall.max(first.0);
            busy += time.as_secs_f64();
        }
        let whole = wall.as_secs_f64() * workers as f64;
        Self { workers, wall, idle: if whole > 0.0 { 1.0 - busy / whole } else { 0.0 } }
    }
}
