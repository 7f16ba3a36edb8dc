//! What the shards of a plan compute together.

use serde::{Deserialize, Serialize};

use super::partition::Partition;
use super::{ClusterError, lex};
use crate::count::{Kernel, Thin, better_meets};
use crate::experiment::plan::Plan;
use crate::experiment::spec::Spec;
use crate::record::sha256_hex;
use crate::registry::Registry;

/// The largest board of a search below prefixes: the squares of a row fit into 32 bits.
const LARGEST_BLOCK: usize = 32;

/// What the shards compute together, as in `plan.json`; docs/FORMATS.md describes the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "lowercase", deny_unknown_fields)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub enum Job {
    /// Count the solutions.
    Count { n: usize, solver: String, partition: Partition },
    /// Estimate the solutions and their cost from a sample of the column sets: each shard counts a sample of its own.
    Sample { n: usize, solver: String, sample: usize, seed: u64, thin: u32 },
    /// Enumerate the solutions: their number and the digest of all of them.
    Enumerate { n: usize, depth: usize },
    /// Show that a known solution is the first one: refute every smaller prefix.
    Lex { n: usize, known: Vec<u16>, depth: usize },
    /// Carry out the runs of an experiment.
    Sweep { spec: String, external: Option<String> },
}

impl Job {
    /// The name of the task in plans and results.
    pub fn task(&self) -> &'static str {
        match self {
            Job::Count { .. } => "count",
            Job::Sample { .. } => "sample",
            Job::Enumerate { .. } => "enumerate",
            Job::Lex { .. } => "lex",
            Job::Sweep { .. } => "sweep",
        }
    }

    /// The size of the board; `None` for a sweep.
    pub fn n(&self) -> Option<usize> {
        match *self {
            Job::Count { n, .. } | Job::Sample { n, .. } | Job::Enumerate { n, .. } | Job::Lex { n, .. } => {
                Some(n)
            }
            Job::Sweep { .. } => None,
        }
    }

    /// The board of a count, a sample or an enumeration, and its partition.
    pub fn board(&self) -> Option<(usize, Partition)> {
        match *self {
            Job::Count { n, partition, .. } => Some((n, partition)),
            Job::Sample { n, .. } => Some((n, Partition::ColumnSets)),
            Job::Enumerate { n, depth } => Some((n, Partition::Prefixes { depth })),
            Job::Lex { .. } | Job::Sweep { .. } => None,
        }
    }

    /// What the subproblems are called in messages.
    pub fn subproblems(&self) -> &'static str {
        match self {
            Job::Count { partition: Partition::ColumnSets, .. } | Job::Sample { .. } => "column sets",
            Job::Sweep { .. } => "cells",
            Job::Lex { .. } => "partial placements",
            _ => "prefixes",
        }
    }

    /// The solver of a count or a sample.
    fn counter(&self) -> Option<&str> {
        match self {
            Job::Count { solver, .. } | Job::Sample { solver, .. } => Some(solver),
            _ => None,
        }
    }

    /// The smallest number of subproblems that a shard can have: the error of a sample shows only in two or more.
    pub(super) fn least_of_shard(&self) -> usize {
        if matches!(self, Job::Sample { .. }) { 2 } else { 1 }
    }

    /// The kernel that the job names, or the best one of this machine.
    pub(super) fn kernel(&self) -> Kernel {
        let named = |kernel: &Kernel| self.counter().is_some_and(|solver| solver == id(*kernel));
        Kernel::ALL.into_iter().find(named).unwrap_or_else(Kernel::best)
    }

    /// The experiment of a sweep, with solvers from `registry`; `origin` names the spec in messages. `None` for
    /// a search.
    pub(super) fn experiment(&self, origin: &str, registry: &Registry) -> Result<Option<Plan>, ClusterError> {
        let Job::Sweep { spec, external } = self else { return Ok(None) };
        let spec = Spec { external: external.clone(), ..Spec::parse(origin, spec)? };
        if spec.sweep.jobs > 1 || spec.sweep.pin.is_some() || spec.sweep.stop_after_timeouts.is_some() {
            return Err(ClusterError::Request(format!(
                "{origin}: jobs, pin and stop_after_timeouts apply to a sweep on one machine only: remove them \
                 from the spec"
            )));
        }
        Ok(Some(Plan::new(&spec, &registry.with_external(external.as_deref()))?))
    }

    /// The number of subproblems and the digest of the list that they are from. `experiment` is that of a sweep.
    pub(super) fn list(&self, experiment: Option<&Plan>) -> Result<(usize, String), ClusterError> {
        match (self, self.board(), experiment) {
            (&Job::Sample { sample, .. }, Some((n, partition)), _) => {
                let (all, sha256) = partition.list(n)?;
                if sample > all {
                    return Err(ClusterError::Request(format!(
                        "--sample {sample}: n = {n} has {all} column sets; choose at most {all}"
                    )));
                }
                Ok((sample, sha256))
            }
            (_, Some((n, partition)), _) => partition.list(n),
            (Job::Lex { n, known, depth }, ..) => lex::list(*n, known, *depth),
            (.., Some(plan)) => Ok((plan.cells.len(), sha256_hex(plan.sha256().as_bytes()))),
            (.., None) => Err(ClusterError::Request("a sweep has no subproblems to search".to_owned())),
        }
    }

    /// Checks that the solver and the board are possible.
    pub(super) fn check(&self) -> Result<(), ClusterError> {
        if let Job::Lex { n, known, .. } = self {
            return lex::check(*n, known);
        }
        let Some((n, partition)) = self.board() else { return Ok(()) };
        let task = self.task();
        let counters = Kernel::ALL.into_iter().map(id).chain(["count/auto".to_owned()]);
        let block = matches!(self, Job::Count { .. }).then(|| "count/block".to_owned());
        let known: Vec<String> = counters.chain(block).collect();
        if let Some(solver) = self.counter()
            && !known.iter().any(|known| known == solver)
        {
            let known = known.join(", ");
            let reason = format!("--solver {solver}: the task {task} supports only {known}");
            return Err(ClusterError::Request(reason));
        }
        if n > LARGEST_BLOCK {
            let reason = format!("n = {n}: the task {task} supports boards up to n = {LARGEST_BLOCK}");
            return Err(ClusterError::Request(reason));
        }
        if let Job::Sample { thin: step, seed, .. } = *self {
            Partition::check_meets(n, better_meets)?;
            Thin { step, seed }.check(n).map_err(ClusterError::Request)?;
        }
        partition.check(n)
    }
}

fn id(kernel: Kernel) -> String {
    format!("count/{}", kernel.name())
}
