//! `queenlab generate`: generates random instances.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Error;
use clap::{Args, Subcommand};

use super::options::{parse_size, write_output};
use super::{Exit, RunCommand};
use crate::app::generate::{GenerateInput, RandomKind, generate};
use crate::board::BoardSize;
use crate::instance::to_toml;
use crate::registry::Registry;

/// Generate a random instance: a problem in a file.
///
/// The same arguments and the same --seed always write the same file. `queenlab solve --instance FILE` solves it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab generate excluded-diagonals 14 --count 12 -o diagonals.toml
  queenlab generate completion 20 --queens 8 --seed 7")]
pub struct Generate {
    #[command(subcommand)]
    kind: InstanceKind,
    /// Random seed, for example 42.
    #[arg(long, global = true, value_name = "S", default_value = "1")]
    seed: u64,
    /// Write the instance to FILE, or to standard output if it is - [default: standard output].
    #[arg(short, long, global = true, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
enum InstanceKind {
    /// Plain queens with random excluded diagonals, as in CSPLib prob079.
    ExcludedDiagonals {
        /// Board size.
        #[arg(value_name = "N", value_parser = parse_size)]
        n: BoardSize,
        /// Number of excluded diagonals.
        #[arg(long, value_name = "K")]
        count: usize,
        /// Minimum number of free squares in each row and each column.
        #[arg(long, value_name = "M", default_value = "4")]
        keep: usize,
    },
    /// Plain queens with K fixed random queens that do not attack each other. The instance may have no solution.
    Completion {
        /// Board size.
        #[arg(value_name = "N", value_parser = parse_size)]
        n: BoardSize,
        /// Number K of queens.
        #[arg(long, value_name = "K")]
        queens: usize,
    },
}

impl RunCommand for Generate {
    fn run(&self, _registry: &Registry) -> Result<Exit, Error> {
        let (n, kind) = match self.kind {
            InstanceKind::ExcludedDiagonals { n, count, keep } => {
                (n, RandomKind::ExcludedDiagonals { count, keep })
            }
            InstanceKind::Completion { n, queens } => (n, RandomKind::Completion { queens }),
        };
        let problem = generate(GenerateInput { n, kind, seed: self.seed })?;
        let text = to_toml(&problem);
        match &self.output {
            Some(path) => write_output(path, text.as_bytes())?,
            None => io::stdout().lock().write_all(text.as_bytes())?,
        }
        Ok(Exit::Success)
    }
}
