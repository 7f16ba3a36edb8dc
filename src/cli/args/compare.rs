//! Arguments of `queenlab compare`.

use std::path::PathBuf;

use clap::Args;

use super::values::parse_percent;

/// Compare two results: answers first, then times.
///
/// A ratio is the second's median over the first's. A cell is a regression beyond PCT when the whole 95 %
/// interval of its ratio (bootstrap) lies above it and the rank test (Mann-Whitney) says p < 0.05, which takes
/// five runs on both sides; or when it was answered in every run and now in none. How machine, program
/// and plan differ is said on standard error. Exit code 3: an answer is wrong now; 5: a regression.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab compare results/before results/after
  queenlab compare results/before results/after --fail-on-regression 5
  queenlab compare results/before results/after --json")]
pub struct CompareArguments {
    /// The result directory to compare with.
    #[arg(value_name = "DIR")]
    pub first: PathBuf,
    /// The result directory to compare.
    #[arg(value_name = "DIR")]
    pub second: PathBuf,
    /// Exit with 5 if a cell is slower by more than PCT percent.
    #[arg(long, value_name = "PCT", value_parser = parse_percent)]
    pub fail_on_regression: Option<f64>,
    /// The comparison as JSON on standard output.
    #[arg(long)]
    pub json: bool,
}
