//! Arguments of `queenlab encode`.

use std::path::PathBuf;

use crate::sat::symmetry::Symmetry;
use clap::Args;

use super::Size;
use super::values::parse_symmetry;

/// Write a formula in DIMACS CNF.
///
/// Lines `c square ROW COLUMN VARIABLE` (rows and columns from 0) say which variable stands for
/// which square.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab encode 8 -o queens8.cnf
  queenlab encode 12 --encoding bimander --symmetry full -o queens12.cnf
  queenlab encode 20 | minisat")]
pub struct EncodeArguments {
    #[command(flatten)]
    pub size: Size,
    /// How 'at most one' becomes clauses.
    #[arg(long, value_name = "ID", default_value = "pairwise")]
    pub encoding: String,
    /// Which symmetry is broken by clauses on the border: none, mirror (left and right) or full (all eight
    /// images; a solution may tie with its own image).
    #[arg(long, value_name = "WHICH", default_value = "none", value_parser = parse_symmetry)]
    pub symmetry: Symmetry,
    /// Write the formula to FILE [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
