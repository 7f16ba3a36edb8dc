//! The problem of `solve`, `count`, `encode`, `check` and `verify`: a variant, and squares that must or must not hold a
//! queen; or an instance in a file.

use std::path::PathBuf;

use anyhow::{Context, Error};
use clap::Args;

use super::values::parse_large_size;
use crate::board::problem::{Diagonal, Problem, Variant, read_diagonals, read_squares};
use crate::board::{BoardSize, Square};
use crate::cli::BadInput;
use crate::{files, instance};

/// The largest instance, in bytes: a board of 1024 rows as a list of squares takes 10 MB.
const MOST_BYTES: u64 = 64 << 20;

/// Rules beside those of plain queens.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Problem")]
pub struct Rules {
    /// Rules of the board: queens, toroidal, semiqueens, superqueens, reflecting or rooks; `queenlab help problems`
    /// defines them.
    #[arg(long, value_name = "NAME", default_value = "queens", value_parser = str::parse::<Variant>)]
    pub variant: Variant,
    /// Squares that must hold a queen, for example 0:3,5:7. Rows and columns count from 0.
    #[arg(long, value_name = "ROW:COLUMN,...", value_parser = parse_squares)]
    pub place: Option<List<Square>>,
    /// Squares that must not hold a queen, for example 2:2.
    #[arg(long, value_name = "ROW:COLUMN,...", value_parser = parse_squares)]
    pub forbid: Option<List<Square>>,
    /// Diagonals that must not hold a queen, for example s5,d-3: the squares with row + column = 5 and those with
    /// row - column = -3.
    #[arg(long, value_name = "DIAGONALS", value_parser = parse_diagonals)]
    pub exclude_diagonals: Option<List<Diagonal>>,
}

/// A list that is one value of an option.
#[derive(Clone, Debug)]
pub struct List<T>(Vec<T>);

fn parse_squares(text: &str) -> Result<List<Square>, String> {
    read_squares(text).map(List)
}

fn parse_diagonals(text: &str) -> Result<List<Diagonal>, String> {
    read_diagonals(text).map(List)
}

impl Rules {
    /// The problem with these rules on an `n` by `n` board.
    pub fn problem(&self, n: BoardSize) -> Result<Problem, Error> {
        fn all<T: Copy>(list: &Option<List<T>>) -> Vec<T> {
            list.iter().flat_map(|list| list.0.iter().copied()).collect()
        }
        let problem = Problem::new(n, self.variant.clone())
            .and_then(|problem| problem.forbid(all(&self.forbid)))
            .and_then(|problem| problem.exclude(all(&self.exclude_diagonals)))
            .and_then(|problem| problem.place(all(&self.place)));
        problem.map_err(|error| BadInput(error.to_string()).into())
    }
}

/// A board size with rules, or an instance.
#[derive(Args, Debug)]
pub struct ProblemArguments {
    /// Board size, for example 8.
    #[arg(value_name = "N", allow_hyphen_values = true, value_parser = parse_large_size, conflicts_with = "n")]
    size: Option<BoardSize>,
    /// Board size, for example 8; may be given instead of the argument.
    #[arg(short, long = "n", value_name = "N", allow_hyphen_values = true, value_parser = parse_large_size)]
    n: Option<BoardSize>,
    /// Read the problem from FILE: a region puzzle, an instance of CSPLib prob079 or prob080, or TOML; `queenlab help
    /// problems` shows examples.
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Problem",
        conflicts_with_all = ["size", "n", "variant", "place", "forbid", "exclude_diagonals"]
    )]
    pub instance: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
}

impl ProblemArguments {
    /// The problem.
    pub fn get(&self) -> Result<Problem, Error> {
        let Some(path) = &self.instance else {
            let n = self.size.or(self.n).ok_or_else(|| {
                BadInput(
                    "a board size is missing: write it, for example 8, or give --instance FILE".to_owned(),
                )
            })?;
            return self.rules.problem(n);
        };
        let text = files::read_regular(path, MOST_BYTES)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let text = String::from_utf8_lossy(&text);
        let problem = instance::read(&text);
        problem.map_err(|error| BadInput(format!("{}: {error}", path.display())).into())
    }
}
