//! The result of a shard: a JSON file under 1 KB, complete or not there.
//!
//! It is written to a temporary file, synced, and gets its name by a rename that replaces nothing: where
//! two attempts end at once, the second finds the first one's result and compares. Its own digest tells
//! a whole file from a truncated one; the plan's digest, whose it is.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{ClusterError, ShardPlan, TaskKind};
use crate::record::{RecordError, sha256_hex};
use crate::{files, os};

/// Results are under 1 KB.
pub(super) const LARGEST: u64 = 1 << 20;

/// The result of a shard; docs/FORMATS.md has its keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct ShardResult {
    pub schema_version: u32,
    pub queenlab_version: String,
    pub plan_sha256: String,
    pub index: usize,
    pub task: TaskKind,
    pub n: Option<usize>,
    pub solver: Option<String>,
    pub subproblems: usize,
    pub solutions: Option<String>,
    pub digest: Option<String>,
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

/// What a file that should be a result is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// A result of this plan.
    Valid(Box<ShardResult>),
    /// A whole result, but of another plan: that of this shard there.
    Foreign(usize),
    /// Truncated, changed, or no result at all; why.
    Invalid(String),
    /// Not there.
    Absent,
}

impl ShardResult {
    /// Fills in the digest.
    pub fn sealed(self) -> Result<Self, RecordError> {
        Ok(Self { sha256: self.sha256_of_rest()?, ..self })
    }

    fn sha256_of_rest(&self) -> Result<String, RecordError> {
        let bare = Self { sha256: String::new(), ..self.clone() };
        Ok(sha256_hex(serde_json::to_string(&bare)?.as_bytes()))
    }

    /// The file's text.
    pub fn to_json(&self) -> Result<String, RecordError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads a result; any bytes may come.
    pub fn parse(text: &[u8], plan: &ShardPlan) -> Read {
        let result: Self = match serde_json::from_slice(text) {
            Ok(result) => result,
            Err(error) => return Read::Invalid(format!("truncated, or no result: {error}")),
        };
        match result.sha256_of_rest() {
            Ok(sha256) if sha256 == result.sha256 => {}
            Ok(_) => return Read::Invalid("its digest does not fit: it was changed".to_owned()),
            Err(error) => return Read::Invalid(error.to_string()),
        }
        if result.plan_sha256 != plan.sha256 {
            return Read::Foreign(result.index);
        }
        match result.check(plan) {
            Ok(()) => Read::Valid(Box::new(result)),
            Err(reason) => Read::Invalid(reason),
        }
    }

    /// Whether it is what this plan's shard must come to.
    fn check(&self, plan: &ShardPlan) -> Result<(), String> {
        if self.index >= plan.shards {
            return Err(format!("the plan has no shard {}", self.index));
        }
        if (self.task, self.n) != (plan.task, plan.n) {
            return Err("its task or size is not the plan's".to_owned());
        }
        let expected = plan.len_of(self.index);
        if self.subproblems != expected {
            return Err(format!("it has {} subproblems instead of {expected}", self.subproblems));
        }
        let sweep = plan.task == TaskKind::Sweep;
        let named = self.directory.as_ref().is_some_and(|name| is_plain_name(name));
        if named != sweep || self.solutions().is_none() != sweep {
            return Err("keys are missing or do not fit the task".to_owned());
        }
        if (plan.task == TaskKind::Enumerate) != self.digest().is_some() {
            return Err("its digest of solutions is missing or unreadable".to_owned());
        }
        Ok(())
    }

    /// Solutions of its subproblems, images under symmetry included.
    pub fn solutions(&self) -> Option<u128> {
        self.solutions.as_ref()?.parse().ok()
    }

    /// Sum of the solutions' hashes.
    pub fn digest(&self) -> Option<u128> {
        u128::from_str_radix(self.digest.as_ref()?, 16).ok()
    }

    /// Whether two results of one shard say the same, times and places aside. What a sweep's runs
    /// found is compared where their tables are read.
    pub fn agrees(&self, other: &Self) -> bool {
        let said = |result: &Self| (result.index, result.subproblems, result.solutions(), result.digest());
        said(self) == said(other)
    }

    fn told(&self) -> String {
        let solutions = self.solutions.as_deref().unwrap_or("-");
        let digest = self.digest.as_deref().map_or(String::new(), |digest| format!(", digest {digest}"));
        format!("{solutions} solutions{digest} on {} at {}", self.host, self.started_at)
    }
}

/// Two results of one shard that do not agree.
pub fn disagreement(first: &ShardResult, second: &ShardResult) -> ClusterError {
    ClusterError::Disagree { index: first.index, first: first.told(), second: second.told() }
}

/// A name that leads nowhere else.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

/// Where the result of a shard belongs.
pub fn path(out: &Path, index: usize) -> PathBuf {
    out.join(format!("shard-{index}.json"))
}

/// The shard whose result a file name promises.
pub fn index_in(name: &str) -> Option<usize> {
    name.strip_prefix("shard-")?.strip_suffix(".json")?.parse().ok()
}

/// Reads the result of a shard where it belongs.
pub fn find(plan: &ShardPlan, index: usize, out: &Path) -> Result<Read, ClusterError> {
    let path = path(out, index);
    match files::read_regular(&path, LARGEST) {
        Ok(text) => Ok(match ShardResult::parse(&text, plan) {
            Read::Valid(result) if result.index != index => {
                Read::Invalid(format!("it is the result of shard {}", result.index))
            }
            read => read,
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Read::Absent),
        Err(error) => Err(ClusterError::io(index, &path, error)),
    }
}

/// The valid result of a shard, if there is one; a result of another plan is an error.
pub fn valid(plan: &ShardPlan, index: usize, out: &Path) -> Result<Option<ShardResult>, ClusterError> {
    match find(plan, index, out)? {
        Read::Valid(result) => Ok(Some(*result)),
        Read::Foreign(_) => Err(ClusterError::Foreign { index, path: path(out, index) }),
        Read::Invalid(_) | Read::Absent => Ok(None),
    }
}

/// Gives a result its place, by way of a temporary file in `work`, which is on the same file system.
/// Where another attempt was first, that one's result stays and must agree. Returns the one that stays.
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
    if matches!(find(plan, index, out)?, Read::Invalid(_)) {
        // What a crash or a full disk left in its place.
        file.persist(&path).map_err(|error| fail(error.error))?;
    } else if let Err(error) = file.persist_noclobber(&path) {
        if let Some(first) = valid(plan, index, out)? {
            if first.agrees(&result) {
                return Ok(first);
            }
            return Err(disagreement(&first, &result));
        }
        // A file system without such a rename: the ordinary one, which two may do with the same result.
        error.file.persist(&path).map_err(|error| fail(error.error))?;
    }
    // So that the name survives a crash of the machine; what cannot be synced is no error.
    let _ = std::fs::File::open(out).and_then(|directory| directory.sync_all());
    Ok(result)
}
