//! The command line: what every command shares; the arguments of each command are in a file of their own.

mod cell;
mod certify;
mod check;
mod compare;
mod completions;
mod count;
mod doctor;
mod encode;
mod export;
mod list;
mod proof_check;
mod report;
mod reproduce;
mod shard;
mod solve;
mod sweep;
mod values;
mod verify;

use clap::{Args, Parser, Subcommand, ValueEnum};
use queenlab::experiment::runner::process::CELL_COMMAND;
use queenlab::verify::submission::GUARD_COMMAND;

pub use cell::CellArguments;
pub use certify::CertifyArguments;
pub use check::CheckArguments;
pub use compare::CompareArguments;
pub use completions::CompletionsArguments;
pub use count::CountArguments;
pub use doctor::DoctorArguments;
pub use encode::EncodeArguments;
pub use export::{ExportArguments, ExportFormat};
pub use list::ListArguments;
pub use proof_check::ProofCheckArguments;
pub use report::ReportArguments;
pub use reproduce::ReproduceArguments;
pub use shard::{
    ShardArguments, ShardCommand, ShardMergeArguments, ShardMissingArguments, ShardPlanArguments,
    ShardRunArguments,
};
pub use solve::SolveArguments;
pub use sweep::SweepArguments;
pub use verify::VerifyArguments;

/// A research harness for the N-Queens problem: textbook searchers, SAT, cross-checks, sweeps.
#[derive(Parser, Debug)]
#[command(name = "queenlab", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Examples:
  queenlab sweep                              the built-in experiment, under two minutes
  queenlab sweep --n 4-12 --solver 'backtrack/*' --solver 'sat/pairwise/*' --timeout 10s
  queenlab verify 1-10                        every backtracker against SAT, set against set
  queenlab check 8 out.txt                    judge solutions that another program printed
  queenlab certify 8 --proof queens8.lrat     a proof that there are exactly 92 solutions
  queenlab solve 8 --all --fundamental        the 12 fundamental solutions
  queenlab shard plan --n 18 -o plan.json     a count in 64 shards for a cluster

Exit codes: 0 all is well, 1 failure, 2 bad input, 3 wrong answer, 4 timeout (--fail-on-timeout),
5 regression (compare), 6 resume refused, 130 interrupted. Data goes to standard output, everything else to standard error.")]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
pub struct Global {
    /// How progress is shown on standard error.
    #[arg(long, global = true, value_name = "HOW", default_value = "auto")]
    pub progress: ProgressStyle,
    /// The SAT solver behind `sat/*/external`: reads DIMACS, answers with `s` and `v` lines.
    #[arg(long, global = true, value_name = "CMD {cnf}")]
    pub external: Option<String>,
    /// No progress and no summary.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Seed of the order of runs, and of solvers that draw [default: 1].
    #[arg(long, global = true, value_name = "S")]
    pub seed: Option<u64>,
    /// A line for every run of a sweep as it ends.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Whether messages are coloured; auto: on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

impl Global {
    /// The seed of solvers that draw.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressStyle {
    /// Bars on a terminal, else plain lines.
    Auto,
    Bar,
    Plain,
    /// A JSON object a line, for scripts.
    Json,
    None,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    Sweep(SweepArguments),
    Report(ReportArguments),
    Compare(CompareArguments),
    Reproduce(ReproduceArguments),
    Export(ExportArguments),
    Verify(VerifyArguments),
    Check(CheckArguments),
    Solve(SolveArguments),
    Count(CountArguments),
    Encode(EncodeArguments),
    Certify(CertifyArguments),
    ProofCheck(ProofCheckArguments),
    Shard(ShardArguments),
    List(ListArguments),
    Doctor(DoctorArguments),
    Completions(CompletionsArguments),
    /// Print a man page.
    #[command(after_help = "Examples:
  queenlab man > queenlab.1
  queenlab man | man -l -")]
    Man,
    /// Runs one cell of a sweep and reports in JSON.
    #[command(name = CELL_COMMAND, hide = true)]
    Cell(CellArguments),
    /// Ends what `check` started when `check` is killed.
    #[command(name = GUARD_COMMAND, hide = true)]
    Guard {
        /// The process group of the program.
        group: u32,
        /// How its descendants are known.
        mark: String,
    },
}
