//! Arguments of `queenlab init`.

use std::path::PathBuf;

use clap::Args;

/// Write a commented experiment with your program in it, for `queenlab sweep`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab init
  queenlab init 'python3 my_queens.py {\u{1b}[0mn}'
  queenlab init './queens --size {\u{1b}[0mn}' -o queens.toml")]
pub struct InitArguments {
    /// How your program is called, with the place of the board size in its arguments.
    #[arg(value_name = "CMD {n}", default_value = "python3 my_queens.py {n}")]
    pub command: String,
    /// The file to write; one that exists is not replaced.
    #[arg(short, long, value_name = "FILE", default_value = "experiment.toml")]
    pub out: PathBuf,
}
