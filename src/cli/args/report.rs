//! Arguments of `queenlab report`.

use std::path::PathBuf;

use clap::Args;

/// Make tables, plots and one HTML page from a result directory.
///
/// Writes DIR/report.html (one file, opens offline), DIR/plots/*.svg, timings.csv and nodes.csv. A sweep does
/// the same when it ends; a directory that was cut off in the middle is reported as far as it is whole.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab report results/quick
  queenlab report results/quick --scatter backtrack/bitmask sat/pairwise/varisat")]
pub struct ReportArguments {
    /// A result directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// The two solvers of the scatter plot: the first across, the second up [default: chosen].
    #[arg(long, num_args = 2, value_names = ["ID", "ID"])]
    pub scatter: Vec<String>,
}
