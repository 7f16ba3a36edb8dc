//! Arguments of `queenlab estimate`.

use clap::Args;

use super::ProblemArguments;
use crate::experiment::spec::at_most_1024;

/// Estimate the size of a search tree, and the number of solutions, by random probes.
///
/// Each probe follows a random path from the empty board to a dead end or a solution. The product of the numbers of
/// choices on the path estimates the number of nodes on each level (Knuth 1975). The estimates are unbiased. The 95 %
/// intervals assume a normal distribution: they are too narrow for levels that only few probes reach. With --solver
/// backtrack/forward-checking:rows=smallest, the number of solutions has a smaller error in the same time.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab estimate 20
  queenlab estimate 27 --probes 1000000 --seed 7
  queenlab estimate 28 --solver backtrack/forward-checking:rows=smallest --probes 1000000 --json")]
pub struct EstimateArguments {
    #[command(flatten)]
    pub problem: ProblemArguments,
    /// Solver whose tree is probed, as ID or ID:key=value,key=value [default: backtrack/column-scan for plain queens,
    /// otherwise backtrack/forward-checking].
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// Number of probes, for example 100000. The standard error shrinks with its square root.
    #[arg(long, value_name = "P", default_value = "10000", value_parser = clap::value_parser!(u64).range(2..))]
    pub probes: u64,
    /// Number of threads, for example 4; the result is the same for every number [default: one per processor].
    #[arg(short = 'j', long, value_name = "T", value_parser = at_most_1024::<u32>)]
    pub threads: Option<u32>,
    /// Print JSON: the estimates with standard errors and intervals, of all nodes, of solutions and of each level.
    #[arg(long)]
    pub json: bool,
}
