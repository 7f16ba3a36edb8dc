//! Instances in the sense of competitions: a board size with a variant and a goal. A solver's time on an instance is the
//! median of its runs. It has solved the instance when more than half of its runs were answered: a lucky run among timeouts
//! does not count.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Data, counted};
use crate::record::TimingsRow;

/// Size, variant and goal.
pub type Instance<'a> = (usize, &'a str, &'a str);

/// A solver with a number of threads in a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[expect(missing_docs, reason = "the fields are those of TimingsRow")]
pub struct Entrant<'a> {
    pub solver: &'a str,
    pub threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'a str>,
}

/// The time of a cell that counts as solved.
pub fn solved_ns(cell: &TimingsRow) -> Option<u64> {
    cell.median_ns.filter(|_| 2 * cell.solved > cell.runs)
}

/// The instance of a cell.
pub fn instance(cell: &TimingsRow) -> Instance<'_> {
    (cell.n, &cell.variant, &cell.goal)
}

/// The entrant of a cell.
pub fn entrant(cell: &TimingsRow) -> Entrant<'_> {
    Entrant { solver: &cell.solver, threads: cell.threads, result: cell.result.as_deref() }
}

/// The cell of every entrant on every instance that it attempted.
pub fn attempts(timings: &[TimingsRow]) -> BTreeMap<Entrant<'_>, BTreeMap<Instance<'_>, &TimingsRow>> {
    let mut attempts: BTreeMap<Entrant<'_>, BTreeMap<Instance<'_>, &TimingsRow>> = BTreeMap::new();
    for cell in timings {
        attempts.entry(entrant(cell)).or_default().insert(instance(cell), cell);
    }
    attempts
}

/// What series are named by: the variant, or one word for all problems that were read from files.
pub fn family(variant: &str) -> &str {
    if variant.starts_with("instance:") { "instances" } else { variant }
}

/// The name of an entrant, with its threads and its result if solvers ran with several.
pub fn name(data: &Data<'_>, entrant: Entrant<'_>) -> String {
    let mut parts = vec![entrant.solver.to_owned()];
    parts.extend(data.differ(|key| key.threads).then(|| counted(entrant.threads, "thread")));
    parts.extend(entrant.result.map(str::to_owned));
    data.marked(parts.join(" · "), entrant.solver)
}
