//! Arguments of `queenlab compare`.

use std::path::PathBuf;

use clap::Args;

use super::values::parse_percent;

/// Compare the answers and the times of two result directories.
///
/// A cell is one solver at one board size. Its ratio is the median time in the second directory divided by the median
/// time in the first one. A cell is a regression beyond PCT percent if the 95 % bootstrap interval of its ratio lies
/// above that bound and the Mann-Whitney test gives p < 0.05, which requires five runs on both sides. A cell that
/// was answered in every run of the first directory and in none of the second is a regression as well.
///
/// Differences between the machines, programs and plans are reported on standard error. Exit codes: 3 if an answer
/// is wrong in the second directory only, 5 if --fail-on-regression finds a regression.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab compare results/before results/after
  queenlab compare results/before results/after --fail-on-regression 5
  queenlab compare results/before results/after --json")]
pub struct CompareArguments {
    /// Result directory of the earlier sweep (the baseline).
    #[arg(value_name = "DIR")]
    pub first: PathBuf,
    /// Result directory of the later sweep.
    #[arg(value_name = "DIR")]
    pub second: PathBuf,
    /// Exit with code 5 if a cell is slower by more than PCT percent, for example 5.
    #[arg(long, value_name = "PCT", value_parser = parse_percent)]
    pub fail_on_regression: Option<f64>,
    /// Print the comparison as JSON.
    #[arg(long)]
    pub json: bool,
}
