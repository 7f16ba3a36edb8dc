//! Arguments of `queenlab reproduce`.

use std::path::PathBuf;

use clap::Args;

/// Repeat the sweep of a result directory and compare the results.
///
/// If an answer or a count differs, the exit code is 3. Times are compared as by `queenlab compare`. A plan that
/// starts other programs (`[[program]]` or --external) is refused, because it may come from someone you do not trust:
/// read the commands that are shown, then repeat the command with --allow-programs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab reproduce experiments/record/2026-11-24-quick
  queenlab reproduce results/theirs --out results/ours")]
pub struct ReproduceArguments {
    /// Result directory whose sweep is repeated.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Directory for the new results [default: DIR-reproduced].
    #[arg(short, long, value_name = "DIR2")]
    pub out: Option<PathBuf>,
    /// Allow the sweep to start the programs that its plan names.
    #[arg(long)]
    pub allow_programs: bool,
}
