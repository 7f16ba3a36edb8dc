//! Runs one shard to its end: takes over the subproblems that earlier attempts finished, searches the rest,
//! and publishes the result. Running a shard that has a result does nothing.
//!
//! `DIR/shard-3.json` is the result of shard 3. `DIR/shard-3.work/` holds the files of attempts and is
//! removed when the result exists. If the files of an attempt disappear, another attempt has published the
//! result.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::log::{self, Done, Found, Log};
use super::outcome::{self, ShardResult};
use super::{ClusterError, Partition, ShardPlan, TaskKind, cells, prefixes};
use crate::count::Kernel;
use crate::count::block::Block;
use crate::count::column_set::Tuning;
use crate::count::parallel::{Method, RunError, Share};
use crate::experiment::machine;
use crate::experiment::runner::{Observer, Runner};
use crate::os;
use crate::record::{SCHEMA_VERSION, nanoseconds};
use crate::registry::Registry;
use crate::solver::Budget;
use crate::solver::sink::hash;

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
    match plan.partition {
        Partition::ColumnSets => count_column_sets(plan, index, options.threads, &diary)?,
        _ => search_prefixes(plan, index, options.threads, &diary)?,
    }
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

fn count_column_sets(
    plan: &ShardPlan,
    index: usize,
    threads: NonZeroUsize,
    diary: &Diary,
) -> Result<(), ClusterError> {
    let n = plan.n.unwrap_or(0);
    let fail = |RunError(reason)| ClusterError::Shard { index, reason };
    let share = Share { index, of: plan.shards };
    if (index..plan.subproblems).step_by(plan.shards).all(|subproblem| diary.has(subproblem)) {
        return Ok(());
    }
    let board = plan.kernel().open_with(n, Method::Meet, Tuning::for_size(n), threads).map_err(fail)?;
    if board.subproblems() != plan.subproblems {
        let reason = "splits the board differently than this build does".to_owned();
        return Err(ClusterError::Version { reason });
    }
    let skip = |subproblem| diary.has_failed() || diary.has(subproblem);
    board
        .run(share, &Budget::unlimited(), &skip, &|finished| {
            diary.add(finished.subproblem, Found { solutions: finished.solutions, digest: None });
        })
        .map_err(fail)?;
    Ok(())
}

/// A prefix that has not been searched yet.
struct Pending {
    subproblem: usize,
    columns: Vec<u16>,
    weight: u64,
}

fn search_prefixes(
    plan: &ShardPlan,
    index: usize,
    threads: NonZeroUsize,
    diary: &Diary,
) -> Result<(), ClusterError> {
    let (n, depth) = (plan.n.unwrap_or(0), plan.depth.unwrap_or(0));
    let mut pending = Vec::new();
    let _ = prefixes::each(n, depth, &mut |subproblem, columns, weight| {
        if subproblem % plan.shards == index && !diary.has(subproblem) {
            pending.push(Pending { subproblem, columns: columns.to_vec(), weight });
        }
        ControlFlow::Continue(())
    });
    let boards = plan.task == TaskKind::Enumerate;
    let (kernel, next, failed) = (plan.kernel(), AtomicUsize::new(0), Mutex::new(None));
    let work = || {
        let mut block = Block::new(n.max(1));
        while let Some(prefix) = pending.get(next.fetch_add(1, Ordering::Relaxed)) {
            match below(kernel, &mut block, n, prefix, boards) {
                Ok(found) => diary.add(prefix.subproblem, found),
                Err(reason) => *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason),
            }
            if diary.has_failed() || failed.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.get().min(pending.len()) {
            scope.spawn(work);
        }
        work();
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(reason) => Err(ClusterError::Shard { index, reason }),
        None => Ok(()),
    }
}

/// Searches below one prefix, and counts the solutions of its mirror image too.
fn below(
    kernel: Kernel,
    block: &mut Block,
    n: usize,
    prefix: &Pending,
    boards: bool,
) -> Result<Found, String> {
    if n == 0 {
        // The only solution for n = 0 is the empty board.
        return Ok(Found { solutions: 1, digest: boards.then(|| hash(&[])) });
    }
    block.fix(&prefix.columns);
    let mut digest = 0_u128;
    let (mut board, mut image) = (vec![0; n], vec![0; n]);
    let mut batch = |block: &Block| {
        for solution in 0..block.solutions() {
            block.read(solution, &mut board);
            digest = digest.wrapping_add(hash(&board));
            if prefix.weight == 2 {
                for (to, from) in image.iter_mut().zip(&board) {
                    *to = n as u16 - 1 - from;
                }
                digest = digest.wrapping_add(hash(&image));
            }
        }
        true
    };
    let found = kernel.search(block, if boards { Some(&mut batch) } else { None })?;
    let solutions = found.checked_mul(prefix.weight);
    let solutions =
        solutions.ok_or_else(|| format!("subproblem {} has 2^64 solutions or more", prefix.subproblem))?;
    Ok(Found { solutions, digest: boards.then_some(digest) })
}
