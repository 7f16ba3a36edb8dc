//! What the shards of a plan compute together.

use serde::{Deserialize, Serialize};

use super::partition::Partition;
use super::{ClusterError, lex};
use crate::count::Kernel;
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
            Job::Enumerate { .. } => "enumerate",
            Job::Lex { .. } => "lex",
            Job::Sweep { .. } => "sweep",
        }
    }

    /// The size of the board; `None` for a sweep.
    pub fn n(&self) -> Option<usize> {
        match *self {
            Job::Count { n, .. } | Job::Enumerate { n, .. } | Job::Lex { n, .. } => Some(n),
            Job::Sweep { .. } => None,
        }
    }

    /// The board of a count or an enumeration, and its partition.
    pub fn board(&self) -> Option<(usize, Partition)> {
        match *self {
            Job::Count { n, partition, .. } => Some((n, partition)),
            Job::Enumerate { n, depth } => Some((n, Partition::Prefixes { depth })),
            Job::Lex { .. } | Job::Sweep { .. } => None,
        }
    }

    /// What the subproblems are called in messages.
    pub fn subproblems(&self) -> &'static str {
        match self {
            Job::Count { partition: Partition::ColumnSets, .. } => "column sets",
            Job::Sweep { .. } => "cells",
            Job::Lex { .. } => "partial placements",
            _ => "prefixes",
        }
    }

    /// The kernel that the job names, or the best one of this machine.
    pub(super) fn kernel(&self) -> Kernel {
        let named = |kernel: &Kernel| matches!(self, Job::Count { solver, .. } if *solver == id(*kernel));
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

    /// The number of subproblems and the digest of their list. `experiment` is that of a sweep.
    pub(super) fn list(&self, experiment: Option<&Plan>) -> Result<(usize, String), ClusterError> {
        match (self, self.board(), experiment) {
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
        let counters = Kernel::ALL.into_iter().map(id);
        let known: Vec<String> = counters.chain(["count/auto", "count/block"].map(str::to_owned)).collect();
        if let Job::Count { solver, .. } = self
            && !known.contains(solver)
        {
            let known = known.join(", ");
            let reason = format!("--solver {solver}: the task {task} supports only {known}");
            return Err(ClusterError::Request(reason));
        }
        if n > LARGEST_BLOCK {
            let reason = format!("n = {n}: the task {task} supports boards up to n = {LARGEST_BLOCK}");
            return Err(ClusterError::Request(reason));
        }
        partition.check(n)
    }
}

fn id(kernel: Kernel) -> String {
    format!("count/{}", kernel.name())
}
