//! Arguments of `queenlab solve`.

use crate::board::notation::Notation;
use clap::Args;

use super::Size;
use super::values::{parse_notation, parse_threads};

/// Print solutions.
///
/// One solution, unless --all or --limit says more. That there is none (n = 2 and 3) is said on
/// standard error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab solve 8
  queenlab solve 4 --all --notation list
  queenlab solve 8 --all --fundamental --notation columns1
  queenlab solve 100 --solver sat/pairwise/varisat --notation columns")]
pub struct SolveArguments {
    #[command(flatten)]
    pub size: Size,
    /// Which solver solves; see `queenlab list` [default: backtrack/bitmask up to n = 32, a SAT solver above, which is named on standard error].
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// Every solution.
    #[arg(long, conflicts_with = "limit")]
    pub all: bool,
    /// Print at most K solutions.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Only solutions that are the lexicographically first of their eight images.
    #[arg(long)]
    pub fundamental: bool,
    /// How boards are written [default: unicode on a terminal, else columns].
    #[arg(long, value_name = "NOTATION", value_parser = parse_notation)]
    pub notation: Option<Notation>,
    /// Threads that the solver may use.
    #[arg(short = 'j', long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    pub threads: u32,
}
