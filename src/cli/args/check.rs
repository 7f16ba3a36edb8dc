//! Arguments of `queenlab check`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::board::sizes::Sizes;
use crate::experiment::spec::parse_duration;
use crate::judge::notation::Notation;
use clap::Args;

use super::ProblemOptions;
use super::values::parse_notation;

// clap makes a line break of a plain `{n}` in help; a style code inside it keeps it, and is never seen.
const COMMAND: &str =
    "Command that prints the boards, with its arguments; {\u{1b}[0mn} stands for the board size";

/// Check the solutions that another program printed.
///
/// Reads boards from FILE, from standard input or from the output of a command. Reports which boards are illegal,
/// repeated or missing, and draws the first few of each kind.
///
/// With --batch, checks every file in a directory at several board sizes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab check 8 out.txt
  python3 my_queens.py 8 | queenlab check 8
  queenlab check 8 --timeout 30s -- python3 my_queens.py {\u{1b}[0mn}
  queenlab check 8 --stdin -- ./reads_the_size
  queenlab check 20 --first --json -- ./one_solution 20
  queenlab check 12 --count answer.txt
  queenlab check 7 --variant toroidal out.txt
  queenlab check --instance puzzle.txt out.txt
  queenlab check --batch submissions --n 4-8 --timeout 10s --csv points.csv

Exit codes:
  0  correct: every solution was printed exactly once
     (with --first: one solution; with --count: the right number)
  1  unfinished: the program failed, was stopped at a limit, or could not be started,
     and nothing that it printed is wrong
  2  unreadable: the text contains no board of this size, only their number, or is ambiguous
  3  wrong: a board is illegal, repeated or missing, or the number is wrong
With --batch, the exit code is 3 if any submission is wrong; otherwise 2 if any is
unreadable; otherwise 1 if any is unfinished; otherwise 0.")]
pub struct CheckArguments {
    /// Board size, for example 8. Omit it with --instance, because the file determines the size.
    // A text: with --instance, the first argument is FILE.
    #[arg(value_name = "N", allow_hyphen_values = true, required_unless_present_any = ["batch", "instance"])]
    pub n: Option<OsString>,
    /// File with the boards [default: standard input].
    #[arg(conflicts_with = "command")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub problem: ProblemOptions,
    /// How the boards are written, for example columns, matrix or list; `queenlab help checking` lists all notations
    /// [default: detected].
    #[arg(long, value_name = "NOTATION", value_parser = parse_notation)]
    pub notation: Option<Notation>,
    /// Check only the first board; the program is expected to print one solution.
    #[arg(long)]
    pub first: bool,
    /// Expect the number of solutions instead of boards.
    #[arg(long, conflicts_with_all = ["first", "notation"])]
    pub count: bool,
    /// Check every file in DIR: programs, which are started with the board size as their only argument (or read it, with
    /// --stdin), and text files with boards.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "command"])]
    pub batch: Option<PathBuf>,
    /// Board sizes for --batch, for example 4-8 or 4,6,8.
    #[arg(short = 'n', long = "n", value_name = "SIZES", requires = "batch")]
    pub sizes: Option<Sizes>,
    /// Write the results of --batch to a CSV file, one line per submission and size.
    #[arg(long, value_name = "FILE", requires = "batch")]
    pub csv: Option<PathBuf>,
    /// Write the results of --batch as JUnit XML, for a continuous-integration server.
    #[arg(long, value_name = "FILE", requires = "batch")]
    pub junit: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
    /// Time limit (wall clock) of the command, for example 500ms, 10s or 5m [default: 60s].
    #[arg(long, value_name = "D", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Write the board size to the standard input of the program. Tried by itself if a program fails at the end of its
    /// empty input.
    #[arg(long)]
    pub stdin: bool,
    #[arg(last = true, value_name = "CMD ARG", help = COMMAND)]
    pub command: Vec<OsString>,
}
