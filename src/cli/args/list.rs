//! Arguments of `queenlab list`.

use clap::Args;

/// List the solvers: ids, goals, sizes, statistics.
///
/// SAT solvers are listed as one family: an encoding, a backend and a strategy make an id. With PATTERN, every
/// id that matches is listed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab list
  queenlab list cadical
  queenlab list 'sat/product/*'
  queenlab list --json")]
pub struct ListArguments {
    /// Glob over solver ids, or a part of an id: list these solvers one by one.
    pub pattern: Option<String>,
    /// As JSON, with everything that a solver declares.
    #[arg(long)]
    pub json: bool,
}
