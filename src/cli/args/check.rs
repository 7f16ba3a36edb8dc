//! Arguments of `queenlab check`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::board::BoardSize;
use crate::board::notation::Notation;
use crate::board::sizes::Sizes;
use crate::experiment::spec::parse_duration;
use clap::Args;

use super::values::{parse_notation, parse_size};

/// Judge solutions that some other program printed.
///
/// Reads FILE, standard input, or what a command prints, in any notation. Says which boards are
/// illegal, repeated or missing, and draws the first of each. Exit code 0: all solutions, each once;
/// 3: not; 2: unreadable; 1: the program failed, hung or flooded before a fault showed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab check 8 out.txt
  python3 my_queens.py 8 | queenlab check 8
  queenlab check 8 --timeout 30s -- python3 my_queens.py 8
  queenlab check 20 --first --json -- ./one_solution 20
  queenlab check 12 --count answer.txt
  queenlab check --batch submissions --n 4-8 --timeout 10s --csv points.csv")]
pub struct CheckArguments {
    /// Board size.
    #[arg(allow_hyphen_values = true, value_parser = parse_size, required_unless_present = "batch")]
    pub n: Option<BoardSize>,
    /// Where the boards are [default: standard input].
    #[arg(conflicts_with = "command")]
    pub file: Option<PathBuf>,
    /// How boards are written [default: found out].
    #[arg(long, value_name = "NOTATION", value_parser = parse_notation)]
    pub notation: Option<Notation>,
    /// Judge one solution, the first board, instead of all.
    #[arg(long)]
    pub first: bool,
    /// Judge the number of solutions that the submission states, instead of boards.
    #[arg(long, conflicts_with_all = ["first", "notation"])]
    pub count: bool,
    /// Judge every submission in a directory: programs, which get the size as their only argument, and print-outs.
    #[arg(long, value_name = "DIR", requires = "sizes", conflicts_with_all = ["n", "file", "command"])]
    pub batch: Option<PathBuf>,
    /// The sizes for --batch: 4-8, or 4,6,8.
    #[arg(short = 'n', long = "n", value_name = "SIZES", requires = "batch")]
    pub sizes: Option<Sizes>,
    /// Write one line per submission and size of --batch to a CSV file.
    #[arg(long, value_name = "FILE", requires = "batch")]
    pub csv: Option<PathBuf>,
    /// Write the results of --batch as JUnit XML, for a continuous-integration server.
    #[arg(long, value_name = "FILE", requires = "batch")]
    pub junit: Option<PathBuf>,
    /// The judgement as JSON on standard output.
    #[arg(long)]
    pub json: bool,
    /// Wall time that the command may take: 500ms, 10s, 5m [default: 60s].
    #[arg(long, value_name = "D", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// A command that prints the boards, with its arguments.
    #[arg(last = true, value_name = "CMD ARG")]
    pub command: Vec<OsString>,
}
