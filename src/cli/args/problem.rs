//! The problem of `solve`, `count`, `encode`, `check` and `certify`: a variant, and squares that must or must not hold
//! a queen; or an instance in a file.

use std::path::{Path, PathBuf};

use anyhow::{Context, Error};
use clap::Args;

use super::values::parse_large_size;
use crate::board::BoardSize;
use crate::board::problem::{Problem, Variant, read_diagonals, read_squares};
use crate::cli::BadInput;
use crate::{files, instance};

/// The largest instance, in bytes: a board of 1024 rows as a list of squares takes 10 MB.
const MOST_BYTES: u64 = 64 << 20;

/// Rules beside those of plain queens.
#[derive(Args, Clone, Debug)]
pub struct Rules {
    /// Rules of the board: queens, toroidal, semiqueens, superqueens, reflecting or rooks; `queenlab help problems`
    /// defines them.
    #[arg(long, value_name = "NAME", help_heading = "Problem", default_value = "queens", value_parser = str::parse::<Variant>)]
    pub variant: Variant,
    #[command(flatten)]
    pub squares: SquareRules,
}

/// Squares that must or must not hold a queen.
#[derive(Args, Clone, Debug)]
pub struct SquareRules {
    /// Squares that must hold a queen, for example 0:3,5:7. Rows and columns count from 0.
    #[arg(long, value_name = "ROW:COLUMN,...", help_heading = "Problem", value_parser = squares)]
    pub place: Option<String>,
    /// Squares that must not hold a queen, for example 2:2.
    #[arg(long, value_name = "ROW:COLUMN,...", help_heading = "Problem", value_parser = squares)]
    pub forbid: Option<String>,
    /// Diagonals that must not hold a queen, for example s5,d-3: the squares with row + column = 5 and those with
    /// row - column = -3.
    #[arg(long, value_name = "DIAGONALS", help_heading = "Problem", value_parser = diagonals)]
    pub exclude_diagonals: Option<String>,
}

fn squares(text: &str) -> Result<String, String> {
    read_squares(text).map(|_| text.to_owned())
}

fn diagonals(text: &str) -> Result<String, String> {
    read_diagonals(text).map(|_| text.to_owned())
}

impl Rules {
    /// The problem with these rules on an `n` by `n` board.
    pub fn problem(&self, n: BoardSize) -> Result<Problem, Error> {
        let problem = Problem::from_text(n, &self.squares.text(&self.variant));
        problem.map_err(|error| BadInput(error.to_string()).into())
    }
}

impl SquareRules {
    /// The text of a problem of this variant on a board of any size, as in the key `variant` of a spec.
    pub fn text(&self, variant: &Variant) -> String {
        let lists = [("place", &self.place), ("forbid", &self.forbid), ("exclude", &self.exclude_diagonals)];
        let given = lists.iter().filter_map(|(name, list)| Some(format!(";{name}={}", list.as_ref()?)));
        given.fold(variant.name().to_owned(), |text, part| text + &part)
    }

    /// Whether there is any.
    pub fn is_empty(&self) -> bool {
        self.place.is_none() && self.forbid.is_none() && self.exclude_diagonals.is_none()
    }
}

/// Rules for a board whose size is given elsewhere, or an instance, which has its own size.
#[derive(Args, Debug)]
pub struct ProblemOptions {
    /// Read the problem from FILE: a region puzzle, an instance of CSPLib prob079 or prob080, or TOML; `queenlab help
    /// problems` shows examples.
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Problem",
        conflicts_with_all = ["variant", "place", "forbid", "exclude_diagonals"]
    )]
    pub instance: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
}

impl ProblemOptions {
    /// The problem on the board of this size, or that of the instance.
    pub fn problem(&self, n: Option<BoardSize>) -> Result<Problem, Error> {
        match (&self.instance, n) {
            (None, Some(n)) => self.rules.problem(n),
            (None, None) => {
                refuse!("a board size is missing: write it, for example 8, or give --instance FILE")
            }
            (Some(path), n) => {
                let problem = read(path)?;
                let own = problem.n();
                if let Some(n) = n.filter(|&n| n != own) {
                    refuse!("{} is a board of n = {own}, not {n}: leave out the size", path.display());
                }
                Ok(problem)
            }
        }
    }
}

fn read(path: &Path) -> Result<Problem, Error> {
    let text =
        files::read_regular(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    instance::read(&text).map_err(|error| BadInput(format!("{}: {error}", path.display())).into())
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
    #[command(flatten)]
    pub options: ProblemOptions,
}

impl ProblemArguments {
    /// The problem.
    pub fn get(&self) -> Result<Problem, Error> {
        self.options.problem(self.size.or(self.n))
    }
}
