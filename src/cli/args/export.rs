//! Arguments of `queenlab export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Write a result in the format of another tool.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab export results/quick --format markdown
  queenlab export results/quick --format latex > table.tex
  queenlab export results/quick --format mkplot --solver backtrack/bitmask > bitmask.json
  queenlab export results/quick --format json | jq .ranking")]
pub struct ExportArguments {
    /// A result directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Whose format.
    #[arg(long)]
    pub format: ExportFormat,
    /// Only this solver; mkplot reads one file per solver.
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// Write to FILE [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// JSON for mkplot: cactus and scatter plots.
    Mkplot,
    /// Every derived table, growth and ranking.
    Json,
    /// A table of medians.
    Markdown,
    /// A table of medians for booktabs.
    Latex,
}
