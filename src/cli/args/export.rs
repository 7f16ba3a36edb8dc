//! Arguments of `queenlab export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Convert results to the format of another tool.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab export results/quick --format markdown
  queenlab export results/quick --format latex > table.tex
  queenlab export results/quick --format latex --siunitx --unit ms --transpose > table.tex
  queenlab export results/quick --format mkplot --solver backtrack/bitmask > bitmask.json
  queenlab export results/quick --format json | jq .ranking")]
pub struct ExportArguments {
    /// Result directory to read.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Output format.
    #[arg(long)]
    pub format: ExportFormat,
    /// Export only this solver, for example backtrack/bitmask. mkplot needs one file per solver.
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// markdown and latex: show all times in this unit [default: a unit for each column, named in its head].
    #[arg(long)]
    pub unit: Option<TimeUnit>,
    /// markdown and latex: a row per size and a column per solver.
    #[arg(long)]
    pub transpose: bool,
    /// latex: align numbers at the decimal point, with the package siunitx; the unit is ms unless --unit is given.
    #[arg(long)]
    pub siunitx: bool,
    /// Write to FILE [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
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
pub enum ExportFormat {
    /// JSON for mkplot, which draws cactus and scatter plots.
    Mkplot,
    /// JSON with every derived table, the growth rates and the ranking.
    Json,
    /// Markdown table of median times.
    Markdown,
    /// LaTeX table of median times, for the package booktabs.
    Latex,
}
