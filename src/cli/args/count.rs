//! Arguments of `queenlab count`.

use std::path::PathBuf;

use crate::count::Shard;
use crate::experiment::spec::at_most_1024;
use clap::Args;

use super::ProblemArguments;

/// Count solutions as fast as possible, or estimate their number.
///
/// Prints only the number. If it contradicts the published number (OEIS), the exit code is 3. The fast counters work
/// only for plain queens; other problems are counted by searching.
///
/// A count for several machines: count each shard with --shard I/K --out DIR, on any machine, in any order, and then add
/// up the results with --merge DIR.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab count 16
  queenlab count 18 --threads 1
  queenlab count 12 --solver backtrack/bitmask --json
  queenlab count 12 --classes
  queenlab count 13 --variant toroidal
  queenlab count 22 --shard 3/64 --out shards
  queenlab count 22 --merge shards
  queenlab count 27 --estimate --probes 1000000 --seed 7")]
pub struct CountArguments {
    #[command(flatten)]
    pub problem: ProblemArguments,
    /// Solver to count with, or whose tree is probed, as ID or ID:key=value,key=value; `queenlab list` shows all [default:
    /// count/auto for plain queens, otherwise backtrack/dlx; with --estimate, backtrack/column-scan for plain queens,
    /// otherwise backtrack/forward-checking].
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// Number of threads, for example 4. In `sweep`, -j means parallel runs instead [default: one per processor].
    #[arg(short = 'j', long, value_name = "T", value_parser = at_most_1024::<u32>)]
    pub threads: Option<u32>,
    /// Count fundamental solutions: rotations and reflections of a board count as one. For plain queens only.
    #[arg(long)]
    pub fundamental: bool,
    /// Group the solutions into classes: two solutions are in the same class if a rotation or reflection maps one to the
    /// other. Print one line for each class size (8, 4, 2 and 1): the size and the number of such classes. For plain
    /// queens only.
    #[arg(long, conflicts_with = "fundamental")]
    pub classes: bool,
    /// Save the progress of a count in FILE, and resume from FILE if it exists; for the solvers count/* only. A checkpoint of
    /// another board size or version is refused.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "merge"])]
    pub checkpoint: Option<PathBuf>,
    /// Count only the I-th of K shards, for example 3/64, and leave the result in the directory --out. A shard that was
    /// interrupted resumes; one that has its result does nothing. For plain queens up to n = 28 and the solvers count/*.
    #[arg(long, value_name = "I/K", requires = "out", conflicts_with_all = ["fundamental", "classes", "merge"])]
    pub shard: Option<Shard>,
    /// Directory for the results of shards. All shards of a count need the same one, or their files are collected in one.
    #[arg(short, long, value_name = "DIR", requires = "shard")]
    pub out: Option<PathBuf>,
    /// Add up the results of all shards in DIR instead of counting.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["solver", "threads"])]
    pub merge: Option<PathBuf>,
    /// Estimate the number of solutions, and the size of the search tree, by random probes instead of counting.
    ///
    /// Each probe follows a random path from the empty board to a dead end or a solution. The product of the numbers of
    /// choices on the path estimates the number of nodes on each level (Knuth 1975). The estimates are unbiased. The 95 %
    /// intervals assume a normal distribution: they are too narrow for levels that only few probes reach. With --solver
    /// backtrack/forward-checking:rows=smallest, the number of solutions has a smaller error in the same time.
    #[arg(long, conflicts_with_all = ["fundamental", "classes", "checkpoint", "shard", "merge"])]
    pub estimate: bool,
    /// Number of probes of --estimate. The standard error shrinks with its square root.
    #[arg(
        long,
        value_name = "P",
        requires = "estimate",
        default_value = "10000",
        value_parser = clap::value_parser!(u64).range(2..)
    )]
    pub probes: u64,
    /// Print JSON: what was counted or estimated, with the solver, its threads and the time in nanoseconds.
    #[arg(long)]
    pub json: bool,
}
