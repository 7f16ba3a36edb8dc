//! Arguments of `queenlab report`.

use std::path::PathBuf;

use clap::Args;

/// Make tables, plots and an HTML page from a result directory.
///
/// Writes DIR/report.html (a single file that needs no network), DIR/plots/*.svg, DIR/timings.csv, DIR/nodes.csv and
/// DIR/claims.csv.
/// `queenlab sweep` writes the same files when it ends. If a sweep was interrupted, the report covers its completed
/// runs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab report results/quick
  queenlab report results/quick --scatter backtrack/bitmask sat/pairwise/varisat
  queenlab report results/textbook --spec experiments/textbook.toml --fail-on-claim")]
pub struct ReportArguments {
    /// Result directory to read and to write into.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// The two solvers of the scatter plot, first the x axis, then the y axis [default: chosen automatically].
    #[arg(long, num_args = 2, value_names = ["ID", "ID"])]
    pub scatter: Vec<String>,
    /// Check the claims of this experiment: a TOML file or the name of a built-in experiment [default: the claims that
    /// the sweep recorded].
    #[arg(long, value_name = "EXPERIMENT")]
    pub spec: Option<PathBuf>,
    /// Exit with code 7 if a claim fails.
    #[arg(long)]
    pub fail_on_claim: bool,
}
