//! Arguments of `queenlab sweep`.

use std::path::PathBuf;
use std::time::Duration;

use crate::board::sizes::Sizes;
use crate::experiment::cpus::CpuList;
use crate::experiment::spec::parse_duration;
use crate::experiment::spec::parse_memory;
use crate::solver::Goal;
use clap::Args;

use super::values::{at_least_one, parse_jobs, parse_threads};

// clap makes a line break of a plain `{n}` in help; a style code inside it keeps it, and is never seen.

/// Run an experiment and write CSV files, plots and a report.
///
/// Each run is a separate process with a time limit. A run that reaches its limit is recorded, and the sweep continues.
/// Repeat the same command to resume an interrupted sweep. Without an experiment, sizes or a program, the built-in
/// experiment `quick` is run.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab sweep
  queenlab sweep 4-10
  queenlab sweep textbook --repeat 5
  queenlab sweep 4-8 --program 'python3 my_queens.py {\u{1b}[0mn}'
  queenlab sweep 4-12 --solver 'backtrack/*' --solver 'sat/pairwise/*' --timeout 10s -o results/mine
  queenlab sweep --n 8-30 --goal first --solver backtrack/bitmask --solver sat/pairwise/varisat
  queenlab sweep experiments/textbook.toml --dry-run")]
pub struct SweepArguments {
    /// Board sizes (4-8), the name of a built-in experiment (quick, textbook, sat-vs-backtracking,
    /// sat-vs-backtracking-first, encodings, enumeration, first-solution, counting), or a TOML file.
    pub experiment: Option<PathBuf>,
    /// Board sizes, for example 8, 4-12, 4-20:2 (every second size) or 4,8,10-12.
    #[arg(short, long, value_name = "SIZES", allow_hyphen_values = true)]
    pub n: Option<Sizes>,
    /// Glob pattern for solver ids, for example 'backtrack/*'; `queenlab list` shows all ids. Replaces the solvers of
    /// the experiment and their sizes. Repeat the option for several patterns.
    #[arg(long = "solver", value_name = "PATTERN")]
    pub solvers: Vec<String>,
    /// Command that starts a program of your own, to be measured as well, with a placeholder for the board size as in
    /// the examples. Repeat the option for several programs.
    #[arg(long = "program", value_name = "CMD {n}")]
    pub programs: Vec<String>,
    /// What solvers compute: first (one solution), count (the number of solutions) or enumerate (all solutions)
    /// [default: enumerate].
    #[arg(long)]
    pub goal: Option<Goal>,
    /// Timed runs per cell, which is one solver at one board size [default: 3].
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: Option<u32>,
    /// Warm-up runs per cell (recorded, excluded from statistics) [default: 0].
    #[arg(long, value_name = "W")]
    pub warmup: Option<u32>,
    /// Time limit (wall clock) of a run, for example 500ms, 10s or 5m [default: 60s].
    #[arg(long, value_name = "D", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Memory limit of a run, for example 512MiB or 2GiB [default: no limit].
    #[arg(long, value_name = "B", value_parser = parse_memory)]
    pub memory: Option<u64>,
    /// Number of threads per run, for example 4 [default: 1].
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    pub threads: Option<u32>,
    /// Number of parallel runs, for example 4. Times are not comparable if it is more than 1 [default: 1].
    #[arg(short, long, value_name = "J", value_parser = parse_jobs)]
    pub jobs: Option<usize>,
    /// CPUs to run on, for example 0, 0-3 or 0,2-3. Parallel runs get an equal share each [default: all CPUs].
    #[arg(long, value_name = "CPUS")]
    pub pin: Option<CpuList>,
    /// Skip the larger sizes of a solver after timeouts at K sizes in a row, for example 2 [default: never].
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub stop_after_timeouts: Option<usize>,
    /// Directory for the results [default: results/NAME, by the name of the experiment].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the plan without running it.
    #[arg(long)]
    pub dry_run: bool,
    /// Resume even if the results in the directory are from another plan, program, executable or machine.
    #[arg(long)]
    pub accept: bool,
    /// Start over. An existing result directory is renamed to DIR.old-1, DIR.old-2 and so on.
    #[arg(long, conflicts_with = "accept")]
    pub fresh: bool,
    /// Exit with code 4 if a run hit its time or memory limit.
    #[arg(long)]
    pub fail_on_timeout: bool,
}
