//! Runs one shard to its end: takes over the subproblems that earlier attempts finished, searches the rest,
//! and publishes the result. Running a shard that has a result does nothing.
//!
//! `DIR/shard-3.json` is the result of shard 3. `DIR/shard-3.work/` holds the files of attempts and is
//! removed when the result exists. If the files of an attempt disappear, another attempt has published the
//! result.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::log::{self, Done, Found, Log};
use super::outcome::{self, ShardResult};
use super::{ClusterError, Partition, ShardPlan, TaskKind, cells};
use crate::count::{Finished, Method, Problem, RunError, Share, Tuning};
use crate::experiment::machine;
use crate::experiment::runner::{Observer, Runner};
use crate::os;
use crate::record::{SCHEMA_VERSION, nanoseconds};
use crate::registry::Registry;
use crate::solver::Budget;

/// Options of [`run`].
pub struct Options<'a, R> {
    /// The directory that collects the results.
    pub out: &'a Path,
    /// The solvers that a sweep's plan may name.
    pub registry: &'a Registry,
    /// Threads of a count or an enumeration.
    pub threads: NonZeroUsize,
    /// The queenlab executable, for the runs of a sweep.
    pub executable: &'a Path,
    /// The command line, for the record of a sweep.
    pub argv: Vec<String>,
    /// The runners for the cells of a sweep.
    pub runners: &'a mut [R],
    /// Setting this to true interrupts a sweep.
    pub cancel: &'a AtomicBool,
    /// Receives the progress of a sweep.
    pub observer: &'a mut dyn Observer,
}

/// How the result of a shard was obtained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// The result existed already.
    Before(ShardResult),
    /// The shard was run now.
    Now(ShardResult),
}

/// Runs the subproblems of a shard that are not done yet, and publishes its result.
pub fn run<R: Runner + Send>(
    plan: &ShardPlan,
    index: usize,
    options: &mut Options<'_, R>,
) -> Result<Ran, ClusterError> {
    plan.check_index(index)?;
    let out = options.out;
    std::fs::create_dir_all(out).map_err(|error| ClusterError::io(index, out, error))?;
    if let Some(result) = outcome::valid(plan, index, out)? {
        return Ok(Ran::Before(result));
    }
    let work = out.join(format!("shard-{index}.work"));
    let attempt = std::fs::create_dir_all(&work).map_err(|error| ClusterError::io(index, &work, error));
    let attempt = attempt.and_then(|()| match plan.partition {
        Partition::Cells => cells::run(plan, index, &work, options),
        Partition::ColumnSets | Partition::Prefixes => search(plan, index, &work, options),
    });
    match attempt {
        Ok(result) => {
            // Files that cannot be removed do no harm.
            let _ = std::fs::remove_dir_all(&work);
            Ok(Ran::Now(result))
        }
        Err(error @ (ClusterError::Disagree { .. } | ClusterError::Foreign { .. })) => Err(error),
        Err(error) => match outcome::valid(plan, index, out) {
            Ok(Some(result)) => Ok(Ran::Before(result)),
            _ => Err(error),
        },
    }
}

/// Runs a shard of a count or an enumeration.
fn search<R: Runner + Send>(
    plan: &ShardPlan,
    index: usize,
    work: &Path,
    options: &Options<'_, R>,
) -> Result<ShardResult, ClusterError> {
    plan.check_partition(None)?;
    let started_at = machine::now();
    let (started, cpu) = (Instant::now(), os::cpu_time());
    let done = log::read(work, plan, index)?;
    let resumed = done.len();
    let diary = Diary { log: Mutex::new(Log::begin(work, plan, index)?), done: Mutex::new((done, None)) };
    subproblems(plan, index, options.threads, &diary)?;
    let (done, failed) = diary.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let fail = |reason: String| ClusterError::Shard { index, reason };
    if let Some(reason) = failed {
        return Err(fail(reason));
    }
    if done.len() != plan.len_of(index) {
        return Err(fail(format!("only {} of {} subproblems are done", done.len(), plan.len_of(index))));
    }
    let solutions: u128 = done.values().map(|found| u128::from(found.solutions)).sum();
    let digest = done.values().try_fold(0_u128, |sum, found| Some(sum.wrapping_add(found.digest?)));
    let result = ShardResult {
        n: plan.n,
        solver: Some(ran_by(plan)),
        subproblems: done.len(),
        solutions: Some(solutions.to_string()),
        digest: digest.filter(|_| plan.task == TaskKind::Enumerate).map(|sum| format!("{sum:032x}")),
        started_at,
        resumed,
        threads: options.threads.get(),
        wall_ns: nanoseconds(started.elapsed()),
        cpu_ns: cpu.zip(os::cpu_time()).map(|(before, now)| nanoseconds(now.saturating_sub(before))),
        ..blank(plan, index)
    };
    outcome::publish(result.sealed()?, plan, work, options.out)
}

/// A result without any findings.
pub(super) fn blank(plan: &ShardPlan, index: usize) -> ShardResult {
    ShardResult {
        schema_version: SCHEMA_VERSION,
        queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
        plan_sha256: plan.sha256.clone(),
        index,
        task: plan.task,
        n: None,
        solver: None,
        subproblems: 0,
        solutions: None,
        digest: None,
        directory: None,
        runs_sha256: None,
        levels_sha256: None,
        host: machine::machine().host.chars().take(64).collect(),
        started_at: String::new(),
        resumed: 0,
        threads: 1,
        wall_ns: 0,
        cpu_ns: None,
        sha256: String::new(),
    }
}

/// The counter, with the kernel that this machine uses.
fn ran_by(plan: &ShardPlan) -> String {
    match plan.partition {
        Partition::ColumnSets => format!("count/{}", plan.kernel().name()),
        _ => format!("count/block ({})", plan.kernel().name()),
    }
}

/// The finished subproblems, in memory and in the log.
struct Diary {
    log: Mutex<Log>,
    /// The finished subproblems, and the first failure to write the log.
    done: Mutex<(Done, Option<String>)>,
}

impl Diary {
    fn has(&self, subproblem: usize) -> bool {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).0.contains_key(&subproblem)
    }

    fn has_failed(&self) -> bool {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).1.is_some()
    }

    fn add(&self, subproblem: usize, found: Found) {
        let written = self.log.lock().unwrap_or_else(PoisonError::into_inner).append(subproblem, found);
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        match written {
            Ok(()) => drop(done.0.insert(subproblem, found)),
            Err(reason) => drop(done.1.get_or_insert(reason)),
        }
    }
}

/// Searches the subproblems of a shard that the log does not have yet.
fn subproblems(
    plan: &ShardPlan,
    index: usize,
    threads: NonZeroUsize,
    diary: &Diary,
) -> Result<(), ClusterError> {
    if (index..plan.subproblems).step_by(plan.shards).all(|subproblem| diary.has(subproblem)) {
        return Ok(());
    }
    let n = plan.n.unwrap_or(0);
    let method = match plan.partition {
        Partition::ColumnSets => Method::Meet(Tuning::for_size(n)),
        _ => Method::Block { depth: plan.depth.unwrap_or(0), digest: plan.task == TaskKind::Enumerate },
    };
    let fail = |RunError(reason)| ClusterError::Shard { index, reason };
    let board = Problem { n, kernel: plan.kernel(), method, threads }.open().map_err(fail)?;
    if board.subproblems() != plan.subproblems {
        let reason = "splits the board differently than this build does".to_owned();
        return Err(ClusterError::Version { reason });
    }
    let share = Share { index, of: plan.shards };
    let skip = |subproblem| diary.has_failed() || diary.has(subproblem);
    board
        .run(share, &Budget::unlimited(), &skip, &|Finished { subproblem, solutions, digest }| {
            diary.add(subproblem, Found { solutions, digest });
        })
        .map_err(fail)?;
    Ok(())
}
