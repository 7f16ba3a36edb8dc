//! Arguments of `queenlab count`.

use std::path::PathBuf;

use clap::Args;

use super::Size;
use super::values::parse_threads;

/// Count solutions, as fast as this machine can.
///
/// Standard output is the number alone. A number that contradicts A000170 is exit code 3.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab count 16
  queenlab count 18 --threads 1
  queenlab count 12 --solver backtrack/bitmask --json")]
pub struct CountArguments {
    #[command(flatten)]
    pub size: Size,
    /// Which solver counts; see `queenlab list`.
    #[arg(long, value_name = "ID", default_value = "count/auto")]
    pub solver: String,
    /// Threads that the solver may use [default: as many as there are processors].
    #[arg(short = 'j', long, value_name = "T", value_parser = parse_threads)]
    pub threads: Option<u32>,
    /// Count fundamental solutions: boards that a rotation or reflection relates count once.
    #[arg(long)]
    pub fundamental: bool,
    /// Keep here what is done, and go on from there; for count/* only. A checkpoint of another n, version or
    /// executable is refused.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// As JSON: n, solver, threads, solutions, nanoseconds, and what the counter did.
    #[arg(long)]
    pub json: bool,
}
