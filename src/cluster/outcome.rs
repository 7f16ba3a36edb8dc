//! The result of a shard: a JSON file under 1 KB, which is either complete or does not exist.
//!
//! The result is written to a temporary file, flushed to disk, and renamed without replacing an existing
//! file: if two attempts end at the same time, the second one finds the result of the first and compares. The
//! result's own digest detects truncated or changed files; the plan's digest identifies the plan that it
//! belongs to.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::log::queens;
use super::{ClusterError, Job, ShardPlan, lex};
use crate::count::{Counted, Estimate, Sample, pooled};
use crate::record::{RecordError, sha256_hex};
use crate::{files, os};

/// The largest result file that is read, in bytes; real ones are under 1 KB.
pub(super) const LARGEST: u64 = 1 << 20;

/// The result of a shard; docs/FORMATS.md describes its keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct ShardResult {
    pub schema_version: u32,
    pub queenlab_version: String,
    pub plan_sha256: String,
    pub index: usize,
    pub task: String,
    pub n: Option<usize>,
    pub solver: Option<String>,
    pub subproblems: usize,
    pub solutions: Option<String>,
    pub digest: Option<String>,
    pub estimated: Option<Estimated>,
    pub nodes: Option<String>,
    pub smaller: Option<String>,
    pub directory: Option<String>,
    pub runs_sha256: Option<String>,
    pub levels_sha256: Option<String>,
    pub host: String,
    pub started_at: String,
    pub resumed: usize,
    pub threads: usize,
    pub wall_ns: u64,
    pub cpu_ns: Option<u64>,
    pub sha256: String,
}

/// What a sample of column sets says about all of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimated {
    /// The number of solutions.
    pub solutions: Estimate,
    /// CPU time in seconds: the tables and all column sets; `None` if the system does not report CPU times.
    pub cpu_s: Option<Estimate>,
}

impl Estimated {
    /// Estimates from what was found in the column sets of a sample, and the CPU time of the shared tables.
    pub fn new(sample: &Sample, found: &BTreeMap<usize, Counted>, tables: Option<Duration>) -> Self {
        let counted = |at: usize| found.get(&at).copied().unwrap_or_default();
        let measured = tables.filter(|_| found.values().all(|counted| counted.cpu.is_some()));
        let cpu_s = measured.map(|tables| {
            let sets = sample.estimate(|at| counted(at).cpu.unwrap_or_default().as_secs_f64());
            Estimate { sum: sets.sum + tables.as_secs_f64(), ..sets }
        });
        Self { solutions: sample.estimate(|at| counted(at).solutions as f64), cpu_s }
    }

    /// The mean of the estimates of several samples, each weighted by its number of column sets.
    pub fn pooled(samples: &[(usize, Self)]) -> Self {
        let solutions: Vec<_> =
            samples.iter().map(|(sets, estimated)| (*sets, estimated.solutions)).collect();
        let cpu_s: Option<Vec<_>> =
            samples.iter().map(|(sets, estimated)| Some((*sets, estimated.cpu_s?))).collect();
        Self { solutions: pooled(&solutions), cpu_s: cpu_s.map(|cpu_s| pooled(&cpu_s)) }
    }
}

/// Why a file is not the result of a shard of a plan.
pub enum NoResult {
    /// It is an intact result of another plan, of the shard with this index there.
    Foreign(usize),
    /// It is truncated, changed, or not a result; the text says why.
    Invalid(String),
}

type Parsed = Result<ShardResult, NoResult>;

impl ShardResult {
    /// Fills in the digest.
    pub fn sealed(self) -> Result<Self, RecordError> {
        Ok(Self { sha256: self.sha256_of_rest()?, ..self })
    }

    fn sha256_of_rest(&self) -> Result<String, RecordError> {
        let bare = Self { sha256: String::new(), ..self.clone() };
        Ok(sha256_hex(serde_json::to_string(&bare)?.as_bytes()))
    }

    /// The text of the result file.
    pub fn to_json(&self) -> Result<String, RecordError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Parses a result; accepts any bytes. `index` is the shard that the name of the file promises.
    pub fn parse(text: &[u8], plan: &ShardPlan, index: Option<usize>) -> Parsed {
        let invalid = NoResult::Invalid;
        let result: Self = serde_json::from_slice(text)
            .map_err(|error| invalid(format!("this is not a complete result: {error}")))?;
        if result.sha256_of_rest().map_err(|error| invalid(error.to_string()))? != result.sha256 {
            return Err(invalid("its digest does not match: the file was changed".to_owned()));
        }
        if result.plan_sha256 != plan.sha256 {
            return Err(NoResult::Foreign(result.index));
        }
        result.check(plan).map_err(invalid)?;
        match index {
            Some(index) if index != result.index => {
                Err(invalid(format!("this is the result of shard {}", result.index)))
            }
            _ => Ok(result),
        }
    }

    /// Checks that the result fits its shard in this plan.
    fn check(&self, plan: &ShardPlan) -> Result<(), String> {
        if self.index >= plan.shards {
            return Err(format!("the plan has no shard {}", self.index));
        }
        if (self.task.as_str(), self.n) != (plan.job.task(), plan.job.n()) {
            return Err("its task or size differs from the plan's".to_owned());
        }
        let expected = plan.len_of(self.index);
        if self.subproblems != expected {
            return Err(format!("it has {} subproblems instead of {expected}", self.subproblems));
        }
        let sweep = matches!(plan.job, Job::Sweep { .. });
        let lex = matches!(plan.job, Job::Lex { .. });
        let sample = matches!(plan.job, Job::Sample { .. });
        let named = self.directory.as_ref().is_some_and(|name| is_plain_name(name));
        let has = (named, self.solutions().is_some(), self.nodes().is_some());
        let fits = has == (sweep, !sweep && !lex && !sample, lex) && self.estimated.is_some() == sample;
        if !fits || self.smaller.is_some() && !lex {
            return Err("keys are missing or do not belong to the task".to_owned());
        }
        if let (Some(_), Job::Lex { n, known, .. }) = (&self.smaller, &plan.job)
            && !self.smaller().is_some_and(|smaller| lex::check(*n, &smaller).is_ok() && smaller < *known)
        {
            return Err(
                "its smaller solution is not a solution, or not smaller than the known one".to_owned()
            );
        }
        if matches!(plan.job, Job::Enumerate { .. }) != self.digest().is_some() {
            return Err("its digest of solutions is missing or unreadable".to_owned());
        }
        Ok(())
    }

    /// Number of solutions, including images under symmetry.
    pub fn solutions(&self) -> Option<u128> {
        self.solutions.as_ref()?.parse().ok()
    }

    /// The digest of the solutions.
    pub fn digest(&self) -> Option<u128> {
        u128::from_str_radix(self.digest.as_ref()?, 16).ok()
    }

    /// The nodes of a search for the first solution.
    pub fn nodes(&self) -> Option<u128> {
        self.nodes.as_ref()?.parse().ok()
    }

    /// A solution that is smaller than the known one.
    pub fn smaller(&self) -> Option<Vec<u16>> {
        queens(self.smaller.as_ref()?)
    }

    /// Whether two results of one shard agree, ignoring times and places. The runs of a sweep are compared
    /// where their tables are read. Two solvers have different trees, of which a sample may have left out parts.
    pub fn agrees(&self, other: &Self) -> bool {
        let estimate = |result: &Self| result.estimated.map(|estimated| estimated.solutions);
        if self.solver == other.solver && estimate(self) != estimate(other) {
            return false;
        }
        let answer = |result: &Self| {
            let Self { index, subproblems, .. } = *result;
            (index, subproblems, result.solutions(), result.digest(), result.nodes(), result.smaller())
        };
        answer(self) == answer(other)
    }

    fn described(&self) -> String {
        let answer = [
            self.solutions.as_ref().map(|number| format!("{number} solutions")),
            self.digest.as_ref().map(|digest| format!("digest {digest}")),
            self.estimated.map(|estimated| format!("estimated {:e} solutions", estimated.solutions.sum)),
            self.nodes.as_ref().map(|number| format!("{number} nodes")),
            self.smaller.as_ref().map(|columns| format!("smaller solution {columns}")),
        ];
        let answer: Vec<String> = answer.into_iter().flatten().collect();
        format!("{} on {} at {}", answer.join(", "), self.host, self.started_at)
    }
}

/// The error for two results of one shard that do not agree.
pub fn disagreement(first: &ShardResult, second: &ShardResult) -> ClusterError {
    ClusterError::disagree(first.index, first.described(), second.described())
}

/// Whether a name stays inside its directory.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

/// The path of a shard's result.
pub fn path(out: &Path, index: usize) -> PathBuf {
    out.join(format!("shard-{index}.json"))
}

/// The shard index in the name of a result file.
pub fn index_in(name: &str) -> Option<usize> {
    name.strip_prefix("shard-")?.strip_suffix(".json")?.parse().ok()
}

/// Reads the result of a shard from its path; `None` if the file does not exist.
fn find(plan: &ShardPlan, index: usize, out: &Path) -> Result<Option<Parsed>, ClusterError> {
    let path = path(out, index);
    match files::read_regular(&path, LARGEST) {
        Ok(text) => Ok(Some(ShardResult::parse(&text, plan, Some(index)))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ClusterError::io(index, &path, error)),
    }
}

/// The valid result of a shard, if it exists; a result of another plan is an error.
pub fn valid(plan: &ShardPlan, index: usize, out: &Path) -> Result<Option<ShardResult>, ClusterError> {
    match find(plan, index, out)? {
        Some(Ok(result)) => Ok(Some(result)),
        Some(Err(NoResult::Foreign(_))) => Err(ClusterError::foreign(index, &path(out, index))),
        Some(Err(NoResult::Invalid(_))) | None => Ok(None),
    }
}

/// The indices of shards without a valid result, ascending, at most `most` of them. A truncated result counts
/// as missing, because running the shard replaces it.
///
/// # Errors
///
/// A result of another plan, because no shard replaces it.
pub fn missing(plan: &ShardPlan, out: &Path, most: usize) -> Result<Vec<usize>, ClusterError> {
    let is_missing = |index: usize| match valid(plan, index, out) {
        Ok(result) => result.is_none().then_some(Ok(index)),
        Err(error) => Some(Err(error)),
    };
    (0..plan.shards).filter_map(is_missing).take(most).collect()
}

/// Publishes a result by renaming a temporary file in `work`, which is on the same file system. If another
/// attempt was first, its result stays and must agree. Returns the result that stays.
pub fn publish(
    result: ShardResult,
    plan: &ShardPlan,
    work: &Path,
    out: &Path,
) -> Result<ShardResult, ClusterError> {
    let (index, path) = (result.index, path(out, result.index));
    let fail = |error: std::io::Error| ClusterError::io(index, &path, error);
    let mut file = tempfile::NamedTempFile::new_in(work).map_err(fail)?;
    file.write_all(result.to_json()?.as_bytes()).map_err(fail)?;
    os::let_others_read(file.as_file()).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    if matches!(find(plan, index, out)?, Some(Err(NoResult::Invalid(_)))) {
        // A crash or a full disk left an invalid file, which is replaced.
        file.persist(&path).map_err(|error| fail(error.error))?;
    } else if let Err(error) = file.persist_noclobber(&path) {
        if let Some(first) = valid(plan, index, out)? {
            if first.agrees(&result) {
                return Ok(first);
            }
            return Err(disagreement(&first, &result));
        }
        // On a file system without such a rename, the ordinary one; two attempts write the same result.
        error.file.persist(&path).map_err(|error| fail(error.error))?;
    }
    // Makes the name survive a crash of the machine; a directory that cannot be synced is not an error.
    let _ = std::fs::File::open(out).and_then(|directory| directory.sync_all());
    Ok(result)
}
