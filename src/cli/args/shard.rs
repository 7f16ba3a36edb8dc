//! Arguments of `queenlab shard`.

use std::path::PathBuf;

use crate::board::BoardSize;
use crate::cluster::TaskKind;
use clap::{Args, Subcommand, ValueEnum};

use super::values::{parse_size, parse_threads};

/// Cut a count, an enumeration or a sweep into shards for a batch engine.
///
/// `plan` describes the shards, `run` does one of them, `missing` lists those that are left, `merge` adds
/// them up. Any engine that can run a command with an index will do; `queenlab help cluster` has Slurm,
/// HyperQueue, GNU parallel and a shell loop.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard plan --n 18 --shards 64 -o plan.json
  queenlab shard run --plan plan.json --index 3 --out shards
  queenlab shard missing --plan plan.json --out shards --ranges
  queenlab shard merge --plan plan.json --out shards")]
pub struct ShardArguments {
    #[command(subcommand)]
    pub command: ShardCommand,
}

#[derive(Subcommand, Debug)]
pub enum ShardCommand {
    Plan(ShardPlanArguments),
    Run(ShardRunArguments),
    Missing(ShardMissingArguments),
    Merge(ShardMergeArguments),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShardTask {
    /// How many solutions there are.
    Count,
    /// The number of solutions and the digest of all of them.
    Enumerate,
    /// The runs of an experiment.
    Sweep,
}

impl From<ShardTask> for TaskKind {
    fn from(task: ShardTask) -> Self {
        match task {
            ShardTask::Count => Self::Count,
            ShardTask::Enumerate => Self::Enumerate,
            ShardTask::Sweep => Self::Sweep,
        }
    }
}

/// Write a plan: what is cut, by which rule, into how many shards.
///
/// The same options give the same plan. Shards cost about the same: subproblems are assigned round-robin.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard plan --n 18 --shards 64 -o plan.json
  queenlab shard plan --n 14 --task enumerate --depth 4 -o plan.json
  queenlab shard plan --task sweep --spec experiments/textbook.toml --shards 8 -o plan.json")]
pub struct ShardPlanArguments {
    /// Board size.
    #[arg(short, long, value_name = "N", allow_hyphen_values = true, value_parser = parse_size)]
    pub n: Option<BoardSize>,
    /// What the shards do together.
    #[arg(long, default_value = "count")]
    pub task: ShardTask,
    /// Rows of a prefix; a count with a depth is searched below prefixes instead of meeting in the middle
    /// [default: enough for shards that cost about the same].
    #[arg(long, value_name = "D")]
    pub depth: Option<usize>,
    /// Shards [default: 64, or as many as there are subproblems].
    #[arg(long, value_name = "K")]
    pub shards: Option<usize>,
    /// Which solver counts: count/auto, count/block, or a kernel; see `queenlab list`.
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// The experiment of --task sweep.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "solver"])]
    pub spec: Option<PathBuf>,
    /// Write the plan to FILE [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Run one shard.
///
/// A shard that has its result exits 0 at once; one that was killed goes on where it was. The result
/// is DIR/shard-I.json.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard run --plan plan.json --index 3 --out shards
  queenlab shard run --plan plan.json --index $SLURM_ARRAY_TASK_ID --out shards --threads 8")]
pub struct ShardRunArguments {
    /// The plan.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// Which shard, from 0.
    #[arg(long, value_name = "I")]
    pub index: usize,
    /// Where all shards of the plan leave their results.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Threads of a count or an enumeration; the runs of a sweep have those of its spec.
    #[arg(short = 'j', long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    pub threads: u32,
}

/// List the shards that have no valid result.
///
/// One index per line, ascending; with --ranges all on one line, as `sbatch --array` wants them. Prints
/// nothing when nothing is missing.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard missing --plan plan.json --out shards
  sbatch --array=$(queenlab shard missing --plan plan.json --out shards --ranges --max 1000) job.sh")]
pub struct ShardMissingArguments {
    /// The plan.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// Where all shards of the plan leave their results.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// As ranges: 3,9-14.
    #[arg(long)]
    pub ranges: bool,
    /// Print at most M indices [default: all].
    #[arg(long, value_name = "M")]
    pub max: Option<usize>,
}

/// Add up all shards.
///
/// Fails unless every shard has a valid result of this plan. Standard output is the total alone; a total
/// that contradicts A000170 is exit code 3. The shards of a sweep become DIR/merged, an ordinary result
/// directory.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard merge --plan plan.json --out shards")]
pub struct ShardMergeArguments {
    /// The plan.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// Where all shards of the plan left their results.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
}
