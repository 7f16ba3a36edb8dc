//! Arguments of `queenlab proof-check`.

use std::path::PathBuf;

use clap::Args;

/// Check an LRAT proof that a formula is unsatisfiable.
///
/// Reads text and binary proofs, including RAT steps. The checker shares no code with the part of queenlab that writes
/// proofs. Prints `s VERIFIED` and exits with code 0, or prints `s NOT VERIFIED` and exits with code 3; the failing
/// step and the reason are on standard error. If the formula is not DIMACS CNF, the exit code is 2.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab proof-check queens8.cnf queens8.lrat")]
pub struct ProofCheckArguments {
    /// File with the formula, in DIMACS CNF.
    #[arg(value_name = "CNF")]
    pub formula: PathBuf,
    /// File with the proof, in LRAT.
    pub proof: PathBuf,
}
