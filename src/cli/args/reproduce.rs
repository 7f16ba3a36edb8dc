//! Arguments of `queenlab reproduce`.

use std::path::PathBuf;

use clap::Args;

/// Run the plan of a result again, and compare.
///
/// Answers and counts must be the same: exit code 3 if not. Times are compared as `compare` does. A plan
/// that starts programs (a [[program]] or --external) may be somebody else's: it is refused, and what it
/// would start is shown, unless --allow-programs says that you have read it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab reproduce experiments/record/2026-11-21-quick
  queenlab reproduce results/theirs --out results/ours")]
pub struct ReproduceArguments {
    /// A result directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Where the new results go [default: DIR-reproduced].
    #[arg(short, long, value_name = "DIR2")]
    pub out: Option<PathBuf>,
    /// Start the programs that the plan names.
    #[arg(long)]
    pub allow_programs: bool,
}
