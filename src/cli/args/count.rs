//! Arguments of `queenlab count`.

use std::path::PathBuf;

use crate::experiment::spec::at_most_1024;
use clap::Args;
use clap::builder::RangedI64ValueParser;

use super::ProblemArguments;

/// Count solutions as fast as possible.
///
/// Prints only the number. If it contradicts the published number (OEIS), the exit code is 3. The fast counters work
/// only for plain queens; other problems are counted by searching. --sample prints a short report with an estimate
/// instead.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab count 16
  queenlab count 18 --threads 1
  queenlab count 12 --solver backtrack/bitmask --json
  queenlab count 12 --classes
  queenlab count 13 --variant toroidal
  queenlab count 20 --sample 1000 --seed 7    an estimate with its error, and the time of the whole count")]
pub struct CountArguments {
    #[command(flatten)]
    pub problem: ProblemArguments,
    /// Solver to count with; `queenlab list` shows all [default: count/auto for plain queens, otherwise backtrack/dlx].
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
    /// Save the progress of a count or of a sample in FILE, and resume from FILE if it exists; for the solvers count/*
    /// only. A checkpoint of another board size, sample, version or executable is refused.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Do not count everything: count K column sets, drawn at random with --seed, and print an estimate of the number of
    /// solutions and of the CPU time of the whole count, each with its 95 % interval. The more column sets, the
    /// smaller the error; with all of them the count is exact. For the number of solutions alone, `queenlab estimate` has
    /// a smaller error in the same time from n = 18 on. For plain queens, n = 14 or more, and the solvers count/* except
    /// count/block.
    #[arg(
        long,
        value_name = "K",
        conflicts_with = "fundamental",
        value_parser = clap::value_parser!(u32).range(2..)
    )]
    pub sample: Option<u32>,
    /// With --sample: compare only about one in F of the top halves of each column set, chosen at random, for boards whose
    /// column sets take seconds or minutes. Both estimates stay unbiased; their intervals become wider than with all top
    /// halves, but much narrower than with the column sets that could be counted in the same time. For n = 21 or more.
    #[arg(long, value_name = "F", requires = "sample", default_value_t = 1, value_parser = thin())]
    pub thin: u32,
    /// Print JSON: board size, solver, threads, solutions, time in nanoseconds, and statistics of the counter. With
    /// --sample: the estimates, their errors and the sample.
    #[arg(long)]
    pub json: bool,
}

/// Parses the value of --thin.
pub fn thin() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=1 << 20)
}
