//! Arguments of `queenlab solve`.

use crate::experiment::spec::at_most_1024;
use crate::judge::notation::Notation;
use clap::Args;

use super::ProblemArguments;
use super::values::parse_notation;

/// Print solutions.
///
/// Prints one solution unless --all or --limit is given. If there is none (n = 2 and 3), a message on standard error
/// reports it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab solve 8
  queenlab solve 4 --all --notation list
  queenlab solve 8 --all --fundamental --notation columns1
  queenlab solve 8 --all --classes
  queenlab solve 8 --solver backtrack/dlx:items=natural
  queenlab solve 1000000 --solver local/queen-search
  queenlab solve 100 --solver sat/pairwise/varisat --notation columns")]
pub struct SolveArguments {
    #[command(flatten)]
    pub problem: ProblemArguments,
    /// Solver to use, as ID or ID:key=value,key=value; `queenlab list` shows all with their options [default: backtrack/bitmask for plain queens up to n = 32, otherwise
    /// sat/product/varisat].
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// Print all solutions.
    #[arg(long, conflicts_with = "limit")]
    pub all: bool,
    /// Print at most K solutions, for example 10.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Print only fundamental solutions: the lexicographically first board of each set of rotations and reflections.
    #[arg(long)]
    pub fundamental: bool,
    /// With --all, print classes instead of boards: two boards are in the same class if a rotation or reflection maps one
    /// to the other. Each line has the number of boards in a class, a tab, and the columns of the lexicographically first
    /// board of the class.
    #[arg(long, requires = "all", conflicts_with_all = ["fundamental", "notation"])]
    pub classes: bool,
    /// How to print boards, for example columns, matrix or list; `queenlab help checking` lists all notations
    /// [default: unicode on a terminal, otherwise columns].
    #[arg(long, value_name = "NOTATION", value_parser = parse_notation)]
    pub notation: Option<Notation>,
    /// Number of threads. In `sweep`, -j means parallel runs instead.
    #[arg(short = 'j', long, value_name = "T", default_value = "1", value_parser = at_most_1024::<u32>)]
    pub threads: u32,
}
