//! Arguments of `queenlab report`.

use std::path::PathBuf;

use clap::Args;

/// Make tables, plots and an HTML page from a result directory.
///
/// Writes DIR/report.html (a single file that needs no network), DIR/plots/*.svg, DIR/timings.csv and DIR/nodes.csv.
/// `queenlab sweep` writes the same files when it ends. If a sweep was interrupted, the report covers its completed
/// runs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab report results/quick
  queenlab report results/quick --scatter backtrack/bitmask sat/pairwise/varisat")]
pub struct ReportArguments {
    /// Result directory to read and to write into.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// The two solvers of the scatter plot, first the x axis, then the y axis [default: chosen automatically].
    #[arg(long, num_args = 2, value_names = ["ID", "ID"])]
    pub scatter: Vec<String>,
}
