//! Arguments of `queenlab proof-check`.

use std::path::PathBuf;

use clap::Args;

/// Check an LRAT proof that a formula has no model.
///
/// Text or binary, RAT steps too; it shares no code with what writes proofs here. Says `s VERIFIED`
/// and exits 0, or `s NOT VERIFIED` and exits 3 with the step and the reason on standard error. A
/// formula that is no DIMACS CNF is bad input (2).
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab proof-check queens8.cnf queens8.lrat")]
pub struct ProofCheckArguments {
    /// The formula, in DIMACS CNF.
    #[arg(value_name = "CNF")]
    pub formula: PathBuf,
    /// The proof, in LRAT.
    pub proof: PathBuf,
}
