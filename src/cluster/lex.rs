//! The subproblems of a search for the lexicographically first solution: it is a known one, if no smaller prefix has a
//! solution.
//!
//! For each row, the smaller prefixes agree with the known solution above it and have a queen to the left of its queen in
//! this row. Each is the root of a search tree of `backtrack/lex`; the subproblems are the nodes of these trees with a
//! given number of queens (prefixes that have as many are nodes themselves). Other trees, such as those of longer
//! prefixes, would have many times more nodes.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::log::{Detail, Found};
use super::partition::{A_SHARD, MAX_PREFIXES};
use super::{ClusterError, Job, ShardPlan};
use crate::backtrack::lex::{completion, each_node, probe};
use crate::board::problem::Problem;
use crate::board::{self, BoardSize, Square, column};
use crate::record::sha256_hex;
use crate::registry::Registry;
use crate::solver::sink::Collect;
use crate::solver::{Budget, Goal, Solver, Task};

/// The largest board of the search.
pub const MAX: usize = 64;

/// The solver that looks for completions of prefixes. Where there are some, restarts with random values find one much sooner
/// than a search in order does; it does not prove that there is none.
const FINDER: &str = "backtrack/forward-checking:rows=dom-wdeg,values=random,restarts=luby:1000";

/// The nodes that the solver visits for each prefix at most: some seconds.
const PATIENCE: u64 = 10_000_000;

/// The nodes of a subproblem that are visited to measure the speed of this machine.
const SAMPLE: u64 = 100_000;

/// A subproblem: a smaller prefix, and the queens that the search has added to it.
#[derive(Clone, Debug)]
struct Subproblem {
    prefix: Vec<u16>,
    path: Vec<Square>,
}

/// Whether a queen in the next row is attacked by none of the prefix.
fn is_legal(prefix: &[u16], at: u16) -> bool {
    prefix.iter().rev().zip(1..).all(|(&queen, rows)| queen != at && queen.abs_diff(at) != rows)
}

/// The prefixes that are smaller than the known solution, the smallest first.
fn smaller(known: &[u16]) -> impl Iterator<Item = Vec<u16>> + '_ {
    known.iter().enumerate().flat_map(move |(row, &at)| {
        let above = &known[..row];
        (0..at).filter(move |&left| is_legal(above, left)).map(move |left| [above, &[left]].concat())
    })
}

/// The subproblems with this number of queens or more; `None` for more than [`MAX_PREFIXES`].
fn subproblems(n: usize, known: &[u16], depth: usize) -> Option<Vec<Subproblem>> {
    let mut found = Vec::new();
    for prefix in smaller(known) {
        let walk = each_node(n, &prefix, depth, &mut |path| {
            found.push(Subproblem { prefix: prefix.clone(), path: path.to_vec() });
            if found.len() > MAX_PREFIXES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if walk.is_break() {
            return None;
        }
    }
    Some(found)
}

/// The number of subproblems, and the digest of their list.
pub fn list(n: usize, known: &[u16], depth: usize) -> Result<(usize, String), ClusterError> {
    let subproblems = subproblems(n, known, depth).ok_or_else(|| {
        ClusterError::Request(format!(
            "--depth {depth}: n = {n} has more than {MAX_PREFIXES} subproblems at this depth; choose a smaller \
             depth"
        ))
    })?;
    let mut bytes = Vec::new();
    for Subproblem { prefix, path } in &subproblems {
        let path = path.iter().flat_map(|queen| [queen.row, queen.column]).map(column);
        let lengths = [prefix.len(), path.clone().count()].map(column);
        let words = lengths.into_iter().chain(prefix.iter().copied()).chain(path);
        bytes.extend(words.flat_map(u16::to_le_bytes));
    }
    Ok((subproblems.len(), sha256_hex(&bytes)))
}

/// The smallest depth that gives each shard enough subproblems, or the depth with the most.
pub fn enough(n: usize, known: &[u16], shards: usize) -> usize {
    let wanted = shards.saturating_mul(A_SHARD);
    let mut best = (0, 0);
    for depth in 0..n {
        let Some(found) = subproblems(n, known, depth) else { break };
        if found.len() > best.1 {
            best = (depth, found.len());
        }
        if found.len() >= wanted {
            break;
        }
    }
    best.0
}

/// Fails unless `known` is a solution of a board that the search supports.
pub fn check(n: usize, known: &[u16]) -> Result<(), ClusterError> {
    if n > MAX {
        return Err(ClusterError::Request(format!("n = {n}: the task lex supports boards up to n = {MAX}")));
    }
    if known.len() != n || !board::is_solution(known) {
        return Err(ClusterError::Request(format!(
            "the known solution is not a solution for n = {n}: it must have the column of the queen in each row, \
             counted from 0"
        )));
    }
    Ok(())
}

/// A solution that is the first one, or not much larger: in each row, the first column below which a completion is found
/// soon. `None` if there is no solution.
pub fn candidate(n: usize) -> Option<Vec<u16>> {
    let registry = Registry::builtin();
    let finder = registry.choose(FINDER).ok()?;
    let mut known = completion(n, &[], &[], u64::MAX).1?;
    for row in 0..n {
        // The smaller prefixes that differ in this row.
        let found = smaller(&known.clone()[..=row])
            .filter(|prefix| prefix.len() == row + 1)
            .find_map(|prefix| found_soon(n, &prefix, &finder));
        known = found.unwrap_or(known);
    }
    Some(known)
}

/// A completion of a prefix. `None` means that there is none, or that none was found soon.
fn found_soon(n: usize, prefix: &[u16], finder: &dyn Solver) -> Option<Vec<u16>> {
    let (nodes, found) = completion(n, prefix, &[], PATIENCE / 50);
    if found.is_some() || nodes <= PATIENCE / 50 {
        return found;
    }
    let queens = prefix.iter().enumerate().map(|(row, &column)| Square { row, column: usize::from(column) });
    let problem = Problem::queens(BoardSize::new(n).ok()?).place(queens).ok()?;
    let budget = Budget { node_limit: Some(PATIENCE), ..Budget::unlimited() };
    let mut first = Collect::default();
    finder.solve(&Task { budget, ..Task::of(&problem, Goal::First) }, &mut first).ok()?;
    first.0.pop().map(|found| found.columns().to_vec())
}

/// Searches the subproblems of a shard for which `skip` is false, on several threads; `add` receives each result.
pub fn run(
    plan: &ShardPlan,
    index: usize,
    threads: usize,
    skip: &(dyn Fn(usize) -> bool + Sync),
    add: &(dyn Fn(usize, Found) + Sync),
) -> Result<(), String> {
    let none = || "the plan has no smaller prefixes".to_owned();
    let Job::Lex { n, known, depth } = &plan.job else { return Err(none()) };
    let subproblems = subproblems(*n, known, *depth).ok_or_else(none)?;
    let next = AtomicUsize::new(index);
    let work = || loop {
        let number = next.fetch_add(plan.shards, Ordering::Relaxed);
        let Some(Subproblem { prefix, path }) = subproblems.get(number) else { break };
        if !skip(number) {
            let (nodes, smaller) = completion(*n, prefix, path, u64::MAX);
            add(number, Found { number: nodes, detail: smaller.map_or(Detail::Nothing, Detail::Queens) });
        }
    };
    std::thread::scope(|scope| {
        (0..threads).for_each(|_| {
            scope.spawn(work);
        });
    });
    Ok(())
}

/// What a plan costs, estimated.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// The nodes of all subproblems, and the standard error.
    pub nodes: f64,
    /// The standard error of `nodes`.
    pub standard_error: f64,
    /// The nodes per second of this machine on one core.
    pub speed: f64,
}

/// Estimates the nodes of a plan by random probes of its subproblems (Knuth 1975), until the standard error is below 1 %
/// or `time` is over, and measures the speed of this machine. `None` for another job.
pub fn cost(plan: &ShardPlan, time: Duration) -> Option<Cost> {
    let Job::Lex { n, known, depth } = &plan.job else { return None };
    let subproblems = subproblems(*n, known, *depth)?;
    let mut random = fastrand::Rng::with_seed(0);
    let (mut probes, mut sum, mut squares) = (0.0, 0.0, 0.0);
    let started = Instant::now();
    let (nodes, standard_error) = loop {
        // Each probe stands for all subproblems.
        let Subproblem { prefix, path } = random.choice(&subproblems)?;
        let estimate = subproblems.len() as f64 * probe(*n, prefix, path, &mut random);
        probes += 1.0;
        sum += estimate;
        squares += estimate * estimate;
        let mean: f64 = sum / probes;
        let error = ((squares / probes - mean * mean).max(0.0) / probes).sqrt();
        if started.elapsed() >= time || probes >= 1000.0 && error < 0.01 * mean {
            break (mean, error);
        }
    };
    let (started, mut searched) = (Instant::now(), 0);
    while started.elapsed() < time / 4 {
        let Subproblem { prefix, path } = random.choice(&subproblems)?;
        searched += completion(*n, prefix, path, SAMPLE).0;
    }
    let speed = searched as f64 / started.elapsed().as_secs_f64();
    Some(Cost { nodes, standard_error, speed })
}
