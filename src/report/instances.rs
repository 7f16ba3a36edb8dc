//! What competitions call instances: a board size with a variant and a goal. A solver's time on an instance
//! is the median of its answered runs; it has solved the instance when at least half of its runs were
//! answered, so that a lucky run among timeouts does not count.

use std::collections::BTreeMap;

use super::plots::keys::{Key, Keys};
use crate::record::TimingsRow;

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

/// The cells of a series, n ascending.
pub fn of_key<'a>(timings: &'a [TimingsRow], key: &Key<'_>) -> Vec<&'a TimingsRow> {
    let mine = |cell: &&TimingsRow| {
        (cell.solver.as_str(), cell.variant.as_str(), cell.goal.as_str(), cell.threads)
            == (key.solver, key.variant, key.goal.name(), key.threads)
    };
    timings.iter().filter(mine).collect()
}

/// What an entrant is called: its threads are named where solvers ran with several numbers of them.
pub fn name(keys: &Keys<'_>, (solver, threads): Entrant<'_>) -> String {
    if keys.differ_in_threads() { format!("{solver} · {threads} threads") } else { solver.to_owned() }
}
