//! A shard of a sweep: every K-th cell of its plan, run in an ordinary result directory.
//!
//! An attempt begins with a copy of the files of the earlier attempt that got furthest, and resumes from it
//! as any sweep does. The finished directory gets a unique name, which the shard's result records.

use std::io;
use std::path::{Path, PathBuf};

use super::outcome::ShardResult;
use super::shard::{self, Ran};
use super::{ClusterError, ShardPlan};
use crate::experiment::plan::{Plan, Run};
use crate::experiment::{ExperimentError, Results};
use crate::record::{LevelRow, Log, Meta, ResultDir, Row, Table, sha256_hex};
use crate::registry::Registry;
use crate::{files, os};

/// The files that a later attempt takes over and that a merge reads.
pub const FILES: [&str; 3] = [Row::FILE, LevelRow::FILE, Meta::FILE];

/// The part of an experiment that belongs to one shard: every K-th cell, with its runs in plan order.
pub fn part(experiment: &Plan, shard: &ShardPlan, index: usize) -> Plan {
    let own = |cell: usize| cell % shard.shards == index;
    let cells = experiment.cells.iter().enumerate().filter(|&(cell, _)| own(cell));
    let runs = experiment.runs.iter().filter(|run| own(run.cell));
    Plan {
        cells: cells.map(|(_, cell)| cell.clone()).collect(),
        runs: runs.map(|run| Run { cell: run.cell / shard.shards, ..run.clone() }).collect(),
        ..experiment.clone()
    }
}

/// Runs a shard of a sweep: the cells that no earlier attempt finished. `run` carries out a plan in a result
/// directory by [`crate::experiment::run`]; it should accept a directory of another machine, because a repeated
/// task may run on another node.
pub fn sweep(
    plan: &ShardPlan,
    index: usize,
    out: &Path,
    registry: &Registry,
    run: impl FnOnce(&Plan, &Path) -> Result<(Results, ResultDir), ExperimentError>,
) -> Result<Ran, ClusterError> {
    let mut home = None;
    let ran = shard::run(plan, index, out, |work, blank| {
        let experiment = plan.experiment(registry)?;
        let experiment =
            experiment.ok_or_else(|| ClusterError::Request("the plan is not that of a sweep".to_owned()))?;
        let part = part(&experiment, plan, index);
        let directory = begin(work, index)?;
        let ran = run(&part, &directory);
        let results = ran.map_err(|error| ClusterError::Experiment { index, error })?.0;
        if results.interrupted {
            return Err(ClusterError::Interrupted { index });
        }
        let [runs_sha256, levels_sha256, _] = seal(&directory, index)?.map(Some);
        let attempt = directory.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("shard-{index}.{attempt}");
        let own = out.join(&name);
        std::fs::rename(&directory, &own).map_err(|error| ClusterError::io(index, &own, error))?;
        home = Some((name.clone(), own));
        let (subproblems, resumed, directory) = (part.cells.len(), results.done_before, Some(name));
        Ok(ShardResult { subproblems, directory, runs_sha256, levels_sha256, resumed, ..blank })
    });
    if let Some((name, own)) = home
        && !matches!(&ran, Ok(Ran::Now(kept) | Ran::Before(kept)) if kept.directory.as_ref() == Some(&name))
    {
        // Another attempt was first, or publishing failed: no result names this directory.
        let _ = std::fs::remove_dir_all(own);
    }
    ran
}

/// Creates a directory for this attempt, with the files of the earlier attempt that got furthest.
fn begin(work: &Path, index: usize) -> Result<PathBuf, ClusterError> {
    let fail = |error: io::Error| ClusterError::io(index, work, error);
    let own = tempfile::Builder::new().prefix("attempt-").tempdir_in(work).map_err(fail)?.keep();
    os::let_others_enter(&own).map_err(fail)?;
    let mut furthest: Option<(usize, PathBuf)> = None;
    for entry in std::fs::read_dir(work).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path == own {
            continue;
        }
        // A missing or unreadable table has nothing to take over.
        let text = files::read_regular(&path.join(Row::FILE), u64::MAX).unwrap_or_default();
        let lines = text.iter().filter(|&&byte| byte == b'\n').count();
        if lines > furthest.as_ref().map_or(1, |&(most, _)| most) {
            furthest = Some((lines, path));
        }
    }
    if let Some((_, earlier)) = furthest
        && take_over(&earlier, &own).is_none()
    {
        for file in FILES {
            let _ = std::fs::remove_file(own.join(file));
        }
    }
    Ok(own)
}

/// Copies an attempt's files and repairs the copies, never the originals, because another process may still
/// write them. The rows are copied first, so that their levels, which are older, are present. `None` if the
/// files are bad.
fn take_over(earlier: &Path, own: &Path) -> Option<()> {
    for file in FILES {
        let mut from = files::open_regular(&earlier.join(file)).ok()?;
        io::copy(&mut from, &mut std::fs::File::create(own.join(file)).ok()?).ok()?;
    }
    Log::<Row>::open(own).ok()?;
    Log::<LevelRow>::open(own).ok()?;
    Meta::read(own).ok()??;
    Some(())
}

/// Flushes the files to disk and returns their digests.
fn seal(directory: &Path, index: usize) -> Result<[String; 3], ClusterError> {
    let mut digests = FILES.map(|_| String::new());
    for (file, digest) in FILES.iter().zip(&mut digests) {
        let path = directory.join(file);
        let text =
            std::fs::File::open(&path).and_then(|file| file.sync_all()).and_then(|()| std::fs::read(&path));
        *digest = sha256_hex(&text.map_err(|error| ClusterError::io(index, &path, error))?);
    }
    Ok(digests)
}
