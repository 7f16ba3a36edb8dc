//! Arguments of `queenlab shard`.

use std::path::PathBuf;

use crate::board::BoardSize;
use crate::experiment::spec::at_most_1024;
use clap::{Args, Subcommand, ValueEnum};

use super::count::thin;
use super::values::parse_size;

/// Split a search or a sweep into shards for a cluster.
///
/// `plan` describes the shards, `run` runs one shard, `missing` lists the shards without a result, and `merge` combines
/// the results. Any batch system that can run a command with an index works; `queenlab help cluster` has examples for
/// Slurm, HyperQueue, GNU parallel and a shell loop.
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
    /// Count the solutions.
    Count,
    /// Estimate the number of solutions, and the CPU time of counting them, from a sample of the column sets.
    Sample,
    /// Count the solutions and compute a digest of all of them.
    Enumerate,
    /// Show that a known solution is the lexicographically first one: refute every smaller prefix.
    Lex,
    /// Run an experiment.
    Sweep,
}

/// Write a plan that splits a task into shards.
///
/// The same options always give the same plan. Shards cost about the same: subproblems are assigned round-robin.
/// All tasks but a sweep are possible for plain queens only. For --task lex, the command also estimates the cost of the
/// plan, by random probes of its search trees.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard plan --n 18 --shards 64 -o plan.json
  queenlab shard plan --n 28 --task sample --sample 6400 --thin 64 -o plan.json
  queenlab shard plan --n 14 --task enumerate --depth 4 -o plan.json
  queenlab shard plan --n 48 --task lex --shards 1000 -o plan.json
  queenlab shard plan --task sweep --spec experiments/textbook.toml --shards 8 -o plan.json")]
pub struct ShardPlanArguments {
    /// Board size, for example 18. Required unless the task is a sweep.
    #[arg(short, long, value_name = "N", allow_hyphen_values = true, value_parser = parse_size)]
    pub n: Option<BoardSize>,
    /// What the shards compute together.
    #[arg(long, default_value = "count")]
    pub task: ShardTask,
    /// The options that name another problem in other commands. Shards are made only for plain queens.
    #[arg(
        long = "variant",
        aliases = ["place", "forbid", "exclude-diagonals", "instance"],
        hide = true,
        allow_hyphen_values = true
    )]
    pub other: Option<String>,
    /// Number of rows that are filled to form a subproblem, for example 4. A count with --depth searches below each
    /// such prefix instead of meeting in the middle. For --task lex, the number of queens, in any rows [default: enough for shards that cost about the same].
    #[arg(long, value_name = "D")]
    pub depth: Option<usize>,
    /// Number of column sets to count for --task sample, for example 6400: each shard draws its part of them with a seed of
    /// its own, at least two.
    #[arg(long, value_name = "K")]
    pub sample: Option<usize>,
    /// For --task sample: compare only about one in F of the top halves of each column set; see `queenlab count --help`.
    #[arg(long, value_name = "F", requires = "sample", default_value_t = 1, value_parser = thin())]
    pub thin: u32,
    /// A solution for --task lex: the column of the queen in each row, counted from 0, for example 1,3,0,2. The
    /// shards show that it is the first one, or find a smaller one [default: one that is found
    /// within seconds per prefix, which takes some minutes for n = 48 and need not be the first].
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', conflicts_with_all = ["solver", "spec"])]
    pub known: Option<Vec<u16>>,
    /// Number of shards [default: 64, or the number of subproblems if that is smaller].
    #[arg(long, value_name = "K")]
    pub shards: Option<usize>,
    /// Solver to count with: count/auto, count/block or a kernel; `queenlab list` shows all.
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// TOML file of the experiment, for --task sweep.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "solver"])]
    pub spec: Option<PathBuf>,
    /// Write the plan to FILE [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Run one shard.
///
/// Writes the result to DIR/shard-I.json. If this file exists, the command exits with code 0 at once. A shard that
/// was killed resumes where it stopped.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard run --plan plan.json --index 3 --out shards
  queenlab shard run --plan plan.json --index $SLURM_ARRAY_TASK_ID --out shards --threads 8")]
pub struct ShardRunArguments {
    /// Plan, written by `queenlab shard plan`.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// Index of the shard, counted from 0.
    #[arg(long, value_name = "I")]
    pub index: usize,
    /// Directory for the results of all shards of the plan.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Number of threads of any task but a sweep. In `sweep`, -j means parallel runs instead. Ignored for a shard
    /// of a sweep, whose experiment sets the number.
    #[arg(short = 'j', long, value_name = "T", default_value = "1", value_parser = at_most_1024::<u32>)]
    pub threads: u32,
}

/// List the shards that have no valid result.
///
/// Prints one index per line in ascending order, or all on one line with --ranges. Prints nothing if no shard is
/// missing.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard missing --plan plan.json --out shards
  sbatch --array=$(queenlab shard missing --plan plan.json --out shards --ranges --max 1000) job.sh")]
pub struct ShardMissingArguments {
    /// Plan, written by `queenlab shard plan`.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// Directory for the results of all shards of the plan.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Print ranges on one line, for example 3,9-14, as `sbatch --array` expects.
    #[arg(long)]
    pub ranges: bool,
    /// Print at most M indices, for example 1000 [default: all].
    #[arg(long, value_name = "M")]
    pub max: Option<usize>,
}

/// Combine the results of all shards.
///
/// Prints only the total number of solutions, the first solution of --task lex, or the estimates of --task sample. Fails if a shard has no valid result of this plan. If the total
/// contradicts the published number (OEIS A000170), the exit code is 3. The shards of a sweep are combined into
/// the result directory DIR/merged.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard merge --plan plan.json --out shards")]
pub struct ShardMergeArguments {
    /// Plan, written by `queenlab shard plan`.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// Directory with the results of all shards of the plan.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
}
