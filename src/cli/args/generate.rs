//! Arguments of `queenlab generate`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::parse_size;
use crate::board::BoardSize;

/// Generate a random instance: a problem in a file.
///
/// The same arguments and --seed write the same file, byte for byte. `queenlab solve --instance FILE` solves it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab generate regions 8 --seed 7 -o puzzle.txt
  queenlab generate excluded-diagonals 14 --count 12 -o diagonals.toml
  queenlab generate completion 20 --queens 8
  queenlab generate blocked 10 --squares 30")]
pub struct GenerateArguments {
    #[command(subcommand)]
    pub kind: GenerateKind,
    /// Write the instance to FILE [default: standard output].
    #[arg(short, long, global = true, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub enum GenerateKind {
    /// A region puzzle with exactly one solution, 5 <= N <= 12.
    Regions {
        /// Board size.
        #[arg(value_name = "N", value_parser = parse_size)]
        n: BoardSize,
    },
    /// Plain queens with random excluded diagonals, as in CSPLib prob079.
    ExcludedDiagonals {
        /// Board size.
        #[arg(value_name = "N", value_parser = parse_size)]
        n: BoardSize,
        /// Number of diagonals.
        #[arg(long, value_name = "K")]
        count: usize,
        /// Free squares that each row and each column keeps at least.
        #[arg(long, value_name = "M", default_value = "4")]
        keep: usize,
    },
    /// Plain queens with K random queens that do not attack each other; they may have no completion.
    Completion {
        /// Board size.
        #[arg(value_name = "N", value_parser = parse_size)]
        n: BoardSize,
        /// Number of queens.
        #[arg(long, value_name = "K")]
        queens: usize,
    },
    /// Plain queens with random blocked squares, as in CSPLib prob080.
    Blocked {
        /// Board size.
        #[arg(value_name = "N", value_parser = parse_size)]
        n: BoardSize,
        /// Number of squares.
        #[arg(long, value_name = "K")]
        squares: usize,
        /// Free squares that each row and each column keeps at least.
        #[arg(long, value_name = "M", default_value = "1")]
        keep: usize,
    },
}
