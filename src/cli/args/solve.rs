//! Arguments of `queenlab solve`.

use clap::Args;
use queenlab::board::BoardSize;
use queenlab::board::notation::Notation;

use super::values::{parse_notation, parse_size};

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
    /// Board size.
    #[arg(allow_hyphen_values = true, value_parser = parse_size)]
    pub n: BoardSize,
    /// Who solves; see `queenlab list`.
    #[arg(long, value_name = "ID", default_value = "backtrack/bitmask")]
    pub solver: String,
    /// Every solution.
    #[arg(long, conflicts_with = "limit")]
    pub all: bool,
    /// So many solutions at most.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Only solutions that are the lexicographically first of their eight images.
    #[arg(long)]
    pub fundamental: bool,
    /// How boards are written [default: unicode on a terminal, else columns].
    #[arg(long, value_name = "NOTATION", value_parser = parse_notation)]
    pub notation: Option<Notation>,
    /// Threads that the solver may use.
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: u32,
}
