//! Instances in the sense of competitions: a board size with a variant and a goal. A solver's time on an instance is the
//! median of its answered runs. It has solved the instance when at least half of its runs were answered: a lucky run among
//! timeouts does not count.

use std::collections::BTreeMap;

use super::keys::{Key, Keys};
use super::{Run, counted};
use crate::record::{NodesRow, TimingsRow};
use crate::solver::Stat;

/// Size, variant and goal.
pub type Instance<'a> = (usize, &'a str, &'a str);

/// The time of a cell that counts as solved.
pub fn solved_ns(cell: &TimingsRow) -> Option<u64> {
    cell.median_ns.filter(|_| 2 * cell.solved >= cell.runs)
}

/// Solver and threads.
pub type Entrant<'a> = (&'a str, usize);

/// The instance of a cell.
pub fn instance(cell: &TimingsRow) -> Instance<'_> {
    (cell.n, &cell.variant, &cell.goal)
}

/// The entrant of a cell.
pub fn entrant(cell: &TimingsRow) -> Entrant<'_> {
    (&cell.solver, cell.threads)
}

/// The time of every entrant on every instance that it attempted; `None` where it did not solve it.
pub fn times(timings: &[TimingsRow]) -> BTreeMap<Entrant<'_>, BTreeMap<Instance<'_>, Option<u64>>> {
    let mut times: BTreeMap<Entrant<'_>, BTreeMap<Instance<'_>, Option<u64>>> = BTreeMap::new();
    for cell in timings {
        times.entry(entrant(cell)).or_default().insert(instance(cell), solved_ns(cell));
    }
    times
}

/// The limit that stopped an entrant on an instance.
pub fn limits(rows: &[Run]) -> BTreeMap<(Entrant<'_>, Instance<'_>), u64> {
    let timed = rows.iter().filter(|row| row.is_timed);
    timed
        .filter_map(|row| {
            let instance = (row.n, &*row.variant, row.goal.name());
            Some((((&*row.solver, row.threads), instance), row.timeout_ns()?))
        })
        .collect()
}

/// What series are named by: the variant, or one word for all problems that were read from files.
pub fn family(variant: &str) -> &str {
    if variant.starts_with("instance:") { "instances" } else { variant }
}

/// The cells of a series, n ascending; of several instances of a size, the one with the median time.
pub fn of_key<'a>(timings: &'a [TimingsRow], key: &Key<'_>) -> Vec<&'a TimingsRow> {
    let cost = |cell: &TimingsRow| solved_ns(cell).unwrap_or(u64::MAX);
    middle_of_each_size(all_of_key(timings, key), |cell| cell.n, cost)
}

/// The row of each size with the middle cost, the lower one of two.
fn middle_of_each_size<T>(mut rows: Vec<&T>, n: fn(&T) -> usize, cost: impl Fn(&T) -> u64) -> Vec<&T> {
    rows.sort_by_key(|row| (n(row), cost(row)));
    rows.chunk_by(|a, b| n(a) == n(b)).map(|alike| alike[(alike.len() - 1) / 2]).collect()
}

/// The cells of a series, n ascending, with every instance.
pub fn all_of_key<'a>(timings: &'a [TimingsRow], key: &Key<'_>) -> Vec<&'a TimingsRow> {
    let mine = |cell: &&TimingsRow| {
        (cell.solver.as_str(), family(&cell.variant), cell.goal.as_str(), cell.threads)
            == (key.solver, key.variant, key.goal.name(), key.threads)
    };
    timings.iter().filter(mine).collect()
}

/// Why a cell has no time, as in the summary of a sweep.
pub fn failure(cell: &TimingsRow) -> &'static str {
    match cell {
        _ if cell.wrong > 0 => "wrong",
        _ if cell.crashed > 0 => "crashed",
        _ if cell.unreadable > 0 => "unreadable",
        _ if cell.timeouts > 0 => "timeout",
        _ => "no answer",
    }
}

/// The wrong, crashed and unreadable runs of a cell, as in `1 wrong, 2 crashed`; empty if there are none.
pub fn faults(cell: &TimingsRow) -> String {
    let counts = [(cell.wrong, "wrong"), (cell.crashed, "crashed"), (cell.unreadable, "unreadable")];
    let some = counts.iter().filter(|(count, _)| *count > 0);
    some.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
}

/// The counts of a series, n ascending.
pub fn counts_of_key<'a>(nodes: &'a [NodesRow], key: &Key<'_>) -> Vec<&'a NodesRow> {
    let mine = |row: &&NodesRow| {
        (row.solver.as_str(), family(&row.variant), row.goal.as_str(), row.threads)
            == (key.solver, key.variant, key.goal.name(), key.threads)
    };
    let cost =
        |row: &NodesRow| row.stats.get(Stat::Nodes).or(row.stats.get(Stat::LearnedClauses)).unwrap_or(0);
    middle_of_each_size(nodes.iter().filter(mine).collect(), |row| row.n, cost)
}

/// The name of an entrant, with its threads if solvers ran with several numbers of threads.
pub fn name(keys: &Keys<'_>, (solver, threads): Entrant<'_>) -> String {
    if keys.differ_in_threads() {
        format!("{solver} · {}", counted(threads, "thread"))
    } else {
        solver.to_owned()
    }
}
