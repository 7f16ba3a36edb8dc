//! Arguments of `queenlab encode`.

use std::path::PathBuf;

use crate::sat::symmetry::SymmetryGroup;
use clap::Args;

use super::ProblemArguments;
use super::values::parse_symmetry;

/// Write the N-Queens problem as a formula in DIMACS CNF.
///
/// Comment lines `c square ROW COLUMN VARIABLE` give the variable of each square. Rows and columns are numbered
/// from 0.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab encode 8 -o queens8.cnf
  queenlab encode 12 --encoding bimander --symmetry full -o queens12.cnf
  queenlab encode 20 | minisat")]
pub struct EncodeArguments {
    #[command(flatten)]
    pub problem: ProblemArguments,
    /// At-most-one encoding: how 'at most one of these squares' is written as clauses. `queenlab list` shows all.
    #[arg(long, value_name = "ID", default_value = "pairwise")]
    pub encoding: String,
    /// Symmetry breaking: none, mirror (left and right) or full (all eight rotations and reflections). The clauses
    /// compare border squares only, so that more than one image of a solution may remain.
    #[arg(long, value_name = "WHICH", default_value = "none", value_parser = parse_symmetry)]
    pub symmetry: SymmetryGroup,
    /// Write the formula to FILE [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
