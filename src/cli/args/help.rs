//! Arguments of `queenlab help`.

use clap::Args;

/// Print the help of a command, or a page of documentation.
///
/// The pages are: formats (every file, column and exit code), certificates, checking, counting,
/// problems, search (the ideas of searchers, their options and counters) and methodology.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab help solve
  queenlab help shard plan
  queenlab help formats | less")]
pub struct HelpArguments {
    /// Command (with its subcommand), or the name of a page.
    #[arg(value_name = "TOPIC")]
    pub topic: Vec<String>,
}
