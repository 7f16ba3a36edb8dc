//! Runs one shard to its end, whatever its job is, and publishes the result. Running a shard that has a
//! result does nothing.
//!
//! `DIR/shard-3.json` is the result of shard 3. `DIR/shard-3.work/` holds the files of attempts and is
//! removed when the result exists. If the files of an attempt disappear, another attempt has published the
//! result.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use super::log::joined;
use super::outcome::{self, Estimated, ShardResult};
use super::search::{Search, TOO_MANY};
use super::{ClusterError, Job, Partition, ShardPlan};
use crate::count::Kernel;
use crate::experiment::machine;
use crate::os;
use crate::record::{SCHEMA_VERSION, nanoseconds};
use crate::solver::Budget;

/// How the result of a shard was obtained.
#[derive(Clone, Debug, PartialEq)]
pub enum Ran {
    /// The result existed already.
    Before(ShardResult),
    /// The shard was run now.
    Now(ShardResult),
}

/// Runs a shard of a search: searches the subproblems that no earlier attempt finished.
pub fn search(
    plan: &ShardPlan,
    index: usize,
    out: &Path,
    threads: NonZeroUsize,
) -> Result<Ran, ClusterError> {
    run(plan, index, out, |work, blank| {
        let fail = |reason: String| ClusterError::shard(index, reason);
        plan.check_partition(None)?;
        let mut search = Search::attempt(plan, index, work)?;
        let resumed = search.tally().finished;
        let kernel = plan.job.kernel();
        let mut estimated = None;
        if let Job::Sample { .. } = plan.job {
            estimated = Some(sample(&mut search, kernel, threads).map_err(fail)?);
        } else if search.tally().is_complete() {
        } else if let Job::Lex { .. } = plan.job {
            search.run_lex(threads).map_err(fail)?;
        } else {
            let board = search.open(kernel, threads).map_err(fail)?;
            search.run(&board, &Budget::unlimited(), &mut |_, _| {}).map_err(fail)?;
        }
        let tally = search.tally();
        if !tally.is_complete() {
            let reason = format!("only {} of {} subproblems are done", tally.finished, tally.done.len());
            return Err(fail(reason));
        }
        let solver = match (&plan.job, plan.job.board()) {
            (Job::Lex { .. }, _) => "backtrack/lex".to_owned(),
            (_, Some((_, Partition::ColumnSets))) => format!("count/{}", kernel.name()),
            _ => format!("count/block ({})", kernel.name()),
        };
        let result = ShardResult {
            solver: Some(solver),
            subproblems: tally.finished,
            resumed,
            threads: threads.get(),
            ..blank
        };
        let number = Some(tally.number.to_string());
        Ok(match plan.job {
            Job::Lex { .. } => {
                ShardResult { nodes: number, smaller: tally.smaller.as_deref().map(joined), ..result }
            }
            Job::Sample { .. } => ShardResult { estimated, ..result },
            Job::Enumerate { .. } => {
                ShardResult { solutions: number, digest: Some(format!("{:032x}", tally.digest)), ..result }
            }
            _ => ShardResult { solutions: number, ..result },
        })
    })
}

/// Counts the sample of a shard, and estimates the whole from it.
fn sample(search: &mut Search<'_>, kernel: Kernel, threads: NonZeroUsize) -> Result<Estimated, String> {
    let before = os::cpu_time();
    let mut board = search.open(kernel, threads)?;
    let tables = before.zip(os::cpu_time()).map(|(before, now)| now.saturating_sub(before));
    let sample = search.draw(&mut board).ok_or(TOO_MANY)?;
    search.run_sample(&board, &sample, &Budget::unlimited(), &mut |_, _| {})?;
    Ok(Estimated::new(&sample, &search.sampled(&sample), tables))
}

/// Makes an attempt at a shard, unless it has a result, and publishes its result. `attempt` receives the
/// working directory and a result without any findings, and fills it in.
pub(super) fn run(
    plan: &ShardPlan,
    index: usize,
    out: &Path,
    attempt: impl FnOnce(&Path, ShardResult) -> Result<ShardResult, ClusterError>,
) -> Result<Ran, ClusterError> {
    if index >= plan.shards {
        let last = plan.shards - 1;
        return Err(ClusterError::Request(format!(
            "there is no shard {index}: the plan has shards 0 to {last}"
        )));
    }
    std::fs::create_dir_all(out).map_err(|error| ClusterError::io(index, out, error))?;
    if let Some(result) = outcome::valid(plan, index, out)? {
        return Ok(Ran::Before(result));
    }
    let work = out.join(format!("shard-{index}.work"));
    let (started, cpu) = (Instant::now(), os::cpu_time());
    let blank = ShardResult {
        schema_version: SCHEMA_VERSION,
        queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
        plan_sha256: plan.sha256.clone(),
        index,
        task: plan.job.task().to_owned(),
        n: plan.job.n(),
        host: machine::machine().host.chars().take(64).collect(),
        started_at: machine::now(),
        threads: 1,
        ..ShardResult::default()
    };
    let published = std::fs::create_dir_all(&work)
        .map_err(|error| ClusterError::io(index, &work, error))
        .and_then(|()| attempt(&work, blank))
        .and_then(|found| {
            let result = ShardResult {
                wall_ns: nanoseconds(started.elapsed()),
                cpu_ns: cpu.zip(os::cpu_time()).map(|(before, now)| nanoseconds(now.saturating_sub(before))),
                ..found
            };
            outcome::publish(result.sealed()?, plan, &work, out)
        });
    let ran = match published {
        Ok(result) => Ran::Now(result),
        Err(error @ (ClusterError::Wrong(_) | ClusterError::Foreign(_))) => return Err(error),
        Err(error) => match outcome::valid(plan, index, out) {
            Ok(Some(result)) => Ran::Before(result),
            _ => return Err(error),
        },
    };
    // Also after another attempt was first: its removal may have failed because of the files of this one. Files that cannot be
    // removed do no harm.
    let _ = std::fs::remove_dir_all(&work);
    Ok(ran)
}
