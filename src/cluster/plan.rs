//! The plan of a count, an enumeration or a sweep in shards: the task, the partition, and the number of
//! shards.
//!
//! The plan describes the partition instead of listing it, so it takes a few hundred bytes (plus the spec of
//! a sweep) for any board. `partition_sha256` is the digest of the list of subproblems, which every shard
//! makes again and checks; `sha256` is the plan's own digest, which every result contains.

use std::ops::ControlFlow;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::ClusterError;
use crate::board::prefix::each_up_to_mirror;
use crate::count::{ColumnSet, Kernel, column_sets, meets, table_bytes};
use crate::experiment::plan::Plan;
use crate::experiment::spec::Spec;
use crate::record::{RecordError, SCHEMA_VERSION, hexadecimal, sha256_hex, write_atomically};
use crate::registry::Registry;

/// The default number of shards; fewer if there are fewer subproblems.
const SHARDS: usize = 64;

/// The smallest number of subproblems per shard at which shards cost about the same.
const A_SHARD: usize = 64;

/// Column sets are used for boards whose tables need at most this many bytes, because every task may build
/// them.
const TABLES: u64 = 16 << 30;

/// The largest number of subproblems of a plan: more would only make the logs longer.
pub const MAX_SUBPROBLEMS: usize = 1 << 22;

/// The largest board of a search below prefixes: the squares of a row fit into 32 bits.
const LARGEST_BLOCK: usize = 32;

/// The task that the shards carry out together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    /// Count the solutions.
    Count,
    /// Enumerate the solutions: their number and the digest of all of them.
    Enumerate,
    /// Carry out the runs of an experiment.
    Sweep,
}

impl TaskKind {
    /// The name used in plans and results.
    pub fn name(self) -> &'static str {
        match self {
            TaskKind::Count => "count",
            TaskKind::Enumerate => "enumerate",
            TaskKind::Sweep => "sweep",
        }
    }
}

/// The kind of subproblems that are assigned to the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Partition {
    /// Column sets of the top half: meeting in the middle.
    ColumnSets,
    /// Queens on the first rows.
    Prefixes,
    /// Cells of an experiment.
    Cells,
}

/// The symmetric images that are counted with a subproblem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Symmetry {
    /// All eight images, in the weights of the column sets.
    Eightfold,
    /// The mirror image that swaps left and right.
    Mirror,
    /// No images.
    None,
}

/// How subproblems are assigned to shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deal {
    /// Round-robin: shard i of K has the numbers i, i + K, i + 2K, and so on.
    Stride,
}

/// A plan; docs/FORMATS.md describes its keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct ShardPlan {
    pub schema_version: u32,
    pub queenlab_version: String,
    pub task: TaskKind,
    pub n: Option<usize>,
    pub solver: Option<String>,
    pub partition: Partition,
    pub depth: Option<usize>,
    pub symmetry: Symmetry,
    pub deal: Deal,
    pub subproblems: usize,
    pub partition_sha256: String,
    pub shards: usize,
    pub spec: Option<String>,
    pub external: Option<String>,
    pub sha256: String,
}

impl ShardPlan {
    /// Makes the plan of a count or an enumeration. Without a depth, a count that can meet in the middle is
    /// split into column sets; everything else is split into prefixes, deep enough that shards cost about the
    /// same.
    pub fn search(
        task: TaskKind,
        n: usize,
        solver: Option<&str>,
        depth: Option<usize>,
        shards: Option<usize>,
    ) -> Result<Self, ClusterError> {
        let default = if task == TaskKind::Enumerate { "count/block" } else { "count/auto" };
        let solver = solver.unwrap_or(default);
        check_solver(task, n, solver)?;
        let columns = task == TaskKind::Count
            && solver != "count/block"
            && depth.is_none()
            && meets(n)
            && table_bytes(n) <= TABLES;
        let (partition, symmetry, depth) = if columns {
            (Partition::ColumnSets, Symmetry::Eightfold, None)
        } else {
            let depth = depth.unwrap_or_else(|| enough_prefixes(n, shards.unwrap_or(SHARDS)));
            (Partition::Prefixes, Symmetry::Mirror, Some(depth))
        };
        let plan = Self {
            task,
            n: Some(n),
            solver: Some(solver.to_owned()),
            partition,
            depth,
            symmetry,
            ..Self::empty()
        };
        plan.cut(None, shards)
    }

    /// Makes the plan of a sweep; `origin` names the spec in messages.
    pub fn sweep(
        origin: &str,
        spec: &str,
        external: Option<&str>,
        shards: Option<usize>,
        registry: &Registry,
    ) -> Result<Self, ClusterError> {
        let plan = Self {
            task: TaskKind::Sweep,
            partition: Partition::Cells,
            spec: Some(spec.to_owned()),
            external: external.map(str::to_owned),
            ..Self::empty()
        };
        let experiment = plan.resolve(origin, registry)?;
        plan.cut(Some(&experiment), shards)
    }

    fn empty() -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
            task: TaskKind::Count,
            n: None,
            solver: None,
            partition: Partition::Prefixes,
            depth: None,
            symmetry: Symmetry::None,
            deal: Deal::Stride,
            subproblems: 0,
            partition_sha256: String::new(),
            shards: 0,
            spec: None,
            external: None,
            sha256: String::new(),
        }
    }

    fn cut(mut self, experiment: Option<&Plan>, shards: Option<usize>) -> Result<Self, ClusterError> {
        (self.subproblems, self.partition_sha256) = self.partition_digest(experiment)?;
        self.shards = shards.unwrap_or(SHARDS.min(self.subproblems));
        let (shards, subproblems) = (self.shards, self.subproblems);
        if shards == 0 || shards > subproblems {
            let what = match self.partition {
                Partition::ColumnSets => "column sets",
                Partition::Prefixes => "prefixes",
                Partition::Cells => "cells",
            };
            return Err(ClusterError::Request(format!(
                "--shards {shards}: there are {subproblems} {what}; choose 1 to {subproblems} shards{}",
                if self.partition == Partition::Prefixes { ", or a greater --depth" } else { "" }
            )));
        }
        self.sha256 = self.digest()?;
        Ok(self)
    }

    /// The experiment of a sweep's plan, with solvers from `registry`.
    pub fn resolve(&self, origin: &str, registry: &Registry) -> Result<Plan, ClusterError> {
        let text = self.spec.as_deref().unwrap_or_default();
        let spec = Spec { external: self.external.clone(), ..Spec::parse(origin, text)? };
        if spec.sweep.jobs > 1 || spec.sweep.pin.is_some() || spec.sweep.stop_after_timeouts.is_some() {
            let reason = "jobs, pin and stop_after_timeouts apply to a sweep on one machine only: remove them from the spec";
            return Err(ClusterError::Request(format!("{origin}: {reason}")));
        }
        Ok(Plan::new(&spec, &registry.with_external(self.external.as_deref()))?)
    }

    /// The number of subproblems and the digest of their list.
    fn partition_digest(&self, experiment: Option<&Plan>) -> Result<(usize, String), ClusterError> {
        let mut digest = Sha256::new();
        let mut subproblems = 0;
        match self.partition {
            Partition::ColumnSets => {
                for ColumnSet { left, right } in column_sets(self.n.unwrap_or(0)) {
                    digest.update([left.to_le_bytes(), right.to_le_bytes()].concat());
                    subproblems += 1;
                }
            }
            Partition::Prefixes => {
                let (n, depth) = (self.n.unwrap_or(0), self.depth.unwrap_or(0));
                check_depth(n, depth)?;
                let mut levels = (0..depth).map(|level| prefixes_up_to(n, level, MAX_SUBPROBLEMS + 1));
                // If an intermediate level has too many prefixes, reaching the deeper ones takes too long as
                // well.
                if levels.any(|prefixes| prefixes > MAX_SUBPROBLEMS) {
                    return Err(too_deep(n, depth));
                }
                let _ = each_up_to_mirror(n, depth, &mut |number, columns, weight| {
                    for &column in columns {
                        digest.update(column.to_le_bytes());
                    }
                    digest.update([weight as u8]);
                    subproblems = number + 1;
                    go_on(subproblems <= MAX_SUBPROBLEMS)
                });
                if subproblems > MAX_SUBPROBLEMS {
                    return Err(too_deep(n, depth));
                }
            }
            Partition::Cells => {
                let runs = experiment.map(|plan| (plan.cells.len(), plan.sha256()));
                let (cells, sha256) = runs.unwrap_or_default();
                digest.update(sha256);
                subproblems = cells;
            }
        }
        Ok((subproblems, hexadecimal(&digest.finalize())))
    }

    /// Fails if this program would split the board, or resolve the spec, differently.
    pub fn check_partition(&self, experiment: Option<&Plan>) -> Result<(), ClusterError> {
        if self.partition_digest(experiment)? == (self.subproblems, self.partition_sha256.clone()) {
            return Ok(());
        }
        let what = if self.partition == Partition::Cells { "resolves the spec" } else { "splits the board" };
        Err(ClusterError::Version { reason: format!("{what} differently than this build does") })
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

    /// Writes the plan to a file, atomically.
    pub fn write(&self, path: &Path) -> Result<(), ClusterError> {
        Ok(write_atomically(path, self.to_json()?.as_bytes())?)
    }

    /// Reads a plan and checks its digest.
    pub fn read(path: &Path) -> Result<Self, ClusterError> {
        let text = std::fs::read(path);
        let fail = |reason: String| ClusterError::Plan { path: path.to_owned(), reason };
        Self::parse(&text.map_err(|error| fail(error.to_string()))?, path)
    }

    /// Parses a plan; accepts any bytes. `path` names the file in messages.
    pub fn parse(text: &[u8], path: &Path) -> Result<Self, ClusterError> {
        let fail = |reason: String| ClusterError::Plan { path: path.to_owned(), reason };
        let plan: Self = serde_json::from_slice(text)
            .map_err(|error| fail(format!("this is not a plan made by 'queenlab shard plan': {error}")))?;
        if plan.sha256 != plan.digest()? {
            return Err(fail(
                "its digest does not match: the plan was changed after it was made; make a new plan"
                    .to_owned(),
            ));
        }
        plan.check().map_err(|reason| fail(format!("{reason}; make a new plan")))?;
        let (own, other) = (env!("CARGO_PKG_VERSION"), &plan.queenlab_version);
        if other != own || plan.schema_version != SCHEMA_VERSION {
            return Err(ClusterError::Version {
                reason: format!("was made by queenlab {other}, but this is version {own}"),
            });
        }
        Ok(plan)
    }

    /// Checks that the keys are consistent: a matching digest shows only that the plan was not changed.
    fn check(&self) -> Result<(), String> {
        if self.shards == 0 || self.shards > self.subproblems || self.subproblems > MAX_SUBPROBLEMS {
            return Err(format!("{} shards of {} subproblems are impossible", self.shards, self.subproblems));
        }
        let sweep = self.task == TaskKind::Sweep;
        let keys = [self.n.is_none(), self.solver.is_none(), self.spec.is_some()];
        if keys != [sweep; 3] || sweep != (self.partition == Partition::Cells) {
            return Err(format!("its keys do not belong to the task {}", self.task.name()));
        }
        if let (Some(n), Some(solver)) = (self.n, &self.solver) {
            check_solver(self.task, n, solver).map_err(|error| error.to_string())?;
            let columns = self.partition == Partition::ColumnSets;
            if columns != self.depth.is_none() || columns && (!meets(n) || self.task != TaskKind::Count) {
                return Err(format!("n = {n} cannot be split in this way"));
            }
            check_depth(n, self.depth.unwrap_or(0)).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// The kernel named by the plan, or the best one of this machine for `count/auto` and `count/block`.
    pub fn kernel(&self) -> Kernel {
        let name = self.solver.as_deref().unwrap_or_default();
        Kernel::ALL.into_iter().find(|kernel| name == solver_id(*kernel)).unwrap_or_else(Kernel::best)
    }

    /// Number of subproblems of a shard.
    pub fn len_of(&self, index: usize) -> usize {
        (self.subproblems + self.shards - 1 - index) / self.shards
    }

    /// Fails if the plan has no shard with this index.
    pub fn check_index(&self, index: usize) -> Result<(), ClusterError> {
        if index < self.shards {
            return Ok(());
        }
        Err(ClusterError::Index { index, shards: self.shards })
    }
}

fn solver_id(kernel: Kernel) -> String {
    format!("count/{}", kernel.name())
}

fn check_solver(task: TaskKind, n: usize, solver: &str) -> Result<(), ClusterError> {
    let meets = task == TaskKind::Count;
    let counters = Kernel::ALL.into_iter().map(solver_id).chain(["count/auto".to_owned()]);
    let mut known: Vec<String> = counters.filter(|_| meets).collect();
    known.push("count/block".to_owned());
    if !known.iter().any(|id| id == solver) {
        return Err(ClusterError::Request(format!(
            "--solver {solver}: the task {} supports only {}",
            task.name(),
            known.join(", ")
        )));
    }
    if n > LARGEST_BLOCK {
        return Err(ClusterError::Request(format!(
            "n = {n}: the task {} supports boards up to n = {LARGEST_BLOCK}",
            task.name()
        )));
    }
    Ok(())
}

/// Checks a depth: a search below a prefix needs at least one free row.
fn check_depth(n: usize, depth: usize) -> Result<(), ClusterError> {
    let deepest = n.saturating_sub(1);
    if depth > deepest {
        return Err(ClusterError::Request(format!(
            "--depth {depth}: for n = {n}, choose a depth from 0 to {deepest}"
        )));
    }
    Ok(())
}

fn too_deep(n: usize, depth: usize) -> ClusterError {
    ClusterError::Request(format!(
        "--depth {depth}: n = {n} has more than {MAX_SUBPROBLEMS} prefixes up to this depth; choose a smaller depth"
    ))
}

/// The number of subproblems at a depth, at most `most`.
fn prefixes_up_to(n: usize, depth: usize, most: usize) -> usize {
    let mut count = 0;
    let _ = each_up_to_mirror(n, depth, &mut |number, _, _| {
        count = number + 1;
        go_on(count < most)
    });
    count
}

fn go_on(wanted: bool) -> ControlFlow<()> {
    if wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// The smallest depth that gives each shard enough prefixes, or the depth with the most prefixes.
fn enough_prefixes(n: usize, shards: usize) -> usize {
    let wanted = shards.saturating_mul(A_SHARD);
    // The last levels of small boards have fewer nodes again; then the level with the most nodes is the best
    // choice.
    let mut best = (0, 0);
    for depth in 0..n.max(1) {
        let found = prefixes_up_to(n, depth, MAX_SUBPROBLEMS + 1);
        if found > MAX_SUBPROBLEMS {
            break;
        }
        if found > best.1 {
            best = (depth, found);
        }
        if found >= wanted {
            break;
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sealed(plan: ShardPlan) -> ShardPlan {
        ShardPlan { sha256: plan.digest().expect("JSON"), ..plan }
    }

    fn parsed(plan: &ShardPlan) -> Result<ShardPlan, ClusterError> {
        ShardPlan::parse(plan.to_json().expect("JSON").as_bytes(), Path::new("plan.json"))
    }

    fn count() -> ShardPlan {
        ShardPlan::search(TaskKind::Count, 14, None, None, Some(4)).expect("a plan")
    }

    #[test]
    fn a_plan_of_another_version_is_refused_by_both_names() {
        let other = sealed(ShardPlan { queenlab_version: "9.9.9".into(), ..count() });
        let refusal = parsed(&other).expect_err("another version");
        assert!(matches!(refusal, ClusterError::Version { .. }));
        assert!(refusal.to_string().contains("made by queenlab 9.9.9"), "{refusal}");
    }

    #[test]
    fn a_board_that_is_cut_differently_is_noticed() {
        let plan = sealed(ShardPlan { partition_sha256: "0".repeat(64), ..count() });
        let plan = parsed(&plan).expect("a plan");
        assert!(matches!(plan.check_partition(None), Err(ClusterError::Version { .. })));
        assert!(count().check_partition(None).is_ok());
    }

    #[test]
    fn shards_have_enough_prefixes_where_the_board_has_them() {
        let depth = |n, shards| enough_prefixes(n, shards);
        assert_eq!([depth(0, 64), depth(1, 64), depth(4, 64)], [0, 0, 2]);
        assert_eq!(
            [depth(24, 1_000_000), depth(32, usize::MAX)],
            [5, 4],
            "the deepest that does not make the list too long"
        );
        for (n, shards) in [(12, 64), (16, 64), (24, 1000)] {
            let plan = ShardPlan::search(TaskKind::Enumerate, n, None, None, Some(shards)).expect("a plan");
            assert!(plan.subproblems >= A_SHARD * shards, "{plan:?}");
        }
    }

    proptest! {
        /// A plan with a matching digest can still have inconsistent keys.
        #[test]
        fn keys_that_do_not_go_together_are_refused_or_harmless(
            n in prop_oneof![Just(None), (0_usize..40).prop_map(Some), any::<usize>().prop_map(Some)],
            depth in prop_oneof![Just(None), (0_usize..40).prop_map(Some), any::<usize>().prop_map(Some)],
            shards in prop_oneof![0_usize..20, any::<usize>()],
            subproblems in prop_oneof![0_usize..20, any::<usize>()],
            task in prop_oneof![Just(TaskKind::Count), Just(TaskKind::Enumerate), Just(TaskKind::Sweep)],
            partition in prop_oneof![
                Just(Partition::ColumnSets), Just(Partition::Prefixes), Just(Partition::Cells)
            ],
            solver in prop_oneof![Just(None), Just(Some("count/auto".to_owned())), Just(Some("x".to_owned()))],
        ) {
            let plan = ShardPlan { n, depth, shards, subproblems, task, partition, solver, ..count() };
            if let Ok(plan) = parsed(&sealed(plan)) {
                prop_assert!((1..=MAX_SUBPROBLEMS).contains(&plan.shards));
                let lengths = [0, plan.shards - 1].map(|index| plan.len_of(index));
                prop_assert!(lengths[1] <= lengths[0] && lengths[0] <= plan.subproblems);
                // Refusing deeper ones takes a second each.
                if plan.depth.is_none_or(|depth| depth < 4) {
                    prop_assert!(plan.check_partition(None).is_err());
                }
            }
        }
    }
}
