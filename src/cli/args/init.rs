//! Arguments of `queenlab init`.

use std::path::PathBuf;

use clap::Args;

/// Write an example experiment that measures your program, for `queenlab sweep`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab init
  queenlab init 'python3 my_queens.py {\u{1b}[0mn}'
  queenlab init './queens --size {\u{1b}[0mn}' -o queens.toml")]
pub struct InitArguments {
    /// Command that starts your program, with a placeholder for the board size as in the examples.
    #[arg(value_name = "CMD {n}", default_value = "python3 my_queens.py {n}")]
    pub command: String,
    /// File to write. An existing file is never replaced.
    #[arg(short, long, value_name = "FILE", default_value = "experiment.toml")]
    pub out: PathBuf,
}
