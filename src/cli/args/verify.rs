//! Arguments of `queenlab verify`.

use crate::board::sizes::Sizes;
use clap::Args;

/// Cross-check solvers: set against set, and against published values.
///
/// Each solver enumerates every size; each board is judged by itself; the sets are compared with
/// SAT's, the counts with A000170, the fundamental solutions with A002562, the search trees with
/// A319284. A disagreement is drawn, and the exit code is 3.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab verify
  queenlab verify 1-10
  queenlab verify 12 --solver 'backtrack/*' --json
  queenlab verify --levels
  queenlab verify --mutants")]
pub struct VerifyArguments {
    /// Board sizes: 8, 4-12, 4-20:2 or 4,8,10-12.
    #[arg(default_value = "1-8", allow_hyphen_values = true, conflicts_with = "n")]
    sizes: Sizes,
    /// Board sizes, the same as SIZES alone.
    #[arg(short, long, value_name = "SIZES", allow_hyphen_values = true)]
    n: Option<Sizes>,
    /// Glob over solver ids; sat/pairwise/varisat joins where they name no SAT solver [default: every
    /// backtracker, count/block and sat/pairwise/varisat].
    #[arg(long = "solver", value_name = "PATTERN")]
    pub solvers: Vec<String>,
    /// Prove that the nodes of each level are all there are, and compare every searcher's (n <= 8).
    #[arg(long)]
    pub levels: bool,
    /// Put faults into searchers, formulas and proofs, and say which check catches which (n <= 9). A fault
    /// that no check catches at these sizes is exit code 3.
    #[arg(long, conflicts_with_all = ["levels", "solvers"])]
    pub mutants: bool,
    /// Everything as JSON on standard output, and nothing else.
    #[arg(long)]
    pub json: bool,
}

impl VerifyArguments {
    pub fn sizes(&self) -> &Sizes {
        self.n.as_ref().unwrap_or(&self.sizes)
    }
}
