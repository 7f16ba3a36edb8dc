//! Merges the shards, each exactly once, into a total or an ordinary result directory.
//!
//! Every `shard-*.json` of the directory is read, including copies from other nodes. A file that is not a
//! result, or belongs to another plan, is reported by name; repeated results must agree. Sums are u128 and
//! are checked against A000170.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::log::joined;
use super::outcome::{self, Estimated, LARGEST, NoResult, ShardResult};
use super::{ClusterError, Job, ShardPlan, cells, ranges};
use crate::board::known;
use crate::experiment::plan::Plan;
use crate::experiment::runner::done;
use crate::experiment::stored;
use crate::files;
use crate::record::{
    LevelRow, Meta, RecordError, ResultDir, Row, SCHEMA_VERSION, sha256_hex, table, write_derived,
};
use crate::registry::Registry;
use crate::words::counted;

/// The merged result directory of a sweep, inside the directory of the shards.
pub const SWEEP_DIRECTORY: &str = "merged";

/// The file that a successful merge writes beside the shards.
const FILE: &str = "merged.json";

/// The result of a merge, as in `merged.json`; docs/FORMATS.md describes its keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct Summary {
    pub schema_version: u32,
    pub plan_sha256: String,
    pub task: String,
    pub n: Option<usize>,
    pub shards: usize,
    pub repeats: usize,
    pub solutions: Option<String>,
    pub digest: Option<String>,
    pub estimated: Option<Estimated>,
    pub nodes: Option<String>,
    pub first: Option<String>,
    pub expected_solutions: Option<String>,
    pub expected_source: Option<String>,
    pub cpu_ns: Option<u64>,
    pub imbalance: Option<f64>,
    pub directory: Option<String>,
}

/// The result of a merge.
#[derive(Debug)]
pub struct Merged {
    /// The content of `merged.json`.
    pub summary: Summary,
    /// The total number of solutions of a count or an enumeration.
    pub total: Option<u128>,
    /// The tables of a sweep, with the lock of their directory.
    pub sweep: Option<Tables>,
}

/// The tables of a merged sweep.
#[derive(Debug)]
pub struct Tables {
    /// The whole plan.
    pub plan: Plan,
    /// Every row, in plan order.
    pub rows: Vec<Row>,
    /// Every level.
    pub levels: Vec<LevelRow>,
    /// The result directory.
    pub directory: ResultDir,
}

/// Merges the shards of a plan from the directory `out`.
///
/// # Errors
///
/// Missing or invalid results, results of another plan, results that disagree, or a total that is not the
/// published one.
pub fn merge(plan: &ShardPlan, out: &Path, registry: &Registry) -> Result<Merged, ClusterError> {
    let results = collect(plan, out)?;
    // The CPU time of an attempt that was killed is unknown.
    let known_cpu = |result: &ShardResult| result.cpu_ns.filter(|_| result.resumed == 0);
    let add = |sum: u64, result| sum.checked_add(known_cpu(result)?);
    let cpu_ns = results.iter().flatten().try_fold(0, add);
    let mut summary = Summary {
        schema_version: SCHEMA_VERSION,
        plan_sha256: plan.sha256.clone(),
        task: plan.job.task().to_owned(),
        n: plan.job.n(),
        shards: plan.shards,
        repeats: results.iter().map(|same| same.len() - 1).sum(),
        cpu_ns,
        ..Summary::default()
    };
    let (mut total, mut tables) = (None, None);
    if let Some(experiment) = plan.experiment(registry)? {
        tables = Some(sweep(plan, experiment, out, &results)?);
        summary.directory = Some(SWEEP_DIRECTORY.to_owned());
    } else if let Job::Sample { .. } = plan.job {
        let of_shard = |same: &Vec<ShardResult>| Some((same[0].subproblems, same[0].estimated?));
        let samples: Vec<_> = results.iter().filter_map(of_shard).collect();
        summary.estimated = Some(Estimated::pooled(&samples));
    } else if let Job::Lex { known, .. } = &plan.job {
        if let Some(smaller) = results.iter().filter_map(|same| same[0].smaller()).min() {
            let smaller = joined(&smaller);
            return Err(ClusterError::Failed(format!(
                "the known solution is not the first: {smaller} is smaller; make a new plan with --known {smaller} and \
                 choose a new --out"
            )));
        }
        let nodes: u128 = results.iter().filter_map(|same| same[0].nodes()).sum();
        summary.nodes = Some(nodes.to_string());
        summary.first = Some(joined(known));
    } else {
        let (solutions, digest) = sum(plan, &results)?;
        total = Some(solutions);
        summary.solutions = Some(solutions.to_string());
        summary.digest = digest.map(|digest| format!("{digest:032x}"));
        let published = summary.n.and_then(known::solutions);
        summary.expected_solutions = published.map(|published| published.to_string());
        summary.expected_source = published.map(|_| known::SOLUTIONS_SOURCE.to_owned());
    }
    if tables.is_none() {
        summary.imbalance = cpu_ns.and_then(|_| imbalance(&results));
    }
    let text = serde_json::to_string_pretty(&summary).map_err(RecordError::Json)? + "\n";
    write_derived(&out.join(FILE), text.as_bytes())?;
    Ok(Merged { summary, total, sweep: tables })
}

/// Reads every result, by index, each with its repeats. Fails unless each index has one, and all results of
/// one index agree.
fn collect(plan: &ShardPlan, out: &Path) -> Result<Vec<Vec<ShardResult>>, ClusterError> {
    let fail = |error: std::io::Error| RecordError::Io { path: out.to_owned(), error };
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(out).map_err(fail)? {
        let name = entry.map_err(fail)?.file_name().to_string_lossy().into_owned();
        if name.starts_with("shard-") && name.ends_with(".json") {
            names.insert(name);
        }
    }
    let mut results: Vec<Vec<ShardResult>> = vec![Vec::new(); plan.shards];
    let mut invalid = Vec::new();
    for name in names {
        let path = out.join(&name);
        let promised = outcome::index_in(&name);
        let text = files::read_regular(&path, LARGEST)
            .map_err(|error| RecordError::Io { path: path.clone(), error })?;
        match ShardResult::parse(&text, plan, promised) {
            Ok(result) => {
                let same = &mut results[result.index];
                if let Some(first) = same.first().filter(|first| !first.agrees(&result)) {
                    return Err(outcome::disagreement(first, &result));
                }
                same.push(result);
            }
            Err(NoResult::Foreign(index)) => {
                return Err(ClusterError::foreign(promised.unwrap_or(index), &path));
            }
            Err(NoResult::Invalid(reason)) => {
                let shard = promised.map_or(String::new(), |index| format!("shard {index}: "));
                invalid.push(format!("\n  {shard}{}: {reason}", path.display()));
            }
        }
    }
    let missing: Vec<usize> = (0..plan.shards).filter(|&index| results[index].is_empty()).collect();
    if !missing.is_empty() || !invalid.is_empty() {
        if let Some(more) = invalid.len().checked_sub(5).filter(|&more| more > 0) {
            invalid.splice(5.., [format!("\n  and {more} more")]);
        }
        let (found, shards, invalid) = (missing.len(), plan.shards, invalid.concat());
        let missing = ranges(&missing);
        return Err(ClusterError::Failed(format!(
            "{found} of {shards} shards have no valid result: {missing}{invalid}"
        )));
    }
    Ok(results)
}

/// The sums of the solutions and of their digests.
fn sum(plan: &ShardPlan, results: &[Vec<ShardResult>]) -> Result<(u128, Option<u128>), ClusterError> {
    let digests = matches!(plan.job, Job::Enumerate { .. });
    let (mut total, mut digest) = (0_u128, 0_u128);
    for result in results.iter().map(|same| &same[0]) {
        let fail = |reason: &str| ClusterError::shard(result.index, reason);
        let solutions =
            result.solutions().ok_or_else(|| fail("its result contains no number of solutions"))?;
        let sum = total.checked_add(solutions);
        total = sum.ok_or_else(|| fail("the sum of the shards exceeds 128 bits"))?;
        if digests {
            let own = result.digest().ok_or_else(|| fail("its result contains no digest of solutions"))?;
            digest = digest.wrapping_add(own);
        }
    }
    if let Some((n, _)) = plan.job.board()
        && let Some(published) = known::solutions(n)
        && total != u128::from(published)
    {
        let source = known::SOLUTIONS_SOURCE;
        return Err(ClusterError::Wrong(format!(
            "n={n}: the shards add up to {total}, but {source} has {published}"
        )));
    }
    Ok((total, digests.then_some(digest)))
}

/// The largest CPU time of a shard divided by the mean.
fn imbalance(results: &[Vec<ShardResult>]) -> Option<f64> {
    let times: Vec<u64> = results.iter().filter_map(|same| same[0].cpu_ns).collect();
    let longest = *times.iter().max()? as f64;
    let mean = times.iter().sum::<u64>() as f64 / times.len() as f64;
    (mean > 0.0).then(|| (1000.0 * longest / mean).round() / 1000.0)
}

/// Writes one result directory from those of the shards.
fn sweep(
    plan: &ShardPlan,
    experiment: Plan,
    out: &Path,
    results: &[Vec<ShardResult>],
) -> Result<Tables, ClusterError> {
    let mut rows: HashMap<String, Row> = HashMap::new();
    let mut levels = Vec::new();
    let mut metas = Vec::new();
    for same in results {
        let tables = |result| shard_tables(plan, &experiment, out, result);
        let (own, own_levels, meta) = tables(&same[0])?;
        for repeat in &same[1..] {
            agree(&own, &tables(repeat)?.0, repeat.index)?;
        }
        rows.extend(own.into_iter().map(|row| (row.run_id.clone(), row)));
        levels.extend(own_levels);
        metas.push((same[0].index, meta));
    }
    let mut ordered = Vec::with_capacity(rows.len());
    for run in &experiment.runs {
        if let Some(row) = rows.remove(&experiment.run_id(run)) {
            ordered.push(Row { seq: ordered.len() as u64 + 1, ..row });
        }
    }
    let place: HashMap<&str, usize> =
        experiment.cells.iter().enumerate().map(|(place, cell)| (cell.id.as_str(), place)).collect();
    levels.sort_by_key(|level: &LevelRow| (place.get(level.cell_id.as_str()).copied(), level.level));
    let directory = ResultDir::open(&out.join(SWEEP_DIRECTORY))?;
    // Rows mark runs as done, so they are written last.
    merged_meta(&experiment, metas)?.write(directory.path())?;
    table::write(directory.path(), &levels)?;
    table::write(directory.path(), &ordered)?;
    Ok(Tables { plan: experiment, rows: ordered, levels, directory })
}

type ShardTables = (Vec<Row>, Vec<LevelRow>, Meta);

/// The tables of a sweep's shard: exactly its runs, in files whose digests match the result.
fn shard_tables(
    plan: &ShardPlan,
    experiment: &Plan,
    out: &Path,
    result: &ShardResult,
) -> Result<ShardTables, ClusterError> {
    let index = result.index;
    let fail = |reason: String| ClusterError::shard(index, reason);
    let directory = out.join(result.directory.as_deref().unwrap_or_default());
    for (file, expected) in cells::FILES.iter().zip([&result.runs_sha256, &result.levels_sha256]) {
        let path = directory.join(file);
        let text =
            files::read_regular(&path, u64::MAX).map_err(|error| ClusterError::io(index, &path, error))?;
        if expected.as_ref() != Some(&sha256_hex(&text)) {
            let reason = "its digest differs from the one in the shard's result; delete that result and run the shard again";
            return Err(ClusterError::io(index, &path, reason));
        }
    }
    let mut rows = table::read::<Row>(&directory)?;
    let part = cells::part(experiment, plan, index);
    stored::judge(&directory, &mut rows, Some(&stored::planned(&part)))?;
    let planned: BTreeSet<String> = part.runs.iter().map(|run| part.run_id(run)).collect();
    let found: BTreeSet<String> = rows.iter().map(|row| row.run_id.clone()).collect();
    // A run that is not needed, because its cell is known precisely enough, has no row.
    let is_complete = done(&part, &rows) == planned.len() && found.is_subset(&planned);
    if !is_complete || rows.len() != found.len() {
        let (directory, rows, planned) = (directory.display(), rows.len(), planned.len());
        return Err(fail(format!("{directory} has {rows} rows instead of {planned}")));
    }
    let meta = Meta::read(&directory)?
        .ok_or_else(|| fail(format!("{}: meta.json does not exist", directory.display())))?;
    Ok((rows, table::read(&directory)?, meta))
}

/// Compares two attempts at a shard of a sweep. They may differ in times, and in what depends on times.
fn agree(first: &[Row], second: &[Row], index: usize) -> Result<(), ClusterError> {
    let by_id: HashMap<&str, &Row> = first.iter().map(|row| (row.run_id.as_str(), row)).collect();
    for (row, other) in second.iter().filter_map(|row| Some((row, *by_id.get(row.run_id.as_str())?))) {
        let answer = |row: &Row| (row.solutions, row.solutions_digest.clone());
        if row.status.is_solved() && other.status.is_solved() && answer(row) != answer(other) {
            let described = |row: &Row| format!("run {}: {:?}", row.run_id, answer(row));
            return Err(ClusterError::disagree(index, described(other), described(row)));
        }
    }
    Ok(())
}

/// Merges the `meta.json` of the shards. Its machine and executable are those of the first shard; a warning
/// names every shard that differs.
fn merged_meta(experiment: &Plan, metas: Vec<(usize, Meta)>) -> Result<Meta, RecordError> {
    let mut merged = metas[0].1.clone();
    merged.plan = serde_json::to_value(experiment)?;
    merged.plan_sha256 = experiment.sha256();
    merged.order_seed = experiment.order_seed;
    merged.sessions.clear();
    merged.warnings = vec![format!("merged from {}", counted(metas.len(), "shard"))];
    for (index, meta) in metas {
        let other = |what: &str| format!("shard {index} ran with another {what}");
        if meta.executable_sha256 != merged.executable_sha256 {
            merged.warnings.push(other("executable"));
        }
        let kind =
            |meta: &Meta| (meta.machine.cpu_model.clone(), meta.machine.cores, meta.machine.os.clone());
        if kind(&meta) != kind(&merged) {
            merged.warnings.push(other("CPU, number of cores or operating system"));
        } else if meta.machine.host != merged.machine.host {
            merged.warnings.push(format!("shard {index} ran on {}", meta.machine.host));
        }
        merged.solver_versions.extend(meta.solver_versions);
        merged.sessions.extend(meta.sessions);
        merged.warnings.extend(meta.warnings.iter().map(|warning| format!("shard {index}: {warning}")));
    }
    merged.sessions.sort_by(|a, b| a.started_at.cmp(&b.started_at));
    Ok(merged)
}
