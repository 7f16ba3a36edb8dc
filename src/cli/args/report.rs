//! Arguments of `queenlab report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Make tables, plots and an HTML page from a result directory.
///
/// Writes DIR/report.html (a single file that needs no network), DIR/plots/*.svg, DIR/timings.csv, DIR/nodes.csv and
/// DIR/claims.csv.
/// `queenlab sweep` writes the same files when it ends. If a sweep was interrupted, the report covers its completed
/// runs. With --format, the results are printed in that format instead, and nothing is written to DIR.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab report results/quick
  queenlab report results/quick --scatter backtrack/bitmask sat/pairwise/varisat
  queenlab report results/textbook --spec experiments/textbook.toml --fail-on-claim
  queenlab report results/quick --format markdown
  queenlab report results/quick --format latex --siunitx --unit ms > table.tex
  queenlab report results/quick --format json | jq .ranking")]
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
    /// Print the results in this format.
    #[arg(long, conflicts_with_all = ["scatter", "spec", "fail_on_claim"])]
    pub format: Option<ReportFormat>,
    /// Print only this solver, for example backtrack/bitmask.
    #[arg(long, value_name = "ID", requires = "format")]
    pub solver: Option<String>,
    /// markdown and latex: show all times in this unit [default: a unit for each column, named in its head].
    #[arg(long, requires = "format")]
    pub unit: Option<TimeUnit>,
    /// markdown and latex: a row per size and a column per solver.
    #[arg(long, requires = "format")]
    pub transpose: bool,
    /// latex: align numbers at the decimal point, with the package siunitx; the unit is ms unless --unit is given.
    #[arg(long, requires = "format")]
    pub siunitx: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TimeUnit {
    /// Nanoseconds.
    Ns,
    /// Microseconds.
    Us,
    /// Milliseconds.
    Ms,
    /// Seconds.
    S,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Markdown table of median times.
    Markdown,
    /// LaTeX table of median times, for the package booktabs.
    Latex,
    /// JSON with every derived table, the growth rates and the ranking.
    Json,
}
