//! Arguments of `queenlab list`.

use clap::Args;

/// List all solvers with their goals, board sizes and statistics.
///
/// The id of a SAT solver consists of an encoding, a backend and a strategy; the list shows these parts instead of
/// every combination. With PATTERN, it shows every id that matches.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab list
  queenlab list cadical
  queenlab list 'sat/{pairwise,product}/*'
  queenlab list --json")]
pub struct ListArguments {
    /// Glob pattern or part of a solver id, for example 'sat/{pairwise,product}/*' or cadical.
    pub pattern: Option<String>,
    /// Print JSON, with all properties of each solver.
    #[arg(long)]
    pub json: bool,
}
