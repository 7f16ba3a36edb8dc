//! `queenlab encode`: writes a problem as a formula in DIMACS CNF.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use crate::app::encode::{EncodeInput, encode};
use crate::registry::Registry;
use crate::sat::symmetry::SymmetryGroup;
use anyhow::Error;
use clap::Args;

use super::options::{ProblemArguments, is_standard_output, write_output};
use super::{Exit, RunCommand};

/// Write the N-Queens problem as a formula in DIMACS CNF.
///
/// Comment lines `c square ROW COLUMN VARIABLE` give the variable of each square. Rows and columns are numbered
/// from 0.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab encode 8 -o queens8.cnf
  queenlab encode 12 --encoding bimander --symmetry full -o queens12.cnf
  queenlab encode 20 | minisat")]
pub struct Encode {
    #[command(flatten)]
    problem: ProblemArguments,
    /// Encoding of 'at most one of these squares' in clauses; `queenlab list` shows all encodings.
    #[arg(long, value_name = "ID", default_value = "pairwise")]
    encoding: String,
    /// Symmetry breaking: none, mirror (left and right) or full (all eight rotations and reflections). More than one image of a
    /// solution may remain, because the clauses compare only the squares on the border.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    symmetry: SymmetryGroup,
    /// Write the formula to FILE, or to standard output if it is - [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl RunCommand for Encode {
    fn run(&self, _registry: &Registry) -> Result<Exit, Error> {
        let (encoding, symmetry) = (self.encoding.clone(), self.symmetry);
        let formula = encode(&EncodeInput { problem: self.problem.get()?, encoding, symmetry })?;
        match &self.output {
            Some(path) if !is_standard_output(path) => {
                let mut text = Vec::new();
                formula.write_dimacs(&mut text)?;
                write_output(path, &text)?;
            }
            _ => {
                let mut out = BufWriter::new(std::io::stdout().lock());
                formula.write_dimacs(&mut out)?;
                out.flush()?;
            }
        }
        Ok(Exit::Success)
    }
}
