//! One shard, to its end: what earlier attempts finished is taken over, the rest is searched, the
//! result published. Running a shard that has its result does nothing.
//!
//! `DIR/shard-3.json` is the result of shard 3; `DIR/shard-3.work/` holds what attempts leave on their
//! way, and goes with the result. An attempt whose files vanish was overtaken: the result is there.

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

/// How a shard is run.
pub struct Options<'a, R> {
    /// Where results are collected.
    pub out: &'a Path,
    /// The solvers that a sweep's plan may name.
    pub registry: &'a Registry,
    /// Threads of a count or an enumeration.
    pub threads: NonZeroUsize,
    /// queenlab itself, for the runs of a sweep.
    pub executable: &'a Path,
    /// The command line, for the record of a sweep.
    pub argv: Vec<String>,
    /// Who runs the cells of a sweep.
    pub runners: &'a mut [R],
    /// Breaks a sweep off when it becomes true.
    pub cancel: &'a AtomicBool,
    /// Hears of a sweep's runs.
    pub observer: &'a mut dyn Observer,
}

/// How a shard came to its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It was there already.
    Before(ShardResult),
    /// It was found now.
    Now(ShardResult),
}

/// Runs a shard, or what is left of it.
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
            // What stays behind harms nobody.
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

/// A shard of a count or an enumeration.
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
        return Err(fail(format!("{} of {} subproblems are done", done.len(), plan.len_of(index))));
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

/// A result without what was found.
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

/// The counter with the kernel that this machine chose.
fn ran_by(plan: &ShardPlan) -> String {
    match plan.partition {
        Partition::ColumnSets => format!("count/{}", plan.kernel().name()),
        _ => format!("count/block ({})", plan.kernel().name()),
    }
}

/// What is done, in memory and in the log.
struct Diary {
    log: Mutex<Log>,
    /// With the first failure of the log.
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
        let reason = "cuts the board differently than this build does".to_owned();
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

/// A prefix that is still to be searched.
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

/// Searches below one prefix, for its mirror image too.
fn below(
    kernel: Kernel,
    block: &mut Block,
    n: usize,
    prefix: &Pending,
    boards: bool,
) -> Result<Found, String> {
    if n == 0 {
        // The empty board is its only solution.
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
