//! Arguments of `queenlab verify`.

use crate::board::sizes::Sizes;
use clap::Args;

/// Cross-check solvers against each other and against published values.
///
/// Each solver enumerates all solutions of every size, and each board is checked for attacks. The set of boards is
/// compared with the set of a SAT solver, the counts with OEIS A000170, the fundamental solutions with A002562, and the
/// search trees with A319284. If anything disagrees, the first differing board is drawn and the exit code is 3.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab verify
  queenlab verify 1-10
  queenlab verify 12 --solver 'backtrack/*' --json
  queenlab verify 1-7 --variant all
  queenlab verify --levels")]
pub struct VerifyArguments {
    /// Board sizes, for example 8, 4-12, 4-20:2 (every second size) or 4,8,10-12.
    #[arg(default_value = "1-8", allow_hyphen_values = true, conflicts_with = "n")]
    sizes: Sizes,
    /// Board sizes, for example 4-8; may be given instead of the argument.
    #[arg(short, long, value_name = "SIZES", allow_hyphen_values = true)]
    n: Option<Sizes>,
    /// Glob pattern for solver ids, for example 'backtrack/*' or 'sat/{pairwise,product}/varisat'; options of the solvers may follow, as in
    /// backtrack/dlx:items=natural. Repeat the option for several patterns. If no SAT solver
    /// matches, sat/pairwise/varisat is added [default: every backtracker and sat/pairwise/varisat].
    #[arg(long = "solver", value_name = "PATTERN")]
    pub solvers: Vec<String>,
    /// Prove the number of search nodes on each level with SAT, and compare it with every searcher (n <= 8).
    #[arg(long)]
    pub levels: bool,
    /// Rules of the board: queens, toroidal, semiqueens, superqueens, reflecting, rooks, or all.
    #[arg(long, value_name = "NAME", default_value = "queens", conflicts_with = "levels")]
    pub variant: String,
    /// Print the results as JSON.
    #[arg(long)]
    pub json: bool,
}

impl VerifyArguments {
    pub fn sizes(&self) -> &Sizes {
        self.n.as_ref().unwrap_or(&self.sizes)
    }
}
