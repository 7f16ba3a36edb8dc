//! Arguments of `queenlab list`.

use clap::Args;

/// List the solvers: ids, goals, sizes, statistics.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab list
  queenlab list --json")]
pub struct ListArguments {
    /// As JSON, with everything that a solver declares.
    #[arg(long)]
    pub json: bool,
}
