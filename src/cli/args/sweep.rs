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

/// Run an experiment and write its CSVs and plots.
///
/// Each run is a process of its own, with a time limit. A timeout is a row, not an end. The same
/// command goes on where an interrupted one stopped. Without an experiment, sizes or a program: `quick`.
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
    /// Board sizes: 8, 4-12, 4-20:2 or 4,8,10-12.
    #[arg(short, long, value_name = "SIZES", allow_hyphen_values = true)]
    pub n: Option<Sizes>,
    /// Glob over solver ids; `*` matches any characters. Replaces the solvers of the experiment and their sizes.
    #[arg(long = "solver", value_name = "PATTERN")]
    pub solvers: Vec<String>,
    /// A program of your own to measure beside them, with the place of the board size in its arguments. Repeat
    /// the option for several programs.
    #[arg(long = "program", value_name = "CMD {n}")]
    pub programs: Vec<String>,
    /// What is asked: first, count or enumerate [default: enumerate].
    #[arg(long)]
    pub goal: Option<Goal>,
    /// Timed runs of each cell [default: 3].
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: Option<u32>,
    /// Warm-up runs per cell (recorded, excluded from statistics) [default: 0].
    #[arg(long, value_name = "W")]
    pub warmup: Option<u32>,
    /// Wall time that a run may take: 500ms, 10s, 5m [default: 60s].
    #[arg(long, value_name = "D", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Memory that a run may take: 512MiB, 2GiB [default: no limit].
    #[arg(long, value_name = "B", value_parser = parse_memory)]
    pub memory: Option<u64>,
    /// Threads that a solver may use [default: 1].
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    pub threads: Option<u32>,
    /// Runs at the same time, for sweeps that do not measure time [default: 1].
    #[arg(short, long, value_name = "J", value_parser = parse_jobs)]
    pub jobs: Option<usize>,
    /// CPUs that runs are bound to: 0, 0-3 or 0,2-3; several jobs share them out [default: any].
    #[arg(long, value_name = "CPUS")]
    pub pin: Option<CpuList>,
    /// Spare larger sizes for a solver that timed out at K sizes in a row [default: never].
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub stop_after_timeouts: Option<usize>,
    /// Where the results go [default: results/<experiment>].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Show what would be run, and run nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Go on in a directory that was made with another plan, program, executable or machine.
    #[arg(long)]
    pub accept: bool,
    /// Start over; an earlier result directory is kept as DIR.old-1, DIR.old-2 and so on.
    #[arg(long, conflicts_with = "accept")]
    pub fresh: bool,
    /// Exit with 4 if a run was ended by its time or memory limit.
    #[arg(long)]
    pub fail_on_timeout: bool,
}
