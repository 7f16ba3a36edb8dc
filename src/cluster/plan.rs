//! The plan of a job in shards: a JSON file of a few hundred bytes (plus the spec of a sweep) for any board.
//!
//! The plan describes the partition instead of listing it. `partition_sha256` is the digest of the list of
//! subproblems, which every shard makes again and checks; `sha256` is the plan's own digest, which every
//! result contains.

use std::num::NonZeroUsize;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::log::joined;
use super::partition::enough_prefixes;
use super::{ClusterError, Job, MAX_SUBPROBLEMS, Partition, lex};
use crate::count::{Method, Thin, better_meets, peak_bytes};
use crate::experiment::plan::Plan;
use crate::files;
use crate::record::{RecordError, sha256_hex};
use crate::registry::Registry;

/// The version of the format, as in `schema_version`.
const VERSION: u32 = 2;

/// The default number of shards; fewer if there are fewer subproblems.
const SHARDS: usize = 64;

/// Column sets are used for boards that need at most this many bytes with one thread, because every task may need them.
const MEMORY: u64 = 16 << 30;

/// The largest plan that is read, in bytes. The spec of a sweep has at most 256 KiB.
const MOST_BYTES: u64 = 4 << 20;

/// A plan; docs/FORMATS.md describes its keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct ShardPlan {
    pub schema_version: u32,
    pub queenlab_version: String,
    pub job: Job,
    pub subproblems: usize,
    pub partition_sha256: String,
    pub shards: usize,
    pub sha256: String,
}

/// The versions that made a plan, which are readable whatever its other keys are.
#[derive(Deserialize)]
struct Versions {
    schema_version: u32,
    queenlab_version: String,
}

impl ShardPlan {
    /// Makes the plan of a count. The solver is `count/auto`, `count/block` or a kernel. Without a depth, a count
    /// that can meet in the middle is divided into column sets; everything else is divided into prefixes, deep
    /// enough that shards cost about the same.
    pub fn count(
        n: usize,
        solver: &str,
        depth: Option<usize>,
        shards: Option<usize>,
    ) -> Result<Self, ClusterError> {
        let job = |partition| Job::Count { n, solver: solver.to_owned(), partition };
        job(Partition::Prefixes { depth: 0 }).check()?;
        let columns = solver != "count/block"
            && depth.is_none()
            && better_meets(n)
            && peak_bytes(n, NonZeroUsize::MIN) <= MEMORY;
        let depth = || depth.unwrap_or_else(|| enough_prefixes(n, shards.unwrap_or(SHARDS)));
        let partition = if columns { Partition::ColumnSets } else { Partition::Prefixes { depth: depth() } };
        Self::divide(job(partition), None, shards)
    }

    /// Makes the plan of a count in one process, by the method of its solver: a single shard.
    pub fn single_count(n: usize, method: Method) -> Result<Self, ClusterError> {
        let (solver, partition) = match method {
            Method::Meet(_) => ("count/auto", Partition::ColumnSets),
            Method::Block { .. } => ("count/block", Partition::Prefixes { depth: enough_prefixes(n, 1) }),
        };
        Self::divide(Job::Count { n, solver: solver.to_owned(), partition }, None, Some(1))
    }

    /// Makes the plan of a sample of about `sample` column sets.
    pub fn sample(
        n: usize,
        solver: &str,
        sample: usize,
        thin: Thin,
        shards: Option<usize>,
    ) -> Result<Self, ClusterError> {
        let Thin { step: thin, seed } = thin;
        let job = Job::Sample { n, solver: solver.to_owned(), sample, seed, thin };
        job.check()?;
        Self::divide(job, None, shards)
    }

    /// Makes the plan of an enumeration.
    pub fn enumerate(n: usize, depth: Option<usize>, shards: Option<usize>) -> Result<Self, ClusterError> {
        Job::Enumerate { n, depth: 0 }.check()?;
        let depth = depth.unwrap_or_else(|| enough_prefixes(n, shards.unwrap_or(SHARDS)));
        Self::divide(Job::Enumerate { n, depth }, None, shards)
    }

    /// Makes the plan of a search for the lexicographically first solution. Without a known solution, one is searched
    /// for, which takes up to some minutes for n = 48.
    pub fn lex(
        n: usize,
        known: Option<Vec<u16>>,
        depth: Option<usize>,
        shards: Option<usize>,
    ) -> Result<Self, ClusterError> {
        if n > lex::MAX {
            lex::check(n, &[])?;
        }
        let none = || ClusterError::Request(format!("n = {n}: this board has no solution"));
        let known = known.or_else(|| lex::candidate(n)).ok_or_else(none)?;
        lex::check(n, &known)?;
        let depth = depth.unwrap_or_else(|| lex::enough(n, &known, shards.unwrap_or(SHARDS)));
        if lex::list(n, &known, depth)?.0 == 0 {
            let known = joined(&known);
            return Err(ClusterError::Request(format!(
                "n = {n}: no prefix is smaller than the solution {known}, so it is the first one; nothing is left to search"
            )));
        }
        Self::divide(Job::Lex { n, known, depth }, None, shards)
    }

    /// Makes the plan of a sweep; `origin` names the spec in messages.
    pub fn sweep(
        origin: &str,
        spec: &str,
        external: Option<&str>,
        shards: Option<usize>,
        registry: &Registry,
    ) -> Result<Self, ClusterError> {
        let job = Job::Sweep { spec: spec.to_owned(), external: external.map(str::to_owned) };
        let experiment = job.experiment(origin, registry)?;
        Self::divide(job, experiment.as_ref(), shards)
    }

    fn divide(job: Job, experiment: Option<&Plan>, shards: Option<usize>) -> Result<Self, ClusterError> {
        let (subproblems, partition_sha256) = job.list(experiment)?;
        let most = subproblems / job.least_of_shard();
        let shards = shards.unwrap_or(SHARDS.min(most));
        if shards == 0 || shards > most {
            let deeper = ["prefixes", "partial placements"].contains(&job.subproblems());
            return Err(ClusterError::Request(format!(
                "--shards {shards}: there are {subproblems} {}; choose 1 to {most} shards{}",
                job.subproblems(),
                match job {
                    _ if deeper => ", or a greater --depth",
                    Job::Sample { .. } => ", or a greater --sample",
                    _ => "",
                }
            )));
        }
        let queenlab_version = env!("CARGO_PKG_VERSION").to_owned();
        let sha256 = String::new();
        let schema_version = VERSION;
        let plan =
            Self { schema_version, queenlab_version, job, subproblems, partition_sha256, shards, sha256 };
        Ok(Self { sha256: plan.digest()?, ..plan })
    }

    /// The experiment of a sweep, with solvers from `registry`; `None` for a search. Fails if this program would
    /// resolve the spec differently.
    pub(super) fn experiment(&self, registry: &Registry) -> Result<Option<Plan>, ClusterError> {
        let experiment = self.job.experiment("the plan's spec", registry)?;
        experiment.as_ref().map_or(Ok(()), |plan| self.check_partition(Some(plan)))?;
        Ok(experiment)
    }

    /// Fails if this program would split the board, or resolve the spec, differently.
    pub(super) fn check_partition(&self, experiment: Option<&Plan>) -> Result<(), ClusterError> {
        if self.job.list(experiment)? == (self.subproblems, self.partition_sha256.clone()) {
            return Ok(());
        }
        let what = if experiment.is_some() { "resolves the spec" } else { "splits the board" };
        Err(ClusterError::version(format_args!("{what} differently than this build does")))
    }

    /// The SHA-256 of the plan without this digest.
    fn digest(&self) -> Result<String, RecordError> {
        let bare = Self { sha256: String::new(), ..self.clone() };
        Ok(sha256_hex(serde_json::to_string(&bare)?.as_bytes()))
    }

    /// The text of the plan file.
    pub fn to_json(&self) -> Result<String, RecordError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads a plan and checks its digest.
    pub fn read(path: &Path) -> Result<Self, ClusterError> {
        let text = files::read_regular(path, MOST_BYTES);
        let fail = |error: std::io::Error| ClusterError::file(path, error);
        Self::parse(&text.map_err(fail)?, path)
    }

    /// Parses a plan; accepts any bytes. `path` names the file in messages.
    pub fn parse(text: &[u8], path: &Path) -> Result<Self, ClusterError> {
        let fail = |reason: String| ClusterError::file(path, reason);
        let no_plan = |error| fail(format!("this is not a plan made by 'queenlab shard plan': {error}"));
        let made: Versions = serde_json::from_slice(text).map_err(no_plan)?;
        let (own, other, format) = (env!("CARGO_PKG_VERSION"), made.queenlab_version, made.schema_version);
        if other != own || format != VERSION {
            return Err(ClusterError::version(format_args!(
                "was made by queenlab {other} in format {format}, but this is version {own}, which uses format \
                 {VERSION}"
            )));
        }
        let plan: Self = serde_json::from_slice(text).map_err(no_plan)?;
        if plan.sha256 != plan.digest()? {
            return Err(fail(
                "its digest does not match: the plan was changed after it was made; make a new plan"
                    .to_owned(),
            ));
        }
        // A matching digest shows only that the plan was not changed.
        plan.job.check().map_err(|error| fail(format!("{error}; make a new plan")))?;
        let most = plan.subproblems / plan.job.least_of_shard();
        if plan.shards == 0 || plan.shards > most || plan.subproblems > MAX_SUBPROBLEMS {
            let (shards, subproblems) = (plan.shards, plan.subproblems);
            return Err(fail(format!(
                "{shards} shards of {subproblems} subproblems are impossible; make a new plan"
            )));
        }
        Ok(plan)
    }

    /// Number of subproblems of a shard.
    pub fn len_of(&self, index: usize) -> usize {
        (self.subproblems + self.shards - 1 - index) / self.shards
    }
}
