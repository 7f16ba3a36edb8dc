//! Arguments of `queenlab sweep`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::problem::SquareRules;
use crate::board::problem::Variant;
use crate::board::sizes::Sizes;
use crate::experiment::axis::Axis;
use crate::experiment::cpus::CpuList;
use crate::experiment::repeat::Repeat;
use crate::experiment::spec::{
    Sweep, at_least_one, at_most_1024, goals, parse_duration, parse_memory, sweep_keys, threads,
};
use crate::solver::Goal;
use clap::Args;

// clap makes a line break of a plain `{n}` in help; a style code inside it keeps it, and is never seen.
const PROGRAM: &str = "Also measure your own program, for example 'python3 mine.py {\u{1b}[0mn}': the command that starts it, \
    with {\u{1b}[0mn} in place of the board size. Repeat the option for several programs";

/// Run an experiment and write CSV files, plots and a report.
///
/// Each run is a separate process with a time limit. A run that reaches its limit is recorded, and the sweep continues.
/// Repeat the same command to resume an interrupted sweep. Without an experiment, sizes or a program, the built-in
/// experiment `quick` is run. An option overrides the setting of the experiment. A default shown below applies only
/// if neither the command line nor the experiment gives the setting.
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
    /// sat-vs-backtracking-first, encodings, enumeration, first-solution, counting, variants), or a TOML file.
    pub experiment: Option<PathBuf>,
    /// Board sizes, for example 8, 4-12, 4-20:2 (every second size) or 4,8,10-12. Above 1024, only construct/* and
    /// local/* find a first solution; without --solver, they run above 256.
    #[arg(short, long, value_name = "SIZES", allow_hyphen_values = true, value_parser = Sizes::of_large)]
    pub n: Option<Sizes>,
    /// Measure the solvers whose ids match this glob pattern, for example 'backtrack/*', instead of the solvers of the
    /// experiment. They run at all sizes of the sweep that they support. Repeat the option for several patterns;
    /// `queenlab list` shows all ids.
    #[arg(long = "solver", value_name = "PATTERN")]
    pub solvers: Vec<String>,
    /// Also measure a program of your own.
    #[arg(long = "program", value_name = "CMD {n}", help = PROGRAM)]
    pub programs: Vec<String>,
    #[command(flatten)]
    pub keys: SweepOptions,
    /// Directory for the results [default: results/NAME, by the name of the experiment].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the plan without running it.
    #[arg(long)]
    pub dry_run: bool,
    /// Resume although the plan, a measured program, queenlab itself or the machine has changed since the directory was
    /// written. Without this option, such a directory is refused with exit code 6.
    #[arg(long)]
    pub accept: bool,
    /// Start over instead of resuming. An existing result directory is renamed to DIR.old-1, DIR.old-2 and so on.
    #[arg(long, conflicts_with = "accept")]
    pub fresh: bool,
    /// Exit with code 4 if a run hit its time or memory limit.
    #[arg(long)]
    pub fail_on_timeout: bool,
    /// Exit with code 7 if a claim of the experiment fails.
    #[arg(long)]
    pub fail_on_claim: bool,
    /// Rules of the board: queens, toroidal, semiqueens, superqueens, reflecting or rooks; `queenlab help problems`
    /// defines them. Repeat the option for several variants. Replaces the problems of the experiment.
    #[arg(long = "variant", value_name = "NAME", help_heading = "Problem", value_parser = str::parse::<Variant>)]
    pub variants: Vec<Variant>,
    /// Measure the problems in files, for example 'puzzles/*.txt': region puzzles, instances of CSPLib prob079 or
    /// prob080, or TOML. Repeat the option for several files. Replaces the problems of the experiment.
    #[arg(long = "instance", value_name = "FILE", help_heading = "Problem")]
    pub instances: Vec<String>,
    #[command(flatten)]
    pub squares: SquareRules,
}

macro_rules! declare_options {
    ($($key:ident: $value:ty => $field:ty = $default:expr, $toml:ty => $parse:expr,
        $meaning:literal, $shown:literal $(, [$($option:tt)+])?;)+) => {
        /// The options that replace keys of `[sweep]`.
        #[derive(Args, Debug)]
        pub struct SweepOptions {
            $($(
                #[arg($($option)+, value_parser = $parse, help = concat!($meaning, " [default: ", $shown, "]"))]
                pub $key: Option<$value>,
            )?)+
        }

        impl SweepOptions {
            /// Replaces the keys whose options are given.
            pub fn apply(&self, sweep: &mut Sweep) {
                $($(
                    const _: &str = stringify!($($option)+);
                    if let Some(value) = &self.$key {
                        sweep.$key = value.clone().into();
                    }
                )?)+
            }
        }
    };
}
sweep_keys!(declare_options);
